// What core/figures/assets.py makes of core/figures/theme.py.
export interface Palette {
  background: string;
  surface: string;
  border: string;
  text: string;
  muted: string;
  accent: string;
  query: string;
  key: string;
  value: string;
  weight: string;
  position: string;
  residual: string;
  warning: string;
  negative: string;
  zero: string;
  positive: string;
  tokens: string[];
  [role: string]: any;
}
export const PALETTES: { light: Palette; dark: Palette };

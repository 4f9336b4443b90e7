// A style sheet as a module (core/figures/assets.py).
declare module "*.css.js" {
  const text: string;
  export default text;
}

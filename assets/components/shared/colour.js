// Colours of the current theme, and colours for numbers.

import { PALETTES } from "./palettes.js";

/** @typedef {import("./palettes.js").Palette} Palette */

/**
 * Red, green and blue, 0 to 255.
 * @param {string} colour
 * @returns {number[]}
 */
export function channels(colour) {
  const hex = colour.trim().match(/^#([0-9a-f]{6})/i);
  if (hex) return [0, 2, 4].map((i) => parseInt(hex[1].slice(i, i + 2), 16));
  const found = colour.match(/[\d.]+/g);
  return found ? found.slice(0, 3).map(Number) : [255, 255, 255];
}

/**
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} share of the way
 * @returns {number[]}
 */
export const mix = (from, to, share) =>
  from.map((value, i) => Math.round(value + (to[i] - value) * share));
/**
 * @param {number[]} c
 * @returns {string}
 */
export const rgb = (c) => `rgb(${c[0]},${c[1]},${c[2]})`;
/**
 * Relative luminance, 0 to 1 (WCAG 2.2).
 * @param {number[]} c
 * @returns {number}
 */
export const luminance = (c) => {
  const [r, g, b] = c.map((v) => (v <= 10 ? v / 3294 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/**
 * The page's mode, read off its background.
 * @param {Element} host
 * @returns {"light" | "dark"}
 */
export function modeOf(host) {
  const background = getComputedStyle(host).getPropertyValue("--st-background-color") || "#ffffff";
  return luminance(channels(background)) < 0.2 ? "dark" : "light";
}

/**
 * The palette of the page's mode (core/figures/theme.py).
 * @param {Element} host
 * @returns {Palette}
 */
export const paletteOf = (host) => PALETTES[modeOf(host)];

export const MEANINGS = [
  "accent", "query", "key", "value", "weight", "position", "residual", "muted", "warning", "surface",
  "border", "background", "text",
];

/**
 * A colour for a number: "signed" scales run from negative over the background to positive,
 * others from the background up to the colour of that meaning.
 * @param {Palette} palette
 * @param {string} kind
 * @param {number} [limit] where the colour is full
 * @returns {(value: number) => number[]}
 */
export function scaleOf(palette, kind, limit) {
  if (kind === "signed") {
    const [low, zero, high] = [palette.negative, palette.zero, palette.positive].map(channels);
    return (value) => {
      const share = Math.max(-1, Math.min(1, value / (limit || 1)));
      return share < 0 ? mix(zero, low, -share) : mix(zero, high, share);
    };
  }
  const zero = channels(palette.surface);
  const high = channels(palette[kind] ?? palette.weight);
  return (value) => mix(zero, high, Math.max(0, Math.min(1, value / (limit || 1))));
}

/**
 * Black or white text, whichever has the higher contrast: at least 4.58, where they are equal. (A
 * dark blue in place of black would leave 4.3 on a middle grey.)
 * @param {number[]} background
 * @returns {string}
 */
export const inkOn = (background) => (luminance(background) > 0.1791 ? "#000000" : "#ffffff");

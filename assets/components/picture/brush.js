// A round brush on a few large pixels: what it covers in part becomes grey, as on paper.

export const RADIUS = 1.5; // pixels of the picture
const SOFT = 0.9; // pixels over which the edge fades

/** @typedef {{ pixels: Uint8Array, rows: number, cols: number, channels: number }} Sheet */

/**
 * One dot.
 * @param {Sheet} sheet
 * @param {number} x of its middle, in pixels of the picture
 * @param {number} y
 * @param {boolean} erases
 */
export function dot({ pixels, rows, cols, channels }, x, y, erases) {
  const reach = RADIUS + SOFT;
  const last = (value, n) => Math.min(n - 1, Math.ceil(value));
  for (let i = Math.max(0, Math.floor(y - reach)); i <= last(y + reach, rows); i++) {
    for (let j = Math.max(0, Math.floor(x - reach)); j <= last(x + reach, cols); j++) {
      const away = Math.hypot(j + 0.5 - x, i + 0.5 - y);
      const ink = Math.round(255 * Math.max(0, Math.min(1, (RADIUS - away) / SOFT + 0.5)));
      for (let c = 0; c < channels; c++) {
        const n = (i * cols + j) * channels + c;
        pixels[n] = erases ? Math.min(pixels[n], 255 - ink) : Math.max(pixels[n], ink);
      }
    }
  }
}

/**
 * A line of dots.
 * @param {Sheet} sheet
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {boolean} erases
 */
export function line(sheet, from, to, erases) {
  const steps = Math.max(1, Math.ceil(2 * Math.hypot(to.x - from.x, to.y - from.y)));
  for (let n = 0; n <= steps; n++) {
    const share = n / steps;
    dot(sheet, from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, erases);
  }
}

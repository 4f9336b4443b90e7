// The parts of a run as small pictures of their own numbers.

import { sizeCanvas } from "../shared/canvas.js";
import { rgb, scaleOf } from "../shared/colour.js";
import { el } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { clamp } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";

/** @typedef {import("../shared/payload.js").Numbers} Numbers */
/** @typedef {import("../shared/colour.js").Palette} Palette */

/**
 * A canvas that is only looked at: with a name, or beside words that say what it is.
 * @param {string} [name]
 * @returns {HTMLCanvasElement}
 */
const picture = (name) =>
  el("canvas", name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" });

/**
 * A vector a token, as a strip of cells, one of them selected.
 * @param {Numbers} array
 * @param {{ width: number, height: number, chosen: number, palette: Palette, name: string,
 *   role?: string }} look
 * @param {(event: PointerEvent, i: number, j: number) => void} point at a cell
 * @returns {HTMLCanvasElement}
 */
export function strips(array, { width, height, chosen, palette, name, role = "signed" }, point) {
  const [n, cols] = array.shape;
  const canvas = picture(name);
  const context = sizeCanvas(canvas, width, n * height);
  // Few components are far larger than the rest; they are drawn full. Shares are full at 1.
  const sorted = Float32Array.from(array.values, Math.abs).sort();
  const most = sorted[Math.floor(sorted.length * 0.97)] || sorted[sorted.length - 1];
  const scale = scaleOf(palette, role, role === "signed" ? most : 1);
  const wide = width / cols;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < cols; j++) {
      context.fillStyle = rgb(scale(at2(array, i, j)));
      context.fillRect(j * wide, i * height + 3, Math.ceil(wide), height - 6);
    }
  }
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.strokeRect(0.75, chosen * height + 1.5, width - 1.5, height - 3);
  canvas.addEventListener("pointermove", (event) => {
    const { x, y } = placeIn(event, canvas, width); // the page may show the map smaller
    point(event, clamp(Math.floor(y / height), n), clamp(Math.floor(x / wide), cols));
  });
  return canvas;
}

/**
 * What one head looks at.
 * @param {Numbers} maps
 * @param {number} h
 * @param {number} size
 * @param {Palette} palette
 * @param {(event: PointerEvent, row: number, col: number, share: number) => void} [point] at a cell
 * @returns {HTMLCanvasElement}
 */
export function headMap({ values, shape: [, n, m] }, h, size, palette, point) {
  const canvas = picture();
  const context = sizeCanvas(canvas, size, size);
  const scale = scaleOf(palette, "weight", 255);
  const [tall, wide] = [size / n, size / m];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      context.fillStyle = rgb(scale(values[(h * n + i) * m + j]));
      context.fillRect(j * wide, i * tall, Math.ceil(wide), Math.ceil(tall));
    }
  }
  if (point) {
    canvas.addEventListener("pointermove", (event) => {
      const { x, y } = placeIn(event, canvas, size);
      const [i, j] = [clamp(Math.floor(y / tall), n), clamp(Math.floor(x / wide), m)];
      point(event, i, j, values[(h * n + i) * m + j] / 255);
    });
  }
  return canvas;
}

/**
 * How much the feed-forward network writes for each token, one of them selected.
 * @param {Numbers} array
 * @param {{ width: number, height: number, chosen: number, palette: Palette }} look
 * @returns {HTMLCanvasElement}
 */
export function wrote({ values }, { width, height, chosen, palette }) {
  const canvas = picture();
  const context = sizeCanvas(canvas, width, height);
  const top = Math.max(...values) || 1;
  const tall = height / values.length;
  values.forEach((value, i) => {
    context.fillStyle = i === chosen ? palette.accent : palette.residual;
    context.fillRect(0, i * tall, Math.max(1, (value / top) * width), Math.max(1, tall - 1));
  });
  return canvas;
}

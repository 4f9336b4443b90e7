// Small pictures: pixels, what is laid over them, and their text form for links (core/figures/raster.py).

import { pen } from "./canvas.js";
import { channels, mix } from "./colour.js";
import { PALETTES } from "./palettes.js";

export const HEAT = 0.85; // how far the colour of the largest number covers the pixels below it

/**
 * The colour of a pixel: grey, or red, green and blue.
 * @param {ArrayLike<number>} pixels
 * @param {number} n its place
 * @param {number} channels
 * @returns {number[]}
 */
export const pixelAt = (pixels, n, channels) => (channels === 3
  ? [pixels[3 * n], pixels[3 * n + 1], pixels[3 * n + 2]] : [pixels[n], pixels[n], pixels[n]]);

/**
 * What lies over pixels, which are the same in both modes: it must be seen on black and on white.
 * @param {string} role
 * @returns {number[]}
 */
export const onPictures = (role) => mix(channels(PALETTES.light[role]), channels(PALETTES.dark[role]), 0.5);

/**
 * A colour below a number between 0 and 1.
 * @param {number[]} colour
 * @param {number[]} hot
 * @param {number} share
 * @returns {number[]}
 */
export const heated = (colour, hot, share) => mix(colour, hot, HEAT * share);

/**
 * A picture with a colour for each pixel; without one it is transparent.
 * @param {number} rows
 * @param {number} cols
 * @param {(i: number, j: number) => number[] | null} colourAt
 * @returns {ImageData}
 */
export function imageOf(rows, cols, colourAt) {
  const image = new ImageData(Math.max(1, cols), Math.max(1, rows));
  const { data } = image;
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at += 4) {
      const colour = colourAt(i, j); // no copy of it: there are many, and the pen waits for them
      if (!colour) continue;
      data[at] = colour[0];
      data[at + 1] = colour[1];
      data[at + 2] = colour[2];
      data[at + 3] = 255;
    }
  }
  return image;
}

/**
 * A picture with a colour for each pixel, drawn with sharp squares.
 * @param {CanvasRenderingContext2D} context
 * @param {{ rows: number, cols: number }} size
 * @param {(i: number, j: number) => number[]} colourAt
 * @param {{ x: number, y: number, width: number, height: number }} box
 */
export function drawPixels(context, { rows, cols }, colourAt, { x, y, width, height }) {
  const small = new OffscreenCanvas(cols, rows);
  pen(small).putImageData(imageOf(rows, cols, colourAt), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, x, y, width, height);
}

/**
 * A picture as links have it: "28x28:" and the base64url of its pixels (core/inputs.py).
 * @param {Uint8Array} pixels
 * @param {{ rows: number, cols: number, channels: number }} size
 * @returns {string}
 */
export function asText(pixels, { rows, cols, channels }) {
  let bytes = "";
  for (const value of pixels) bytes += String.fromCharCode(value);
  const packed = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${cols}x${rows}${channels > 1 ? `x${channels}` : ""}:${packed}`;
}

// The picture that a run reads, cut into squares: it stands above the rows, and each of its squares is
// the token of a row.

import { pen } from "../shared/canvas.js";
import { pixelAt } from "../shared/raster.js";

export const SEEN = 104; // pixels of the longer side
const TOP = 4;

/** @typedef {{ x: number, y: number, width: number, height: number }} Box with its upper left corner */

export class Cut {
  /**
   * @param {import("../shared/payload.js").Payload} payload
   * @param {number} zoom
   */
  constructor({ cut: { size, first }, arrays: { pixels } }, zoom) {
    const { values, shape: [height, width, channels = 1] } = pixels;
    const step = (size * SEEN * zoom) / Math.max(height, width);
    Object.assign(this, { size, first, step, top: TOP * zoom, rows: height / size, cols: width / size });
    this.image = document.createElement("canvas");
    [this.image.width, this.image.height] = [width, height];
    const image = new ImageData(width, height);
    for (let n = 0; n < width * height; n++) image.data.set([...pixelAt(values, n, channels), 255], 4 * n);
    pen(this.image).putImageData(image, 0, 0);
  }

  // Where a square is among the others; null for a mark, which is none.
  #place(position) {
    const n = position - this.first;
    return n < 0 || n >= this.rows * this.cols ? null : [Math.floor(n / this.cols), n % this.cols];
  }

  /**
   * Where the square of a position is in the picture; null where there is none.
   * @param {number} position
   * @returns {Box | null}
   */
  box(position) {
    const place = this.#place(position);
    if (!place) return null;
    const [row, col] = place;
    return { x: col * this.step, y: this.top + row * this.step, width: this.step, height: this.step };
  }

  /**
   * The position whose square is at a place of the drawing; null where there is none.
   * @param {{ x: number, y: number }} place
   * @returns {number | null}
   */
  at({ x, y }) {
    const [row, col] = [Math.floor((y - this.top) / this.step), Math.floor(x / this.step)];
    const is = row >= 0 && col >= 0 && row < this.rows && col < this.cols;
    return is ? this.first + row * this.cols + col : null;
  }

  /**
   * A square by itself.
   * @param {CanvasRenderingContext2D} context
   * @param {number} position
   * @param {Box} box
   */
  square(context, position, { x, y, width, height }) {
    const place = this.#place(position);
    if (!place) return;
    const { image, size } = this;
    context.imageSmoothingEnabled = false;
    context.drawImage(image, place[1] * size, place[0] * size, size, size, x, y, width, height);
  }

  /**
   * The picture, with the lines along which it is cut.
   * @param {CanvasRenderingContext2D} context
   * @param {{ muted: string, border: string }} palette
   * @param {number} share of it that is there
   * @param {boolean} isCut
   */
  whole(context, palette, share, isCut) {
    const [width, height] = [this.cols * this.step, this.rows * this.step];
    context.globalAlpha = share;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.image, 0, this.top, width, height);
    context.strokeStyle = palette.border;
    context.lineWidth = 1;
    context.strokeRect(0.5, this.top + 0.5, width - 1, height - 1);
    if (isCut) {
      context.strokeStyle = palette.muted;
      context.globalAlpha = 0.6 * share;
      context.beginPath();
      for (let n = 1; n < this.cols; n++) {
        context.moveTo(n * this.step, this.top);
        context.lineTo(n * this.step, this.top + height);
      }
      for (let n = 1; n < this.rows; n++) {
        context.moveTo(0, this.top + n * this.step);
        context.lineTo(width, this.top + n * this.step);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

// What is selected and what is pointed at, as frames over the cells: pointing draws no cell anew.

import { el } from "../shared/dom.js";

/** @typedef {{ x: number, y: number, width: number, height: number }} Frame */

/**
 * Put a frame somewhere, or nowhere.
 * @param {HTMLElement} node
 * @param {Frame | null} frame
 */
export function put(node, frame) {
  node.hidden = !frame;
  if (!frame) return;
  node.style.transform = `translate(${frame.x}px, ${frame.y}px)`;
  node.style.width = `${frame.width}px`;
  node.style.height = `${frame.height}px`;
}

export class Marks {
  /** @param {string[]} names of its frames, which are classes too */
  constructor(names) {
    /** @type {Record<string, HTMLElement>} */
    this.frames = Object.fromEntries(
      names.map((name) => [name, el("div", { class: `mark ${name}`, hidden: true, "aria-hidden": "true" })]));
    this.nodes = Object.values(this.frames);
  }

  /** @param {Record<string, Frame | null>} frames by name */
  put(frames) {
    for (const [name, frame] of Object.entries(frames)) put(this.frames[name], frame);
  }
}

/**
 * The frames of a row, a column and a cell in a window of cells.
 * @param {[number | null, number | null]} at row and column
 * @param {{ row: number, col: number, rows: number, cols: number }} window
 * @param {{ left?: number, wide: number, tall: number }} cell
 * @returns {{ row: Frame | null, col: Frame | null, cell: Frame | null }}
 */
export function framesOf([row, col], window, { left = 0, wide, tall }) {
  const inRow = row !== null && row >= window.row && row < window.row + window.rows;
  const inCol = col !== null && col >= window.col && col < window.col + window.cols;
  const y = inRow ? (row - window.row) * tall : 0;
  const x = inCol ? left + (col - window.col) * wide : left;
  return {
    row: inRow ? { x: left, y, width: window.cols * wide, height: tall } : null,
    col: inCol ? { x, y: 0, width: wide, height: window.rows * tall } : null,
    cell: inRow && inCol ? { x, y, width: wide, height: tall } : null,
  };
}

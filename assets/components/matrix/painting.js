// Painting on a mask: the first cell is toggled, and those the pointer is dragged over become like
// it. The cells change at once and travel as a field of the selection, the whole mask in a word, so
// that a stroke is never lost to a slower answer.

import { holdStill } from "../shared/scrolling.js";
import { maskWord, readMaskWord } from "./mask_word.js";

export class Painting {
  /**
   * @param {import("../shared/component.js").Env} env
   * @param {import("./cells.js").Cells} cells
   * @param {() => void} changed called after every painted cell
   */
  constructor(env, cells, changed) {
    this.env = env;
    this.cells = cells;
    this.changed = changed;
    /** @type {{ may: number, painted: boolean } | null} since the pointer went down */
    this.stroke = null;
    for (const kind of ["pointerup", "pointercancel"]) {
      globalThis.addEventListener(kind, () => this.end(), { signal: env.ends });
    }
  }

  /**
   * Begin or go on with a stroke.
   * @param {number} i
   * @param {number} j
   */
  stain(i, j) {
    const may = this.cells.payload.arrays[this.cells.sheet.paint.array];
    const at = i * may.shape[1] + j;
    this.stroke ??= { may: may.values[at] ? 0 : 1, painted: false };
    if (may.values[at] === this.stroke.may) return;
    may.values[at] = this.stroke.may;
    this.stroke.painted = true;
    this.changed();
  }

  /** The pointer has gone up. */
  end() {
    if (this.stroke?.painted) {
      const { array, field } = this.cells.sheet.paint;
      this.env.select({ [field]: maskWord(this.cells.payload.arrays[array]) });
      this.env.report([field]);
      holdStill(this.env.host); // what is read above it will be longer or shorter
    }
    this.stroke = null;
  }

  /** An answer to an earlier stroke must not take back a newer one. */
  keep() {
    const { sheets, arrays } = this.cells.payload;
    const paint = sheets.find((one) => one.paint)?.paint;
    if (paint) readMaskWord(this.env.chosen(paint.field), arrays[paint.array]);
  }
}

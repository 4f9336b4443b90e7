// Where the points, bars and cells of a plot lie in the drawing that is shown, what is at a place, and
// which one is next.

import { clamp } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";

const NEAR = 20; // pixels around a point

/** @typedef {{ series: number, point?: number, row?: number, column?: number }} At a point or a cell */
/** @typedef {[x: number, y: number, width: number, height: number]} Box */

export class Points {
  /** Of the payload that is put into it. */
  constructor() {
    /** @type {import("../shared/payload.js").Payload} */
    this.payload = { arrays: {} };
    this.layout = 0; // which of the drawings is shown
  }

  get drawn() {
    return this.payload.layouts[this.layout];
  }

  /**
   * @param {number} s
   * @returns {boolean}
   */
  isHeat(s) {
    return `z.${s}` in this.payload.arrays;
  }

  /**
   * It says something when it is pointed at.
   * @param {number} s
   * @returns {boolean}
   */
  speaks(s) {
    return this.payload.series[s].hover.length > 0;
  }

  /**
   * The rows and columns of a heat as they are drawn, and where.
   * @param {number} s
   * @returns {{ rows: ArrayLike<number>, columns: ArrayLike<number>, box: Box }}
   */
  cells(s) {
    const { arrays } = this.payload;
    return {
      rows: arrays[`rows.${this.layout}.${s}`].values,
      columns: arrays[`columns.${this.layout}.${s}`].values,
      box: this.drawn.cells[s],
    };
  }

  /**
   * Every point of a series that is drawn.
   * @param {number} s
   * @param {(x: number, y: number, point: number, box: Iterable<number>) => void} visit
   */
  each(s, visit) {
    const { values, shape: [n, size] } = this.payload.arrays[`at.${this.layout}.${s}`];
    for (let i = 0; i < n; i++) {
      const where = values.subarray(i * size, (i + 1) * size);
      if (!Number.isNaN(where[0])) visit(where[0], where[1], i, where);
    }
  }

  /**
   * The middle of a point, a bar or a cell.
   * @param {At} at
   * @returns {[number, number]}
   */
  place(at) {
    const [left, top, width, height] = this.box(at);
    return [left + width / 2, top + height / 2];
  }

  /**
   * @param {At} at
   * @returns {Box}
   */
  box(at) {
    if (at.point !== undefined) {
      const { values, shape: [, size] } = this.payload.arrays[`at.${this.layout}.${at.series}`];
      const [x, y, width = 0, height = 0] = values.subarray(at.point * size, (at.point + 1) * size);
      return [x, y, width, height];
    }
    const { rows, columns, box: [x, y, width, height] } = this.cells(at.series);
    const span = (places, one, pixels) => [places.indexOf(one), places.lastIndexOf(one) + 1]
      .map((end) => (end * pixels) / places.length);
    const [left, right] = span(columns, at.column, width);
    const [top, bottom] = span(rows, at.row, height);
    return [x + left, y + top, right - left, bottom - top];
  }

  /**
   * The points of a series that can be seen, from left to right and from top to bottom.
   * @param {number} s
   * @returns {number[]}
   */
  order(s) {
    /** @type {[number, number, number][]} */
    const seen = [];
    this.each(s, (x, y, i) => seen.push([x, y, i]));
    return seen.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , i]) => i);
  }

  #cellAt(s, x, y) {
    const { rows, columns, box: [left, top, width, height] } = this.cells(s);
    const at = (places, share) => places[Math.floor(share * places.length)] ?? -1;
    const [row, column] = [at(rows, (y - top) / height), at(columns, (x - left) / width)];
    if (row < 0 || column < 0) return null;
    const z = at2(this.payload.arrays[`z.${s}`], row, column);
    return Number.isNaN(z) ? null : { series: s, row, column };
  }

  /**
   * What is pointed at: a point near by, else a bar or a cell below the pointer.
   * @param {number} x
   * @param {number} y
   * @returns {At | null}
   */
  hit(x, y) {
    let best = NEAR;
    let nearest = /** @type {At | null} */ (null);
    let below = /** @type {At | null} */ (null);
    const panel = this.drawn.panels.findIndex(([, top, , tall]) => y >= top && y <= top + tall);
    this.payload.series.forEach((one, s) => {
      if (!this.speaks(s) || one.panel !== panel) return;
      if (this.isHeat(s)) below ??= this.#cellAt(s, x, y);
      else this.each(s, (px, py, point, [, , width, height]) => {
        const far = this.payload.unified ? Math.abs(px - x) : Math.hypot(px - x, py - y);
        if (width === undefined && far < best) [best, nearest] = [far, { series: s, point }];
        const within = x >= px && x <= px + width && y >= py && y <= py + height;
        if (within) below = { series: s, point };
      });
    });
    return nearest ?? below;
  }

  /**
   * Everything at the place of a point, where the plot says it all at once; else the point.
   * @param {At} at
   * @returns {At[]}
   */
  group(at) {
    const { payload } = this;
    if (!payload.unified || at.point === undefined) return [at];
    const [x] = this.place(at);
    return payload.series.flatMap((one, s) => {
      if (one.panel !== payload.series[at.series].panel || !this.speaks(s) || this.isHeat(s)) return [];
      const [nearest] = this.order(s).map((point) => ({ series: s, point }))
        .filter((other) => Math.abs(this.place(other)[0] - x) < 0.5);
      return nearest ? [nearest] : [];
    });
  }

  /**
   * Where keys begin.
   * @returns {At | null}
   */
  first() {
    const s = this.payload.series.findIndex(
      (_, n) => this.speaks(n) && (this.isHeat(n) || this.order(n).length));
    if (s < 0) return null;
    if (!this.isHeat(s)) return { series: s, point: this.order(s)[0] };
    const { rows, columns } = this.cells(s);
    const [row, column] = [rows, columns].map((all) => Array.from(all).find((n) => n >= 0));
    return { series: s, row, column };
  }

  /**
   * One on, as points and cells stand on the screen.
   * @param {At} at
   * @param {number} right
   * @param {number} down
   * @returns {At}
   */
  next(at, right, down) {
    return at.point === undefined ? this.#nextCell(at, right, down) : this.#nextPoint(at, right, down);
  }

  #nextCell(at, right, down) {
    const on = (places, from, by) => {
      const seen = [...new Set(places)].filter((one) => one >= 0);
      return seen[clamp(seen.indexOf(from) + by, seen.length)];
    };
    const { rows, columns } = this.cells(at.series);
    return { ...at, row: on(rows, at.row, down), column: on(columns, at.column, right) };
  }

  // One point on in its series; up and down to the series before and after, where it is nearest.
  #nextPoint(at, right, down) {
    if (right) {
      const along = this.order(at.series);
      return { ...at, point: along[clamp(along.indexOf(at.point) + right, along.length)] };
    }
    const others = [...this.payload.series.keys()]
      .filter((s) => this.speaks(s) && !this.isHeat(s) && this.order(s)[0] >= 0);
    const to = others[others.indexOf(at.series) + down];
    if (to === undefined) return at;
    const [x] = this.place(at);
    const away = (n) => Math.abs(this.place({ series: to, point: n })[0] - x);
    return { series: to, point: this.order(to).reduce((a, b) => (away(b) < away(a) ? b : a)) };
  }
}

// What the cells of a sheet are, what is said of them, and which of them is selected.

import { clamp, fmt, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";

/** @typedef {import("../shared/payload.js").Payload} Payload */
/** @typedef {"rows" | "cols"} AxisName */

const AXES = /** @type {AxisName[]} */ (["rows", "cols"]);

export class Cells {
  /** @param {(field: string) => any} read what is selected, or pointed at, in a field */
  constructor(read) {
    this.read = read;
    /** @type {Payload} */
    this.payload = { arrays: {} };
    /** @type {Record<string, any>} as core/figures/components/matrix/sheet.py describes it */
    this.sheet = {};
  }

  get array() {
    return this.payload.arrays[this.sheet.array];
  }

  /**
   * How many rows or columns there are.
   * @param {AxisName} name
   * @returns {number}
   */
  count(name) {
    return this.array.shape[AXES.indexOf(name)];
  }

  /**
   * The selection names a row by its place, by its id where the payload gives ids, or several
   * values share a row (`of`: value -> row; a look-up table and the tokens that read it).
   * @param {AxisName} name
   * @returns {number | null}
   */
  chosen(name) {
    const { field, of, ids } = this.sheet[name];
    const value = this.read(field);
    if (value === null || value === undefined) return null;
    if (of) return of[clamp(value, of.length)];
    if (!ids) return clamp(value, this.count(name));
    const place = ids.indexOf(value);
    return place < 0 ? null : place;
  }

  /**
   * Where a field of the selection points, also one that is no axis.
   * @param {string} field
   * @param {number} [fallback]
   * @returns {number}
   */
  at(field, fallback = 0) {
    const name = AXES.find((one) => this.sheet[one].field === field && this.sheet[one].ids);
    return (name ? this.chosen(name) : this.read(field)) ?? fallback;
  }

  /**
   * Its cells can be selected: one field is not both their row and their column.
   * @returns {boolean}
   */
  get selectable() {
    return this.sheet.rows.field !== this.sheet.cols.field;
  }

  /**
   * The selection that names a cell: none where one field is both its row and its column.
   * @param {number} i
   * @param {number} j
   * @returns {Record<string, any>}
   */
  naming(i, j) {
    const { rows, cols } = this.sheet;
    if (!this.selectable) return {};
    return { [rows.field]: this.#named("rows", i), [cols.field]: this.#named("cols", j) };
  }

  #named(name, at) {
    const { of, ids } = this.sheet[name];
    const place = clamp(at, this.count(name));
    return of?.indexOf(place) ?? ids?.[place] ?? place;
  }

  /**
   * @param {number} i
   * @param {number} j
   * @returns {boolean}
   */
  masked(i, j) {
    return Boolean(this.sheet.mask) && at2(this.payload.arrays[this.sheet.mask], i, j) === 0;
  }

  /**
   * @param {number} i
   * @param {number} j
   * @returns {number}
   */
  value(i, j) {
    return at2(this.array, i, j);
  }

  /**
   * @param {AxisName} name
   * @param {number} index
   * @returns {string}
   */
  label(name, index) {
    return this.sheet[name].labels?.[index] ?? String(index);
  }

  /**
   * One limit for the sheet, or one for each row where rows are of different size.
   * @param {number} i
   * @returns {number}
   */
  limit(i) {
    return this.sheet.scale.limits?.[i] ?? this.sheet.scale.limit;
  }

  /**
   * What stands in a cell: its own text, that of its category, or a count.
   * @param {number} i
   * @param {number} j
   * @returns {string}
   */
  text(i, j) {
    const { texts, categories, counts } = this.sheet;
    return texts?.[i]?.[j] ?? categories?.[this.value(i, j)]?.text
      ?? (counts ? String(at2(this.payload.arrays[counts], i, j)) : "");
  }

  /**
   * What is said of a cell: that it is masked, its category, or its number.
   * @param {number} i
   * @param {number} j
   * @returns {string}
   */
  words(i, j) {
    if (this.masked(i, j)) return this.payload.labels.masked;
    const value = this.value(i, j);
    return this.sheet.categories ? this.sheet.categories[value].label : this.said(value);
  }

  /**
   * A number as it is written: shares of a whole are given in per cent.
   * @param {number} value
   * @returns {string}
   */
  said(value) {
    const { kind, limit, limits, zero } = this.sheet.scale;
    const shares = limit === 1 && !limits && !zero && (kind === "weight" || kind === "accent");
    return shares ? percent(value) : fmt(value);
  }
}

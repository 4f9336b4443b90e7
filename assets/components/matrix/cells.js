// What the cells of a sheet are, what is said of them, and which of them is selected.

import { clamp } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";

const AXES = /** @type {const} */ (["rows", "cols"]);

export class Cells {
  constructor(current) {
    this.current = current; // a field of the selection: what is pointed at, else what is selected
    this.payload = null;
    this.sheet = null;
  }

  get array() {
    return this.payload.arrays[this.sheet.array];
  }

  count(name) {
    return this.array.shape[AXES.indexOf(name)];
  }

  // The selection names a row by its place, by its id where the payload gives ids, or several
  // values share a row (`of`: value -> row; a look-up table and the tokens that read it).
  chosen(name) {
    const { field, of, ids } = this.sheet[name];
    const value = this.current(field);
    if (value === null || value === undefined) return null;
    if (of) return of[clamp(value, of.length)];
    if (!ids) return clamp(value, this.count(name));
    const place = ids.indexOf(value);
    return place < 0 ? null : place;
  }

  // Where a field of the selection points, also one that is no axis.
  at(field, fallback = 0) {
    const name = AXES.find((one) => this.sheet[one].field === field && this.sheet[one].ids);
    return (name ? this.chosen(name) : this.current(field)) ?? fallback;
  }

  // The selection that names a cell: none where one field is both its row and its column.
  naming(i, j) {
    const { rows, cols } = this.sheet;
    if (rows.field === cols.field) return {};
    return { [rows.field]: this.#named("rows", i), [cols.field]: this.#named("cols", j) };
  }

  #named(name, at) {
    const { of, ids } = this.sheet[name];
    const place = clamp(at, this.count(name));
    return of?.indexOf(place) ?? ids?.[place] ?? place;
  }

  masked(i, j) {
    return Boolean(this.sheet.mask) && at2(this.payload.arrays[this.sheet.mask], i, j) === 0;
  }

  value(i, j) {
    return at2(this.array, i, j);
  }

  label(name, index) {
    return this.sheet[name].labels?.[index] ?? String(index);
  }

  // One limit for the sheet, or one for each row where rows are of different size.
  limit(i) {
    return this.sheet.scale.limits?.[i] ?? this.sheet.scale.limit;
  }

  // What stands in a cell: its own text, that of its category, or a count.
  text(i, j) {
    const { texts, categories, counts } = this.sheet;
    return texts?.[i]?.[j] ?? categories?.[this.value(i, j)]?.text
      ?? (counts ? String(at2(this.payload.arrays[counts], i, j)) : "");
  }

  // What is said of a cell: that it is masked, its category, or its number.
  words(i, j, digits) {
    if (this.masked(i, j)) return this.payload.labels.masked;
    const value = this.value(i, j);
    return this.sheet.categories ? this.sheet.categories[value].label : digits(value);
  }
}

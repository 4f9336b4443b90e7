// How large the cells of a sheet are, how many of them are shown at once, and which cell lies at a
// point.

import { around, leastType, pen, typeSize, zoomOf } from "../shared/canvas.js";
import { larger, lectured, roomOf } from "../shared/room.js";

const WINDOW = 48; // rows and columns shown at once; longer ones get an overview to drag in
const PAD = 14; // beside the columns
const LEAST = 0.28; // of the screen, height of a figure in a lecture, below which nobody could read it
const LEGEND = 9; // times its type, width that a legend beside the figure has at least
const TYPE = 12; // pixels of a name, by which the room for names is measured
const BESIDE = 700; // pixels of width, of which the arithmetic takes its part
const BESIDE_TYPE = 420; // the same in a lecture, where the height is scarce: with type of the usual size
const NAMED = { alone: 0.39, aside: 0.6 }; // of the screen, height that it takes where each row has its name by that
export const LEADING = 0.86; // of a name's type, height of a row in which it is read
const LINE = 14; // pixels that a row takes at least which has a height of its own

export class Layout {
  /**
   * @param {HTMLElement} host of the component
   * @param {HTMLCanvasElement} canvas
   * @param {import("./cells.js").Cells} cells
   */
  constructor(host, canvas, cells) {
    this.host = host;
    this.canvas = canvas;
    this.cells = cells;
    this.cell = 24; // width of a cell
    this.height = 24;
    this.least = 5; // width and height that a cell has at least
    this.left = 80; // room for row labels
    this.zoom = 1; // of text and cells, where the page's type is larger (lecture view)
    this.type = TYPE; // size of names
    this.smallest = 0; // that a name may have, where the page says so
    this.flat = true; // column labels lie, else they stand
    this.bottom = 24; // room for them
    this.aside = false; // its legend stands beside it
    this.width = 0; // of the whole
    this.family = "monospace";
  }

  /**
   * How many rows or columns are shown at once.
   * @param {"rows" | "cols"} name
   * @returns {number}
   */
  shown(name) {
    const { sheet } = this.cells;
    const n = this.cells.count(name);
    if (name === "rows") return Math.min(WINDOW, n);
    // Words in cells need a width below which they say nothing: rather fewer of them at a time.
    const fit = sheet.least_cell ? Math.floor(this.#room() / ((sheet.least_cell * this.type) / TYPE)) : n;
    return Math.min(sheet.cols.window ?? WINDOW, n, Math.max(2, fit));
  }

  // The arithmetic stands beside the figure.
  get beside() {
    return Boolean(this.cells.sheet.how) && this.host.clientWidth >= (lectured(this.host) ? BESIDE_TYPE * this.zoom : BESIDE);
  }

  /**
   * @param {number} size
   * @returns {string}
   */
  font(size) {
    return `${size}px ${this.family}`;
  }

  #room() {
    const width = this.host.clientWidth - (this.aside ? LEGEND * this.type : 0);
    return (this.beside ? width * 0.56 : width) - this.left - PAD;
  }

  #longest(measure, name, limit) {
    let width = 0;
    for (let i = 0; i < this.cells.count(name); i++) {
      width = Math.max(width, measure.measureText(this.cells.label(name, i)).width);
    }
    return Math.min((limit * this.type) / TYPE, Math.ceil(width) + 10);
  }

  // The height for rows: of a lecture what is left of the screen.
  #tall(rows) {
    if (!lectured(this.host)) return Math.max(220, Math.min(560, globalThis.innerHeight * 0.44));
    const lines = rows * LINE * this.zoom;
    const { row_height: given, how } = this.cells.sheet;
    const most = NAMED[this.aside ? "aside" : "alone"] * globalThis.innerHeight;
    // With room between names, or close; beside its arithmetic it may be lower.
    const named = how ? 0 : [this.type + 1, LEADING * this.type].map((one) => rows * Math.ceil(one)).find((one) => one <= most);
    const least = given ? lines : named || Math.min(LEAST * globalThis.innerHeight, lines);
    return roomOf(this.canvas, Math.max(least, rows * this.least) + this.bottom + 4) - this.bottom - 4;
  }

  /** For the sheet and the width there is now. */
  measure() {
    const { sheet } = this.cells;
    const measure = pen(this.canvas);
    const style = getComputedStyle(this.host);
    this.family = style.getPropertyValue("--st-code-font") || "monospace";
    this.zoom = zoomOf(this.host);
    this.type = typeSize(this.host);
    this.smallest = leastType(this.host);
    measure.font = this.font(this.type);
    const width = this.host.clientWidth;
    // Names that are needed whole ask for room; on a phone they get a third of it at most.
    this.left = this.#longest(measure, "rows", width < 560
      ? Math.min(sheet.rows.room ?? 76, width / 3) : sheet.rows.room ?? 120);
    // What stands around a word gives way until all columns have room, but never the word.
    if (sheet.rows.around) {
      const longest = (room) => 10 + Math.max(...sheet.rows.around.map((parts) => measure.measureText(around(measure, parts, room)).width));
      const spare = width - PAD - this.cells.count("cols") * (sheet.least_cell ?? 0) * this.zoom;
      this.left = Math.min(longest(Infinity), Math.max(spare, longest(0)));
    }
    const [rows, cols] = [this.shown("rows"), this.shown("cols")];
    const largest = Math.round((sheet.max_cell ?? 34) * this.zoom);
    this.cell = Math.max(this.least, Math.min(largest, Math.floor(this.#room() / cols)));
    const widest = this.#longest(measure, "cols", 96); // labels that fit their columns lie flat
    this.#turn(widest);
    let tall = this.#tall(rows);
    if (!sheet.texts && !sheet.row_height) {
      this.cell = Math.max(this.least, Math.min(this.cell, Math.floor(tall / rows)));
      this.#turn(widest);
      tall = this.#tall(rows);
    }
    this.height = Math.max(this.least, this.#height(tall / rows));
    this.width = this.left + cols * this.cell + 6;
  }

  // How the columns' labels stand, and the room for them.
  #turn(widest) {
    this.flat = widest <= this.cell && this.cell >= 36;
    this.bottom = this.cells.sheet.cols.hide ? 8 : this.flat ? 24 * this.zoom : widest;
  }

  // How high a row is, of so much that there is for it.
  #height(most) {
    const { row_height: given, glyph } = this.cells.sheet;
    const flat = glyph === "bars" && this.host.clientWidth < 560 ? 0.8 : 1; // on a phone all rows are in sight
    const asked = given && Math.round(given * this.zoom * flat);
    if (asked && !lectured(this.host)) return asked;
    if (asked) return Math.min(asked, Math.max(LINE * this.zoom, Math.floor(most)));
    // Many columns make narrow cells; few rows of them may still be tall enough to point at.
    const zoom = larger(this.host);
    if (this.cell >= 18 * zoom) return this.cell;
    return Math.max(this.cell, Math.min(20 * zoom, Math.floor(most)));
  }

  /**
   * The window of cells as a grid on the canvas.
   * @returns {{ left: number, wide: number, tall: number, rows: number, cols: number }}
   */
  grid() {
    const [rows, cols] = [this.shown("rows"), this.shown("cols")];
    return { left: this.left, wide: this.cell, tall: this.height, rows, cols };
  }
}

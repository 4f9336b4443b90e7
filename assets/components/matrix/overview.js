// Which rows and columns of a long sheet are shown, and the whole of it in small, to drag that
// window in.

import { pen, sizeCanvas } from "../shared/canvas.js";
import { el, spoken } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { ARROWS, operated } from "../shared/keys.js";
import { clamp } from "../shared/numbers.js";
import { imageOf } from "../shared/raster.js";
import { lectured } from "../shared/room.js";
import { colouring } from "./canvas.js";
import { Marks, framesOf } from "./marks.js";

/** @type {{ rows: "row", cols: "col" }} */
const LEAST = 96; // pixels of it
const KEYS = { rows: "row", cols: "col" };

export class Overview {
  /**
   * @param {import("./cells.js").Cells} cells
   * @param {import("./layout.js").Layout} layout
   * @param {() => void} moved the window has
   * @param {(words: string) => void} say where it is now
   */
  constructor(cells, layout, moved, say) {
    this.cells = cells;
    this.layout = layout;
    this.moved = moved;
    this.say = say;
    this.from = { row: 0, col: 0 }; // first row and column of the window
    this.left = { row: null, col: null }; // what was selected as the learner moved the window elsewhere
    this.cell = { wide: 1, tall: 1 };
    this.drawn = []; // of what the picture is
    this.canvas = el("canvas", { class: "overview" });
    operated(this.canvas);
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.marks = new Marks(["shown", "pointed-row", "pointed-col"]);
    this.node = el("div", { class: "whole" }, this.canvas, ...this.marks.nodes);
    let dragging = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      dragging = true;
      this.canvas.setPointerCapture(event.pointerId);
      this.#drag(event);
    });
    this.canvas.addEventListener("pointermove", (event) => dragging && this.#drag(event));
    this.canvas.addEventListener("pointerup", () => { dragging = false; });
  }

  /**
   * The window, as rows and columns.
   * @returns {{ row: number, col: number, rows: number, cols: number }}
   */
  get window() {
    return { ...this.from, rows: this.layout.shown("rows"), cols: this.layout.shown("cols") };
  }

  /** Bring what is selected into the window, unless the learner has moved it away from just that. */
  reveal() {
    for (const name of /** @type {const} */ (["rows", "cols"])) {
      this.#begin(name, this.from[KEYS[name]]);
      const index = this.cells.chosen(name);
      if (index === null || index === this.left[KEYS[name]]) continue;
      this.left[KEYS[name]] = null;
      this.#hold(name, index);
    }
  }

  // The learner has moved it: it stays there until something else is selected.
  #leave() {
    this.left = { row: this.cells.chosen("rows"), col: this.cells.chosen("cols") };
    this.moved();
  }

  // Begin the window at a row or column, as far as there are enough of them.
  #begin(name, at) {
    this.from[KEYS[name]] = clamp(at, this.cells.count(name) - this.layout.shown(name) + 1);
  }

  /**
   * Bring a cell into the window.
   * @param {number} row
   * @param {number} col
   */
  bring(row, col) {
    const before = { ...this.from };
    for (const [name, at] of /** @type {[("rows" | "cols"), number][]} */ ([["rows", row], ["cols", col]])) {
      this.#hold(name, at);
    }
    if (before.row !== this.from.row || before.col !== this.from.col) this.#leave();
  }

  // Move the window as little as it takes to have a row or column in it.
  #hold(name, index) {
    const shown = this.layout.shown(name);
    const key = KEYS[name];
    if (index < this.from[key]) this.from[key] = index;
    if (index >= this.from[key] + shown) this.from[key] = index - shown + 1;
  }

  #drag(event) {
    const { x, y } = placeIn(event, this.canvas);
    const middle = (name, at) => Math.round(
      clamp(at, this.cells.count(name) + 1) - this.layout.shown(name) / 2);
    this.#begin("rows", middle("rows", y / this.cell.tall));
    this.#begin("cols", middle("cols", x / this.cell.wide));
    this.#leave();
  }

  // The arrows move the window by a row or a column, PgUp and PgDn by as many rows as it has.
  #key(event) {
    const page = { PageDown: 1, PageUp: -1 }[event.key];
    const [down, right] = page ? [page * this.layout.shown("rows"), 0] : ARROWS[event.key] ?? [0, 0];
    if (!down && !right) return;
    event.preventDefault();
    this.#begin("rows", this.from.row + down);
    this.#begin("cols", this.from.col + right);
    this.#leave();
    const range = (name) => [this.from[KEYS[name]], this.from[KEYS[name]] + this.layout.shown(name) - 1]
      .map((at) => spoken(this.cells.label(name, at))).join(" – ");
    this.say(`${range("rows")}, ${range("cols")}`);
  }

  /**
   * The whole sheet in small, where not all of it is in the window.
   * @param {import("../shared/colour.js").Palette} palette
   */
  draw(palette) {
    const [rows, cols] = [this.cells.count("rows"), this.cells.count("cols")];
    const missing = rows > this.layout.shown("rows");
    // In a lecture its room is the figure's, where the pager shows the other columns.
    this.node.hidden = !missing && (cols <= this.layout.shown("cols") || lectured(this.layout.host));
    if (this.node.hidden) return;
    this.canvas.setAttribute("aria-label", this.cells.payload.labels.whole);
    const wide = Math.min(260 / cols, Math.max(3, LEAST / cols));
    const tall = Math.min(160 / rows, Math.max(Math.min(wide, 3), 28 / rows), 6);
    this.cell = { wide, tall };
    const now = [this.cells.payload, this.cells.sheet, palette, wide, tall];
    if (now.every((one, at) => one === this.drawn[at])) return;
    this.drawn = now;
    const context = sizeCanvas(this.canvas, cols * wide, rows * tall);
    context.imageSmoothingEnabled = wide < 1 || tall < 1;
    context.drawImage(this.#picture(rows, cols, palette), 0, 0, cols * wide, rows * tall);
  }

  // A pixel for each cell.
  #picture(rows, cols, palette) {
    const { cells } = this;
    const colour = colouring(cells, palette);
    const image = imageOf(rows, cols, (i, j) => (cells.masked(i, j) ? null : colour(i, cells.value(i, j))));
    const picture = new OffscreenCanvas(cols, rows);
    pen(picture).putImageData(image, 0, 0);
    return picture;
  }

  /** Cells have changed under the same payload. */
  forget() {
    this.drawn = [];
  }

  /**
   * Where in it the window lies, and what is pointed at.
   * @param {[number | null, number | null]} pointed
   */
  mark(pointed) {
    if (this.node.hidden) return;
    const { from: { row, col }, cell: { wide, tall } } = this;
    const whole = { row: 0, col: 0, rows: this.cells.count("rows"), cols: this.cells.count("cols") };
    const frames = framesOf(pointed, whole, this.cell);
    this.marks.put({
      shown: {
        x: col * wide, y: row * tall,
        width: this.layout.shown("cols") * wide, height: this.layout.shown("rows") * tall,
      },
      "pointed-row": frames.row, "pointed-col": frames.col,
    });
  }
}

// Which rows and columns of a long sheet are shown, and the whole of it in small, to drag that
// window in.

import { sizeCanvas } from "../shared/canvas.js";
import { rgb } from "../shared/colour.js";
import { el } from "../shared/dom.js";
import { clamp } from "../shared/numbers.js";
import { colouring } from "./canvas.js";

/** @type {{ rows: "row", cols: "col" }} */
const KEYS = { rows: "row", cols: "col" };

export class Overview {
  /**
   * @param {import("./cells.js").Cells} cells
   * @param {import("./layout.js").Layout} layout
   * @param {() => void} moved the window was dragged
   */
  constructor(cells, layout, moved) {
    this.cells = cells;
    this.layout = layout;
    this.moved = moved;
    this.from = { row: 0, col: 0 }; // first row and column of the window
    this.canvas = el("canvas", { class: "overview", "aria-hidden": "true" });
    let dragging = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      dragging = true;
      this.canvas.setPointerCapture(event.pointerId);
      this.#drag(event);
    });
    this.canvas.addEventListener("pointermove", (event) => dragging && this.#drag(event));
    this.canvas.addEventListener("pointerup", () => { dragging = false; });
  }

  /** Bring what is selected into the window. */
  reveal() {
    for (const name of /** @type {const} */ (["rows", "cols"])) {
      const shown = this.layout.shown(name);
      const key = KEYS[name];
      this.#begin(name, this.from[key]);
      const index = this.cells.chosen(name);
      if (index === null) continue;
      if (index < this.from[key]) this.from[key] = index;
      if (index >= this.from[key] + shown) this.from[key] = index - shown + 1;
    }
  }

  // Begin the window at a row or column, as far as there are enough of them.
  #begin(name, at) {
    this.from[KEYS[name]] = clamp(at, this.cells.count(name) - this.layout.shown(name) + 1);
  }

  #drag(event) {
    const box = this.canvas.getBoundingClientRect();
    const middle = (name, share) => Math.round(
      Math.max(0, Math.min(1, share)) * this.cells.count(name) - this.layout.shown(name) / 2);
    this.#begin("rows", middle("rows", (event.clientY - box.top) / box.height));
    this.#begin("cols", middle("cols", (event.clientX - box.left) / box.width));
    this.moved();
  }

  /** @param {import("../shared/colour.js").Palette} palette */
  draw(palette) {
    const [rows, cols] = [this.cells.count("rows"), this.cells.count("cols")];
    const [tall, wide] = [this.layout.shown("rows"), this.layout.shown("cols")];
    this.canvas.hidden = rows <= tall && cols <= wide;
    if (this.canvas.hidden) return;
    const across = Math.min(260 / cols, 3);
    const down = Math.min(160 / rows, Math.max(across, 28 / rows), 6);
    const context = sizeCanvas(this.canvas, cols * across, rows * down);
    const colour = colouring(this.cells, palette);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        if (this.cells.masked(i, j)) continue;
        context.fillStyle = rgb(colour(i, this.cells.value(i, j)));
        context.fillRect(j * across, i * down, Math.max(1, across), Math.max(1, down));
      }
    }
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.strokeRect(this.from.col * across, this.from.row * down, wide * across, tall * down);
  }
}

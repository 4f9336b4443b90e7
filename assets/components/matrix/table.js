// The cells that a matrix shows as a table of numbers, for who has it read out or takes them along. It is
// made when it is asked for, of the numbers that are there.

import { el, spoken } from "../shared/dom.js";

export class Table {
  /**
   * @param {import("./cells.js").Cells} cells
   * @param {import("./overview.js").Overview} overview
   * @param {() => void} left it is closed by a key
   */
  constructor(cells, overview, left) {
    this.cells = cells;
    this.overview = overview;
    this.asked = false;
    this.node = el("div", {
      class: "numbers", role: "region", tabindex: "0", hidden: true, onkeydown: (event) => {
        if (event.key !== "Escape" && event.key !== "t") return;
        event.preventDefault();
        event.stopPropagation();
        this.turn();
        left();
      },
    });
  }

  /** Open it, or close it. */
  turn() {
    this.asked = !this.asked;
    this.draw(true);
    if (!this.node.hidden) this.node.focus();
  }

  /**
   * As it is now.
   * @param {boolean} may nothing is picked in the cells
   */
  draw(may) {
    this.node.hidden = !this.asked || !may;
    if (this.node.hidden) return this.node.replaceChildren();
    const { cells, overview: { window: { row, col, rows, cols } } } = this;
    const title = spoken(cells.sheet.title);
    const places = (from, n) => Array.from({ length: n }, (_, at) => from + at);
    const name = (axis, at) => spoken(cells.label(axis, at));
    const range = (axis, from, n) => `${name(axis, from)} – ${name(axis, from + n - 1)}`;
    const whole = rows === cells.count("rows") && cols === cells.count("cols");
    this.node.setAttribute("aria-label", title);
    return this.node.replaceChildren(el("table", {},
      el("caption", {}, whole ? title : `${title}: ${range("rows", row, rows)}, ${range("cols", col, cols)}`),
      el("thead", {}, el("tr", {}, el("td"),
        ...places(col, cols).map((j) => el("th", { scope: "col" }, name("cols", j))))),
      el("tbody", {}, ...places(row, rows).map((i) => el("tr", {}, el("th", { scope: "row" }, name("rows", i)),
        ...places(col, cols).map((j) => el("td", {}, this.#written(i, j))))))));
  }

  // What the picture shows of a cell: nothing where it is covered or still to come.
  #written(i, j) {
    const { cells } = this;
    const chosen = cells.chosen("rows");
    const later = cells.sheet.grows && chosen !== null && i > chosen;
    if (later || (!cells.masked(i, j) && Number.isNaN(cells.value(i, j)))) return "";
    const own = cells.sheet.texts?.[i]?.[j];
    return `${own ? `${own} ` : ""}${cells.words(i, j)}`;
  }
}

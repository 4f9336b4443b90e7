// Where a sheet has more columns than there is room for: which of them are seen, and the way to the
// others, by two buttons or by a finger that wipes. The names of rows stay where they are.

import { el, fill } from "../shared/dom.js";
import { swiped } from "../shared/swipe.js";

export class Pager {
  /**
   * @param {import("./cells.js").Cells} cells
   * @param {import("./layout.js").Layout} layout
   * @param {import("./overview.js").Overview} overview
   * @param {HTMLElement} picture that is wiped
   */
  constructor(cells, layout, overview, picture) {
    Object.assign(this, { cells, layout, overview });
    const turn = (by) => el("button", { type: "button", onclick: () => this.#turn(by) }, by < 0 ? "‹" : "›");
    this.before = turn(-1);
    this.after = turn(1);
    this.says = el("span", { class: "small muted" });
    this.node = el("div", { class: "pager", hidden: true }, this.before, this.says, this.after);
    swiped(picture, (by) => this.node.hidden || this.#turn(by));
  }

  // By as many as are seen, but for one that is seen again.
  #turn(by) {
    const { row, col, cols } = this.overview.window;
    const step = by * Math.max(1, cols - 1);
    const last = this.cells.count("cols") - 1;
    this.overview.bring(row, Math.max(0, Math.min(last, by < 0 ? col + step : col + cols - 1 + step)));
  }

  /** Draw the columns that are in sight, and where they stand. */
  draw() {
    const n = this.cells.count("cols");
    const { col, cols } = this.overview.window;
    const { labels } = this.cells.payload;
    this.node.hidden = cols >= n;
    if (this.node.hidden) return;
    const first = this.cells.label("cols", 0) === "0" ? 0 : 1; // numbered columns as their labels are
    this.says.textContent = fill(labels.columns ?? "{from}–{to} / {n}",
      { from: first + col, to: first + col + cols - 1, n });
    this.before.disabled = col === 0;
    this.after.disabled = col + cols >= n;
    this.before.setAttribute("aria-label", labels.earlier);
    this.after.setAttribute("aria-label", labels.further);
  }
}

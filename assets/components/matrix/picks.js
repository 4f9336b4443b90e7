// Cells of a matrix that a question lets the learner pick: a button over each, and once she has
// answered what she had picked and what was right.

import { el, spoken } from "../shared/dom.js";
import { ARROWS } from "../shared/keys.js";
import { clamp } from "../shared/numbers.js";
import { described, pickAt, toggle, underWay } from "../shared/picking.js";
import { framesOf } from "./marks.js";

export class Picks {
  /**
   * @param {() => import("../shared/picking.js").Picking | null} picking in this figure
   * @param {import("./cells.js").Cells} cells
   * @param {import("./layout.js").Layout} layout
   * @param {import("./overview.js").Overview} overview
   */
  constructor(picking, cells, layout, overview) {
    this.read = picking;
    this.cells = cells;
    this.layout = layout;
    this.overview = overview;
    this.at = { row: 0, col: 0 }; // the cell that the Tab key comes to
    this.drawn = ""; // for which cells there are nodes
    /** @type {{ node: HTMLElement, row: number, col: number }[]} */
    this.nodes = [];
    this.node = el("div", { class: "picks", role: "group", onkeydown: (event) => this.#key(event) });
  }

  /**
   * What can be picked in the sheet that is shown.
   * @returns {import("../shared/picking.js").Picking | null}
   */
  get picking() {
    const found = this.read();
    const own = found && found.shape[0] === this.cells.count("rows")
      && found.shape[1] === this.cells.count("cols");
    return own ? found : null;
  }

  /**
   * Clicks in the figure are picks now.
   * @returns {boolean}
   */
  get underWay() {
    return underWay(this.picking);
  }

  /** As they are now, in the window that is shown. */
  draw() {
    const { picking, overview, layout, cells } = this;
    this.node.hidden = !picking;
    if (!picking) return;
    const { window } = overview;
    const grid = layout.grid();
    const now = JSON.stringify([window, grid, picking.shape, picking.row, this.underWay]);
    if (now !== this.drawn) this.#build(window);
    this.drawn = now;
    this.node.setAttribute("aria-label", picking.labels[this.underWay ? "grid" : "legend"]);
    for (const { node, row, col } of this.nodes) {
      const pick = pickAt(picking, row, col);
      const frame = framesOf([row, col], window, grid).cell;
      const words = described(picking, pick);
      node.style.transform = `translate(${frame?.x}px, ${frame?.y}px)`;
      node.style.width = `${grid.wide - 1}px`;
      node.style.height = `${grid.tall - 1}px`;
      node.classList.toggle("hers", pick.hers);
      node.classList.toggle("good", pick.right);
      node.hidden = !pick.free && !words;
      const name = spoken(`${cells.label("rows", row)} → ${cells.label("cols", col)}`);
      node.setAttribute("aria-label", words ? `${name}: ${words}` : name);
      if (pick.free) node.setAttribute("aria-pressed", String(pick.picked));
    }
    this.#reach();
  }

  // A node for each cell of the window that can be picked: a button while it can be.
  #build({ row, col, rows, cols }) {
    const { picking } = this;
    this.nodes = [];
    for (let i = row; i < row + rows; i++) {
      if (!picking || (picking.row !== null && picking.row !== i)) continue;
      for (let j = col; j < col + cols; j++) {
        const node = this.underWay ? el("button", {
          type: "button", class: "pick", tabindex: "-1",
          onclick: () => {
            this.at = { row: i, col: j };
            toggle(/** @type {any} */ (this.picking), i, j);
          },
        }) : el("div", { class: "pick", role: "img" });
        this.nodes.push({ node, row: i, col: j });
      }
    }
    this.node.replaceChildren(...this.nodes.map(({ node }) => node));
  }

  // One of them is the tab stop.
  #reach() {
    if (!this.underWay || !this.nodes.length) return null;
    const { at, nodes } = this;
    const stop = nodes.find(({ row, col }) => row === at.row && col === at.col) ?? nodes[0];
    for (const { node } of this.nodes) node.setAttribute("tabindex", node === stop.node ? "0" : "-1");
    this.at = { row: stop.row, col: stop.col };
    return stop.node;
  }

  // The arrows go from cell to cell, and take the window along.
  #key(event) {
    const step = ARROWS[event.key];
    const { picking } = this;
    if (!step || !picking || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [rows, cols] = picking.shape;
    this.at = {
      row: picking.row ?? clamp(this.at.row + step[0], rows), col: clamp(this.at.col + step[1], cols),
    };
    this.overview.bring(this.at.row, this.at.col);
    this.#reach()?.focus({ preventScroll: false });
  }
}

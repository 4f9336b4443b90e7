// The arithmetic of the selected cell, beside the matrix.

import { el, fill, keepFocus } from "../shared/dom.js";
import { fmt, full } from "../shared/numbers.js";
import { Operands, blocksOf } from "./arithmetic.js";
import { bars } from "./mini.js";

function part(one) {
  if (typeof one === "string") return one;
  if ("text" in one) return el("span", { class: `role-${one.role}` }, one.text);
  return el("strong", { class: `role-${one.role}`, title: full(one.value) }, fmt(one.value));
}

export class How {
  /**
   * @param {HTMLElement} host of the component
   * @param {import("./cells.js").Cells} cells
   */
  constructor(host, cells) {
    this.host = host;
    this.cells = cells;
    this.node = el("div", { class: "how" });
    this.open = false; // all terms of a sum are listed
  }

  /**
   * @param {import("./arithmetic.js").Block} block
   * @returns {HTMLElement}
   */
  #block(block) {
    if ("bars" in block) return bars(block.bars, block.role);
    if ("line" in block) {
      return el("div", { class: block.code ? "code sum" : "sum" }, ...block.line.map(part));
    }
    const { fewer, all } = this.cells.payload.labels;
    return el("button", {
      type: "button", class: "terms",
      onclick: () => keepFocus(this.host, () => { this.open = !this.open; this.draw(); }),
    }, this.open ? fewer : all);
  }

  /** Of the cell that is selected now. */
  draw() {
    const { sheet, payload } = this.cells;
    this.node.hidden = !sheet.how;
    if (!sheet.how) return;
    const row = this.cells.chosen("rows") ?? 0;
    const operands = new Operands(this.cells);
    // The same arithmetic for the whole sheet, or one for each row.
    const steps = sheet.how.per_row?.[row] ?? sheet.how.steps;
    const sections = steps.map((step, index) =>
      el("section", { class: step.now ? "step now" : "step" },
        el("h4", {}, `${steps.length > 1 ? `${index + 1} ` : ""}${step.title}`),
        ...blocksOf(step, operands, this.open).map((block) => this.#block(block))));
    const title = fill(sheet.how.title, {
      row: this.cells.label("rows", row),
      col: this.cells.label("cols", this.cells.chosen("cols") ?? 0),
    });
    this.node.replaceChildren(el("h3", { class: "title" }, title), ...sections);
    const source = sheet.how.sources ? sheet.how.sources[row] : sheet.source;
    if (source) {
      this.node.append(el("p", { class: "small muted source" }, payload.labels.computed_by, " ",
        el("code", {}, source.code), ` · ${source.path}:${source.line}`));
    }
  }
}

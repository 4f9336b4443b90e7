// The arithmetic of the selected cell, beside the matrix.

import { Question } from "../shared/answers.js";
import { el, fill, keepFocus } from "../shared/dom.js";
import { fmt, full } from "../shared/numbers.js";
import { Operands, blocksOf, named } from "./arithmetic.js";
import { unpack } from "../shared/payload.js";
import { lectured, roomOf } from "../shared/room.js";
import { keepAt } from "../shared/scrolling.js";
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
    /** @type {Set<number>} */
    this.open = new Set(); // the steps of whose sums all terms are listed
    this.code = false; // the line of code is seen
    this.rest = new Question((bytes) => { // arrays that are wanted later
      Object.assign(this.cells.payload.arrays, unpack(bytes).arrays);
      this.draw();
    });
    this.unfolded = { of: "", at: 0 }; // the step of a sheet that was asked for where not all have room
  }

  /**
   * @param {import("./arithmetic.js").Block} block
   * @param {number} index of its step
   * @returns {HTMLElement}
   */
  #block(block, index) {
    if ("bars" in block) return bars(block.bars, block.role);
    if ("line" in block) {
      return el("div", { class: block.code ? "code sum" : "sum" }, ...block.line.map(part));
    }
    const { fewer, all } = this.cells.payload.labels;
    return el("button", {
      type: "button", class: "terms", "data-step": String(index),
      onclick: (event) => {
        const { top } = event.currentTarget.getBoundingClientRect();
        keepFocus(this.host, () => {
          if (!this.open.delete(index)) this.open.add(index);
          this.draw();
        });
        // The terms are above it: what the hand is on does not move.
        const again = this.node.querySelector(`.terms[data-step="${index}"]`);
        if (again) keepAt(again, top);
      },
    }, this.open.has(index) ? fewer : all);
  }

  /** Of the cell that is selected now. */
  draw() {
    const { sheet } = this.cells;
    this.node.hidden = !sheet.how;
    if (!sheet.how) return;
    const row = this.cells.chosen("rows") ?? 0;
    // The same arithmetic for the whole sheet, or one for each row.
    const steps = sheet.how.per_row?.[row] ?? sheet.how.steps;
    const sections = this.#lacks(steps) ? [] : this.#sections(steps, () => false);
    const title = fill(sheet.how.title, {
      row: this.cells.label("rows", row),
      col: this.cells.label("cols", this.cells.chosen("cols") ?? 0),
    });
    this.node.replaceChildren(el("h2", { class: "title" }, title), ...sections);
    const source = sheet.how.sources ? sheet.how.sources[row] : sheet.source;
    if (source) this.node.append(this.#source(source));
    if (sections.length && lectured(this.host)) this.#fit(steps, sections);
  }

  // Whether arrays that these steps name are still to come; they are asked for once.
  #lacks(steps) {
    const { payload } = this.cells;
    const lacks = Boolean(payload.later) && named(steps).some((name) => !(name in payload.arrays));
    this.node.setAttribute("aria-busy", String(lacks));
    if (lacks) this.rest.ask(payload.later);
    return lacks;
  }

  // A lesson is read: its code is there for who asks for it.
  #source(source) {
    const { labels, lesson } = this.cells.payload;
    const said = [el("code", {}, source.code), ` · ${source.path}:${source.line}`];
    if (!lesson) return el("p", { class: "small muted source" }, labels.computed_by, " ", ...said);
    return el("details", { class: "small muted source", open: this.code, ontoggle: (event) => {
      this.code = /** @type {HTMLDetailsElement} */ (event.target).open;
    } }, el("summary", {}, labels.code), ...said);
  }

  /**
   * @param {import("./arithmetic.js").Spec[]} steps
   * @param {(index: number) => boolean} folded of a step only the title and what it gives are there
   * @returns {HTMLElement[]}
   */
  #sections(steps, folded) {
    const operands = new Operands(this.cells);
    return steps.map((step, index) => {
      const title = `${steps.length > 1 ? `${index + 1} ` : ""}${step.title}`;
      const blocks = blocksOf(step, operands, this.open.has(index));
      const kind = step.now ? "step now" : "step";
      if (!folded(index)) {
        return el("section", { class: kind }, el("h3", {}, title),
          ...blocks.map((one) => this.#block(one, index)));
      }
      const line = blocks.find((one) => "line" in one);
      const given = line?.line.find((one) => typeof one === "object" && "value" in one);
      return el("section", { class: `${kind} folded` }, el("button", {
        type: "button", "aria-expanded": "false",
        onclick: () => keepFocus(this.host, () => {
          this.unfolded = { of: this.cells.sheet.title, at: index };
          this.draw();
        }),
      }, title, given ? " = " : null, given ? part(given) : null));
    });
  }

  // In a lecture all of it ends with the screen: smaller first, then one step and what else has room.
  #fit(steps, sections) {
    const { classList } = this.node;
    const high = () => this.node.getBoundingClientRect().height;
    const { of, at } = this.unfolded;
    const now = steps.findLastIndex((one) => one.now);
    const open = of === this.cells.sheet.title ? at : now >= 0 ? now : steps.length - 1;
    const put = (folded) => this.#sections(steps, (index) => folded.has(index)).forEach((one, index) => {
      sections[index].replaceWith(one);
      sections[index] = one;
    });
    let folded = new Set(steps.length > 1 ? steps.keys() : []);
    folded.delete(open);
    classList.add("tight");
    put(folded);
    const room = roomOf(this.node, high());
    const tooHigh = () => high() > room;
    classList.remove("tight");
    put(new Set());
    if (!tooHigh()) return;
    classList.add("tight");
    if (!tooHigh()) return;
    put(folded);
    for (let index = steps.length - 1; index >= 0; index--) {
      const fewer = new Set([...folded].filter((one) => one !== index));
      put(fewer);
      if (tooHigh()) put(folded);
      else folded = fewer;
    }
  }
}

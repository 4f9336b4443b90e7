// The controls of a figure, drawn from what its answer says can be changed: one of a few side by side,
// or a number of a range. They look and behave as Streamlit's own do.

import { el } from "../shared/dom.js";
import { Roving } from "../shared/roving.js";
import { unmovedByScrolling } from "../shared/slider.js";
import { later } from "../shared/time.js";

const SETTLED = 120; // ms after which a slider that moves is at rest

/**
 * @typedef {object} Control
 * @property {string} name of the parameter
 * @property {string} label
 * @property {string} value it has now
 * @property {[string, string][]} options each as an address says it and as it is called; none of a range
 * @property {number} low of a range
 * @property {number} high
 */

/** One of a few: a tab stop, whose arrows choose. */
class Choice {
  /**
   * @param {Control} control
   * @param {(value: string) => void} choose
   */
  constructor(control, choose) {
    this.list = el("div", { class: "options", role: "radiogroup", "aria-label": control.label });
    this.element = el("div", { class: "control" }, el("span", { class: "label" }, control.label), this.list);
    this.choose = choose;
    const press = (item) => choose(item.dataset.value);
    this.roving = new Roving(this.list, () => this.items, { moved: press, act: press });
    this.update(control);
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  /** @param {Control} control */
  update({ options, value }) {
    const said = JSON.stringify(options);
    if (this.list.dataset.options !== said) {
      this.list.dataset.options = said;
      this.list.replaceChildren(...options.map(([one, words]) => el("button", {
        type: "button", role: "radio", tabindex: "-1", "data-value": one, onclick: () => this.choose(one),
      }, words)));
    }
    for (const item of this.items) {
      item.setAttribute("aria-checked", String(item.dataset.value === value));
      if (item.dataset.value === value) this.roving.reach(item);
    }
  }
}

/** A number of a range. */
class Range {
  /**
   * @param {Control} control
   * @param {(value: string) => void} choose
   */
  constructor(control, choose) {
    const settle = later(() => choose(this.slider.value), SETTLED);
    this.slider = unmovedByScrolling(el("input", {
      type: "range", min: control.low, max: control.high, "aria-label": control.label,
      oninput: () => { this.said.textContent = this.slider.value; settle(); },
    }));
    this.said = el("output", { class: "code" });
    this.element = el("div", { class: "control range" },
      el("span", { class: "label" }, control.label), this.said, this.slider);
    this.update(control);
  }

  /** @param {Control} control */
  update({ value }) {
    this.slider.value = value;
    this.said.textContent = value;
  }
}

/** All controls of a figure; one stays while its answer still has it, so that nothing loses the keyboard. */
export class Controls {
  element = el("div", { class: "controls" });
  /** @type {Map<string, Choice | Range>} */
  #shown = new Map();

  /** @param {(patch: Record<string, string>) => void} change of the state */
  constructor(change) {
    this.change = change;
  }

  /** @param {Control[]} controls in their order */
  update(controls) {
    const before = this.#shown;
    this.#shown = new Map();
    for (const control of controls) {
      const kept = before.get(control.name);
      kept?.update(control);
      const Kind = control.options.length ? Choice : Range;
      const { name } = control;
      this.#shown.set(name, kept ?? new Kind(control, (value) => this.change({ [name]: value })));
    }
    const elements = [...this.#shown.values()].map(({ element }) => element);
    const { children } = this.element;
    if (children.length !== elements.length || elements.some((one, n) => children[n] !== one)) {
      this.element.replaceChildren(...elements);
    }
    this.element.hidden = !elements.length;
  }
}

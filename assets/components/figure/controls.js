// The controls of a figure, drawn from what its answer says can be changed: one of a few side by side or
// in a menu, a number on a slider or in a field, a text, on or off. They look and behave as Streamlit's
// own do. What is typed is sent when it is finished, and what is no number there is said beside it.

import { el } from "../shared/dom.js";
import { grouped, spelt } from "../shared/numbers.js";
import { Roving } from "../shared/roving.js";
import { unmovedByScrolling } from "../shared/slider.js";
import { later } from "../shared/time.js";
import { typed } from "../shared/typed.js";

const MOST_LINES = 10; // of a text that are seen at once
const SETTLED = 120; // ms after which a slider that moves is at rest

/**
 * @typedef {object} Control
 * @property {string} name of the parameter
 * @property {"choice" | "menu" | "many" | "range" | "number" | "line" | "lines" | "switch" | "button" | "buttons"} kind
 * @property {string} label
 * @property {string} help what it means; empty where nothing is said
 * @property {string} value it has now
 * @property {[string, string][]} options each as an address says it and as it is called
 * @property {number} low of a number
 * @property {number} high
 * @property {boolean} whole
 * @property {number} [step]
 * @property {string} wanted what a number must be, in words
 * @property {string} [placeholder]
 * @property {string} [again] on a button that goes on to the next number
 * @property {[string, string]} [labels] of a button, while it is off and while it is on
 * @property {Press[]} [buttons]
 * @property {string} [sets] the parameter that it sets, where that has another name
 * @property {string} [writes] what is set, with the value in place of {}
 * @property {boolean} [first] above the figure on a phone, too
 * @property {string} [wrong] what is wrong with what the address says of it
 */
/**
 * @typedef {object} Press a button
 * @property {string} label
 * @property {Record<string, string | null>} sets
 * @property {string} of what this belongs to, if no undo takes it back
 * @property {boolean} chosen it says what holds now, or what to do next
 * @property {boolean} able it can be pressed
 */
/** @typedef {(value: any) => void} Choose */

const decimals = (step) => (String(step).split(".")[1] ?? "").length;
const written = (control) => {
  const step = control.step ?? (control.whole ? 1 : 0.01);
  const digits = Math.max(decimals(step), decimals(Number(control.value)));
  return control.whole ? grouped(control.value).replace("-", "−")
    : spelt(Number(control.value).toFixed(digits)).replace("-", "−");
};

// What stands around every one: its name, what it means, and what it says.
class Field {
  /**
   * @param {Control} control
   * @param {Choose} choose
   */
  constructor(control, choose) {
    this.choose = choose;
    this.control = control;
    const id = `control-${control.name}`;
    this.help = el("button", { type: "button", class: "help", "aria-expanded": "false", onclick: () => this.#explain() }, "?");
    this.meaning = el("p", { class: "meaning small", hidden: true });
    this.label = el("label", { class: "label", for: id, id: `${id}-label` });
    this.note = el("p", { class: "wrong small", role: "status", id: `${id}-note` });
    this.element = el("div", { class: `control ${control.kind}`, "data-name": control.name },
      el("span", { class: "named" }, this.label, this.help), ...this.draw(id), this.note, this.meaning);
    this.update(control);
  }

  /** @param {Control} control */
  update(control) {
    this.control = control;
    this.label.textContent = control.label;
    this.help.hidden = !control.help;
    if (control.help) this.help.setAttribute("aria-label", `? ${control.label}`);
    this.meaning.textContent = control.help;
    this.note.textContent = control.wrong ?? "";
    this.shown(control);
  }

  #explain() {
    this.meaning.hidden = !this.meaning.hidden;
    this.help.setAttribute("aria-expanded", String(!this.meaning.hidden));
  }

  /**
   * What it is changed with.
   * @param {string} _id by which its name knows it
   * @returns {HTMLElement[]}
   */
  draw(_id) {
    return [];
  }

  /** @param {Control} _control as it is now */
  shown(_control) {}

  /** @param {string} _value that was chosen: where the browser does not show it by itself, it is seen before its answer */
  heed(_value) {}
}

/** One of a few: a tab stop, whose arrows choose. */
class Choice extends Field {
  draw(id) {
    this.list = el("div", { class: "options", role: "radiogroup", "aria-labelledby": `${id}-label` });
    const press = (item) => this.choose(item.dataset.value);
    this.roving = new Roving(this.list, () => this.items, { moved: press, act: press });
    return [this.list];
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  heed(value) {
    this.update({ ...this.control, value });
  }

  shown({ options, value }) {
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

const menu = (id, choose) => el("select", { id, onchange: (event) => choose(event.target.value) });

function fillMenu(select, { options, value }) {
  select.replaceChildren(...options.map(([one, words]) => el("option", { value: one }, words)));
  select.value = value;
}

/** One of many, of which the chosen one is seen. */
class Menu extends Field {
  draw(id) {
    this.select = menu(id, (value) => this.choose(value));
    return [this.select];
  }

  shown(control) {
    fillMenu(this.select, control);
  }
}

/** One of many side by side, or in a menu where there is little room (page.css). */
class Many extends Choice {
  draw(id) {
    this.select = menu(id, (value) => this.choose(value));
    return [...super.draw(id), this.select];
  }

  shown(control) {
    super.shown(control);
    fillMenu(this.select, control);
  }
}

/** A number on a slider. */
class Range extends Field {
  draw(id) {
    const settle = later(() => this.choose(this.slider.value), SETTLED);
    this.slider = unmovedByScrolling(el("input", {
      type: "range", id, oninput: () => { this.say(this.slider.value); settle(); },
    }));
    this.said = el("output", { class: "code", for: id });
    return [this.said, this.slider];
  }

  shown({ low, high, whole, step, value }) {
    Object.assign(this.slider, { min: low, max: high, step: step ?? (whole ? 1 : "any") });
    this.slider.value = value;
    this.say(value);
  }

  say(value) {
    this.said.textContent = written({ ...this.control, value });
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
  }
}

/** A number in a field, which is read as one writes it by hand. */
class Numeral extends Field {
  draw(id) {
    this.input = el("input", {
      type: "text", inputmode: "decimal", autocomplete: "off", id, role: "spinbutton",
      "aria-describedby": `${id}-note`, onchange: () => this.read(), onkeydown: (event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (by) event.preventDefault();
        if (by) this.step(by);
      },
    });
    const button = (by) => el("button", { type: "button", tabindex: "-1", "aria-hidden": "true", onclick: () => this.step(by) },
      by < 0 ? "−" : "+");
    this.again = el("button", { type: "button", class: "again", onclick: () => this.go() });
    return [el("div", { class: "numeral" }, this.input, button(-1), button(1)), this.again];
  }

  shown(control) {
    this.again.textContent = control.again ?? "";
    this.again.hidden = !control.again;
    if (this.input.value && this.given === control.value) return; // as it was typed
    this.given = control.value;
    this.input.value = written(control);
    for (const [name, value] of [["min", control.low], ["max", control.high], ["now", control.value]]) {
      this.input.setAttribute(`aria-value${name}`, value);
    }
  }

  read() {
    const { low, high, whole, wanted } = this.control;
    const { value } = typed(this.input.value, { whole, unit: "", words: "" });
    const fits = Number.isFinite(value) && value >= low && value <= high && (!whole || Number.isInteger(value));
    this.note.textContent = fits ? "" : wanted;
    this.input.setAttribute("aria-invalid", String(!fits));
    if (fits) this.choose(String(value));
  }

  heed(value) {
    this.update({ ...this.control, value });
  }

  // To the next one, and from the last to the first.
  go() {
    const { low, high, value } = this.control;
    this.choose(String(Number(value) < high ? Number(value) + 1 : low));
  }

  step(by) {
    const { low, high, whole, value, step = whole ? 1 : 0.1 } = this.control;
    const next = Math.min(high, Math.max(low, Number(value) + by * step));
    this.choose(String(Number(next.toFixed(9))));
  }
}

/** A text of one line, or of several; it is sent when the keyboard goes on. */
class Line extends Field {
  draw(id) {
    const lines = this.control.kind === "lines";
    this.input = el(lines ? "textarea" : "input", {
      ...(lines ? { rows: 4 } : { type: "text" }), id, autocomplete: "off", spellcheck: "false",
      onchange: () => this.choose(this.input.value), onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.choose(this.input.value);
      },
    });
    return [this.input];
  }

  shown({ value, placeholder = "" }) {
    this.input.placeholder = placeholder;
    if (this.given === value) return; // what is being typed stays
    this.given = value;
    this.input.value = value;
    this.input.rows = Math.min(Math.max((value || placeholder).split("\n").length, 4), MOST_LINES);
  }
}

/** On or off. */
class Switch extends Field {
  draw(id) {
    this.input = el("input", { type: "checkbox", role: "switch", id, onchange: () => this.choose(this.input.checked ? "1" : "0") });
    return [this.input];
  }

  shown({ value }) {
    this.input.checked = value === "1";
  }
}

/** On or off, by a button that says what it does. */
class Toggle extends Field {
  draw() {
    this.button = el("button", { type: "button", onclick: () => this.choose(this.on ? null : "1") });
    return [this.button];
  }

  shown({ value, labels = ["", ""] }) {
    this.on = value === "1";
    this.button.textContent = labels[Number(this.on)];
    this.button.classList.toggle("chosen", !this.on);
  }
}

/** Buttons, each of which sets what it says. */
class Buttons extends Field {
  draw(id) {
    this.row = el("div", { class: "buttons", role: "group", "aria-labelledby": `${id}-label` });
    return [this.row];
  }

  shown({ buttons = [] }) {
    this.row.replaceChildren(...buttons.map((one) => el("button", {
      type: "button", class: one.chosen ? "chosen" : "", disabled: !one.able, onclick: () => this.choose(one),
    }, one.label)));
  }
}

// What a field sets: its parameter, or a part of it, or what a button says.
const set = ({ control: { name, sets = name, writes = "{}" } }, value) => ({ [sets]: value && writes.replace("{}", value) });

const KINDS = {
  choice: Choice, menu: Menu, many: Many, range: Range, number: Numeral, line: Line, lines: Line, switch: Switch, button: Toggle, buttons: Buttons,
};

/** Some controls of a figure; one stays while its answer still has it, so that nothing loses the keyboard. */
export class Controls {
  element = el("div", { class: "fields" });
  /** @type {Map<string, Field>} */
  #shown = new Map();

  /** @param {(patch: Record<string, string | null>, of?: string) => void} change of the state, for good if it says of what */
  constructor(change) {
    this.change = change;
  }

  /**
   * @param {(Partial<Control> & { name: string })[]} wanted in their order, with what the page says of them
   * @param {Control[]} offered by the answer
   */
  update(wanted, offered) {
    const before = this.#shown;
    this.#shown = new Map();
    for (const own of wanted) {
      const found = offered.find(({ name }) => name === own.name);
      if (!found) continue;
      const control = { ...found, ...own };
      const kept = before.get(control.name);
      kept?.update(control);
      this.#shown.set(control.name,
        kept ?? new KINDS[control.kind](control, (value) => this.#choose(control.name, value)));
    }
    const elements = [...this.#shown.values()].map(({ element }) => element);
    const { children } = this.element;
    if (children.length !== elements.length || elements.some((one, n) => children[n] !== one)) {
      this.element.replaceChildren(...elements);
    }
    this.element.classList.toggle("first", wanted.some(({ first }) => first));
    this.element.hidden = !elements.length;
  }

  #choose(name, value) {
    if (value?.sets) {
      this.change(value.sets, value.of);
      return;
    }
    const field = this.#shown.get(name);
    field?.heed(value);
    this.change(set(field, value));
  }
}

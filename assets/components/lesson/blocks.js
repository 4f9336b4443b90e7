// What stands on a screen, one below the other. A block stays while the next screen still has it, so that
// nothing loses the keyboard or what was typed.

import { Controls } from "../figure/controls.js";
import controlStyle from "../figure/figure.css.js";
import { Room } from "../figure/room.js";
import { el, rich } from "../shared/dom.js";
import { packed } from "../shared/payload.js";
import { dress } from "../shared/style.js";
import { PLAIN } from "./plain.js";
import { made } from "./words.js";

/** @typedef {Record<string, any>} Block */
/**
 * What can be done on a screen.
 * @typedef {object} Acts
 * @property {(what: string, value: any) => void} done at a question
 * @property {(sets: Record<string, string | null>, deed?: string) => void} set the state
 * @property {(name: string, open: boolean) => void} unfold what is worked out when it is opened, or fold it
 * @property {(patch: Record<string, string | null>) => void} choose by controls, a value for each name
 */

/** A component within a screen. */
export class Part {
  element = el("div");
  #more = {};
  #room = new Room(this.element, () => this.#more);

  /**
   * @param {string} folder of the component
   * @param {Block} header what it is given; `hears` is told what is said in it
   * @param {Record<string, import("../shared/payload.js").Numbers>} [arrays]
   */
  show(folder, { hears, ...header }, arrays = {}) {
    this.#more = hears ? { hears } : {};
    this.#room.show(folder, packed(header, arrays));
  }

  /** It is gone. */
  leave() {
    this.#room.leave();
  }
}

class Plain {
  /** @param {Block} block */
  constructor(block) {
    this.element = PLAIN[block.kind](block);
  }

  update() {}

  leave() {}
}

class Press {
  constructor({ key, say, sets, weight, deed }, acts) {
    this.element = el("button", {
      type: "button", class: `lesson-button ${weight}`, "data-key": key, onclick: () => acts.set(sets, deed),
    }, say);
  }

  update() {}

  leave() {}
}

/** A text that may come while she is here, and is read out then. */
class Live {
  element = el("div", { class: "lesson-words", "aria-live": "polite" });
  #said = "";

  update({ words }) {
    const said = JSON.stringify(words);
    if (said !== this.#said) this.element.replaceChildren(...made(words));
    this.#said = said;
  }

  leave() {}
}

class Asked {
  element = el("div", { class: "lesson-question" });

  constructor(_block, acts) {
    this.acts = acts;
    this.part = new Part();
    this.element.append(this.part.element);
  }

  update({ key, header }, _arrays, language) {
    this.part.show("question", { ...header, key, language, hears: (what, value) => this.acts.done(what, value) });
  }

  leave() {
    this.part.leave();
  }
}

class Figure {
  element = el("div", { class: "lesson-figure" });

  constructor({ parts }, acts) {
    const walks = parts.some(({ header }) => header.walks); // what it says goes to another screen
    this.hears = walks ? { hears: (what, value) => acts.done(what, value) } : {};
  }

  /** @type {Part[]} */
  parts = [];
  folders = "";

  update({ parts, title = "", covers = null, notes = [], reading = null }, arrays, language) {
    const folders = parts.map(({ folder }) => folder).join(" ");
    if (folders !== this.folders || !parts.length) this.#begin(parts, title, covers);
    this.folders = folders;
    this.said.replaceChildren(...notes.map((note) => el("p", { class: "lesson-note info" }, note)),
      ...(reading ? [el("p", { class: "glass-reading" }, ...rich(reading))] : []));
    parts.forEach(({ folder, header, arrays: names }, n) => {
      const own = Object.fromEntries(Object.entries(names).map(([name, held]) => [name, arrays[held]]));
      this.parts[n].show(folder, { ...header, language, ...this.hears }, own);
    });
  }

  #begin(parts, title, covers) {
    this.leave();
    this.parts = parts.map(() => new Part());
    this.said = el("div", { class: "lesson-told" });
    const covered = el("div", { class: "glass-covered", role: "img", "aria-label": covers },
      el("p", {}, title), el("p", {}, "?"));
    this.element.replaceChildren(...(parts.length ? this.parts.map(({ element }) => element) : [covered]), this.said);
  }

  leave() {
    for (const part of this.parts) part.leave();
  }
}

class Offered {
  element = el("div", { class: "lesson-controls" });

  constructor({ scope }, acts) {
    const root = this.element.attachShadow({ mode: "open" });
    const prefix = scope ? `${scope}.` : "";
    this.controls = new Controls((patch) => acts.choose(
      Object.fromEntries(Object.entries(patch).map(([name, value]) => [prefix + name, value]))));
    const inner = el("div", { class: "glass" }, this.controls.element);
    root.append(inner);
    dress(inner, controlStyle);
  }

  update({ fields, controls }) {
    this.controls.update(fields, controls);
  }

  leave() {}
}

class Fold {
  title = el("summary");
  body = el("div");

  constructor({ key, asks }, acts) {
    this.blocks = new Blocks(acts);
    this.element = el("details", { class: "lesson-fold", "data-key": key, ontoggle: () => {
      if (asks) acts.unfold(key, this.element.open);
    } }, this.title, this.body);
    this.forget = () => asks && acts.unfold(key, false);
  }

  update({ title, blocks }, arrays, language) {
    this.title.textContent = title;
    this.blocks.show(this.body, blocks, arrays, language);
  }

  leave() {
    this.forget(); // else it would be worked out on screens that do not have it
    this.blocks.leave();
  }
}

class Cards {
  element = el("ul", { class: "lesson-cards" });

  constructor(_block, acts) {
    this.acts = acts;
  }

  update({ cards }) {
    this.element.replaceChildren(...cards.map((card) => el("li", { "data-lesson": card.id },
      ...("title" in card ? [el("div", { class: "glass-card" },
        el("div", { class: "picture" }, el("img", { alt: "", loading: "lazy", src: card.picture })),
        el("i", { class: "ring", style: { "--done": `${card.done}%` }, "aria-hidden": "true" }),
        el("strong", {}, card.title)), el("p", { class: "able" }, card.able), el("small", {}, card.say)] : []),
      ...card.blocks.map((block) => new KINDS[block.kind](block, this.acts).element))));
  }

  leave() {}
}

/** Blocks side by side. */
class Columns {
  /** @type {[HTMLElement, Blocks][]} */
  #columns = [];

  constructor(_block, acts, name = "lesson-columns") {
    this.acts = acts;
    this.element = el("div", { class: name });
  }

  update({ columns }, arrays, language) {
    while (this.#columns.length < columns.length) {
      const place = el("div", { class: "lesson-column" });
      this.element.append(place);
      this.#columns.push([place, new Blocks(this.acts)]);
    }
    for (const [place, blocks] of this.#columns.splice(columns.length)) {
      blocks.leave();
      place.remove();
    }
    this.#columns.forEach(([place, blocks], n) => blocks.show(place, columns[n], arrays, language));
  }

  leave() {
    for (const [, blocks] of this.#columns) blocks.leave();
  }
}

/** A screen within a screen: a question that comes back, with its figures. */
class Again {
  element = el("section", { class: "lesson-again" });

  constructor(_block, acts) {
    this.blocks = new Blocks(acts);
  }

  update(block, arrays, language) {
    this.blocks.screen(this.element, block, arrays, language);
  }

  leave() {
    this.blocks.leave();
  }
}

const KINDS = {
  ...Object.fromEntries(Object.keys(PLAIN).map((kind) => [kind, Plain])),
  button: Press, live: Live, question: Asked, figure: Figure, controls: Offered, fold: Fold, cards: Cards, columns: Columns, screen: Again,
};

const FIXED = [Plain, Press]; // what is drawn once; all else stays as another of its kind

/** Some blocks in their places. */
export class Blocks {
  /** @type {Map<string, any>} */
  #shown = new Map();

  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
  }

  /**
   * All of a screen.
   * @param {HTMLElement} into
   * @param {Block} screen
   * @param {Record<string, any>} arrays
   * @param {string} language
   */
  screen(into, { layout, said, shown, twins = false }, arrays, language) {
    if (!this.figures) {
      this.texts = [el("div", { class: "lesson-said" }), new Blocks(this.acts)];
      this.figures = new Columns({}, this.acts, "lesson-shown");
      into.append(this.texts[0], this.figures.element);
    }
    into.dataset.layout = layout;
    into.toggleAttribute("data-twins", twins); // figures of one kind, which are compared
    this.figures.element.hidden = !shown.length;
    const [place, texts] = this.texts;
    texts.show(place, said, arrays, language);
    this.figures.update({ columns: shown }, arrays, language);
  }

  /**
   * @param {HTMLElement} into
   * @param {Block[]} wanted
   * @param {Record<string, any>} arrays
   * @param {string} language
   */
  show(into, wanted, arrays, language) {
    const before = this.#shown;
    this.#shown = new Map();
    wanted.forEach((block, n) => {
      const said = FIXED.includes(KINDS[block.kind]) ? JSON.stringify(block) : block.key ?? block.kind;
      let name = `${block.kind} ${said}`;
      while (this.#shown.has(name)) name += ` ${n}`;
      const own = before.get(name) ?? new KINDS[block.kind](block, this.acts);
      before.delete(name);
      this.#shown.set(name, own);
      own.update(block, arrays, language);
    });
    for (const gone of before.values()) gone.leave();
    const elements = [...this.#shown.values()].map(({ element }) => element);
    elements.forEach((one, n) => { if (into.children[n] !== one) into.insertBefore(one, into.children[n] ?? null); });
    while (into.children.length > elements.length) into.lastElementChild?.remove();
  }

  /** All of them go. */
  leave() {
    for (const one of this.#shown.values()) one.leave();
    this.texts?.[1].leave();
    this.figures?.leave();
  }
}

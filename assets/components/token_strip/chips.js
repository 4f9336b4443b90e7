// The chips of a strip: an element for each token, and how it shows its state.

import { el, spoken } from "../shared/dom.js";

const MANY = 100; // of which only those that can be seen follow what is pointed at

/**
 * What a chip shows.
 * @typedef {object} Look
 * @property {boolean} gone not there yet, or no more
 * @property {string} label
 * @property {string} note
 * @property {string} background
 * @property {string} ink
 * @property {boolean} hidden the selected token may not look at it
 * @property {boolean} marked
 * @property {boolean} fresh
 * @property {boolean} pointed
 * @property {boolean} selected
 * @property {boolean} asked it is selected, while others are picked
 * @property {boolean} free it can be picked
 * @property {boolean} picked
 * @property {boolean} hers it was picked
 * @property {boolean} right it was to be picked
 * @property {string} words what is said of the pick
 */

/** @type {Record<keyof Look, (chip: HTMLElement, value: any) => void>} */
const SHOW = {
  gone: (chip, gone) => { chip.hidden = gone; },
  label: (chip, label) => { /** @type {Node} */ (chip.firstChild).textContent = label; },
  note: (chip, note) => { /** @type {Node} */ (chip.lastChild).textContent = note; },
  background: (chip, colour) => { chip.style.background = colour; },
  ink: (chip, colour) => { chip.style.color = colour; },
  hidden: (chip, on) => chip.classList.toggle("hidden", on),
  marked: (chip, on) => chip.classList.toggle("marked", on),
  fresh: (chip, on) => chip.classList.toggle("fresh", on),
  pointed: (chip, on) => chip.classList.toggle("pointed", on),
  selected: (chip, on) => chip.setAttribute("aria-selected", String(on)),
  asked: (chip, on) => chip.classList.toggle("asked", on),
  free: (chip, on) => chip.classList.toggle("free", on),
  picked: (chip, on) => chip.classList.toggle("picked", on),
  hers: (chip, on) => chip.classList.toggle("hers", on),
  right: (chip, on) => chip.classList.toggle("good", on),
  words: (chip, words) => {
    if (words) chip.setAttribute("aria-description", words);
    else chip.removeAttribute("aria-description");
  },
};

const chipOf = (token) => el("span", {
  class: `chip ${token.kind}`, role: "option", tabindex: "-1", title: token.title,
}, el("span", { class: "label code" }, token.label),
token.detail ? el("span", { class: "detail code" }, token.detail) : null,
el("span", { class: "note" }));

// As it is read out: without the dot that stands for the space before a word.
function name(chip, { label, note }) {
  const detail = chip.querySelector(".detail")?.textContent;
  chip.setAttribute("aria-label", [spoken(label), detail, note].filter(Boolean).join(", "));
}

// Chips that name a word stay on one line with the others of it.
function together(chips, tokens) {
  const nodes = [];
  let word = null;
  chips.forEach((chip, index) => {
    if (tokens[index].word === undefined) return nodes.push(chip);
    if (!index || tokens[index].word !== tokens[index - 1].word) {
      word = el("span", { class: "together", role: "presentation" });
      nodes.push(word);
    }
    return word.append(chip);
  });
  return nodes;
}

export class Chips {
  /**
   * @param {HTMLElement} list
   * @param {() => void} approached chips have come into sight that follow what is pointed at
   */
  constructor(list, approached) {
    this.list = list;
    /** @type {HTMLElement[]} */
    this.nodes = [];
    /** @type {Look[]} as they are shown */
    this.looks = [];
    this.seen = new Set();
    this.watcher = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.seen.add(target);
        else this.seen.delete(target);
      }
      approached();
    });
  }

  /**
   * Of other tokens.
   * @param {Record<string, any>[]} tokens
   */
  build(tokens) {
    this.looks = [];
    this.nodes = tokens.map(chipOf);
    this.list.replaceChildren(...together(this.nodes, tokens));
    this.watcher.disconnect();
    this.seen.clear();
    if (this.nodes.length > MANY) this.nodes.forEach((chip) => this.watcher.observe(chip));
  }

  /**
   * The place of the chip that an element belongs to; -1 for none.
   * @param {EventTarget | null} target
   * @returns {number}
   */
  at(target) {
    const chip = target instanceof Element ? target.closest(".chip") : null;
    return this.nodes.findIndex((one) => one === chip);
  }

  /**
   * Let a chip be no narrower than with these words under it.
   * @param {HTMLElement} chip
   * @param {string} words
   */
  room(chip, words) {
    /** @type {HTMLElement} */ (chip.lastChild).dataset.room = words;
  }

  /**
   * Show them as they are now. Only what has changed is written.
   * @param {(index: number) => Look} look
   * @param {boolean} [passing] something is pointed at: others are painted when they can be seen
   */
  paint(look, passing = false) {
    const some = passing && this.nodes.length > MANY;
    this.nodes.forEach((chip, index) => {
      if (some && !this.seen.has(chip)) return;
      const before = this.looks[index];
      const after = this.looks[index] = look(index);
      for (const [field, show] of Object.entries(SHOW)) {
        if (after[field] !== before?.[field]) show(chip, after[field]);
      }
      if (after.label !== before?.label || after.note !== before?.note) name(chip, after);
    });
  }

  /** The strip has left the page. */
  destroy() {
    this.watcher.disconnect();
  }
}

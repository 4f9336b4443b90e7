// What she has answered, as her browser keeps it: on every page of the book, and below the app's lessons.

import { Part } from "../lesson/blocks.js";
import { fill } from "../shared/dom.js";
import { turns } from "../shared/time.js";

/** @typedef {import("./study.js").Study} Study */

/** The component that saves it, loads it and begins anew. */
export class Progress {
  part = new Part();
  #loaded = { n: 0, what: "loaded" };

  /**
   * @param {Study} study
   * @param {() => any} changed called once it is kept
   */
  constructor(study, changed) {
    this.study = study;
    this.changed = changed;
  }

  /**
   * Show it as it is now.
   * @param {Record<string, any>} header what is said, and what of it is there
   */
  show(header) {
    this.part.show("progress", {
      ...header, key: "progress", loaded: this.#loaded, answered: this.study.progress,
      hears: (what, value) => this.#hear(what, value),
    });
  }

  #hear(what, value) {
    if (what === "loaded") this.#loaded = { n: this.#loaded.n + 1, what: this.study.load(value) };
    else this.study.wipe();
    this.study.keep();
    this.changed();
  }
}

/**
 * The same on a page of the book, with the cards that say how far she is.
 * @param {any} book what the page says of itself
 * @param {Study} study
 * @param {HTMLElement} into
 * @param {() => any} [changed] what is kept is not what it was
 * @returns {{ counted: () => void }} something was answered
 */
export function progressOf({ progress, language }, study, into, changed = () => {}) {
  const inTurn = turns();
  const counted = () => {
    study.keep();
    shown.show({ ...progress, language });
    countCards(study);
  };
  const anew = () => inTurn(() => {
    counted();
    return changed();
  });
  const shown = new Progress(study, anew);
  study.follow(anew);
  into.append(shown.part.element);
  counted();
  return { counted };
}

// How far she is, on the cards of the lessons.
function countCards(study) {
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-asks]"))) {
    const { lesson = "", asks = "", said = "" } = card.dataset;
    const idents = asks.split(" ").filter(Boolean);
    const entries = idents.map((ident) => study.entry(lesson, ident) ?? []);
    const n = entries.filter(([, , , , , once]) => once).length;
    const met = entries.filter(([, , , tries, , once, givenUp]) => tries || once || givenUp).length;
    card.querySelector("small").textContent = fill(said, { right: n, n: idents.length });
    /** @type {HTMLElement} */ (card.querySelector(".book-ring")).style.setProperty(
      "--done", `${Math.round(100 * met / (idents.length || 1))}%`);
  }
}

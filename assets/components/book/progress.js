// What she has answered, as her browser keeps it: on every page of the book.

import { Part } from "../lesson/blocks.js";
import { fill } from "../shared/dom.js";
import { kept } from "../shared/kept.js";
import { turns } from "../shared/time.js";
import { Study } from "./study.js";

const KEPT = "lessons"; // among what the browser keeps, as the component of the progress does

/**
 * @param {number} seeds that her own may be
 * @returns {Study}
 */
export function studyOf(seeds) {
  const [chance] = crypto.getRandomValues(new Uint16Array(1));
  return new Study(kept(KEPT) ?? "", chance % seeds);
}

/**
 * The component that saves it, loads it and begins anew, and the cards that say how far she is.
 * @param {any} book what the page says of itself
 * @param {Study} study
 * @param {HTMLElement} into
 * @param {() => any} [changed] what is kept is not what it was
 * @returns {{ counted: () => void }} something was answered
 */
export function progressOf({ progress, language }, study, into, changed = () => {}) {
  const part = new Part(), inTurn = turns();
  let loaded = { n: 0, what: "loaded" };
  const show = () => part.show("progress", {
    ...progress, language, key: "progress", visit: "book", known: true, loaded, answered: study.progress,
    hears: (what, value) => inTurn(() => hear(what, value)),
  });
  const acts = {
    kept: (text) => study.hear(text),
    loaded: (text) => { loaded = { n: loaded.n + 1, what: study.load(text) }; },
    wiped: (era) => study.wipe(era),
  };
  const counted = () => {
    show();
    countCards(study);
  };
  const hear = (what, value) => {
    acts[what]?.(value);
    counted();
    return changed();
  };
  into.append(part.element);
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

// What she has answered, as her browser keeps it: on every page of the book.

import { fill } from "../shared/dom.js";
import { kept } from "../shared/kept.js";
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
 * @param {any} header of the component
 * @param {Study} study
 * @param {import("./placed.js").Place} place that it stands in
 * @param {HTMLElement} root
 */
export function progressOf(header, study, place, root) {
  let loaded = { n: 0, what: "loaded" };
  const now = () => ({
    ...header, key: "progress", visit: "book", known: true, loaded, answered: study.progress,
  });
  const show = place.mount(root, "progress", now());
  const acts = {
    kept: (text) => study.hear(text),
    loaded: (text) => { loaded = { n: loaded.n + 1, what: study.load(text) }; },
    wiped: (era) => study.wipe(era),
  };
  const counted = () => {
    show(now());
    countCards(study);
  };
  const hear = (what, value) => {
    acts[what]?.(value);
    counted();
  };
  countCards(study);
  return { counted, hear };
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

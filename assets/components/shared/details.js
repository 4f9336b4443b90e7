// What is second on a page is behind one "Details". Whether that is open is kept, for all pages: the
// server draws it closed, and here it is set as the learner left it.

import { keep, kept } from "./kept.js";

const NAME = "details", WHERE = "details.glass-details";
const CUT = ".glass-heading > p.glass-claim"; // on a phone it is whole where the details are open

function hear(event) {
  const details = event.target.closest?.(`${WHERE} > summary`)?.parentElement;
  if (details) keep(NAME, details.open ? "closed" : "open"); // it is about to change
  const claim = event.target.closest?.(CUT);
  if (!claim || claim.scrollHeight <= claim.clientHeight || event.target.closest(".glass-term")) return;
  keep(NAME, "open");
  set();
}

function set() {
  for (const one of document.querySelectorAll(WHERE)) {
    /** @type {HTMLDetailsElement} */ (one).open = kept(NAME) === "open";
  }
}

/**
 * Keep every "Details" of the page as the learner left the last.
 * @returns {() => void} ends it
 */
export function keepDetails() {
  const drawn = new MutationObserver(set);
  document.addEventListener("click", hear);
  drawn.observe(document.body, { childList: true, subtree: true });
  set();
  return () => {
    document.removeEventListener("click", hear);
    drawn.disconnect();
  };
}

// Where the keyboard goes after a step that was taken by keyboard: to the title of the screen that has
// come. Whoever has clicked with a pointer is left alone.

import { SCREEN_TITLE } from "./dom.js";
import { SHARED } from "./selection.js";
import { atRest } from "./streamlit.js";

const REACHABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const TOLD = ".glass-told"; // what is said to the answer on the screen before
const CLEARED = 120; // ms after a run, in which Streamlit takes away what is old

let planned = false;
let left = false; // she has gone elsewhere meanwhile

/** From now on, for the whole page: whether what is done is done by keyboard. */
export function heedTheKeyboard() {
  const heed = (kind, keyed) => globalThis.addEventListener(kind, (event) => { SHARED.keyed = keyed(event); }, true);
  heed("keydown", () => true);
  heed("pointerdown", () => false);
  heed("click", (event) => !event.detail || SHARED.keyed); // a screen reader presses without any key
  globalThis.addEventListener("pointerdown", () => { left = true; }, true);
  globalThis.addEventListener("keydown", ({ key }) => { left ||= key === "Tab"; }, true);
}

/** Another screen has come, or is about to. */
export function turn() {
  if (!SHARED.keyed || planned) return;
  planned = true;
  left = false;
  atRest(() => setTimeout(give, CLEARED));
}

function give() {
  planned = false;
  if (left) return;
  const title = [...document.querySelectorAll(SCREEN_TITLE)].findLast((one) => one.checkVisibility());
  title?.setAttribute("tabindex", "-1");
  const told = document.querySelector(TOLD);
  if (told) { // whoever has the title read out hears of her guess first
    told.id ||= "glass-told";
    title?.setAttribute("aria-describedby", told.id);
  }
  /** @type {HTMLElement | undefined} */ (title)?.focus({ preventScroll: true });
}

/**
 * What the Tab key reaches in an element, in components too.
 * @param {Element} element
 * @returns {HTMLElement[]}
 */
export function reachable(element) {
  const own = /** @type {HTMLElement} */ (element);
  const can = own.matches(REACHABLE) && own.tabIndex >= 0 && !own.matches(":disabled") && own.checkVisibility();
  const inner = [...own.shadowRoot?.children ?? [], ...own.children];
  return [...(can ? [own] : []), ...inner.flatMap(reachable)];
}

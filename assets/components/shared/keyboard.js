// Where the keyboard goes after a step that was taken by keyboard: to the title of the screen that has
// come, or, where the button went with its click, to what stands in its place. Whoever has clicked with
// a pointer is left alone.

import { SCREEN_TITLE } from "./dom.js";
import { allHeard } from "./outbox.js";
import { SHARED } from "./selection.js";
import { atRest, nothingHasKeyboard } from "./streamlit.js";

const REACHABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const TOLD = ".glass-told"; // what is said to the answer on the screen before
const CLEARED = 120; // ms after a run, in which Streamlit takes away what is old

/** @typedef {{ parent: Element, at: number }} Place */

let planned = false;
let turned = false; // another screen has come
let left = false; // she has gone elsewhere meanwhile
/** @type {Place[]} */
let places = []; // of the button that was pressed, the innermost first

/** From now on, for the whole page: whether what is done is done by keyboard. */
export function heedTheKeyboard() {
  const heed = (kind, keyed) => globalThis.addEventListener(kind, (event) => { SHARED.keyed = keyed(event); }, true);
  heed("keydown", () => true);
  heed("pointerdown", () => false);
  heed("click", (event) => !event.detail || SHARED.keyed); // a screen reader presses without any key
  globalThis.addEventListener("pointerdown", () => { left = true; }, true);
  globalThis.addEventListener("keydown", ({ key }) => { left ||= key === "Tab"; }, true);
}

/**
 * A button of Streamlit's was pressed, which may go with it.
 * @param {Element} button
 */
export function pressed(button) {
  if (!SHARED.keyed) return;
  places = [];
  for (let one = button; one.parentElement; one = one.parentElement) {
    places.push({ parent: one.parentElement, at: [...one.parentElement.children].indexOf(one) });
  }
  allHeard(plan);
}

/** Another screen has come, or is about to. */
export function turn() {
  if (!SHARED.keyed) return;
  turned = true;
  plan();
}

function plan() {
  if (planned) return;
  planned = true;
  left = false;
  atRest(() => setTimeout(give, CLEARED));
}

function give() {
  const [toTitle, back] = [turned, places];
  [planned, turned, places] = [false, false, []];
  if (left) return;
  if (toTitle) {
    const title = [...document.querySelectorAll(SCREEN_TITLE)].findLast((one) => one.checkVisibility());
    title?.setAttribute("tabindex", "-1");
    const told = document.querySelector(TOLD);
    if (told) { // whoever has the title read out hears of her guess first
      told.id ||= "glass-told";
      title?.setAttribute("aria-describedby", told.id);
    }
    /** @type {HTMLElement | undefined} */ (title)?.focus({ preventScroll: true });
  } else if (nothingHasKeyboard()) near(back)?.focus({ preventScroll: true });
}

// What can be reached at a place or next to it, as near as there is something.
function near(around) {
  for (const { parent, at } of around) {
    if (!parent.isConnected || parent.matches("body, html")) continue;
    const all = [...parent.children];
    const found = all.slice(at).flatMap(reachable)[0] ?? all.slice(0, at).flatMap(reachable).at(-1);
    if (found) return found;
  }
  return null;
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

// Keys that are the page's own, and the arrows that walk through its first figure.

import { SHARED } from "./selection.js";
import { nothingHasKeyboard } from "./streamlit.js";

/** @type {Record<string, [down: number, right: number]>} rows and columns that a key goes on */
export const ARROWS = {
  ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
};

/**
 * Say of a drawing that keys operate it, so that whoever has it read out can press them; or that it
 * is a picture.
 * @param {Element} drawing
 * @param {boolean} [on]
 */
export function operated(drawing, on = true) {
  const role = on ? "application" : "img";
  if (drawing.getAttribute("role") === role) return;
  const said = { role, tabindex: "0", "aria-keyshortcuts": Object.keys(ARROWS).join(" ") };
  for (const [name, value] of Object.entries(said)) {
    if (on || name === "role") drawing.setAttribute(name, value);
    else drawing.removeAttribute(name);
  }
}

/**
 * A key is the page's own when nothing on the page has the keyboard.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export const forPage = (event) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && nothingHasKeyboard();

// Arrow keys that no stepper took go to the first component on the page that can walk. On the
// window, which hears them after the document, where steppers listen.
function walk(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || event.defaultPrevented || !forPage(event)) return;
  const top = ({ host }) => host.getBoundingClientRect().top;
  const shown = [...SHARED.walkers].filter(({ host }) => host.checkVisibility());
  const taken = shown.sort((a, b) => top(a) - top(b)).some(({ instance }) => instance.walk(by));
  if (taken) event.preventDefault();
}

/** From now on, for the whole page. */
export function walkThePage() {
  globalThis.addEventListener("keydown", walk);
}

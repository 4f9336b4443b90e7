// Keys that are the page's own, and the arrows that walk through its first figure.

import { inFocus } from "./dom.js";
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

// What has no use of its own for these keys leaves them to the page; what stands in a list, a menu, a
// dialog or a drawing has one, a choice of several for arrows alone, and a tab unless it was clicked.
const LEFT_BY_BUTTONS = ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Escape"];
const BUTTONS = "button, a[href], summary";
const OTHERS = "[role]:not([role=button], [role=link], [role=tab]), [aria-haspopup]:not(summary)";

/**
 * A button or a link, or a tab after a click, has the keyboard: it does nothing on these keys.
 * @param {string} key
 * @returns {boolean}
 */
function buttonLeaves(key) {
  const focused = inFocus();
  if (!LEFT_BY_BUTTONS.includes(key)) return false;
  const choice = !key.startsWith("Arrow") && focused?.matches("[role=radio]");
  if (!focused?.matches(BUTTONS) || (focused.matches(OTHERS) && !choice)) return false;
  return !focused.closest("dialog, [role=dialog]") && (SHARED.clicked || !focused.matches("[role=tab]"));
}

/**
 * A key is the page's own when nothing on the page has the keyboard, or what has it leaves the key.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export const forPage = (event) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented
  && (nothingHasKeyboard() || buttonLeaves(event.key));

/**
 * Tabs that were clicked leave their arrows to the page, where anything on it walks.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export const tabLeaves = (event) =>
  SHARED.clicked && LEFT_BY_BUTTONS.includes(event.key) && walkers().length > 0;

// Arrow keys that no stepper took go to the first component on the page that can walk. On the
// window, which hears them after the document, where steppers listen.
function walk(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || !forPage(event)) return;
  if (walkers().some(({ instance }) => instance.walk(by))) event.preventDefault();
}

// The components on the page that can walk, from the top.
function walkers() {
  const top = ({ host }) => host.getBoundingClientRect().top;
  return [...SHARED.walkers].filter(({ host }) => host.checkVisibility())
    .sort((a, b) => top(a) - top(b));
}

/**
 * Whether there are steps on the page that can be played.
 * @returns {boolean}
 */
export const canPlay = () => [...SHARED.steppers].some((one) => one.steps());

/**
 * Whether the left and right arrows do something on the page, or in a figure that has the keyboard.
 * @returns {boolean}
 */
export const canWalk = () => canPlay() || walkers().some(({ instance }) => instance.deck?.() ?? true)
  || [...document.querySelectorAll("*")].some(({ shadowRoot }) =>
    shadowRoot?.querySelector("[aria-keyshortcuts*=Arrow]"));

/** From now on, for the whole page. */
export function walkThePage() {
  globalThis.addEventListener("keydown", walk);
  globalThis.addEventListener("pointerdown", () => { SHARED.clicked = true; }, true);
  globalThis.addEventListener("keydown", (event) => {
    if (event.key === "Tab") SHARED.clicked = false;
  }, true);
}

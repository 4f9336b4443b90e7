// What would be taken for something else: a finger that scrolls over a plot, for one that zooms it; a tap
// that closes the menu, for one on what lies below it.

import { besideMenu, inPlot } from "./streamlit.js";

const FOLLOWS = 700; // ms, within which the click of a press comes

// The plot then keeps the finger for itself. What a tap shows comes with the mouse's events after it.
function overPlot(event) {
  if (inPlot(event.target)) event.stopImmediatePropagation();
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// What closes the menu does nothing else; Streamlit closes it when it hears of the mouse's button.
function closing(event) {
  if (!besideMenu(event.target)) return;
  event.stopImmediatePropagation();
  document.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", swallow, true), FOLLOWS);
}

/** From now on, for the whole page. */
export function touchThePage() {
  document.addEventListener("touchstart", overPlot, true);
  document.addEventListener("pointerdown", closing, true);
}

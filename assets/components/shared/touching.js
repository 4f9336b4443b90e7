// What would be taken for something else: a tap that closes the menu, for one on what lies below it.

import { besideMenu } from "./streamlit.js";

const FOLLOWS = 700; // ms, within which the click of a press comes

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
  document.addEventListener("pointerdown", closing, true);
}

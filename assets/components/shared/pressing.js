// Clicks on Streamlit's own buttons. Streamlit tells of each once, whether or not it arrives, and not of
// which screen it was on; so they are taken before it hears of them and go the way of all messages.

import { pressed } from "./keyboard.js";
import { say } from "./outbox.js";
import { buttonKey } from "./streamlit.js";

function press(event) {
  const key = buttonKey(event.target);
  if (!key) return;
  event.preventDefault();
  event.stopPropagation();
  const screen = /** @type {HTMLElement | null} */ (document.querySelector("[data-about]"));
  say(key, "press", true, screen?.dataset.about ?? null);
  pressed(/** @type {Element} */ (event.target).closest("button") ?? event.target);
}

/** From now on, for the whole page. */
export function pressThePage() {
  document.addEventListener("click", press, true);
}

// Options of which a click is the answer, each with the key that chooses it.

import { el, inFocus } from "../shared/dom.js";
import { kept } from "../shared/kept.js";

/**
 * @param {string[]} texts
 * @param {{ done: boolean, given: number | null, classOf: (n: number) => string,
 *   choose: (n: number) => void }} how
 * @returns {HTMLElement[]}
 */
export function options(texts, { done, given, classOf, choose }) {
  return texts.map((text, n) => el("button", {
    type: "button", class: `option ${classOf(n)}${given === n ? " given" : ""}`,
    "aria-disabled": done ? "true" : null, "aria-keyshortcuts": String(n + 1),
    onclick: ({ currentTarget }) => {
      if (done) return;
      currentTarget.classList.add("sent"); // until the server has said what it is
      choose(n);
    },
  }, el("kbd", { "aria-hidden": "true" }, String(n + 1)), el("span", {}, text)));
}

/**
 * The option that a key chooses; null for a key that belongs to somebody else: to a field, to another
 * question that has the keyboard, or to nobody, where shortcuts with single keys are off and no option
 * has the keyboard.
 * @param {KeyboardEvent} event
 * @param {number} n how many there are
 * @param {HTMLElement} host of the question
 * @returns {number | null}
 */
export function optionOf(event, n, host) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  const focused = inFocus();
  if (focused?.matches("input, textarea, select, [contenteditable]")) return null;
  const here = Boolean(focused && host.contains(focused));
  if (!here && (kept("characters") === "off" || focused?.closest("section.question"))) return null;
  const at = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : n;
  return at < n ? at : null;
}

// The search of the whole app: pages, lessons and words by name, from the keyboard or the run bar.

import { define } from "../shared/component.js";
import { el, fill } from "../shared/dom.js";
import { closeness, FIND, folded, inWords, markedWords, wordsOf } from "../shared/finding.js";
import { plain, visit } from "../shared/moving.js";
import style from "./search.css.js";

/**
 * A place of the app as pages/parts/finding.py gives it.
 * @typedef {object} Place
 * @property {string} title
 * @property {string[]} [names] that it is found by, too
 * @property {string} [words] of what is in it
 * @property {string} group of the menu, or what kind of place it is
 * @property {string} page
 * @property {Record<string, any>} [shows] what its link says
 * @property {boolean} [listed] it stands in the list before anything is typed
 */

const MOST = 20; // that are offered

// Pages, then lessons, then words.
const kind = (one) => (one.listed ? 2 : Number("lesson" in (one.shows ?? {})));

/**
 * How well a place answers a query, -1 for not at all: by its title as it was typed, by a name, or by
 * the words of it in any order; best of all is what is called so.
 * @param {Place} one
 * @param {string} query folded
 * @param {string[]} words of the query
 * @param {number} slips that a word may have
 * @returns {number}
 */
function answering({ title, names = [], words: more = "" }, query, words, slips) {
  const asIs = Math.max(closeness(title, query), ...names.map((name) => closeness(name, query) - 0.5));
  if (asIs > 0) return asIs + 3;
  const has = (/** @type {string} */ text) => inWords(words, wordsOf(text), slips);
  if (has(title)) return 3;
  if (has([title, ...names].join(" "))) return 2;
  return has([title, ...names, more].join(" ")) ? 1 : asIs;
}

/**
 * The places that answer a query: what is called so, then pages, lessons and words, the closest of each
 * first; the listed ones while there is none. A slip is only looked past where nothing is found without.
 * @param {Place[]} places
 * @param {string} query folded
 * @returns {Place[]}
 */
export function answers(places, query) {
  if (!query) return places.filter((one) => one.listed);
  const words = wordsOf(query, true);
  for (const slips of [0, 1]) {
    const found = places.map((one) => ({ one, close: answering(one, query, words, slips) }))
      .filter(({ close }) => close > -0.6);
    const rank = ({ one, close }) => (close === 6 ? 30 : close > 0 ? 10 * kind(one) : 0) + close;
    if (found.length) return found.sort((a, b) => rank(b) - rank(a)).slice(0, MOST).map(({ one }) => one);
  }
  return [];
}

export default define(style, (env) => {
  let payload = null;
  let at = 0; // the option that Enter opens

  const list = el("div", { class: "list", role: "listbox", id: "found" });
  const field = el("input", {
    type: "text", class: "field", role: "combobox", autocomplete: "off", spellcheck: "false",
    "aria-expanded": "true", "aria-controls": "found", "aria-autocomplete": "list",
  });
  const none = el("p", { class: "none", role: "status", "aria-live": "polite" });
  const dialog = el("dialog", {}, field, list, none);
  env.host.append(dialog);
  const outside = () => /** @type {HTMLElement} */ (
    /** @type {ShadowRoot} */ (env.host.getRootNode()).host);

  const query = () => folded(field.value.trim().normalize("NFC"));
  const options = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=option]")]);

  const open = () => {
    outside().classList.add("open");
    if (!dialog.open) dialog.showModal();
    field.value = "";
    draw();
    field.focus();
  };
  dialog.addEventListener("close", () => outside().classList.remove("open"));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  const follow = (place) => (event) => {
    if (event instanceof MouseEvent && !plain(event)) return;
    event.preventDefault();
    dialog.close();
    visit(place.page, place.shows);
  };

  /**
   * @param {Place} place
   * @param {number} n
   * @returns {HTMLElement}
   */
  function option(place, n) {
    const words = markedWords(place.title, query()).map(([part, hit]) => (hit ? el("mark", {}, part) : part));
    return el("a", {
      role: "option", id: `found-${n}`, class: "option", tabindex: "-1", onclick: follow(place),
      href: place.page + (place.shows ? `?${new URLSearchParams(place.shows)}` : ""),
      onpointermove: () => reach(n),
    }, el("span", {}, ...words), el("span", { class: "group" }, place.group));
  }

  function draw() {
    const found = answers(payload.places, query());
    list.replaceChildren(...found.map(option));
    none.textContent = found.length ? "" : fill(payload.labels.none, { query: field.value.trim() });
    reach(0);
  }

  function reach(n) {
    const all = options();
    at = Math.max(0, Math.min(n, all.length - 1));
    all.forEach((one, i) => one.setAttribute("aria-selected", String(i === at)));
    field.setAttribute("aria-activedescendant", all.length ? `found-${at}` : "");
  }

  field.addEventListener("input", draw);
  field.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      reach(at + by);
      options()[at]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      options()[at]?.click();
    }
  });

  const keys = (event) => {
    if (event.key?.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    if (event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  };
  document.addEventListener("keydown", keys);
  document.addEventListener(FIND, open);

  return {
    update(next) {
      payload = next;
      field.placeholder = next.labels.field;
      field.setAttribute("aria-label", next.labels.field);
      list.setAttribute("aria-label", next.labels.field);
    },
    destroy() {
      document.removeEventListener("keydown", keys);
      document.removeEventListener(FIND, open);
    },
  };
});

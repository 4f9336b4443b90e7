// The search of the whole app, from the keyboard or the run bar. Its index is fetched when it is first
// opened, and again in another language.

import { Question } from "../shared/answers.js";
import { define } from "../shared/component.js";
import { el, fill } from "../shared/dom.js";
import { FIND, folded, markedWords } from "../shared/finding.js";
import { plain, visit } from "../shared/moving.js";
import { answers, indexed } from "./places.js";
import style from "./search.css.js";

/** @typedef {import("./places.js").Place} Place */
/** @typedef {import("./places.js").Index} Index */

/** @type {{ address: string, index: Index | null }} */
const KEPT = { address: "", index: null }; // for all pages, until the language is another

export default define(style, (env) => {
  let payload = null;
  /** @type {Index | null} */
  let index = null;
  let at = 0; // the option that Enter opens

  const list = el("div", { class: "list", role: "listbox", id: "found" });
  const field = el("input", {
    type: "text", class: "field", role: "combobox", autocomplete: "off", spellcheck: "false",
    "aria-expanded": "true", "aria-controls": "found", "aria-autocomplete": "list",
  });
  const none = el("p", { class: "none", role: "status", "aria-live": "polite" });
  // A phone has no Escape, and its keyboard covers most of what lies around.
  const close = el("button", { type: "button", class: "close", onclick: () => dialog.close() }, "×");
  const dialog = el("dialog", {}, el("div", { class: "top" }, field, close), list, none);
  env.host.append(dialog);
  const outside = () => /** @type {HTMLElement} */ (
    /** @type {ShadowRoot} */ (env.host.getRootNode()).host);

  const asking = new Question((bytes) => {
    index = indexed(JSON.parse(new TextDecoder().decode(bytes)));
    Object.assign(KEPT, { address: payload.index, index });
    draw();
  }, () => {}, () => { none.textContent = payload.labels.lost; });

  const options = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=option]")]);

  const open = () => {
    outside().classList.add("open");
    if (!dialog.open) dialog.showModal();
    field.value = "";
    index = KEPT.address === payload.index ? KEPT.index : null;
    if (!index) asking.ask(payload.index);
    draw();
    field.focus();
  };
  dialog.addEventListener("close", () => outside().classList.remove("open"));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  const follow = (place) => (event) => {
    if (event instanceof MouseEvent && !plain(event)) return;
    event.preventDefault();
    dialog.close();
    visit(place.page, place.shows, place.section);
  };

  /**
   * @param {Place} place
   * @param {number} n
   * @returns {HTMLElement}
   */
  function option(place, n) {
    const typed = folded(field.value.trim().normalize("NFC"));
    const words = markedWords(place.title, typed).map(([part, hit]) => (hit ? el("mark", {}, part) : part));
    const means = "term" in (place.shows ?? {}) ? el("span", { class: "means" }, place.text ?? "") : "";
    return el("a", {
      role: "option", id: `found-${n}`, class: "option", tabindex: "-1", onclick: follow(place),
      href: place.page + (place.shows ? `?${new URLSearchParams(place.shows)}` : ""),
      onpointermove: () => reach(n),
    }, el("span", { class: "title" }, ...words), el("span", { class: "group" }, place.group), means);
  }

  function draw() {
    const found = index ? answers(index, field.value) : [];
    list.replaceChildren(...found.map(option));
    none.textContent = found.length || !index ? "" : fill(payload.labels.none, { query: field.value.trim() });
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
  document.addEventListener("keydown", keys, { signal: env.ends });
  document.addEventListener(FIND, open, { signal: env.ends });

  return {
    update(next) {
      payload = next;
      field.placeholder = next.labels.field;
      field.setAttribute("aria-label", next.labels.field);
      list.setAttribute("aria-label", next.labels.field);
      close.setAttribute("aria-label", next.labels.close);
    },
    destroy: () => asking.end(),
  };
});

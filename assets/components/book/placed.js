// Components in their places, and texts: the book mounts what Streamlit mounts in the app.

import { el, rich } from "../shared/dom.js";
import { packed } from "../shared/payload.js";

const MATHS = "http://www.w3.org/1998/Math/MathML";

/**
 * Elements of a text that came as a tree (core/lessons/book/words.py).
 * @param {any[]} parts
 * @returns {Node[]}
 */
export const made = (parts) => parts.map((part) => {
  if (typeof part === "string") return document.createTextNode(part);
  const [name, attributes, ...inside] = part;
  const node = name.startsWith("math:") ? document.createElementNS(MATHS, name.slice(5)) : el(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...made(inside));
  return node;
});

export class Place {
  /**
   * Where components stand until others do.
   * @param {Record<string, (component: any) => (() => void)>} components by their names
   * @param {string} language
   * @param {(key: string, what: string, value: any) => void} told what is done in them
   */
  constructor(components, language, told) {
    this.components = components;
    this.told = told;
    this.own = language === "en" ? {} : { language };
    /** @type {(() => void)[]} */
    this.leaving = [];
  }

  /**
   * Mount a component.
   * @param {Node & ParentNode} into
   * @param {string} folder
   * @param {Record<string, any>} header
   * @param {Record<string, import("../shared/payload.js").Numbers>} [arrays]
   * @returns {(header: Record<string, any>) => void} shows it anew
   */
  mount(into, folder, header, arrays = {}) {
    const [host, parentElement] = [el("div"), el("div")]; // its names and styles are its own
    host.attachShadow({ mode: "open" }).append(parentElement);
    into.append(host);
    const hears = (what, value) => this.told(header.key, what, value);
    const show = (next) => this.components[folder](
      { parentElement, data: packed({ ...this.own, ...next }, arrays), more: { hears } });
    this.leaving.push(show(header));
    return show;
  }

  /** All of them go. */
  clear() {
    for (const leave of this.leaving.splice(0)) leave();
  }
}

/**
 * Draw a figure.
 * @param {HTMLElement} slot
 * @param {any} figure its parts; none where nothing but its place is seen
 * @param {Record<string, any>} arrays
 * @param {Place} place
 * @param {Record<string, string>} labels
 */
export function drawFigure(slot, { parts, title, notes, reading, problem }, arrays, place, labels) {
  place.clear();
  slot.replaceChildren();
  if (problem) slot.append(el("p", { class: "book-problem" }, problem));
  else if (!parts.length) {
    slot.append(el("div", { class: "glass-covered", role: "img", "aria-label": labels.covered },
      el("p", {}, title), el("p", {}, "?")));
  }
  for (const { folder, header, arrays: names } of parts) {
    const own = Object.fromEntries(Object.entries(names).map(([name, held]) => [name, arrays[held]]));
    place.mount(slot, folder, header, own);
  }
  for (const note of notes ?? []) slot.append(el("p", { class: "glass-source" }, note));
  if (reading) slot.append(el("p", { class: "glass-reading" }, ...rich(reading)));
}

/**
 * Controls of which each has a few values.
 * @param {HTMLElement} into
 * @param {{ name: string, label: string, options: string[] }[]} controls
 * @param {string} chosen of each the place, "0,2"
 * @param {(chosen: string) => void} changed
 */
export function handsOf(into, controls, chosen, changed) {
  const places = chosen.split(",").map(Number);
  const choose = (at, n) => changed(places.map((one, other) => (other === at ? n : one)).join(","));
  const option = (at) => (text, n) => {
    const input = el("input", {
      type: "radio", name: `hand-${at}`, onchange: () => choose(at, n) });
    input.checked = places[at] === n;
    return el("label", {}, input, el("span", {}, text));
  };
  const had = [...into.querySelectorAll("input")].findIndex((one) => one === document.activeElement);
  into.replaceChildren(...controls.map(({ name, label, options }, at) =>
    el("fieldset", { class: `hand-${name}` }, el("legend", {}, label), ...options.map(option(at)))));
  if (had >= 0) into.querySelectorAll("input")[had].focus();
}

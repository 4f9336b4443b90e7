// The way past everything to a figure, for who goes by keyboard: the first stop of the page.

import { el } from "./dom.js";
import { reachable } from "./keyboard.js";
import { SHARED } from "./selection.js";

const CELLS = ".picks [tabindex='0'], [role=application], [role=listbox] [tabindex='0']";
const MENU = ".save *"; // under a figure

/** @type {Set<{ host: HTMLElement, figure?: string }>} on the page */
const figures = new Set();
/** @type {HTMLElement | null} that leads there */
let button = null;

const follow = () => button?.toggleAttribute("hidden", !figures.size);

/**
 * A figure has come, or stands under another name.
 * @param {{ host: HTMLElement, figure?: string }} one
 */
export function came(one) {
  if (one.figure) figures.add(one);
  else figures.delete(one);
  follow();
}

/**
 * A component has gone.
 * @param {{ host: HTMLElement }} one
 */
export function went(one) {
  figures.delete(one);
  follow();
}

/**
 * Offer the way before everything else on the page.
 * @param {string} words
 */
export function offerWay(words) {
  button ??= el("button", { type: "button", class: "glass-skip", onclick: () => toFigure() });
  button.textContent = words;
  if (!button.isConnected) document.body.prepend(button);
  follow();
}

// Where it stands on the page, in its order.
const before = ({ host: a }, { host: b }) => a.getBoundingClientRect().top - b.getBoundingClientRect().top;

/**
 * Give the keyboard to a figure: to its cells, or what can be reached in it first.
 * @param {string} [name] of the figure; else the one in which something is picked, or the first
 */
export function toFigure(name) {
  const seen = [...figures].filter(({ host }) => host.checkVisibility()).sort(before);
  const one = seen.find(({ figure }) => figure === name)
    ?? seen.find(({ figure }) => figure && SHARED.picking[figure]) ?? seen[0];
  if (!one) return;
  const cells = /** @type {HTMLElement[]} */ ([...one.host.querySelectorAll(CELLS)])
    .find((cell) => cell.checkVisibility());
  const stop = cells ?? reachable(one.host).find((each) => !each.matches(MENU)) ?? one.host;
  if (stop === one.host) stop.setAttribute("tabindex", "-1");
  stop.focus();
}

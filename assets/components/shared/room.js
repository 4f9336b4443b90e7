// What is left of the screen for a figure in a lecture: there it ends, with what is said of it, where
// the screen does.

import { zoomOf } from "./canvas.js";
import { scroller } from "./scrolling.js";

const LECTURED = 1.2; // times as large as elsewhere, type of a lecture
const EDGE = 1; // rem that stay free at the end of the screen
const KEPT = ".glass-reading, input, button"; // further text may be scrolled to
const SMALL = 0.2; // of the screen: what is no higher is no figure of its own
const PLOT = ".main-svg"; // of a plot on the page

/**
 * The page is projected.
 * @param {Element} node
 * @returns {boolean}
 */
export const lectured = (node) => zoomOf(node) >= LECTURED;

/**
 * How much larger than elsewhere what has a size in pixels is drawn in a lecture.
 * @param {Element} node
 * @returns {number}
 */
export const larger = (node) => (lectured(node) ? zoomOf(node) : 1);

const outside = (node) => /** @type {ShadowRoot} */ (node.getRootNode()).host ?? node;
// What it stands in, also where that is a component: a figure that asks for itself has others in it.
const around = (node) => node.parentElement ?? /** @type {ShadowRoot} */ (node.getRootNode()).host ?? null;

/**
 * What a component stands in that grows downwards: columns and the page.
 * @param {Element} node
 * @returns {Element[]}
 */
export function standsIn(node) {
  const found = [];
  for (let at = around(outside(node)); at; at = around(at)) {
    if (getComputedStyle(at).flexDirection === "column") found.push(at);
  }
  return found;
}

const isFigure = (node) => Boolean(node.querySelector(PLOT))
  || [node, ...node.querySelectorAll("div")].some(({ shadowRoot }) => shadowRoot);

// How high what stands below it in its column is, as far as the next figure: readings and controls.
function beneath(node) {
  let sum = 0;
  for (let at = outside(node); around(at); at = around(at)) {
    const { flexDirection, rowGap } = getComputedStyle(around(at));
    if (flexDirection !== "column") continue; // side by side
    for (let next = at.nextElementSibling; next; next = next.nextElementSibling) {
      const { offsetHeight: height } = /** @type {HTMLElement} */ (next);
      const ours = height > 0 && isFigure(next);
      if (ours && height > SMALL * globalThis.innerHeight) return sum;
      if (getComputedStyle(next).display === "none") continue;
      sum += parseFloat(rowGap) || 0; // what is empty has it too
      if (ours || next.querySelector(KEPT)) sum += height;
    }
  }
  return sum;
}

/**
 * Pixels from where something begins to where it should end, in a lecture.
 * @param {Element} node of a component
 * @returns {number}
 */
export function roomOf(node) {
  const above = scroller(node)?.scrollTop ?? globalThis.scrollY;
  const top = node.getBoundingClientRect().top + above;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return globalThis.innerHeight - Math.max(0, top) - beneath(node) - EDGE * rem;
}

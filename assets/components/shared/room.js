// What is left of the screen for a figure in a lecture: there it ends, with what is said of it, where
// the screen does.

import { zoomOf } from "./canvas.js";
import { scroller } from "./scrolling.js";
import { SHARED } from "./selection.js";

const LECTURED = 1.2; // times as large as elsewhere, type of a lecture
const EDGE = 1; // rem that stay free at the end of the screen
const KEPT = ".glass-reading, .told, input, button"; // further text may be scrolled to
const SMALL = 0.2; // of the screen: what is no higher is no figure of its own
const ASKING = ".glass"; // the figure that it is drawn in, with its sentences below
const PLOT = ".main-svg"; // of a plot on the page
const ENOUGH = 0.3; // of the screen, below which a figure has a screen of its own
const ABOVE = 2.6; // rem above what is turned to: the way out, and which scene it is
export const FIT = "glassformer:fit"; // what is left of the screen is another part of it

/** @type {Set<WeakRef<Element>>} what takes all the room there is */
const GROWING = new Set();
const KNOWN = new WeakSet();

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/** @returns {number} pixels that stay free above what a lecture is turned to */
export const headRoom = () => ABOVE * rem();

/**
 * Whether something within takes all the room there is.
 * @param {Element} node
 * @returns {boolean}
 */
export function grows(node) {
  return [...GROWING].some((ref) => {
    /** @type {Element | null} */
    let at = ref.deref() ?? null;
    if (!at?.isConnected) {
      GROWING.delete(ref);
      return false;
    }
    if (!at.checkVisibility()) return false;
    while (at && at !== node) at = at.assignedSlot ?? at.parentElement ?? within(at) ?? null;
    return at === node;
  });
}

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

const within = (node) => /** @type {ShadowRoot} */ (node.getRootNode()).host;
const outside = (node) => within(node) ?? node;

/**
 * What a component stands in that grows downwards: columns and the page.
 * @param {Element} node
 * @returns {Element[]}
 */
export function standsIn(node) {
  const found = [];
  for (let at = outside(node).parentElement; at; at = at.parentElement ?? within(at)) {
    if (getComputedStyle(at).flexDirection === "column") found.push(at);
  }
  return found;
}

const isFigure = (node) => Boolean(node.querySelector(PLOT))
  || [node, ...node.querySelectorAll("div")].some(({ shadowRoot }) => shadowRoot);

// How high what stands below it in its column is, as far as the next figure: readings and controls.
function beneath(node) {
  let sum = 0;
  for (let at = outside(node); at; at = at.parentElement ?? within(at)) {
    const parent = at.parentElement;
    if (!parent) continue;
    const { flexDirection, rowGap } = getComputedStyle(parent);
    if (flexDirection !== "column" && !parent.matches(ASKING)) continue; // side by side
    for (let next = at.nextElementSibling; next; next = next.nextElementSibling) {
      const { offsetHeight: height } = /** @type {HTMLElement} */ (next);
      const ours = height > 0 && isFigure(next);
      if (ours && height > SMALL * globalThis.innerHeight) return sum;
      const { display, marginTop } = getComputedStyle(next);
      if (display === "none") continue;
      sum += parseFloat(rowGap) || 0; // what is empty has it too
      if (ours || next.matches(KEPT) || next.querySelector(KEPT)) sum += height + parseFloat(marginTop);
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
  if (!KNOWN.has(node)) {
    KNOWN.add(node);
    GROWING.add(new WeakRef(node));
  }
  const above = scroller(node)?.scrollTop ?? globalThis.scrollY;
  const top = node.getBoundingClientRect().top + above;
  const start = SHARED.scenes?.startOf(top) ?? 0;
  const room = globalThis.innerHeight - beneath(node) - EDGE * rem();
  const left = room - Math.max(0, start ? top - start + headRoom() : top);
  if (left >= ENOUGH * globalThis.innerHeight || !SHARED.scenes) return left;
  return room - headRoom() - (top - above - figureOf(node).getBoundingClientRect().top);
}

// What it stands in that has a place of its own on the page.
function figureOf(node) {
  let at = outside(node);
  for (let next = within(at); next; next = within(at)) at = next;
  return at;
}

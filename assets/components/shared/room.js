// What is left of the screen for a figure in a lecture: there it ends, with what is said of it, where
// the screen does.

import { zoomOf } from "./canvas.js";
import { SHARED } from "./selection.js";
import { content, main } from "./streamlit.js";

const LARGER = 1.2; // times as large as elsewhere, type of a lecture
const EDGE = 1; // rem that stay free at the end of the screen
const LEAST = 0.3; // of the screen, height of what grows: lower it could not be read
const ABOVE = 2.6; // rem above what is turned to: the way out, and which scene it is
export const LECTURED = 0.58; // of the screen, height that a plot has in a lecture at least
export const FIT = "glassformer:fit"; // what is left of the screen is another part of it

/** @type {Set<WeakRef<Element>>} what takes all the room there is */
const GROWING = new Set();
/** @type {WeakMap<Element, number>} pixels */
const NEEDED = new WeakMap();

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/** @returns {number} pixels that stay free above what a lecture is turned to */
export const headRoom = () => ABOVE * rem();

const within = (node) => /** @type {ShadowRoot} */ (node.getRootNode()).host;

/**
 * What an element stands in, out of shadow roots too.
 * @param {Element} node
 * @returns {Element | null}
 */
export const up = (node) => node.assignedSlot ?? node.parentElement ?? within(node) ?? null;

/** @type {Map<Element, number>} what stays in sight while what stands beside it is turned: pixels that it is moved by */
export const MOVED = new Map();

/**
 * Pixels that an element is below where it stands on the page.
 * @param {Element} node
 * @returns {number}
 */
export function movedBy(node) {
  for (let at = /** @type {Element | null} */ (node); MOVED.size && at; at = up(at)) {
    const by = MOVED.get(at);
    if (by !== undefined) return by;
  }
  return 0;
}

/** @returns {Element[]} what takes all the room there is, where it is seen */
export function growing() {
  return [...GROWING].flatMap((ref) => {
    const node = ref.deref();
    if (!node?.isConnected) GROWING.delete(ref);
    return node?.isConnected && node.checkVisibility() ? [node] : [];
  });
}

/**
 * Pixels that something which grows needs in any case; 0 for all else.
 * @param {Element} node
 * @returns {number}
 */
export const leastOf = (node) => NEEDED.get(node) ?? 0;

/**
 * The page is projected.
 * @param {Element} node
 * @returns {boolean}
 */
export const lectured = (node) => zoomOf(node) >= LARGER;

/**
 * How much larger than elsewhere what has a size in pixels is drawn in a lecture.
 * @param {Element} node
 * @returns {number}
 */
export const larger = (node) => (lectured(node) ? zoomOf(node) : 1);

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

// How high what stands below it is, as far as its scene goes.
function beneath(node) {
  let sum = 0;
  for (let at = /** @type {any} */ (node); at && at !== content(); at = up(at)) {
    const own = at.getBoundingClientRect();
    let end = own.bottom;
    for (const next of at.parentNode?.children ?? []) {
      const { left, right, top, bottom } = next.getBoundingClientRect();
      const below = top >= own.bottom - 1 && left < own.right && right > own.left && bottom > top;
      if (below && !SHARED.scenes?.later(next, node)) end = Math.max(end, bottom);
    }
    sum += end - own.bottom;
  }
  return sum;
}

/**
 * Pixels from where something begins to where it should end, in a lecture.
 * @param {Element} node of a component
 * @param {number} [least] pixels that it needs
 * @returns {number}
 */
export function roomOf(node, least = LEAST * globalThis.innerHeight) {
  if (!NEEDED.has(node)) GROWING.add(new WeakRef(node));
  NEEDED.set(node, least);
  const start = SHARED.scenes?.startOf(node) ?? 0;
  const top = node.getBoundingClientRect().top - movedBy(node) + (main()?.scrollTop ?? globalThis.scrollY) - start + (start ? headRoom() : 0);
  return Math.max(least, globalThis.innerHeight - beneath(node) - EDGE * rem() - Math.max(0, top));
}

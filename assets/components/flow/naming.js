// Names above columns that are often narrower than their names: none touches another, each stands above
// its own column, and where there is no room for all the less important ones are left out.

import { spread } from "../shared/canvas.js";

const NEAR = 12; // pixels between a name and the middle of what it names, of a short name

/**
 * A name: `middle` of what it names, `width` in pixels, and `rank`: what has a higher one is left out
 * before what has a lower one; it may stand `loose` pixels aside of what it names; `most` pixels of it
 * are drawn, where it was cut.
 * @typedef {{ middle: number, width: number, rank: number, loose?: number, most?: number }
 *   & Record<string, any>} Name
 */

// Whether each of them is above what it names.
const isAbove = (names, middles) => names.every(({ middle, width, loose = 0 }, n) =>
  Math.abs(middles[n] - middle) <= Math.max(NEAR, width / 2 - 2) + loose);

// All of them in one line; null where one is too far from its place, or there is no room.
function inOne(names, from, to, gap) {
  const middles = spread(names, from, to, gap);
  if (!middles || !isAbove(names, middles)) return null;
  return names.map((one, n) => ({ ...one, middle: middles[n], most: Infinity, line: 0 }));
}

/**
 * The names that there is room for, with their places.
 * @param {Name[]} names from left to right
 * @param {{ from: number, to: number, gap: number }} room pixels; the gap stands between any two
 * @param {{ lower?: (name: Name) => boolean, short?: (name: Name) => Name, least?: (name: Name) => Name }} [how]
 *   which names stand in the lower of two lines, where one has no room; what a name is in short, and at
 *   the worst
 * @returns {(Name & { line: number })[]} line 0 is the lower one
 */
export function laid(names, { from, to, gap }, { lower, short, least } = {}) {
  const ranks = [...new Set(names.map(({ rank }) => rank))].sort((a, b) => b - a);
  for (const most of ranks) {
    const some = names.filter(({ rank }) => rank <= most);
    const found = inOne(some, from, to, gap) ?? (short ? inOne(some.map(short), from, to, gap) : null);
    if (found) return found;
    if (!lower) continue;
    const lines = [some.filter(lower), some.filter((one) => !lower(one))].map((own) => inOne(own, from, to, gap));
    if (lines[0] && lines[1]) return [...lines[0], ...lines[1].map((one) => ({ ...one, line: 1 }))];
  }
  // The most important ones stand where there is room, and at the worst each within its own place.
  const last = names.filter(({ rank }) => rank === ranks.at(-1)).map((one) => least?.(one) ?? one);
  const middles = spread(last, from, to, gap);
  return last.map((one, n) => ({ ...one, line: 0, ...(middles && { middle: middles[n], most: Infinity }) }));
}

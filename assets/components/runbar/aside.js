// A text and a figure side by side that do not fit the screen together: one of them stays in sight while
// the other is turned, so that nobody sees a question without what it asks about.

import { MOVED, up } from "../shared/room.js";
import { placed } from "./blocks.js";

const SIDES = ":is([data-layout='split'], [data-layout='beside'])";

/** @typedef {import("./blocks.js").Block} Block */
/**
 * @typedef {object} Aside
 * @property {HTMLElement} side that stays
 * @property {HTMLElement} turned what stands beside it
 * @property {Block[]} blocks of the side
 * @property {number} high pixels
 */

/**
 * Whether an element stands in another one, in a shadow root too.
 * @param {Element} around
 * @param {Element} node
 */
export function within(around, node) {
  for (let at = /** @type {Element | null} */ (node); at; at = up(at)) if (at === around) return true;
  return false;
}

/**
 * What can stay: the figure where it has room, else the text.
 * @param {Block[]} blocks
 * @param {number} room of a scene
 * @returns {Aside[]}
 */
export function asidesOf(blocks, room) {
  return [...document.querySelectorAll(SIDES)].flatMap(({ children }) => {
    const sides = [...children].reverse().map((side) => {
      const own = blocks.filter(({ node }) => within(side, node));
      return { side, blocks: own, high: Math.max(...own.map(({ to }) => to)) - Math.min(...own.map(({ from }) => from)) };
    });
    const [figure, text] = sides;
    if (sides.length !== 2 || !figure.blocks.length || !text.blocks.length) return [];
    if (placed(text.side).right > placed(figure.side).left) return []; // one below the other
    const stays = sides.find(({ high }) => high <= room);
    return stays ? [/** @type {Aside} */ ({ ...stays, turned: stays === figure ? text.side : figure.side })] : [];
  });
}

/** Everything stands where the page has it. */
export function letGo() {
  for (const side of MOVED.keys()) /** @type {HTMLElement} */ (side).style.translate = "";
  MOVED.clear();
}

/**
 * Bring a side to where a scene begins.
 * @param {HTMLElement} side
 * @param {number} begin pixels of the page
 */
export function bring(side, begin) {
  const by = begin - placed(side).top;
  MOVED.set(side, by);
  side.style.translate = `0 ${by}px`;
}

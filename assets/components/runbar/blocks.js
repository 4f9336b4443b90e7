// What stands on a page from top to bottom, and how little room it can do with: what grows may be as low
// as it can be read.

import { growing, leastOf, movedBy, up } from "../shared/room.js";
import { content, isRow, main, placeOf } from "../shared/streamlit.js";

const OVER = 0.9; // of a screen, by which one turns in what is higher than it
const TITLES = "h1, h2, h3";

/**
 * A part of the page.
 * @typedef {object} Block
 * @property {HTMLElement} node
 * @property {number} skips pixels of it that an earlier part of it shows
 * @property {number} from where it would begin, were all that grows as low as it can be: pixels of the page
 * @property {number} to where it would end then
 * @property {boolean} grows it takes the room there is
 * @property {boolean} titled it has a title
 * @property {boolean} title it is nothing else
 * @property {() => Block[]} parts of it
 * @property {HTMLElement} [of] what it stays in sight with, where its scene is another one
 * @property {{ node: HTMLElement, to: number } | undefined} row that it stands in or that is in it: of figures side by side
 */

const inside = (node) => [...(node.shadowRoot ?? node).children]
  .flatMap((one) => (one instanceof HTMLSlotElement ? one.assignedElements() : [one]));

const flows = (node) => {
  const { display, position } = getComputedStyle(node);
  return display !== "none" && !["fixed", "absolute"].includes(position);
};

/**
 * Where an element is, in pixels of the page.
 * @param {Element} node
 * @returns {{ node: any, left: number, right: number, top: number, bottom: number, high: number }}
 */
export function placed(node) {
  const above = (main()?.scrollTop ?? 0) - movedBy(node);
  const { left, right, top, height } = node.getBoundingClientRect();
  const high = Math.max(height, node.scrollHeight); // a text may go on below
  return { node, left, right, top: top + above, bottom: top + above + high, high };
}

/**
 * What stands on the page, as large as can be turned to at once.
 * @param {number} room of a scene
 * @returns {Block[]}
 */
export function blocksOf(room) {
  const grown = new Set(); // what grows, and all that it stands in
  for (const one of growing()) {
    for (let at = /** @type {Element | null} */ (one); at && !grown.has(at); at = up(at)) grown.add(at);
  }

  const wide = [...grown].filter(isRow);
  // Columns, and what they hold: all in a row are as high as the highest.
  const columns = new Set(wide.flatMap(({ children }) => [...children].flatMap((one) => [one, ...one.children])));
  const rows = wide.filter((node) => [...node.children].every((one) => grown.has(one)));

  // What stands within: below what is lower than now it would stand so much higher.
  function laid(node) {
    const found = [];
    for (const one of inside(node).filter(flows).map(placed).sort((a, b) => a.top - b.top)) {
      const over = found.filter(({ top, left, right }) => top < one.top && left < one.right && right > one.left);
      const lowest = (end) => Math.max(...over.map((other) => other[end]));
      const lift = over.length ? lowest("bottom") - lowest("to") : 0;
      found.push({ ...one, from: one.top - lift, to: one.top - lift + least(one) });
    }
    return found;
  }

  function least({ node, top, high }) {
    if (!grown.has(node) && !columns.has(node)) return high;
    const own = leastOf(node);
    if (own) return Math.min(high, own);
    const foot = parseFloat(getComputedStyle(node).paddingBottom);
    return Math.max(top, ...laid(node).map(({ to }) => to)) - top + foot;
  }

  function apart({ node, top, from, to }, row = rows.includes(node) ? { node, to } : undefined) {
    const lift = from - top;
    return laid(node).flatMap((part) => within({ ...part, from: part.from + lift, to: part.to + lift }, row));
  }

  function within(one, row) {
    const { node, top, bottom, from, to } = one, high = to - from;
    const whole = node !== content() && getComputedStyle(node).display !== "contents" && high <= room;
    const blocks = whole ? [] : apart(one, row);
    if (blocks.length) return blocks;
    if (bottom - top < 1) return [];
    const inIt = rows.find((other) => node.contains(other));
    const title = node.matches(TITLES) ? node : node.querySelector(TITLES);
    const sections = placeOf("sections"); // says which section of a page this is
    const deck = sections && (sections.contains(node) || node.contains(sections));
    const about = {
      grows: grown.has(node),
      row: row ?? (inIt && { node: inIt, to }),
      titled: Boolean(title ?? deck),
      title: Boolean(title ?? deck) && (title?.textContent ?? "").trim() === node.textContent.trim(),
      parts: () => apart(one, row),
    };
    // What cannot be taken apart is turned like a page of a book.
    const step = OVER * room, pieces = high > room ? Math.ceil(high / step) : 1;
    return Array.from({ length: pieces }, (_, n) => ({
      node, ...about, skips: n * step, from: from + n * step, to: n < pieces - 1 ? from + (n + 1) * step : to,
    }));
  }

  const page = placed(/** @type {HTMLElement} */ (content()));
  return within({ ...page, from: page.top, to: page.bottom }).sort((a, b) => a.from - b.from);
}

// The names of places in the link (core/models/places.py), and which item or part each is.

/** @typedef {Record<string, any>} Item of the drawing */

const LAST = /(?:^|\.)(?:(?:cross|forward|backward)\.)?[a-z]+\d*$/; // a part, with what belongs to it
const ALONE = /(?:^|\.)(?:layer\d+|embeddings|words)/; // what is left is a place

/**
 * The name of an item's place in the link; empty for one that cannot be gone into.
 * @param {Item} item
 * @param {boolean} several towers there are
 * @returns {string}
 */
export function placeOf({ kind, tower, layer, first }, several) {
  const name = kind === "gap" ? `layer${layer}` : kind === "answer" ? "words" : first ? "embeddings" : "";
  return name && [several ? tower.name : "", name].filter(Boolean).join(".");
}

/**
 * The name of a part's place within its layer's.
 * @param {Item} part a head, the feed-forward network, or what a cell computes
 * @returns {string}
 */
export const partOf = ({ kind, piece, across, head, way }) =>
  (kind === "head" ? `${across ? "cross." : ""}head${head}` : way === undefined ? piece
    : [way, "cell"].filter(Boolean).join("."));

/**
 * Whether a place is another one, or lies in it.
 * @param {string} place
 * @param {string} other
 * @returns {boolean}
 */
export const liesIn = (place, other) => other !== "" && `${place}.`.startsWith(`${other}.`);

/**
 * The place around a place; empty for the whole.
 * @param {string} place
 * @returns {string}
 */
export function around(place) {
  const found = place.replace(LAST, "");
  return ALONE.test(found) ? found : "";
}

/**
 * The item that a place lies in, and the part of it.
 * @param {Item[]} items
 * @param {string} place
 * @param {boolean} several
 * @returns {{ item?: Item, part?: Item }}
 */
export function found(items, place, several) {
  const item = items.find((one) => liesIn(place, placeOf(one, several)) && (one.kind !== "gap" || one.parts.length));
  const part = item?.parts?.find((one) => one.goes && liesIn(place, `${placeOf(item, several)}.${partOf(one)}`));
  return { item, part };
}

/**
 * The places beside a place, in their order: layers beside a layer, parts of a layer beside a part.
 * @param {Item[]} items
 * @param {string} place
 * @param {boolean} several
 * @returns {string[]}
 */
export function beside(items, place, several) {
  const { item, part } = found(items, place, several);
  if (!item) return [];
  if (!part) return items.map((one) => placeOf(one, several)).filter(Boolean);
  const own = placeOf(item, several);
  return [...new Set(item.parts.filter(({ goes }) => goes).map((one) => `${own}.${partOf(one)}`))];
}

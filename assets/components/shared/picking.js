// What a question of a lesson lets the learner pick in a figure. The question offers it by the figure's
// name and the figure shows it: both are in the browser, so that picking costs no run on the server.

import { SHARED } from "./selection.js";

export const PICKED = "glassformer:picked";

/**
 * What can be picked in a figure, and what is. A place is counted row by row, or where one row is
 * asked about along that row.
 * @typedef {object} Picking
 * @property {string} figure
 * @property {[number, number]} shape rows and columns of the figure; a strip is one row
 * @property {number | null} row the only one that can be picked in; none for all of them
 * @property {boolean} [one] another pick takes the place of the first
 * @property {Set<number>} hers places that the learner has picked
 * @property {number[] | null} right the places to be picked, once she may know them
 * @property {Record<string, string>} labels
 * @property {(() => void) | null} changed called after every pick; none for a question that is over
 */
/**
 * How a place looks.
 * @typedef {object} Pick
 * @property {boolean} free it can be picked now
 * @property {boolean} picked
 * @property {boolean} hers it was picked, and all is known
 * @property {boolean} right
 */

const tell = (figure, began) =>
  document.dispatchEvent(new CustomEvent(PICKED, { detail: { figure, began } }));

/**
 * Let something be picked in a figure, or say how it was answered.
 * @param {Picking} picking
 */
export function offer(picking) {
  SHARED.picking[picking.figure] = picking;
  tell(picking.figure, true);
}

/**
 * Nothing of this can be picked any more; what another question has offered since stays.
 * @param {Picking | null} picking
 */
export function withdraw(picking) {
  if (!picking || SHARED.picking[picking.figure] !== picking) return;
  delete SHARED.picking[picking.figure];
  tell(picking.figure, true);
}

/**
 * @param {string | undefined} figure
 * @returns {Picking | null}
 */
export const pickingIn = (figure) => SHARED.picking[figure ?? ""] ?? null;

/**
 * Clicks in the figure are picks now.
 * @param {Picking | null} picking
 * @returns {boolean}
 */
export const underWay = (picking) => Boolean(picking?.changed);

/**
 * Its row and column as a place; none for what cannot be picked at all.
 * @param {Picking} picking
 * @param {number} i
 * @param {number} j
 * @returns {number | null}
 */
export function placeAt({ shape: [rows, cols], row }, i, j) {
  if (i >= rows || j >= cols || (row !== null && i !== row)) return null;
  return row === null ? i * cols + j : j;
}

/**
 * @param {Picking | null} picking
 * @param {number} i
 * @param {number} j
 * @returns {Pick}
 */
export function pickAt(picking, i, j) {
  const place = picking ? placeAt(picking, i, j) : null;
  if (!picking || place === null) return { free: false, picked: false, hers: false, right: false };
  const [free, hers] = [underWay(picking), picking.hers.has(place)];
  return { free, picked: free && hers, hers: !free && hers, right: Boolean(picking.right?.includes(place)) };
}

/**
 * Whoever cannot see it is told of an answer.
 * @param {Picking | null} picking
 * @param {Pick} pick
 * @returns {string}
 */
export function described(picking, { hers, right }) {
  if (!picking || !(hers || right)) return "";
  return picking.labels[hers && right ? "both" : hers ? "yours" : "right"];
}

/**
 * What is picked after one more pick, which may take one back.
 * @param {Set<number>} hers
 * @param {number} place
 * @param {boolean} [one] another pick takes the place of the first
 * @returns {Set<number>}
 */
export function picked(hers, place, one = false) {
  if (hers.has(place)) return new Set([...hers].filter((other) => other !== place));
  return new Set(one ? [place] : [...hers, place]);
}

/**
 * Pick a place, or take the pick back.
 * @param {Picking} picking
 * @param {number} i
 * @param {number} j
 */
export function toggle(picking, i, j) {
  const place = placeAt(picking, i, j);
  if (place === null || !picking.changed) return;
  picking.hers = picked(picking.hers, place, picking.one);
  picking.changed();
  tell(picking.figure, false);
}

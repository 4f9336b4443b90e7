// What a change makes of the state of the page, as its link says it (core/models/what_if.py,
// core/text/swaps.py): names joined by "+", swapped words by "~~".

import { SHARED } from "../shared/selection.js";

/** @typedef {Record<string, string | null>} Patch names and values; null takes one back */

const parts = (text, mark) => (text ?? "").split(mark).filter(Boolean);

/** @returns {{ off?: string, swap?: string }} what is changed now */
export const now = () => ({ off: SHARED.live?.value("off"), swap: SHARED.live?.value("swap") });

/**
 * @param {{ off?: string }} state
 * @returns {number} the temperature, 1 while nothing is said of it
 */
export const heatOf = ({ off }) => Number(/(?:^|\+)temperature([\d.]+)/.exec(off ?? "")?.[1] ?? 1);

/**
 * @param {{ off?: string }} state
 * @param {string} name
 * @returns {boolean} whether that is changed
 */
export const isOff = ({ off }, name) => parts(off, "+").includes(name);

const said = (names, most) => (names.length > most ? {} : { off: names.join("+") || null });

/**
 * Something taken away, or given back.
 * @param {{ off?: string }} state
 * @param {string} name
 * @param {number} most at once
 * @returns {Patch}
 */
export function turned({ off }, name, most) {
  const own = parts(off, "+");
  return said(isOff({ off }, name) ? own.filter((one) => one !== name) : [...own, name], most);
}

/**
 * One change less.
 * @param {{ off?: string, swap?: string }} state
 * @param {string} name
 * @returns {Patch}
 */
export function undone({ off, swap }, name) {
  const left = (text, mark) => parts(text, mark).filter((one) => one !== name).join(mark) || null;
  return { off: left(off, "+"), swap: left(swap, "~~") };
}

/**
 * A weight or a score of a row, or the temperature: in the place of what it was set to.
 * @param {{ off?: string }} state
 * @param {{ base: string, kind: string, value: number }} set
 * @param {number} most at once
 * @returns {Patch}
 */
export function setTo({ off }, { base, kind, value }, most) {
  const kinds = base ? ["weight", "score"] : [kind];
  const others = parts(off, "+").filter((one) => !kinds.some((of) => one.startsWith(`${base}${of}`)));
  const rounded = Number(value.toFixed(3));
  return said(kind === "temperature" && rounded === 1 ? others : [...others, `${base}${kind}${rounded}`], most);
}

/**
 * A word in the place of another; the row that is looked at is the last one again.
 * @param {{ swap?: string }} state
 * @param {{ n: number, was: string, new: string }} word
 * @param {number} most at once
 * @returns {Patch}
 */
export function swapped({ swap }, { n, was, new: given }, most) {
  const word = given.trim();
  const others = parts(swap, "~~").filter((one) => !one.startsWith(`${n}~`));
  const all = word === was ? others : [...others, `${n}~${was}~${word}`];
  if (!word || /[~\p{Cc}]/u.test(word) || all.length > most) return {};
  return { swap: all.join("~~") || null, token: null, source_token: null };
}

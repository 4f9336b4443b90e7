// Finding terms: by their names first, then by what is said of them. Capitals and accents do not count.

import { folded, inWords, wordsOf } from "../shared/finding.js";

/**
 * A term as pages/parts/words.py gives it.
 * @typedef {object} Term
 * @property {string} id
 * @property {string} term
 * @property {string[]} forms its other forms
 * @property {string} english what it is in English, where the page is not
 * @property {string} text what it means
 * @property {number[]} pages that use it
 */

/**
 * The term that a link names: by its id, or by one of its forms with hyphens.
 * @param {Term[]} terms
 * @param {string} name
 * @returns {Term | undefined}
 */
export function named(terms, name) {
  const hyphened = (form) => folded(form).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const wanted = hyphened(name);
  const has = (one) => [one.term, ...one.forms, one.english].some((form) => hyphened(form) === wanted);
  return terms.find((one) => one.id === name) ?? (wanted ? terms.find(has) : undefined);
}

/**
 * Those whose name has it, and those in whose meaning it is said; if there are none, those whose name
 * has its words, then with one slip in each.
 * @param {Term[]} terms
 * @param {string} query folded
 * @returns {[Term[], Term[]]}
 */
export function found(terms, query) {
  const has = (text) => folded(text).includes(query);
  const by = terms.filter((one) => [one.term, ...one.forms, one.english].some(has));
  const close = (one) => (folded(one.term) === query ? 2 : Number(folded(one.term).startsWith(query)));
  by.sort((a, b) => close(b) - close(a));
  const within = terms.filter((one) => !by.includes(one) && has(one.text));
  if (by.length || within.length) return [by, within];
  const words = wordsOf(query, true);
  const near = (/** @type {number} */ slips) => terms.filter((one) =>
    [one.term, ...one.forms, one.english].some((form) => inWords(words, wordsOf(form), slips)));
  const exact = near(0);
  return [exact.length ? exact : near(1), []];
}

// The first letter of a term, brackets left out; none where it begins with another sign.
const letter = (one) =>
  folded(one.term).match(/[\p{L}\p{N}]/u)?.[0].match(/[a-z]/)?.[0].toUpperCase() ?? "";

/**
 * Terms in the order of a language; those that begin with a sign come last.
 * @param {Term[]} terms
 * @param {string} language
 * @returns {Term[]}
 */
export function inOrder(terms, language) {
  const { compare } = new Intl.Collator(language, { ignorePunctuation: true, numeric: true });
  return [...terms].sort((a, b) =>
    Number(!letter(a)) - Number(!letter(b)) || compare(a.term, b.term));
}

/**
 * Terms in order, by their first letter.
 * @param {Term[]} terms
 * @returns {Map<string, Term[]>}
 */
export function lettered(terms) {
  const groups = new Map();
  for (const one of terms) groups.set(letter(one), [...(groups.get(letter(one)) ?? []), one]);
  return groups;
}

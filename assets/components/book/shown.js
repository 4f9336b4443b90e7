// What a screen of the book is made of, as the app's server tells it (lesson/blocks.js).

/** @typedef {import("../lesson/blocks.js").Block} Block */

/**
 * @param {any[]} words a text, as a tree
 * @returns {Block[]} nothing for none
 */
export const text = (words) => (words.length ? [{ kind: "words", words }] : []);

/**
 * @param {string} said plain words
 * @returns {Block[]} nothing for none
 */
export const paragraph = (said) => text(said ? [["p", {}, said]] : []);

/**
 * @param {string} say what is said small, beside
 * @returns {Block}
 */
export const small = (say) => ({ kind: "small", say });

/**
 * Controls of which each has a few values.
 * @param {string} scope
 * @param {{ name: string, label: string, options: string[] }[]} all
 * @param {string} chosen of each the place, "0,2"
 * @returns {Block}
 */
export function controlsOf(scope, all, chosen) {
  const places = chosen.split(",");
  const controls = all.map(({ name, label, options }, n) => ({
    name, label, kind: "choice", value: places[n], options: options.map((words, at) => [String(at), words]),
  }));
  return { kind: "controls", key: scope, scope, fields: all.map(({ name }) => ({ name })), controls };
}

/**
 * What is chosen of some controls, once another value of one is.
 * @param {{ name: string }[]} all
 * @param {string} chosen of each the place, "0,2"
 * @param {string} name of the one
 * @param {string} value its place
 * @returns {string}
 */
export const another = (all, chosen, name, value) =>
  chosen.split(",").map((place, n) => (all[n].name === name ? value : place)).join(",");

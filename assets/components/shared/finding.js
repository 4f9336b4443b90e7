// Finding words: capitals and accents do not count, and each sign keeps its place.

/** What asks for the search of the whole app, from wherever on the page. */
export const FIND = "glassformer-find";

/**
 * Without capitals and accents, each sign in its place.
 * @param {string} text
 * @returns {string}
 */
export const folded = (text) => [...text]
  .map((char) => char.normalize("NFD")[0].toLowerCase().padEnd(char.length).slice(0, char.length))
  .join("").replaceAll("’", "'");

/**
 * A text in parts, and whether each is what was searched for.
 * @param {string} text
 * @param {string} query folded
 * @returns {[string, boolean][]}
 */
export function marked(text, query) {
  if (!query) return [[text, false]];
  const all = folded(text);
  /** @type {[string, boolean][]} */
  const parts = [];
  let from = 0;
  for (let at = all.indexOf(query); at >= 0; at = all.indexOf(query, from)) {
    parts.push([text.slice(from, at), false], [text.slice(at, at + query.length), true]);
    from = at + query.length;
  }
  return [...parts, [text.slice(from), false]];
}

/**
 * How well a name answers what is searched for: 3 it is it, 2 it begins so, 1 a word of it does, 0 it is
 * somewhere within, -1 nowhere.
 * @param {string} name
 * @param {string} query folded
 * @returns {number}
 */
export function closeness(name, query) {
  const all = folded(name);
  if (all === query) return 3;
  if (all.startsWith(query)) return 2;
  const at = all.indexOf(query);
  if (at < 0) return -1;
  return new RegExp(`[^\\p{L}\\p{N}]${query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "u").test(all) ? 1 : 0;
}

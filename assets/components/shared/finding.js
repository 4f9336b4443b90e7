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

// Words of a question that say nothing of what is looked for, in the languages of the app.
export const IDLE = new Set(("a an the of to in is are it its be do does how what why which where when who i we "
  + "you my can and or work works by at on for with this that there mean means meaning explain vs used "
  + "up out from into so if they them he she has have was were will would should could about really "
  + "le la les l un une des du de d et ou est a sont que quoi qu qui quel quelle quels quelles comment pourquoi "
  + "au aux en fait faire marche fonctionne ce c cela il elle on se s sert pour par sur dans avec signifie veut "
  + "dire je n y ils elles leur sa ses mon ma mes cette ces etre ont ai as tu vous nous").split(" "));

/**
 * The words of a text; one with hyphens also without them.
 * @param {string} text
 * @param {boolean} [asked] it is a question: idle words are left out while there are others
 * @returns {string[]}
 */
export function wordsOf(text, asked = false) {
  const all = folded(text);
  const found = all.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!asked) {
    const joined = all.match(/[\p{L}\p{N}]+(-[\p{L}\p{N}]+)+/gu) ?? [];
    return [...found, ...joined.map((one) => one.replaceAll("-", ""))];
  }
  const telling = found.filter((word) => !IDLE.has(word));
  return telling.length ? telling : found;
}

/**
 * Whether one sign more, less, or other makes a word the beginning of another.
 * @param {string} word
 * @param {string} there
 * @returns {boolean}
 */
export function nearly(word, there) {
  let at = 0;
  while (at < word.length && word[at] === there[at]) at += 1;
  const rest = word.slice(at);
  const left = there.slice(at);
  return at > 0 && (left.slice(1).startsWith(rest) || left.startsWith(rest.slice(1))
    || left.slice(1).startsWith(rest.slice(1))
    || (rest[0] === left[1] && rest[1] === left[0] && left.slice(2).startsWith(rest.slice(2))));
}

/**
 * Whether each word asked for begins one of the others; a plural asks for its singular, too.
 * @param {string[]} asked
 * @param {string[]} words
 * @param {number} slips in each that has five letters or more: one or none
 * @returns {boolean}
 */
export function inWords(asked, words, slips) {
  return asked.length > 0 && asked.every((word) => words.some((one) =>
    one.startsWith(word) || (word.length > 3 && word === `${one}s`)
      || (slips > 0 && word.length > 4 && nearly(word, one))));
}

/**
 * A text in parts, and whether each is what was searched for: as it was typed, or word by word.
 * @param {string} text
 * @param {string} query folded
 * @returns {[string, boolean][]}
 */
export function markedWords(text, query) {
  const whole = marked(text, query);
  const words = wordsOf(query, true);
  if (whole.length > 1 || !words.length) return whole;
  const parts = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "gu");
  /** @type {[string, boolean][]} */
  const found = [];
  let from = 0;
  for (const { index, 0: hit } of folded(text).matchAll(parts)) {
    found.push([text.slice(from, index), false], [text.slice(index, index + hit.length), true]);
    from = index + hit.length;
  }
  return [...found, [text.slice(from), false]];
}

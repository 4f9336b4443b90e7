// Places of the app by the words that somebody types: all words found beats some of them, a title beats a
// name, a name a heading, a heading what is said there.

import { folded, IDLE, nearly } from "../shared/finding.js";

/**
 * A place of the app as pages/parts/finding.py gives it.
 * @typedef {object} Place
 * @property {string} title
 * @property {string[]} [names] that it is found by, too
 * @property {string[]} [asked] what people ask for who want it, and nothing else
 * @property {string} [head] its question
 * @property {string} [text] what is said there
 * @property {string} group of the menu, or where it is
 * @property {string} page
 * @property {Record<string, any>} [shows] what its link says
 * @property {string} [section] the heading that it is, on its page
 * @property {boolean} [listed] it stands in the list before anything is typed
 */

/**
 * Places, ready to be searched.
 * @typedef {object} Index
 * @property {Place[]} places
 * @property {Map<string, Map<number, number>>} stems each with the places that have it, and what that weighs
 * @property {Map<string, string>} words each with its stem
 * @property {(text: string, asked?: boolean) => string[]} read the words of a text
 * @property {string[][]} names of each, as they are searched; the title first
 * @property {string[][][]} asked of each, by name its stems
 */

const MOST = 20; // that are offered
const WEIGHTS = { title: 5, names: 4, head: 3, text: 1 };
const SHORT = 0.3; // of the weight is a word's share of the title or name
const EXACT = 1;
const BEGINS = 0.8; // as much of a word has been typed
const SLIP = 0.5;
const SHORTEST = 5; // letters of a word that may have a slip
const WORD = /[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
const STEM = 4; // letters that are left of a word without its ending
const ENDINGS = [/(?<!s)s$|(?<=au|eu)x$/u, /(?:ing|ed|er|ez|ement|ee|e)$/u];

/**
 * A word without its endings, of which a plural or another form of a verb has others.
 * @param {string} word
 * @returns {string}
 */
export function stem(word) {
  return ENDINGS.reduce((left, ending) => {
    const short = left.replace(ending, "");
    return short.length >= STEM ? short : left;
  }, word);
}

/**
 * How texts are read: without capitals and accents, what means the same as one word, each word once.
 * @param {string[][]} alike
 * @returns {Index["read"]}
 */
function reader(alike) {
  const first = new Map(alike.flatMap(([name, ...others]) => others.map((one) => [one, name])));
  const sign = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const longest = [...first.keys()].sort((a, b) => b.length - a.length);
  const all = longest.map((one) => (/^[\p{L}\p{N}]/u.test(one)
    ? `(?<![\\p{L}\\p{N}_])${sign(one)}(?![\\p{L}\\p{N}_])` : sign(one)));
  const others = new RegExp(all.join("|") || "(?!)", "gu");
  return (text, asked = false) => {
    const plain = folded(text.normalize("NFKC")).replace(others, (one) => ` ${first.get(one)} `);
    const found = plain.match(WORD) ?? [];
    if (asked) {
      const single = found.flatMap((word) => word.split("-"));
      const telling = single.filter((word) => !IDLE.has(word));
      return [...new Set(telling.length ? telling : single)];
    }
    const parts = found.flatMap((one) => (/[_-]/.test(one)
      ? [one, ...one.split(/[_-]/), one.replace(/[_-]/g, "")] : [one]));
    return [...new Set(parts)];
  };
}

const joined = (words) => words.map(stem).join(" ");

/**
 * Read all places once.
 * @param {{ places: Place[], alike: string[][] }} given
 * @returns {Index}
 */
export function indexed({ places, alike }) {
  const read = reader(alike);
  /** @type {Index["stems"]} */
  const stems = new Map();
  /** @type {Index["words"]} */
  const words = new Map();
  const add = (word, n, weight) => {
    const short = words.get(word) ?? stem(word);
    const at = stems.get(short) ?? new Map();
    at.set(n, Math.max(at.get(n) ?? 0, weight));
    words.set(word, short);
    stems.set(short, at);
  };
  const asked = places.map((place) => (place.asked ?? []).map((name) => read(name, true)));
  const names = places.map((place, n) => [[place.title, ...place.names ?? []].map((name) => read(name)), asked[n]].flat());
  places.forEach(({ head = "", text = "" }, n) => {
    names[n].forEach((name, i) => {
      const weight = i ? WEIGHTS.names : WEIGHTS.title;
      for (const word of name) add(word, n, weight * (1 - SHORT + SHORT / name.length));
    });
    for (const word of read(head)) add(word, n, WEIGHTS.head);
    for (const word of read(text)) add(word, n, WEIGHTS.text);
  });
  return {
    places, stems, words, read, names: names.map((all) => all.map(joined)),
    asked: asked.map((all) => all.map((name) => name.map(stem))),
  };
}

/**
 * The places that have a word: as it is, or as the beginning of one; with a slip where there is none.
 * @param {Index} index
 * @param {string} word
 * @returns {Map<number, number>} what each weighs
 */
function having({ stems, words }, word) {
  const short = stem(word);
  const found = new Map();
  const add = (at, times) => {
    for (const [n, weight] of at) found.set(n, Math.max(found.get(n) ?? 0, weight * times));
  };
  for (const [one, at] of stems) {
    if (one === short) add(at, EXACT);
    else if (one.startsWith(short)) add(at, BEGINS);
  }
  if (!found.size && word.length >= SHORTEST) {
    for (const [one, its] of words) if (nearly(word, one)) add(stems.get(its), SLIP);
  }
  return found;
}

// Pages, then lessons, their steps and headings, then words, where nothing else tells two places apart.
const kind = (one) => (one.listed ? 3 : "term" in (one.shows ?? {}) ? 1 : 2);

/**
 * The places that answer a query, the best first; the listed ones while there is none.
 * @param {Index} index
 * @param {string} query
 * @returns {Place[]}
 */
export function answers(index, query) {
  if (!query.trim()) return index.places.filter((one) => one.listed);
  const asked = index.read(query, true);
  /** @type {Map<number, { all: number, weight: number }>} */
  const found = new Map();
  for (const word of asked) {
    const at = having(index, word);
    const tells = index.places.length / (at.size + index.places.length / 20); // few have it: up to 20
    for (const [n, weight] of at) {
      const before = found.get(n) ?? { all: 0, weight: 0 };
      found.set(n, { all: before.all + 1, weight: before.weight + weight * tells });
    }
  }
  const whole = joined(asked);
  const typed = folded(query.trim());
  const stems = asked.map(stem);
  // A name of one word is all that is asked, those of several are in the question.
  const means = (name) => name.every((one) => stems.includes(one)) && (name.length > 1 || stems.length === 1);
  const called = (n) => {
    if (index.asked[n].some(means)) return 4;
    const [title, ...names] = index.names[n];
    return folded(index.places[n].title) === typed ? 3 : title === whole ? 2 : Number(names.includes(whole));
  };
  const rank = ([n, { all, weight }]) => [called(n), all, weight, kind(index.places[n])];
  return [...found].map((one) => ({ n: one[0], rank: rank(one) }))
    .sort((a, b) => {
      const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
      return at < 0 ? a.n - b.n : b.rank[at] - a.rank[at];
    })
    .slice(0, MOST).map(({ n }) => index.places[n]);
}

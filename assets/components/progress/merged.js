// Saved progress as data: what of it has the right shape, and what two of them are together. Each entry
// says which change of it it is, and the latest counts (core/lessons/study.py does the same).

const ONCE = 5, GIVEN = 8, CHANGE = 10; // places in an entry; before GIVEN numbers, behind it a text
const MOST = { number: 9_999, places: 400, value: 1e12, about: 16, parts: 4, change: 1e9 };
const ID = /^[a-z][a-z0-9-]{1,40}$/;
const nothing = () => ({ answers: [], ideas: {}, era: 0, seed: null });

const isObject = (said) => typeof said === "object" && said !== null && !Array.isArray(said);
const isCounted = (one, most) => Number.isInteger(one) && one >= 0 && one <= most;
const isChange = (one) => isCounted(one, MOST.change);
const isValue = (one) => one === null || (typeof one === "number" && Math.abs(one) < MOST.value);
const isText = (one) => typeof one === "string";

// Whether this can be an answer: a number, or a few of them.
function isGiven(given) {
  return Array.isArray(given) ? given.length <= MOST.places && given.every(isValue) : isValue(given);
}

function isEntry(entry) {
  if (!Array.isArray(entry) || entry.length < CHANGE || entry.length > CHANGE + 1) return false;
  const [lesson, question] = entry, about = entry[GIVEN + 1];
  if (![lesson, question, about].every(isText) || about.length > MOST.about) return false;
  const parts = [lesson, ...question.split("/")];
  return parts.length <= MOST.parts && parts.every((one) => ID.test(one))
    && entry.slice(2, GIVEN).every((one) => isCounted(one, MOST.number))
    && isGiven(entry[GIVEN]) && entry.slice(CHANGE).every(isChange);
}

function isCount(one) {
  return Number.isInteger(one)
    || (Array.isArray(one) && one.length === 2 && Number.isInteger(one[0]) && isChange(one[1]));
}

/** @typedef {{ answers: any[], ideas: Record<string, any>, era: number, seed: number | null }} Progress */

/**
 * Saved progress out of a text, with nothing in it that is nested deeper than it can be. An entry that
 * is none becomes null.
 * @param {string} text
 * @returns {any} null for what is none
 */
export function read(text) {
  let said = null;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(said) || !Array.isArray(said.answers) || !isObject(said.ideas)) return null;
  const ideas = Object.entries(said.ideas).map(
    ([idea, one]) => [idea, ID.test(idea) && isCount(one) ? one : null]);
  return {
    answers: said.answers.map((entry) => (isEntry(entry) ? entry : null)),
    ideas: Object.fromEntries(ideas),
    era: isChange(said.era) ? said.era : 0,
    seed: isCounted(said.seed, MOST.number) ? said.seed : null,
  };
}

/**
 * What the browser keeps, repaired: something else may have written there.
 * @param {string | null} text
 * @returns {Progress}
 */
export function sound(text) {
  const { answers, ideas, era, seed } = read(text) ?? nothing();
  const counts = Object.entries(ideas).filter(([, one]) => one !== null);
  return { answers: answers.filter(Boolean), ideas: Object.fromEntries(counts), era, seed };
}

// By their names, the entries and which change of it each is.
const answersOf = (said) => new Map(
  said.answers.map((entry) => [`${entry[0]} ${entry[1]}`, { entry, n: entry[CHANGE] ?? 0 }]));
const ideasOf = (said) => new Map(
  Object.entries(said.ideas).map(([idea, one]) => [idea, { entry: one, n: one[1] ?? 0 }]));

/**
 * Whether one progress has something that is newer than in another.
 * @param {Progress} one
 * @param {Progress} other
 * @returns {boolean}
 */
export function isNewer(one, other) {
  if (one.era !== other.era) return one.era > other.era;
  return [answersOf, ideasOf].some((of) => {
    const known = of(other);
    return [...of(one)].some(([name, { n }]) => n > (known.get(name)?.n ?? -1));
  });
}

/**
 * Two of them together: of each entry the newer one, and everything that ever was right.
 * @param {Progress} one
 * @param {Progress} other
 * @returns {Progress}
 */
export function merged(one, other) {
  const seed = one.seed ?? other.seed; // the browser's own comes first
  if (one.era !== other.era) return { ...(one.era > other.era ? one : other), seed };
  const answers = answersOf(one), ideas = ideasOf(one);
  for (const [name, { entry, n }] of answersOf(other)) {
    const before = answers.get(name);
    const newer = before && before.n >= n ? before : { entry, n };
    const once = Number(Boolean(before?.entry[ONCE]) || Boolean(entry[ONCE]));
    answers.set(name, { ...newer, entry: Object.assign([...newer.entry], { [ONCE]: once }) });
  }
  for (const [name, two] of ideasOf(other)) {
    if (two.n > (ideas.get(name)?.n ?? -1)) ideas.set(name, two);
  }
  return {
    answers: [...answers.values()].map(({ entry }) => entry),
    ideas: Object.fromEntries([...ideas].map(([name, { entry }]) => [name, entry])),
    era: one.era,
    seed,
  };
}

// What happens when in the first seconds: characters become tokens, rows run through the layers, a
// word grows and is put behind the text, and the next one follows.

const TYPED = 550; // ms for the text
const FLIGHT = 700; // from the text to the tokens
const READ = 1300; // through a tower that only reads
const FIRST = 2500; // through the layers, the first time
const AGAIN = 1000; // and the second
const LATER = 260; // and each time after that
const GUESSES = [1500, 200, 0]; // in which the guesses after each layer come, one after the other
const BARS = [550, 350, 60]; // ms in which the words grow
const BORN = [650, 550, 140]; // in which one of them goes to the text
const PAUSE = 150;

/**
 * @typedef {object} Span of time, in ms
 * @property {number} from
 * @property {number} to
 */
/**
 * @typedef {object} Script
 * @property {Span} typed
 * @property {Span} flight
 * @property {Span[]} reads of each tower but the last
 * @property {{ front: Span, guesses: Span, bars: Span, born: Span | null }[]} passes
 * @property {number} end
 */

/**
 * @param {number} readers towers before the one that answers
 * @param {{ born?: any }[]} passes
 * @param {boolean} guesses there are, after each layer
 * @returns {Script}
 */
export function script(readers, passes, guesses) {
  let now = 0;
  const span = (length, wait = 0) => {
    const from = now + wait;
    now = from + length;
    return { from, to: now };
  };
  const typed = span(TYPED);
  const flight = span(FLIGHT, PAUSE);
  const reads = Array.from({ length: readers }, () => span(READ));
  const of = (list, n) => list[Math.min(n, list.length - 1)];
  const timed = passes.map(({ born }, n) => ({
    front: span(of([FIRST, AGAIN, LATER], n), n ? 0 : PAUSE),
    guesses: span(guesses ? of(GUESSES, n) : 0),
    bars: span(of(BARS, n)),
    born: born ? span(of(BORN, n)) : null,
  }));
  return { typed, flight, reads, passes: timed, end: now };
}

/**
 * How much of a span has passed, from 0 to 1, gently at both ends.
 * @param {Span | null} span
 * @param {number} now
 * @returns {number}
 */
export const share = (span, now) => (span ? eased(evenly(span, now)) : 0);

/**
 * A share of a way that is gone gently at both ends.
 * @param {number} even the same at an even pace
 * @returns {number}
 */
export const eased = (even) => even * even * (3 - 2 * even);

/**
 * The same at an even pace, for what runs through layers.
 * @param {Span} span
 * @param {number} now
 * @returns {number}
 */
export const evenly = ({ from, to }, now) =>
  (to > from ? Math.max(0, Math.min(1, (now - from) / (to - from))) : Number(now >= to));

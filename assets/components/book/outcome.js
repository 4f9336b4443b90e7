// What becomes of an answer, looked up: the tables were filled by what marks in the app
// (core/lessons/book/outcomes.py).

export const RIGHT = "+";

/**
 * @typedef {object} Outcome
 * @property {boolean} right
 * @property {string} idea the misconception that it shows; empty for none
 * @property {[share: string, bits: string] | [] | null} surprise of a bet; nothing for what was ruled out
 */

/**
 * @param {any} outcomes
 * @param {any} value the answer, as the question says it
 * @param {boolean} [percent] it was given in per cent
 * @param {any[]} [surprises] what is said of a bet, from each share on
 * @returns {Outcome}
 */
export function outcomeOf(outcomes, value, percent = false, surprises = []) {
  if (outcomes.bet) return ofABet(outcomes.bet, surprises, value);
  const found = outcomes.line ? onTheLine((percent && outcomes.percent) || outcomes.line, value)
    : outcomes.places[named(value, outcomes.sorted)] ?? "";
  return { right: found === RIGHT, idea: found === RIGHT ? "" : found, surprise: null };
}

const from = (edges, value) => edges.filter((edge) => edge <= value).length;
const onTheLine = ([edges, found], value) => found[from(edges, value)];

function named(value, sorted) {
  const places = [value].flat();
  return (sorted ? places.sort((a, b) => a - b) : places).join(",");
}

function ofABet({ right, ideas, even }, surprises, stakes) {
  const whole = stakes.reduce((sum, one) => sum + one, 0);
  const shares = stakes.map((one) => one / whole);
  const most = Object.keys(ideas).find((at) => shares[Number(at)] > even);
  const share = shares[right];
  const [, ...said] = share > 0 ? surprises[from(surprises.map(([edge]) => edge), share) - 1] : [0];
  const isRight = share >= even;
  return { right: isRight, idea: isRight || !most ? "" : ideas[most], surprise: said };
}

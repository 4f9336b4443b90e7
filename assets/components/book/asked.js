// What the component of a question is given in each state of an answer: parts that were made beforehand,
// chosen as core/lessons/player.py chooses them.

import { fill } from "../shared/dom.js";

/** @typedef {import("./study.js").Answered} Answered */
/** @typedef {{ near: any[], moved: boolean, says: any[] }} Stands */

/**
 * Whether what the question covers is shown.
 * @param {any} base the question before an answer
 * @param {Answered} answered
 * @returns {boolean}
 */
export const finished = (base, answered) =>
  answered.right || answered.givenUp || Boolean(base.at_once && answered.tries > 0);

/**
 * Whether anything of it has to be known that waits for an answer.
 * @param {Answered} answered
 * @returns {boolean}
 */
export const begun = ({ tries, givenUp, hints }) => tries > 0 || givenUp || hints > 0;

/**
 * @param {any} base the question before an answer
 * @param {any} more what waits for one; null where nothing of it is needed
 * @param {Answered} answered
 * @param {string} when "lesson", or "before" or "after" it
 * @param {Stands | null} [stands] of a goal, where her attempt stands
 * @returns {Record<string, any>}
 */
export function header(base, more, answered, when, stands = null) {
  const hints = more?.hints ?? [];
  const shown = Math.min(answered.hints, hints.length);
  const done = finished(base, answered) || (when !== "lesson" && answered.tries > 0);
  const says = more ? said(base, more, answered, when, stands) : [];
  const { given } = answered;
  const open = done && when !== "before";
  const picks = open ? more.picks : base.picks;
  return {
    ...base,
    asks: `${base.id} ${answered.seed} ${answered.about}`,
    hints: hints.slice(0, shown),
    more_hints: base.more_hints && (!more || shown < hints.length),
    given_up: answered.givenUp,
    done,
    ...says.length ? { marked: { right: answered.right && when !== "before", says, given } } : {},
    ...open ? { answer: more.answer, solution: more.solution } : {},
    picks: picks ? { ...picks, given } : undefined,
    ...stands ? { near: stands.near, moved: stands.moved } : {},
  };
}

const filled = (parts, values) => parts.map(([text, styles]) => [fill(text, values), styles]);

function said(base, more, { tries, right, givenUp, idea, surprise }, when, stands) {
  if (when === "before") return tries || givenUp ? more.noted : [];
  const counts = !stands || base.counts; // of what is typed or painted, tries do not
  const isRight = tries > 1 && counts ? filled(more.again, { n: tries }) : more.right;
  if (stands) return right ? isRight : givenUp ? [] : stands.says;
  if (!tries || (givenUp && !surprise)) return [];
  if (surprise) {
    const [share, bits] = surprise;
    const [ruledOut, known] = more.says[right ? "+" : idea];
    return surprise.length ? filled(known, { share, bits }) : ruledOut;
  }
  if (right) return isRight;
  return more.says[idea] ?? more.says[""];
}

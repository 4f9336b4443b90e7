// What has been answered in this browser, as the app keeps it (core/lessons/study.py), so that a saved
// file goes from one to the other.

import { isNewer, merged, read, sound } from "../progress/merged.js";
import { keep, kept, nameOf } from "../shared/kept.js";

const KEPT = "lessons"; // among what the browser keeps
export const TWICE = 2; // right answers that a misconception takes to be gone

/**
 * One question.
 * @typedef {object} Answered
 * @property {number} seed on which it was posed
 * @property {string} about the question as it was posed
 * @property {number} tries
 * @property {boolean} right the last answer was
 * @property {boolean} once an answer was at the first try, on any data
 * @property {boolean} givenUp
 * @property {number} hints that were shown
 * @property {any} given
 * @property {string} idea of the last answer
 * @property {[string, string] | [] | null} surprise of a bet
 */

/**
 * A question that nobody has answered.
 * @param {number} seed
 * @param {string} about
 * @param {boolean} [once]
 * @returns {Answered}
 */
export const fresh = (seed, about, once = false) => ({
  seed, about, once, tries: 0, right: false, givenUp: false, hints: 0, given: null, idea: "", surprise: null,
});

/**
 * After an answer.
 * @param {Answered} answered
 * @param {import("./outcome.js").Outcome} outcome
 * @param {any} given
 * @returns {Answered}
 */
export const taken = (answered, { right, idea, surprise }, given) => ({
  ...answered, right, idea, surprise, given, tries: answered.tries + 1, 
  once: answered.once || (right && answered.tries === 0),
  givenUp: answered.givenUp || (surprise !== null && !right), // a bet is made once
});

export class Study {
  /** @param {number} seed of her own, if she has none yet: neighbours are asked about other numbers */
  constructor(seed) {
    const progress = sound(kept(KEPT) ?? "");
    this.progress = { ...progress, seed: progress.seed ?? seed };
    /** @type {Map<string, Answered>} */
    this.held = new Map();
  }

  /**
   * Misconceptions that she has shown and not yet left behind.
   * @returns {string[]} their ids.
   */
  get ideas() {
    const { ideas } = this.progress;
    return Object.keys(ideas).filter((idea) => (ideas[idea][0] ?? TWICE) < TWICE);
  }

  /**
   * What she has answered to a question.
   * @param {string} lesson its lesson.
   * @param {string} question its id.
   * @returns {any[] | undefined} her entry; none where there is none.
   */
  entry(lesson, question) {
    return this.progress.answers.find((one) => one[0] === lesson && one[1] === question);
  }

  /**
   * Whether she has said what she knew before a lesson.
   * @param {string} lesson
   * @returns {boolean}
   */
  hasProbed(lesson) {
    return this.progress.answers.some(([where, id, , tries, , , givenUp]) =>
      where === lesson && id.endsWith("/before") && Boolean(tries || givenUp));
  }

  /**
   * What was answered to a question.
   * @param {string} lesson
   * @param {string} question
   * @param {{ seed: number, about: string }[]} variants as it can be posed here
   * @returns {Answered}
   */
  of(lesson, question, variants) {
    const key = `${lesson} ${question}`;
    const entry = this.entry(lesson, question);
    const [, , seed, tries, right, once, givenUp, hints, given, about] = entry ?? [];
    const held = this.held.get(key);
    if (held && (!entry || sameAs(held, entry))) return held;
    const first = variants[(this.progress.seed ?? 0) % variants.length];
    const variant = variants.find((one) => one.seed === seed) ?? first;
    const now = fresh(variant.seed, variant.about, Boolean(once));
    if (entry && about === variant.about) {
      Object.assign(now, { tries, right: Boolean(right), givenUp: Boolean(givenUp), hints, given });
    }
    this.held.set(key, now);
    return now;
  }

  /**
   * @param {string} lesson
   * @param {string} question
   * @param {Answered} answered as it is now
   */
  put(lesson, question, answered) {
    const n = (this.entry(lesson, question)?.[10] ?? 0) + 1;
    const { answers } = this.progress;
    this.progress.answers = [
      ...answers.filter((one) => one[0] !== lesson || one[1] !== question),
      [lesson, question, ...listed(answered), n],
    ];
    this.held.set(`${lesson} ${question}`, answered);
  }

  /**
   * What an answer says of misconceptions.
   * @param {Answered} answered after it
   * @param {string[]} ideas that the question would have caught
   */
  count(answered, ideas) {
    const { ideas: counts } = this.progress;
    const set = (idea, to) => { counts[idea] = [to, (counts[idea]?.[1] ?? 0) + 1]; };
    if (ideas.includes(answered.idea)) set(answered.idea, 0);
    if (!answered.right || answered.tries > 1 || answered.hints) return;
    for (const idea of ideas) {
      const held = counts[idea]?.[0] ?? TWICE;
      if (held < TWICE) set(idea, held + 1);
    }
  }

  /**
   * What was answered elsewhere counts, too.
   * @param {string} text saved progress
   */
  hear(text) {
    this.progress = merged(this.progress, sound(text));
  }

  /** Keep it in this browser, for whatever page is opened next. */
  keep() {
    keep(KEPT, JSON.stringify(this.progress));
  }

  /**
   * Hear of what other tabs of this browser keep; what they did not know is kept once more.
   * @param {() => void} changed called after each time
   * @param {AbortSignal} [ends] hears of it no more
   */
  follow(changed, ends) {
    globalThis.addEventListener("storage", ({ key, newValue }) => {
      if (key !== nameOf(KEPT) || newValue === null) return;
      this.hear(newValue);
      if (isNewer(this.progress, sound(newValue))) this.keep();
      changed();
    }, { signal: ends });
  }

  /**
   * A file of saved progress.
   * @param {string} text
   * @returns {"loaded" | "partly" | "unreadable"}
   */
  load(text) {
    const found = read(text);
    if (!found) return "unreadable";
    const whole = found.answers.every(Boolean) && Object.values(found.ideas).every((one) => one !== null);
    this.progress = merged(this.progress, { ...sound(text), era: this.progress.era });
    return whole ? "loaded" : "partly";
  }

  /** All of it goes; what another tab has from before is of an older era. */
  wipe() {
    const { era, seed } = this.progress;
    this.progress = { answers: [], ideas: {}, era: era + 1, seed };
    this.held.clear();
  }
}

const listed = ({ seed, tries, right, once, givenUp, hints, given, about }) =>
  [seed, tries, Number(right), Number(once), Number(givenUp), hints, given, about];

const sameAs = (answered, entry) => JSON.stringify(listed(answered)) === JSON.stringify(entry.slice(2, 10));

// A question of the book on its screen: what is said to it is heard here, where in the app a server
// hears it, and looked up.

import { begun, finished, header } from "./asked.js";
import { outcomeOf } from "./outcome.js";
import { fresh, taken } from "./study.js";

/** @typedef {import("./study.js").Answered} Answered */

export class Asking {
  /**
   * @param {object} where
   * @param {string} where.lesson
   * @param {string} where.when "lesson", or "before" or "after" it
   * @param {any[]} where.variants of the question, as they are before an answer
   * @param {() => Promise<any[]>} where.closed of each variant, what waits for an answer
   * @param {() => Promise<any[]>} where.surprises what is said of a bet, from each share on
   * @param {import("./study.js").Study} where.study
   * @param {() => void} where.changed something was answered
   */
  constructor({ lesson, when, variants, closed, surprises, study, changed }) {
    Object.assign(this, { lesson, when, variants, closed, surprises, study, changed });
    this.ident = variants[0].question.id;
  }

  /** @returns {Answered} */
  get answered() {
    return this.study.of(this.lesson, this.ident, this.variants);
  }

  /** What she has answered, which is kept with her progress. */
  set answered(now) {
    this.study.put(this.lesson, this.ident, now);
  }

  /** @returns {number} the place of the variant that is asked */
  get at() {
    const { seed } = this.answered;
    return Math.max(0, this.variants.findIndex((one) => one.seed === seed));
  }

  get open() {
    const once = this.when !== "lesson" && this.answered.tries > 0;
    return once || finished(this.variants[this.at].question, this.answered);
  }

  /**
   * What waits for an answer; null while there is none.
   * @returns {Promise<object | null>} it.
   */
  async more() {
    return begun(this.answered) ? (await this.closed())[this.at] : null;
  }

  /**
   * What the question's component shows now.
   * @returns {Promise<object>} its header.
   */
  async header() {
    const more = await this.more();
    return header(this.variants[this.at].question, more?.question ?? null, this.answered, this.when);
  }

  /**
   * What was done; a click on another question, before it went, does nothing here.
   * @param {string} what
   * @param {any} value
   */
  async hear(what, value) {
    const { answered, at } = this;
    const asks = `${this.ident} ${answered.seed} ${answered.about}`;
    if ((what === "answer" ? value.id : value) !== asks) return;
    if (what === "answer" && !this.open) {
      const { question: { outcomes, ideas } } = (await this.closed())[at];
      const surprises = outcomes.bet ? await this.surprises() : [];
      const now = taken(answered, outcomeOf(outcomes, value.value, value.percent, surprises), value.value);
      this.answered = now;
      this.study.count(now, ideas);
    }
    if (what === "hint") this.answered = { ...answered, hints: Math.min(3, answered.hints + 1) };
    if (what === "give") this.answered = { ...answered, givenUp: true };
    if (what === "again") {
      const next = this.variants[(at + 1) % this.variants.length];
      this.answered = fresh(next.seed, next.about, answered.once);
    }
    this.changed();
  }
}

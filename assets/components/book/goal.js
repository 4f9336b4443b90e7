// A goal: what she makes of the figures was worked out beforehand, and what becomes of it
// (core/lessons/book/doing.py).

import { header } from "./asked.js";
import { Asking } from "./asking.js";
import { fresh, taken } from "./study.js";

const of = ({ reached, idea }) => ({ right: reached, idea: idea ?? "", surprise: null });

export class Goal extends Asking {
  /** @param {ConstructorParameters<typeof Asking>[0]} where */
  constructor(where) {
    super(where);
    this.hands = this.variants[0].hands;
    this.hand = this.hands.start;
    this.tried = ""; // the attempt that "Check" was pressed on
    this.wasOpen = false;
  }

  /**
   * What becomes of every attempt.
   * @returns {Promise<object>} all attempts.
   */
  async told() {
    return (await this.closed())[0].hands;
  }

  /**
   * What she has made of the figures; once it is over, what reaches the goal.
   * @returns {Promise<object>} the figures, and whether they are near.
   */
  async made() {
    const told = this.open ? await this.told() : null;
    if (told && !this.wasOpen && (this.answered.givenUp || !told.made[this.hand].reached)) {
      this.hand = told.done;
    }
    this.wasOpen = this.open;
    const [seen, known] = [this.hands.made[this.hand], told?.made[this.hand]];
    const given = seen ?? known;
    const figures = given.figures.map((figure, n) => ({ figure, whole: known?.figures[n] ?? null }));
    return { near: given.near, figures: seen ? figures : known.figures.map((whole) => ({ whole })) };
  }

  /**
   * What the goal's component shows now.
   * @returns {Promise<object>} its header.
   */
  async header() {
    const [more, { near }] = [await this.more(), await this.made()];
    const checked = this.tried === this.hand;
    const says = more && checked ? (await this.told()).made[this.hand].says : [];
    const stands = { near, moved: this.hand !== this.hands.start, checked, says };
    return header(this.variants[0].question, more?.question ?? null, this.answered, this.when, stands);
  }

  /**
   * Keep what an attempt has come to.
   * @param {object} told what is known of every attempt.
   */
  async note(told) {
    const { question } = (await this.closed())[0];
    const now = { ...this.answered };
    if (!told.reached && !told.idea) now.hints = Math.min(question.hints.length, now.hints + 1);
    this.answered = taken(now, of(told), []);
    this.study.count(this.answered, question.ideas);
  }

  /**
   * She has changed something.
   * @param {string} hand the attempt that it makes
   */
  async move(hand) {
    this.hand = hand;
    const told = (await this.told()).made[hand];
    if (told.reached && !this.open) await this.note(told);
    this.changed();
  }

  /**
   * Hear what she does in the question.
   * @param {string} what the event.
   * @param {any} value what it brings.
   */
  async hear(what, value) {
    const { seed, about, once } = this.answered;
    if ((what === "answer" ? value.id : value) !== `${this.ident} ${seed} ${about}`) return;
    if (what === "answer" && !this.open) {
      this.tried = this.hand;
      const told = (await this.told()).made[this.hand];
      if (!told.reached) await this.note(told);
      this.changed();
    } else if (what === "again") {
      this.answered = fresh(seed, about, once);
      [this.hand, this.tried] = [this.hands.start, ""];
      this.changed();
    } else if (what !== "answer") await super.hear(what, value);
  }
}

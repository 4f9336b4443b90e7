// A goal: what she makes of the figures was worked out beforehand, and what becomes of it
// (core/lessons/book/doing.py).

import { header } from "./asked.js";
import { Asking } from "./asking.js";
import { fresh, taken } from "./study.js";

const of = ({ reached, idea }) => ({ right: reached, idea: idea ?? "", surprise: null });

/**
 * Which of all attempts this is, counted as core/lessons/hands.py does.
 * @param {{ controls: { options: any[] }[], start: string, done: string }} hands
 * @param {string} hand the attempt
 * @returns {number | null} none where it is no whole one
 */
export function placeOf({ controls, start, done }, hand) {
  const [own, first, last] = [hand, start, done].map((one) => one.split(","));
  const moved = own.filter((one, n) => one !== first[n]).length;
  const needed = last.filter((one, n) => one !== first[n]).length;
  if (!controls.length || moved < Math.max(1, needed)) return null;
  return own.reduce((at, one, n) => at * (controls[n].options.length + 1) + Number(one), 0);
}

export class Goal extends Asking {
  /** @param {ConstructorParameters<typeof Asking>[0]} where */
  constructor(where) {
    super(where);
    this.hands = this.variants[0].hands;
    this.hand = this.hands.start;
    this.wasOpen = false;
  }

  /**
   * What becomes of every attempt.
   * @returns {Promise<object>} all attempts.
   */
  async told() {
    return (await this.closed())[0].hands;
  }

  /** @returns {boolean} something is not as it was */
  get moved() {
    return this.hand !== this.hands.start;
  }

  /**
   * What waits for an attempt; null while there was none.
   * @returns {Promise<object | null>} it.
   */
  async more() {
    return this.moved ? (await this.closed())[this.at] : super.more();
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
    const says = this.moved ? (await this.told()).made[this.hand].says : [];
    const stands = { near, moved: this.moved, says };
    return header(this.variants[0].question, more?.question ?? null, this.answered, this.when, stands);
  }

  /** @returns {number[]} the places of what was tried */
  get places() {
    const { given } = this.answered;
    return Array.isArray(given) ? given : [];
  }

  /**
   * Keep what an attempt has come to; the same one counts once.
   * @param {object} told what is known of every attempt.
   * @param {number | null} place of the attempt
   */
  async note(told, place) {
    const { question } = (await this.closed())[0];
    const { places, answered } = this;
    const known = place !== null && places.includes(place);
    const now = taken(answered, of(told), place === null || known ? places : [...places, place]);
    this.study.count(now, question.ideas);
    this.answered = known ? { ...now, tries: answered.tries } : now;
  }

  /**
   * She has changed something.
   * @param {string} hand the attempt that it makes
   */
  async move(hand) {
    this.hand = hand;
    const { done, made: { [hand]: told } } = await this.told();
    const place = this.variants[0].question.counts ? placeOf({ ...this.hands, done }, hand) : null;
    const counts = place !== null && !this.places.includes(place);
    if (!this.open && (told.reached || counts)) await this.note(told, place);
    this.changed();
  }

  /**
   * Hear what she does in the question.
   * @param {string} what the event.
   * @param {any} value what it brings.
   */
  async hear(what, value) {
    const { seed, about, once, tries, givenUp } = this.answered;
    if ((what === "answer" ? value.id : value) !== `${this.ident} ${seed} ${about}`) return;
    if (what === "again") {
      const { places } = this; // it is the same goal, so what was tried still counts
      this.answered = { ...fresh(seed, about, once), tries: Math.max(tries, Number(givenUp)), given: places };
      this.hand = this.hands.start;
      this.changed();
    } else if (what !== "answer") await super.hear(what, value);
  }
}

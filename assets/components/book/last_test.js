// The last test in a book: what it asks and what came of it, as core/lessons/last_test.py has it.

import { Blocks } from "../lesson/blocks.js";
import { el, fill } from "../shared/dom.js";
import { TWICE } from "./study.js";

const NAME = "last-test"; // where the keys of answers have their lesson
const PLACE = /^t([1-9]\d?)-(\d\d)$/; // in the key of an answer: which test, which question
const [TRIES, RIGHT, GIVEN_UP, ABOUT] = [3, 4, 6, 9]; // places in an entry

const met = (entry) => Boolean(entry && (entry[TRIES] || entry[GIVEN_UP]));
const placeOf = ([lesson, key]) => {
  const found = lesson === NAME ? PLACE.exec(key.split("/")[2] ?? "") : null;
  return found && { test: Number(found[1]), at: Number(found[2]) };
};

/**
 * Whether she was not right at once, somewhere, or still has an idea that the question catches.
 * @param {{ lesson: string, id: string, ideas: string[] }} one a question
 * @param {import("../progress/merged.js").Progress} progress
 * @returns {boolean}
 */
export function missed({ lesson, id, ideas }, { answers, ideas: counts }) {
  const own = answers.filter(([where, key]) => key.startsWith(`${id}/${lesson}/`)
    || (where === lesson && key.split("/")[0] === id));
  const slips = own.some((entry) => entry[GIVEN_UP] || entry[TRIES] > 1 || (entry[TRIES] && !entry[RIGHT]));
  const holds = ideas.some((idea) => (counts[idea]?.[0] ?? TWICE) < TWICE);
  return slips || (holds && own.some(met));
}

/**
 * What may be asked, in an order: what was missed, then the others, from each lesson in turn.
 * @param {any[]} asked all questions
 * @param {number[]} order of them, those of a lesson as they are taken from it
 * @param {import("../progress/merged.js").Progress} progress
 * @returns {any[]}
 */
export function ranked(asked, order, progress) {
  const turns = new Map();
  const found = order.map((n) => [missed(asked[n], progress) ? 0 : 1, asked[n]])
    .filter(([later, one]) => !later || one.all)
    .map(([later, one]) => {
      const turn = turns.get(`${later} ${one.lesson}`) ?? 0;
      turns.set(`${later} ${one.lesson}`, turn + 1);
      return { later, turn, one };
    });
  return found.sort((a, b) => a.later - b.later || a.turn - b.turn).map(({ one }) => one);
}

export class LastTest {
  /**
   * @param {any} drawing what may be asked, and by which orders (core/lessons/book/last_test.py)
   * @param {any} words what is said of it, and how many questions it has
   * @param {import("./study.js").Study} study
   */
  constructor({ asked, lessons, orders }, words, study) {
    Object.assign(this, { asked, lessons, orders, words, study });
    this.begun = 1;
    this.draw();
  }

  /**
   * Which test is under way, from 1.
   * @returns {number} it.
   */
  get n() {
    const { answers } = this.study.progress;
    return Math.max(this.begun, ...answers.map((one) => placeOf(one)?.test ?? 1));
  }

  /** The answers to one that was made before count as what was missed. */
  begin() {
    this.begun = Math.min(99, this.n + 1);
    this.draw();
  }

  /** Draws what is not yet answered; what is stays in its place. */
  draw() {
    const { n, study: { progress }, words: { most } } = this;
    const found = this.kept(n);
    const { order, places } = this.orders[((progress.seed ?? 0) + n) % this.orders.length];
    const taken = [...found.values()];
    const free = Array.from({ length: most }, (_none, at) => at).filter((at) => !found.has(at));
    const rank = (one) => places[this.asked.indexOf(one)];
    ranked(this.asked, order, progress).filter((one) => !taken.includes(one)).slice(0, free.length)
      .sort((a, b) => rank(a) - rank(b)).forEach((one, at) => found.set(free[at], one));
    this.puts = [...found].sort(([a], [b]) => a - b).map(([at, one]) => ({
      ...one, ident: `${one.id}/${one.lesson}/t${n}-${String(at).padStart(2, "0")}`,
    }));
  }

  /**
   * By its place, each question that is answered already, as it is posed here.
   * @param {number} n which test, from 1.
   * @returns {Map<number, object>} them.
   */
  kept(n) {
    const found = new Map();
    for (const entry of this.study.progress.answers.filter(met)) {
      const { test, at } = placeOf(entry) ?? {}, [id, lesson] = entry[1].split("/");
      const one = this.asked.find((other) => other.id === id && other.lesson === lesson);
      const isHere = one && test === n && at < this.words.most && one.abouts.includes(entry[ABOUT]);
      if (isHere && !found.has(at) && ![...found.values()].includes(one)) found.set(at, one);
    }
    return found;
  }

  /**
   * What she has answered to a question of the test.
   * @param {{ ident: string }} question it.
   * @returns {any[] | undefined} her entry; none where there is none.
   */
  entry({ ident }) {
    return this.study.entry(NAME, ident);
  }

  /**
   * The screen to open on: the first question without an answer, or the result.
   * @returns {number} its place.
   */
  get firstOpen() {
    const at = this.puts.findIndex((one) => !met(this.entry(one)));
    return at < 0 ? this.puts.length : at;
  }

  /**
   * What the screens are.
   * @returns {object[]} one for each question, and the result.
   */
  get screens() {
    const { n, puts, words } = this;
    const order = (variants) => {
      const first = (n - 1) % variants.length;
      return [...variants.slice(first), ...variants.slice(0, first)];
    };
    const said = (one, at) => ({
      title: fill(words.question, { n: at + 1, of: puts.length }), layout: one.layout, pack: one.lesson, held: one.name,
      lesson: NAME, ident: one.ident, when: "after", order });
    return [...puts.map(said), { title: words.result, layout: "below", result: true }];
  }

  /**
   * What the result's component shows, and writes into a file.
   * @returns {object} its header.
   */
  get header() {
    const { puts, lessons, words } = this;
    const ofLesson = (lesson) => puts.filter((one) => one.lesson === lesson);
    const right = (all) => all.filter((one) => this.entry(one)?.[RIGHT]);
    const again = (all) => all.filter((one) => met(this.entry(one)) && !this.entry(one)[RIGHT]);
    return {
      ...words.header,
      said: fill(words.said, { n: right(puts).length, of: puts.length }),
      rows: lessons.map(({ id, title }) => ({ title, own: ofLesson(id) })).filter(({ own }) => own.length)
        .map(({ title, own }) => ({
          lesson: title, right: fill(words.right, { n: right(own).length, of: own.length }),
          again: again(own).map((one) => one.title),
        })),
    };
  }
}

export class Result {
  /**
   * The screen of what came of the test.
   * @param {LastTest} test
   * @param {number} at
   * @param {string} language
   * @param {{ go: (at: number) => void, begin: () => void }} does
   */
  constructor(test, at, language, does) {
    Object.assign(this, { test, at, language });
    this.element = el("div", { class: "lesson-body" });
    const set = () => (test.firstOpen < test.puts.length ? does.go(test.firstOpen) : does.begin());
    this.blocks = new Blocks({ set, done() {}, choose() {}, unfold() {} });
  }

  /** There is nothing to wait for. */
  async load() {}

  /** Show the result, or how much is still open. */
  async draw() {
    const { test: { words, header, puts }, test } = this;
    const open = puts.filter((one) => !met(test.entry(one))).length;
    const said = [
      ...open ? [{ kind: "words", words: [["p", {}, words.open[open]]] }] : [],
      { kind: "figure", key: "result", parts: [{ folder: "result", header, arrays: {} }] },
      { kind: "button", key: "on", say: open ? words.go : words.another, sets: {}, weight: "" },
    ];
    this.blocks.screen(this.element, { layout: "below", said, shown: [] }, {}, this.language);
  }

  /** Make room for another screen. */
  leave() {
    this.blocks.leave();
  }
}

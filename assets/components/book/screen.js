// A screen of the book: a step with its figures and its question, or the questions before a lesson and
// after it, with the one that comes back. What stands on it is drawn as in the app (lesson/blocks.js).

import { Blocks } from "../lesson/blocks.js";
import { el, fill } from "../shared/dom.js";
import { CHANGED, SHARED, selectAll } from "../shared/selection.js";
import { turns } from "../shared/time.js";
import { Asking } from "./asking.js";
import { comingBack } from "./coming_back.js";
import { Goal } from "./goal.js";
import { held } from "./packs.js";
import { another, controlsOf, paragraph, small, text } from "./shown.js";

const HANDS = "hands", OFFER = "offer-"; // scopes of controls

/**
 * What a screen shows.
 * @typedef {object} Said
 * @property {number} at its place among the screens
 * @property {string} layout
 * @property {string} [pack] that holds it; that of the lesson where there is none
 * @property {string | number} [held] the name of what it shows; its place where there is none
 * @property {string} [lesson] under which its answers are kept; that of the page where there is none
 * @property {string} [ident] under which they are kept there; that of the question where there is none
 * @property {string} [when] it asks; in the lesson where it says nothing
 * @property {string} [why] it asks, in place of the texts of its step
 * @property {(variants: any[]) => any[]} [order] the variants that are asked, in their order
 */

export class Screen {
  /**
   * @param {any} book what the page says of its lesson
   * @param {import("./study.js").Study} study
   * @param {Said} said
   * @param {() => void} counted something was answered
   */
  constructor(book, study, said, counted) {
    Object.assign(this, { book, study, said, counted });
    this.element = el("div", { class: "lesson-body" });
    const inTurn = turns();
    this.blocks = new Blocks({
      done: (what, value) => inTurn(() => this.hear(what, value)),
      choose: (patch) => inTurn(() => this.choose(patch)),
      set: ({ lesson_at: at }) => selectAll({ lesson_at: Number(at) }),
      unfold() {},
    });
    /** @type {Map<string, Asking>} */
    this.asked = new Map();
    /** @type {Map<number, string>} */
    this.varied = new Map(); // by figure, what she has made of it
    /** @type {any[]} */
    this.offers = []; // the variations that there are now
    /** @type {Goal | null} */
    this.goal = null;
    /** @type {Screen | null} */
    this.back = null; // the question that came back
    /** @type {(() => void)[]} */
    this.leaving = [];
    this.gone = false;
  }

  get at() {
    return this.said.at;
  }

  leave() {
    this.gone = true;
    this.blocks.leave();
    for (const leave of this.leaving) leave();
    this.back?.leave();
  }

  // One drawing after the other: the last one shows what was done last.
  draw() {
    this.drawing = (this.drawing ?? Promise.resolve()).then(() => this.drawNow());
    return this.drawing;
  }

  async drawNow() {
    const { arrays, ...screen } = await this.body();
    if (!this.gone) this.blocks.screen(this.element, screen, arrays, this.book.language);
  }

  /**
   * What stands on it now, and the arrays that its figures need.
   * @returns {Promise<Record<string, any>>}
   */
  async body() {
    const data = await this.load();
    return data.variants ? this.step(data) : this.probe(data);
  }

  load() {
    this.opened ??= this.held("opened");
    return this.opened;
  }

  closed() {
    this.closing ??= this.held("closed");
    return this.closing;
  }

  held(kind) {
    const { said: { pack = this.book.lesson, held: name = this.at }, book: { language } } = this;
    return held(pack, `${language}/${kind}-${name}`);
  }

  asking(key, variants, when, closed) {
    if (!this.asked.has(key)) {
      const { study, book } = this, lesson = this.said.lesson ?? book.lesson;
      const changed = () => this.counted();
      const surprises = async () => (await held(book.common, `${book.language}/surprises`)).surprises;
      this.asked.set(key, new (variants[0].hands ? Goal : Asking)(
        { lesson, when, variants, closed, surprises, study, changed }));
    }
    return this.asked.get(key);
  }

  // The variants of the question, as they are asked here, before an answer and what waits for one.
  posed(data) {
    if (!this.asks) {
      const { order = (all) => all, ident } = this.said, own = order(data.variants);
      const named = (one) => (ident ? { ...one, question: { ...one.question, id: ident } } : one);
      this.asks = { variants: own.map(named), closed: async () => {
        const { variants } = await this.closed();
        return own.map((one) => variants[data.variants.indexOf(one)]);
      } };
    }
    return this.asks;
  }

  async step(data) {
    const { said: { layout, when = "lesson", why } } = this;
    const notes = (data.notes ?? []).map(small);
    let [variant] = data.variants;
    if (!variant) {
      const problem = { kind: "note", note: "info", say: data.problem };
      return { layout, said: [...text(data.before), problem], shown: [], arrays: {} };
    }
    let more = null, figures = variant.figures?.map((figure) => ({ figure, whole: null }));
    const question = [];
    if (variant.question) {
      const { variants, closed } = this.posed(data);
      const asking = this.asking("question", variants, when, closed);
      variant = variants[asking.at];
      more = asking.open ? await asking.more() : null;
      this.goal = asking instanceof Goal ? asking : null;
      figures = this.goal ? (await this.goal.made()).figures
        : variant.figures.map((figure, n) => ({ figure, whole: more?.figures[n] ?? null }));
      question.push({ kind: "question", key: why ? "again" : "question", header: await asking.header() });
    }
    this.offers = more?.offers ?? variant.offers ?? [];
    const other = this.made();
    const shown = figures.map(({ figure, whole }, n) =>
      [...this.hands(n), other[n] ?? whole ?? figure]);
    const after = { kind: "live", words: more?.after ?? variant.after ?? [] };
    const said = why ? [...paragraph(why), ...notes, ...question]
      : [...this.opening(), ...text(variant.before), ...notes, ...question, after, ...this.controls()];
    const arrays = { ...data.arrays, ...more ? (await this.closed()).arrays : {} };
    return { layout, said, shown, arrays };
  }

  // On the first step, what the lesson promises, and the way to the questions before it.
  opening() {
    const { book: { first, labels, lesson, promise }, said, study } = this;
    if (said.at !== first || said.lesson) return [];
    const probed = !first || study.hasProbed(lesson);
    const way = { kind: "button", key: "lesson-probe", say: labels.probe, sets: { lesson_at: "0" }, weight: "tertiary" };
    return [small(promise), ...(probed ? [] : [way])];
  }

  // By figure, what is made of it by the lesson's variations.
  made() {
    if (!this.offers.length) this.varied.clear();
    return Object.assign({}, ...this.offers.map(({ at, start, made }) => made[this.varied.get(at) ?? start]));
  }

  controls() {
    return this.offers.map(({ at, controls, start }) =>
      controlsOf(`${OFFER}${at}`, controls, this.varied.get(at) ?? start));
  }

  // The controls of a goal at its figure; an answer that was shown may have chosen in them, too.
  hands(n) {
    if (!this.goal) return [];
    const { hand, hands: { at, controls } } = this.goal;
    if (n !== at || !controls.length) return [];
    this.follow();
    return [controlsOf(HANDS, controls, hand)];
  }

  // What is chosen by the controls is selected in the figure, and the other way round.
  follow() {
    const { goal } = this, { hand, hands: { scope, controls } } = goal;
    if (this.hand === hand) return;
    this.hand = hand;
    const places = hand.split(",");
    const picked = controls.map(({ name, values }, n) => [`${scope}.${name}`, values[places[n]]]);
    selectAll(Object.fromEntries(picked.filter(([, value]) => value !== null)));
    this.hears ??= this.hearing(({ detail }) => {
      if (detail.hover) return;
      const now = goal.hand.split(",").map((place, n) => {
        const value = SHARED.selection[`${scope}.${controls[n].name}`] ?? null;
        return value === null ? place : controls[n].values.indexOf(value);
      });
      if (now.every((place) => Number(place) >= 0) && now.join(",") !== goal.hand) this.move(now.join(","));
    });
  }

  // Hears what is picked in the figures, until the screen is left.
  hearing(listener) {
    document.addEventListener(CHANGED, listener);
    this.leaving.push(() => document.removeEventListener(CHANGED, listener));
    return listener;
  }

  async move(hand) {
    await this.goal.move(hand);
    await this.draw();
  }

  async probe(data) {
    const { book: { labels, screens } } = this;
    const when = this.at === screens.length - 1 ? "after" : "before";
    const questions = [];
    for (const [n, one] of data.probe.entries()) {
      const key = `probe-${n}`;
      const asking = this.asking(key, [one], when, async () => [(await this.closed()).probe[n]]);
      questions.push(...one.notes.map(small), { kind: "question", key, header: await asking.header() });
    }
    const able = [["ul", {}, ...data.able.map((one) => ["li", {}, one])]];
    if (when === "before") {
      const said = [...text([...labels.able, ...able]), ...paragraph(labels.before), ...questions];
      return { layout: "below", said, shown: [], arrays: {} };
    }
    const through = [...this.asked.values()].every(({ answered }) => answered.tries || answered.givenUp);
    const gains = through ? [...labels.now_able, ...able] : [];
    const ended = { kind: "live", words: [...this.gained(data, labels), ...gains, ...data.sums.flat()] };
    const { arrays = {}, ...back } = data.probe.length ? await this.bringBack() : {};
    const again = back.said ? [{ kind: "screen", key: "again", ...back }] : [];
    const said = [...paragraph(data.probe.length ? labels.after : ""), ...questions, ...again, ended];
    return { layout: "below", said, shown: [], arrays };
  }

  // A question on an idea that she has shown, once, below those that end the lesson.
  async bringBack() {
    const { book, study } = this;
    if (!this.back) {
      const { again } = await this.closed();
      const found = comingBack(again, study, book.lesson);
      if (!found) return {};
      const { layout } = book.screens[found.at];
      const why = fill(book.labels.again, { step: found.title });
      this.back = new Screen(book, study, { ...found, layout, lesson: book.lesson, why }, this.counted);
    }
    return this.back.body();
  }

  gained({ probe }, labels) {
    const { book: { lesson }, study } = this;
    return ["before", "after"].flatMap((when) => {
      const entries = probe.map(({ question: { id } }) => study.entry(lesson, id.replace(/[a-z]+$/, when)));
      if (!entries.some((one) => one?.[3] || one?.[6])) return [];
      const n = entries.filter((one) => one?.[4]).length;
      return [["p", {}, `${labels[`gained_${when}`]}: ${fill(labels.solved, { n, of: entries.length })}`]];
    });
  }

  // What is done at a question: the one that was asked so hears it.
  async hear(what, value) {
    const every = [...this.asked.values(), ...this.back?.asked.values() ?? []];
    for (const asking of every) await asking.hear(what, value);
    await this.draw();
  }

  // A value of a control.
  async choose(patch) {
    const [[full, value]] = Object.entries(patch);
    const at = full.lastIndexOf("."), [scope, name] = [full.slice(0, at), full.slice(at + 1)];
    if (scope === HANDS) {
      await this.move(another(this.goal.hands.controls, this.goal.hand, name, value));
      return;
    }
    const offer = this.offers.find((one) => `${OFFER}${one.at}` === scope);
    this.varied.set(offer.at, another(offer.controls, this.varied.get(offer.at) ?? offer.start, name, value));
    await this.draw();
  }
}

// A screen of the book: a step with its figures and its question, or the questions before a lesson and
// after it, with the one that comes back.

import { el, fill } from "../shared/dom.js";
import { CHANGED, SHARED, selectAll } from "../shared/selection.js";
import { Asking } from "./asking.js";
import { comingBack } from "./coming_back.js";
import { Goal } from "./goal.js";
import { held } from "./packs.js";
import { drawFigure, handsOf, made, Place } from "./placed.js";

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
 * @property {string} [key] of its question
 * @property {boolean} [bare] its texts are left out
 * @property {(variants: any[]) => any[]} [order] the variants that are asked, in their order
 */

export class Screen {
  /**
   * @param {any} book what the page says of its lesson
   * @param {() => Place} place for components
   * @param {import("./study.js").Study} study
   * @param {Said} said
   * @param {HTMLElement} body
   * @param {() => void} counted something was answered
   */
  constructor(book, place, study, said, body, counted) {
    Object.assign(this, { book, place, study, said, body, counted });
    /** @type {Map<string, { asking: Asking, show: ((header: any) => void) | null, place: Place }>} */
    this.asked = new Map();
    /** @type {Place[]} */
    this.places = [];
    this.drawn = ""; // what the figures show
    /** @type {Map<number, string>} */
    this.varied = new Map(); // by figure, what she has made of it
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
    for (const place of this.places) place.clear();
    for (const leave of this.leaving) leave();
    this.back?.leave();
  }

  // One drawing after the other: the last one shows what was done last.
  draw() {
    this.drawing = (this.drawing ?? Promise.resolve()).then(() => this.drawNow());
    return this.drawing;
  }

  async drawNow() {
    this.opened ??= this.held("opened");
    const data = await this.opened;
    if (this.gone) return;
    if (!this.parts) this.begin(data);
    await (data.variants ? this.step(data) : this.probe(data));
  }

  closed() {
    this.closing ??= this.held("closed");
    return this.closing;
  }

  held(kind) {
    const { said: { pack = this.book.lesson, held: name = this.at }, book: { language } } = this;
    return held(pack, `${language}/${kind}-${name}`);
  }

  begin(data) {
    const words = (more = {}) => el("div", { class: "book-words", ...more });
    const slots = (data.variants?.[0]?.figures ?? []).map(
      () => ({ offers: el("div", { class: "book-hands" }), drawn: el("div", { class: "book-drawn" }) }));
    const parts = {
      before: words(), notes: words(), question: el("div", {}), hands: el("div", { class: "book-hands" }),
      after: words({ "aria-live": "polite" }), slots,
      figures: /** @type {HTMLElement[]} */ (slots.map(
        ({ offers, drawn }) => el("div", { class: "book-figure" }, offers, drawn))),
    };
    this.parts = parts;
    this.figures = slots.map(() => this.own());
    this.body.className = `book-screen book-${this.said.layout}`;
    this.body.replaceChildren(
      el("div", { class: "book-said" }, parts.before, parts.notes, parts.question, parts.after),
      el("div", { class: "book-shown" }, parts.hands, ...parts.figures));
    parts.notes.append(...(data.notes ?? []).map((one) => el("p", { class: "glass-source" }, one)));
  }

  own() {
    const place = this.place();
    this.places.push(place);
    return place;
  }

  asking(key, variants, when, closed) {
    if (!this.asked.has(key)) {
      const { study, book } = this, lesson = this.said.lesson ?? book.lesson;
      const changed = () => this.counted();
      const surprises = async () => (await held(book.common, `${book.language}/surprises`)).surprises;
      const asking = new (variants[0].hands ? Goal : Asking)(
        { lesson, when, variants, closed, surprises, study, changed });
      this.asked.set(key, { asking, show: null, place: this.own() });
    }
    return this.asked.get(key);
  }

  async ask(key, into, one) {
    const header = { ...await one.asking.header(), key };
    if (this.gone) return;
    if (one.show) one.show(header);
    else one.show = one.place.mount(into, "question", header);
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
    const { parts, said: { when = "lesson", key = "question", bare } } = this;
    const [first] = data.variants;
    if (!first) {
      parts.before.replaceChildren(...made(data.before), el("p", { class: "book-problem" }, data.problem));
      return;
    }
    let [at, variant, more, figures] = [0, first, null, first.figures.map((figure) => ({ figure, whole: null }))];
    if (first.question) {
      const { variants, closed } = this.posed(data);
      const one = this.asking(key, variants, when, closed);
      const { asking } = one;
      at = asking.at;
      variant = variants[at];
      more = asking.open ? await asking.more() : null;
      figures = asking instanceof Goal ? (await asking.made()).figures
        : variant.figures.map((figure, n) => ({ figure, whole: more?.figures[n] ?? null }));
      await this.ask(key, parts.question, one);
      if (asking instanceof Goal) this.handle(asking);
    }
    const closed = more ? await this.closed() : null;
    const varied = this.vary(more?.offers ?? variant.offers ?? []);
    const drawn = JSON.stringify([at, Boolean(more), this.hand, [...this.varied]]);
    if (this.gone || drawn === this.drawn) return;
    this.drawn = drawn;
    if (!bare) {
      parts.before.replaceChildren(...made(variant.before));
      parts.after.replaceChildren(...made(more?.after ?? variant.after ?? []));
    }
    figures.forEach(({ figure, whole }, n) => {
      const other = varied[n];
      const arrays = whole || (other && more) ? closed.arrays : data.arrays;
      drawFigure(parts.slots[n].drawn, other ?? whole ?? figure, arrays, this.figures[n], this.book.labels);
    });
  }

  // The controls of the lesson's variations, and by figure what is made of it by them.
  vary(offers) {
    const found = {};
    if (!offers.length) {
      this.varied.clear();
      for (const { offers: into } of this.parts.slots) into.replaceChildren();
    }
    for (const { at, controls, start, made: all } of offers) {
      const name = this.varied.get(at) ?? start;
      Object.assign(found, all[name]);
      handsOf(this.parts.slots[at].offers, controls, name, (now) => {
        this.varied.set(at, now);
        this.draw();
      });
    }
    return found;
  }

  // The controls of a goal; what is chosen in them may have been chosen by an answer that was shown.
  handle(goal) {
    if (this.hand === goal.hand) return;
    this.hand = goal.hand;
    const { at, controls, scope } = goal.hands;
    if (!controls.length) return;
    const moved = async (hand) => {
      await goal.move(hand);
      await this.draw();
    };
    this.parts.figures[at].before(this.parts.hands);
    const places = goal.hand.split(",");
    const picked = controls.map(({ name, values }, n) => [`${scope}.${name}`, values[places[n]]]);
    selectAll(Object.fromEntries(picked.filter(([, value]) => value !== null)));
    handsOf(this.parts.hands, controls, goal.hand, moved);
    this.hears ??= this.hearing(({ detail }) => {
      if (detail.hover) return;
      const now = goal.hand.split(",").map((place, n) => {
        const value = SHARED.selection[`${scope}.${controls[n].name}`] ?? null;
        return value === null ? place : controls[n].values.indexOf(value);
      });
      if (now.every((place) => Number(place) >= 0) && now.join(",") !== goal.hand) moved(now.join(","));
    });
  }

  // Hears what is picked in the figures, until the screen is left.
  hearing(listener) {
    document.addEventListener(CHANGED, listener);
    this.leaving.push(() => document.removeEventListener(CHANGED, listener));
    return listener;
  }

  async probe(data) {
    const { parts, book: { labels, screens } } = this;
    const when = this.at === screens.length - 1 ? "after" : "before";
    for (const [n, one] of data.probe.entries()) {
      const key = `probe-${n}`;
      const asked = this.asking(key, [one], when, async () => [(await this.closed()).probe[n]]);
      if (!asked.show) parts.question.append(...one.notes.map((note) => el("p", { class: "glass-source" }, note)));
      await this.ask(key, parts.question, asked);
    }
    if (this.gone) return;
    const able = el("ul", {}, ...data.able.map((one) => el("li", {}, one)));
    if (when === "before") {
      parts.before.replaceChildren(...made(labels.able), able, el("p", {}, labels.before));
      return;
    }
    const through = [...this.asked.values()].every(({ asking: { answered } }) => answered.tries || answered.givenUp);
    const sums = data.sums.flatMap((one) => made(one));
    parts.after.replaceChildren(...this.gained(data, labels),
      ...through ? [...made(labels.now_able), able] : [], ...sums);
    parts.before.replaceChildren(el("p", {}, data.probe.length ? labels.after : ""));
    if (data.probe.length) await this.bringBack();
  }

  // A question on an idea that she has shown, once, below those that end the lesson.
  async bringBack() {
    const { book, study, parts } = this;
    if (!this.back) {
      const { again } = await this.closed();
      const found = comingBack(again, study, book.lesson);
      if (!found || this.gone || this.back) return;
      const body = el("div", {});
      const { layout } = book.screens[found.at];
      const said = { ...found, layout, lesson: book.lesson, key: "again", bare: true };
      this.back = new Screen(book, this.components, study, said, body, this.counted);
      parts.question.append(el("section", { class: "book-again" },
        el("p", {}, fill(book.labels.again, { step: found.title })), body));
    }
    await this.back.draw();
  }

  gained({ probe }, labels) {
    const { book: { lesson }, study } = this;
    return ["before", "after"].flatMap((when) => {
      const entries = probe.map(({ question: { id } }) => study.entry(lesson, id.replace(/[a-z]+$/, when)));
      if (!entries.some((one) => one?.[3] || one?.[6])) return [];
      const n = entries.filter((one) => one?.[4]).length;
      return [el("p", {}, `${labels[`gained_${when}`]}: ${fill(labels.solved, { n, of: entries.length })}`)];
    });
  }

  async hear(key, what, value) {
    const one = this.asked.get(key);
    if (!one) return this.back?.hear(key, what, value);
    await one.asking.hear(what, value);
    await this.draw();
  }
}

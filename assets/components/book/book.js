// A lesson that needs no server. The screens, their figures and all that is said were made beforehand
// (core/lessons/book); the components are those of the app, and hear the book where they hear a server.

import { el, fill } from "../shared/dom.js";
import { kept } from "../shared/kept.js";
import { heard, speakThrough } from "../shared/outbox.js";
import { CHANGED, SHARED, selectAll } from "../shared/selection.js";
import { Asking } from "./asking.js";
import { decoded } from "./decoded.js";
import { Goal } from "./goal.js";
import { drawFigure, handsOf, made, Place } from "./placed.js";
import { Study } from "./study.js";

const AT = "lesson_at"; // in the selection
const KEPT = "lessons"; // among what the browser keeps, as the component of the progress does

/**
 * @param {any} book what the page says of its lesson (core/lessons/book/pages.py)
 * @param {Record<string, any>} components by their names
 */
export function open(book, components) {
  const root = /** @type {HTMLElement} */ (document.getElementById("book"));
  const [chance] = crypto.getRandomValues(new Uint16Array(1));
  const study = new Study(kept(KEPT) ?? "", chance % book.progress.seeds);
  const steady = new Place(components, book.language);
  /** @type {Screen | null} */
  let screen = null;

  const what = el("p", { class: "glass-what" }, book.title);
  const title = el("h1", { class: "glass-title" });
  const steps = el("div", {});
  const body = el("div", { class: "book-screen" });
  const back = el("button", { type: "button", class: "book-back", onclick: () => go(at() - 1) }, book.labels.back);
  const next = el("button", { type: "button", class: "book-next", onclick: () => go(at() + 1) }, book.labels.next);
  const saved = el("div", { class: "book-kept" });
  root.replaceChildren(what, title, steps, body, el("div", { class: "book-ways" }, back, next), saved);

  const last = book.screens.length - 1;
  const inLink = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? book.first);
  const at = () => Math.max(0, Math.min(last, SHARED.selection[AT] ?? inLink()));
  const go = (to) => selectAll({ [AT]: Math.max(0, Math.min(last, to)) });

  const deck = { ...book.stepper, key: "lesson-steps", first: at(), selection: { [AT]: at() } };
  steady.mount(steps, "stepper", deck);
  let loaded = { n: 0, what: "loaded" };
  const progress = () => ({
    ...book.progress, key: "progress", visit: "book", known: true, loaded, answered: study.progress,
  });
  const showProgress = steady.mount(saved, "progress", progress());

  function counted() {
    showProgress(progress());
    countCards(study);
  }
  const acts = {
    kept: (text) => study.hear(text),
    loaded: (text) => { loaded = { n: loaded.n + 1, what: study.load(text) }; },
    wiped: (era) => study.wipe(era),
  };
  async function act({ key, what: said, value }) {
    if (key === "progress") {
      acts[said]?.(value);
      counted();
      await screen?.draw();
    } else await screen?.hear(key, said, value);
  }
  let [taken, now] = [0, Promise.resolve()];
  speakThrough((_what, messages) => {
    for (const message of messages.filter(({ n }) => n > taken)) {
      taken = message.n;
      now = now.then(() => act(message)).then(() => { heard(message.n); });
    }
  });

  async function show() {
    const to = at();
    if (screen?.at === to) return;
    screen?.leave();
    root.setAttribute("aria-busy", "true");
    const now = screen = new Screen(book, components, study, to, body, counted);
    title.textContent = book.screens[to].title;
    back.disabled = to === 0;
    next.disabled = to === last;
    if (to !== inLink()) location.hash = `#${to}`;
    await now.draw();
    if (screen !== now) return;
    root.removeAttribute("aria-busy");
    globalThis.scrollTo({ top: 0 });
  }
  document.addEventListener(CHANGED, ({ detail }) => {
    if (!detail.hover && detail.changed.includes(AT)) show();
  });
  globalThis.addEventListener("hashchange", () => go(inLink()));
  countCards(study);
  show();
}

// How far she is, on the cards of the lessons.
function countCards(study) {
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-asks]"))) {
    const { lesson = "", asks = "", said = "" } = card.dataset;
    const idents = asks.split(" ").filter(Boolean);
    const n = idents.filter((ident) => study.entry(lesson, ident)?.[5]).length;
    card.querySelector("small").textContent = fill(said, { right: n, n: idents.length });
    /** @type {HTMLElement} */ (card.querySelector(".book-ring")).style.setProperty(
      "--done", `${Math.round(100 * n / (idents.length || 1))}%`);
  }
}

class Screen {
  constructor(book, components, study, at, body, counted) {
    Object.assign(this, { book, study, at, body, counted });
    this.place = () => new Place(components, book.language);
    /** @type {Map<string, { asking: Asking, show: ((header: any) => void) | null, place: Place }>} */
    this.asked = new Map();
    /** @type {Place[]} */
    this.places = [];
    this.drawn = ""; // what the figures show
    this.gone = false;
  }

  leave() {
    this.gone = true;
    for (const place of this.places) place.clear();
  }

  // One drawing after the other: the last one shows what was done last.
  draw() {
    this.drawing = (this.drawing ?? Promise.resolve()).then(() => this.drawNow());
    return this.drawing;
  }

  async drawNow() {
    this.opened ??= decoded(`opened-${this.at}`);
    const data = await this.opened;
    if (this.gone) return;
    if (!this.parts) this.begin(data);
    await (data.variants ? this.step(data) : this.probe(data));
  }

  closed() {
    this.closing ??= decoded(`closed-${this.at}`);
    return this.closing;
  }

  begin(data) {
    const { layout } = this.book.screens[this.at];
    const parts = {
      before: el("div", { class: "book-words" }), notes: el("div", { class: "book-words" }),
      question: el("div", {}), hands: el("div", { class: "book-hands" }), after: el("div", { class: "book-words", "aria-live": "polite" }),
      figures: /** @type {HTMLElement[]} */ ((data.variants?.[0]?.figures ?? []).map(
        () => el("div", { class: "book-figure" }))),
    };
    this.parts = parts;
    this.figures = parts.figures.map(() => this.own());
    this.body.className = `book-screen book-${layout}`;
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
      const { book: { lesson }, study } = this;
      const changed = () => this.counted();
      const asking = new (variants[0].hands ? Goal : Asking)({ lesson, when, variants, closed, study, changed });
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

  async step(data) {
    const { parts, book: { labels } } = this;
    const [first] = data.variants;
    if (!first) {
      parts.before.replaceChildren(...made(data.before), el("p", { class: "book-problem" }, data.problem));
      return;
    }
    let [at, variant, more, figures] = [0, first, null, first.figures.map((figure) => ({ figure, whole: null }))];
    if (first.question) {
      const one = this.asking("question", data.variants, "lesson", async () => (await this.closed()).variants);
      const { asking } = one;
      at = asking.at;
      variant = data.variants[at];
      more = asking.open ? await asking.more() : null;
      figures = asking instanceof Goal ? (await asking.made()).figures
        : variant.figures.map((figure, n) => ({ figure, whole: more?.figures[n] ?? null }));
      await this.ask("question", parts.question, one);
      if (asking instanceof Goal) this.handle(asking);
    }
    const closed = more ? await this.closed() : null;
    const drawn = JSON.stringify([at, Boolean(more), this.hand]);
    if (this.gone || drawn === this.drawn) return;
    this.drawn = drawn;
    parts.before.replaceChildren(...made(variant.before));
    parts.after.replaceChildren(...made(more?.after ?? variant.after ?? []));
    figures.forEach(({ figure, whole }, n) => {
      const arrays = whole ? closed.arrays : data.arrays;
      drawFigure(parts.figures[n], whole ?? figure, arrays, this.figures[n], labels);
    });
  }

  // The controls of a goal; what is chosen in them may have been chosen by an answer that was shown.
  handle(goal) {
    if (this.hand === goal.hand) return;
    this.hand = goal.hand;
    const moved = async (hand) => {
      await goal.move(hand);
      await this.draw();
    };
    const { at, controls } = goal.hands;
    this.parts.figures[at].before(this.parts.hands);
    if (controls.length) handsOf(this.parts.hands, controls, goal.hand, moved);
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
    if (!one) return;
    await one.asking.hear(what, value);
    await this.draw();
  }
}

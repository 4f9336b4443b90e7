// A lesson that needs no server. The screens, their figures and all that is said were made beforehand
// (core/lessons/book); the components are those of the app, and hear the book where they hear a server.

import { el, fill } from "../shared/dom.js";
import { kept } from "../shared/kept.js";
import { heard, speakThrough } from "../shared/outbox.js";
import { CHANGED, SHARED, selectAll } from "../shared/selection.js";
import { decoded } from "./decoded.js";
import { LastTest, Result } from "./last_test.js";
import { Place } from "./placed.js";
import { Screen } from "./screen.js";
import { Study } from "./study.js";

const AT = "lesson_at"; // in the selection
const KEPT = "lessons"; // among what the browser keeps, as the component of the progress does

/**
 * @param {any} book what the page says of its lesson (core/lessons/book/pages.py)
 * @param {Record<string, any>} components by their names
 */
export async function open(book, components) {
  const root = /** @type {HTMLElement} */ (document.getElementById("book"));
  const [chance] = crypto.getRandomValues(new Uint16Array(1));
  const study = new Study(kept(KEPT) ?? "", chance % book.progress.seeds);
  const test = book.test ? new LastTest(await decoded("drawing"), book.test, study) : null;
  const screens = () => test?.screens ?? book.screens;
  const first = test?.firstOpen ?? book.first;
  const steady = new Place(components, book.language);
  /** @type {Screen | Result | null} */
  let screen = null;

  const what = el("p", { class: "glass-what" }, book.title);
  const title = el("h1", { class: "glass-title" });
  const steps = el("div", {});
  const body = el("div", { class: "book-screen" });
  const turning = (name, by) => el("button", {
    type: "button", class: `book-${name}`, onclick: () => go(at() + by),
  }, book.labels[name]);
  const back = turning("back", -1), next = turning("next", 1);
  const saved = el("div", { class: "book-kept" });
  root.replaceChildren(what, title, steps, body, el("div", { class: "book-ways" }, back, next), saved);

  const last = () => screens().length - 1;
  const inLink = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? first);
  const at = () => Math.max(0, Math.min(last(), SHARED.selection[AT] ?? inLink()));
  const go = (to) => selectAll({ [AT]: Math.max(0, Math.min(last(), to)) });

  const deck = () => ({
    ...book.stepper, n: last() + 1, titles: screens().map(() => ""), key: "lesson-steps", first: at(),
    selection: { [AT]: at() },
  });
  const showDeck = steady.mount(steps, "stepper", deck());
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
      await (test ? drawTest() : screen?.draw());
    } else await screen?.hear(key, said, value);
  }
  let [taken, now] = [0, Promise.resolve()];
  speakThrough((_what, messages) => {
    for (const message of messages.filter(({ n }) => n > taken)) {
      taken = message.n;
      now = now.then(() => act(message)).then(() => { heard(message.n); });
    }
  });

  // What is asked follows from what she has answered elsewhere.
  async function drawTest() {
    test?.draw();
    showDeck(deck());
    await show(true);
  }
  function begin() {
    test?.begin();
    showDeck(deck());
    go(0);
  }
  function screenOf(to) {
    const said = { ...screens()[to], at: to };
    return test && said.result
      ? new Result(test, to, body, new Place(components, book.language), { go, begin })
      : new Screen(book, components, study, said, body, counted);
  }

  async function show(anew = false) {
    const to = at();
    if (screen?.at === to && !anew) return;
    screen?.leave();
    root.setAttribute("aria-busy", "true");
    const now = screen = screenOf(to);
    title.textContent = screens()[to].title;
    back.disabled = to === 0;
    next.disabled = to === last();
    if (to !== inLink()) location.hash = `#${to}`;
    await now.draw();
    if (screen !== now) return;
    root.removeAttribute("aria-busy");
    if (!anew) globalThis.scrollTo({ top: 0 });
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
    const entries = idents.map((ident) => study.entry(lesson, ident) ?? []);
    const n = entries.filter(([, , , , , once]) => once).length;
    const met = entries.filter(([, , , tries, , once, givenUp]) => tries || once || givenUp).length;
    card.querySelector("small").textContent = fill(said, { right: n, n: idents.length });
    /** @type {HTMLElement} */ (card.querySelector(".book-ring")).style.setProperty(
      "--done", `${Math.round(100 * met / (idents.length || 1))}%`);
  }
}

// A page that needs no server: the list of lessons, or a lesson. The screens, their figures and all that is
// said were made beforehand (core/lessons/book); the components are those of the app, and tell the book
// what is done in them.

import { Part } from "../lesson/blocks.js";
import { bring } from "../shared/brought.js";
import { el, fill } from "../shared/dom.js";
import { CHANGED, SHARED, selectAll } from "../shared/selection.js";
import { LastTest, Result } from "./last_test.js";
import { held, MissingError } from "./packs.js";
import { progressOf } from "./progress.js";
import { Screen } from "./screen.js";
import { Study } from "./study.js";

const AT = "lesson_at"; // in the selection

/**
 * @param {any} book what the page says of itself (core/lessons/book/pages.py)
 * @param {Record<string, any>} components by their names
 */
export function open(book, components) {
  const root = /** @type {HTMLElement} */ (document.getElementById("book"));
  const [chance] = crypto.getRandomValues(new Uint16Array(1));
  const study = new Study(chance % book.progress.seeds);
  bring(components);
  if (book.list) progressOf(book, study, root);
  else play(book, root, study).catch((problem) => missed(problem, book, root));
}

// A pack is not where it should be: the page says which one.
function missed(problem, { labels }, into) {
  if (!(problem instanceof MissingError)) throw problem;
  into.replaceChildren(el("p", { class: "book-problem" }, fill(labels.needs, { file: problem.file })));
}

async function play(book, root, study) {
  const drawing = book.test ? await held(book.common, `${book.language}/drawing`) : null;
  const test = drawing ? new LastTest(drawing, book.test, study) : null;
  const screens = () => test?.screens ?? book.screens;
  const first = test?.firstOpen ?? book.first;
  /** @type {Screen | Result | null} */
  let screen = null;

  const what = el("p", { class: "glass-what" }, book.title);
  const title = el("h1", { class: "glass-title" });
  const steps = new Part();
  const body = el("div");
  const turning = (name, by) => el("button", {
    type: "button", class: `lesson-${name}`, onclick: () => go(at() + by),
  }, book.labels[name]);
  const back = turning("back", -1), next = turning("next", 1);
  const saved = el("div", { class: "book-kept" });
  const head = el("div", { class: "lesson-head" }, el("div", {}, what, title));
  root.replaceChildren(head, steps.element, body, el("div", { class: "lesson-ways" }, back, next), saved);

  const last = () => screens().length - 1;
  const inLink = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? first);
  const at = () => Math.max(0, Math.min(last(), SHARED.selection[AT] ?? inLink()));
  const go = (to) => selectAll({ [AT]: Math.max(0, Math.min(last(), to)) });

  const deck = () => ({
    ...book.stepper, n: last() + 1, before: test ? 0 : book.first, titles: screens().map(({ title }) => title ?? ""), key: "lesson-steps", first: at(),
    selection: { [AT]: at() },
  });
  const showDeck = () => steps.show("stepper", { ...deck(), language: book.language });
  showDeck();
  const progress = progressOf(book, study, saved, () => (test ? drawTest() : screen?.draw()));

  // What is asked follows from what she has answered elsewhere.
  async function drawTest() {
    test?.draw();
    showDeck();
    await show(true);
  }
  function begin() {
    test?.begin();
    showDeck();
    go(0);
  }
  function screenOf(to) {
    const said = { ...screens()[to], at: to };
    return test && said.result
      ? new Result(test, to, book.language, { go, begin }) : new Screen(book, study, said, progress.counted);
  }

  async function show(anew = false) {
    const to = at();
    if (screen?.at === to && !anew) return;
    screen?.leave();
    root.setAttribute("aria-busy", "true");
    const now = screen = screenOf(to);
    title.textContent = screens()[to].title;
    back.disabled = to <= (test ? 0 : book.first);
    next.disabled = to === last();
    if (to !== inLink()) location.hash = `#${to}`;
    try {
      await now.load(); // until then she sees what was there
      if (screen === now) body.replaceChildren(now.element);
      await now.draw();
    } catch (problem) {
      missed(problem, book, body);
    }
    if (screen !== now) return;
    root.removeAttribute("aria-busy");
    if (!anew) globalThis.scrollTo({ top: 0 });
  }
  document.addEventListener(CHANGED, ({ detail }) => {
    if (!detail.hover && detail.changed.includes(AT)) show();
  });
  globalThis.addEventListener("hashchange", () => go(inLink()));
  show();
}

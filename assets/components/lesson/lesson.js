// The lessons: the list, or a screen of the one that is open. The server makes a screen for what the page
// is at and for what was answered, which this browser keeps; nothing of a learner is kept there. What she
// does at a question goes with the next question to the server, and comes back marked.

import { Progress } from "../book/progress.js";
import { Study } from "../book/study.js";
import { Question, refusal } from "../shared/answers.js";
import { modeOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { turn } from "../shared/keyboard.js";
import { keepHere, keptHere } from "../shared/kept.js";
import { unpack } from "../shared/payload.js";
import { scroller } from "../shared/scrolling.js";
import { BAR, PAGE, SHARED, waiting } from "../shared/selection.js";
import { Blocks, Part } from "./blocks.js";
import style from "./lesson.css.js";

const WHO = "lesson-tab"; // what this tab calls itself

const tab = () => {
  const own = keptHere(WHO) ?? crypto.randomUUID?.() ?? Math.random().toString(16).slice(2);
  keepHere(WHO, own);
  return own;
};
const OF_A_CLICK = /^tour\d+\./; // what was clicked in the picture of one: each shows its own
const local = (name) => name.slice(name.lastIndexOf(".") + 1);

export default define(":host { display: block; }", (env) => {
  let spec = null;
  let begun = false; // the page has said what it is at
  let screen = null; // that is shown
  let deed = ""; // what is done at a question, until the server has heard it
  let applying = false; // the state is set by an answer
  let leaves = false; // the ten clicks for the whole run
  let timer;
  /** @type {Set<string>} */
  const folds = new Set(); // that are open, and were asked for
  const study = new Study(NaN);
  let known = Number.isFinite(study.progress.seed); // the server says the seed of who has none

  // Its texts are the page's: terms are explained in them as everywhere.
  const page = el("div", { class: "lesson" });
  const outside = /** @type {ShadowRoot} */ (env.host.getRootNode()).host;
  outside.append(page);
  env.host.append(el("slot"));

  const what = el("p", { class: "glass-what" });
  const title = el("h1", { class: "glass-title" });
  const dots = el("span", { "aria-hidden": "true" });
  const beside = el("div", { class: "lesson-beside" });
  const head = el("div", { class: "lesson-head" }, el("div", {}, what, title), beside);
  const deck = new Part();
  const problem = el("p", { class: "lesson-problem", role: "status" });
  const body = el("div", { class: "lesson-body" });
  const opening = el("div", { class: "lesson-opening" });
  const ways = {};
  const way = (name, go) => {
    ways[name] = el("button", { type: "button", class: `lesson-${name}`, onclick: go });
    return ways[name];
  };
  const row = el("div", { class: "lesson-ways" },
    way("back", () => goTo(screen.at - 1)), way("next", () => goTo(screen.at + 1)),
    way("leave", () => SHARED.live?.set({ lesson: null, lesson_at: null })));
  const progress = new Progress(study, () => {
    showProgress();
    ask();
  });
  const [below, further] = [el("div", { class: "lesson-below" }), el("div", { class: "lesson-further" })];
  progress.part.element.classList.add("lesson-progress");
  page.append(el("style", {}, style), deck.element, opening, problem, body, below, row, further, progress.part.element);

  const acts = { done, set, unfold, choose: (patch) => SHARED.live?.set(patch) };
  const blocks = { beside: new Blocks(acts), opening: new Blocks(acts), body: new Blocks(acts), below: new Blocks(acts), further: new Blocks(acts) };

  function goTo(at) {
    SHARED.live?.set({ lesson_at: at });
  }

  // A button: it changes the state, and may do something besides.
  function set(sets, act = "") {
    if (act) deed = JSON.stringify({ what: act, value: "" });
    leaves = sets.tour === null;
    const left = "tour" in sets ? Object.keys(SHARED.live?.values ?? {}).filter((name) => OF_A_CLICK.test(name)) : [];
    SHARED.live?.set({ ...Object.fromEntries(left.map((name) => [name, null])), ...sets });
    if (act) ask();
  }

  // Something is done at a question.
  function done(said, value) {
    if (said === "answer" || said === "give" || said === "hint" || said === "again") {
      deed = JSON.stringify({ what: said, value });
      ask();
    }
    const to = said === "walk" ? screen.walk?.[value] : null;
    if (to) set(to);
  }

  function unfold(name, open) {
    if (folds.has(name) === open) return;
    folds[open ? "add" : "delete"](name);
    if (open) ask();
  }

  // What the screen is made of: where she looks on it is told only where that is in her hands.
  function state() {
    const looks = new Set(spec.looks);
    const wanted = ([name]) => !looks.has(local(name)) || !isHere(name) || screen.follows.includes(name);
    return Object.entries(SHARED.live.values).filter(wanted);
  }

  // Whether something is looked at on the screen that is shown; of another one all is told when it opens.
  function isHere(name) {
    if (!screen?.here) return screen !== null && !name.includes(".");
    return name.startsWith(screen.here) && !/^\d/.test(name.slice(screen.here.length));
  }

  function ask() {
    if (!spec || !SHARED.live) return;
    if (!begun) begin();
    const query = new URLSearchParams([...state(), ...Object.entries(spec.asks)]);
    query.set("_language", spec.speaks);
    query.set("_mode", modeOf(env.host));
    query.set("_who", tab());
    if (known) query.set("_study", JSON.stringify(study.progress));
    if (folds.size) query.set("_folds", [...folds].join(","));
    if (deed) query.set("_does", deed);
    question.ask(`${spec.path}?${query}`, { posts: true });
    waiting(env.host, question.open);
  }

  const question = new Question(show, refuse, () => { problem.textContent = spec.labels.lost; }, () => waiting(env.host, false));

  function refuse(told) {
    deed = "";
    problem.textContent = refusal(told).said;
  }

  function show(bytes) {
    deed = "";
    clearTimeout(timer);
    problem.textContent = "";
    const { screen: now, ...rest } = unpack(bytes);
    if (now.study) remember(now.study);
    const begins = !screen && spec.anew; // the ten clicks
    const turned = screen && (screen.at !== now.at || screen.ident !== now.ident);
    screen = now;
    applying = true;
    if (Object.keys(now.sets).length) SHARED.live?.set(now.sets, { goesOn: !now.turns });
    applying = false;
    if (now.bar) {
      SHARED.bar = now.bar;
      document.dispatchEvent(new CustomEvent(BAR));
    }
    draw(rest);
    if (now.again) timer = setTimeout(() => question.again(), now.again);
    if (turned || begins) turnTo();
  }

  function draw({ arrays, language }) {
    const { at, n, layout } = screen;
    if (at === null) head.remove(); // what is shown has a title of its own, or none
    else if (!head.isConnected) deck.element.before(head);
    row.hidden = deck.element.hidden = !screen.ways;
    const [done = 0, of = 0] = screen.dots ?? [];
    what.classList.toggle("glass-clicks", of > 0);
    dots.replaceChildren(...Array.from({ length: of }, (_one, n) => el("i", { class: n < done ? "done" : "" })));
    what.replaceChildren(screen.what ?? "", ...(of ? [dots] : []));
    title.classList.toggle("glass-ahead", Boolean(screen.ahead));
    title.textContent = screen.title ?? "";
    title.dataset.about = String(at);
    page.dataset.layout = layout;
    if (screen.ways) {
      for (const [name, words] of Object.entries(screen.ways)) ways[name].textContent = words;
      ways.back.disabled = at <= screen.deck.before;
      ways.next.hidden = at === n - 1; // there the way on is one of its own
    }
    if (screen.deck) deck.show("stepper", { ...screen.deck, language });
    blocks.beside.show(beside, screen.beside ?? [], arrays, language);
    blocks.opening.show(opening, screen.opening ?? [], arrays, language);
    blocks.body.screen(body, screen, arrays, language);
    blocks.below.show(below, screen.below ?? [], arrays, language);
    blocks.further.show(further, screen.further ?? [], arrays, language);
    showProgress();
  }

  function turnTo() {
    const around = scroller(page) ?? document.scrollingElement;
    around?.scrollTo({ top: 0 });
    turn();
    // On a phone what is said to a guess may stand below the picture that it has led to.
    const told = page.querySelector(".glass-told");
    if (told && told.getBoundingClientRect().bottom > innerHeight) told.scrollIntoView({ block: "end" });
  }

  // --- what she has answered, which stays in this browser

  function remember(text) {
    study.hear(text);
    if (!known) study.progress.seed = JSON.parse(text).seed;
    known = true;
    study.keep();
  }

  function showProgress() {
    const before = screen.at === 0 ? body : null; // else below all there is to choose
    const { element } = progress.part;
    if (element.nextSibling !== before) page.insertBefore(element, before);
    progress.show({ ...spec.progress, ...screen.progress, summary: screen.summary ?? {}, language: spec.speaks });
  }

  function begin() {
    begun = true;
    sow();
    if (spec.anew && SHARED.live.value("tour") === "1") deed = JSON.stringify({ what: "anew", value: "" });
  }

  // A link that a class opens says by which seed its questions are posed.
  function sow() {
    const seed = Number(SHARED.live.value("study_seed") ?? NaN);
    if (!Number.isInteger(seed) || seed < 0 || seed === study.progress.seed) return;
    study.progress.seed = seed;
    known = true;
    study.keep();
  }

  const heed = () => { if (!applying) ask(); };
  document.addEventListener(PAGE, heed, { signal: env.ends });
  study.follow(ask, env.ends);

  return {
    update(next) {
      spec = next;
      ask();
    },
    destroy() {
      if (leaves) turn();
      question.end();
      clearTimeout(timer);
      waiting(env.host, false);
      if (screen?.bar) SHARED.bar = null;
      for (const one of Object.values(blocks)) one.leave();
      for (const one of [deck, progress.part]) one.leave();
      page.remove();
    },
  };
});

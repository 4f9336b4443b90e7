// A figure that asks for itself: its address is the page's state, as far as the figure reads it. What
// is drawn, its controls, steps and sentences come with one answer; when a name that it reads changes
// it asks again, and an older question is given up. What is shown stays until the answer is there. One
// without a drawing is what a page says of a run.

import { Question, refusal } from "../shared/answers.js";
import { zoomOf } from "../shared/canvas.js";
import { define } from "../shared/component.js";
import { el, keepFocus, rich } from "../shared/dom.js";
import { packed, unpack } from "../shared/payload.js";
import { LECTURED, lectured, roomOf } from "../shared/room.js";
import { holdStill, scroller } from "../shared/scrolling.js";
import { PAGE, SHARED, waiting } from "../shared/selection.js";
import { conditional } from "../shared/streamlit.js";
import { later } from "../shared/time.js";
import { Controls } from "./controls.js";
import { Jobs } from "./jobs.js";
import { refused } from "./refused.js";
import { Room } from "./room.js";
import style from "./figure.css.js";

const ABOVE = ["info", "warning"]; // notes that stand before what they are about
const AGAIN = 2000; // ms until what could not be begun is asked for again
const QUICK = 150; // ms between changes of the state that are asked for together
const AHEAD = 500; // pixels that a figure is asked for before it can be seen

const OF_THE_PAGE = ["text", "model", "target", "device"]; // in a scope, too, unless it has its own

const valueOf = (name) => SHARED.live?.value(name);

export default define(style, (env) => {
  let spec = null;
  let near = false;
  let own = null; // what it says while nothing is selected

  let drawn = ""; // the tag of the answer that is drawn
  let timer;
  const jobs = new Jobs();
  const place = el("div", { class: "place", "aria-hidden": "true" });
  const title = el("h2");
  const outcome = el("div", { class: "outcome", role: "status" });
  const named = (name) => (OF_THE_PAGE.includes(name) && valueOf(env.full(name)) === undefined ? name : env.full(name));
  const change = (patch, of) => {
    const full = Object.fromEntries(Object.entries(patch).map(([name, to]) => [named(name), to]));
    if (of) SHARED.live?.pay(full, named(of));
    else SHARED.live?.set(full);
  };
  let acts = {}; // what a click in the drawing changes
  const [controls, further] = [new Controls(change), new Controls(change)];
  const above = el("div", { class: "above" }, controls.element);
  const steps = new Room(above, () => ({ scope: env.name }));
  const problem = el("p", { class: "problem", role: "status" });
  const body = el("div", { class: "body" });
  const drawing = new Room(body, () => ({ scope: env.name, acts, ...spec.more }));
  const reading = el("p", { class: "told" });
  const changes = el("p", { class: "changes muted small" });
  const [before, notes] = [el("div", { class: "notes" }), el("div", { class: "notes" })];
  const facts = el("p", { class: "facts muted" });
  const letters = el("p", { class: "letters" });
  const source = el("code");
  const by = el("span");
  const computed = el("p", { class: "facts muted" }, by, " ", source);
  further.element.classList.add("below");
  env.host.append(title, outcome, jobs.element, above, problem, before, place, body, further.element, changes, reading, notes, facts, letters, computed);

  const outside = /** @type {ShadowRoot} */ (env.host.getRootNode()).host ?? env.host;
  const whole = new Question(draw, refuse, lose, rest);
  const words = new Question((bytes, headers) => {
    follow(headers);
    const { answer, language, panel } = unpack(bytes);
    say(answer);
    if (spec.drawn || answer.absent) return;
    if (answer.awaited) { // what can be changed is there before
      offer(answer.controls);
      return;
    }
    goThrough(answer, language);
    problem.textContent = says("problem") ? answer.problem : "";
    offer(answer.controls);
    if (spec.saves) drawing.show("save", bytes); // the files of a figure elsewhere
    else if (says("panel")) drawing.show(panel.folder, bytes);
    else show([...env.host.children].some((one) => one !== computed && (one.textContent || (one === above && says("steps")))));
  }, refuse, lose, rest);

  const says = (what) => spec.says.includes(what);
  // At the foot of a phone's screen it is in sight wherever its place is; on a wall no page grows while it is turned.
  const anywhere = () => Boolean(spec?.more.at_foot) || lectured(env.host);
  const value = (name) => valueOf(named(name));
  const address = (kind, names) => {
    const said = names.filter((name) => !(name in spec.asks)).map((name) => [name, value(name)]).filter(([, one]) => one !== undefined);
    return `${spec.path}/${spec.view}.${kind}?${new URLSearchParams([...said, ...Object.entries(spec.asks), ...(spec.job ? jobs.asks : []), ["_language", spec.speaks]])}`;
  };
  // The last run stays where a text is that has not been written yet.
  const waits = () => spec.reads.includes("text") && !("text" in spec.asks) && value("text")?.trim() === "";
  // Another figure stands here while something else is chosen.
  const elsewhere = () => Object.entries(spec.when).some(([name, wanted]) => !wanted.includes(value(name) ?? ""));
  const follows = () => spec.follows.some((name) => value(name) !== undefined);

  let due = false; // it will ask in a moment
  function rest() {
    if (!due && !whole.open && !words.open) waiting(env.host, false);
  }

  function ask() {
    due = false;
    rest();
    if (!spec || !SHARED.live) return;
    conditional(outside)?.toggleAttribute("data-now", !elsewhere());
    if (!near && SHARED.live.shows !== spec.view) return; // what an experiment leads to is asked for anywhere
    if (elsewhere()) {
      for (const one of [whole, words]) one.give();
      refused(outside);
      waiting(env.host, false);
      show(false);
      return;
    }
    env.host.classList.toggle("waits", waits());
    if (waits()) {
      if (says("changes")) problem.textContent = spec.labels.empty; // where it is said once
      show(true);
      if (held) offer(held);
      return;
    }
    waiting(env.host, true);
    if (spec.drawn) whole.ask(address("bin", spec.reads));
    if (follows() || !spec.drawn) words.ask(address("words", [...spec.reads, ...spec.follows]));
    else if (words.give() && own) say(own);
    if (held && !whole.open && !words.open) offer(held); // all was asked already
    rest();
  }

  // How its jobs stand; it is asked for again while one goes on, or where too many wait.
  function follow(headers, otherwise = null) {
    clearTimeout(timer);
    if (!spec.job) return;
    const known = headers.get("Jobs");
    if (known) jobs.update(JSON.parse(known), spec.labels, says("job"));
    const wait = known ? jobs.wait : otherwise;
    if (wait !== null) timer = setTimeout(() => near && (spec.drawn ? whole : words).again(), wait);
  }

  function refuse(told, headers) {
    follow(headers, AGAIN);
    drawn = "";
    const { said, controls: offered = [] } = refusal(told);
    show(true);
    problem.textContent = "";
    for (const one of [drawing, steps]) one.hide();
    for (const one of [reading, before, notes, changes, facts, source, outcome]) one.replaceChildren();
    offer(offered);
    if (spec.drawn) refused(outside, said, refusing, env.name); // else the figure beside it says it
  }

  // What another figure has said already needs no room here, unless something can be changed.
  function refusing(words) {
    problem.textContent = words;
    show([problem, controls.element, further.element].some((one) => one.textContent));
  }

  function show(there) {
    place.hidden = true;
    outside.toggleAttribute("data-absent", !there); // streamlit.css leaves no gap for it
    for (const one of env.host.children) if (one !== place) one.classList.toggle("absent", !there);
  }

  // What another one draws takes no room here.
  const there = (answer) => !answer.absent && !spec.more.hosted;

  let held = null; // what an answer offers that came while something newer was to be asked
  function offer(offered) {
    if (due) {
      held = offered;
      return;
    }
    held = null;
    keepFocus(env.host, () => {
      controls.update(spec.controls, offered);
      further.update(spec.below, offered);
    });
  }

  function lose() {
    problem.textContent = spec.labels.lost;
  }

  function draw(bytes, headers) {
    follow(headers);
    const tag = headers.get("ETag");
    if (spec.job && tag && tag === drawn) return; // it goes on, and has told nothing new
    drawn = tag;
    refused(outside);
    const { answer, language } = unpack(bytes);
    problem.textContent = says("problem") ? answer.problem ?? "" : "";
    own = answer;
    if (answer.awaited) return offer(answer.controls);
    show(there(answer));
    if (answer.absent) return;
    if (!follows()) say(own);
    if (!headers.has("Jobs")) jobs.update(answer.jobs, spec.labels, says("job")); // as it ended for somebody else
    offer(answer.controls);
    goThrough(answer, language);
    acts = answer.acts;
    drawing.show(answer.folder, bytes);
    lead();
  }

  function goThrough(answer, language) {
    if (!says("steps") || !answer.steps) steps.hide();
    else steps.show("stepper", packed({ ...answer.steps, language }));
  }

  function say(answer) {
    if (answer.awaited) return;
    show(there(answer));
    if (answer.absent) return;
    reading.replaceChildren(...(says("reading") ? rich(answer.reading) : []));
    const note = ([kind, words]) => el(kind === "code" ? "pre" : "p", { class: kind }, ...rich(words));
    const wanted = answer.notes.filter(([kind]) => spec.notes.includes(kind));
    before.replaceChildren(...wanted.filter(([kind]) => ABOVE.includes(kind)).map(note));
    notes.replaceChildren(...wanted.filter(([kind]) => !ABOVE.includes(kind)).map(note));
    const [struck, why] = says("cut") ? answer.cut : [];
    changes.replaceChildren(...(struck ? [el("s", {}, struck), ` ${why} `] : []),
      ...(says("changes") ? rich(answer.changes) : []));
    facts.textContent = says("facts") ? answer.facts : "";
    letters.textContent = says("letters") ? answer.letters : "";
    source.textContent = says("source") ? answer.source : "";
    by.textContent = spec.labels.computed;
    computed.hidden = !source.textContent;
    const told = spec.drawn || says("outcome") ? answer.outcome : null; // what stands beside a drawing does not repeat it
    outcome.replaceChildren(...(told ? [
      el("p", {}, told.what),
      el("div", { class: "sides" }, ...told.sides.flatMap(([name, said], n) => [
        n ? el("span", { "aria-hidden": "true" }, "→") : null,
        el("div", { class: "side" }, el("small", {}, name), el("b", {}, said)),
      ]).filter(Boolean)),
    ] : []));
  }

  // To what an experiment moved, with what is drawn below it.
  function lead() {
    if (!outcome.textContent || SHARED.live?.shows !== spec.view) return;
    SHARED.live.shows = null;
    outcome.scrollIntoView({ block: outcome.getBoundingClientRect().bottom < innerHeight / 2 ? "nearest" : "start" });
    holdStill(outcome); // what stands above it is drawn too
  }

  const together = later(ask, QUICK);
  let last = -Infinity; // when the state changed last
  function changed() {
    const now = performance.now();
    if (near) waiting(env.host, true); // until it asks
    due = near;
    if (now - last < QUICK) together();
    else queueMicrotask(ask); // with what changes in the same moment
    last = now;
  }
  document.addEventListener(PAGE, changed, { signal: env.ends }); // the state is there, or another one: the address tells
  const observer = new IntersectionObserver(([entry]) => {
    // What is absent, or stands at the foot, has no place to be seen at.
    near = entry.isIntersecting || outside.hasAttribute("data-absent") || anywhere();
    ask();
  }, { root: scroller(env.host), rootMargin: `${AHEAD}px 0px` });
  observer.observe(env.host);
  const print = () => { near = true; ask(); }; // a printed page is whole
  globalThis.addEventListener("beforeprint", print, { signal: env.ends });

  return {
    update(next) {
      spec = next;
      near ||= anywhere();
      if (spec.more.hosted) show(false);
      env.host.classList.toggle("keeps", !spec.saves); // its files to itself
      // In a lecture it takes what the figure will, so that no scene is another one once that is there.
      const high = lectured(env.host)
        ? Math.min(spec.height * zoomOf(env.host), LECTURED * globalThis.innerHeight) : spec.height;
      place.style.minHeight = `${high}px`;
      if (high && lectured(env.host)) roomOf(place, high);
      title.textContent = spec.title;
      title.hidden = !spec.title;
      ask();
    },
    destroy() {
      clearTimeout(timer);
      whole.end();
      words.end();
      refused(outside);
      waiting(env.host, false);
      observer.disconnect();
      steps.leave();
      drawing.leave();
      together.cancel();
    },
  };
});

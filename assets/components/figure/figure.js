// A figure that asks for itself: its address is the page's state, as far as the figure reads it. What
// is drawn, its controls, steps and sentences come with one answer; when a name that it reads changes
// it asks again, and an older question is given up. What is shown stays until the answer is there. One
// without a drawing is what a page says of a run.

import { Question } from "../shared/answers.js";
import { define } from "../shared/component.js";
import { el, keepFocus, rich } from "../shared/dom.js";
import { packed, unpack } from "../shared/payload.js";
import { scroller } from "../shared/scrolling.js";
import { PAGE, SHARED } from "../shared/selection.js";
import { REDUCED_MOTION } from "../shared/time.js";
import { Controls } from "./controls.js";
import { Room } from "./room.js";
import style from "./figure.css.js";

const AHEAD = 500; // pixels that a figure is asked for before it can be seen

export default define(style, (env) => {
  let spec = null;
  let near = false;
  let own = null; // what it says while nothing is selected

  const place = el("div", { class: "place", "aria-hidden": "true" });
  const title = el("h2");
  const outcome = el("div", { class: "outcome", role: "status" });
  const change = (patch) => SHARED.live?.set(patch);
  const [controls, further] = [new Controls(change), new Controls(change)];
  const above = el("div", { class: "above" }, controls.element);
  const steps = new Room(above);
  const problem = el("p", { class: "problem", role: "status" });
  const body = el("div", { class: "body" });
  const drawing = new Room(body);
  const reading = el("p", { class: "reading" });
  const changes = el("p", { class: "changes muted small" });
  const notes = el("div", { class: "notes" });
  const facts = el("p", { class: "facts muted" });
  const letters = el("p");
  const source = el("code");
  const computed = el("p", { class: "facts muted" }, source);
  further.element.classList.add("below");
  env.host.append(title, outcome, above, problem, place, body, further.element, changes, reading, notes, facts, letters, computed);

  const whole = new Question(draw, refuse, lose);
  const words = new Question((bytes) => {
    const { answer } = unpack(bytes);
    say(answer);
    if (spec.drawn || answer.absent) return;
    problem.textContent = "";
    offer(answer.controls);
    if (spec.saves) drawing.show("save", bytes); // the files of a figure elsewhere
  }, refuse, lose);

  const says = (what) => spec.says.includes(what);
  const value = (name) => SHARED.live?.value(name);
  const address = (kind, names) => {
    const said = names.map((name) => [name, value(name)]).filter(([, one]) => one !== undefined);
    return `${spec.path}/${spec.view}.${kind}?${new URLSearchParams([...said, ...Object.entries(spec.asks), ["_language", spec.speaks]])}`;
  };
  // The last run stays where a text is that has not been written yet.
  const waits = () => spec.reads.includes("text") && value("text")?.trim() === "";
  const follows = () => spec.follows.some((name) => value(name) !== undefined);

  function ask() {
    if (!spec || !SHARED.live || !near) return;
    env.host.classList.toggle("waits", waits());
    if (waits()) return;
    env.host.setAttribute("aria-busy", "true");
    const asked = spec.drawn ? [whole.ask(address("bin", spec.reads))] : [];
    if (follows() || !spec.drawn) asked.push(words.ask(address("words", [...spec.reads, ...spec.follows])));
    else if (words.give() && own) say(own);
    Promise.all(asked).then(() => { if (!whole.open && !words.open) env.host.removeAttribute("aria-busy"); });
  }

  function refuse(told) {
    const { said, controls: offered } = JSON.parse(told);
    show(true);
    problem.textContent = spec.drawn ? said : ""; // the figure beside it says it
    for (const one of [drawing, steps]) one.hide();
    for (const one of [reading, notes, changes, facts, source, outcome]) one.replaceChildren();
    offer(offered);
  }

  function show(there) {
    place.hidden = true;
    for (const one of env.host.children) if (one !== place) one.classList.toggle("absent", !there);
  }

  function offer(offered) {
    keepFocus(env.host, () => {
      controls.update(spec.controls, offered);
      further.update(spec.below, offered);
    });
  }

  function lose() {
    problem.textContent = spec.labels.lost;
  }

  async function draw(bytes) {
    const { answer, language } = unpack(bytes);
    problem.textContent = "";
    own = answer;
    show(!answer.absent);
    if (answer.absent) return;
    if (!follows()) say(own);
    offer(answer.controls);
    if (!spec.steps || !answer.steps) steps.hide();
    else await steps.show("stepper", packed({ ...answer.steps, language }));
    await drawing.show(answer.folder, bytes);
  }

  function say(answer) {
    show(!answer.absent);
    if (answer.absent) return;
    reading.replaceChildren(...(says("reading") ? rich(answer.reading) : []));
    notes.replaceChildren(...answer.notes.filter(([kind]) => spec.notes.includes(kind))
      .map(([kind, said]) => el("p", { class: kind }, ...rich(said))));
    changes.replaceChildren(...(says("changes") ? rich(answer.changes) : []));
    facts.textContent = says("facts") ? answer.facts : "";
    letters.textContent = says("letters") ? answer.letters : "";
    source.textContent = says("source") ? answer.source : "";
    computed.hidden = !source.textContent;
    const told = answer.outcome;
    outcome.replaceChildren(...(told ? [
      el("p", {}, told.what),
      el("div", { class: "sides" }, ...told.sides.flatMap(([name, said], n) => [
        n ? el("span", { "aria-hidden": "true" }, "→") : null,
        el("div", { class: "side" }, el("small", {}, name), el("b", {}, said)),
      ]).filter(Boolean)),
    ] : []));
    if (told && SHARED.live?.shows === spec.view) {
      SHARED.live.shows = null;
      outcome.scrollIntoView({ behavior: REDUCED_MOTION ? "auto" : "smooth", block: "nearest" });
    }
  }

  document.addEventListener(PAGE, ask); // the state is there, or another one: the address tells
  const observer = new IntersectionObserver(([entry]) => {
    near = entry.isIntersecting;
    ask();
  }, { root: scroller(env.host), rootMargin: `${AHEAD}px 0px` });
  observer.observe(env.host);
  const print = () => { near = true; ask(); }; // a printed page is whole
  globalThis.addEventListener("beforeprint", print);

  return {
    update(next) {
      spec = next;
      env.host.classList.toggle("keeps", !spec.saves); // its files to itself
      place.style.minHeight = `${spec.height}px`;
      title.textContent = spec.title;
      title.hidden = !spec.title;
      ask();
    },
    destroy() {
      whole.end();
      words.end();
      observer.disconnect();
      steps.leave();
      drawing.leave();
      document.removeEventListener(PAGE, ask);
      globalThis.removeEventListener("beforeprint", print);
    },
  };
});

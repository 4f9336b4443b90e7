// Numbered steps with play, pause, back and forth. It only says which step it is (a field of the
// selection); what a step looks like is drawn by whoever follows that field. The sections of a page are
// a row of marks: nobody takes them for the steps of a figure. Of several steppers on a page one is open
// at a time; the others are a button that opens them.

import { define } from "../shared/component.js";
import { el, fill, rich, spoken } from "../shared/dom.js";
import { forPage } from "../shared/keys.js";
import { holdStill, scrollsBy } from "../shared/scrolling.js";
import { SHARED } from "../shared/selection.js";
import { unmovedByScrolling } from "../shared/slider.js";
import style from "./stepper.css.js";

const OPENED = "glassformer:stepper"; // another one may be open now
const FEW = 17; // places that one goes through by hand: none, and each word that a text is continued by
const onPage = () => [...SHARED.steppers].filter((one) => one.steps()).sort((a, b) => a.top() - b.top());
// The one that was opened last; else the one that has the page's arrow keys, or the first.
function opened() {
  const all = onPage();
  return all.find((one) => one === SHARED.stepper) ?? all.find((one) => one.main()) ?? all[0];
}
const tellAll = () => document.dispatchEvent(new CustomEvent(OPENED));

export default define(style, (env) => {
  const { select, chosen } = env;
  let payload = null;
  let timer = null;
  let moved = false; // she has taken a step: from there Play goes on

  const back = el("button", { type: "button", onclick: () => go(step() - 1) }, "◀");
  const play = el("button", { type: "button", class: "play", onclick: () => toggle() });
  const next = el("button", { type: "button", onclick: () => go(step() + 1) }, "▶");
  const opens = el("button", { type: "button", class: "opens", onclick: () => openThis() });
  const slider = unmovedByScrolling(
    el("input", { type: "range", min: "0", oninput: () => go(Number(slider.value)) }));
  const place = el("span", { class: "count code" });
  const marks = el("div", { class: "marks", role: "group" });
  const title = el("span", { class: "step-title" });
  const text = el("p", { class: "step-text", "aria-live": "polite" });
  env.host.append(
    el("div", { class: "controls" }, opens, back, play, next, slider, marks, place, title), text);

  const outside = /** @type {ShadowRoot} */ (env.host.getRootNode()).host ?? env.host; // which is there while it is hidden
  const own = {
    steps: () => Boolean(payload) && !payload.deck && env.host.isConnected && outside.checkVisibility() && count() > 1,
    top: () => outside.getBoundingClientRect().top,
    main: () => payload.keys,
    element: outside,
    turn(by) { // with what turns the scenes of a lecture: those of a long training are played
      const to = step() + by;
      const can = payload.keys && isOpen() && count() <= FEW && to >= 0 && to <= last();
      if (can) go(to);
      return can;
    },
  };
  const isOpen = () => payload.deck || opened() === own;
  function openThis() {
    SHARED.stepper = own;
    tellAll();
    (next.disabled ? back : next).focus();
  }

  const field = () => payload.field ?? "step";
  // How many steps there are can depend on what is selected: { field, first, counts }.
  const count = () => {
    const { field: by, first, counts } = payload.n_by ?? {};
    return by ? counts[Math.max(0, Math.min(counts.length - 1, chosen(by) ?? first))] : payload.n;
  };
  const last = () => count() - 1;
  // A deck turns to what is not counted only by a way of its own.
  const least = () => (payload.deck ? Math.min(before(), step()) : 0);
  const before = () => payload.before ?? 0; // those that are not counted
  const steps = () => count() - before() - (payload.after ?? 0);
  const isStep = (n) => n >= before() && n < before() + steps();
  const counted = (n) => fill(payload.labels.count, { i: n + 1 - before(), n: steps() });
  const step = () => {
    const at = chosen(field());
    return Math.max(0, Math.min(last(), at === null ? payload.first ?? last() : at));
  };

  function go(to) {
    const wanted = Math.max(least(), Math.min(last(), to));
    moved = true;
    const cleared = Object.fromEntries((payload.clears ?? []).map((name) => [name, null]));
    if (!payload.deck) holdStill(env.host); // what a step brings may stand above it
    select({ ...cleared, [field()]: wanted });
    env.report([field(), ...(payload.clears ?? [])], { atOnce: payload.deck });
    if (wanted === last()) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    if (payload) draw();
  }

  function toggle() {
    if (timer) return pause();
    // Where it rests when the page opens is no place to begin from.
    const rests = !moved && step() === payload.first;
    if (step() === last() || rests) go(0);
    timer = setInterval(() => (env.host.isConnected ? go(step() + 1) : pause()), payload.pace ?? 900);
    draw();
  }

  // One tab stop; the arrows are those of the page, which turn the sections.
  function mark(now) {
    while (marks.children.length > count()) marks.lastChild.remove();
    while (marks.children.length < count()) {
      const n = marks.children.length;
      marks.append(el("button", { type: "button", onclick: () => go(n) }));
    }
    [...marks.children].forEach((one, n) => {
      // Those that are no step yet, or none any more, have a title and no number.
      const said = [isStep(n) ? counted(n) : "", payload.titles?.[n]];
      one.setAttribute("aria-label", said.filter(Boolean).join(": "));
      one.setAttribute("title", payload.titles?.[n] ?? "");
      one.setAttribute("tabindex", n === now ? "0" : "-1");
      one.classList.toggle("passed", n < now);
      one.hidden = !isStep(n) && n !== now;
      one.classList.toggle("uncounted", !isStep(n));
      if (n === now) one.setAttribute("aria-current", "step");
      else one.removeAttribute("aria-current");
    });
  }

  function draw() {
    const now = step();
    slider.max = String(last());
    slider.value = String(now);
    back.disabled = now === least();
    next.disabled = now === last();
    const closed = !isOpen();
    for (const one of [back, play, next, slider]) one.hidden = payload.deck || closed;
    place.hidden = payload.deck;
    opens.hidden = !closed;
    marks.hidden = !payload.deck;
    if (payload.deck) mark(now);
    play.textContent = timer ? payload.labels.pause : payload.labels.play;
    place.textContent = counted(now);
    title.textContent = payload.titles?.[now] ?? "";
    const said = payload.texts?.[now];
    text.replaceChildren(...(said ? rich(said) : []));
    slider.setAttribute("aria-valuetext", spoken(`${place.textContent} ${title.textContent}`));
    env.host.hidden = count() < 2;
  }

  // Where nothing on the page has the keyboard, arrow keys step, and the space bar plays where it
  // scrolls nothing. Where the page's sections are stepped through too, a stepper at its end leaves
  // the arrows to them.
  const BY = { ArrowRight: 1, ArrowLeft: -1 };
  const TURN = { PageDown: 1, PageUp: -1 };
  const onDeck = () => [...SHARED.walkers].some(
    ({ host, instance }) => host.isConnected && instance.deck?.());
  const ended = (by) => by && (step() + by < 0 || step() + by > last()) && onDeck();
  const keys = (event) => {
    if (!payload || count() < 2 || !env.host.isConnected || !forPage(event)) return;
    const by = (payload.deck ? TURN : BY)[event.key];
    const act = by ? () => go(step() + by)
      : { " ": toggle, Home: () => go(0), End: () => go(last()) }[event.key];
    if (!act || scrollsBy(event.key, env.host)) return;
    const hers = SHARED.stepper === own || payload.keys;
    if (!(by && payload.deck) && (!hers || !isOpen() || ended(by))) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", keys, { signal: env.ends });
  slider.addEventListener("keydown", (event) => {
    if (event.key !== " " || payload.deck) return;
    event.preventDefault();
    toggle();
  });

  function heed() {
    if (timer && !isOpen()) pause();
    else if (payload) draw();
  }
  SHARED.steppers.add(own);
  document.addEventListener(OPENED, heed, { signal: env.ends });

  return {
    update(payload_) {
      payload = payload_;
      opens.replaceChildren(
        payload.labels.opens, el("span", { class: "visually-hidden" }, `: ${payload.labels.what}`));
      back.setAttribute("aria-label", payload.labels.back);
      next.setAttribute("aria-label", payload.labels.next);
      slider.setAttribute("aria-label", payload.labels.slider);
      marks.setAttribute("aria-label", payload.labels.slider);
      tellAll();
    },
    walk(by) {
      if (payload?.deck) go(step() + by);
      return Boolean(payload?.deck);
    },
    deck: () => Boolean(payload?.deck) && { place: isStep(step()) ? counted(step()) : "", title: payload.titles?.[step()] ?? "" },
    selected(changed) {
      if (!payload) return;
      if (changed.includes(payload.n_by?.field)) tellAll(); // it may have no steps any more
      else if (changed.includes(field())) draw();
    },
    destroy() {
      clearInterval(timer);
      SHARED.steppers.delete(own);
      tellAll();
    },
  };
});

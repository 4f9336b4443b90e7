// A question of a lesson: one way to answer for each kind. What is right is not known here; the
// server marks, and sends what it says to the answer.

import { define } from "../shared/component.js";
import { el, inFocus, inline, spoken } from "../shared/dom.js";
import { optionOf, options } from "./at_once.js";
import { answerIn, field as numeral } from "./numeral.js";
import { kept } from "../shared/kept.js";
import { forPage } from "../shared/keys.js";
import { spelt } from "../shared/numbers.js";
import { picked } from "../shared/picking.js";
import { SHARED } from "../shared/selection.js";
import { toFigure } from "../shared/skipping.js";
import { unmovedByScrolling } from "../shared/slider.js";
import { later } from "../shared/time.js";
import { Picks } from "./picks.js";
import { moved, perCents } from "./stakes.js";
import style from "./question.css.js";

const TOLD = 8000; // ms that is told on a phone what was said out of sight
const READ = 0.6; // of it that has to be seen
const WHOLE = 0.9; // of a button that is seen
const BAR = 60; // px at the top of the page, below which things scroll away

/**
 * @typedef {object} Marked
 * @property {boolean} right
 * @property {string} says
 * @property {any} given
 */

export default define(style, (env) => {
  let payload = null;
  let value = null; // what has been put in and not yet been sent
  let asked = ""; // the question that it belongs to

  let ready = false; // something is put in that was not sent
  let wasDone = true; // when it was shown last

  const picks = new Picks(put);
  // A field beside the figure hands over its text when it is left. It is left with the click: what is
  // said of the text might move the button away from under the pointer.
  const check = el("button", { type: "button", class: "check", onclick: send,
    onmousedown: (event) => { if (payload?.kind === "do") event.preventDefault(); } });
  const hint = el("button", { type: "button", class: "hint", onclick: () => env.say("hint", asked) });
  const give = el("button", { type: "button", class: "give", onclick: () => env.say("give", asked) });
  const again = el("button", { type: "button", class: "again", onclick: () => env.say("again", asked) });
  // Cells to pick come after the question on the page: who goes by keyboard comes to them first.
  const toCells = el("button", { type: "button", class: "to-cells", hidden: true,
    onclick: () => toFigure(payload.picks.figure) });
  const field = el("div", { class: "field" });
  const hints = el("ol", { class: "hints", tabindex: -1 });
  const said = el("div", { class: "said", role: "status", "aria-live": "polite", tabindex: -1 });
  const ask = el("p", { class: "ask", id: "ask" });
  const near = el("p", { class: "near", role: "status" }); // where an attempt at a goal stands
  env.host.append(el("section", { class: "question", "aria-labelledby": "ask" },
    ask, toCells, field, el("div", { class: "tools" }, check, hint, give, again), hints, said));

  // On a phone the figure that was answered in may lie a screen away from what is said to it.
  const PHONE = matchMedia("(max-width: 640px)");
  const told = el("button", { type: "button", class: "told", hidden: true, onclick: () => {
    told.hidden = true;
    said.scrollIntoView({ block: "center" });
  } });
  told.addEventListener("touchmove", () => { told.hidden = true; }, { passive: true }); // wiped away
  // And the figure that is picked in, from the button that sends what is picked.
  const here = el("button", { type: "button", class: "here primary", hidden: true, onclick: send });
  let nearCheck = true;
  const beside = new IntersectionObserver(([now]) => {
    nearCheck = now.intersectionRatio >= WHOLE || check.hidden;
    offer();
  }, { threshold: WHOLE, rootMargin: `-${BAR}px 0px 0px` });
  beside.observe(check);
  env.host.append(told, here);
  const leave = later(() => { told.hidden = true; }, TOLD);
  const seen = new IntersectionObserver(([now]) => {
    if (now.intersectionRatio >= READ) told.hidden = true;
  }, { threshold: READ });
  seen.observe(said);
  let verdict = null; // what was said last, of which question
  const tell = (now) => {
    const key = now ? JSON.stringify([asked, now.right, now.given, now.says]) : "";
    const fresh = verdict !== null && key && key !== verdict;
    verdict = key;
    if (!now) told.hidden = true;
    if (!fresh || !PHONE.matches) return;
    const { top, bottom } = said.getBoundingClientRect();
    if (top >= 0 && bottom <= innerHeight) return;
    told.className = `told ${now.right ? "good" : "other"}`;
    told.replaceChildren(el("span", {}, ...inline(now.says)));
    told.hidden = false;
    leave();
  };

  const marked = () => /** @type {Marked | null} */ (payload.marked ?? null);
  const done = () => Boolean(payload.done);

  function put(now) {
    value = now;
    if (payload.taps && now.length) {
      send();
      return;
    }
    ready = Array.isArray(now) ? now.length > 0 : String(now ?? "").trim() !== "";
    offer();
  }
  // The button stands out once there is something to send.
  function offer() {
    check.classList.toggle("primary", ready);
    here.hidden = !(ready && PHONE.matches && !nearCheck && !check.hidden);
  }

  // The field beside the figure that something is being typed in.
  function typedIn() {
    const field = inFocus();
    const writes = payload.kind === "do" && field && !env.host.contains(field);
    return writes && field.matches("input[type=text], textarea") ? field : null;
  }

  function send() {
    const left = typedIn();
    left?.blur();
    const answer = left ? [] : KINDS[payload.kind].read();
    const found = payload.kind === "number" ? answer : { value: answer };
    if (found.refused || answer === null) {
      said.replaceChildren(el("p", { class: "wanted" }, found.refused ?? payload.labels.wanted));
      return;
    }
    if (payload.kind === "do") return; // what she makes of the figure is heard from there
    ready = ["order", "bet"].includes(payload.kind);
    offer();
    env.say("answer", { id: asked, ...found });
  }
  // A click, or the option's key, is the answer.
  function choose(n) {
    value = n;
    send();
  }
  function press(event) {
    const shows = payload?.lecture && event.key === "a" && !done() && forPage(event);
    if (shows && kept("characters") !== "off") {
      event.preventDefault();
      give.click();
      return;
    }
    const open = payload?.taps && payload.kind === "choice" && !done();
    const n = open ? optionOf(event, payload.options.length, env.host) : null;
    if (n === null) return;
    event.preventDefault(); // one question is answered by it, not each that is open
    choose(n);
  }
  document.addEventListener("keydown", press, { signal: env.ends });
  field.addEventListener("keydown", (event) => {
    if (payload.taps && payload.kind === "choice") return; // nothing is typed in it
    if (event.key === "Enter" && /** @type {Element} */ (event.target).matches("input")) send();
    event.stopPropagation(); // arrows and letters belong to the field
  });

  // Picked in a figure, or here where there is none.
  const chips = {
    draw() {
      if (payload.picks) return [picks.node];
      let chosen = new Set(value ?? []);
      const press = () => each.forEach((chip, n) =>
        chip.setAttribute("aria-pressed", String(chosen.has(n))));
      const each = payload.options.map((text, n) => el("button", {
        type: "button", class: `chip ${classOf(n)}`, disabled: done(), "aria-label": spoken(text) === text ? null : text,
        onclick: () => {
          chosen = picked(chosen, n, payload.one);
          press();
          put([...chosen].sort((a, b) => a - b));
        },
      }, text));
      press();
      return [el("div", { class: "chips" }, ...each)];
    },
    read: () => (value?.length ? value : null),
  };

  const KINDS = {
    number: {
      draw: () => numeral(payload, value, { done: done(), changed: put }),
      read: () => answerIn(payload, value),
    },
    choice: {
      draw() {
        if (payload.taps) {
          return options(payload.options, { done: done(), given: value, classOf, choose });
        }
        return payload.options.map((text, n) => {
          const input = el("input", {
            type: "radio", name: "option", checked: value === n, disabled: done(),
            onchange: () => put(n),
          });
          return el("label", { class: classOf(n) }, input, el("span", {}, text));
        });
      },
      read: () => value,
    },
    tokens: chips,
    cells: chips,
    order: {
      draw() {
        value ??= payload.options.map((_text, n) => n);
        const list = el("ol", { class: "order" });
        const move = (at, by) => {
          const to = at + by;
          if (to < 0 || to >= value.length) return;
          [value[at], value[to]] = [value[to], value[at]];
          fill();
          const buttons = list.children[to].querySelectorAll("button");
          const same = /** @type {HTMLButtonElement} */ (buttons[by < 0 ? 0 : 1]);
          (same.disabled ? /** @type {HTMLButtonElement} */ (buttons[by < 0 ? 1 : 0]) : same).focus();
        };
        const arrow = (name, sign, at, by, off) => el("button", {
          type: "button", "aria-label": payload.labels[name], disabled: done() || off,
          onclick: () => move(at, by),
        }, sign);
        const fill = () => list.replaceChildren(...value.map((n, at) => el("li", {}, el("div", {},
          el("span", {}, payload.options[n]),
          arrow("up", "↑", at, -1, at === 0),
          arrow("down", "↓", at, 1, at === value.length - 1)))));
        fill();
        return [list];
      },
      read: () => value,
    },
    do: {
      draw() {
        const untried = !payload.moved && !done();
        near.replaceChildren(...untried ? [payload.labels.wanted] : inline(payload.near ?? []));
        near.classList.toggle("muted", untried);
        return [near];
      },
      read: () => (payload.moved ? [] : null),
    },
    bet: {
      draw() {
        value = perCents(value ?? payload.options.map(() => 1));
        let had = value; // before the knob that is held was moved
        const shown = payload.options.map(() => el("output", {}));
        const knobs = payload.options.map((_text, at) => unmovedByScrolling(el("input", {
          type: "range", min: 0, max: 100, disabled: done(),
          oninput: (event) => { value = moved(had, at, Number(event.target.value)); tell(); },
          onchange: () => { had = value; },
        })));
        const tell = () => value.forEach((one, at) => {
          knobs[at].value = String(one);
          shown[at].textContent = spelt(`${one} %`);
        });
        const rows = payload.options.map((text, at) => el("label", { class: `stake ${classOf(at)}` },
          el("span", {}, text), knobs[at], shown[at]));
        tell();
        return rows;
      },
      read: () => value,
    },
  };

  // What the answer was is known once it has been given: it and hers stand out.
  function classOf(n) {
    if (!done()) return "";
    const answer = [payload.answer].flat();
    return answer.includes(n) ? "right" : "";
  }

  // What was pressed or typed in by keyboard has gone: what it has led to has the keyboard.
  function stay(had) {
    const chosen = had?.matches(".option");
    const gone = had?.hidden || chosen || (done() && had?.matches("input"));
    if (!SHARED.keyed || !gone) return;
    const first = field.querySelector(".given") ?? field.querySelector("input, button");
    const to = done() ? said : hints.hidden || chosen ? first : hints;
    /** @type {HTMLElement | null} */ (to)?.focus({ preventScroll: true });
  }

  return {
    update(next) {
      const focused = /** @type {HTMLElement | null} */ (inFocus());
      const had = focused && env.host.contains(focused) ? focused : null;
      if (next.asks !== asked) {
        asked = next.asks;
        value = null;
        ready = ["order", "bet"].includes(next.kind);
      }
      value ??= next.marked?.given ?? next.picks?.given ?? null; // of another visit it comes later
      payload = next;
      const shown = payload.given_up && payload.answer != null && payload.kind !== "bet";
      if (shown && !payload.picks) value = payload.answer; // a figure shows it beside her own
      picks.offer(payload, value ?? []);
      const { labels } = payload;
      ask.replaceChildren(...inline(payload.ask));
      const shows = payload.lecture && !wasDone && done();
      wasDone = done();
      env.host.classList.toggle("lecture", Boolean(payload.lecture));
      env.host.classList.toggle("done", done());
      const kinds = [payload.kind, payload.nears && "nears"];
      field.className = ["field", ...kinds.filter(Boolean)].join(" ");
      field.replaceChildren(...KINDS[payload.kind].draw());
      for (const [button, name] of [[check, "check"], [hint, "hint"], [give, "give"], [again, "again"]]) {
        button.textContent = labels[name];
      }
      give.hidden = done() || Boolean(payload.at_once);
      check.hidden = done() || Boolean(payload.taps) || (payload.kind === "do" && !payload.typed);
      here.textContent = labels.check;
      toCells.textContent = payload.picks?.labels.to_figure ?? "";
      toCells.hidden = !payload.picks || done();
      offer();
      hint.hidden = done() || !payload.more_hints;
      again.hidden = !done() || !payload.may_repeat;
      hints.replaceChildren(...payload.hints.map((text) => el("li", {}, ...inline(text))));
      hints.hidden = !payload.hints.length || done();
      const now = marked();
      said.replaceChildren(
        ...(now ? [el("p", { class: now.right ? "good" : "other" }, ...inline(now.says))] : []),
        ...(payload.solution ? [el("p", { class: "solution" }, ...inline(payload.solution))] : []),
      );
      tell(now);
      stay(had);
      if (shows) SHARED.scenes?.show(said); // who lectures has no hand free
    },
    destroy() {
      seen.disconnect();
      beside.disconnect();
      picks.withdraw();
    },
  };
});

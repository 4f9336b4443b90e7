// Experiments: a click sets the state as its card says. What another one had changed is as it was
// before that, or a figure that this one says nothing of would go on showing what the other made of it.

import { define } from "../shared/component.js";
import { el, inline, keepFocus } from "../shared/dom.js";
import { SHARED } from "../shared/selection.js";
import { placeOf, unfold } from "../shared/streamlit.js";
import style from "./experiments.css.js";

// What she has filled in, and what a card adds: cells, each two signs for its place and one for what stands
// there. A cell that she has guessed keeps her guess, which is settled. Python does the same (`joined`).
function joined(own, more) {
  const cells = (text) => Object.fromEntries(text.split(" ").filter(Boolean).map((one) => [one.slice(0, 2), one[2]]));
  const hers = cells(own);
  const added = Object.entries(cells(more)).map(([at, what]) => [at, hers[at]?.toUpperCase() ?? what]);
  return Object.entries({ ...hers, ...Object.fromEntries(added) }).map(([at, what]) => at + what).sort().join(" ");
}

export default define(style, (env) => {
  const cards = el("div", { class: "cards" });
  env.host.append(cards);

  function carryOut({ id, after: sets, place, joins }) {
    const { live } = SHARED;
    if (!live) return;
    const now = live.values;
    const back = Object.fromEntries(Object.entries(live.tried)
      .filter(([name, { put }]) => (now[name] ?? null) === put).map(([name, { was }]) => [name, was]));
    const beside = Object.entries(joins ?? {})
      .map(([name, opens]) => [name, joined(back[name] ?? live.value(name) ?? opens, sets[name])]);
    const after = { ...sets, ...Object.fromEntries(beside) };
    const lent = live.lent(after.text);
    const patch = { ...back, ...after, ...lent, experiment: id };
    live.keepTried(id, Object.fromEntries(Object.entries({ ...after, ...lent })
      .map(([name, put]) => [name, { put, was: name in back ? back[name] : now[name] ?? null }])));
    live.shows = place; // which says what it moved, once it is there, unless she goes elsewhere
    const elsewhere = () => { if (live.shows === place) live.shows = null; };
    for (const kind of ["wheel", "pointerdown", "keydown"]) addEventListener(kind, elsewhere, { once: true, capture: true });
    live.set(patch);
    unfold(placeOf(place));
  }

  return {
    update({ cards: offered }) {
      keepFocus(env.host, () => cards.replaceChildren(...offered.map((one) => el("div", { class: "card" },
        el("button", { type: "button", "data-experiment": one.id, onclick: () => carryOut(one) }, one.title),
        el("p", {}, ...inline(one.watch)),
        one.runs ? el("p", { class: "muted small" }, one.runs) : null))));
    },
  };
});

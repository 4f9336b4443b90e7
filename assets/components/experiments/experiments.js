// Experiments: a click sets the state as its card says. What another one had changed is as it was
// before that, or a figure that this one says nothing of would go on showing what the other made of it.

import { define } from "../shared/component.js";
import { el, inline, keepFocus } from "../shared/dom.js";
import { SHARED } from "../shared/selection.js";
import { placeOf } from "../shared/streamlit.js";
import { REDUCED_MOTION } from "../shared/time.js";
import style from "./experiments.css.js";

export default define(style, (env) => {
  const cards = el("div", { class: "cards" });
  env.host.append(cards);

  function carryOut({ id, after, place }) {
    const { live } = SHARED;
    if (!live) return;
    const now = live.values;
    const back = Object.fromEntries(Object.entries(live.tried ?? {})
      .filter(([name, { put }]) => (now[name] ?? null) === put).map(([name, { was }]) => [name, was]));
    const own = now.hers ?? now.text ?? "";
    const lent = after.text === undefined ? {} : { hers: own === after.text ? null : own };
    const patch = { ...back, ...after, ...lent, experiment: id };
    live.tried = Object.fromEntries(Object.entries({ ...after, ...lent })
      .map(([name, put]) => [name, { put, was: name in back ? back[name] : now[name] ?? null }]));
    live.shows = place; // which says what it moved, once it is there
    live.set(patch);
    placeOf(place)?.scrollIntoView({ behavior: REDUCED_MOTION ? "auto" : "smooth", block: "nearest" });
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

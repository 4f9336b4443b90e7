// The panel "What if": what can be changed where somebody is, each change as a chip that undoes it,
// a word that is swapped, the temperature, and the row of a head, whose weights or scores are
// dragged, here or in the picture. What a change does is computed by the model; here it is set.

import { define } from "../shared/component.js";
import { el, fill, rich } from "../shared/dom.js";
import { fmt, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { holdStill } from "../shared/scrolling.js";
import { SHARED } from "../shared/selection.js";
import { unmovedByScrolling } from "../shared/slider.js";
import { DRAGGED } from "../flow/drag.js";
import { go, link } from "../map/links.js";
import { heatOf, now, setTo, swapped, turned, undone } from "./changes.js";
import style from "./whatif.css.js";

const MOST = 12; // keys of a row, those with most weight
const MASKED = -1e8; // below that a number is that of a key that is masked

export default define(style, (env) => {
  let payload = null;
  let kind = "weight"; // what of the row is dragged
  let held = false; // a slider is being dragged: nothing is put in its place
  let late = false; // something came meanwhile
  let of; // the place whose row is drawn

  const reading = el("p", { class: "told" }); // what the numbers of the place say
  const more = el("div", { class: "more" }); // the pages that tell more of it
  const title = el("h2");
  const chips = el("div", { class: "line", role: "list" });
  const joint = el("p", { class: "small", role: "status" });
  const effect = el("p", { class: "effect" }); // beside the sliders the picture is out of sight
  const turns = el("div", { class: "line" });
  const heads = el("div", { class: "heads" });
  const word = el("select");
  const other = el("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  const swap = el("button", { type: "button", onclick: () => put() });
  const [swapSays, newSays, heatSays] = [el("span"), el("span"), el("span")];
  const words = el("div", { class: "line" },
    el("label", {}, swapSays, word), el("label", {}, newSays, other), swap);
  const heat = unmovedByScrolling(el("input", { type: "range", min: "0.1", max: "3", step: "0.1" }));
  const heatNow = el("output");
  const heats = el("label", { class: "heat" }, heatSays, heat, heatNow);
  const heatHow = el("p", { class: "small muted" });
  const row = el("div");
  const notes = el("div", { class: "small muted" });
  const panel = el("section", { class: "panel" },
    title, effect, chips, joint, turns, heads, el("div", { class: "line" }, words, heats), heatHow, row, notes);
  env.host.append(reading, more, panel);

  // A change, which is drawn above and in the panel: what she has touched stays under her finger.
  function change(patch, touched = null) {
    if (touched) holdStill(touched);
    SHARED.live?.set(patch);
  }

  const turn = (name, touched) => change(turned(now(), name, payload.most.off), touched);
  const set = (what, touched) => change(setTo(now(), what, payload.most.off), touched);

  // --- a word, the temperature -----------------------------------------------------------------

  function put() {
    const n = Number(word.value);
    const given = { n, was: payload.words.was[n], new: other.value };
    change(swapped(now(), given, payload.most.swap), words);
  }
  word.addEventListener("change", () => { other.value = ""; });
  other.addEventListener("keydown", (event) => {
    if (event.key === "Enter") put();
    event.stopPropagation();
  });
  heat.addEventListener("input", () => { heatNow.textContent = fmt(Number(heat.value), 2); });
  heat.addEventListener("change", () =>
    set({ base: "", kind: "temperature", value: Number(heat.value) }, heats));

  // The word of the token that is looked at.
  function follow() {
    const { of, field } = payload.words;
    const n = of[Number(env.chosen(field) ?? of.length - 1)] ?? -1;
    if (n >= 0) word.value = String(n);
  }

  // --- the row of a head -----------------------------------------------------------------------

  const query = () => {
    const n = payload.row.queries.length;
    return Math.max(0, Math.min(n - 1, Number(env.chosen(payload.row.field) ?? n - 1)));
  };

  // The keys of a row that get most, in the order of the text.
  function keysOf(at) {
    const weight = (key) => at2(payload.arrays.weight, at, key);
    const may = payload.row.keys.map((_, key) => key).filter((key) => weight(key) > MASKED);
    const most = [...may].sort((a, b) => weight(b) - weight(a)).slice(0, MOST);
    return { keys: may.filter((key) => most.includes(key)), others: may.length - most.length };
  }

  // What is set by a number behind it; positions are those of the text as it was.
  function baseOf(at, key) {
    const { place, named: [queries, keys] } = payload.row;
    return `${place}.row${queries[at]}.key${keys[key]}.`;
  }

  function cell(at, key) {
    const { row: of, arrays, labels, names } = payload;
    const [low, high, step] = of.ranges[kind];
    const base = baseOf(at, key);
    const value = at2(arrays[kind], at, key);
    const written = (number) => (kind === "weight" ? percent(number)
      : number <= MASKED ? labels.masked : fmt(number));
    const shown = el("output", {}, written(value));
    const input = unmovedByScrolling(el("input", {
      type: "range", min: String(low), max: String(high), step: String(step),
      "aria-label": fill(labels.of_key, { kind: labels[kind], key: of.keys[key] }),
      "aria-valuetext": written(value),
      onpointerdown: () => { held = true; },
      oninput: () => {
        shown.textContent = written(Number(input.value));
        input.setAttribute("aria-valuetext", shown.textContent);
      },
      onchange: () => {
        held = false;
        set({ base, kind, value: Number(input.value) }, row);
      },
      onpointerup: () => letGo(),
      onpointercancel: () => letGo(),
    }));
    input.value = String(value);
    const isSet = names.some((name) => name.startsWith(`${base}${kind}`));
    return el("label", { class: isSet ? "cell set" : "cell" },
      el("span", { class: "key code" }, of.keys[key]), input, shown);
  }

  function letGo() {
    held = false;
    if (late) drawRow();
  }

  function drawRow() {
    late = held;
    if (held) return;
    of = payload.row?.place;
    if (!payload.row) {
      row.replaceChildren();
      return;
    }
    const { labels, row: drawn } = payload;
    const at = query();
    const { keys, others } = keysOf(at);
    const tab = (name) => el("button", {
      type: "button", "aria-pressed": String(name === kind),
      onclick: () => { kind = name; drawRow(); },
    }, labels[name]);
    const best = keys.includes(drawn.key) ? drawn.key : keys.reduce((a, b) =>
      (at2(payload.arrays.weight, at, b) > at2(payload.arrays.weight, at, a) ? b : a), keys[0]);
    const name = `${drawn.place}.key${drawn.named[1][best]}`;
    row.replaceChildren(
      el("div", { class: "line" },
        el("strong", {}, fill(drawn.title, { query: drawn.queries[at], head: drawn.head })), tab("weight"), tab("score"),
        keys.length && !payload.names.includes(name) ? el("button", {
          type: "button", onclick: () => turn(name, row),
        }, fill(labels.hide, { key: drawn.keys[best] })) : null),
      el("p", { class: "small muted" }, labels[`${kind}_how`]),
      el("div", { class: "row" }, ...keys.map((key) => cell(at, key))),
      ...(others ? [el("p", { class: "small muted" }, fill(labels.more, { n: others }))] : []),
    );
  }

  // --- what is changed -------------------------------------------------------------------------

  function drawChips() {
    const { labels, ones } = payload;
    chips.hidden = !ones.length;
    chips.replaceChildren(...ones.map((one) => el("span", {
      class: "chip", role: "listitem",
    }, el("span", {}, one.label), one.alone ? el("b", {}, one.alone) : null, el("button", {
      type: "button", "aria-label": fill(labels.undo, { what: one.label }),
      onclick: () => change(undone(now(), one.name)),
    }, "×"))),
    ...(ones.length > 1 ? [el("span", { role: "listitem" },
      el("button", { type: "button", onclick: () => change({ off: null, swap: null }) }, labels.all))] : []));
    joint.hidden = !payload.joint;
    joint.textContent = payload.joint;
    effect.hidden = !payload.effect;
    effect.replaceChildren(payload.effect, el("span", { class: "best" },
      ...payload.best.map((text) => el("span", {}, text))));
  }

  function drawHeads() {
    heads.hidden = !payload.heads.length;
    heads.replaceChildren(...payload.heads.map(({ says, each }) =>
      el("div", { class: "line", role: "group", "aria-label": says },
        el("span", {}, says), ...each.map(({ name, label, on }) => el("button", {
          type: "button", "aria-pressed": String(on), onclick: () => turn(name, heads),
        }, label)))));
  }

  function drawMore() {
    const known = payload.about.filter(([view]) => view in payload.ways);
    more.hidden = !known.length;
    more.replaceChildren(...known.map(([view, asked]) => {
      const { page, title } = payload.ways[view];
      return el("p", {}, "→ ", el("a", { ...link(page), onclick: go(page, asked) },
        fill(payload.labels.about, { page: title })));
    }));
  }

  // A weight that was dragged in the picture, where this panel is for its head.
  function dragged({ detail: { place, value } }) {
    const key = Number(place.split(".key")[1]);
    if (payload?.row && place === `${payload.row.place}.key${key}`) {
      set({ base: baseOf(query(), key), kind: "weight", value });
    }
  }
  document.addEventListener(DRAGGED, dragged, { signal: env.ends });

  return {
    update({ panel: next, arrays, ways }) {
      const fresh = JSON.stringify(payload?.words.all) !== JSON.stringify(next.words.all);
      payload = { ...next, arrays, ways };
      const { labels } = payload;
      reading.replaceChildren(...rich(payload.reading));
      drawMore();
      title.textContent = labels.title;
      panel.setAttribute("aria-label", labels.title);
      drawChips();
      const offered = payload.turns.filter(({ on }) => !on);
      turns.hidden = !offered.length;
      turns.replaceChildren(...offered.map((one) => el("button", {
        type: "button", onclick: () => turn(one.name, turns),
      }, one.label)));
      drawHeads();
      words.hidden = !payload.words.all.length;
      if (fresh) {
        word.replaceChildren(...payload.words.all.map((text, n) => el("option", { value: String(n) }, text)));
        other.value = "";
        follow();
      }
      other.maxLength = payload.words.most;
      [swapSays.textContent, newSays.textContent, swap.textContent] = [labels.swap, labels.new, labels.do];
      [heatSays.textContent, heatHow.textContent] = [labels.heat, labels.heat_how];
      [heat.min, heat.max] = payload.heats.map(String);
      // An answer may come late: what is set by now is not taken back.
      heat.value = String(heatOf(now()));
      heatNow.textContent = fmt(heatOf(now()), 2);
      notes.hidden = !payload.notes.length;
      notes.replaceChildren(...payload.notes.map((text) => el("p", {}, text)));
      drawRow();
    },
    selected(changed, hover) {
      if (hover || !payload) return;
      if (changed.includes(payload.words.field)) follow();
      if (payload.row && changed.includes(payload.row.field)) drawRow();
    },
  };
});

// Attention as lines between two columns of tokens: queries on the left, keys on the right,
// thickness and strength by weight. Heads can be switched on and off; lines are those of one query
// or of all.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { percent } from "../shared/numbers.js";
import style from "./arcs.css.js";

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;
  const HEAD = 28; // above the rows, for what the columns are

  const chips = el("div", { class: "heads", role: "group" });
  const every = el("button", { type: "button", class: "every", onclick: () => setEvery(!all()) });
  const drawing = el("svg:svg", { role: "group" });
  const note = el("p", { class: "small muted" });
  env.host.append(el("div", { class: "chips" }, chips, every),
    el("div", { class: "picture" }, drawing), note);

  // On the drawing, which stays: pointing at a word draws all words anew.
  drawing.addEventListener("pointerover", (event) => {
    const { at } = /** @type {SVGElement} */ (event.target).dataset;
    env.point(at === undefined ? {} : { token: Number(at) });
  });
  drawing.addEventListener("pointerleave", () => env.point());

  const shape = () => payload.arrays.weights.shape; // (heads, queries, keys), 0..255
  // All rows on the screen where that leaves them readable.
  const rowHeight = (rows) => Math.max(
    12, Math.min(24, Math.floor((globalThis.innerHeight * 0.44 - HEAD) / rows)));
  const selected = () => Math.min(shape()[0] - 1, current("head") ?? 0);
  const key = (index) => (payload.keys ?? payload.tokens)[index];
  // Which heads are drawn: those chosen while this one was selected ("0:1,2"), else itself.
  function on() {
    const [by, list] = (current("heads") ?? "").split(":");
    const heads = Number(by) === selected() ? (list ?? "").split(",") : [];
    const known = heads.filter((head) => head !== "" && head < shape()[0]).map(Number);
    return new Set(known.length ? known : [selected()]);
  }
  const all = () => Boolean(env.chosen("every"));
  // The query whose lines are drawn: the one pointed at, else the selected one; null for all.
  const query = () => env.pointed("token") ?? (all() ? null : env.chosen("token"));
  // One head alone is drawn in the colour of weights; several are told apart, on their buttons too.
  const colour = (palette, head) => [palette.weight, palette.key, palette.value, palette.query,
    palette.position, palette.residual][on().size > 1 ? head % 6 : 0];

  function draw() {
    const palette = env.palette();
    const [, queries, keys] = shape();
    const width = Math.min(env.host.clientWidth, 620);
    const row = rowHeight(Math.max(queries, keys));
    const height = Math.max(queries, keys) * row + HEAD;
    const edge = Math.min(150, width * 0.32);
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("width", String(width));
    drawing.setAttribute("height", String(height));
    drawing.setAttribute("aria-label", payload.title);
    drawing.style.setProperty("--size", `${Math.min(13, row - 1)}px`);
    const chosen = query();
    const at = chosen === null ? null : Math.min(chosen, queries - 1);
    const parts = [
      el("svg:text", { x: edge - 10, y: 14, "text-anchor": "end", class: "head query" },
        payload.labels.queries),
      el("svg:text", { x: width - edge + 10, y: 14, class: "head key" }, payload.labels.keys),
    ];
    const y = (index) => HEAD + index * row + row / 2;
    for (const head of on()) {
      for (let i = 0; i < queries; i++) {
        if (at !== null && i !== at) continue;
        for (let j = 0; j < keys; j++) {
          const share = payload.arrays.weights.values[(head * queries + i) * keys + j] / 255;
          if (share < (at === null ? payload.least.all : payload.least.one)) continue;
          parts.push(el("svg:path", {
            d: `M ${edge} ${y(i)} C ${width / 2} ${y(i)}, ${width / 2} ${y(j)}, ${width - edge} ${y(j)}`,
            fill: "none", stroke: colour(palette, head),
            "stroke-width": 0.6 + 5.4 * share, "stroke-opacity": 0.18 + 0.72 * share,
          }, el("svg:title", {}, `${payload.tokens[i]} → ${key(j)}: ${percent(share)}`)));
        }
      }
    }
    const word = (index, left) => {
      const text = el("svg:text", {
        x: left ? edge - 10 : width - edge + 10, y: y(index) + 4, "text-anchor": left ? "end" : "start",
        class: `word${left && index === at ? " chosen" : ""}`, tabindex: left ? "0" : null,
        role: left ? "button" : null, "data-at": left ? index : null,
      }, left ? payload.tokens[index] : key(index));
      if (left) {
        text.addEventListener("click", () => pick(index));
        text.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          pick(index);
        });
      }
      return text;
    };
    for (let i = 0; i < queries; i++) parts.push(word(i, true));
    for (let j = 0; j < keys; j++) parts.push(word(j, false));
    drawing.replaceChildren(...parts);
    chips.querySelectorAll("button").forEach((chip, head) => {
      chip.setAttribute("aria-pressed", String(on().has(head)));
      chip.style.setProperty("--line", colour(palette, head));
    });
    every.setAttribute("aria-pressed", String(all()));
  }

  function setEvery(on) {
    select({ every: Number(on) });
    env.report(["every"]);
  }

  function pick(index) {
    if (!all() && env.chosen("token") === index) return setEvery(true);
    select({ token: index, every: 0 });
    env.report(["token", "every"]);
  }

  return {
    update(next) {
      payload = next;
      const n = shape()[0];
      chips.replaceChildren(...Array.from({ length: n }, (_, head) => el("button", {
        type: "button",
        onclick: () => {
          const heads = on();
          if (heads.has(head) && heads.size > 1) heads.delete(head);
          else heads.add(head);
          const list = [...heads].sort((a, b) => a - b).join(",");
          select({ heads: list === String(selected()) ? "" : `${selected()}:${list}` });
          env.report(["heads"]);
        },
      }, `${next.labels.head} ${head}`)));
      every.textContent = next.labels.every;
      note.textContent = next.note;
      draw();
    },
    selected(changed) {
      if (["token", "head", "heads", "every"].some((name) => changed.includes(name))) draw();
    },
    resized: () => payload && draw(),
  };
});

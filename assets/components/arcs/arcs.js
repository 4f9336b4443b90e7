// Attention as lines between two columns of tokens: queries on the left, keys on the right,
// thickness and strength by weight. Heads can be switched on and off; lines are those of one query
// or of all.

import { leastType } from "../shared/canvas.js";
import { define } from "../shared/component.js";
import { el, spoken } from "../shared/dom.js";
import { percent } from "../shared/numbers.js";
import { larger } from "../shared/room.js";
import { Roving } from "../shared/roving.js";
import style from "./arcs.css.js";

const HEAD = 28; // above the rows, for what the columns are

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;

  const chips = el("div", { class: "heads", role: "group" });
  const every = el("button", { type: "button", class: "every", onclick: () => setEvery(!all()) });
  const lines = el("svg:g", { fill: "none", "aria-hidden": "true" });
  const words = el("svg:g");
  const drawing = el("svg:svg", { role: "group" }, lines, words);
  const note = el("p", { class: "small muted" });
  env.host.append(el("div", { class: "chips" }, chips, every),
    el("div", { class: "picture" }, drawing), note);

  let left = []; // the words that can be selected
  const at = (word) => left.indexOf(word);
  const roving = new Roving(words, () => left, {
    moved: (word) => choose(at(word)), act: (word) => pick(at(word)),
  });
  words.addEventListener("click", (event) => {
    const word = at(event.target);
    if (word >= 0) pick(word);
  });
  drawing.addEventListener("pointermove", (event) => { // see token_strip.js
    const word = at(event.target);
    env.point(word < 0 ? {} : { token: word });
  });
  drawing.addEventListener("pointerleave", () => env.point());

  const shape = () => payload.arrays.weights.shape; // (heads, queries, keys), 0..255
  // All rows on the screen where that leaves them readable.
  const rowHeight = (rows, zoom) => Math.max(
    12 * zoom, Math.min(24 * zoom, Math.floor((globalThis.innerHeight * 0.44 - HEAD * zoom) / rows)));
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

  // How large everything is for the width there is.
  function measure() {
    const [, queries, keys] = shape();
    const rows = Math.max(queries, keys);
    const zoom = larger(env.host);
    const width = Math.min(env.host.clientWidth, 620 * zoom);
    const row = rowHeight(rows, zoom);
    const above = HEAD * zoom;
    return {
      width, row, zoom, height: rows * row + above, edge: Math.min(150 * zoom, width * 0.32),
      y: (index) => above + index * row + row / 2,
    };
  }

  function drawWords() {
    const [, queries, keys] = shape();
    const { width, height, row, zoom, edge, y } = measure();
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("width", String(width));
    drawing.setAttribute("height", String(height));
    drawing.setAttribute("aria-label", spoken(payload.title));
    drawing.style.setProperty("--size", `${Math.max(leastType(env.host), Math.min(13 * zoom, row - 1))}px`);
    const { labels, tokens } = payload;
    const head = (x, side, text) => el("svg:text", {
      x, y: 14 * zoom, "text-anchor": side === "query" ? "end" : null, class: `head ${side}`,
    }, text);
    left = Array.from({ length: queries }, (_, i) => el("svg:text", {
      x: edge - 10, y: y(i) + 4 * zoom, "text-anchor": "end", class: "word", tabindex: "-1", role: "button", "aria-label": tokens[i],
    }, tokens[i]));
    words.replaceChildren(
      head(edge - 10, "query", labels.queries), head(width - edge + 10, "key", labels.keys), ...left,
      ...Array.from({ length: keys }, (_, j) =>
        el("svg:text", { x: width - edge + 10, y: y(j) + 4 * zoom, class: "word" }, key(j))));
  }

  // The lines of one query and head, as far as they are thick enough to be seen.
  function linesOf(head, i, least, look) {
    const keys = shape()[2];
    const { width, edge, y, stroke } = look;
    const found = [];
    for (let j = 0; j < keys; j++) {
      const share = payload.arrays.weights.values[(head * shape()[1] + i) * keys + j] / 255;
      if (share < least) continue;
      found.push(el("svg:path", {
        d: `M ${edge} ${y(i)} C ${width / 2} ${y(i)}, ${width / 2} ${y(j)}, ${width - edge} ${y(j)}`,
        stroke, "stroke-width": 0.6 + 5.4 * share, "stroke-opacity": 0.18 + 0.72 * share,
      }, el("svg:title", {}, `${payload.tokens[i]} → ${key(j)}: ${percent(share)}`)));
    }
    return found;
  }

  function drawLines() {
    const palette = env.palette();
    const queries = shape()[1];
    const now = query() === null ? null : Math.min(query(), queries - 1);
    const rows = now === null ? Array.from({ length: queries }, (_, i) => i) : [now];
    const least = now === null ? payload.least.all : payload.least.one;
    const look = measure();
    lines.replaceChildren(...[...on()].flatMap((head) => rows.flatMap((i) =>
      linesOf(head, i, least, { ...look, stroke: colour(palette, head) }))));
    left.forEach((word, i) => {
      word.classList.toggle("chosen", i === now);
      word.setAttribute("aria-pressed", String(i === now));
    });
    roving.reach(left[Math.min(env.chosen("token") ?? 0, queries - 1)]);
    chips.querySelectorAll("button").forEach((chip, head) => {
      chip.setAttribute("aria-pressed", String(on().has(head)));
      chip.style.setProperty("--line", colour(palette, head));
    });
    every.setAttribute("aria-pressed", String(all()));
  }

  function draw() {
    drawWords();
    drawLines();
  }

  function setEvery(on) {
    select({ every: Number(on) });
    env.report(["every"]);
  }

  // The selected word once more: all words again.
  function pick(index) {
    if (!all() && env.chosen("token") === index) setEvery(true);
    else choose(index);
  }

  function choose(index) {
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
      if (["token", "head", "heads", "every"].some((name) => changed.includes(name))) drawLines();
    },
    resized: () => payload && draw(),
  };
});

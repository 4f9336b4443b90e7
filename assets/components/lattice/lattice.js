// A lattice over the letters of a word: an arc for each entry of the vocabulary, under each place
// the score of the best way to it. Step n looks at the arcs into place n; the last step reads the
// best way off from the end.

import { define } from "../shared/component.js";
import { el, rich, spoken } from "../shared/dom.js";
import style from "./lattice.css.js";

const [CELL, LEFT, LOW, HIGH] = [54, 26, 18, 17]; // as core/figures/components/lattice.py has them

export default define(style, (env) => {
  const { current } = env;
  let payload = null;

  const title = el("h2", { class: "title" });
  const drawing = el("svg:svg", { role: "img" });
  const said = el("p", { class: "reading", "aria-live": "polite" });
  const table = el("table", {});
  const note = el("p", { class: "note small muted" });
  env.host.append(title, el("div", { class: "holder", tabindex: "0" }, drawing), said, table, note);

  const word = () => {
    const at = current("word") ?? payload.first;
    return payload.lattices[payload.of[Math.max(0, Math.min(payload.of.length - 1, at))]];
  };
  const height = ({ start, end }) => LOW + HIGH * (end - start - 1);

  function arc(one, base, step, read) {
    const [a, b, top] = [LEFT + CELL * one.start, LEFT + CELL * one.end, base - height(one)];
    const named = read ? one.path : one.end === step;
    const strong = named && (read || one.best);
    const handle = base - (base - top) * 4 / 3; // the curve comes three quarters of the way to it
    const look = `${named ? "named" : ""}${strong ? " strong" : ""}`;
    const curve = el("svg:path", {
      class: look, d: `M${a} ${base}C${a} ${handle} ${b} ${handle} ${b} ${base}`,
    }, el("svg:title", {}, `${one.label} ${one.score}`));
    return named ? [curve, el("svg:text", {
      class: `score${strong ? " strong" : ""}`, x: String((a + b) / 2), y: String(top - 3),
    }, one.score)] : [curve];
  }

  function letter(text, at, base, done) {
    const x = LEFT + CELL * at;
    return [
      el("svg:rect", { class: done ? "done" : "", x: String(x + 2), y: String(base + 4),
        width: String(CELL - 4), height: "22", rx: "4" }),
      el("svg:text", { class: "letter", x: String(x + CELL / 2), y: String(base + 20) }, text),
    ];
  }

  function candidates(one, step) {
    const into = one.arcs.filter((arc_) => arc_.end === step);
    if (!into.length) return [];
    const { labels } = payload;
    const number = { class: "number" };
    return [
      el("tr", {}, el("th", {}, labels.entry), el("th", number, labels.before),
        el("th", number, labels.own), el("th", number, labels.total)),
      ...into.map((arc_) => el("tr", { class: arc_.best ? "best" : "" },
        el("td", { class: "code" }, arc_.label), el("td", number, arc_.before),
        el("td", number, arc_.score), el("td", number, arc_.total))),
    ];
  }

  function draw() {
    const one = word();
    const last = Math.max(0, one.says.length - 1);
    const step = Math.max(0, Math.min(last, current("join") ?? last));
    const n = one.letters.length;
    const read = step > n;
    const base = 16 + Math.max(0, ...one.arcs.map(height));
    const [wide, tall] = [LEFT * 2 + CELL * n, base + 48];
    drawing.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    drawing.setAttribute("width", String(wide));
    drawing.setAttribute("height", String(tall));
    drawing.setAttribute("aria-label", spoken(`${one.title}. ${one.alt}`));
    const arcs = one.arcs.filter(({ end }) => end <= step)
      .map((arc_) => arc(arc_, base, step, read));
    drawing.replaceChildren(
      ...arcs.map(([curve]) => curve),
      ...arcs.flatMap(([, score]) => score ?? []), // no curve crosses a number
      ...one.letters.flatMap((text, at) => letter(text, at, base, at < step)),
      ...one.scores.slice(0, step + 1).map((score, at) => el("svg:text", {
        class: `place${at === step ? " now" : ""}`, x: String(LEFT + CELL * at),
        y: String(base + 42),
      }, score)),
    );
    title.textContent = one.title;
    said.replaceChildren(...(one.says.length ? rich(one.says[step]) : []));
    table.replaceChildren(...candidates(one, step));
    note.textContent = one.note ?? "";
  }

  return {
    update(next) {
      payload = next;
      draw();
    },
    selected(changed) {
      if (changed.includes("word") || changed.includes("join")) draw();
    },
  };
});

// How a word becomes tokens, row by row: each symbol as wide as its bytes or letters. Where pairs
// are joined, the place of each in the list of merges hangs between two symbols: the lowest is
// joined next. Where entries are looked up, a row is one look.

import { define } from "../shared/component.js";
import { el, fill, spoken } from "../shared/dom.js";
import { grouped } from "../shared/numbers.js";
import style from "./ladder.css.js";

export default define(style, (env) => {
  const { current } = env;
  let payload = null;

  const title = el("h2", { class: "title" });
  const rows = el("div", { class: "rows", role: "img" });
  const note = el("p", { class: "small muted" });
  env.host.append(title, rows, note);

  const word = () => {
    const at = current("word") ?? payload.first;
    return payload.ladders[payload.of[Math.max(0, Math.min(payload.of.length - 1, at))]];
  };
  const piece = (id) => payload.pieces[id];

  function row(ladder, index, last) {
    const { symbols, ranks, joined, looks, said: own } = ladder.rows[index];
    const next = ladder.rows[index + 1]?.joined;
    const cells = symbols.map((id, at) => {
      const { label, bytes } = piece(id);
      const fresh = joined?.at === at;
      const seam = ranks[at] ?? null;
      const winner = next?.at === at;
      return el("span", {
        class: `symbol code${fresh ? " fresh" : ""}${looks ? ` ${looks[at]}` : ""}`, style: { "grid-column": `span ${bytes}` },
      }, el("span", { class: "name" }, label), seam === null ? null
        : el("span", { class: `seam${winner ? " winner" : ""}`, title: payload.labels.seam },
          String(seam)));
    });
    const said = own ?? (joined
      ? fill(payload.labels.merge, { n: grouped(String(joined.rank)) })
      : payload.labels.start);
    return el("div", {
      class: `row${last ? " now" : ""}${looks ? " looked" : ""}${ladder.bytes > 14 ? " dense" : ""}${ladder.bytes > 8 ? " tight" : ""}`,
      style: { "--cells": String(ladder.bytes) },
    }, ...cells, el("span", { class: "said small muted" }, said));
  }

  function draw() {
    const ladder = word();
    const at = current("join");
    const last = Math.max(0, Math.min(ladder.rows.length - 1, at ?? ladder.rows.length - 1));
    title.textContent = ladder.title;
    rows.replaceChildren(...ladder.rows.slice(0, last + 1).map((_, i) => row(ladder, i, i === last)));
    rows.setAttribute("aria-label", spoken(ladder.alt));
    note.textContent = ladder.note ?? "";
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

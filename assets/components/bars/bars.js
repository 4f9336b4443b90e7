// A distribution over words as bars. With several stages (raw, after temperature, after the cuts)
// the bars grow from one to the next, and what a cut leaves out is hatched below its line. With
// several series every word has a bar for each of them, below each other or, two of them, to both
// sides of the word (`mirror`).

import { define } from "../shared/component.js";
import { el, fill, rich, spoken } from "../shared/dom.js";
import { clamp, fmt, full, grouped, percent } from "../shared/numbers.js";
import { lectured, roomOf } from "../shared/room.js";
import { Tabs } from "../shared/tabs.js";
import { animate } from "../shared/time.js";
import style from "./bars.css.js";

const FEWEST = 3; // rows that are there in any case

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;
  let words = null;
  let rows = [];
  let widths = [];
  let open = false; // rows beyond the limit are shown too

  const chart = el("div", { class: "chart" });
  const note = el("p", { class: "small muted" });
  const plainly = (parts) => (parts ?? []).map(([text]) => text).join("");
  const title = el("h2", { class: "title" });
  const legend = el("div", { class: "legend small" });
  const more = el("button", { type: "button", class: "more", onclick: () => { open = !open; fold(); } });
  const panel = el("div", {}, legend, chart, more, note);
  const tabs = new Tabs(panel, (index) => {
    select({ [stageField()]: index });
    env.report([stageField()]);
  });
  env.host.append(title, tabs.node, panel);

  // One distribution a frame; a field of the selection says which (a position, a step).
  const frame = () => {
    const { field, first, steps } = payload.follow ?? {};
    // What later steps bring is not there yet.
    const newest = steps ? steps.base + (current(steps.field) ?? steps.first ?? 0) - 1 : null;
    const last = Math.min(payload.frames.length - 1, newest ?? Infinity);
    return Math.max(0, Math.min(last, (field ? current(field) : null) ?? newest ?? first ?? last));
  };
  const said = (value) => {
    if (Number.isNaN(value)) return payload.series ? percent(value) : "?"; // covered
    if (payload.unit === "number") return fmt(value);
    return payload.unit === "count" ? grouped(value.toFixed(0)) : percent(value);
  };
  const stageField = () => payload.stage_field ?? "stage";
  const stage = () => {
    const n = payload.stages.length;
    return clamp(current(stageField()) ?? n - 1, n);
  };

  function draw(instantly) {
    build();
    if (payload.series) return drawSeries(instantly);
    const now = stage();
    tabs.mark(now);
    const { values, shape } = payload.arrays.probs; // (frames, stages, rows)
    const at = (step, i) => values[(frame() * shape[1] + step) * shape[2] + i];
    const target = rows.map((_, i) => at(now, i));
    // What a filter cut is drawn as it was before: at the last stage that still had it.
    const before = target.map((value, i) => {
      let step = now;
      while (step > 0 && at(step, i) === 0) step -= 1;
      return at(step, i);
    });
    const top = Math.max(...target.filter((value) => !Number.isNaN(value)), 1e-30);
    const scale = payload.unit ? top : 1; // shares are of the whole
    const to = (payload.labels.cut ? before : target)
      .map((value) => (Number.isNaN(value) ? 0 : Math.min(1, value / scale)));
    rows.forEach((row, i) => {
      const out = target[i] === 0 && Boolean(payload.labels.cut);
      row.classList.toggle("out", out);
      row.classList.toggle("edge", !out && i + 1 < rows.length
        && target[i + 1] === 0 && Boolean(payload.labels.cut));
      const share = !out ? said(target[i])
        : [payload.labels.cut, ...(before[i] ? [said(before[i])] : [])].join(" · ");
      row.querySelector(".share").textContent = share;
      row.title = Number.isNaN(target[i]) ? "" : `${words[i].title ?? words[i].label}: ${
        out && before[i] ? `${payload.labels.cut} · ` : ""}${full(out ? before[i] : target[i])}`;
    });
    grow(to, instantly);
  }

  // All bars, row after row, to what they show now.
  function grow(to, instantly) {
    const bars = rows.flatMap((row) => [...row.querySelectorAll(".bar")]);
    const from = widths.length === to.length ? widths : to.map(() => 0);
    const paint = (share) => bars.forEach((bar, at) => {
      const width = from[at] + (to[at] - from[at]) * share;
      bar.style.width = `${Math.max(0.15, 100 * width)}%`;
    });
    if (instantly) paint(1);
    else animate(200, paint);
    widths = to;
  }

  // All series of the frame at once, on one scale.
  function drawSeries(instantly) {
    const { values, shape } = payload.arrays.probs; // (frames, series, rows)
    const n = payload.series.length;
    const target = rows.flatMap((_, i) => payload.series.map((_, k) =>
      values[(frame() * shape[1] + k) * shape[2] + i]));
    const known = target.map((value) => (Number.isNaN(value) ? 0 : value)); // NaN: there is none
    const top = payload.unit ? Math.max(...known, 1e-30) : 1;
    rows.forEach((row, i) => {
      const own = target.slice(i * n, (i + 1) * n);
      row.querySelectorAll(".share span").forEach((share, k) => {
        share.textContent = said(own[k]);
      });
      row.querySelectorAll(".bar").forEach((bar, k) =>
        bar.classList.toggle("none", Number.isNaN(own[k])));
      row.title = payload.series.map((one, k) => [
        `${one.label}: ${Number.isNaN(own[k]) ? said(own[k]) : full(own[k])}`,
        ...(words[i].titles?.[k] ? [words[i].titles[k]] : [])].join("\n")).join("\n");
    });
    grow(known.map((value) => value / top), instantly);
  }

  // The rows of the frame; a word that was there before keeps its width and grows from it.
  function build() {
    const now = payload.frames[frame()];
    if (words === now.rows) return;
    const n = payload.series?.length ?? 1;
    const known = new Map(rows.map((row, i) => [row.dataset.id, widths.slice(i * n, (i + 1) * n)]));
    words = now.rows;
    const kind = payload.mirror ? " mirror" : payload.series ? " several" : "";
    rows = words.map((row) => el(payload.pick ? "button" : "div", {
      class: `row${row.chosen ? " chosen" : ""}${kind}`,
      "data-id": row.id,
      type: payload.pick ? "button" : null,
      onclick: payload.pick ? () => env.say("pick", row.id) : null,
    }, ...(payload.mirror ? bothSides(row) : oneSide(row))));
    widths = rows.flatMap((row) => known.get(row.dataset.id) ?? Array(n).fill(0));
    chart.replaceChildren(...rows);
    chart.setAttribute("aria-label", spoken(now.alt ?? payload.alt ?? plainly(now.title)));
    title.replaceChildren(...rich(now.title ?? []));
    note.textContent = now.note ?? payload.note ?? "";
    fold();
  }

  const bar = (one) => el("span", { class: `bar ${one.role ?? ""}` });

  const oneSide = (row) => [
    el("span", { class: "word code" }, row.label),
    el("span", { class: "track" }, ...(payload.series ?? [row]).map(bar)),
    el("span", { class: "share code" }, ...(payload.series ?? []).map(() => el("span", {}))),
  ];

  const bothSides = (row) => {
    const [left, right] = payload.series.map((one) => [
      el("span", { class: "share code" }, el("span", {})), el("span", { class: "track" }, bar(one))]);
    return [...left, el("span", { class: "word code" }, row.label), ...right.reverse()];
  };

  // Rows beyond the limit stay folded away until they are asked for.
  function fold() {
    const limit = payload.limit ?? Infinity;
    foldTo(limit);
    if (!lectured(env.host)) return;
    const high = () => env.host.getBoundingClientRect().height;
    chart.classList.add("tight");
    if (!open) foldTo(Math.min(limit, FEWEST));
    const room = roomOf(env.host, high());
    chart.classList.remove("tight");
    foldTo(limit);
    if (open || high() <= room) return;
    // In a lecture so many as end with the screen, closer together before fewer.
    chart.classList.add("tight");
    for (let n = Math.min(limit, rows.length); n >= FEWEST && high() > room; n--) foldTo(n);
  }

  function foldTo(limit) {
    more.hidden = rows.length <= limit;
    more.textContent = open ? payload.labels.less ?? "" : fill(payload.labels.more ?? "", { n: rows.length });
    more.setAttribute("aria-expanded", String(open));
    rows.forEach((row, i) => {
      row.hidden = !open && i >= limit && !row.classList.contains("chosen");
    });
  }

  return {
    update(next) {
      payload = next;
      tabs.offer(next.stages);
      legend.hidden = !next.series;
      legend.classList.toggle("mirror", Boolean(next.mirror));
      legend.replaceChildren(...(next.series ?? []).map((one) => el("span", {},
        next.mirror ? null : el("span", { class: `swatch bar ${one.role}` }), one.label)));
      chart.classList.toggle("cuts", Boolean(next.labels.cut) && !next.series);
      for (const name of ["wide", "stacked", "short"]) chart.classList.toggle(name, Boolean(next[name]));
      chart.setAttribute("role", next.pick ? "group" : "img");
      draw(false);
    },
    fitted: () => payload && fold(),
    selected(changed) {
      const { field, steps } = payload.follow ?? {};
      if ([stageField(), field, steps?.field].some((name) => changed.includes(name))) draw(false);
    },
  };
});

// A plot in a file that opens by itself: the drawing that Python made for the width there is, and
// what its points say when they are pointed at or walked through.

import { channels, mix } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { grouped } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import style from "./plot.css.js";

export default define(style, (env) => {
  let payload = null;
  let layout = 0; // which of the drawings is shown
  let now = null; // what is pointed at: { series, point }, or { series, row, column }

  const NEAR = 20; // pixels around a point
  const SHORT = 500; // pixels of the page below which the narrow drawing is shown

  const drawing = el("svg:svg", { tabindex: "0", role: "img" });
  const tip = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const board = el("div", { class: "plot" }, drawing, tip);
  env.host.append(board, said);

  const drawn = () => payload.layouts[layout];
  const series = (s) => payload.series[s];
  const isHeat = (s) => `z.${s}` in payload.arrays;
  const speaks = (s) => series(s).hover.length > 0;
  const cells = (s) => ({
    rows: payload.arrays[`rows.${layout}.${s}`]?.values,
    columns: payload.arrays[`columns.${layout}.${s}`]?.values,
    box: drawn().cells[s],
  });

  // --- the drawing ------------------------------------------------------------------------

  const resolved = ({ fill, stroke, ...more }, palette) =>
    ({ fill: palette[fill] ?? fill, stroke: palette[stroke] ?? stroke, ...more });
  const short = (pixels) => Math.round(pixels * 100) / 100; // as the file has them

  function piece([tag, attributes, more], palette) {
    if (tag === "cells") return picture(more, palette);
    const { d, ...looks } = resolved(attributes, palette);
    if (tag !== "marks") return el(`svg:${tag}`, { d, ...looks }, more);
    const marks = [];
    eachPoint(more, (x, y) => {
      marks.push(el("svg:path", { d, transform: `translate(${short(x)} ${short(y)})` }));
    });
    return el("svg:g", looks, ...marks);
  }

  // The cells of a heat, in 255 steps between its colours; what is no number shows the ground.
  function picture(s, palette) {
    const { rows, columns, box: [x, y, width, height] } = cells(s);
    const { values, shape: [, n] } = payload.arrays[`z.${s}`];
    const { low, high, colours } = series(s);
    const ends = colours.map((name) => channels(palette[name]));
    const steps = Array.from({ length: 255 }, (_, step) => {
      const along = (step / 254) * (ends.length - 1);
      const from = Math.min(ends.length - 2, Math.floor(along));
      return mix(ends[from], ends[from + 1], along - from);
    });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [columns.length, rows.length];
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, canvas.height);
    for (let i = 0, at = 0; i < rows.length; i++) {
      for (let j = 0; j < columns.length; j++, at += 4) {
        const value = rows[i] < 0 || columns[j] < 0 ? NaN : values[rows[i] * n + columns[j]];
        if (Number.isNaN(value)) continue;
        const share = Math.max(0, Math.min(1, (value - low) / (high - low)));
        [image.data[at], image.data[at + 1], image.data[at + 2]] = steps[Math.round(share * 254)];
        image.data[at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
    return el("svg:image", {
      x, y, width, height, preserveAspectRatio: "none", href: canvas.toDataURL("image/png"),
    });
  }

  const over = el("svg:g", { fill: "none", "stroke-width": 1.5 }); // what is pointed at

  function draw() {
    const palette = env.palette();
    const { width, height, pieces } = drawn();
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("aria-label", `${payload.title}. ${payload.alt}`);
    over.setAttribute("stroke", palette.text);
    drawing.replaceChildren(...pieces.map((one) => piece(one, palette)), over);
    show(now);
  }

  // --- what a point says --------------------------------------------------------------------

  // As the page writes them (d3-format), but for the minus sign.
  function write(value, form) {
    if (form === "") return String(value);
    if (Number.isNaN(value)) return "–";
    const size = Math.abs(value);
    const digits = Number(form.slice(1, -1));
    const text = form === ",d" ? grouped(String(Math.round(size)))
      : form.endsWith("f") ? size.toFixed(digits) : size.toPrecision(digits);
    return (value < 0 && Number(text) !== 0 ? `-${text}` : text).replaceAll("-", "−");
  }

  function value(at, field) {
    const one = series(at.series);
    const array = (name) => payload.arrays[`${name}.${at.series}`];
    if (field === "name") return one.name;
    if (field === "z" || field === "custom") return at2(array(field), at.row, at.column);
    return one[field][at.point ?? (field === "x" ? at.column : at.row)];
  }

  const say = (at, template) => template.map((part) =>
    (typeof part === "string" ? part : write(value(at, part[0]), part[1]))).join("");

  // Everything at the place of a point, where the plot says it all at once; else the point.
  function group(at) {
    if (!payload.unified || at.point === undefined) return [at];
    const [x] = place(at);
    return payload.series.flatMap((one, s) => {
      if (one.panel !== series(at.series).panel || !speaks(s) || isHeat(s)) return [];
      const [nearest] = order(s).map((point) => ({ series: s, point }))
        .filter((other) => Math.abs(place(other)[0] - x) < 0.5);
      return nearest ? [nearest] : [];
    });
  }

  function words(at) {
    const lines = group(at).map((one) => say(one, series(one.series).hover));
    return [...(payload.unified ? [say(at, payload.head)] : []), ...lines].join("\n");
  }

  // --- where points are ---------------------------------------------------------------------

  function eachPoint(s, visit) {
    const { values, shape: [n, size] } = payload.arrays[`at.${layout}.${s}`];
    for (let i = 0; i < n; i++) {
      const where = values.subarray(i * size, (i + 1) * size);
      if (!Number.isNaN(where[0])) visit(where[0], where[1], i, where);
    }
  }

  // The middle of a point, a bar or a cell.
  function place(at) {
    const [left, top, width, height] = box(at);
    return [left + width / 2, top + height / 2];
  }

  function box(at) {
    if (at.point !== undefined) {
      const { values, shape: [, size] } = payload.arrays[`at.${layout}.${at.series}`];
      const found = [...values.subarray(at.point * size, (at.point + 1) * size)];
      return size === 4 ? found : [...found, 0, 0];
    }
    const { rows, columns, box: [x, y, width, height] } = cells(at.series);
    const span = (places, one, pixels) => [places.indexOf(one), places.lastIndexOf(one) + 1]
      .map((end) => (end * pixels) / places.length);
    const [left, right] = span(columns, at.column, width);
    const [top, bottom] = span(rows, at.row, height);
    return [x + left, y + top, right - left, bottom - top];
  }

  // The points of a series that can be seen, from left to right and from top to bottom.
  function order(s) {
    const found = [];
    eachPoint(s, (x, y, i) => found.push([x, y, i]));
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , i]) => i);
  }

  function cellAt(s, x, y) {
    const { rows, columns, box: [left, top, width, height] } = cells(s);
    const at = (places, share) => places[Math.floor(share * places.length)] ?? -1;
    const [row, column] = [at(rows, (y - top) / height), at(columns, (x - left) / width)];
    if (row < 0 || column < 0) return null;
    const z = at2(payload.arrays[`z.${s}`], row, column);
    return Number.isNaN(z) ? null : { series: s, row, column };
  }

  // What is pointed at: a point near by, else a bar or a cell below the pointer.
  function found(x, y) {
    let [best, nearest, below] = [NEAR, null, null];
    const panel = drawn().panels.findIndex(([, top, , tall]) => y >= top && y <= top + tall);
    payload.series.forEach((one, s) => {
      if (!speaks(s) || one.panel !== panel) return;
      if (isHeat(s)) below ??= cellAt(s, x, y);
      else eachPoint(s, (px, py, point, [, , width, height]) => {
        const far = payload.unified ? Math.abs(px - x) : Math.hypot(px - x, py - y);
        if (width === undefined && far < best) [best, nearest] = [far, { series: s, point }];
        const within = x >= px && x <= px + width && y >= py && y <= py + height;
        if (within) below = { series: s, point };
      });
    });
    return nearest ?? below;
  }

  // --- showing it ---------------------------------------------------------------------------

  function outline(at) {
    const [x, y, width, height] = box(at);
    if (width || height) return el("svg:rect", { x, y, width, height });
    return el("svg:circle", { cx: x, cy: y, r: 6 });
  }

  function show(at, spoken = false) {
    now = at;
    tip.hidden = !at;
    over.replaceChildren(...(at ? group(at).map(outline) : []));
    if (!at) return;
    tip.textContent = words(at);
    if (spoken) said.textContent = tip.textContent;
    const [x, y] = place(at).map((pixels) => (pixels * board.clientWidth) / drawn().width);
    const { offsetWidth: wide, offsetHeight: tall } = tip;
    const beside = x + 14 + wide <= board.clientWidth ? x + 14 : x - 14 - wide;
    tip.style.left = `${Math.max(0, beside)}px`;
    tip.style.top = `${Math.max(0, y - tall / 2)}px`;
  }

  function point(event) {
    const frame = drawing.getBoundingClientRect();
    const scale = drawn().width / frame.width;
    show(found((event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale));
  }

  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("pointerdown", point);
  drawing.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") show(null); // a finger leaves whatever it points at
  });
  drawing.addEventListener("blur", () => show(null));

  // --- keys ---------------------------------------------------------------------------------

  const BY = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    Home: [-Infinity, 0], End: [Infinity, 0],
  };

  function first() {
    const s = payload.series.findIndex((one, n) => speaks(n) && (isHeat(n) || order(n).length));
    if (s < 0) return null;
    if (!isHeat(s)) return { series: s, point: order(s)[0] };
    const [row, column] = [cells(s).rows, cells(s).columns].map((all) => all.find((n) => n >= 0));
    return { series: s, row, column };
  }

  // One cell on, as rows and columns stand on the screen.
  function nextCell(at, right, down) {
    const on = (places, from, by) => {
      const seen = [...new Set(places)].filter((one) => one >= 0);
      return seen[Math.max(0, Math.min(seen.length - 1, seen.indexOf(from) + by))];
    };
    const { rows, columns } = cells(at.series);
    return { ...at, row: on(rows, at.row, down), column: on(columns, at.column, right) };
  }

  // One point on in its series; up and down to the series before and after, where it is nearest.
  function nextPoint(at, right, down) {
    if (right) {
      const along = order(at.series);
      const to = along.indexOf(at.point) + right;
      return { ...at, point: along[Math.max(0, Math.min(along.length - 1, to))] };
    }
    const others = [...payload.series.keys()].filter((s) => speaks(s) && !isHeat(s) && order(s)[0] >= 0);
    const to = others[others.indexOf(at.series) + down];
    if (to === undefined) return at;
    const [x] = place(at);
    const away = (n) => Math.abs(place({ series: to, point: n })[0] - x);
    return { series: to, point: order(to).reduce((a, b) => (away(b) < away(a) ? b : a)) };
  }

  function moved(key) {
    const at = now ?? first();
    if (!at || (!now && key.startsWith("Arrow"))) return at; // the first key shows where one is
    return (at.point === undefined ? nextCell : nextPoint)(at, ...BY[key]);
  }

  drawing.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in BY) show(moved(event.key), true);
    else if (event.key === "Escape" && now) show(null);
    else return;
    event.preventDefault();
  });

  const pick = () => Number(env.host.clientWidth < SHORT);
  const repaint = () => payload && draw();
  const scheme = globalThis.matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", repaint);

  return {
    update(next) {
      payload = next;
      now = null;
      layout = pick();
      draw();
    },
    resized() {
      if (!payload) return;
      if (layout === pick()) return show(now);
      layout = pick();
      draw();
    },
    destroy: () => scheme.removeEventListener("change", repaint),
  };
});

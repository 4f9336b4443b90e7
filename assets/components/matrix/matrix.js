// A matrix whose every cell can be asked where its number comes from. Several sheets (queries,
// keys, scores, weights ...) share one selection; the arithmetic of the selected cell stands
// beside, with the operands that Python computed.

import { hatch, sizeCanvas } from "../shared/canvas.js";
import { channels, inkOn, mix, rgb, scaleOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el, fill, keepFocus, rich } from "../shared/dom.js";
import { fmt, full } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { SHARED } from "../shared/selection.js";
import style from "./matrix.css.js";

const WINDOW = 48; // rows and columns shown at once; longer ones get an overview to drag in

// Cells of 0 and 1 as base64url, eight to a byte, the first one highest.
function packBits(cells) {
  const bytes = new Uint8Array(Math.ceil(cells.length / 8));
  cells.forEach((cell, i) => { bytes[i >> 3] |= (cell ? 128 : 0) >> (i & 7); });
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unpackBits(text, cells) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  for (let i = 0; i < cells.length; i++) {
    cells[i] = (bytes.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1;
  }
}

// A mask is written as a square; one of fewer rows or columns stands in its corner, and what is
// beyond it is open.
const sideOf = ({ shape }) => Math.max(...shape);
function squared({ values, shape: [rows, cols] }) {
  const side = Math.max(rows, cols);
  const square = new Uint8Array(side * side).fill(1);
  for (let i = 0; i < rows; i++) square.set(values.subarray(i * cols, (i + 1) * cols), i * side);
  return square;
}
function cornerOf(square, { values, shape: [rows, cols] }) {
  const side = Math.max(rows, cols);
  for (let i = 0; i < rows; i++) values.set(square.subarray(i * side, i * side + cols), i * cols);
}

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;
  let sheet = null;
  let from = { row: 0, col: 0 }; // first row and column of the window
  let cell = 24;
  let drawnHeight = 24;
  let left = 80; // room for row labels
  let zoom = 1; // of text and cells, where the page's type is larger (lecture view)
  let open = false; // all terms of a sum are listed
  let stroke = null; // cells painted since the pointer went down

  const tabs = el("div", { class: "tabs", role: "tablist" });
  const title = el("h3", { class: "title" });
  const canvas = el("canvas", { tabindex: "0", role: "img" });
  const overview = el("canvas", { class: "overview", "aria-hidden": "true" });
  const tip = el("div", { class: "tip code", hidden: true });
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const axes = el("p", { class: "small muted axes" });
  const how = el("div", { class: "how" });
  const picture = el("div", { class: "picture" }, canvas, tip);
  env.host.append(
    tabs,
    el("div", { class: "body" },
      el("div", { class: "figure" }, title, picture, overview, axes, said), how));

  // --- what is selected -------------------------------------------------------------------

  const shape = () => payload.arrays[sheet.array].shape;
  const clamp = (value, n) => Math.max(0, Math.min(n - 1, value));
  const axis = (name) => sheet[name];
  // The selection names a row by its place, by its id where the payload gives ids, or several
  // values share a row (`of`: value -> row; a look-up table and the tokens that read it).
  const chosen = (name) => {
    const value = current(axis(name).field);
    if (value === null || value === undefined) return null;
    if (axis(name).of) return axis(name).of[clamp(value, axis(name).of.length)];
    if (!axis(name).ids) return clamp(value, shape()[name === "rows" ? 0 : 1]);
    const place = axis(name).ids.indexOf(value);
    return place < 0 ? null : place;
  };
  const fieldAt = (field, fallback = 0) => {
    const name = ["rows", "cols"].find((one) => axis(one).field === field && axis(one).ids);
    const value = name ? chosen(name) : current(field);
    return value === null || value === undefined ? fallback : value;
  };
  const masked = (i, j) => sheet.mask && at2(payload.arrays[sheet.mask], i, j) === 0;
  const shown = (name) => {
    const n = shape()[name === "rows" ? 0 : 1];
    if (name === "rows") return Math.min(WINDOW, n);
    // Words in cells need a width below which they say nothing: rather fewer of them at a time.
    const fit = sheet.least_cell ? Math.floor(roomFor(left) / (sheet.least_cell * zoom)) : n;
    return Math.min(sheet.cols.window ?? WINDOW, n, Math.max(2, fit));
  };
  const beside = () => Boolean(sheet.how && env.host.clientWidth >= 700);
  const roomFor = (labels) => (beside() ? env.host.clientWidth * 0.56 : env.host.clientWidth) - labels - 14;
  const label = (name, index) => axis(name).labels?.[index] ?? String(index);

  function pick(i, j) {
    const [rows, cols] = shape();
    const named = (name, at, n) => axis(name).of?.indexOf(clamp(at, n))
      ?? axis(name).ids?.[clamp(at, n)] ?? clamp(at, n);
    const patch = {
      [sheet.rows.field]: named("rows", i, rows), [sheet.cols.field]: named("cols", j, cols),
    };
    if (sheet.rows.field === sheet.cols.field) delete patch[sheet.rows.field];
    select(patch);
    env.report([...new Set([sheet.rows.field, sheet.cols.field])]);
  }

  // --- drawing ----------------------------------------------------------------------------

  function layout() {
    const measure = canvas.getContext("2d");
    zoom = parseFloat(getComputedStyle(env.host).fontSize) / 15 || 1;
    measure.font = font(12 * zoom);
    const longest = (name, limit) => {
      const n = shape()[name === "rows" ? 0 : 1];
      let width = 0;
      for (let i = 0; i < n; i++) width = Math.max(width, measure.measureText(label(name, i)).width);
      return Math.min(limit * zoom, Math.ceil(width) + 10);
    };
    const narrow = env.host.clientWidth < 560;
    // Names that are needed whole ask for room; on a phone they get a third of it at most.
    left = longest("rows", narrow ? Math.min(sheet.rows.room ?? 76, env.host.clientWidth / 3)
      : sheet.rows.room ?? 120);
    const [rows, cols] = [shown("rows"), shown("cols")];
    const widest = longest("cols", 96); // labels that fit their columns lie flat, others stand
    env.host.classList.toggle("beside", beside());
    const room = roomFor(left);
    const tall = Math.max(220, Math.min(560, globalThis.innerHeight * 0.44));
    cell = Math.max(5, Math.min(Math.round((sheet.max_cell ?? 34) * zoom), Math.floor(room / cols)));
    if (!sheet.texts && !sheet.row_height) cell = Math.max(5, Math.min(cell, Math.floor(tall / rows)));
    // Many columns make narrow cells; few rows of them may still be tall enough to point at.
    const height = rowHeight(rows, tall);
    const flat = widest <= cell && cell >= 36;
    const bottom = sheet.cols.hide ? 8 : flat ? 24 * zoom : widest;
    return { rows, cols, bottom, flat, height, width: left + cols * cell + 6 };
  }

  const rowHeight = (rows, tall) => (sheet.row_height ? Math.round(sheet.row_height * zoom) : null)
    ?? (cell < 18 ? Math.max(cell, Math.min(20, Math.floor(tall / rows))) : cell);

  const font = (size) =>
    `${size}px ${getComputedStyle(env.host).getPropertyValue("--st-code-font") || "monospace"}`;

  function draw() {
    const palette = env.palette();
    const { rows, cols, bottom, flat, height, width } = layout();
    drawnHeight = height;
    const array = payload.arrays[sheet.array];
    const scales = scalesOf(palette);
    axes.style.maxWidth = `${Math.max(300, width)}px`; // a long line must not push the arithmetic away
    const context = sizeCanvas(canvas, width, rows * height + bottom + 4);
    const gap = cell > 9 ? 1 : 0;
    const [row, col] = [chosen("rows"), chosen("cols")];
    context.textBaseline = "middle";
    const small = Math.min(12 * zoom, Math.max(8, height - 1));
    for (let i = 0; i < rows; i++) {
      const r = from.row + i;
      const y = i * height;
      context.font = font(small);
      if (height >= 8 || r === row) {
        context.fillStyle = r === row ? palette[sheet.rows.role] ?? palette.accent : palette.text;
        context.textAlign = "right";
        context.fillText(short(context, label("rows", r), left - 8), left - 6, y + height / 2);
      }
      for (let j = 0; j < cols; j++) {
        const c = from.col + j;
        const x = left + j * cell;
        if (masked(r, c)) {
          hatch(context, x, y, cell - gap, height - gap, palette.border);
          if (sheet.masked_text && cell > 24) {
            context.font = font(small);
            context.fillStyle = palette.muted;
            context.textAlign = "center";
            context.fillText(sheet.masked_text, x + cell / 2, y + height / 2);
          }
          continue;
        }
        const value = at2(array, r, c);
        if (sheet.glyph === "bars") {
          // Where rows are steps, those still to come are empty.
          const known = !sheet.grows || row === null || r <= row;
          drawBar(context, palette, known ? value : NaN, limitOf(r), { x, y, width: cell - gap, height });
          continue;
        }
        const colour = sheet.scale.kind === "category" ? categoryColour(palette, value)
          : Number.isFinite(value) ? scales(r)(value) : channels(palette.border);
        context.fillStyle = rgb(colour);
        context.fillRect(x, y, cell - gap, height - gap);
        const text = wordOf(r, c, value);
        if (text && cell > 24) {
          context.font = font(small);
          context.fillStyle = inkOn(colour);
          context.textAlign = "center";
          context.fillText(short(context, text, cell - 4), x + cell / 2, y + height / 2);
        } else if (sheet.numbers && cell >= 30) {
          context.font = font(Math.min(12 * zoom, cell / 3.2));
          context.fillStyle = inkOn(colour);
          context.textAlign = "center";
          context.fillText(fmt(value, 2), x + cell / 2, y + height / 2);
        }
      }
    }
    if (!sheet.cols.hide && cell >= 8) {
      context.textAlign = flat ? "center" : "right";
      for (let j = 0; j < cols; j++) {
        const c = from.col + j;
        context.save();
        context.translate(left + j * cell + cell / 2, rows * height + (flat ? 12 : 6));
        if (!flat) context.rotate(-Math.PI / 2);
        context.font = font(Math.min(12 * zoom, Math.max(8, cell - 1)));
        context.fillStyle = c === col ? palette[sheet.cols.role] ?? palette.accent : palette.text;
        context.fillText(short(context, label("cols", c), (flat ? cell : bottom) - 8), 0, 0);
        context.restore();
      }
    }
    outline(context, palette, row, col, { rows, cols, height });
    drawOverview(palette, scales);
  }

  // One limit for the sheet, or one for each row where rows are of different size.
  const limitOf = (r) => sheet.scale.limits?.[r] ?? sheet.scale.limit;
  function scalesOf(palette) {
    const made = new Map();
    return (r) => {
      const limit = limitOf(r);
      if (!made.has(limit)) made.set(limit, scaleOf(palette, sheet.scale.kind, limit));
      return made.get(limit);
    };
  }

  // What stands in a cell: its own text, that of its category, or a count.
  const wordOf = (r, c, value) => sheet.texts?.[r]?.[c] ?? sheet.categories?.[value]?.text
    ?? (sheet.counts ? String(at2(payload.arrays[sheet.counts], r, c)) : "");

  // What is said of a cell: that it is masked, its category, or its number.
  const inWords = (r, c, value, digits) => (masked(r, c) ? payload.labels.masked
    : sheet.categories ? sheet.categories[value].label : digits(value));

  function categoryColour(palette, value) {
    const { role, share } = sheet.categories[value];
    return mix(channels(palette.surface), channels(palette[role]), share ?? 1);
  }

  // A cell as a bar from the row's zero line, the number beside it where there is room.
  function drawBar(context, palette, value, limit, { x, y, width, height }) {
    const numbered = sheet.numbers && width >= 46;
    const slim = width < 76; // on a phone
    const edge = slim ? 3 : 8;
    const middle = y + height / 2;
    const share = Number.isFinite(value) ? Math.max(-1, Math.min(1, value / (limit || 1))) : 0;
    const tall = share * (height / 2 - 3);
    const wide = !numbered ? Math.max(1, width - (width > 6 ? 1 : 0))
      : slim ? 4 : Math.min(26, width * 0.28);
    const start = numbered ? x + edge : x;
    context.fillStyle = palette.surface;
    context.fillRect(x, y, width, height - 2);
    context.fillStyle = palette.border;
    context.fillRect(x, middle - 0.5, width, 1);
    context.fillStyle = share ? (share < 0 ? palette.negative : palette.positive) : palette.muted;
    if (Number.isNaN(value)) return;
    context.fillRect(start, Math.min(middle, middle - tall), wide, Math.max(1, Math.abs(tall)));
    if (!numbered) return;
    context.font = font(Math.min(15 * zoom, height / 2.4, slim ? width / 4.6 : 99));
    context.fillStyle = palette.text;
    context.textAlign = "right";
    context.fillText(fmt(value, 3), x + width - edge, middle);
  }

  function outline(context, palette, row, col, { rows, cols, height }) {
    const y = row === null ? null : (row - from.row) * height;
    const x = col === null ? null : left + (col - from.col) * cell;
    context.lineWidth = 1;
    context.strokeStyle = palette.accent;
    if (y !== null && row >= from.row && row < from.row + rows) {
      context.strokeRect(left - 0.5, y - 0.5, cols * cell, height);
    }
    if (y !== null && x !== null && row >= from.row && row < from.row + rows
        && col >= from.col && col < from.col + cols) {
      context.lineWidth = 2;
      context.strokeStyle = palette.text;
      context.strokeRect(x - 1, y - 1, cell + 1, height + 1);
    }
  }

  function short(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let end = text.length;
    while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end -= 1;
    return `${text.slice(0, end)}…`;
  }

  function drawOverview(palette, scales) {
    const [rows, cols] = shape();
    (SHARED.windows ??= {})[payload.figure] = [from.row, from.col]; // what a saved drawing shows
    overview.hidden = rows <= WINDOW && cols <= shown("cols");
    if (overview.hidden) return;
    const across = Math.min(260 / cols, 3);
    const down = Math.min(160 / rows, Math.max(across, 28 / rows), 6);
    const context = sizeCanvas(overview, cols * across, rows * down);
    const array = payload.arrays[sheet.array];
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        if (masked(i, j)) continue;
        const value = at2(array, i, j);
        context.fillStyle = rgb(sheet.scale.kind === "category"
          ? categoryColour(palette, value) : scales(i)(value));
        context.fillRect(j * across, i * down, Math.max(1, across), Math.max(1, down));
      }
    }
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.strokeRect(
      from.col * across, from.row * down, shown("cols") * across, shown("rows") * down);
  }

  // --- the arithmetic -----------------------------------------------------------------------

  // A vector out of an array: { array, row: field } or { array, col: field }.
  function vector(spec) {
    const { values, shape: size } = payload.arrays[spec.array];
    if (size.length === 1) return values;
    if (spec.row) {
      const i = clamp(fieldAt(spec.row), size[0]);
      return values.subarray(i * size[1], (i + 1) * size[1]);
    }
    const j = clamp(fieldAt(spec.col), size[1]);
    return Float32Array.from({ length: size[0] }, (_, i) => values[i * size[1] + j]);
  }

  // One number: { array, row: field, col: field }, or { array, at: field } of a vector.
  function scalar(spec) {
    const { values, shape: size } = payload.arrays[spec.array];
    if (size.length === 1) return values[clamp(fieldAt(spec.at), size[0])];
    return values[clamp(fieldAt(spec.row), size[0]) * size[1] + clamp(fieldAt(spec.col), size[1])];
  }

  const span = (role, text) => el("span", { class: `role-${role}` }, text);

  function products(step) {
    const a = vector(step.a);
    const b = vector(step.b);
    const limit = step.upto === undefined ? a.length : Math.min(a.length, fieldAt(step.upto) + 1);
    const few = open ? limit : Math.min(limit, 3);
    const name = fill(step.name, { row: label("rows", chosen("rows") ?? 0), col: chosen("cols") ?? 0 });
    const line = el("div", { class: "code sum" }, `${name} = `);
    for (let i = 0; i < few; i++) {
      if (i) line.append(" + ");
      line.append(span(step.a.role, fmt(a[i])), "·", span(step.b.role, fmt(b[i])));
    }
    if (limit > few) line.append(` + … (${fill(payload.labels.terms, { n: limit })})`);
    if (step.plus) line.append(" + ", signed(scalar(step.plus)));
    line.append(" = ", result(step));
    const block = [line];
    if (step.names) block.push(termBars(step, a, b, limit));
    if (limit > 3) block.push(moreTerms());
    return block;
  }

  const result = (step) => {
    const value = scalar(step.result);
    return el("strong", { class: `role-${step.result.role ?? "strong"}`, title: full(value) }, fmt(value));
  };

  // The largest terms of a sum, each as a bar: who contributes most.
  function termBars(step, a, b, limit) {
    const names = payload.names[step.names];
    const order = Array.from({ length: limit }, (_, i) => i)
      .sort((x, y) => Math.abs(a[y] * b[y]) - Math.abs(a[x] * b[x])).slice(0, 5);
    return barRows(order.map((i) => [names[i], a[i] * b[i]]), step.result.role);
  }

  function barRows(pairs, role) {
    const top = Math.max(...pairs.map(([, value]) => Math.abs(value)), 1e-12);
    return el("div", { class: "mini" }, ...pairs.map(([name, value]) =>
      el("div", { class: "mini-row", title: full(value) },
        el("span", { class: "mini-name code" }, name),
        el("span", { class: "mini-track" }, el("span", {
          class: `mini-bar ${value < 0 ? "negative" : ""}`,
          style: { width: `${(100 * Math.abs(value)) / top}%`, background: `var(--glass-${role ?? "accent"})` },
        })),
        el("span", { class: "code small" }, fmt(value)))));
  }

  function softmax(step) {
    const scores = vector(step.scores);
    const weights = vector(step.weights);
    const may = step.may ? vector(step.may) : null;
    const at = clamp(fieldAt(step.at), weights.length);
    const names = payload.names[step.names];
    const order = Array.from(weights.keys()).filter((i) => !may || may[i])
      .sort((x, y) => weights[y] - weights[x]);
    if (!order.length) { // a row that may look at nothing has no sum to divide by
      return [el("div", { class: "code sum" }, `${payload.labels.masked}: `,
        el("strong", { class: "role-weight", title: full(weights[at]) }, fmt(weights[at])))];
    }
    const few = open ? order.length : 3;
    const power = (i) => `e^${fmt(scores[i])}`;
    const more = order.length > few ? ` + … (${fill(payload.labels.terms, { n: order.length })})` : "";
    const line = el("div", { class: "code sum" },
      `${may && !may[at] ? "e^−∞" : power(at)} / (${order.slice(0, few).map(power).join(" + ")}${more}) = `,
      el("strong", { class: "role-weight", title: full(weights[at]) }, fmt(weights[at])));
    const bars = barRows(order.slice(0, 5).map((i) => [names[i], weights[i]]), "weight");
    return order.length > 3 ? [line, bars, moreTerms()] : [line, bars];
  }

  const KINDS = {
    products,
    softmax,
    scale: (step) => [el("div", { class: "code sum" },
      `${fmt(scalar(step.from))} ${step.by} = `, result(step))],
    mask: (step) => {
      const kept = scalar(step.may) === 1;
      const values = { query: fieldAt(step.may.row), key: fieldAt(step.may.col) };
      return [el("div", { class: "sum" }, fill(kept ? step.kept : step.hidden, values))];
    },
    norm: (step) => [el("div", { class: "code sum" },
      `(${fmt(scalar(step.x))} − ${signed(scalar(step.mean))}) / √(${fmt(scalar(step.var))} + ${step.eps}) = `,
      result(step))],
    affine: (step) => [el("div", { class: "code sum" },
      `${fmt(scalar(step.x))} · ${signed(scalar(step.gain))} + ${signed(scalar(step.shift))} = `, result(step))],
    sum: (step) => [el("div", { class: "code sum" },
      step.terms.map((term, i) => (i ? signed : fmt)(scalar(term))).join(" + "), " = ", result(step))],
    value: (step) => [el("div", { class: "code sum" }, `${fill(step.name, {
      name: payload.names?.[step.names]?.[fieldAt(step.at)], col: chosen("cols") ?? 0,
    })} = `, result(step))],
    note: (step) => [el("div", { class: "sum" }, step.text)],
    minus: (step) => [el("div", { class: "code sum" },
      `${fmt(scalar(step.a))} − ${signed(scalar(step.b))} = `, result(step))],
    times: (step) => [el("div", { class: "code sum" },
      `${fmt(scalar(step.a))} · ${signed(scalar(step.b))} = `, result(step))],
    quotient: (step) => [el("div", { class: "code sum" },
      step.may && !scalar(step.may) ? `${payload.labels.masked}: `
        : `${fmt(scalar(step.a))} / ${signed(scalar(step.b))} = `, result(step))],
    square: (step) => [el("div", { class: "code sum" },
      `${signed(scalar(step.x))}² = `, result(step))],
    // A number put through a named function: GELU(1.2) = 1.06.
    apply: (step) => [el("div", { class: "code sum" },
      `${step.name}(${fmt(scalar(step.x))}) = `, result(step))],
    mean: average,
    // From stop to stop: `stops` says where to go next from a row towards a column.
    way: (step) => {
      const [start, end] = [fieldAt(step.from), fieldAt(step.to)];
      if (!at2(payload.arrays[step.reach], start, end)) {
        return [el("div", { class: "sum" }, step.none)];
      }
      const names = payload.names[step.names];
      const hops = [];
      for (let at = start; at !== end;) {
        const next = at2(payload.arrays[step.stops], at, end);
        hops.unshift(el("div", { class: "sum" }, fill(step.step, { a: names[at], b: names[next] })));
        at = next;
      }
      return hops.length ? hops : [el("div", { class: "sum" }, step.self)];
    },
    // Named amounts, one list a row: what a unit writes, say.
    ranks: (step) => [barRows(payload.lists[step.list][chosen("rows") ?? 0], step.role)],
  };

  // A negative number after an operator stands in brackets.
  const signed = (value) => (value < 0 ? `(${fmt(value)})` : fmt(value));

  // The mean of a vector, optionally under a root: (a + b + …) / n.
  function average(step) {
    const values = vector(step.of);
    const few = open ? values.length : Math.min(values.length, 4);
    const terms = Array.from(values.subarray(0, few), signed).join(" + ");
    const more = values.length > few
      ? ` + … (${fill(payload.labels.terms, { n: values.length })})` : "";
    const sum = `(${terms}${more}) / ${values.length}`;
    const line = el("div", { class: "code sum" },
      `${step.name} = ${step.root ? `√(${sum}${step.eps ? ` + ${step.eps}` : ""})` : sum} = `, result(step));
    return values.length > 4 ? [line, moreTerms()] : [line];
  }

  const moreTerms = () => el("button", {
    type: "button", class: "terms",
    onclick: () => keepFocus(env.host, () => { open = !open; drawHow(); }),
  }, open ? payload.labels.fewer : payload.labels.all);

  function drawHow() {
    how.hidden = !sheet.how;
    if (!sheet.how) return;
    const values = {
      row: label("rows", chosen("rows") ?? 0), col: label("cols", chosen("cols") ?? 0),
    };
    // The same arithmetic for the whole sheet, or one for each row.
    const steps = sheet.how.per_row?.[chosen("rows") ?? 0] ?? sheet.how.steps;
    const blocks = steps.map((step, index) =>
      el("section", { class: step.now ? "step now" : "step" },
        el("h4", {}, `${steps.length > 1 ? `${index + 1} ` : ""}${step.title}`),
        ...KINDS[step.kind](step)));
    how.replaceChildren(el("h3", { class: "title" }, fill(sheet.how.title, values)), ...blocks);
    const source = sheet.how.sources ? sheet.how.sources[chosen("rows") ?? 0] : sheet.source;
    if (source) {
      how.append(el("p", { class: "small muted source" },
        payload.labels.computed_by, " ", el("code", {}, source.code), ` · ${source.path}:${source.line}`));
    }
  }

  // --- following the page -------------------------------------------------------------------

  function reveal() {
    for (const [name, key] of [["rows", "row"], ["cols", "col"]]) {
      const n = shape()[name === "rows" ? 0 : 1];
      const index = chosen(name);
      from[key] = Math.max(0, Math.min(from[key], n - shown(name)));
      if (index === null) continue;
      if (index < from[key]) from[key] = index;
      if (index >= from[key] + shown(name)) from[key] = index - shown(name) + 1;
    }
  }

  function refresh() {
    const wanted = payload.sheet_field ? current(payload.sheet_field) : null;
    sheet = payload.sheets[clamp(wanted ?? payload.sheet ?? 0, payload.sheets.length)];
    reveal();
    title.textContent = sheet.title;
    axes.replaceChildren(...rich(sheet.axes ?? []));
    canvas.setAttribute("aria-label", sheet.alt ?? sheet.title);
    [...tabs.children].forEach((tab, index) =>
      tab.setAttribute("aria-selected", String(payload.sheets[index] === sheet)));
    draw();
    drawHow();
  }

  function place(event) {
    const box = canvas.getBoundingClientRect();
    const height = drawnHeight;
    const i = Math.floor((event.clientY - box.top) / height);
    const j = Math.floor((event.clientX - box.left - left) / cell);
    if (i < 0 || j < 0 || i >= shown("rows") || j >= shown("cols")) return null;
    return [from.row + i, from.col + j, event.clientX - box.left, event.clientY - box.top];
  }

  canvas.addEventListener("pointermove", (event) => {
    const found = place(event);
    tip.hidden = !found;
    canvas.style.cursor = found ? "pointer" : "default";
    if (!found) return;
    const [i, j, x, y] = found;
    const value = at2(payload.arrays[sheet.array], i, j);
    const words = sheet.texts?.[i]?.[j] ? `${sheet.texts[i][j]} ` : "";
    tip.textContent = `${label("rows", i)} → ${label("cols", j)}: ${words}${inWords(i, j, value, full)}`;
    tip.style.left = `${Math.min(x + 14, Math.max(0, picture.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${y + 18}px`;
    if (stroke) stain(i, j);
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const found = place(event);
    if (found) pick(found[0], found[1]);
  });

  // Painting: the first cell is toggled, and those the pointer is dragged over become like it.
  // The cells change at once and travel as a field of the selection, the whole mask in a word
  // (core/runs/mask_spec.py), so that a stroke is never lost to a slower answer.
  function stain(i, j) {
    const may = payload.arrays[sheet.paint.array];
    const at = i * may.shape[1] + j;
    stroke ??= { may: may.values[at] ? 0 : 1, painted: false };
    if (may.values[at] === stroke.may) return;
    may.values[at] = stroke.may;
    stroke.painted = true;
    draw();
  }
  function painted() {
    if (stroke?.painted) {
      const may = payload.arrays[sheet.paint.array];
      select({ [sheet.paint.field]: `painted:${sideOf(may)}:${packBits(squared(may))}` });
      env.report([sheet.paint.field]);
    }
    stroke = null;
  }
  // An answer to an earlier stroke must not take back a newer one.
  function keepPainted() {
    const paint = payload.sheets.find((one) => one.paint)?.paint;
    const [kind, n, bits] = String(paint ? env.chosen(paint.field) : "").split(":");
    const may = paint && payload.arrays[paint.array];
    if (kind !== "painted" || Number(n) !== sideOf(may)) return;
    const square = new Uint8Array(sideOf(may) ** 2);
    unpackBits(bits, square);
    cornerOf(square, may);
  }

  canvas.addEventListener("pointerdown", (event) => {
    const found = place(event);
    if (!sheet.paint || !found || event.button) return;
    stain(found[0], found[1]);
    if (event.pointerType === "touch") painted(); // dragging a finger scrolls the page
  });
  globalThis.addEventListener("pointerup", painted);
  canvas.addEventListener("keydown", (event) => {
    const step = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
    }[event.key];
    if (step) {
      event.preventDefault();
      pick((chosen("rows") ?? 0) + step[0], (chosen("cols") ?? 0) + step[1]);
    } else if (sheet.paint && (event.key === " " || event.key === "Enter")) {
      event.preventDefault();
      stain(chosen("rows") ?? 0, chosen("cols") ?? 0);
      painted();
    }
  });
  let dragging = false;
  const drag = (event) => {
    if (!dragging) return;
    const box = overview.getBoundingClientRect();
    const [rows, cols] = shape();
    const share = (value, size) => Math.max(0, Math.min(1, value / size));
    from.row = Math.round(share(event.clientY - box.top, box.height) * rows - shown("rows") / 2);
    from.col = Math.round(share(event.clientX - box.left, box.width) * cols - shown("cols") / 2);
    from.row = Math.max(0, Math.min(from.row, rows - shown("rows")));
    from.col = Math.max(0, Math.min(from.col, cols - shown("cols")));
    draw();
  };
  overview.addEventListener("pointerdown", (event) => {
    dragging = true;
    overview.setPointerCapture(event.pointerId);
    drag(event);
  });
  overview.addEventListener("pointermove", drag);
  overview.addEventListener("pointerup", () => { dragging = false; });

  return {
    update(next) {
      payload = next;
      keepPainted();
      tabs.hidden = next.sheets.length < 2 || next.sheet_tabs === false;
      tabs.replaceChildren(...next.sheets.map((one, index) => el("button", {
        type: "button", role: "tab",
        onclick: () => { select({ [next.sheet_field]: index }); env.report([next.sheet_field]); },
      }, one.tab ?? one.title)));
      refresh();
    },
    selected(changed, hover) {
      const fields = payload.sheets.flatMap((one) => [one.rows.field, one.cols.field]);
      if (!changed.some((name) => fields.includes(name) || name === payload.sheet_field)) return;
      refresh();
      if (!hover && chosen("rows") !== null && chosen("cols") !== null) {
        const value = at2(payload.arrays[sheet.array], chosen("rows"), chosen("cols"));
        said.textContent = `${label("rows", chosen("rows"))}, ${label("cols", chosen("cols"))}: ${
          inWords(chosen("rows"), chosen("cols"), value, fmt)}`;
      }
    },
    resized: () => payload && refresh(),
    destroy: () => globalThis.removeEventListener("pointerup", painted),
  };
});

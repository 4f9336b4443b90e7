// A sheet on its canvas: the cells of the window and the labels beside them.

import { around, fitted, hatch, shortened, sizeCanvas, typeSize } from "../shared/canvas.js";
import { channels, inkOn, mix, rgb, scaleOf } from "../shared/colour.js";
import { fmt } from "../shared/numbers.js";
import { larger, lectured } from "../shared/room.js";
import { LEADING } from "./layout.js";

/** @typedef {[number | null, number | null]} Place row and column */

/**
 * The colour of a cell by its row and value.
 * @param {import("./cells.js").Cells} cells
 * @param {import("../shared/colour.js").Palette} palette
 * @returns {(i: number, value: number) => number[]}
 */
export function colouring(cells, palette) {
  const { scale, categories } = cells.sheet;
  if (scale.kind === "category") {
    return (i, value) => {
      const { role, share } = categories[value];
      return mix(channels(palette.surface), channels(palette[role]), share ?? 1);
    };
  }
  const made = new Map(); // by limit
  const zero = scale.zero ?? 0;
  const unknown = channels(palette.border);
  return (i, value) => {
    if (!Number.isFinite(value)) return unknown;
    const limit = cells.limit(i);
    if (!made.has(limit)) made.set(limit, scaleOf(palette, scale.kind, limit - zero));
    return made.get(limit)(value - zero);
  };
}

/**
 * Draw the window that begins at a row and a column.
 * @param {HTMLCanvasElement} canvas
 * @param {import("./cells.js").Cells} cells
 * @param {import("./layout.js").Layout} layout
 * @param {import("../shared/colour.js").Palette} palette
 * @param {{ row: number, col: number }} from
 */
export function drawSheet(canvas, cells, layout, palette, from) {
  const [rows, cols] = [layout.shown("rows"), layout.shown("cols")];
  const context = sizeCanvas(canvas, layout.width, rows * layout.height + layout.bottom + 4);
  const chosen = /** @type {Place} */ ([cells.chosen("rows"), cells.chosen("cols")]);
  const pen = { context, cells, layout, palette, from, rows, cols, chosen };
  context.textBaseline = "middle";
  drawCells(pen);
  drawRowLabels(pen);
  drawColumnLabels(pen);
  if (cells.sheet.nothing) sayNothing(pen);
}

// Lines between cells that are all alike, and why they are.
function sayNothing(pen) {
  const { context, cells, layout, palette, rows, cols } = pen;
  const { left, cell, height } = layout;
  context.strokeStyle = palette.border;
  context.lineWidth = 1;
  context.beginPath();
  for (let i = 0; i <= rows; i++) context.rect(left, i * height - 0.5, cols * cell, 0);
  for (let j = 0; j <= cols; j++) context.rect(left + j * cell - 0.5, 0, 0, rows * height);
  context.stroke();
  const size = typeSize(layout.host, 15);
  const room = { width: Math.max(Math.min(cols * cell - 24, 420), 120), height: rows * height };
  const { lines, leading } = fitted(context, (at) => `${at}px ${getComputedStyle(layout.host).fontFamily}`,
    cells.sheet.nothing, room, size, least(layout));
  const [x, y] = [left + cols * cell / 2, rows * height / 2];
  const wide = Math.max(...lines.map((line) => context.measureText(line).width)) + 20;
  const tall = Math.max(leading, size) * lines.length + 16;
  context.fillStyle = palette.background;
  context.fillRect(x - wide / 2, y - tall / 2, wide, tall);
  context.strokeRect(x - wide / 2, y - tall / 2, wide, tall);
  context.fillStyle = palette.text;
  context.textAlign = "center";
  lines.forEach((line, at) => context.fillText(line, x, y + (at - (lines.length - 1) / 2) * leading));
}

function drawCells(pen) {
  const { cells, layout, palette, from, rows, cols } = pen;
  const colour = colouring(cells, palette);
  const gap = layout.cell > 9 ? 1 : 0;
  const beside = cells.sheet.glyph === "bars" && cells.sheet.numbers ? besideBars(pen) : null;
  for (let i = from.row; i < from.row + rows; i++) {
    for (let j = from.col; j < from.col + cols; j++) {
      const place = {
        x: layout.left + (j - from.col) * layout.cell, y: (i - from.row) * layout.height,
        width: layout.cell - gap, height: layout.height - gap,
      };
      if (cells.masked(i, j)) drawMasked(pen, place);
      else if (cells.sheet.glyph === "bars") drawBar(pen, i, j, place, beside);
      else drawCell(pen, i, j, place, colour(i, cells.value(i, j)));
    }
  }
}

const CLOSER = 1.15; // times as wide as its cell, a word that is not cut

// px of type that can still be read
const least = ({ smallest, zoom }) => smallest || 8.5 * zoom;

// Of how many names one is written: where no type may be smaller those that there are can be read, others are pointed at.
const apart = (layout, room) => (layout.smallest ? Math.ceil(LEADING * least(layout) / room) : 1);

// Whether a name is left out: the chosen one never is, but those beside it.
const left = (at, chosen, every) => at !== chosen
  && (at % every > 0 || (chosen !== null && Math.abs(at - chosen) < every));

const small = ({ type, height, smallest }) => Math.min(type, Math.max(smallest || 8, height - 1));

// In the middle of a cell.
function write({ context, layout }, { x, y }, text, size, ink) {
  context.font = layout.font(size);
  context.fillStyle = ink;
  context.textAlign = "center";
  context.fillText(text, x + layout.cell / 2, y + layout.height / 2);
}

// A text with its middle at a height, in as many lines as it takes.
function writeWhole({ context, layout }, text, room, x, y, least, most = small(layout)) {
  const font = (size) => layout.font(size);
  const { lines, leading } = fitted(context, font, text, room, most, least);
  lines.forEach((line, at) =>
    context.fillText(line, x, y + (at - (lines.length - 1) / 2) * leading));
}

function drawMasked(pen, place) {
  const { context, cells, layout, palette } = pen;
  const scale = larger(layout.host); // seen from the last row, too
  hatch(context, place.x, place.y, place.width, place.height, scale > 1 ? palette.muted : palette.border, scale);
  if (cells.sheet.masked_text && layout.cell > 24) {
    write(pen, place, cells.sheet.masked_text, small(layout), palette.muted);
  }
}

function drawCell(pen, i, j, place, colour) {
  const { context, cells, layout } = pen;
  context.fillStyle = rgb(colour);
  context.fillRect(place.x, place.y, place.width, place.height);
  const text = cells.text(i, j);
  if (text && layout.cell > 24) {
    context.fillStyle = inkOn(colour);
    context.textAlign = "center";
    const room = { width: layout.cell - 2, height: place.height };
    const [x, y] = [place.x + layout.cell / 2, place.y + layout.height / 2];
    context.font = layout.font(least(layout));
    const written = context.measureText(text).width < layout.cell - 4 ? text : narrow(text);
    // A word that lacks a letter's width stands closer.
    if (context.measureText(written).width < CLOSER * room.width) context.fillText(written, x, y, room.width);
    else writeWhole(pen, written, room, x, y, least(layout));
  } else if (cells.sheet.numbers && layout.cell >= (lectured(layout.host) ? 34 * layout.zoom : 30)) {
    const size = Math.max(layout.smallest, Math.min(layout.type, layout.cell / 3.2));
    context.font = layout.font(size);
    const said = fitting(context, cells.value(i, j), layout.cell);
    if (context.measureText(said).width < layout.cell) write(pen, place, said, size, inkOn(colour));
  }
}

// A number between 0 and 1 where there is little room: .95, and 1 for 1.00.
const narrow = (text) => text.replace(/^(−?)0(?=[.,]\d)/, "$1").replace(/^(−?1)[.,]0+$/, "$1");

// A number in a cell: with two digits where these have room, 7·10⁻⁷ beside 7.2·10⁻⁷.
function fitting(context, value, room) {
  const said = fmt(value, 2);
  return context.measureText(said).width < room - 2 ? said : fmt(value, 1);
}

// The type of the numbers beside bars, the same in all cells, and how wide that makes the longest.
function besideBars({ context, cells, layout, from, rows, cols }) {
  const slim = layout.cell < 76; // on a phone
  const edge = slim ? 2 : 8;
  let size = Math.max(layout.smallest, Math.min(15 * layout.zoom, layout.height / 2.4));
  context.font = layout.font(size);
  let longest = 0;
  for (let i = from.row; i < from.row + rows; i++) {
    for (let j = from.col; j < from.col + cols; j++) {
      longest = Math.max(longest, context.measureText(fmt(cells.value(i, j), 3)).width);
    }
  }
  const room = layout.cell - 2 * edge - (slim ? 8 : 6); // a slim bar, and a gap
  const fits = Math.min(1, room / longest);
  size *= fits;
  if (size < layout.smallest) return null; // the bars alone: a number is read where one points
  return { edge, size, bar: Math.max(3, Math.min(26, layout.cell * 0.28, room + 4 - longest * fits)) };
}

// A cell as a bar from the row's zero line, the number beside it where there is room.
function drawBar({ context, cells, layout, palette, chosen }, i, j, { x, y, width }, beside) {
  const { sheet } = cells;
  const { height } = layout;
  // Where rows are steps, those still to come are empty.
  const known = !sheet.grows || chosen[0] === null || i <= chosen[0];
  const value = known ? cells.value(i, j) : NaN;
  const numbered = beside && width >= 46;
  const middle = y + height / 2;
  const share = Number.isFinite(value)
    ? Math.max(-1, Math.min(1, value / (cells.limit(i) || 1))) : 0;
  const tall = share * (height / 2 - 3);
  const wide = numbered ? beside.bar : Math.max(1, width - (width > 6 ? 1 : 0));
  context.fillStyle = palette.surface;
  context.fillRect(x, y, width, height - 2);
  context.fillStyle = palette.border; // under the bar: a number is not to be crossed out
  context.fillRect(x, middle - 0.5, numbered ? 2 * beside.edge + wide : width, 1);
  context.fillStyle = share ? (share < 0 ? palette.negative : palette.positive) : palette.muted;
  if (Number.isNaN(value)) return;
  const start = numbered ? x + beside.edge : x;
  context.fillRect(start, Math.min(middle, middle - tall), wide, Math.max(1, Math.abs(tall)));
  if (!numbered) return;
  context.font = layout.font(beside.size);
  context.fillStyle = palette.text;
  context.textAlign = "right";
  context.fillText(fmt(value, 3), x + width - beside.edge, middle);
}

const inkOf = (palette, axis, chosen) =>
  (chosen ? palette[axis.role] ?? palette.accent : palette.text);

function drawRowLabels(pen) {
  const { context, cells, layout, palette, from, rows, chosen } = pen;
  const every = apart(layout, layout.height);
  const room = { width: layout.left - 8, height: layout.height * every };
  const most = small({ ...layout, height: room.height });
  context.textAlign = "right";
  for (let i = from.row; i < from.row + rows; i++) {
    if (layout.height * every < 8 && i !== chosen[0]) continue;
    if (left(i, chosen[0], every)) continue;
    context.fillStyle = inkOf(palette, cells.sheet.rows, i === chosen[0]);
    const y = Math.max(most / 2, (i - from.row + 0.5) * layout.height); // a low row's name is whole, too
    context.font = layout.font(most);
    const parts = cells.sheet.rows.around?.[i];
    const text = parts ? around(context, parts, room.width) : cells.label("rows", i);
    // Names of one word are all of one size.
    const smallest = text.includes(" ") ? least(layout) : most;
    writeWhole(pen, text, room, layout.left - 6, y, smallest, most);
  }
}

function drawColumnLabels({ context, cells, layout, palette, from, rows, cols, chosen }) {
  const { cell, flat, bottom, type, smallest } = layout;
  if (cells.sheet.cols.hide || cell < 8) return;
  context.textAlign = flat ? "center" : "right";
  const every = apart(layout, cell);
  context.font = layout.font(Math.min(type, Math.max(smallest || 8, every * cell - 1)));
  for (let j = from.col; j < from.col + cols; j++) {
    if (left(j, chosen[1], every)) continue;
    context.save();
    context.translate(
      layout.left + (j - from.col + 0.5) * cell, rows * layout.height + (flat ? 12 : 6));
    if (!flat) context.rotate(-Math.PI / 2);
    context.fillStyle = inkOf(palette, cells.sheet.cols, j === chosen[1]);
    context.fillText(shortened(context, cells.label("cols", j), (flat ? cell : bottom) - 8), 0, 0);
    context.restore();
  }
}

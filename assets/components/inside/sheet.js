// Rows of marks in a box: strips of numbers, texts, and bars (core/figures/components/map/inside.py).

import { fitted, pen, shortened, spread } from "../shared/canvas.js";
import { channels, scaleOf } from "../shared/colour.js";
import { el } from "../shared/dom.js";
import { fmt } from "../shared/numbers.js";
import { imageOf } from "../shared/raster.js";

const GAP = { wide: 10, tight: 5 }; // pixels between columns
const TIGHT = 380; // of a box, below which all stands closer together
const ROW = { least: 15, most: 30 };
const LEAST = { strip: 22, bar: 40, fan: 30 };
const CLOSE = { strip: 16, bar: 26, fan: 16 }; // the same where it is tight
const WORDS = 60; // of words, of which more is seen where there is room
const SHARE = { strip: 1, bar: 1.6, fan: 0.9, words: 3 }; // of the room that is left
const MOST = { strip: 220, bar: 140, fan: 150 };
const LONG = 520; // of strips that stand by themselves
const ALONE = 4; // times as much of the room for them
const LABEL = { wide: 0.57, tight: 0.44 }; // of the box, names of rows at most
const THICK = 9; // pixels of a weight of 1
const TITLE = { most: 12, least: 10 }; // pixels of the titles of columns
const BETWEEN = 0.5; // of their type, two of them at least
const ASIDE = 14; // beside the box
const PAD = 10; // between a frame and the names of its rows
const LINE = 9; // pixels of type, where a name takes two lines
const MADE = 10; // pixels below the last row
const FAINT = 0.01; // weight from which a line is drawn

const seen = (colour, share) => {
  const [r, g, b] = channels(colour);
  return `rgba(${r},${g},${b},${share})`;
};

export class Sheet {
  /**
   * @param {import("../shared/payload.js").Payload} payload
   * @param {{ palette: import("../shared/colour.js").Palette, style: CSSStyleDeclaration, zoom: number,
   *   least?: number }} look no type is smaller
   */
  constructor(payload, { palette, style, zoom, least = 0 }) {
    Object.assign(this, { payload, palette, style, zoom, least });
    this.there = () => 1; // how much of a mark of a column is there, where it is told
    this.over = null; // what is drawn over it meanwhile
    this.ruler = pen(el("canvas"));
    this.strips = new Map();
    for (const column of payload.columns) {
      // What lies deeper never comes to whoever is led through the whole.
      if (payload.told) column.marks.forEach((mark) => { mark.goes = ""; });
      if (payload.arrays[column.name]) this.#paint(column);
    }
  }

  #font(context, size, family = "sans", weight = 400) {
    const name = this.style.getPropertyValue(family === "code" ? "--st-code-font" : "--st-font");
    context.font = `${weight} ${size}px ${name || (family === "code" ? "monospace" : "sans-serif")}`;
  }

  // Its strips as small pictures of a pixel a number, made once.
  #paint(column) {
    const { values, shape: [n, cols] } = this.payload.arrays[column.name];
    const scales = column.marks.map(({ limit }) => scaleOf(this.palette, "signed", limit ?? column.limit));
    const canvas = el("canvas");
    [canvas.width, canvas.height] = [cols, n];
    const image = imageOf(n, cols, (i, j) => {
      const value = values[i * cols + j];
      return Number.isNaN(value) ? null : scales[i](value);
    });
    pen(canvas).putImageData(image, 0, 0);
    this.strips.set(column, canvas);
  }

  // How wide the texts of a column are.
  #written(column) {
    this.#font(this.ruler, this.size, "code", 600);
    return Math.max(0, ...column.marks.map(({ text = "" }) => this.ruler.measureText(text).width));
  }

  #least(column) {
    const text = this.#written(column);
    if (column.kind === "words") return Math.min(text, WORDS * this.zoom);
    if (!this.close[column.kind]) return text;
    return this.close[column.kind] * this.zoom + (text ? text + 6 : 0);
  }

  /**
   * Lay it out in a box; rows that belong to tokens stand beside them.
   * @param {{ x: number, width: number, top: number, height: number, head?: number }} box and the line
   *   on which titles stand
   * @param {((row: number) => number) | null} rowAt where a token's row is
   * @param {number} [high] of a row of tokens
   */
  place(box, rowAt, high = 0) {
    const { payload, zoom } = this;
    this.box = box;
    this.aligned = payload.aligned && rowAt !== null;
    const rows = Math.max(1, payload.rows.length);
    this.height = this.aligned ? high
      : Math.max(ROW.least, Math.min(ROW.most * zoom, box.height / rows));
    this.y = this.aligned ? rowAt : (row) => box.top + (row + 0.5) * this.height;
    const tight = box.width < TIGHT * zoom;
    this.gap = tight ? GAP.tight : GAP.wide;
    this.close = tight ? CLOSE : LEAST;
    this.size = Math.min(Math.max((tight ? 11 : 13) * zoom, this.least), this.height - 3);
    this.label = this.aligned ? 0 : this.#labels(box.width);
    const room = box.width - this.label - 2 * this.gap;
    this.columns = this.#fitting(room);
    const parts = this.columns.flatMap((column) =>
      (payload.fan[1] === column.name ? [{ fan: true, least: this.close.fan * zoom, share: SHARE.fan, most: MOST.fan * zoom }]
        : []).concat([{ column, least: this.#least(column),
        share: (SHARE[column.kind] ?? 0) * (!this.aligned && column.kind === "strip" ? ALONE : 1),
        most: (!this.aligned && column.kind === "strip" ? LONG : MOST[column.kind] ?? 0) * zoom
          + this.#written(column) }]));
    let left = room - this.gap * (parts.length - 1) - parts.reduce((sum, { least }) => sum + least, 0);
    let shares = parts.reduce((sum, { share }) => sum + share, 0);
    let x = box.x + this.label + this.gap;
    this.places = new Map();
    for (const part of parts) {
      const more = Math.max(0, Math.min((left * part.share) / (shares || 1), part.most - part.least));
      left -= more;
      shares -= part.share;
      const width = part.least + (part.share ? more : 0);
      if (part.column) this.places.set(part.column, { x, width });
      x += width + this.gap;
    }
    this.#entitle();
  }

  // Where the titles of columns stand: beside their middles, where there is no room but beside them.
  #entitle() {
    const { x, width } = this.box;
    const from = this.aligned ? x - ASIDE : x; // beside it are the tokens
    let middles = null;
    const [most, least] = [TITLE.most, TITLE.least].map((size) => Math.max(size * this.zoom, this.least));
    for (this.title = most; !middles && this.title >= least; this.title -= 0.5 * this.zoom) {
      this.#font(this.ruler, this.title, "sans", 600);
      middles = spread(this.columns.map((column) => {
        const { x: left, width: wide } = this.places.get(column);
        return { middle: left + wide / 2, width: this.ruler.measureText(column.title).width };
      }), from, x + width, BETWEEN * this.title);
      if (middles) break;
    }
    if (!middles) this.title = most;
    this.titles = middles && new Map(this.columns.map((column, n) => [column, middles[n]]));
  }

  // How wide the names of rows are.
  #labels(width) {
    this.#font(this.ruler, this.size, "sans");
    const longest = Math.max(0, ...this.payload.rows.map((one) => this.ruler.measureText(one).width));
    return Math.min(longest + PAD + 1, LABEL[this.gap === GAP.tight ? "tight" : "wide"] * width);
  }

  // The columns that there is room for.
  #fitting(room) {
    const { columns, fan } = this.payload;
    const need = (some) => some.reduce((sum, one) => sum + this.#least(one) + this.gap, fan.length ? this.close.fan : 0);
    let shown = columns;
    for (const spare of columns.filter((one) => one.spare)) {
      if (need(shown) > room) shown = shown.filter((one) => one !== spare);
    }
    return shown;
  }

  /** The lower end of its frame. */
  get end() {
    return Math.max(this.box.top + this.box.height, this.bottom);
  }

  /** The lower end of its rows. */
  get bottom() {
    return this.aligned ? 0 : this.box.top + this.payload.rows.length * this.height;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {{ column: any, mark: any } | null} [pointed]
   */
  draw(context, pointed = null) {
    const { payload, palette, box } = this;
    context.textBaseline = "middle";
    if (!this.aligned) {
      context.fillStyle = seen(palette.background, 0.85); // its rows are no tokens: no line leads to them
      context.fillRect(box.x, box.top, box.width, box.height);
      context.strokeStyle = seen(palette.muted, 0.5 * context.globalAlpha);
      context.strokeRect(box.x - 2, box.top - 2, box.width + 4, this.end - box.top + 4);
      this.#names(context);
    }
    const ghost = context.globalAlpha;
    if (payload.fan.length) this.#fan(context, ghost);
    for (const column of this.columns) {
      const { x, width } = this.places.get(column);
      context.globalAlpha = ghost * this.there(column, 0);
      this.#title(context, column, x, width);
      column.marks.forEach((mark, n) => {
        const y = this.y(mark.row);
        context.globalAlpha = ghost * this.there(column, n);
        if (column.kind === "strip") this.#strip(context, column, n, x, width, y);
        else this.#text(context, column, mark, x, width, y);
        if (pointed?.mark === mark) this.#outline(context, x, width, y, palette.accent);
        else if (mark.strong && column.kind === "strip") this.#outline(context, x, width, y, palette.muted);
      });
    }
    if (this.aligned) this.#made(context, ghost);
    context.globalAlpha = ghost;
    this.over?.(context);
    context.textAlign = "left";
    return box;
  }

  #outline(context, x, width, y, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.strokeRect(x - 2, y - this.height / 2 + 1.5, width + 4, this.height - 3);
  }

  #names(context) {
    const family = this.style.getPropertyValue("--st-font") || "sans-serif";
    context.textAlign = "right";
    context.fillStyle = this.palette.text;
    const room = { width: this.label - PAD, height: this.height };
    const written = (name, size) => fitted(context, (one) => `${one}px ${family}`, name, room, size, LINE * this.zoom);
    // All in one type: that of the one that needs the smallest.
    const size = Math.min(...this.payload.rows.map((name) => written(name, this.size).size));
    this.payload.rows.forEach((name, row) => {
      const { lines, leading } = written(name, size);
      lines.forEach((line, n) => context.fillText(line, this.box.x + this.label,
        this.y(row) + (n - (lines.length - 1) / 2) * leading));
    });
  }

  #title(context, column, x, width) {
    this.#font(context, this.title, "sans", 600);
    context.textAlign = "center";
    context.fillStyle = this.palette.muted;
    const text = this.titles ? column.title : shortened(context, column.title, width);
    context.fillText(text, this.titles?.get(column) ?? x + width / 2, this.box.head ?? this.box.top - 14 * this.zoom);
  }

  // Below its numbers, how they come of those before; none where they would touch.
  #made(context, ghost) {
    const made = this.columns.filter((column) => column.made);
    const size = Math.max(TITLE.most * this.zoom, this.least);
    this.#font(context, size, "sans");
    const middles = spread(made.map((column) => {
      const { x, width } = this.places.get(column);
      return { middle: x + width / 2, width: context.measureText(column.made).width };
    }), this.box.x - ASIDE, this.box.x + this.box.width + ASIDE, size);
    if (!middles) return;
    context.textAlign = "center";
    context.fillStyle = this.palette.muted;
    made.forEach((column, n) => {
      context.globalAlpha = ghost * this.there(column, column.marks.length - 1);
      context.fillText(column.made, middles[n], this.y(this.payload.rows.length - 1) + this.height / 2 + MADE * this.zoom);
    });
  }

  #strip(context, column, n, x, width, y) {
    const image = this.strips.get(column);
    context.imageSmoothingEnabled = false;
    const pad = Math.min(3, this.height / 6);
    context.drawImage(image, 0, n, this.#long(column, n), 1, x, y - this.height / 2 + pad, width, this.height - 2 * pad);
  }

  // How many numbers a strip has.
  #long(column, n) {
    const { values, shape: [, cols] } = this.payload.arrays[column.name];
    let long = cols;
    while (long > 1 && Number.isNaN(values[n * cols + long - 1])) long -= 1;
    return long;
  }

  #text(context, column, mark, x, width, y) {
    const { palette } = this;
    let at = x;
    if (column.kind === "bar" && mark.share !== undefined) {
      at = this.#bar(context, column, mark, x, width - this.#written(column) - 6, y) + 5;
    }
    this.#font(context, this.size, "code", mark.strong ? 700 : 400);
    context.textAlign = column.kind === "text" ? "right" : "left";
    const plain = column.faint ? seen(palette.muted, 0.6) : palette.text;
    context.fillStyle = mark.strong ? palette[column.role] ?? palette.text : plain;
    const text = column.kind === "words" ? shortened(context, mark.text ?? "", width) : mark.text ?? "";
    context.fillText(text, column.kind === "text" ? x + width : at, y);
  }

  // A bar, to the left of a line where it is below zero; its text stands at what this gives.
  #bar(context, column, { share, strong }, x, room, y) {
    const { palette } = this;
    const low = Math.min(0, ...column.marks.map((one) => one.share ?? 0));
    const high = low < 0 ? Math.max(0, ...column.marks.map((one) => one.share ?? 0)) : 1;
    const unit = room / (high - low);
    const zero = x - low * unit;
    const wide = Math.max(1.5, unit * Math.min(1, Math.abs(share)));
    context.fillStyle = seen(share < 0 ? palette.negative : palette[column.role] ?? palette.accent, strong ? 1 : 0.8);
    context.fillRect(share < 0 ? zero - wide : zero, y - this.height * 0.28, wide, this.height * 0.56);
    if (low < 0) {
      context.fillStyle = palette.muted;
      context.fillRect(zero - 0.5, y - this.height / 2, 1, this.height);
    }
    return share < 0 ? zero : zero + wide;
  }

  // From each value to the mix, as thick as its weight.
  #fan(context, ghost) {
    const { payload, palette } = this;
    const [from, to] = payload.fan.map((name) => this.columns.find((one) => one.name === name));
    if (!from || !to) return;
    const [a, b] = [this.places.get(from), this.places.get(to)];
    const [start, end] = [a.x + a.width + 2, b.x - 3];
    const bend = (end - start) * 0.45;
    const y = this.y(to.marks[0].row);
    context.globalAlpha = ghost * this.there(to, 0);
    payload.weights.forEach((weight, row) => {
      if (weight < FAINT) return;
      context.strokeStyle = seen(palette.weight, 0.25 + 0.75 * weight);
      context.lineWidth = Math.max(0.6, THICK * weight);
      context.beginPath();
      context.moveTo(start, this.y(row));
      context.bezierCurveTo(start + bend, this.y(row), end - bend, y, end, y);
      context.stroke();
    });
  }

  // --- what is pointed at ----------------------------------------------------------------------

  /**
   * The mark at a place; of a strip also which of its numbers. The name of a row is the mark of it
   * that can be gone into.
   * @param {{ x: number, y: number }} place
   * @returns {{ column: any, mark: any, n: number, component: number } | null}
   */
  at({ x, y }) {
    if (this.label && x >= this.box.x && x < this.box.x + this.label + this.gap / 2) {
      const near = ({ mark }) => mark.goes && Math.abs(this.y(mark.row) - y) <= this.height / 2;
      const found = this.boxes().find(near);
      return found ? { column: found.column, mark: found.mark, n: found.column.marks.indexOf(found.mark), component: 0 } : null;
    }
    for (const column of this.columns ?? []) {
      const { x: left, width } = this.places.get(column);
      if (x < left - this.gap / 2 || x >= left + width + this.gap / 2) continue;
      const n = column.marks.findIndex((mark) => Math.abs(this.y(mark.row) - y) <= this.height / 2);
      if (n < 0) return null;
      const cols = column.kind === "strip" ? this.#long(column, n) : 0;
      const share = Math.max(0, Math.min(0.9999, (x - left) / width));
      return { column, mark: column.marks[n], n, component: Math.floor(share * cols) };
    }
    return null;
  }

  #value(name, row, component) {
    const column = this.payload.columns.find((one) => one.name === name);
    const array = this.payload.arrays[name];
    const n = column?.marks.findIndex((mark) => mark.row === row) ?? -1;
    return n < 0 || !array ? null : array.values[n * array.shape[1] + component];
  }

  /**
   * What a mark says, and of which numbers it is made.
   * @param {{ column: any, mark: any, component: number }} found
   * @returns {string}
   */
  tell({ column, mark, component }) {
    if (column.kind !== "strip") return [mark.says ?? mark.text, mark.made, column.says].filter(Boolean).join("\n");
    const value = fmt(this.#value(column.name, mark.row, component));
    const made = (mark.terms ?? []).map(([name, row, times]) => {
      const own = fmt(this.#value(name, row, component));
      return times ? `${times} · ${own}` : own;
    });
    const sum = made.length ? `${made.join(` ${mark.sign} `)}${mark.sign === "+" && mark.more ? " + …" : ""} → ` : "";
    return `${mark.says}\n[${component}] ${sum}${value}`;
  }

  /**
   * Where each mark is, for those who go from one to the next by keyboard.
   * @returns {{ column: any, mark: any, x: number, y: number, width: number, height: number }[]}
   */
  boxes() {
    return this.columns.flatMap((column) => {
      const { x, width } = this.places.get(column);
      return column.marks.map((mark) => ({
        column, mark, x, width, y: this.y(mark.row) - this.height / 2, height: this.height,
      }));
    });
  }
}

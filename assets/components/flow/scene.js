// The picture of a run: rows of numbers, and between them from where each takes what. It is drawn
// from a layout, so that every state between two layouts is the same drawing.

import { pen } from "../shared/canvas.js";
import { channels, scaleOf } from "../shared/colour.js";
import { percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { liesIn, partOf, placeOf } from "./places.js";

export const LEAST = 0.06; // share from which a line is drawn
const MARKED = 3; // pixels of a line that is spoken of, and of its ends
const DASH = 5; // of one that is cut
const CROSS = 6;
const LEAST_WIDE = { open: 8, closed: 14 }; // pixels in which lines can be told apart
const THICK = 7; // pixels of a share of 1
const PAD = 3; // pixels between rows
const SPENT = 1e-6; // of a row's attention: what is left of it is nothing
const WITHIN = /\.(?:(?:key|unit)\d+|(?:weight|score)-?[\d.]+)$/; // ends the name of a change that leaves a part on
const SUMS = { add_1: "attn.sum", add_cross: "cross.sum", add_2: "ffn.sum" }; // by their piece

/**
 * A colour, seen through.
 * @param {string} colour
 * @param {number} share
 * @returns {string}
 */
export const alpha = (colour, share) => {
  const [r, g, b] = channels(colour);
  return `rgba(${r},${g},${b},${share})`;
};

/**
 * What of the picture is drawn: which rows of which tower, and how brightly.
 * @typedef {object} Shown
 * @property {(tower: any, row: number) => boolean} rows
 * @property {boolean} [lit] lines alone, at their brightest
 */

export class Scene {
  /**
   * @param {import("../shared/payload.js").Payload} payload
   * @param {import("./layout.js").Item[]} items
   * @param {{ top: number, above: number, height: number, zoom: number, style: CSSStyleDeclaration,
   *   palette: import("../shared/colour.js").Palette, aside: boolean }} look where rows begin, how much of
   *   that is for what is said of rows that are not drawn, how high each is, how much larger than elsewhere
   *   type is, and whether the mark at the start is put aside
   */
  constructor(payload, items, look) {
    Object.assign(this, { payload, items, ...look });
    this.cover = null; // what the inside of a place is drawn in, { item, share, row }
    this.parts = items.flatMap((item) => [item, ...(item.parts ?? [])]);
    this.giver = payload.towers[0];
    this.ruler = pen(document.createElement("canvas"));
    this.strips = new Map();
    this.withoutStart = new Map(); // by array
    const several = payload.towers.length > 1;
    const isOff = (item, name) => payload.off.includes(`${placeOf(item, several)}.${name}`);
    this.off = new Set(items.flatMap((item) => (item.parts ?? []).filter((part) =>
      isOff(item, partOf(part)) || isOff(item, SUMS[part.piece]))));
    // Of each layer and each part in which something is changed, whether all of a part is off, or less.
    const signs = (place) => new Set(payload.off.filter((name) => liesIn(name, place)).map((name) => !WITHIN.test(name)));
    this.changed = new Map(items.filter(({ kind }) => kind === "gap").flatMap((item) => {
      const place = placeOf(item, several);
      return [[item, signs(place)], ...item.parts.map((part) => [part, signs(`${place}.${partOf(part)}`)])];
    }));
    for (const item of this.parts) if (this.numbers(item) && item.kind !== "head") this.#paint(item);
  }

  y(row) {
    return this.top + (row + 0.5) * this.height;
  }

  /** The line on which names stand. */
  get head() {
    return this.top - this.above - 14 * this.zoom;
  }

  /**
   * Whether of a tower only the row is drawn to which all that is open belongs.
   * @param {any} tower
   * @returns {boolean}
   */
  only(tower) {
    return this.cover?.row >= 0 && this.cover.item.tower === tower;
  }

  numbers(item) {
    const array = this.payload.arrays[item.array];
    return this.aside && item.kind === "head" && !item.across ? this.#rescaled(item.array, array) : array;
  }

  // The weights without those of the mark at the start; the others of a row add up to 1 again.
  #rescaled(name, array) {
    const known = this.withoutStart.get(name);
    if (known) return known;
    const values = array.values.slice();
    const m = array.shape.at(-1);
    for (let at = 0; at < values.length; at += m) {
      const left = 1 - values[at];
      values[at] = 0;
      for (let j = 1; j < m; j++) values[at + j] = left > SPENT ? values[at + j] / left : 0;
    }
    const found = { ...array, values };
    this.withoutStart.set(name, found);
    return found;
  }

  // Its rows as small pictures of a pixel a number, made once.
  #paint(item) {
    const { values, shape: [n, cols] } = this.numbers(item);
    const sorted = Float32Array.from(values, Math.abs).sort();
    const most = sorted[Math.floor(sorted.length * 0.97)] || sorted.at(-1);
    const role = item.role ?? "signed";
    const scale = scaleOf(this.palette, role, role === "signed" ? most : 1);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [cols, n];
    const image = new ImageData(cols, n);
    for (let i = 0; i < n * cols; i++) image.data.set([...scale(values[i]), 255], 4 * i);
    pen(canvas).putImageData(image, 0, 0);
    this.strips.set(item, canvas);
  }

  // How much of an item is still seen below the inside that is drawn in it.
  #bare(item) {
    const { item: own, share } = this.cover ?? {};
    if (own === item) return 1 - share;
    // What stands beside it steps back.
    const beside = own && item.kind === "head" && item.tower === own.tower && item.layer === own.layer;
    return beside ? 1 - 0.75 * share : 1;
  }

  #strip(context, item, { x, width }, shown) {
    const image = this.strips.get(item);
    if (width < 2 || !image || !this.#bare(item)) return;
    context.globalAlpha = this.#bare(item);
    context.imageSmoothingEnabled = false;
    const pad = Math.min(PAD, this.height / 6);
    for (let row = 0; row < image.height; row++) {
      if (!shown.rows(item.tower, row)) continue;
      context.drawImage(image, 0, row, image.width, 1,
        x, this.y(row) - this.height / 2 + pad, width, this.height - 2 * pad);
    }
    context.globalAlpha = 1;
  }

  // What runs on beside everything: each row's own numbers.
  #stream(context, item, place, shown) {
    const covered = item.parts.includes(this.cover?.item) ? this.cover.share : 0;
    context.strokeStyle = alpha(this.palette.residual, 0.4 - 0.3 * covered);
    context.lineWidth = 1;
    context.beginPath();
    for (let row = 0; row < item.tower.tokens.length; row++) {
      if (!shown.rows(item.tower, row)) continue;
      context.moveTo(place.x, this.y(row));
      context.lineTo(place.x + place.width, this.y(row));
    }
    context.stroke();
  }

  /**
   * From where a head's lines begin, the tower of their keys, and the first of its rows.
   * @param {import("./layout.js").Item} head
   * @param {Map<any, { x: number, width: number }>} places
   * @param {number} opened how far its layer is open
   */
  begins(head, places, opened) {
    const { x } = places.get(head);
    if (!head.across) return x;
    const from = this.items.findLast(({ kind, tower }) => kind === "strip" && tower === this.giver);
    const given = places.get(from);
    return given.x + given.width + (x - given.x - given.width) * opened;
  }

  #lines(context, head, places, shown, opened) {
    const { x, width } = places.get(head);
    // Lines from another tower would hide what they pass over: at a distance only those of the row
    // that is looked at are drawn.
    if (width < LEAST_WIDE[opened ? "open" : "closed"] || (head.across && !shown.lit && opened < 0.5)) return;
    const bare = this.#bare(head);
    if (!bare) return;
    const { values, shape: [, n, m] } = this.numbers(head);
    const from = this.begins(head, places, opened);
    const to = x + width;
    const bend = (to - from) * 0.45;
    const { globalAlpha } = context;
    context.strokeStyle = this.palette.weight; // one for all: to read a colour takes longer than a line
    for (let i = 0; i < n; i++) {
      if (!shown.rows(head.tower, i)) continue;
      for (let j = 0; j < m; j++) {
        const share = values[(head.head * n + i) * m + j];
        if (share < LEAST) continue;
        const strength = bare * (this.off.has(head) ? 0.05 : shown.lit ? 0.3 + 0.7 * share : 0.07 + 0.27 * share);
        context.globalAlpha = globalAlpha * strength;
        context.lineWidth = Math.max(0.6, THICK * share * Math.min(1, this.height / 22));
        context.beginPath();
        context.moveTo(from, this.y(j));
        context.bezierCurveTo(from + bend, this.y(j), to - bend, this.y(i), to, this.y(i));
        context.stroke();
      }
    }
    context.globalAlpha = globalAlpha;
  }

  // A state that is handed from row to row.
  #carried(context, item, { x, width }, shown) {
    if (width < 8) return;
    const n = item.tower.tokens.length;
    context.strokeStyle = context.fillStyle = alpha(this.palette.residual, 0.9);
    context.lineWidth = 1.6;
    for (let row = 0; row < n; row++) {
      const next = row + item.carries;
      if (next < 0 || next >= n || !shown.rows(item.tower, row) || !shown.rows(item.tower, next)) continue;
      const middle = x - 7;
      const [from, to] = [this.y(row) + item.carries * 3, this.y(next) - item.carries * 5];
      context.beginPath();
      context.moveTo(x, from);
      context.quadraticCurveTo(middle - 4, (from + to) / 2, x - 1, to);
      context.stroke();
      context.beginPath();
      context.arc(x - 1, to, 2, 0, 7);
      context.fill();
    }
  }

  /**
   * All of it but what moves by itself: tokens, guesses and words.
   * @param {CanvasRenderingContext2D} context
   * @param {Map<any, { x: number, width: number }>} places
   * @param {Shown} shown
   * @param {{ item?: any, share?: number, under?: import("./layout.js").Item }} [going] the gap that
   *   is open, and how far
   */
  draw(context, places, shown, { item: open, share = 0 } = {}) {
    this.seen = places;
    for (const item of this.items) {
      const place = places.get(item);
      if (item.kind === "gap") {
        const opened = item === open ? share : 0;
        if (!shown.lit) this.#stream(context, item, place, shown);
        for (const part of item.parts) {
          if (part.kind === "head") this.#lines(context, part, places, shown, opened);
          else if (!shown.lit) this.#strip(context, part, places.get(part), shown);
        }
      } else if (item.kind === "strip" && !shown.lit) {
        this.#strip(context, item, place, shown);
        if (item.carries) this.#carried(context, item, place, shown);
      }
    }
  }

  /**
   * The lines into one row, brightly; those of one head alone, where one is pointed at.
   * @param {CanvasRenderingContext2D} context
   * @param {Map<any, { x: number, width: number }>} places
   * @param {any} tower
   * @param {number} row
   * @param {{ item?: any, share?: number, only?: any }} [how]
   */
  light(context, places, tower, row, { item: open, share = 0, only } = {}) {
    const shown = { lit: true, rows: (of, n) => of === tower && n === row };
    for (const item of this.items) {
      for (const part of item.parts ?? []) {
        if (part.kind !== "head" || (only && part !== only)) continue;
        this.#lines(context, part, places, shown, item === open ? share : 0);
      }
    }
  }

  /**
   * One line of a head, by itself, as one that is spoken of.
   * @param {CanvasRenderingContext2D} context
   * @param {Map<any, { x: number, width: number }>} places
   * @param {import("./layout.js").Item} head
   * @param {{ query: number, key: number, opened: number, cut?: boolean }} line rows of its tower; how far its
   *   layer is open; whether it is cut
   */
  mark(context, places, head, { query, key, opened, cut = false }) {
    const from = this.begins(head, places, opened);
    const to = places.get(head).x + places.get(head).width;
    const bend = (to - from) * 0.45;
    context.strokeStyle = context.fillStyle = cut ? this.palette.warning : this.palette.accent;
    context.lineWidth = cut ? MARKED / 2 : MARKED;
    context.setLineDash(cut ? [DASH, DASH] : []);
    context.beginPath();
    context.moveTo(from, this.y(key));
    context.bezierCurveTo(from + bend, this.y(key), to - bend, this.y(query), to, this.y(query));
    context.stroke();
    context.setLineDash([]);
    if (cut) this.#across(context, (from + to) / 2, (this.y(key) + this.y(query)) / 2);
    for (const [x, row] of [[from, key], [to, query]]) {
      context.beginPath();
      context.arc(x, this.y(row), MARKED, 0, 7);
      context.fill();
    }
  }

  #across(context, x, y) {
    context.lineWidth = MARKED;
    for (const side of [-CROSS, CROSS]) {
      context.beginPath();
      context.moveTo(x - side, y - CROSS);
      context.lineTo(x + side, y + CROSS);
      context.stroke();
    }
  }

  /**
   * What a row gives most to.
   * @param {any} head
   * @param {number} row
   * @returns {{ key: number, share: number }}
   */
  strongest(head, row) {
    const { values, shape: [, n, m] } = this.numbers(head);
    const at = (head.head * n + Math.min(row, n - 1)) * m;
    let key = 0;
    for (let j = 1; j < m; j++) if (values[at + j] > values[at + key]) key = j;
    return { key, share: values[at + key] };
  }

  /**
   * What a row takes most from, in words.
   * @param {any} head
   * @param {number} row
   * @returns {string}
   */
  takes(head, row) {
    const { key, share } = this.strongest(head, row);
    const from = head.across ? this.giver : head.tower;
    return `${head.tower.tokens[row]?.label ?? ""} ← ${from.tokens[key]?.label ?? ""} ${percent(share)}`;
  }

  /**
   * How much a row gives to a key, whatever is put aside.
   * @param {any} head
   * @param {number} row
   * @param {number} key
   * @returns {number}
   */
  shareOf(head, row, key) {
    const { values, shape: [, n, m] } = this.payload.arrays[head.array];
    return values[(head.head * n + row) * m + key];
  }

  /**
   * The number at a place, with where it is.
   * @param {any} item
   * @param {{ x: number, width: number }} place
   * @param {number} x
   * @param {number} row
   * @returns {{ value: number, col: number } | null}
   */
  valueAt(item, place, x, row) {
    const array = this.numbers(item);
    if (!array) return null;
    const [n, cols] = array.shape;
    const col = Math.floor(((x - place.x) / place.width) * cols);
    return row < 0 || row >= n || col < 0 || col >= cols ? null : { value: at2(array, row, col), col };
  }
}

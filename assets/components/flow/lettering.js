// The words of the picture: tokens, the text they are cut from, names, and what a head gives.

import { shortened } from "../shared/canvas.js";
import { percent } from "../shared/numbers.js";
import { Cut } from "./cut.js";
import { laid } from "./naming.js";
import { alpha, LEAST, Scene } from "./scene.js";

const TEXT = { most: 17, least: 12, one: [18], two: [9, 25] }; // pixels: its type, and how low a line stands
// Before the name of a layer in which a part is switched off, or something in a part is changed.
const OFF = "⊘ ", SET = "≠ ";
const SPARE = 14; // pixels beside an open layer, for names
const NAMES = 7; // pixels between two names: half of their type
const ASIDE = 22; // pixels between the vectors and the words that are said
const TOUCH = { x: 4, y: 9 }; // pixels around a name that are its own, for a finger
const RANK = { last: 0, layer: 1, term: 2, vectors: 3, sign: 4 }; // of what stands above the whole
const LOOSE = 16; // pixels that what is added up may stand aside: it is read as one line
const SEEN = 8; // pixels of a part beside one that is gone into, to have a name

const SMALL = 10; // pixels: the smallest type of a token
const LEGIBLE = 12; // pixels of a row, below which nothing is written in it

export class Lettering extends Scene {
  /**
   * @param {import("../shared/payload.js").Payload} payload
   * @param {import("./layout.js").Item[]} items
   * @param {any} look
   */
  constructor(payload, items, look) {
    super(payload, items, look);
    this.least = look.least; // pixels of type
    this.cut = payload.cut ? new Cut(payload, look.zoom) : null;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} size in pixels
   * @param {"code" | "sans"} [family]
   * @param {number} [weight]
   */
  font(context, size, family = "sans", weight = 400) {
    const name = this.style.getPropertyValue(family === "code" ? "--st-code-font" : "--st-font");
    context.font = `${weight} ${Math.max(size, this.least)}px ${name || (family === "code" ? "monospace" : "sans-serif")}`;
  }

  // The type of tokens; a long one in so much room is written smaller before it is cut.
  #tokenType(context, label = "", room = Infinity) {
    const size = Math.min(14 * this.zoom, this.height - 5);
    this.font(context, size, "code");
    const long = context.measureText(label).width;
    if (long > room) this.font(context, Math.max(Math.min(size, SMALL * this.zoom), (size * room) / long), "code");
  }

  /**
   * How wide the chips of a tower are.
   * @param {any} tower
   * @param {number} most
   * @returns {number}
   */
  widthOf(tower, most) {
    if (this.cut) {
      this.font(this.ruler, LEGIBLE * this.zoom, "code");
      const names = tower.tokens.map(({ label }) => this.ruler.measureText(label).width);
      return Math.min(most, Math.max(...names) + this.height + 6);
    }
    this.#tokenType(this.ruler);
    const born = this.payload.passes.map((pass) => pass.born?.label ?? "");
    const labels = [...tower.tokens.map(({ label }) => label), ...born];
    return Math.min(most, 14 + Math.max(...labels.map((label) => this.ruler.measureText(label).width)));
  }

  /**
   * A token as a chip.
   * @param {CanvasRenderingContext2D} context
   * @param {string} label
   * @param {{ x: number, y: number, width: number, height: number }} box its left and its middle
   * @param {{ chosen?: boolean, special?: boolean, born?: boolean, pointed?: boolean,
   *   ghost?: number }} [how]
   */
  chip(context, label, { x, y, width, height }, { chosen, special, born, pointed, ghost = 1 } = {}) {
    const { palette } = this;
    context.globalAlpha = ghost;
    context.beginPath();
    context.roundRect(x + 0.5, y - height / 2 + 0.5, width - 1, height - 1, 4);
    context.fillStyle = chosen ? palette.accent : palette.surface;
    context.fill();
    context.strokeStyle = chosen || born || pointed ? palette.accent : palette.border;
    context.setLineDash(born && !chosen ? [4, 3] : []);
    context.lineWidth = pointed ? 2 : 1;
    if (height > this.least || born || pointed) context.stroke(); // it must not cross the type of a low row
    context.setLineDash([]);
    context.fillStyle = chosen ? palette.background : special ? palette.muted : palette.text;
    this.#tokenType(context, label, width - 10);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(shortened(context, label, width - 10), x + 6, y + 0.5);
    context.globalAlpha = 1;
  }

  /**
   * A square of the picture as a token; a mark beside the picture, and what is looked at, by name.
   * @param {CanvasRenderingContext2D} context
   * @param {any} one
   * @param {number} position
   * @param {{ x: number, y: number, width: number, height: number }} box its upper left corner
   * @param {{ chosen?: boolean, special?: boolean, pointed?: boolean, ghost?: number }} how
   */
  square(context, one, position, box, { chosen, special, pointed, ghost = 1 }) {
    const { palette, zoom } = this;
    context.globalAlpha = ghost;
    this.cut.square(context, position, box);
    const marked = chosen || pointed;
    if (marked && !special) {
      context.strokeStyle = palette.accent;
      context.lineWidth = 2;
      context.strokeRect(box.x - 1, box.y - 1, box.width + 2, box.height + 2);
    }
    if (marked || special) {
      this.font(context, LEGIBLE * zoom, "code", chosen ? 700 : 400);
      context.textAlign = "right";
      context.textBaseline = "middle";
      context.fillStyle = marked ? palette.accent : palette.muted;
      context.fillText(one.label, box.x - 4, box.y + box.height / 2);
      context.textAlign = "left";
    }
    context.globalAlpha = 1;
  }

  /**
   * What a row gives to each square, over the picture.
   * @param {CanvasRenderingContext2D} context
   * @param {any} head
   * @param {number} row
   */
  heat(context, head, row) {
    const { values, shape: [, n, m] } = this.numbers(head);
    if (row < 0 || row >= n || this.off.has(head)) return;
    const given = values.subarray((head.head * n + row) * m, (head.head * n + row + 1) * m);
    const most = Math.max(...given) || 1;
    given.forEach((share, key) => {
      const box = this.cut.box(key + head.tower.first);
      if (!box) return;
      context.fillStyle = alpha(this.palette.weight, (0.85 * share) / most);
      context.fillRect(box.x, box.y, box.width, box.height);
    });
  }

  /**
   * The picture above the rows, with the square of the row that is looked at.
   * @param {CanvasRenderingContext2D} context
   * @param {{ running: boolean, typed: number, flight: number }} now
   * @param {number} position
   */
  pictured(context, { running, typed, flight }, position) {
    this.cut.whole(context, this.palette, typed, flight > 0);
    const box = running ? null : this.cut.box(position);
    if (!box) return;
    context.strokeStyle = this.palette.accent;
    context.lineWidth = 2;
    context.strokeRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2);
  }

  /**
   * How wide a tower is.
   * @param {any} tower
   * @returns {number}
   */
  room(tower) {
    const own = this.items.filter((item) => item.tower === tower);
    const [first, last] = [own[0], own.at(-1)].map((item) => this.seen.get(item));
    return last.x + last.width - first.x;
  }

  /**
   * Where each token of a tower stands in its text, above the rows.
   * @param {CanvasRenderingContext2D} context
   * @param {any} tower
   * @param {number} left
   * @returns {{ text: string, x: number, y: number, width: number, size: number }[]}
   */
  line(context, tower, left) {
    const born = this.payload.passes.at(-1).born;
    const all = tower === this.payload.towers.at(-1) && born ? [...tower.tokens, born] : tower.tokens;
    const room = this.room(tower);
    const given = this.payload.lines[this.payload.towers.indexOf(tower)];
    const texts = all.map(({ label }, n) => given[n] ?? label.replaceAll("·", " "));
    this.font(context, TEXT.most * this.zoom, "code");
    const long = context.measureText(texts.join("")).width;
    const size = Math.max(TEXT.least, Math.min(TEXT.most, (TEXT.most * room) / long)) * this.zoom;
    this.font(context, size, "code");
    const widths = texts.map((text) => context.measureText(text).width);
    const lines = widths.reduce((sum, one) => sum + one, 0) > room + 1 ? TEXT.two : TEXT.one; // but for rounding
    const more = context.measureText("…").width;
    // What has no room is left out at the start, for the word that is said stands at the end.
    for (let first = 0; ; first++) {
      let [x, line] = [left + (first ? more : 0), 0];
      const laid = texts.map((text, n) => {
        if (n < first) return { text: n === first - 1 ? "…" : "", x: left, y: lines[0] * this.zoom, width: more, size };
        if (x > left && x + widths[n] > left + room + 1) [x, line] = [left, line + 1];
        x += widths[n];
        return { text, x: x - widths[n], y: lines[line] * this.zoom, width: widths[n], size };
      });
      if (line < lines.length || first >= texts.length - 1) return laid;
    }
  }

  /**
   * A piece of the text above the rows.
   * @param {CanvasRenderingContext2D} context
   * @param {ReturnType<Lettering["line"]>[number]} piece
   * @param {number} share that is written
   * @param {boolean} born the model wrote it
   * @param {{ running: boolean, flight: number }} now
   */
  written(context, { text: all, x, y, size }, share, born, { running, flight }) {
    const { palette } = this;
    const text = born ? all : all.slice(0, Math.ceil(all.length * share));
    // On a phone two texts have no room side by side; the tokens are there.
    if (!text || share <= 0 || (this.narrow && this.payload.towers.length > 1)) return;
    this.font(context, size, "code", born ? 700 : 400);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = born ? palette.accent : running && flight <= 0 ? palette.text : palette.muted;
    context.globalAlpha = born ? share : 1;
    context.fillText(text, x, y);
    context.globalAlpha = 1;
  }

  /**
   * What a row gives to each key, in a head that is gone into.
   * @param {CanvasRenderingContext2D} context
   * @param {any} head
   * @param {Map<any, { x: number, width: number }>} places
   * @param {number} row
   */
  shares(context, head, places, row) {
    const { x, width } = places.get(head);
    const { values, shape: [, n, m] } = this.numbers(head);
    if (width < 60 || this.height < LEGIBLE || row >= n || this.off.has(head) || this.cover?.item === head) return;
    const from = head.across ? this.giver : head.tower;
    this.font(context, Math.min(13 * this.zoom, this.height - 4), "code", 600);
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (let key = 0; key < m; key++) {
      const share = values[(head.head * n + row) * m + key];
      if (share < LEAST) continue;
      const text = `${from.tokens[key].label.replace("·", "")} ${percent(share)}`;
      const wide = context.measureText(text).width;
      context.fillStyle = alpha(this.palette.background, 0.8);
      context.fillRect(x + 2, this.y(key) - 9 * this.zoom, wide + 6, 18 * this.zoom);
      context.fillStyle = this.palette.weight;
      context.fillText(text, x + 5, this.y(key));
    }
  }

  // The name of a part behind that of its layer.
  #part(part) {
    const name = part.kind === "head" && part.of.named
      ? this.payload.labels.head.replace("{h}", String(part.head))
      : part.way === undefined ? part.label || part.says || "" : this.payload.labels.cell;
    return name ? ` · ${name}` : "";
  }

  // Its name, or where there is no room for that its number.
  #head(context, part, width) {
    if (!part.of.named) return part.of.label;
    const whole = this.payload.labels.head.replace("{h}", String(part.head));
    this.font(context, 13 * this.zoom, "sans", 700);
    return context.measureText(whole).width <= width ? whole : String(part.head);
  }

  // What is switched off.
  #crossed(context, part, { x, width }) {
    const bottom = this.top + this.height * part.tower.tokens.length;
    context.strokeStyle = this.palette.warning;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, this.top);
    context.lineTo(x + width, bottom);
    context.moveTo(x + width, this.top);
    context.lineTo(x, bottom);
    context.stroke();
  }

  // Which part of a layer has no name first, where there is no room: signs, norms from the right, numbers
  // of heads, every other one first; what can be gone into and has no number keeps its name.
  #rank(part, n) {
    if (part.label && part.label.length < 3) return 4;
    if (part.kind === "head") return part.of.named ? 1 + (part.head % 2) : 0;
    return part.goes ? 0 : 3 + n / 1000;
  }

  // The names of the parts of a layer that is open, none over another: in two lines where one has no
  // room for all.
  #inside(context, gap, { places, share, head: chosen, room }) {
    const { x, width } = places.get(gap);
    // Opened, a part has names of its own, and its sign above.
    const named = gap.parts.filter((part) => this.cover?.item !== part).map((part, n) => {
      const at = places.get(part);
      if (this.off.has(part)) this.#crossed(context, part, at);
      const text = part.kind === "head" ? this.#head(context, part, at.width) : part.label;
      const size = part.kind === "inner" ? 12 : 13;
      const weight = part === chosen ? 700 : 400;
      this.font(context, size * this.zoom, "sans", weight);
      const wide = context.measureText(text).width;
      return {
        part, text, how: { ghost: share, size, weight }, most: at.width, rank: this.#rank(part, n),
        middle: at.x + at.width / 2, width: wide, fits: at.width >= SEEN && wide <= at.width + 13,
      };
    });
    const gapped = NAMES * this.zoom;
    const spare = this.narrow ? SPARE : -gapped / 2; // elsewhere what comes out of it has a name, too
    const found = laid(chosen ? named.filter(({ fits }) => fits) : named, // beside what is open none is cut
      { from: x - SPARE, to: Math.min(room, x + width + spare), gap: gapped },
      chosen ? {} : { lower: ({ text }) => text.length < 3 });
    return { lines: 1 + Math.max(0, ...found.map(({ line }) => line)), names: found };
  }

  /**
   * The item whose name stands at a place, and the part of it.
   * @param {{ x: number, y: number }} place
   * @returns {{ item: any, part?: any } | null}
   */
  namedAt({ x, y }) {
    const near = (one) => Math.abs(y - one.y);
    const found = this.named.filter((one) => near(one) <= TOUCH.y * this.zoom
      && x >= one.x - TOUCH.x && x <= one.x + one.width + TOUCH.x)
      .sort((a, b) => near(a) - near(b))[0];
    return found ? { item: found.item, part: found.part } : null;
  }

  /**
   * What stands above columns and layers.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./camera.js").Camera} camera
   * @param {{ running: boolean, front: (tower: any, row: number) => number }} now
   * @param {any} pointed
   * @param {string} after which token the words stand
   */
  names(context, camera, now, pointed, after) {
    const { places, open, share, head: chosen } = camera;
    const { palette, zoom, payload: { labels } } = this;
    const y = this.head;
    context.textBaseline = "middle";
    this.named = [];
    const write = (text, x, at, most, colour, { weight = 400, ghost = 1, align = "center", size = 13 } = {}, of = null) => {
      if (most < 14 || ghost <= 0) return;
      this.font(context, size * zoom, "sans", weight);
      context.textAlign = align;
      context.fillStyle = colour;
      context.globalAlpha = ghost;
      const cut = shortened(context, text, most);
      context.fillText(cut, x, at);
      context.globalAlpha = 1;
      const width = context.measureText(cut).width;
      if (of) this.named.push({ ...of, x: align === "center" ? x - width / 2 : x, y: at, width });
    };
    const closed = new Map(); // by tower, what stands above what is not open
    const above = (item, text, colour, how, reached, rank, short = text) => {
      const { x, width } = places.get(item);
      this.font(context, how.size * zoom, "sans", how.weight);
      const [wide, narrow] = [text, short].map((one) => context.measureText(one).width);
      const own = { item, text, short, narrow, colour, most: Math.max(15, width), how, reached, rank,
        middle: x + width / 2, width: wide, loose: item.term ? LOOSE : 0 };
      closed.set(item.tower, [...closed.get(item.tower) ?? [], own]);
    };
    const ends = this.#ends(open);
    for (const item of this.items) {
      if (camera.hides(item)) continue;
      const { x, width } = places.get(item);
      const reached = !now.running || now.front(item.tower, item.tower.tokens.length - 1) >= x
        || now.front(item.tower, 0) >= x;
      if (!reached && (open || item.kind === "answer")) continue;
      if (item.kind === "strip" && !this.payload.arrays[item.array]) continue; // it lies ahead of whoever is led
      if (item.kind === "chips") {
        const there = now.running ? Math.min(1, 2 * now.flight) : 1; // while there is the text alone
        write(labels.tokens, x, y, width + 20, palette.muted, { weight: 600, align: "left", ghost: there });
        this.#missing(item.tower, write, camera);
        if (item.title && !camera.shown) { // else it is said above the picture
          write(item.title, x, y - 22 * zoom, this.room(item.tower), palette.muted, { align: "left" });
        }
      } else if (item.kind === "answer") {
        if (!width || this.cover?.item === item) continue;
        const own = { item };
        write(item.label, x + ASIDE, y - 20 * zoom, width - ASIDE, palette.muted, { weight: 600, align: "left" }, own);
        write(after, x + ASIDE, y, width - ASIDE, palette.muted, { align: "left" }, own);
      } else if (item.kind === "gap") {
        const isOpen = item === open;
        if (width < 6) continue; // beside what is open on a phone
        const whole = item.label.replace("{i}", String(item.layer));
        this.font(context, 13 * zoom, "sans", 500);
        const fits = isOpen || context.measureText(whole).width <= width + 8;
        const changed = this.changed.get(isOpen && chosen ? chosen : item);
        const cut = [OFF, SET].filter((sign) => changed?.has(sign === OFF)).join("");
        const part = isOpen && chosen ? this.#part(chosen) : "";
        const number = item.label.includes("{i}") ? String(item.layer) : whole;
        const text = cut + (fits ? whole : number) + part;
        const colour = isOpen || pointed?.item === item ? palette.accent : palette.muted;
        if (!open) {
          // Where only numbers have room, the first one says of what.
          const says = item.layer ? text : cut + whole;
          above(item, says, colour, { weight: 500, size: 13 }, reached, item.layer ? RANK.layer : RANK.last, text);
          continue;
        }
        const { lines, names } = isOpen ? this.#inside(context, item, camera) : { lines: 1, names: [] };
        write(text, x + width / 2, isOpen ? y - (lines > 1 ? 26 : 20) * zoom * share : y,
          Math.max(15, width + 8), colour, { weight: isOpen ? 700 : 500 }, { item });
        for (const { part, text: name, middle, most, how, line } of names) {
          write(name, middle, y - 12 * zoom * line, most, part.across ? palette.key : palette.muted, how, { item, part });
        }
      } else if (this.cover?.item === item) {
        write(item.says ?? item.label, x + width / 2, y - 20 * zoom * share, width, palette.accent, { weight: 700 }, { item });
      } else if (ends.has(item)) {
        const text = labels[ends.get(item)];
        this.font(context, 12 * zoom);
        if (this.narrow || context.measureText(text).width + NAMES > width) continue; // a phone has no room
        write(text, x + width / 2, y, width, palette.muted, { size: 12, ghost: share }, { item });
      } else if (item.label.length < 3 ? !open : (!this.narrow || item.term) && (!open || (share < 0.5 && !this.narrow))) {
        if (open && width < 2) continue;
        const how = { weight: 400, size: 12 };
        const sign = this.narrow && item.label.match(/^\+(?= )/)?.[0]; // a phone has no room for what is added
        if (open) write(item.label, x + width / 2, y, width + 44, palette.muted, how, { item });
        else above(item, sign || item.label, palette.muted, how, reached, item.term ? RANK.term : item.first ? RANK.sign : RANK.vectors);
      }
    }
    for (const [tower, row] of closed) {
      for (const one of this.#closed(context, camera, tower, row)) {
        if (one.reached) write(one.text, one.middle, y, one.most, one.colour, one.how, { item: one.item });
      }
    }
  }

  // What goes into a layer that is open, and what comes out of it: what they are called.
  #ends(open) {
    const at = this.items.indexOf(open);
    const [before, after] = [this.items[at - 1], this.items[at + 1]];
    if (at < 0 || !after?.out || after.label || before.kind !== "strip") return new Map();
    return new Map([[before, "into"], [after, "out_of"]]);
  }

  // Above the first row of a tower, how many of its tokens are not drawn.
  #missing(tower, write, { places, room }) {
    const says = this.payload.above[this.payload.towers.indexOf(tower)];
    if (!says) return;
    const chips = this.items.filter((item) => item.kind === "chips" && places.get(item).width);
    const at = chips.findIndex((item) => item.tower === tower);
    const { x } = places.get(chips[at]);
    const most = (chips[at + 1] ? places.get(chips[at + 1]).x - NAMES : room) - x;
    this.font(this.ruler, 12 * this.zoom);
    const long = this.ruler.measureText(`… ${says}`).width <= most;
    write(long ? `… ${says}` : `… +${tower.first}`, x, this.top - 9 * this.zoom, most, this.palette.muted,
      { size: 12, align: "left" });
  }

  // Where the names above what is not open stand, of a tower.
  #closed(context, camera, tower, row) {
    const own = this.items.filter((item) => item.tower === tower && camera.places.get(item).width);
    const [first, last] = [own[0], own.at(-1)].map((item) => camera.places.get(item));
    const gap = NAMES * this.zoom;
    this.font(context, 13 * this.zoom, "sans", 600);
    const tokens = context.measureText(this.payload.labels.tokens).width + gap;
    const said = own.at(-1).kind === "answer"; // its name stands there
    return laid(row, {
      from: first.x + Math.max(first.width, tokens), gap,
      to: said ? last.x + ASIDE - gap : Math.min(camera.room, last.x + last.width + ASIDE - gap),
    }, {
      // Where only numbers have room, the first one says of what.
      short: (one) => (one.rank === RANK.last ? one : { ...one, text: one.short, width: one.narrow }),
      least: (one) => ({ ...one, text: one.short, width: one.narrow }),
    });
  }
}

// The words that are said, as bars beside the rows or under them, and the guess after each layer.

import { shortened } from "../shared/canvas.js";
import { fill } from "../shared/dom.js";
import { percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { alpha } from "./scene.js";

const FEW = { wide: 5, narrow: 2 }; // words for a class: below them it reads what is said of them, or the screen ends
const BAR = 24; // pixels from one word to the next
const SECOND = 18; // and from a guess to that of before
const MOST = 90; // of a guess
const APART = 6; // between two of them
const NAMED = 0.4; // of the room, at most, that what a line is has before its words
const LEAST = 20; // of a bar of 100 %
const ROOMY = 64; // of it, where what a word had stands beside it in numbers, too
const LABEL = 0.46; // of the room, words at most: a third is left for bars

const UNDER = { guess: 16, words: 40, large: 10 }; // pixels below the rows: a guess, and further below the words, also of large type

/**
 * How much a class needs under the rows of a narrow picture.
 * @param {import("../shared/payload.js").Payload} payload
 * @param {number} zoom how much larger than elsewhere type is
 * @returns {number} pixels
 */
export const underRows = ({ guesses_before: before }, zoom) =>
  (UNDER.guess + UNDER.large + (before.length ? SECOND : 0) + (FEW.narrow + 1) * BAR) * zoom;

export class Answer {
  /**
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./layout.js").Sizes} sizes
   * @param {number} room
   * @param {number} rows
   */
  place(scene, sizes, room, rows) {
    this.narrow = sizes.narrow;
    this.room = room;
    this.end = scene.top + rows * scene.height; // of the rows
    this.guessY = this.end + UNDER.guess * scene.zoom;
    this.second = scene.payload.guesses_before.length ? SECOND * scene.zoom : 0; // a line more
    this.height = BAR * scene.zoom;
    this.guessed = this.guessY + this.second + this.height / 2; // the lower end of guesses
    scene.font(scene.ruler, 14 * scene.zoom, "code", 700);
    this.longest = Math.max(...scene.payload.words.flat().map((word) => scene.ruler.measureText(word).width));
    this.shown = scene.least ? FEW[sizes.narrow ? "narrow" : "wide"] : Infinity;
    const words = Math.min(this.shown, scene.payload.words[0].length);
    this.top = this.narrow ? this.guessY + this.second + UNDER[scene.least ? "large" : "words"] * scene.zoom : scene.top;
    this.until = this.top + words * this.height;
    const { guesses, arrays: { probs } } = scene.payload;
    const below = probs ? this.top + (words + (scene.least ? 1 : 1.5)) * this.height : guesses.length ? this.top : this.end; // what is told yet
    this.bottom = this.narrow ? below
      : Math.max(this.end + this.second, this.top + (words + 1) * this.height) + 6;
  }

  /**
   * Whether one of the words and bars stands on this line.
   * @param {number} y
   * @returns {boolean}
   */
  has(y) {
    return y >= this.top && y < this.until;
  }

  // Where the words stand.
  #box(scene, camera) {
    const item = scene.items.at(-1);
    const { x, width } = camera.places.get(item);
    return this.narrow ? { x: 0, width: this.room } : { x: x + 22, width: width - 22 };
  }

  /**
   * Whose place it is below the rows, where the words stand: that of the answer, or nobody's.
   * @param {number} y
   * @param {import("./lettering.js").Lettering} scene
   * @returns {{ item: any, part?: undefined }}
   */
  at(y, scene) {
    return { item: this.has(y) ? scene.items.at(-1) : null };
  }

  // How wide the words are, of all rows.
  #label({ zoom }, width) {
    return Math.min(this.longest + 2, 108 * zoom, (this.narrow ? 0.45 : LABEL) * width);
  }

  /**
   * The word after each layer, at the row that runs.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {any} now
   * @param {number} row
   */
  guesses(context, scene, camera, now, row) {
    const { guesses, guesses_before: before } = scene.payload;
    const at = guesses.length === 1 ? 0 : row; // it may answer once for all rows
    const own = guesses[at];
    if (!own || !now.guessed) return;
    const { palette, zoom } = scene;
    const tower = scene.items.at(-1).tower;
    if (camera.shown && camera.shown !== tower.name) return;
    const ends = scene.items.filter((item) => item.kind === "strip" && item.out && item.tower === tower);
    context.textBaseline = "middle";
    context.textAlign = "center";
    scene.font(context, 13 * zoom, "sans", 600);
    // From the last one back, each whole, in a second line where the first has no room, or left out.
    const other = before[at]?.some(([word]) => word); // what was guessed with nothing changed has the second line
    const [first] = scene.items.filter((item) => item.tower === tower);
    const { x: chips, width } = camera.places.get(first);
    scene.font(context, 12 * zoom, "sans");
    const named = context.measureText(scene.payload.labels.guess_before).width;
    // What the second line is has room before any of its words, unless it is most of it.
    const from = other && named <= NAMED * this.room ? chips + named + APART * zoom : 0;
    scene.font(context, 13 * zoom, "sans", 600);
    const free = other ? [this.room] : [this.room, this.room]; // to the left of what stands there
    for (let n = ends.length - 1; n >= 0; n--) {
      const [word, share] = own[n] ?? [];
      const { x, width } = camera.places.get(ends[n]);
      if (word === undefined || now.front(tower, row) < x + width || n >= now.guessed * ends.length) continue;
      const near = camera.open && Math.abs(scene.items.indexOf(ends[n]) - scene.items.indexOf(camera.open)) === 1;
      if (camera.open && !near) continue;
      const text = n === ends.length - 1 ? word : shortened(context, word, MOST * zoom);
      const half = context.measureText(text).width / 2;
      const middle = Math.min(x + width / 2, this.room - half);
      const line = free.findIndex((end) => middle + half <= end);
      if (line < 0) continue;
      context.fillStyle = alpha(palette.accent, 0.45 + 0.55 * Math.min(1, share / 0.3));
      context.fillText(text, middle, this.guessY + line * SECOND * zoom);
      this.#before(context, scene, before[at]?.[n]?.[0], middle, Math.min(MOST * zoom, 2 * (free[line] - middle)), from);
      free[line] = middle - half - APART * zoom;
    }
    context.textAlign = "left";
    context.fillStyle = palette.muted;
    scene.font(context, 12 * zoom, "sans");
    const { guess: short, guess_after: after } = scene.payload.labels;
    // Of which token, where that has room.
    const of = fill(after, { token: (tower.tokens[row]?.label ?? "").replace("·", "") });
    const fits = guesses.length > 1 && chips + context.measureText(of).width <= free[0] - APART;
    const guess = fits ? of : short;
    // In the second line where the first guess stands too near.
    const wide = context.measureText(guess).width;
    const line = Math.max(0, free.findIndex((end) => chips + wide <= end));
    const most = from ? named : Math.min(width + 60 * zoom, free[0] - chips);
    context.fillText(line ? guess : shortened(context, guess, Math.min(wide + 1, free[0] - chips)), chips, this.guessY + line * SECOND * zoom);
    if (!other) return;
    const said = shortened(context, scene.payload.labels.guess_before, most);
    context.fillText(said, chips, this.guessY + this.second);
  }

  // The guess with nothing changed, where it was another one, struck through below, behind where it may begin.
  #before(context, scene, word, middle, most, from) {
    if (!word) return;
    const y = this.guessY + this.second;
    context.fillStyle = scene.palette.muted;
    const text = shortened(context, word, Math.max(16, most));
    const half = context.measureText(text).width / 2;
    const x = Math.min(middle, this.room - half);
    if (x - half < from) return;
    context.fillText(text, x, y);
    context.fillRect(x - half, y, 2 * half, 1);
  }

  /**
   * The likeliest words at a row.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {any} now
   * @param {any} payload
   * @param {number} row
   */
  words(context, scene, camera, now, payload, row) {
    const { words, arrays: { probs, was } } = payload;
    if (row < 0 || now.bars <= 0 || !probs || scene.cover?.item === scene.items.at(-1)) return;
    const at = Math.min(row, words.length - 1);
    const { x, width } = this.#box(scene, camera);
    const { palette, zoom } = scene;
    const label = this.#label(scene, width);
    scene.font(context, 13 * zoom, "code");
    const before = (n) => (was ? at2(was, at, n) : 0); // with nothing changed
    const behindBar = (tell) => 14 + Math.max(
      52 * zoom, ...words[at].map((_, n) => context.measureText(tell(n)).width));
    const shares = behindBar((n) => percent(at2(probs, at, n)));
    const both = behindBar((n) => `${percent(at2(probs, at, n))} ${percent(before(n))}`);
    const fits = was && width - label - both >= ROOMY; // else the dashed bar alone says what it was
    const bar = Math.max(LEAST, width - label - (fits ? both : shares));
    const shown = words[at].slice(0, this.shown);
    shown.forEach((word, n) => {
      const share = at2(probs, at, n);
      const y = this.top + (n + 0.5) * this.height;
      const grown = Math.max(0, Math.min(1, now.bars * 1.5 - 0.06 * n));
      if (!grown) return;
      context.globalAlpha = Math.min(1, grown * 2);
      scene.font(context, 14 * zoom, "code", n ? 400 : 700);
      context.textAlign = "right";
      context.textBaseline = "middle";
      context.fillStyle = n ? palette.text : palette.accent;
      context.fillText(shortened(context, word, label), x + label, y);
      context.fillStyle = alpha(palette.accent, n ? 0.5 : 1);
      const wide = Math.max(2, bar * share * grown); // from 0 to 100 %, so that two rows compare
      context.beginPath();
      context.roundRect(x + label + 8, y - 7 * zoom, wide, 14 * zoom, 2);
      context.fill();
      const ghost = was ? Math.max(2, bar * before(n) * grown) : 0;
      if (was && Math.abs(ghost - wide) > 2) {
        context.strokeStyle = palette.accent;
        context.setLineDash([3, 3]);
        context.strokeRect(x + label + 8, y - 8 * zoom, ghost, 16 * zoom);
        context.setLineDash([]);
      }
      context.textAlign = "left";
      context.fillStyle = palette.text;
      scene.font(context, 13 * zoom, "code");
      const behind = x + label + 14 + Math.max(wide, ghost);
      context.fillText(percent(share), behind, y);
      if (fits) this.#was(context, scene, before(n), behind + context.measureText(`${percent(share)} `).width, y);
      context.globalAlpha = 1;
    });
    const rest = 1 - shown.reduce((sum, _, n) => sum + at2(probs, at, n), 0);
    if (rest < 0.0005 || now.bars < 1) return;
    context.fillStyle = palette.muted;
    scene.font(context, 13 * zoom, "sans");
    const others = `${payload.labels.others} ${percent(rest)}`;
    const last = this.room - context.measureText(others).width; // of a small rest the text is long
    context.fillText(others, Math.min(x + label + 8, last),
      this.top + (shown.length + 0.5) * this.height);
  }

  // How likely a word was with nothing changed, struck through.
  #was(context, { palette, zoom }, share, x, y) {
    const text = percent(share);
    context.fillStyle = palette.muted;
    context.fillText(text, x, y);
    context.fillRect(x, y, context.measureText(text).width, Math.max(1, zoom));
  }

  /**
   * Where the likeliest word stands.
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @returns {{ x: number, y: number }} its right end
   */
  best(scene, camera) {
    const { x, width } = this.#box(scene, camera);
    return { x: x + this.#label(scene, width), y: this.top + 0.5 * this.height };
  }
}

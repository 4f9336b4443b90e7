// The inside of the place that is gone into, drawn where the place is: it grows out of the mark that
// was opened, and what was seen before goes on into it; going out is the same way back.

import { animate } from "../shared/time.js";
import { insideOf } from "../inside/arrived.js";
import { Sheet } from "../inside/sheet.js";
import { hush, tell } from "../inside/telling.js";
import { liesIn } from "./places.js";
import { alpha } from "./scene.js";

const DURATION = 280; // ms
const FAN = 70; // pixels from the row that is looked at to the frame of what belongs to it
const mix = (a, b, share) => a + (b - a) * share;

export class Opened {
  /**
   * @param {() => void} draw
   * @param {() => void} arrived what can be reached is elsewhere now
   */
  constructor(draw, arrived) {
    Object.assign(this, { redraw: draw, arrived, share: 0, turn: 0, subject: null });
    this.sheet = this.before = this.from = null;
    this.span = []; // the column that was told before, and the last one that is told; all where there is none
  }

  /**
   * Tell some columns of what is told to somebody who is led.
   * @param {string[]} [span] the column that was told before, and the last one
   */
  tell(span = []) {
    this.span = span;
    if (this.sheet?.payload.told && this.share >= 1) this.#tell();
  }

  #tell() {
    const { turn, span } = this;
    tell(this.sheet, span, this.redraw, () => turn === this.turn && span === this.span);
  }

  /** Nothing is known any more of what was drawn. */
  forget() {
    this.turn += 1;
    this.sheet = this.before = null;
    this.share = 0;
  }

  /**
   * Show the inside of a place, once it is there; of another place nothing.
   * @param {string} place
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {Record<string, number>} rows that are looked at
   * @param {boolean} told to somebody who is led
   */
  follow(place, scene, camera, rows, told) {
    const subject = camera.head ?? camera.open;
    const payload = subject && insideOf(place, rows, told);
    if (payload && payload === this.sheet?.payload) return;
    if (!payload) {
      // Until the next one comes, one that lies around it or in it stays.
      const stays = this.sheet && place && subject === this.subject
        && (liesIn(place, this.sheet.payload.place) || liesIn(this.sheet.payload.place, place));
      if (!stays) this.#go(null, scene, subject);
      return;
    }
    const sheet = new Sheet(payload, scene);
    if (payload.told) hush(sheet);
    this.subject = subject;
    this.#lay(sheet, scene, camera);
    this.#go(sheet, scene, subject);
  }

  // In the box of its subject, once the picture stands still.
  #lay(sheet, scene, camera) {
    const { x, width } = camera.target.get(this.subject);
    const rows = this.subject.tower.tokens.length;
    const least = Math.min(30 * scene.zoom, 22 * scene.zoom) * sheet.payload.rows.length;
    const height = Math.max(rows * scene.height, sheet.payload.aligned ? 0 : least);
    // Beside the last vectors it keeps off them, and its frame within the picture.
    const [left, right] = this.subject.kind === "answer" ? [10, 4] : [0, 0];
    const box = { x: x + left, width: width - left - right, top: scene.top, height, head: scene.head };
    sheet.place(box, (row) => scene.y(row), scene.height);
  }

  /**
   * Lay it out anew, as the picture around it has another size.
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {string} place
   * @param {Record<string, number>} rows that are looked at
   * @param {boolean} told to somebody who is led
   */
  resized(scene, camera, place, rows, told) {
    this.subject = camera.head ?? camera.open;
    const payload = insideOf(place, rows, told);
    const { payload: before, come } = this.sheet ?? {};
    this.forget();
    if (!payload || !this.subject) return;
    if (payload.told && payload !== before) { // it was there before the picture around it
      this.follow(place, scene, camera, rows, told);
      return;
    }
    this.sheet = new Sheet(payload, scene);
    this.#lay(this.sheet, scene, camera);
    this.share = 1;
    this.#cover(scene);
    if (!payload.told) return;
    hush(this.sheet);
    this.sheet.come = come;
    requestAnimationFrame(() => this.tell(this.span)); // the picture around it is still being laid out
  }

  #go(sheet, scene, subject) {
    const old = this.sheet;
    if (!sheet && !old) return; // what is leaving goes on leaving
    const turn = ++this.turn;
    this.deeper = !old || !sheet || !liesIn(old.payload.place, sheet.payload.place);
    const same = old && sheet && old.payload.place === sheet.payload.place;
    this.before = old;
    this.sheet = sheet;
    if (old && sheet) this.from = this.#mark(this.deeper ? old : sheet, this.deeper ? sheet : old);
    else this.from = null;
    if (!sheet) this.leaving = this.subject;
    else this.leaving = null;
    this.share = 0;
    animate(same ? 0 : DURATION, (share) => {
      if (turn !== this.turn) return;
      this.share = share;
      if (share >= 1) {
        this.before = null;
        if (!sheet) this.subject = subject ?? null;
      }
      this.#cover(scene);
      this.redraw();
      if (share < 1) return;
      this.arrived();
      if (sheet?.payload.told) this.#tell();
    });
  }

  // The picture below fades as the inside comes.
  #cover(scene) {
    const item = this.leaving ?? this.subject;
    const share = !this.sheet ? 1 - this.share : this.before ? 1 : this.share;
    const shown = this.sheet ?? this.before;
    // Where its rows are no tokens, all of it belongs to the one row that is looked at.
    const one = item?.kind === "answer" && scene.payload.words.length === 1; // it answers for all rows
    const of = shown && !shown.aligned && item && !one ? shown.payload.at[item.tower.field] : undefined;
    scene.cover = item && share > 0 ? { item, share, row: of === undefined ? -1 : of - item.tower.first } : null;
  }

  // From the row that is looked at, all that is in the frame.
  #from(context, scene, camera) {
    const { item, share, row } = scene.cover;
    const { x, top } = this.sheet.box;
    const chips = camera.places.get(scene.items.find(({ kind, tower }) => kind === "chips" && tower === item.tower));
    const start = Math.max(chips.x + chips.width + 2, x - FAN * scene.zoom);
    const y = scene.y(row);
    const high = Math.min(scene.height / 2 - 2, 8);
    const corners = [[start, y - high], [x - 2, top - 2], [x - 2, this.sheet.end + 2], [start, y + high]];
    context.beginPath();
    corners.forEach((corner) => context.lineTo(corner[0], corner[1]));
    context.closePath();
    context.fillStyle = alpha(scene.palette.accent, 0.12 * share);
    context.fill();
  }

  // Where in a sheet the other one is, as one of its marks.
  #mark(outer, inner) {
    const found = outer.boxes().find(({ mark }) => mark.goes && liesIn(inner.payload.place, mark.goes));
    return found ?? { ...outer.box, y: outer.box.top, height: outer.box.height };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {any} pointed
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   */
  draw(context, pointed, scene, camera) {
    const { sheet, before, from, share, deeper } = this;
    if (sheet && scene.cover?.row >= 0 && camera.places === camera.target) this.#from(context, scene, camera);
    if (before && share < 1) this.#moved(context, before, from, deeper ? share : 1 - share, deeper, 1 - share);
    if (!sheet) return;
    if (share >= 1) sheet.draw(context, pointed);
    else this.#moved(context, sheet, from, deeper ? share : 1 - share, !deeper, share);
  }

  // On the way: the outer one grows until its mark fills the box, the inner one grows out of the mark.
  #moved(context, sheet, from, way, outer, ghost) {
    const { x, width, top } = sheet.box;
    const height = Math.max(1, sheet.box.height);
    const rect = from ?? { x: x + width * 0.06, y: top + height * 0.06, width: width * 0.88, height: height * 0.88 };
    context.save();
    context.globalAlpha = ghost;
    const now = {
      x: mix(rect.x, x, way), y: mix(rect.y, top, way),
      width: mix(rect.width, width, way), height: mix(rect.height, height, way),
    };
    const [wide, tall] = outer && from
      ? [now.width / rect.width, now.height / rect.height] : [now.width / width, now.height / height];
    const scale = [Math.min(wide, 3), Math.min(tall, 3)];
    const origin = outer && from ? rect : { x, y: top };
    context.beginPath();
    context.rect(x, 0, width, top + height + 40);
    context.clip();
    context.translate(now.x - origin.x * scale[0], now.y - origin.y * scale[1]);
    context.scale(scale[0], scale[1]);
    sheet.draw(context);
    context.restore();
  }

  /**
   * The mark at a place of the picture.
   * @param {{ x: number, y: number }} place
   * @returns {any}
   */
  at(place) {
    return this.sheet && this.share >= 1 ? this.sheet.at(place) : null;
  }

  /**
   * Whether a place of the picture is within what is gone into.
   * @param {{ x: number, y: number }} place
   * @returns {boolean}
   */
  covers({ x, y }) {
    if (!this.sheet || this.share < 1) return false;
    const { box } = this.sheet;
    return x >= box.x && x < box.x + box.width && y >= box.top && y < Math.max(box.top + box.height, this.bottom);
  }

  /** The lower end of its rows. */
  get bottom() {
    return this.sheet?.bottom ?? 0;
  }
}

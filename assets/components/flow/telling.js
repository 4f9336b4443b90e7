// The first seconds: what has been told of the picture so far, and the tokens on their way.

import { sizeCanvas } from "../shared/canvas.js";
import { el } from "../shared/dom.js";
import { REDUCED_MOTION } from "../shared/time.js";
import { eased, evenly, script, share } from "./script.js";
import { atRest } from "./told.js";

const GLOW = 110; // pixels behind the front that are lit
const SLICES = 6;
const LEAST = 14; // pixels of a token
const SHORTEST = 900; // ms in which a part is told, however little it is

const ALL = { running: false, pass: 0, guessed: 1, bars: 1, row: -1, typed: 1, flight: 1, born: () => 1,
  front: () => Infinity };

const scriptOf = ({ towers, passes, guesses }) => script(towers.length - 1, passes, guesses.length > 0);

// A picture beside the one that is seen.
function aside(canvas) {
  const ratio = canvas.width / parseFloat(canvas.style.width);
  const made = el("canvas");
  return { made, context: sizeCanvas(made, canvas.width / ratio, canvas.height / ratio) };
}

export class Telling {
  /**
   * @param {() => void} draw
   * @param {() => void} ended
   * @param {() => void} turned to another station
   */
  constructor(draw, ended, turned) {
    Object.assign(this, { draw, ended, turned, payload: {}, running: false, paused: false, at: 0, turn: 0 });
    Object.assign(this, { stations: [], n: 0, since: 0 });
  }

  #begin(payload, scene) {
    this.payload = payload;
    this.scene = scene;
    this.script = scriptOf(payload);
    Object.assign(this, { running: true, paused: false, n: 0, since: 0 });
    this.forget();
  }

  /**
   * A part alone, for somebody who is led through it.
   * @param {any} payload
   * @param {import("./lettering.js").Lettering} scene
   * @param {(script: import("./script.js").Script) => import("./script.js").Span | null} part
   * @returns {boolean} whether there is anything to be told
   */
  part(payload, scene, part) {
    const { from, to } = part(scriptOf(payload)) ?? { from: 0, to: 0 };
    if (from === to) return false;
    this.#begin(payload, scene);
    this.speed = Math.min(1, (to - from) / SHORTEST);
    Object.assign(this, { at: from, until: to, stations: [] });
    this.#run();
    return true;
  }

  /**
   * All of it, station after station.
   * @param {any} payload
   * @param {import("./lettering.js").Lettering} scene
   * @param {(script: import("./script.js").Script) => import("./stations.js").Station[]} stations
   * @param {number} [quick] times as fast, without a stop
   * @param {import("./ahead.js").Told | null} [before] where another picture of the same had come to
   */
  whole(payload, scene, stations, quick = 0, before = null) {
    this.#begin(payload, scene);
    this.stations = stations(this.script);
    const { at = 0, n = 0, since = 0, paused = false } = before ?? {};
    Object.assign(this, { speed: quick || 1, stops: !quick, until: this.script.end, at, n, since });
    this.#run();
    if (paused) this.pause();
    this.turned();
  }

  /**
   * Whether there is anything to be told of a part.
   * @param {any} payload
   * @param {(script: import("./script.js").Script) => import("./script.js").Span | null} part
   * @returns {boolean}
   */
  tells(payload, part) {
    const { from, to } = part(scriptOf(payload)) ?? { from: 0, to: 0 };
    return from < to;
  }

  /** The station that is told now; none of a part alone. */
  get station() {
    return this.running ? this.stations[this.n] : undefined;
  }

  /** The place that is gone into at this station; empty for none. */
  get place() {
    return this.station?.place ?? "";
  }

  #run() {
    const turn = ++this.turn;
    let before = performance.now();
    const frame = (time) => {
      if (turn !== this.turn) return undefined;
      // A page that was hidden, or busy, goes on where it was.
      const passed = Math.min(50, Math.max(0, time - before));
      before = time;
      this.since += passed;
      const until = this.station?.to ?? this.until;
      const moves = this.at < until;
      this.at = REDUCED_MOTION ? until : Math.min(until, this.at + this.speed * passed);
      if (moves) this.draw();
      if (this.at >= until && this.#isRead()) return this.next();
      requestAnimationFrame(frame);
      return undefined;
    };
    requestAnimationFrame(frame);
  }

  // Whoever wants nothing to move by itself goes on by herself.
  #isRead() {
    return !this.station || !this.stops || (!REDUCED_MOTION && this.since >= this.station.reads);
  }

  /** To the next station; after the last one it is over. */
  next() {
    if (this.n >= this.stations.length - 1) this.skip();
    else this.#turnTo(this.n + 1, this.stations[this.n].to);
  }

  /** To the beginning of the station before. */
  back() {
    const n = Math.max(0, this.n - 1);
    if (this.stations.length) this.#turnTo(n, this.stations[n].from);
  }

  #turnTo(n, at) {
    const back = n < this.n;
    Object.assign(this, { n, at, since: 0, paused: false });
    if (back) this.forget();
    this.#run();
    this.turned();
    this.draw();
  }

  pause() {
    this.paused = !this.paused;
    if (this.paused) this.turn += 1;
    else this.#run();
  }

  skip() {
    if (!this.running) return;
    this.stop();
    this.ended();
  }

  /** What was told so far stands elsewhere now: it is drawn anew. */
  forget() {
    this.done = this.current = null;
  }

  /**
   * In another room it goes on where it was.
   * @param {import("./lettering.js").Lettering} scene
   */
  resized(scene) {
    this.scene = scene;
    this.forget();
    this.turned();
    this.draw();
  }

  /**
   * The tower that is told now.
   * @returns {any}
   */
  get tower() {
    const { towers } = this.payload;
    const { reads, passes: [{ front }] } = this.script;
    const read = reads.findLastIndex((span) => this.at >= span.from);
    return this.at >= front.from ? towers.at(-1) : towers[Math.max(0, read)];
  }

  stop() {
    this.turn += 1;
    this.running = false;
    this.done = this.current = null;
  }

  /**
   * What has been told by now.
   * @returns {any}
   */
  now() {
    if (!this.running) return atRest(this.payload) ?? ALL;
    const { at, script: { typed, flight, reads, passes } } = this;
    const { towers } = this.payload;
    const last = towers.at(-1);
    const begun = passes.findLastIndex(({ front }) => at > front.from);
    const pass = Math.max(0, begun);
    const barred = passes.findLastIndex(({ bars }) => at >= bars.from);
    const own = this.payload.passes;
    return {
      running: true, pass, begun, at,
      typed: share(typed, at), flight: evenly(flight, at),
      reads: reads.map((span) => evenly(span, at)),
      sweep: begun < 0 ? 0 : evenly(passes[begun].front, at),
      guessed: begun < 0 ? 0 : evenly(passes[begun].guesses, at),
      bars: barred < 0 ? 0 : share(passes[barred].bars, at),
      row: barred < 0 ? -1 : own[barred].row,
      born: (n) => share(passes[n]?.born, at),
      front: (tower, row) => {
        if (tower !== last) return this.#front(tower, evenly(reads[towers.indexOf(tower)], at));
        if (begun < 0) return -Infinity;
        if (row <= (begun ? own[begun - 1].row : -1)) return Infinity;
        return row <= this.#until(begun) ? this.#front(tower, evenly(passes[begun].front, at)) : -Infinity;
      },
    };
  }

  // The last row of a time through the layers: the last time takes what is left along.
  #until(pass) {
    const { passes, towers } = this.payload;
    return pass === passes.length - 1 ? towers.at(-1).tokens.length - 1 : passes[pass].row;
  }

  #front(tower, part) {
    const { scene } = this;
    const own = scene.items.filter((item) => item.tower === tower && item.kind !== "chips");
    const places = this.places;
    const [from, to] = [places.get(own[0]), places.get(own.at(-1))];
    const end = own.at(-1).kind === "answer" ? to.x : to.x + to.width;
    return from.x + (end - from.x + GLOW) * part;
  }

  /**
   * The rows and lines that have been told.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {any} now
   */
  compose(context, scene, camera, now) {
    const { places } = camera;
    this.places = places;
    if (!now.running) {
      const { item, row = -1, share = 0 } = scene.cover ?? {};
      // Of a tower only the row to which all that is open belongs.
      const rows = (of, n) => row < 0 || share < 0.5 || of !== item.tower || n === row;
      if (now.flight) scene.draw(context, places, { rows }, { item: camera.open, share: camera.share });
      return;
    }
    const { towers, passes } = this.payload;
    if (camera.open) { // what lies behind it is still to come
      const { x, width } = places.get(camera.open);
      context.save();
      context.beginPath();
      context.rect(0, 0, x + width, parseFloat(context.canvas.style.height));
      context.clip();
      const rows = (of, row) => of === towers.at(-1) && row <= passes[0].row;
      scene.draw(context, places, { rows }, { item: camera.open, share: camera.share });
      context.restore();
      return;
    }
    const steps = [
      ...towers.slice(0, -1).map((tower, n) => ({
        id: `tower${n}`, part: now.reads[n], rows: (of) => of === tower, tower,
      })),
      ...passes.slice(0, now.begun + 1).map((_, n) => {
        const from = n ? passes[n - 1].row : -1;
        return {
          id: `pass${n}`, part: n === now.begun ? now.sweep : 1, tower: towers.at(-1),
          rows: (of, row) => of === towers.at(-1) && row > from && row <= this.#until(n),
        };
      }),
    ];
    this.#compose(context, scene, places, steps.filter(({ part }) => part > 0));
  }

  // What is over is one picture; what runs is another one, as far as it has come, lit at its front.
  #compose(context, scene, places, steps) {
    const running = steps.at(-1);
    const { canvas } = context;
    const [width, height] = [parseFloat(canvas.style.width), parseFloat(canvas.style.height)];
    if (!running) return;
    if (this.current?.id !== running.id) {
      if (!this.done) {
        this.done = aside(canvas);
        for (const { rows } of steps.slice(0, -1)) scene.draw(this.done.context, places, { rows });
      } else if (this.current) this.done.context.drawImage(this.current.plain.made, 0, 0, width, height);
      const [plain, lit] = [aside(canvas), aside(canvas)];
      scene.draw(plain.context, places, { rows: running.rows });
      scene.draw(lit.context, places, { rows: running.rows, lit: true });
      this.current = { id: running.id, plain, lit };
    }
    context.drawImage(this.done.made, 0, 0, width, height);
    const front = this.#front(running.tower, running.part);
    const slice = (picture, from, to) => {
      if (to <= from) return;
      context.save();
      context.beginPath();
      context.rect(from, 0, to - from, height);
      context.clip();
      context.drawImage(picture.made, 0, 0, width, height);
      context.restore();
    };
    slice(this.current.plain, 0, front);
    if (running.part >= 1) return;
    for (let n = 0; n < SLICES; n++) {
      context.globalAlpha = (n + 1) / SLICES;
      slice(this.current.lit, front - GLOW * (1 - n / SLICES), front - GLOW * (1 - (n + 1) / SLICES));
    }
    context.globalAlpha = 1;
  }

  /**
   * Tokens, in their places or on their way there; and the text that they are cut from.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {any} now
   * @param {(tower: any) => number} chosen
   * @param {any} pointed
   * @param {{ x: number, y: number }} best where the likeliest word stands
   */
  tokens(context, scene, camera, now, chosen, pointed, best) {
    const { towers, passes } = scene.payload;
    const last = towers.at(-1);
    for (const tower of towers) {
      const item = scene.items.find((one) => one.kind === "chips" && one.tower === tower);
      const place = camera.places.get(item);
      if (place.width < LEAST) continue; // of a tower that is not shown
      const line = scene.line(context, tower, place.x);
      const ghost = tower === last && passes.at(-1).row === tower.tokens.length - 1 ? passes.at(-1).born : null;
      const all = ghost ? [...tower.tokens, ghost] : tower.tokens;
      const apart = scene.only(tower) && !now.running ? scene.cover.share : 0; // other rows are left out
      const looked = now.running ? (tower === last ? passes[now.pass].row : -1) : chosen(tower);
      if (scene.cut) scene.pictured(context, now, looked + tower.first);
      all.forEach((one, row) => {
        const by = tower === last ? passes.findIndex((pass) => pass.born && pass.row === row - 1) : -1;
        const came = by >= 0 ? now.born(by) : now.flight;
        const home = { x: place.x, y: scene.y(row), width: place.width, height: scene.height - 3 };
        const how = {
          chosen: row === looked, special: one.kind.startsWith("special"), born: by >= 0,
          pointed: pointed?.tower === tower && pointed.row === row,
          ghost: row === looked ? 1 : 1 - apart,
        };
        if (scene.cut) this.#square(context, scene, one, home, how, { row, n: all.length, now, tower });
        else if (by >= 0) this.#word(context, scene, one, home, how, came, best);
        else if (tower !== towers[0]) this.#there(context, scene, one, home, how, now.begun >= 0 || !now.running);
        else this.#piece(context, scene, one, home, how, { row, n: all.length, line: line[row], now });
        const typed = Math.max(0, Math.min(1, now.typed * all.length - row)); // letter after letter
        scene.written(context, line[row], by >= 0 ? came : typed, by >= 0, now);
      });
    }
  }

  // A square leaves its place in the picture for its row.
  #square(context, scene, one, home, how, { row, n, now, tower }) {
    const way = eased(Math.max(0, Math.min(1, now.flight * 1.7 - (0.7 * row) / Math.max(1, n - 1))));
    if (way <= 0) return;
    const mix = (a, b) => a + (b - a) * way;
    const side = scene.height - 1;
    const to = { x: home.x + home.width - side, y: home.y - side / 2, width: side, height: side };
    const from = scene.cut.box(row + tower.first) ?? to;
    const box = Object.fromEntries(Object.keys(to).map((name) => [name, mix(from[name], to[name])]));
    scene.square(context, one, row + tower.first, box,
      { ...how, chosen: how.chosen && way >= 1, ghost: (how.special ? way : 1) * how.ghost });
  }

  #there(context, scene, one, home, how, is) {
    if (is) scene.chip(context, one.label, home, how);
  }

  // A word goes from where it was said to the end of the text.
  #word(context, scene, one, home, how, came, best) {
    if (came <= 0) return;
    const mix = (a, b) => a + (b - a) * came;
    const arc = Math.sin(Math.PI * came) * 40;
    scene.chip(context, one.label, came >= 1 ? home : {
      ...home, x: mix(best.x - home.width * 0.6, home.x), y: mix(best.y, home.y) - arc * 0.2,
    }, came >= 1 ? how : { ...how, chosen: true });
  }

  // A piece of the text becomes a token.
  #piece(context, scene, one, home, how, { row, n, line, now }) {
    const even = Math.max(0, Math.min(1, now.flight * 1.7 - (0.7 * row) / Math.max(1, n - 1)));
    const way = eased(even);
    if (way <= 0) return;
    const mix = (a, b) => a + (b - a) * way;
    scene.chip(context, one.label, {
      x: mix(line.x - 6, home.x), y: mix(line.y, home.y), height: home.height,
      width: mix(Math.min(line.width + 12, home.width), home.width),
    }, { ...how, chosen: how.chosen && way >= 1, ghost: way * how.ghost });
  }
}

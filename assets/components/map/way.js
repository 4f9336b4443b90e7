// The way of one token: a line through the parts that it has reached, which runs on when another one
// is reached, and a tag at its end.

import { el } from "../shared/dom.js";
import { animate, REDUCED_MOTION } from "../shared/time.js";
import { box } from "./edges.js";

/** @typedef {import("./edges.js").Point} Point */

const DURATION = 1000; // ms from one part to the next
const ROUND = 9; // pixels of a corner
const BESIDE = 12; // pixels from what it goes around

// A line along points with round corners.
function along(points) {
  const towards = (from, to, by) => {
    const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const share = Math.min(by, long / 2) / long;
    return `${from.x + (to.x - from.x) * share} ${from.y + (to.y - from.y) * share}`;
  };
  return points.map((point, n) => {
    const [last, next] = [points[n - 1], points[n + 1]];
    if (!last) return `M${point.x} ${point.y}`;
    if (!next) return `L${point.x} ${point.y}`;
    return `L${towards(point, last, ROUND)}Q${point.x} ${point.y} ${towards(point, next, ROUND)}`;
  }).join("");
}

export class Way {
  /** @param {HTMLElement} sheet what holds the map */
  constructor(sheet) {
    this.sheet = sheet;
    this.line = el("svg:path", { class: "line" });
    this.kept = el("svg:path", { class: "kept" });
    this.node = el("svg:svg", { class: "way", "aria-hidden": "true" }, this.kept, this.line);
    this.tags = el("div", { class: "tags", "aria-hidden": "true" });
    this.tip = el("span", { class: "carried code" });
    this.said = el("ol", { class: "visually-hidden", "aria-live": "polite" });
    this.shown = -1; // the part up to which it is drawn
    this.turn = 0; // a line that is drawn anew stops the one before
    sheet.append(this.node, this.tags, this.said);
  }

  // The points up to each part, those of the parts before it among them.
  #points(map, way) {
    const seen = (selector, n = 0) => {
      const all = map.querySelectorAll(selector);
      return all.length ? box(all[(n + all.length) % all.length], this.sheet) : null;
    };
    const chip = seen(".chips .chosen") ?? seen(".chips");
    const start = { x: chip.left - BESIDE, y: chip.y };
    const to = (found, beyond = 3) => [{ x: found.right + beyond, y: start.y }];
    /** @type {Point[][]} */
    const parts = [[start]];
    const add = (part, points) => {
      if (way.reached >= way.order[part]) parts.push([...parts.at(-1), ...points()]);
    };
    const open = seen(".open");
    add("tokens", () => to(chip));
    add("embedding", () => to(seen('[data-part="embedding"]')));
    add("place", () => to(seen('[data-part="place"]'), 5));
    add("layers", () => [{ x: open.left, y: start.y }]);
    add("looks", () => [{ x: seen(".lane").right - 6, y: start.y }]);
    add("heads", () => to(seen(".heads-of-one")));
    add("ffn", () => to(seen(".piece.ffn")));
    add("sums", () => [{ x: open.right, y: start.y }]);
    add("words", () => {
      const [best, x] = [seen(".words .best"), seen(".next").left - BESIDE / 2];
      return [{ x, y: start.y }, { x, y: best.bottom + 3 }, { x: best.right, y: best.bottom + 3 }];
    });
    add("again", () => {
      const born = seen(".chips .born", -1);
      const [right, below] = [seen(".next").right, Math.max(open.bottom, born.bottom) + BESIDE];
      return [{ x: right, y: seen(".words .best").bottom + 3 }, { x: right, y: below },
        { x: start.x, y: below }, { x: start.x, y: born.y }, { x: born.left, y: born.y }];
    });
    return parts;
  }

  // What stays beside the parts that add to it, and the word that each layer would end with.
  #beside(map, way, y) {
    const seen = (node) => box(node, this.sheet);
    const sums = [...map.querySelectorAll(".open .piece.sums")].map(seen);
    const first = sums.length && map.querySelectorAll(".open .piece.sums")[0];
    const begins = [map.querySelector(".open .lane"), first];
    this.kept.setAttribute("d", way.reached < way.order.sums ? "" : sums.map((sum, n) => {
      const from = n ? seen(begins[n]).right - 4 : seen(begins[n]).left - 2;
      return `M${from} ${y}c4 22 12 22 22 22H${sum.x - 22}c10 0 18 0 22 -20`;
    }).join(""));
    const blocks = [...map.querySelectorAll(".row > *")];
    this.tags.replaceChildren(this.tip, ...(way.guesses ?? []).map(([word], n) => {
      return el("span", {
        class: "guess", style: { left: `${seen(blocks[n]).x}px`, top: `${y - 6}px`, "--turn": n },
      }, word);
    }));
  }

  /**
   * Draw it up to the part that has been reached; from where it ended before, if it was drawn.
   * @param {HTMLElement} map
   * @param {Record<string, any>} way a part of the payload
   * @param {{ token: string, word?: string }} names of what goes along it
   */
  draw(map, way, { token, word }) {
    const parts = this.#points(map, way);
    const points = parts.at(-1);
    const size = box(map, this.sheet);
    this.node.setAttribute("width", String(size.right));
    this.node.setAttribute("height", String(size.bottom + 2 * BESIDE));
    this.#beside(map, way, points[0].y);
    this.line.setAttribute("d", along(points));
    const long = points.length > 1 ? this.line.getTotalLength() : 0;
    const from = this.#long(parts, this.shown, long);
    this.line.dataset.length = String(Math.round(long));
    const fresh = this.shown >= 0 && way.reached > this.shown;
    this.tags.classList.toggle("fresh", fresh && way.reached === way.order.layers);
    this.kept.classList.toggle("fresh", fresh && way.reached === way.order.sums);
    this.tip.textContent = way.reached >= way.order.words ? word ?? token : token;
    // Where the line ends at numbers of the token, the tag must not lie on them.
    this.tip.dataset.before = way.reached < way.order.layers ? "" : "before";
    this.tip.hidden = way.reached < way.order.tokens || way.reached >= way.order.again;
    const turn = ++this.turn;
    const draw = (share) => {
      if (turn === this.turn) this.#upTo(from + (long - from) * share, long, points[0]);
    };
    if (fresh) animate(DURATION, draw);
    else draw(1);
    if (way.reached !== this.shown) this.#follow(points.at(-1), fresh);
    this.shown = way.reached;
    this.#say(way.said);
  }

  // How long the line was when it ended with a part.
  #long(parts, part, long) {
    if (part < 0 || part >= parts.length - 1) return long;
    const before = el("svg:path", { d: along(parts[part]) });
    return parts[part].length > 1 ? /** @type {SVGPathElement} */ (before).getTotalLength() : 0;
  }

  #upTo(length, long, start) {
    this.line.style.strokeDasharray = `${length} ${long + 1}`;
    const { x, y } = long ? this.line.getPointAtLength(length) : start;
    const by = this.tip.dataset.before ? "-50%" : "2px";
    this.tip.style.transform = `translate(${x}px, ${y}px) translate(${by}, -50%)`;
  }

  // On a phone the map is wider than the screen: what the line has come to is brought into sight.
  #follow({ x }, slowly) {
    const behavior = slowly && !REDUCED_MOTION ? "smooth" : "auto";
    this.sheet.scrollTo({ left: x - this.sheet.clientWidth * 0.55, behavior });
    if (slowly) this.sheet.scrollIntoView({ block: "nearest", behavior });
  }

  // Only what is new is read out.
  #say(sentences) {
    if (sentences.length < this.said.children.length) this.said.replaceChildren();
    const more = sentences.slice(this.said.children.length);
    this.said.append(...more.map((one) => el("li", {}, one)));
  }
}

// The map as one token goes through it: what it has reached is open, all that lies ahead is covered,
// as its numbers are not here.

import { el, fill } from "../shared/dom.js";
import { full, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { arcsTo } from "./arcs_to.js";
import { headMap, strips, wrote } from "./pictures.js";
import { column } from "./tower.js";

const SIZES = {
  embed: 64, place: 42, small: 38, large: 66, add: 26, ffn: 54, logits: 44, lane: 118, words: 196,
};
const narrow = () => globalThis.matchMedia("(max-width: 640px)").matches;
const WORDS = 8; // as many bars as a prediction has

export class Walked {
  /** @param {import("../shared/component.js").Env} env */
  constructor(env) {
    this.env = env;
    this.payload = null;
    this.before = 0; // the part that was reached when it was drawn last
  }

  get #way() {
    return this.payload.way;
  }

  get #blocks() {
    return this.payload.towers[0].parts.find(({ kind }) => kind === "blocks");
  }

  get #height() {
    const share = Math.floor((this.large ? 420 : narrow() ? 270 : 312) / this.#way.rows);
    return Math.max(this.large ? 24 : 16, Math.min(26, share));
  }

  get #all() {
    return this.#height * (this.#way.rows - 1);
  }

  #has(part) {
    return this.#way.reached >= this.#way.order[part];
  }

  // A part of the map, or what covers it; what has just been reached comes into sight.
  #part(part, { width, height = this.#all }, draw) {
    const { reached, order } = this.#way;
    const fresh = reached === order[part] && this.before < order[part] ? " fresh" : "";
    const style = { width: `${width}px`, height: `${height}px` };
    return this.#has(part) ? el("div", { class: `walked${fresh}`, "data-part": part }, draw())
      : el("div", {
        class: `covered${reached + 1 === order[part] ? " next-part" : ""}`, style,
        "data-part": part, "aria-hidden": "true", // the way is told in words
      }, reached + 1 === order[part] ? "?" : "");
  }

  // Words that are there when their part has been reached; their place is kept.
  #named(part, text) {
    return el("span", { class: `small muted${this.#has(part) ? "" : " unseen"}` }, text);
  }

  #column(className, part, title, says, ...children) {
    const drawn = column(className, title, says, ...children);
    drawn.classList.toggle("unseen-says", !this.#has(part));
    return drawn;
  }

  #strips(name, width) {
    const look = {
      width, height: this.#height, chosen: this.#way.row, palette: this.env.palette(), name: "",
    };
    return strips(this.payload.arrays[name], look, () => {});
  }

  #tokens() {
    const { labels, towers: [tower] } = this.payload;
    const height = `${this.#height - 4}px`;
    const chip = (one, kind) => el("span", {
      class: `chip code ${one.kind} ${kind}`, title: one.title, style: { height },
    }, one.label);
    const chips = this.#has("tokens")
      ? el("div", { class: "chips" },
        ...tower.tokens.map((one, n) => chip(one, n === this.#way.row ? "chosen" : "")),
        this.#way.born ? chip(this.#way.born, "chosen born") : el("span", { style: { height } }))
      : el("div", { class: "chips uncut next-part", style: { height: `${this.#all}px` } },
        el("span", { class: "code" }, this.#way.text), el("b", {}, "?"));
    return this.#column("tokens", "tokens", labels.tokens, labels.says.tokens, chips);
  }

  #embeddings() {
    const { labels, towers: [{ parts: [{ title, says }] }] } = this.payload;
    return this.#column("embeddings", "embedding", title, says, el("div", { class: "part sum" },
      this.#row("embedding", labels.of_token, SIZES.embed, "embed"),
      el("span", { class: `plus${this.#has("place") ? "" : " unseen"}` }, "+"),
      this.#row("place", labels.of_place, SIZES.place, "place")));
  }

  // Strips above what they are of.
  #row(part, of, width, name) {
    return el("div", { class: "piece" },
      this.#part(part, { width }, () => this.#strips(name, width)), this.#named(part, of));
  }

  #closed(index) {
    const { labels, arrays, towers: [tower] } = this.payload;
    const palette = this.env.palette();
    const part = index < this.#way.layer ? "layers" : "words";
    const room = (this.#all - 80) / tower.n_heads;
    const size = Math.max(20, Math.min(SIZES.small, Math.floor(room) - 4));
    const inside = this.#part(part, { width: size, height: this.#all },
      () => el("div", { class: "maps-of-one" },
        ...Array.from({ length: tower.n_heads }, (_, h) =>
          headMap(arrays[`maps.${index}`], h, size, palette)),
        wrote(arrays[`wrote.${index}`], { width: size, height: 40, chosen: this.#way.row, palette })));
    return el("div", { class: "closed", "data-layer": index },
      el("span", { class: "small muted" }, fill(labels.block, { i: index })), inside);
  }

  #lane() {
    const { towers: [tower] } = this.payload;
    const [width, type] = this.large ? [160, 17] : [SIZES.lane, 12];
    return this.#part("looks", { width }, () => arcsTo({
      labels: tower.tokens.map(({ label }) => label.replace("·", "")),
      shares: this.#looks(), row: this.#way.row, width, height: this.#height, type,
    }));
  }

  #looks() {
    const { looks } = this.payload.arrays;
    const [, n] = looks.shape;
    const head = this.#has("heads") ? this.#way.head : 0;
    return Array.from({ length: n }, (_, key) => at2(looks, head, key));
  }

  #heads() {
    const { labels, arrays, towers: [tower] } = this.payload;
    const { head, layer, tops } = this.#way;
    const one = (h) => {
      const part = h === head ? "looks" : "heads";
      const at = this.#has("heads") ? h : 0;
      return el("div", { class: `one-head${h === head && this.#has("looks") ? " chosen" : ""}` },
        this.#part(part, { width: SIZES.large, height: SIZES.large },
          () => headMap(arrays[`maps.${layer}`], at, SIZES.large, this.env.palette())),
        el("span", { class: "small" },
          fill(labels.head, { h }), ...(tops ? [el("br"), `→ ${tops[h]}`] : [])));
    };
    return el("div", { class: "piece heads-of-one" }, this.#named("heads", labels.heads),
      el("div", { class: "heads" }, ...Array.from({ length: tower.n_heads }, (_, h) => one(h))));
  }

  #open() {
    const { labels } = this.payload;
    const { looks } = this.#blocks;
    const index = this.#way.layer;
    const piece = (part, label, width, name) => el("div", { class: `piece ${part}` },
      this.#named(part, label),
      this.#part(part, { width }, () => this.#strips(`${name}.${index}`, width)));
    return el("div", { class: "open" },
      el("strong", { class: "name" }, fill(labels.block, { i: index })),
      el("div", { class: "pieces" },
        el("div", { class: "piece lane" }, this.#named("looks", labels.attention), this.#lane()),
        this.#heads(), piece("sums", "+", SIZES.add, "add_1"),
        piece("ffn", looks.ffn.label, SIZES.ffn, "ffn"),
        piece("sums", "+", SIZES.add, "add_2")));
  }

  #answer() {
    const { labels, words, arrays: { probs } } = this.payload;
    const said = () => {
      const now = words[this.#way.row];
      const share = (n) => at2(probs, this.#way.row, n);
      const style = { width: `${SIZES.words}px` };
      return el("div", { class: "words", style }, ...now.map((word, n) => el("span", {
        class: `word${n === 0 ? " best" : ""}`, title: full(share(n)),
      }, el("span", { class: "code label" }, word.replace("·", "")),
      el("span", { class: "bar", style: { width: `${Math.max(2, (56 * share(n)) / share(0))}px` } }),
      el("span", { class: "small code" }, percent(share(n))))));
    };
    const height = this.#all;
    return [
      this.#column("final", "words", labels.logits, labels.says.logits, el("div", { class: "part" },
        this.#part("words", { width: SIZES.logits },
          () => this.#strips("logits", SIZES.logits)))),
      this.#column("next", "words", labels.next, labels.says.next, el("div", { class: "part" },
        this.#part("words", { width: SIZES.words, height: Math.min(height, WORDS * 26) }, said))),
    ];
  }

  /**
   * @param {import("../shared/payload.js").Payload} payload
   * @param {boolean} large its type must be readable on a projector
   * @returns {HTMLElement}
   */
  draw(payload, large) {
    this.payload = payload;
    this.large = large;
    const { towers: [tower] } = payload;
    const layers = Array.from({ length: tower.n_layers }, (_, i) =>
      (i === this.#way.layer ? this.#open() : this.#closed(i)));
    const drawn = el("div", { class: "tower" },
      this.#tokens(), this.#embeddings(),
      this.#column("blocks", "looks", this.#blocks.title, this.#blocks.says,
        el("div", { class: "row" }, ...layers)),
      ...this.#answer());
    this.before = this.#way.reached;
    return drawn;
  }
}

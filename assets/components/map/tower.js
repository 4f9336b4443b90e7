// A tower of the whole run: tokens, then its parts in the order of computation, and what comes out.
// How a kind of part is drawn stands in a module of its own.

import { el, fill } from "../shared/dom.js";
import { full, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { blocks } from "./blocks.js";
import { go, link } from "./links.js";
import { looking } from "./looking.js";
import { headMap, strips } from "./pictures.js";
import { recurrent } from "./recurrent.js";
import { vectors } from "./vectors.js";

/** @typedef {Record<string, any>} Tower a part of the payload */
/** @typedef {Record<string, any>} Part of a tower */

/** @type {Record<string, (on: Towers, tower: Tower, part: Part) => (Node | null)[]>} */
const KINDS = { vectors, blocks, looking, recurrent };

/**
 * A part of the map with its name and what it does.
 * @param {string} className
 * @param {string} title
 * @param {string} says
 * @param {...(Node | null)} children
 * @returns {HTMLElement}
 */
const column = (className, title, says, ...children) => el("section", { class: className },
  el("h3", {}, title), el("p", { class: "says muted" }, says), ...children);

export class Towers {
  /**
   * @param {import("../shared/component.js").Env} env
   * @param {import("./chosen.js").Chosen} chosen
   * @param {(event: PointerEvent, text: string) => void} tell what is pointed at
   */
  constructor(env, chosen, tell) {
    this.env = env;
    this.chosen = chosen;
    this.tell = tell;
  }

  get payload() {
    return this.chosen.payload;
  }

  /**
   * @param {Part} part
   * @param {string} name
   * @returns {import("../shared/payload.js").Numbers}
   */
  array(part, name) {
    return this.payload.arrays[part.prefix + name];
  }

  /**
   * What leads to the page that shows a place of the model, with what is selected here.
   * @param {Tower} tower
   * @param {string} id of the place
   * @param {string} className
   * @param {string} label
   * @param {(Node | null)[]} children
   * @param {Record<string, any>} [goes] what a click chooses besides layer and head
   * @returns {HTMLElement}
   */
  part(tower, id, className, label, children, goes = tower.goes) {
    const { chosen } = this;
    const page = this.payload.places?.[id];
    // What the page shows of another tower is at that tower's token.
    const at = tower === chosen.last ? {} : { token: chosen.token(tower) + tower.first };
    const layer = Math.max(...tower.parts.map((part) => chosen.layer(part)));
    // Its page opens where a head is seen as a whole, and with the text that this figure is of.
    const place = {
      layer, ...(chosen.kind ? { head: chosen.head } : {}), ...(id === "weights" ? { step: null } : {}),
      ...goes, ...at, stays: true,
    };
    return el(page ? "a" : "div", {
      class: `part ${className}`, ...(page ? link(page) : {}), title: label,
      onclick: page ? go(page, place) : null,
    }, ...children);
  }

  /**
   * A vector a token; pointing at a cell says its number.
   * @param {Tower} tower
   * @param {import("../shared/payload.js").Numbers} array
   * @param {number} width
   * @param {string} name for who cannot see it; empty beside words that say it
   * @param {string} [role] of its colours
   * @returns {HTMLCanvasElement}
   */
  strips(tower, array, width, name, role) {
    const [rows] = array.shape; // a single one is of all tokens
    const look = {
      width, name, height: this.chosen.rowHeight,
      chosen: Math.min(this.chosen.token(tower), rows - 1), palette: this.env.palette(), role,
    };
    const of = (i) => (rows === 1 ? name : tower.tokens[i].label);
    return strips(array, look, (event, i, j) =>
      this.tell(event, `${of(i)}: ${full(at2(array, i, j))}`));
  }

  /**
   * The heads of a layer, large; a click chooses one, a second one goes to its page.
   * @param {Tower} tower
   * @param {Part} part
   * @param {Record<string, any>} kind of attention
   * @param {number} index of the layer
   * @returns {HTMLElement}
   */
  heads(tower, part, kind, index) {
    const { array, n_heads: n } = kind;
    const other = kind !== part.heads[0] || (part.kind === "looking" && part.takes);
    const keys = other ? this.payload.towers[0] : tower; // what they look at
    const { chosen } = this;
    const across = Math.min(n, chosen.sizes.across[n <= 6 ? 0 : 1]);
    const room = (chosen.rows * chosen.rowHeight - 20) / Math.ceil(n / across);
    const size = Math.max(40, Math.min(chosen.sizes.large, Math.floor(room) - 24));
    const maps = this.array(part, `${array}.${index}`);
    return el("div", { class: "heads", style: { "grid-template-columns": `repeat(${across}, auto)` } },
      ...Array.from({ length: n }, (_, h) => this.#head(tower, { ...kind, keys }, h, maps, size)));
  }

  #head(tower, { attention, named, keys }, h, maps, size) {
    const { chosen } = this;
    const isChosen = h === chosen.head && attention === chosen.kind.attention;
    const words = named ? fill(this.payload.labels.head, { h }) : this.payload.labels.attention;
    const one = this.part(tower, "weights", `one-head${isChosen ? " chosen" : ""}`, words, [
      headMap(maps, h, size, this.env.palette(), (event, i, j, share) =>
        this.tell(event, `${words}: ${tower.tokens[i].label} → ${keys.tokens[j].label} ${percent(share)}`)),
      named ? el("span", { class: "small muted" }, words) : null,
    ], chosen.named(attention));
    one.addEventListener("click", (event) => {
      if (isChosen) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      chosen.choose({ head: h, ...chosen.named(attention) });
    }, true);
    return one;
  }

  /**
   * What other towers take of a part, in words beside the line that leads to them.
   * @param {Part} part
   * @returns {HTMLElement | null}
   */
  gives({ gives }) {
    return gives ? el("span", { class: "small gives" }, gives) : null;
  }

  #words() {
    const { labels, arrays: { probs }, words, answers: [, place] } = this.payload;
    const tower = this.chosen.last;
    const token = this.chosen.token(tower);
    const now = Math.min(token, words.length - 1); // it may answer once for all tokens
    const top = Math.max(at2(probs, now, 0), 1e-9);
    return this.part(tower, place, "words", labels.next, [
      el("span", { class: "small muted" }, fill(labels.after, { token: tower.tokens[token].label })),
      ...words[now].map((word, i) => el("span", {
        class: `word${i === 0 ? " best" : ""}`, title: full(at2(probs, now, i)),
      }, el("span", { class: "code label" }, word),
      el("span", { class: "bar", style: { width: `${Math.max(2, (56 * at2(probs, now, i)) / top)}px` } }),
      el("span", { class: "small code" }, percent(at2(probs, now, i))))),
    ]);
  }

  #chips(tower) {
    const { chosen } = this;
    const height = chosen.rowHeight;
    const style = { height: `${height - 4}px`, "font-size": `min(max(14px, var(--least)), ${height - 5}px)` };
    const way = { "--way": `${(chosen.token(tower) + 0.5) * height - 2}px` }; // of the chosen token
    return el("div", { class: "chips", style: way }, ...tower.tokens.map((one, index) => el("button", {
      type: "button", title: one.title, style,
      class: `chip code ${one.kind}${index === chosen.token(tower) ? " chosen" : ""}`,
      "aria-label": one.label, "aria-pressed": String(index === chosen.token(tower)),
      onclick: () => chosen.choose({ [tower.field]: index + tower.first }),
    }, one.label)));
  }

  #part(tower, part) {
    const first = part.kind === "vectors" ? (part.first ? "embeddings" : "final") : part.kind;
    const names = [first, part.gives ? "given" : "", part.takes ? "takes" : ""].filter(Boolean);
    return column(names.join(" "), part.title, part.says, ...KINDS[part.kind](this, tower, part));
  }

  /**
   * @param {Tower} tower
   * @returns {HTMLElement}
   */
  draw(tower) {
    const { chosen } = this;
    const { labels, arrays, sizes, answers } = this.payload;
    const last = tower === chosen.last ? [
      column("final", labels.logits, labels.says.logits, this.part(tower, answers[0], "", labels.entries,
        [this.strips(tower, arrays.logits, sizes.final, labels.logits)])),
      column("next", labels.next, labels.says.next, this.#words()),
    ] : [];
    return el("div", { class: "tower" },
      el("h2", { class: tower.title ? "muted" : "visually-hidden" }, tower.title || this.payload.title),
      column("tokens", this.part(tower, "tokens", "", labels.tokens, [labels.tokens]),
        labels.says.tokens, this.#chips(tower)),
      ...tower.parts.map((part) => this.#part(tower, part)), ...last);
  }
}

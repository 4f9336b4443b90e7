// A tower of the whole run: tokens, embeddings, blocks of which one is open, and what comes out.

import { el, fill } from "../shared/dom.js";
import { full, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { go, link } from "./links.js";
import { headMap, strips, wrote } from "./pictures.js";

/**
 * A part of the map with its name and what it does.
 * @param {string} className
 * @param {string} title
 * @param {string} says
 * @param {...(Node | null)} children
 * @returns {HTMLElement}
 */
export const column = (className, title, says, ...children) => el("section", { class: className },
  el("h4", {}, title), el("p", { class: "says muted" }, says), ...children);

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

  get #payload() {
    return this.chosen.payload;
  }

  #array(tower, name) {
    return this.#payload.arrays[tower.prefix + name];
  }

  #part(tower, id, className, label, children, goes = tower.goes) {
    const { chosen } = this;
    const page = this.#payload.places?.[id];
    // What the page shows of another tower is at that tower's token.
    const at = tower === chosen.last ? {} : { token: chosen.token(tower) + tower.first };
    const place = { layer: chosen.layer, head: chosen.head, ...goes, ...at };
    return el(page ? "a" : "div", {
      class: `part ${className}`, ...(page ? link(page) : {}), title: label,
      onclick: page ? go(page, place) : null,
    }, ...children);
  }

  #strips(tower, array, width, name) {
    const look = {
      width, name, height: this.chosen.rowHeight, chosen: this.chosen.token(tower),
      palette: this.env.palette(),
    };
    return strips(array, look, (event, i, j) =>
      this.tell(event, `${tower.tokens[i].label}: ${full(at2(array, i, j))}`));
  }

  #closedBlock(tower, index) {
    const { labels } = this.#payload;
    const { chosen } = this;
    const palette = this.env.palette();
    const n = tower.n_heads;
    const room = (chosen.rows * chosen.rowHeight - 60) / (n * tower.heads.length);
    const size = Math.max(20, Math.min(chosen.sizes.small, Math.floor(room) - 4));
    const maps = tower.heads.map(({ array }, k) => el("span", { class: k ? "maps across" : "maps" },
      ...Array.from({ length: n }, (_, h) =>
        headMap(this.#array(tower, `${array}.${index}`), h, size, palette))));
    return el("button", {
      type: "button", class: "closed", title: fill(labels.open, { i: index }),
      onclick: () => chosen.choose({ layer: index, ...chosen.kind(tower.heads[0].attention) }),
    }, el("span", { class: "small muted" }, fill(labels.block, { i: index })), ...maps,
    wrote(this.#array(tower, `wrote.${index}`),
      { width: size, height: 44, chosen: chosen.token(tower), palette }));
  }

  #openHeads(tower, { attention, array, label, title }, index) {
    const { chosen } = this;
    const n = tower.n_heads;
    const across = chosen.sizes.across[n <= 6 ? 0 : 1];
    const room = (chosen.rows * chosen.rowHeight - 20) / Math.ceil(n / across);
    const size = Math.max(40, Math.min(chosen.sizes.large, Math.floor(room) - 24));
    const maps = this.#array(tower, `${array}.${index}`);
    const heads = el("div", { class: "heads", style: { "grid-template-columns": `repeat(${across}, auto)` } },
      ...Array.from({ length: n }, (_, h) => this.#openHead(tower, attention, h, maps, size)));
    return el("div", { class: `piece${attention === tower.heads[0].attention ? "" : " across"}` },
      el("span", { class: "small muted", title }, label), heads);
  }

  #openHead(tower, attention, h, maps, size) {
    const { chosen } = this;
    const isChosen = h === chosen.head && attention === chosen.attention;
    const words = fill(this.#payload.labels.head, { h });
    const one = this.#part(tower, "weights", `one-head${isChosen ? " chosen" : ""}`, words, [
      headMap(maps, h, size, this.env.palette()),
      el("span", { class: "small muted" }, words),
    ], chosen.kind(attention));
    one.addEventListener("click", (event) => {
      // The first click chooses the head, a second one goes to its page.
      if (isChosen) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      chosen.choose({ head: h, ...chosen.kind(attention) });
    }, true);
    return one;
  }

  #openBlock(tower, index) {
    const { labels } = this.#payload;
    const { norm, ffn, add } = this.chosen.sizes;
    const looks = { norm: [labels.norm, norm], ffn: [labels.ffn, ffn], add: [labels.add, add, "+"] };
    const pieces = tower.order.map((id) => {
      const heads = tower.heads.find(({ piece }) => piece === id);
      if (heads) return this.#openHeads(tower, heads, index);
      const [label, width, sign = label] = looks[id.split("_")[0]];
      return this.#part(tower, id, "piece", label, [el("span", { class: "small muted" }, sign),
        this.#strips(tower, this.#array(tower, `${id}.${index}`), width, sign === label ? "" : label)]);
    });
    return el("div", { class: "open" },
      el("strong", { class: "name" }, fill(labels.block, { i: index })),
      el("div", { class: "pieces" }, ...pieces));
  }

  #words() {
    const { labels, arrays: { probs }, words } = this.#payload;
    const tower = this.chosen.last;
    const now = this.chosen.token(tower);
    const top = Math.max(at2(probs, now, 0), 1e-9);
    return this.#part(tower, "prediction", "words", labels.next, [
      el("span", { class: "small muted" }, fill(labels.after, { token: tower.tokens[now].label })),
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
      "aria-pressed": String(index === chosen.token(tower)),
      onclick: () => chosen.choose({ [tower.field]: index + tower.first }),
    }, one.label)));
  }

  /**
   * @param {Record<string, any>} tower
   * @returns {HTMLElement}
   */
  draw(tower) {
    const { chosen } = this;
    const { labels, arrays } = this.#payload;
    const { embed, final } = chosen.sizes;
    const blocks = Array.from({ length: tower.n_layers }, (_, i) => (
      tower === chosen.opened && i === chosen.layer
        ? this.#openBlock(tower, i) : this.#closedBlock(tower, i)));
    const last = tower === chosen.last ? [
      column("final", labels.logits, labels.says.logits, this.#part(tower, "logits", "", labels.entries,
        [this.#strips(tower, arrays.logits, final, labels.logits)])),
      column("next", labels.next, labels.says.next, this.#words()),
    ] : [];
    return el("div", { class: `tower${tower.heads.length > 1 ? " looks-across" : ""}` },
      tower.title ? el("h3", { class: "muted" }, tower.title) : null,
      column("tokens", this.#part(tower, "tokens", "", labels.tokens, [labels.tokens]),
        labels.says.tokens, this.#chips(tower)),
      column("embeddings", labels.embeddings, labels.says.embeddings,
        this.#part(tower, "embeddings", "", labels.cells,
        [this.#strips(tower, this.#array(tower, "embed"), embed, labels.embeddings)])),
      column("blocks", labels.blocks, labels.says.blocks, el("div", { class: "row" }, ...blocks)),
      column(tower.gives ? "final given" : "final", tower.final, labels.says.final,
        this.#part(tower, "final_norm", "", labels.cells,
          [this.#strips(tower, this.#array(tower, "final"), final, tower.final)]),
        tower.gives ? el("span", { class: "small gives" }, tower.gives) : null),
      ...last);
  }
}

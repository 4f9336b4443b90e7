// What of the whole run is selected, and how large its parts are.

import { clamp } from "../shared/numbers.js";

// Widths in pixels, of one tower and of several beside each other (picture.py has the same), and the
// least height of a row on a projector.
const ALONE = {
  embed: 76, final: 52, norm: 46, ffn: 58, add: 26, small: 38, large: 80, across: [2, 3],
  readable: 24,
};
const BESIDE = {
  embed: 52, final: 40, norm: 36, ffn: 46, add: 22, small: 34, large: 60, across: [1, 2],
  readable: 34,
};
/** @typedef {Record<string, any>} Tower a part of the payload */

export const FOLLOWED = ["token", "source_token", "layer", "head", "attention"];

const has = (tower, kind) => tower.heads.some(({ attention }) => attention === kind);

export class Chosen {
  /** @param {import("../shared/component.js").Env} env */
  constructor(env) {
    this.env = env;
    /** @type {import("../shared/payload.js").Payload} */
    this.payload = { arrays: {} };
    this.large = false; // its type must be readable on a projector
  }

  get sizes() {
    return this.payload.towers.length > 1 ? BESIDE : ALONE;
  }

  get rows() {
    return Math.max(...this.payload.towers.map((tower) => tower.tokens.length));
  }

  get rowHeight() {
    const share = (room) => Math.floor(room / this.rows);
    if (!this.large) return Math.max(13, Math.min(30, share(380)));
    return Math.max(this.sizes.readable, Math.min(34, share(420)));
  }

  // The tower that answers.
  get last() {
    return this.payload.towers.at(-1);
  }

  /**
   * @param {Tower} tower
   * @returns {number}
   */
  token(tower) {
    const at = this.env.chosen(tower.field) ?? this.payload.selection[tower.field];
    return clamp(at - tower.first, tower.tokens.length);
  }

  // The tower with the open block.
  get opened() {
    const kind = this.env.chosen("attention");
    return this.payload.towers.find((tower) => has(tower, kind)) ?? this.last;
  }

  get attention() {
    const kind = this.env.chosen("attention");
    return has(this.opened, kind) ? kind : this.opened.heads[0].attention;
  }

  get layer() {
    return clamp(this.env.chosen("layer") ?? this.payload.selection.layer ?? 0, this.opened.n_layers);
  }

  get head() {
    return clamp(this.env.chosen("head") ?? this.payload.selection.head ?? 0, this.opened.n_heads);
  }

  /**
   * Only a model with several kinds of attention says which.
   * @param {string} name
   * @returns {Record<string, string>}
   */
  kind(name) {
    return this.payload.towers.length > 1 ? { attention: name } : {};
  }

  /** @param {Record<string, any>} patch of the selection */
  choose(patch) {
    this.env.select(patch);
    this.env.report(Object.keys(patch));
  }

  /**
   * To another token of the tower that answers.
   * @param {number} by
   */
  walk(by) {
    const tower = this.last;
    this.choose({
      [tower.field]: clamp(this.token(tower) + by, tower.tokens.length) + tower.first,
    });
  }
}

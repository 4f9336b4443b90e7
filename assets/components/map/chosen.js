// What of the whole run is selected, and how large its parts are.

import { clamp } from "../shared/numbers.js";

/** @typedef {Record<string, any>} Tower a part of the payload */

// The kinds of attention in a tower.
const kindsOf = (tower) => tower.parts.flatMap(({ heads }) => heads ?? []);
const has = (tower, name) => kindsOf(tower).some(({ attention }) => attention === name);

export class Chosen {
  /** @param {import("../shared/component.js").Env} env */
  constructor(env) {
    this.env = env;
    /** @type {import("../shared/payload.js").Payload} */
    this.payload = { arrays: {} };
    this.large = false; // its type must be readable on a projector
  }

  // Widths in pixels, as core/figures/components/map/sizes.py has them.
  get sizes() {
    return this.payload.sizes;
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
    const name = this.env.chosen("attention");
    return this.payload.towers.find((tower) => has(tower, name)) ?? this.last;
  }

  // The kind of attention whose head is outlined, if anything attends to anything.
  get kind() {
    const name = this.env.chosen("attention");
    const kinds = [this.opened, ...this.payload.towers].flatMap(kindsOf);
    return kinds.find(({ attention }) => attention === name) ?? kinds[0];
  }

  /**
   * The open layer of a part.
   * @param {Record<string, any>} part
   * @returns {number}
   */
  layer({ n_layers: n }) {
    return clamp(this.env.chosen("layer") ?? this.payload.selection.layer ?? 0, n);
  }

  get head() {
    const n = this.kind?.n_heads ?? 1;
    return clamp(this.env.chosen("head") ?? this.payload.selection.head ?? 0, n);
  }

  /**
   * Only a model with several kinds of attention says which.
   * @param {string} name
   * @returns {Record<string, string>}
   */
  named(name) {
    return this.payload.towers.flatMap(kindsOf).length > 1 ? { attention: name } : {};
  }

  /**
   * Whether a change of these names is to be seen on the map.
   * @param {string[]} changed
   * @returns {boolean}
   */
  follows(changed) {
    return changed.some((name) => name in this.payload.selection);
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

// One tab stop for things that belong together: the arrows go from one to the next.

import { clamp } from "./numbers.js";

const BY = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

export class Roving {
  /**
   * @param {Element} list that holds them
   * @param {() => (HTMLElement | SVGElement)[]} items that can be reached now, in order
   * @param {object} how
   * @param {(item: HTMLElement | SVGElement) => void} [how.moved] the arrows went there
   * @param {(item: HTMLElement | SVGElement) => void} [how.act] Enter or the space bar was pressed
   * @param {boolean} [how.round] after the last comes the first
   * @param {(from: any, key: string) => any} [how.next] where an arrow goes, of what lies in rows and columns
   * @param {(event: KeyboardEvent) => boolean} [how.yields] the key is left to the page
   */
  constructor(list, items, { moved, act, round = false, next, yields = () => false }) {
    this.items = items;
    this.moved = moved;
    this.act = act;
    this.round = round;
    this.next = next;
    this.yields = yields;
    /** @type {HTMLElement | SVGElement | null} the tab stop */
    this.stop = null;
    list.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /**
   * Make one the tab stop.
   * @param {HTMLElement | SVGElement | null | undefined} item
   */
  reach(item) {
    if (!item) return;
    if (this.stop !== item) this.stop?.setAttribute("tabindex", "-1");
    item.setAttribute("tabindex", "0");
    this.stop = item;
  }

  #to(items, at, key, by) {
    if (!Number.isFinite(by)) return clamp(at + by, items.length);
    if (this.next) return items.indexOf(this.next(items[at], key) ?? items[at]);
    return this.round ? (at + by + items.length) % items.length : clamp(at + by, items.length);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.yields(event)) return;
    const items = this.items();
    const at = items.findIndex((item) => item === event.target);
    const by = BY[event.key];
    if (at < 0) return;
    if (by) {
      event.preventDefault();
      const to = this.#to(items, at, event.key, by);
      this.reach(items[to]);
      items[to].focus();
      this.moved?.(items[to]);
    } else if (this.act && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.act(items[at]);
    }
  }
}

// A page on a wall: nothing scrolls. What does not fit the screen is a scene of its own, to which the
// page is turned; of a scene all is on the screen, and of all else nothing is seen.

import { el } from "../shared/dom.js";
import { forPage } from "../shared/keys.js";
import { FIT, headRoom, grows } from "../shared/room.js";
import { SHARED } from "../shared/selection.js";
import { content, main } from "../shared/streamlit.js";

const EDGE = 1; // pixels that what ends with the screen may be beyond it
const OVER = 0.9; // of a screen, by which one turns in what is higher than it
const KEPT = 3; // ways of cutting a page that are remembered
const TURN = { PageDown: 1, PageUp: -1 };
const TITLE = 0.3; // of a screen, below which what stands above a scene is its title
const TITLED = "h1, h2"; // begins a scene where one has a figure already
const TURNED = /^lesson|_part$|^tour$/; // names of what stands on the page

/** @typedef {{ node: HTMLElement, top: number, bottom: number }} Block */

const inside = (node) => [...(node.shadowRoot ?? node).children]
  .flatMap((one) => (one instanceof HTMLSlotElement ? one.assignedElements() : [one]));

// What is hidden may have parts that say themselves that they are visible.
function shown({ style }, on) {
  style.visibility = on ? "" : "hidden";
  style.opacity = on ? "" : "0";
}

export class Scenes {
  #on = false;
  #at = 0;
  #of = ""; // what the page shows, by its address
  /** @type {HTMLElement | null} what is to be in sight until the page is turned, however it is cut */
  #shows = null;
  /** @type {number[]} where each begins, in pixels of the page */
  #scenes = [];
  /** @type {string[]} the last of them that figures were fitted to */
  #fitted = [];
  /** @type {Set<HTMLElement>} */
  #hidden = new Set();
  #observer = new ResizeObserver(() => this.#soon());
  #frame = 0;

  /** @param {{ back: string, next: string }} labels */
  constructor(labels = { back: "", next: "" }) {
    this.back = el("button", { type: "button", onclick: () => this.turn(-1) }, "▲");
    this.next = el("button", { type: "button", onclick: () => this.turn(1) }, "▼");
    this.place = el("span", { class: "code" });
    this.element = el("div", { class: "scenes", hidden: true }, this.back, this.place, this.next);
    this.name(labels);
    globalThis.addEventListener("keydown", this.#key, true);
    globalThis.addEventListener("resize", this.#resized);
  }

  /** @param {{ back: string, next: string }} labels */
  name({ back, next }) {
    this.back.setAttribute("aria-label", back);
    this.next.setAttribute("aria-label", next);
  }

  /** @param {boolean} on the page is projected */
  project(on) {
    this.#on = on;
    SHARED.scenes = on ? this : null;
    this.#observer.disconnect();
    if (on) this.#soon();
    else this.#leave();
  }

  /** The bar is gone. */
  destroy() {
    this.project(false);
    globalThis.removeEventListener("keydown", this.#key, true);
    globalThis.removeEventListener("resize", this.#resized);
  }

  /**
   * Where the scene begins in which something stands: pixels of the page, 0 for the first.
   * @param {number} top of it
   * @returns {number}
   */
  startOf(top) {
    return this.#scenes.findLast((start) => start <= top + 1) ?? 0;
  }

  /**
   * Turn to the scene in which an element ends.
   * @param {HTMLElement} node
   */
  show(node) {
    this.#shows = node;
    this.#arrange();
  }

  /**
   * @param {number} by scenes
   * @returns {boolean} whether there was one
   */
  turn(by) {
    const to = this.#at + by;
    this.#shows = null;
    if (!this.#on || to < 0 || to >= this.#scenes.length) return false;
    this.#go(to);
    return true;
  }

  #key = (event) => {
    const by = TURN[event.key];
    if (!by || !this.#on || !forPage(event) || !this.turn(by)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #soon = () => {
    cancelAnimationFrame(this.#frame);
    if (this.#on) this.#frame = requestAnimationFrame(() => this.#arrange());
  };

  #resized = () => {
    this.#fitted = [];
    this.#soon();
  };

  get #room() {
    return globalThis.innerHeight - headRoom();
  }

  // How far down a scene reaches: above the first one nothing stays free.
  #end(start) {
    return start + this.#room + (start ? 0 : headRoom()) + EDGE;
  }

  #inOrder(page) {
    return this.#blocks(page).sort((a, b) => a.top - b.top);
  }

  /** @returns {Block} */
  #placed(node) {
    const above = main()?.scrollTop ?? 0;
    const { top, height } = node.getBoundingClientRect();
    return { node, top: top + above, bottom: top + above + Math.max(height, node.scrollHeight) }; // a text may go on below
  }

  /**
   * What stands on the page, as large as can be turned to at once.
   * @param {HTMLElement} node
   * @returns {Block[]}
   */
  #blocks(node) {
    const { display, position } = getComputedStyle(node);
    if (display === "none" || ["fixed", "absolute"].includes(position)) return [];
    const { top, bottom } = this.#placed(node);
    const within = node === content() || display === "contents" || bottom - top > this.#room;
    const found = within ? inside(node).flatMap((one) => this.#blocks(one)) : [];
    if (found.length) return found;
    if (bottom - top < 1) return [];
    // What cannot be taken apart is turned like a page of a book.
    const high = OVER * this.#room, pieces = bottom - top > this.#room ? Math.ceil((bottom - top) / high) : 1;
    return Array.from({ length: pieces }, (_, n) => ({
      node, top: top + n * high, bottom: n < pieces - 1 ? top + (n + 1) * high : bottom,
    }));
  }

  // Where scenes must begin: at what grows, or at its title, where there is such a thing already.
  #begins(blocks) {
    const found = [];
    let grown = false, since = -1;
    for (const { node, top } of blocks) {
      const big = grows(node);
      const begins = top >= since && grown && (big || node.matches(TITLED) || node.querySelector(TITLED));
      if (begins) found.push(top);
      grown = begins ? big : grown || big;
      since = top;
    }
    return found;
  }

  #arrange() {
    const page = content();
    if (!this.#on || !page) return;
    const of = location.pathname + Object.entries(SHARED.live?.values ?? {}).filter(([name]) => TURNED.test(name));
    if (of !== this.#of) {
      this.#at = 0;
      this.#shows = null;
      this.#fitted = [];
    }
    this.#of = of;
    const blocks = this.#inOrder(page);
    for (const node of [page, ...blocks.map((one) => one.node)]) this.#observer.observe(node);
    const starts = this.#begins(blocks);
    this.#scenes = blocks.length ? [0] : [];
    for (let left = blocks; left.length;) {
      const start = /** @type {number} */ (this.#scenes.at(-1));
      const forced = starts.find((one) => one > start + 1 && one > left[0].top + 1) ?? Infinity;
      const later = left.filter(({ top, bottom }) => top >= forced - 1 || bottom > this.#end(start));
      left = later.length < left.length ? later : left.slice(1);
      if (left.length) this.#scenes.push(left[0].top);
    }
    if (this.#scenes[1] < TITLE * this.#room) this.#scenes.shift(); // nothing but a title stands before it
    const shows = this.#shows?.isConnected ? this.#placed(this.#shows).bottom : NaN;
    const at = this.#scenes.findIndex((start) => shows <= this.#end(start));
    this.#go(Math.min(at < 0 ? this.#at : at, this.#scenes.length - 1), blocks);
    this.#fit();
  }

  // What grows fills its scene; two ways of cutting a page do not follow each other for ever.
  #fit() {
    const now = this.#scenes.map(Math.round).join();
    if (this.#fitted.includes(now)) return;
    this.#fitted = [...this.#fitted.slice(-KEPT), now];
    document.dispatchEvent(new CustomEvent(FIT));
  }

  #go(at, blocks = this.#inOrder(content())) {
    this.#at = Math.max(0, at);
    const start = this.#scenes[this.#at] ?? 0, next = this.#scenes[this.#at + 1] ?? Infinity;
    const whole = ({ top, bottom }, from) => top >= from - 1 && bottom <= this.#end(from);
    // What is whole in no scene is seen in the one that it begins in.
    const fits = (one) => whole(one, start) || !this.#scenes.some((from) => whole(one, from));
    const seen = new Set(blocks.filter((one) => one.top >= start - 1 && one.top < next - 1 && fits(one))
      .map(({ node }) => node));
    const first = blocks.find(({ top }) => top >= start - 1);
    if (first) seen.add(first.node);
    for (const one of this.#hidden) shown(one, true);
    this.#hidden = new Set(blocks.map(({ node }) => node).filter((node) => !seen.has(node)));
    for (const one of this.#hidden) shown(one, false);
    main()?.scrollTo({ top: start ? start - headRoom() : 0, behavior: "instant" });
    this.#tell();
  }

  #tell() {
    this.element.hidden = this.#scenes.length < 2;
    this.place.textContent = `${this.#at + 1} / ${this.#scenes.length}`;
    this.back.disabled = this.#at === 0;
    this.next.disabled = this.#at === this.#scenes.length - 1;
  }

  #leave() {
    cancelAnimationFrame(this.#frame);
    for (const one of this.#hidden) shown(one, true);
    this.#hidden.clear();
    this.#scenes = [];
    this.#fitted = [];
    this.#at = 0;
    this.element.hidden = true;
  }
}

// A page on a wall: nothing scrolls. What does not fit the screen is a scene of its own, to which the
// page is turned; of a scene all is on the screen, and of all else nothing is seen.

import { el } from "../shared/dom.js";
import { forPage } from "../shared/keys.js";
import { FIT, headRoom, up } from "../shared/room.js";
import { SHARED } from "../shared/selection.js";
import { content, main } from "../shared/streamlit.js";
import { asidesOf, bring, letGo, within } from "./aside.js";
import { blocksOf, placed } from "./blocks.js";
import { nameOf, partNow } from "./naming.js";

const EDGE = 1; // pixels that what ends with the screen may be beyond it
const LATER = 300; // ms until the page is looked at again while a figure is to come
const TURN = { PageDown: 1, PageUp: -1 };
const TITLE = 0.2; // of a screen, below which what stands above all is a title
const TURNED = /^lesson|_part$|^tour$/; // names of what stands on the page

/** @typedef {import("./blocks.js").Block} Block */

// What is hidden may have parts that say themselves that they are visible.
function shown({ style }, on) {
  style.visibility = on ? "" : "hidden";
  style.opacity = on ? "" : "0";
}

// What begins it may stand higher than it does.
function topOf(node) {
  let { top } = placed(node);
  for (let at = node.firstElementChild; at; at = at.firstElementChild) if (at.offsetHeight) top = Math.min(top, placed(at).top);
  return top;
}

export class Scenes {
  #on = false;
  #at = 0;
  #of = ""; // what the page shows, by its address
  /** @type {HTMLElement | null} what is to be in sight until the page is turned, however it is cut */
  #shows = null;
  /** @type {Block[][]} */
  #scenes = [];
  /** @type {Map<Element, number>} the first scene of what stands on the page, and of what that stands in */
  #first = new Map();
  /** @type {HTMLElement | undefined} with what the scene begins that is shown */
  #begins;
  #fitted = ""; // to what figures were
  /** @type {Block[]} all of the page */
  #blocks = [];
  /** @type {Set<HTMLElement>} */
  #hidden = new Set();
  #observer = new ResizeObserver(() => this.#soon());
  #frame = 0;
  #later = 0;

  /** @param {{ back: string, next: string }} labels */
  constructor(labels = { back: "", next: "" }) {
    this.back = el("button", { type: "button", onclick: () => this.turn(-1) }, "▲");
    this.next = el("button", { type: "button", onclick: () => this.turn(1) }, "▼");
    this.place = el("span", { class: "code" });
    this.part = el("span", { class: "part" });
    this.title = el("span", { class: "scene-title" });
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

  #sceneOf(node) {
    for (let at = node; at; at = up(at)) {
      const found = this.#first.get(at);
      if (found !== undefined) return found;
    }
    return 0;
  }

  /**
   * Where the scene begins in which something stands: pixels of the page, 0 for the first.
   * @param {Element} node
   * @returns {number}
   */
  startOf(node) {
    return this.#begin(this.#scenes[this.#sceneOf(node)]);
  }

  // What stands beside the first of it may begin higher.
  #begin(scene) {
    if (!scene || scene[0] === this.#blocks[0]) return 0;
    return Math.min(...scene.filter(({ of }) => !of).map(({ node, skips }) => topOf(node) + skips));
  }

  /**
   * Whether the first stands on a later scene than the second, or some of it does.
   * @param {Element} one
   * @param {Element} other
   * @returns {boolean}
   */
  later(one, other) {
    return (this.#first.get(one) ?? 0) > this.#sceneOf(other);
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

  // The steps of a figure on this scene come before the next one; those of a lesson stand where they are taught.
  #step(by) {
    if (document.querySelector(".lesson-body")) return false;
    return [...SHARED.steppers].some((one) => one.steps() && this.#sceneOf(one.element) === this.#at && one.turn(by));
  }

  #key = (event) => {
    if (document.documentElement.hasAttribute("data-told")) return; // the story goes on instead
    const by = TURN[event.key];
    if (!by || !this.#on || !forPage(event) || !(this.#step(by) || this.turn(by))) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #soon = () => {
    clearTimeout(this.#later);
    cancelAnimationFrame(this.#frame);
    if (this.#on) this.#frame = requestAnimationFrame(() => this.#arrange());
  };

  #resized = () => {
    this.#fitted = "";
    this.#soon();
  };

  get #room() {
    return globalThis.innerHeight - headRoom();
  }

  /**
   * Which parts of the page are on a screen together: one figure that grows with what is said of it.
   * @param {Block[]} blocks
   * @returns {Block[][]}
   */
  #cut(blocks) {
    const scenes = [];
    let now = [];
    const asides = asidesOf(blocks, this.#room);
    const staying = new Set(asides.flatMap((one) => one.blocks));
    // Above the first one nothing stays free.
    const fits = (all) => all.at(-1).to <= (all[0] === blocks[0] ? globalThis.innerHeight : all[0].from + this.#room) + EDGE;
    for (let left = blocks.filter((one) => !staying.has(one)); left.length;) {
      const [own] = left;
      // It is as high as what stays beside it.
      const aside = asides.find(({ turned }) => within(turned, own.node));
      const one = aside && !now.some(({ node }) => within(aside.turned, node)) ? { ...own, to: Math.max(own.to, own.from + aside.high) } : own;
      const bare = !now.some(({ grows }) => grows);
      const beside = bare && one.grows && now.some(({ to }) => to > one.from + EDGE);
      const parts = beside && !fits([...now, one]) ? one.parts() : [];
      left = [...parts, ...left.slice(1)];
      if (parts.length) continue; // some of a figure stands beside what is said of it
      // Figures that would leave what is said of them behind, or each other, stand one below the other.
      const { row } = one;
      const alone = row && bare && !fits([...now, { ...one, to: row.to }]);
      if (alone && !SHARED.asking.size) row.node.dataset.apart = "";
      const another = now.some(({ grows, to }) => grows && to <= one.from + EDGE) && (one.grows || one.titled);
      if (now.length && (another || !fits([...now, one]))) {
        // A title goes with what it is the title of.
        const last = now.findLastIndex(({ title }) => !title) + 1;
        const titles = last && fits([...now.slice(last), one]) ? now.splice(last) : [];
        scenes.push(now);
        now = titles;
      }
      now.push(own);
    }
    if (now.length) scenes.push(now);
    for (const aside of asides) {
      const those = scenes.filter((scene) => scene.some(({ node }) => within(aside.turned, node)));
      those.forEach((scene, n) => scene.push(...aside.blocks.map((one) => (n ? { ...one, of: aside.side } : one))));
    }
    this.#blocks = scenes.flat();
    const [first, second] = scenes;
    const title = second && first.some(({ titled }) => titled) && first.at(-1).to < TITLE * this.#room;
    if (title) scenes.shift();
    return scenes;
  }

  #arrange() {
    const page = content();
    if (!this.#on || !page) return;
    const of = location.pathname + Object.entries(SHARED.live?.values ?? {}).filter(([name]) => TURNED.test(name));
    if (of !== this.#of) {
      this.#at = 0;
      this.#shows = null;
      this.#begins = undefined;
      this.#fitted = "";
    }
    this.#of = of;
    if (SHARED.asking.size) this.#later = setTimeout(this.#soon, LATER);
    const blocks = blocksOf(this.#room);
    for (const node of [page, ...blocks.map((one) => one.node)]) this.#observer.observe(node);
    this.#scenes = this.#cut(blocks);
    this.#first.clear();
    this.#scenes.forEach((scene, n) => scene.forEach(({ node }) => {
      for (let at = /** @type {Element | null} */ (node); at && at !== page && !this.#first.has(at); at = up(at)) this.#first.set(at, n);
    }));
    // What comes later than the rest of the page does not turn it.
    const stays = !this.#at || !this.#begins?.isConnected || this.#scenes[this.#at]?.[0].node === this.#begins;
    if (this.#shows?.isConnected) this.#go(this.#lastOf(this.#shows));
    else this.#go(stays ? this.#at : this.#sceneOf(this.#begins));
    this.#fit();
  }

  // Where an element ends: what it stands in may be on several scenes.
  #lastOf(node) {
    const { bottom } = placed(node);
    const at = this.#scenes.findLastIndex((scene) => this.#begin(scene) < bottom && scene.some((one) => within(one.node, node)));
    return at < 0 ? this.#sceneOf(node) : at;
  }

  // What grows fills its scene.
  #fit() {
    const now = this.#scenes.map((scene) => scene.map(({ from, to }) => Math.round(to - from))).join(";");
    if (now === this.#fitted) return;
    this.#fitted = now;
    document.dispatchEvent(new CustomEvent(FIT));
  }

  #go(to) {
    this.#at = Math.max(0, Math.min(to, this.#scenes.length - 1));
    const scene = this.#scenes[this.#at] ?? [];
    letGo();
    const begin = this.#begin(scene);
    for (const side of new Set(scene.flatMap(({ of }) => of ?? []))) bring(side, begin);
    const seen = new Set(scene.map(({ node }) => node));
    for (const one of this.#hidden) shown(one, true);
    this.#hidden = new Set(this.#blocks.map(({ node }) => node).filter((node) => !seen.has(node)));
    for (const one of this.#hidden) shown(one, false);
    this.#begins = scene[0]?.node;
    main()?.scrollTo({ top: begin && begin - headRoom(), behavior: "instant" });
    this.title.textContent = nameOf(begin);
    this.part.textContent = partNow()?.place ?? "";
    this.element.hidden = this.#scenes.length < 2;
    this.place.textContent = `${this.#at + 1} / ${this.#scenes.length}`;
    this.back.disabled = this.#at === 0;
    this.next.disabled = this.#at === this.#scenes.length - 1;
  }

  #leave() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#later);
    letGo();
    for (const one of this.#hidden) shown(one, true);
    this.#hidden.clear();
    for (const one of document.querySelectorAll("[data-apart]")) one.removeAttribute("data-apart");
    this.#scenes = [];
    this.#first.clear();
    this.#fitted = "";
    this.#at = 0;
    this.element.hidden = true;
  }
}

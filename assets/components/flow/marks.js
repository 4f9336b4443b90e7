// What can be reached in the picture, for the keyboard and for those who have it read out: a button
// over each token, each layer, each part of the layer that is open, and each mark of the part that
// is gone into. The pointer goes through them; arrows go from one to the nearest.

import { el, fill, keepFocus } from "../shared/dom.js";
import { ARROWS } from "../shared/keys.js";
import { Roving } from "../shared/roving.js";
import { SHARED } from "../shared/selection.js";
import { nothingHasKeyboard } from "../shared/streamlit.js";
import { liesIn, partOf, placeOf } from "./places.js";
import { atRest } from "./told.js";

const ASIDE = 2.5; // a way sideways counts so much more than one ahead
const ONE_STOP = ["token", "mark"]; // of each of these kinds the Tab key reaches one

export class Marks {
  /** @param {HTMLElement} sheet that holds the picture */
  constructor(sheet) {
    this.node = el("div", { class: "marks" });
    this.stops = {}; // by kind, which one the Tab key reaches
    this.entered = {}; // by place, the mark through which it was gone into
    this.wanted = null; // what is to have the keyboard once it is drawn
    this.node.addEventListener("keydown", (event) => this.#key(event));
    this.roving = Object.fromEntries(ONE_STOP.map((kind) => [kind, new Roving(this.node, () => this.#all(kind), {
      next: (from, key) => this.#nearest(from, key),
      yields: (event) => !this.#nearest(event.target, event.key) && this.#leaves(event),
    })]));
    this.node.addEventListener("focusin", ({ target }) => this.#stopAt(/** @type {HTMLElement} */ (target)));
    sheet.append(this.node);
  }

  #all(kind) {
    return /** @type {HTMLElement[]} */ ([...this.node.children]).filter((one) => one.className === kind);
  }

  #stopAt(mark) {
    this.stops[mark.className] = mark.dataset.of;
    this.roving[mark.className]?.reach(mark);
  }

  // What is open innermost.
  #frame() {
    return this.#all("head").concat(this.#all("layer"), this.#all("end"))
      .find((one) => one.getAttribute("aria-expanded") === "true") ?? null;
  }

  // Tokens stand in one column: across it the page's own arrows go on; up from the marks is their frame.
  #leaves({ target, key }) {
    if (target.className === "token") return ["ArrowLeft", "ArrowRight"].includes(key);
    return target.className === "mark" && key === "ArrowUp";
  }

  // The nearest mark in the way of an arrow, among those of one kind.
  #nearest(from, key) {
    const by = ARROWS[key];
    if (!by) return null;
    const middle = (node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return [top + height / 2, left + width / 2];
    };
    const [y, x] = middle(from);
    const [down, right] = by;
    let best = null;
    let least = Infinity;
    for (const node of this.#all(from.className)) {
      if (node === from) continue;
      const [ny, nx] = middle(node);
      const ahead = (ny - y) * down + (nx - x) * right;
      const aside = Math.abs((ny - y) * right) + Math.abs((nx - x) * down);
      if (ahead < 4 || ahead + ASIDE * aside >= least) continue;
      least = ahead + ASIDE * aside;
      best = node;
    }
    return best;
  }

  // Between layers, and between heads; down from what is open to what is in it, and up again.
  #key(event) {
    this.wanted = null;
    const from = event.target;
    if (!ARROWS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    const up = from.className === "mark" && event.key === "ArrowUp" && !this.#nearest(from, event.key);
    if (ONE_STOP.includes(from.className) && !up) return;
    event.preventDefault(); // at the last of them it stays there, and the page does not walk on
    event.stopPropagation();
    const into = event.key === "ArrowDown" && from === this.#frame() ? this.#stop("mark") : null;
    (up ? this.#frame() : into ?? this.#nearest(from, event.key))?.focus();
  }

  // What the Tab key reaches of a kind: where she was last, else what is chosen, or the first.
  #stop(kind) {
    const all = this.#all(kind);
    return all.find((one) => one.dataset.of === this.stops[kind])
      ?? all.findLast((one) => one.getAttribute("aria-pressed") === "true") ?? all[0];
  }

  #focused() {
    const root = /** @type {ShadowRoot} */ (this.node.getRootNode());
    return /** @type {HTMLElement | null} */ (root.activeElement);
  }

  /**
   * The keyboard goes along from a place to another one: through a mark into it, and back to that mark.
   * @param {string} from
   * @param {string} to
   */
  along(from, to) {
    const focused = this.#focused();
    if (!focused || !SHARED.keyed) return;
    const inward = liesIn(to, from);
    if (inward && focused.className === "mark") this.entered[to] = focused.dataset.of;
    if (inward ? focused.className === "mark" : !to || liesIn(from, to)) this.wanted = { from, to, inward };
  }

  /**
   * A row was chosen by the page's arrows: where a token has the keyboard, that of the row has it.
   * @param {string} of
   */
  follow(of) {
    if (this.#focused()?.className === "token") this.#all("token").find((one) => one.dataset.of === of)?.focus();
  }

  // What was to have the keyboard is there, unless it is elsewhere by now.
  #arrive(inside) {
    if (!this.wanted) return;
    const { from, to, inward } = this.wanted;
    const focused = this.#focused();
    if (focused ? !this.node.contains(focused) : !nothingHasKeyboard()) {
      this.wanted = null;
      return;
    }
    const there = inside?.payload.place === to;
    const marks = there ? this.#all("mark") : [];
    const found = inward ? marks[0]
      : marks.find((one) => one.dataset.of === this.entered[from]) ?? marks.find((one) => one.dataset.goes === from)
        ?? [...this.node.children].find((one) => /** @type {HTMLElement} */ (one).dataset.place === from);
    if (!found) return;
    this.wanted = null;
    /** @type {HTMLElement} */ (found).focus({ preventScroll: true });
  }

  /**
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {any} payload
   * @param {{ choose: (tower: any, row: number) => void, go: (gap: any, part?: any) => void,
   *   chosen: (tower: any) => number, to: (place: string) => void }} does
   * @param {import("../inside/sheet.js").Sheet | null} inside what is drawn in the place that is gone into
   */
  draw(scene, camera, payload, does, inside) {
    const several = payload.towers.length > 1;
    const made = scene.items.flatMap((item) => {
      if (camera.hides(item)) return [];
      if (item.kind === "chips") return atRest(payload) ? [] : this.#tokens(scene, camera, item, does);
      if (!placeOf(item, several) || (item.kind === "gap" && !item.parts.length)) return [];
      return [this.#item(scene, camera, payload, item, does),
        ...this.#parts(scene, camera, payload, item, does)];
    });
    const marks = (inside?.boxes() ?? []).map((one) => this.#mark(one, inside, does));
    const open = made.findLastIndex((one) => one.getAttribute("aria-expanded") === "true");
    made.splice(open + 1, 0, ...marks); // what is in a place comes after its frame
    // Where a mark is gone, the innermost that is open has the keyboard, or what the mark was a part of.
    keepFocus(this.node, () => this.node.replaceChildren(...made), (all, of) =>
      this.#frame() ?? all.find((one) => one.dataset.of === of.split("/")[0]) ?? all[0]);
    for (const kind of ONE_STOP) this.roving[kind].reach(this.#stop(kind));
    this.#arrive(inside);
  }

  #box(x, y, width, height) {
    return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
  }

  #tokens(scene, camera, item, { choose, chosen }) {
    const { x, width } = camera.places.get(item);
    const at = chosen(item.tower);
    return item.tower.tokens.map((one, row) => el("button", {
      type: "button", "aria-label": scene.cut ? one.title : one.label, "aria-pressed": String(row === at),
      class: "token", tabindex: "-1", "data-of": `${scene.items.indexOf(item)}/${row}`,
      style: this.#box(x, scene.y(row) - scene.height / 2, width, scene.height),
      onclick: () => choose(item.tower, row),
    }));
  }

  #item(scene, camera, { labels, towers }, item, { go }) {
    const { x, width } = camera.places.get(item);
    const open = item === camera.open;
    const name = item.kind === "gap" ? fill(open ? labels.closing : labels.open, { i: item.layer })
      : fill(open ? labels.close_part : labels.open_part, { part: item.says ?? item.label });
    return el("button", {
      type: "button", "aria-label": name, "aria-expanded": String(open), class: item.kind === "gap" ? "layer" : "end",
      "data-of": String(scene.items.indexOf(item)), "data-place": placeOf(item, towers.length > 1),
      style: this.#box(x, scene.head - 12, width, 24), onclick: () => go(item),
    });
  }

  #parts(scene, camera, payload, item, { go, chosen }) {
    if (item !== camera.open) return [];
    const row = chosen(item.tower);
    const looks = (part) => `${fill(payload.labels.head, { h: part.head })}: ${scene.takes(part, row)}`;
    return (item.parts ?? []).filter(({ goes }) => goes).map((part) => {
      const place = camera.places.get(part);
      return el("button", {
        type: "button", class: "head", "aria-expanded": String(part === camera.head),
        "data-of": `${scene.items.indexOf(item)}/${item.parts.indexOf(part)}`,
        "data-place": `${placeOf(item, payload.towers.length > 1)}.${partOf(part)}`,
        onclick: () => go(item, part), "aria-label": part.kind === "head" ? looks(part) : part.says,
        style: this.#box(place.x, scene.top, place.width, scene.height * item.tower.tokens.length),
      });
    });
  }

  // A mark of what is gone into: what it is, its value, and where it is.
  #mark({ column, mark, x, y, width, height }, inside, { to }) {
    const says = column.kind === "strip" ? `${mark.says}: ${column.says}` : mark.says ?? mark.text;
    return el("button", {
      type: "button", class: "mark", "aria-label": `${inside.payload.title}: ${says}`,
      "aria-disabled": mark.goes ? null : "true", tabindex: "-1", "data-goes": mark.goes || null,
      "data-of": `${inside.payload.place} ${column.name} ${mark.row}`, style: this.#box(x, y, width, height),
      onclick: () => mark.goes && to(mark.goes),
    });
  }
}

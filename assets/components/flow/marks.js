// What can be reached in the picture, for the keyboard and for those who have it read out: a button
// over each token, each layer, each part of the layer that is open, and each mark of the part that
// is gone into. The pointer goes through them; arrows go from one to the nearest.

import { el, fill, keepFocus } from "../shared/dom.js";
import { ARROWS } from "../shared/keys.js";
import { percent } from "../shared/numbers.js";
import { placeOf } from "./places.js";
import { atRest } from "./told.js";

const ASIDE = 2.5; // a way sideways counts so much more than one ahead

export class Marks {
  /** @param {HTMLElement} sheet that holds the picture */
  constructor(sheet) {
    this.node = el("div", { class: "marks" });
    this.node.addEventListener("keydown", (event) => this.#key(event));
    sheet.append(this.node);
  }

  // To the nearest mark in the way of an arrow, among those of one kind.
  #key(event) {
    const by = ARROWS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = event.target;
    const kind = from.className;
    const middle = (node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return [top + height / 2, left + width / 2];
    };
    const [y, x] = middle(from);
    const [down, right] = by;
    let best = null;
    let least = Infinity;
    for (const node of this.node.children) {
      if (node === from || (node.className !== kind && kind !== "")) continue;
      const [ny, nx] = middle(node);
      const ahead = (ny - y) * down + (nx - x) * right;
      const aside = Math.abs((ny - y) * right) + Math.abs((nx - x) * down);
      if (ahead < 4 || ahead + ASIDE * aside >= least) continue;
      least = ahead + ASIDE * aside;
      best = node;
    }
    event.preventDefault(); // at the last of them it stays there, and the page does not walk on
    event.stopPropagation();
    best?.focus({ preventScroll: false });
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
    // Where a mark is gone, the innermost that is open has the keyboard, or what the mark was a part of.
    keepFocus(this.node, () => this.node.replaceChildren(...made, ...marks), (all, of) =>
      all.findLast((one) => one.getAttribute("aria-expanded") === "true")
      ?? all.find((one) => one.dataset.of === of.split("/")[0]) ?? all[0]);
  }

  #box(x, y, width, height) {
    return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
  }

  #tokens(scene, camera, item, { choose, chosen }) {
    const { x, width } = camera.places.get(item);
    const at = chosen(item.tower);
    return item.tower.tokens.map((one, row) => el("button", {
      type: "button", "aria-label": scene.cut ? one.title : one.label, "aria-pressed": String(row === at),
      class: "token", "data-of": `${scene.items.indexOf(item)}/${row}`,
      style: this.#box(x, scene.y(row) - scene.height / 2, width, scene.height),
      onclick: () => choose(item.tower, row),
    }));
  }

  #item(scene, camera, { labels }, item, { go }) {
    const { x, width } = camera.places.get(item);
    const open = item === camera.open;
    const name = item.kind === "gap" ? fill(open ? labels.closing : labels.open, { i: item.layer })
      : fill(open ? labels.close_part : labels.open_part, { part: item.says ?? item.label });
    return el("button", {
      type: "button", "aria-label": name, "aria-expanded": String(open), class: item.kind === "gap" ? "layer" : "end",
      "data-of": String(scene.items.indexOf(item)),
      style: this.#box(x, scene.head - 12, width, 24), onclick: () => go(item),
    });
  }

  #parts(scene, camera, payload, item, { go, chosen }) {
    if (item !== camera.open) return [];
    const row = chosen(item.tower);
    const looks = (part) => {
      const { key, share } = scene.strongest(part, row);
      const from = part.across ? payload.towers[0] : item.tower;
      return `${fill(payload.labels.head, { h: part.head })}: ${item.tower.tokens[row].label} → `
        + `${from.tokens[key].label} ${percent(share)}`;
    };
    return (item.parts ?? []).filter(({ goes }) => goes).map((part) => {
      const place = camera.places.get(part);
      return el("button", {
        type: "button", class: "head", "aria-expanded": String(part === camera.head),
        "data-of": `${scene.items.indexOf(item)}/${item.parts.indexOf(part)}`,
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
      "aria-disabled": mark.goes ? null : "true",
      "data-of": `${inside.payload.place} ${column.name} ${mark.row}`, style: this.#box(x, y, width, height),
      onclick: () => mark.goes && to(mark.goes),
    });
  }
}

// What can be reached in the picture, for the keyboard and for those who have it read out: a button
// over each token, each layer, and each head of the layer that is open. The pointer goes through them.

import { el, fill, keepFocus } from "../shared/dom.js";
import { percent } from "../shared/numbers.js";

export class Marks {
  /** @param {HTMLElement} sheet that holds the picture */
  constructor(sheet) {
    this.node = el("div", { class: "marks" });
    sheet.append(this.node);
  }

  /**
   * @param {import("./lettering.js").Lettering} scene
   * @param {import("./camera.js").Camera} camera
   * @param {any} payload
   * @param {{ choose: (tower: any, row: number) => void, go: (gap: any) => void,
   *   chosen: (tower: any) => number }} does
   */
  draw(scene, camera, payload, { choose, go, chosen }) {
    const { labels } = payload;
    const box = (x, y, width, height) => ({
      left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`,
    });
    const made = scene.items.flatMap((item) => {
      const { x, width } = camera.places.get(item);
      if (item.kind === "chips") {
        const at = chosen(item.tower);
        return item.tower.tokens.map((one, row) => el("button", {
          type: "button", "aria-label": one.label, "aria-pressed": String(row === at),
          style: box(x, scene.y(row) - scene.height / 2, width, scene.height),
          onclick: () => choose(item.tower, row),
        }));
      }
      if (item.kind !== "gap" || !item.parts.length) return [];
      const open = item === camera.open;
      const name = fill(open ? labels.closing : labels.open, { i: item.layer });
      const row = chosen(item.tower);
      const parts = open ? item.parts.filter(({ goes }) => goes) : [];
      return [el("button", {
        type: "button", "aria-label": name, "aria-expanded": String(open), class: "layer",
        style: box(x, scene.top - 26, width, 24), onclick: () => go(item),
      }), ...parts.map((part) => {
        const place = camera.places.get(part);
        const looks = () => {
          const { key, share } = scene.strongest(part, row);
          const from = part.across ? payload.towers[0] : item.tower;
          return `${fill(labels.head, { h: part.head })}: ${item.tower.tokens[row].label} → `
            + `${from.tokens[key].label} ${percent(share)}`;
        };
        return el("button", {
          type: "button", class: "head", "aria-expanded": String(part === camera.head),
          onclick: () => go(item, part), "aria-label": part.kind === "head" ? looks() : part.says,
          style: box(place.x, scene.top, place.width, scene.height * item.tower.tokens.length),
        });
      })];
    });
    keepFocus(this.node, () => this.node.replaceChildren(...made));
  }
}

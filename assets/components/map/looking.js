// Attention that stands by itself: one map, or one for each of its heads.

import { el } from "../shared/dom.js";

/**
 * @param {import("./tower.js").Towers} on
 * @param {Record<string, any>} tower
 * @param {Record<string, any>} part
 * @returns {Node[]}
 */
export function looking(on, tower, part) {
  const [kind] = part.heads;
  return [el("div", { class: "layers" }, on.heads(tower, part, kind, on.chosen.layer(part)))];
}

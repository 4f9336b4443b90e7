// Blocks, of which one is open: heads, norms, feed-forward network and sums.

import { el, fill } from "../shared/dom.js";
import { headMap, wrote } from "./pictures.js";

function closed(on, tower, part, index) {
  const { chosen } = on;
  const { labels } = on.payload;
  const palette = on.env.palette();
  const n = part.heads[0].n_heads;
  const room = (chosen.rows * chosen.rowHeight - 60) / (n * part.heads.length);
  const size = Math.max(20, Math.min(chosen.sizes.small, Math.floor(room) - 4));
  const maps = part.heads.map(({ array }, k) => el("span", { class: k ? "maps across" : "maps" },
    ...Array.from({ length: n }, (_, h) =>
      headMap(on.array(part, `${array}.${index}`), h, size, palette))));
  return el("button", {
    type: "button", class: "closed", title: fill(labels.open, { i: index }),
    onclick: () => chosen.choose({ layer: index, ...chosen.named(part.heads[0].attention) }),
  }, el("span", { class: "small muted" }, fill(labels.block, { i: index })), ...maps,
  wrote(on.array(part, `wrote.${index}`),
    { width: size, height: 44, chosen: chosen.token(tower), palette }));
}

function open(on, tower, part, index) {
  const { labels, sizes } = on.payload;
  const pieces = part.order.map((id) => {
    const kind = part.heads.find(({ piece }) => piece === id);
    if (kind) {
      return el("div", { class: `piece${kind === part.heads[0] ? "" : " across"}` },
        el("span", { class: "small muted", title: kind.title }, kind.label),
        on.heads(tower, part, kind, index));
    }
    const { label, name, width } = part.looks[id];
    return on.part(tower, id, "piece", name || label, [el("span", { class: "small muted" }, label),
      on.strips(tower, on.array(part, `${id}.${index}`), sizes[width], name)]);
  });
  return el("div", { class: "open" },
    el("strong", { class: "name" }, fill(labels.block, { i: index })),
    el("div", { class: "pieces" }, ...pieces));
}

/**
 * @param {import("./tower.js").Towers} on
 * @param {Record<string, any>} tower
 * @param {Record<string, any>} part
 * @returns {Node[]}
 */
export function blocks(on, tower, part) {
  const opened = tower === on.chosen.opened ? on.chosen.layer(part) : -1;
  return [el("div", { class: "row" }, ...Array.from({ length: part.n_layers }, (_, index) =>
    (index === opened ? open : closed)(on, tower, part, index)))];
}

// Recurrent layers: of each direction the gates and the state at every token, one layer open.

import { el, fill } from "../shared/dom.js";

// The strips of one direction of a layer; of one that is closed what it hands on alone.
function reading(on, tower, part, { name, label, cells }, index, open) {
  const { sizes } = on.payload;
  const gives = part.gives && name === part.readings[0].name && index === part.n_layers - 1;
  const shown = open ? cells : cells.slice(-1);
  return el("div", { class: "reading" },
    el("span", { class: "small muted" }, label),
    el("div", { class: "pieces" }, ...shown.map((cell) => el("div", {
      class: `piece${cell === cells.at(-1) ? " handed" : ""}`,
    },
      el("span", { class: "small muted", title: cell.title }, cell.label),
      on.part(tower, "recurrent", "cell", cell.title, [on.strips(
        tower, on.array(part, `${name}.${cell.name}.${index}`), sizes.cell, "", cell.role,
      )]),
      gives && cell === cells.at(-1) ? on.gives(part) : null))));
}

/**
 * @param {import("./tower.js").Towers} on
 * @param {Record<string, any>} tower
 * @param {Record<string, any>} part
 * @returns {Node[]}
 */
export function recurrent(on, tower, part) {
  const { labels } = on.payload;
  const { readings, n_layers: n } = part;
  const opened = on.chosen.layer(part);
  const layers = Array.from({ length: n }, (_, index) => el("div", { class: "layer" },
    n === 1 ? null : el("button", {
      type: "button", class: `small${index === opened ? " chosen" : ""}`,
      title: fill(labels.open, { i: index }), "aria-pressed": String(index === opened),
      onclick: () => on.chosen.choose({ layer: index }),
    }, fill(labels.block, { i: index })),
    el("div", { class: "readings" },
      ...readings.map((one) => reading(on, tower, part, one, index, index === opened)))));
  return [el("div", { class: "layers" }, ...layers)];
}

// What the colours of a sheet stand for: from its lowest to its highest number, as a strip.

import { rgb } from "../shared/colour.js";
import { el } from "../shared/dom.js";
import { colouring } from "./canvas.js";

const STOPS = 9; // of the strip, in the middle of which a signed one has its 0

/** The strip below a matrix; nothing where numbers or names stand in the cells, or bars do. */
export class Scale {
  node = el("p", { class: "scale small muted" });

  /**
   * @param {import("./cells.js").Cells} cells
   * @param {import("../shared/colour.js").Palette} palette
   */
  draw(cells, palette) {
    const { scale, categories, glyph, numbers, texts, counts } = cells.sheet;
    const high = scale.limit ?? 1;
    const open = Array.from(cells.array.values).some((value) => Number.isFinite(value)); // not all is covered
    const none = !open || categories || scale.limits || glyph || numbers || texts || counts;
    this.node.hidden = Boolean(none);
    if (none) return;
    const signed = scale.kind === "signed", low = signed ? -high : scale.zero ?? 0;
    const colour = colouring(cells, palette);
    const stops = Array.from({ length: STOPS }, (_one, n) => rgb(colour(0, low + (high - low) * n / (STOPS - 1))));
    const ends = signed ? [low, 0, high] : [low, high];
    const words = ends.map((value) => el("span", {}, cells.said(value)));
    const strip = el("i", { style: { background: `linear-gradient(to right, ${stops.join(",")})` } });
    this.node.replaceChildren(strip, el("span", { class: "ends" }, ...words));
  }
}

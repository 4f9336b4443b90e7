// The drawing that Python made (core/figures/components/plot), in the colours of the page.

import { pen } from "../shared/canvas.js";
import { channels, mix } from "../shared/colour.js";
import { el } from "../shared/dom.js";
import { imageOf } from "../shared/raster.js";

const STEPS = 255; // between the colours of a heat

/** @type {(looks: Record<string, any>, palette: Record<string, any>) => Record<string, any>} */
const resolved = ({ fill, stroke, ...more }, palette) =>
  ({ fill: palette[fill] ?? fill, stroke: palette[stroke] ?? stroke, ...more });
const short = (pixels) => Math.round(pixels * 100) / 100; // as the file has them

/**
 * An element of the drawing, with all marks of a series or all cells of a heat in it.
 * @param {[tag: string, attributes: Record<string, any>, more: any]} piece
 * @param {import("./points.js").Points} points
 * @param {import("../shared/colour.js").Palette} palette
 * @returns {SVGElement}
 */
export function pieceOf([tag, attributes, more], points, palette) {
  if (tag === "cells") return picture(more, points, palette);
  const { d, ...looks } = resolved(attributes, palette);
  if (tag !== "marks") return el(`svg:${tag}`, { d, ...looks }, more);
  const marks = [];
  points.each(more, (x, y) => {
    marks.push(el("svg:path", { d, transform: `translate(${short(x)} ${short(y)})` }));
  });
  return el("svg:g", looks, ...marks);
}

// The cells of a heat; what is no number shows the ground.
function picture(s, points, palette) {
  const { rows, columns, box: [x, y, width, height] } = points.cells(s);
  const { values, shape: [, n] } = points.payload.arrays[`z.${s}`];
  const { low, high, colours } = points.payload.series[s];
  const ends = colours.map((name) => channels(palette[name]));
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const along = (step / (STEPS - 1)) * (ends.length - 1);
    const from = Math.min(ends.length - 2, Math.floor(along));
    return mix(ends[from], ends[from + 1], along - from);
  });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns.length, rows.length];
  pen(canvas).putImageData(imageOf(rows.length, columns.length, (i, j) => {
    const value = rows[i] < 0 || columns[j] < 0 ? NaN : values[rows[i] * n + columns[j]];
    if (Number.isNaN(value)) return null;
    const share = Math.max(0, Math.min(1, (value - low) / (high - low)));
    return steps[Math.round(share * (STEPS - 1))];
  }), 0, 0);
  return el("svg:image", {
    x, y, width, height, preserveAspectRatio: "none", href: canvas.toDataURL("image/png"), "aria-hidden": "true",
  });
}

// Lines from one part of the drawing to others.

import { el } from "../shared/dom.js";

/** @typedef {{ x: number, y: number }} Point */

/**
 * From a point along corners, and from there to several ends, each with a head that points down.
 * @param {SVGElement} svg
 * @param {Point} from
 * @param {Point[]} corners
 * @param {{ start: Point, end: Point }[]} ends
 */
export function line(svg, from, corners, ends) {
  const to = ({ x, y }) => `L${x} ${y}`;
  const trunk = `M${from.x} ${from.y}${corners.map(to).join("")}`;
  const drops = ends.map(({ start, end }) => `M${start.x} ${start.y}${to(end)}`).join("");
  const heads = ends.map(({ end: { x, y } }) => `M${x - 4} ${y - 6}l4 6l4 -6z`).join("");
  svg.replaceChildren(
    el("svg:path", { d: trunk + drops, class: "edge" }),
    el("svg:path", { d: heads, class: "edge-head" }));
}

/**
 * Where an element stands in what holds it.
 * @param {Element} node
 * @param {HTMLElement} holder
 * @returns {{ left: number, top: number, right: number, bottom: number, x: number, y: number }}
 */
export function box(node, holder) {
  const outer = holder.getBoundingClientRect();
  const own = node.getBoundingClientRect();
  const scale = outer.width / holder.offsetWidth || 1; // a lecture makes the strip smaller
  const left = (own.left - outer.left) / scale + holder.scrollLeft;
  const top = (own.top - outer.top) / scale;
  const [width, height] = [own.width / scale, own.height / scale];
  return {
    left, top, right: left + width, bottom: top + height, x: left + width / 2, y: top + height / 2,
  };
}

// From which tokens one of them takes its information: an arc each, as thick as its share.

import { el } from "../shared/dom.js";
import { percent } from "../shared/numbers.js";

const LEAST = 0.03; // share from which an arc is drawn
const GAP = 8; // pixels beside a label
const CHARACTER = 0.61; // width of one, in heights of the type

/**
 * @param {{ labels: string[], shares: number[], row: number, width: number, height: number,
 *   type: number }} what the labels of the rows, the share that each gets, the row that gives them;
 *   the height of a row and of the type
 * @returns {SVGElement}
 */
export function arcsTo({ labels, shares, row, width, height, type }) {
  const y = (n) => (n + 0.5) * height;
  const top = shares.indexOf(Math.max(...shares));
  const end = width - GAP;
  const said = (n) => (n === top ? `${labels[n]} ${percent(shares[n])}` : labels[n]);
  const written = (n) => CHARACTER * type * said(n).length + GAP;
  const others = labels.map((_, n) => n).filter((n) => n !== row);
  const arcs = others.filter((n) => shares[n] >= LEAST).map((n) => {
    const from = Math.min(written(n), width - 3 * GAP);
    return el("svg:path", {
      d: `M${from} ${y(n)}C${end + 6} ${y(n)} ${end} ${y(n) + 2 * height} ${end} ${y(row)}`,
      class: `arc${n === top ? " most" : ""}`, pathLength: 1,
      "stroke-width": (1 + 6 * shares[n]).toFixed(1),
    });
  });
  const names = others.map((n) => el("svg:text", {
    x: 0, y: y(n) + type / 3, "font-size": type, class: n === top ? "from most" : "from",
  }, said(n)));
  return el("svg:svg", {
    class: "arcs-to", width, height: height * labels.length, "aria-hidden": "true",
  }, ...arcs, ...names);
}

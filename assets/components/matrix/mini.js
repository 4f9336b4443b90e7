// Named amounts as small bars beside the matrix, from one zero line: negative ones to its left.

import { el } from "../shared/dom.js";
import { fmt, full, percent } from "../shared/numbers.js";

/** @typedef {{ zero: number, widths: number[] }} Spans */

/**
 * Where the zero line stands and how wide each bar is, as shares of the room there is. Without a
 * negative value the bars begin at the left edge.
 * @param {number[]} values
 * @returns {Spans}
 */
export function spans(values) {
  const least = Math.min(0, ...values);
  const room = Math.max(Math.max(0, ...values) - least, 1e-12);
  return { zero: (0 - least) / room, widths: values.map((value) => Math.abs(value) / room) };
}

/**
 * @param {[string, number][]} pairs
 * @param {string} [role] colour
 * @returns {HTMLElement}
 */
export function bars(pairs, role) {
  const { zero, widths } = spans(pairs.map(([, value]) => value));
  const along = (share) => `${100 * share}%`;
  return el("div", { class: "mini" }, ...pairs.map(([name, value], i) =>
    el("div", { class: "mini-row", title: full(value) },
      el("span", { class: "mini-name code" }, name),
      el("span", { class: "mini-track" },
        zero ? el("span", { class: "mini-zero", style: { left: along(zero) } }) : null,
        el("span", {
          class: value < 0 ? "mini-bar negative" : "mini-bar",
          style: {
            [value < 0 ? "right" : "left"]: along(value < 0 ? 1 - zero : zero),
            width: along(widths[i]),
            background: `var(--glass-${role ?? "accent"})`,
          },
        })),
      el("span", { class: "code small" }, role === "weight" ? percent(value) : fmt(value)))));
}

// What a point of a plot says.

import { byTen, grouped, spelt } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";

// As the page writes them (d3-format), but for the minus sign.
function write(value, form) {
  if (form === "") return String(value);
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const digits = Number(form.slice(1, -1));
  const text = form === ",d" ? String(Math.round(size))
    : form.endsWith("f") ? size.toFixed(digits) : size.toPrecision(digits);
  const said = form === ",d" ? grouped(text) : spelt(byTen(text));
  return (value < 0 && Number(text) !== 0 ? `-${said}` : said).replaceAll("-", "−");
}

function valueOf({ series, arrays }, at, field) {
  const one = series[at.series];
  if (field === "name") return one.name;
  if (field === "z" || field === "custom") return at2(arrays[`${field}.${at.series}`], at.row, at.column);
  return one[field][at.point ?? (field === "x" ? at.column : at.row)];
}

const say = (payload, at, template) => template.map((part) =>
  (typeof part === "string" ? part : write(valueOf(payload, at, part[0]), part[1]))).join("");

/**
 * A line for each point of its group.
 * @param {import("./points.js").Points} points
 * @param {import("./points.js").At} at
 * @returns {string}
 */
export function wordsOf(points, at) {
  const { payload } = points;
  const lines = points.group(at).map((one) => say(payload, one, payload.series[one.series].hover));
  return [...(payload.unified ? [say(payload, at, payload.head)] : []), ...lines].join("\n");
}

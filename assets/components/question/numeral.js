// A number that is typed, and beside it how it is read. What is typed may be a calculation: signs and
// the question's numbers are put in by a click, and what it comes to stands beside it.

import { el, fill } from "../shared/dom.js";
import { byTen, fmt, grouped, spelt } from "../shared/numbers.js";
import { typed } from "../shared/typed.js";

const SIGNS = ["+", "−", "×", "÷", "^", "√", "e^", "ln(", "log2(", "(", ")"];
const DIGITS = 12; // of a number that was typed; of one that was worked out half of them

/** @typedef {import("../shared/payload.js").Payload} Payload */

const isShare = (payload) => payload.sort === "share";
const wordsOf = (ask) => (typeof ask === "string" ? ask : ask.map(([words]) => words).join(" "));

/**
 * What the text in the field says.
 * @param {Payload} payload
 * @param {any} value
 * @returns {import("../shared/typed.js").Typed}
 */
const read = (payload, value) => typed(String(value ?? ""), {
  whole: payload.sort === "whole", unit: payload.unit ?? "", words: wordsOf(payload.ask),
});

/**
 * A number as it was understood, in the signs of the language.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
function written(value, digits = DIGITS) {
  const text = String(Number(value.toPrecision(digits)));
  return (text.includes("e") ? spelt(byTen(text)) : grouped(text)).replaceAll("-", "−");
}

/**
 * How a text is read; empty where that is plain to see, or it is not finished yet.
 * @param {Payload} payload
 * @param {any} value
 * @returns {string}
 */
export function reading(payload, value) {
  if (typeof value !== "string") return "";
  const { value: found, percent, other, asis, worked } = read(payload, value);
  const { labels } = payload;
  if (!Number.isFinite(found)) return "";
  if (percent && !isShare(payload)) return labels.no_share;
  const digits = worked ? DIGITS / 2 : DIGITS;
  // Above one whole, per cent are meant.
  const share = isShare(payload) && !percent && Math.abs(found) > 1 ? found / 100 : found;
  const number = isShare(payload) ? `${written(100 * share, digits)}${spelt(" %")}` : written(found, digits);
  if (other !== null && !worked) return fill(labels.read_not, { number, other: written(other) });
  if (isShare(payload) ? asis && percent : asis) return "";
  return number === value.trim() ? "" : fill(labels.read, { number });
}

/**
 * What is sent of a text, or why nothing is.
 * @param {Payload} payload
 * @param {any} value
 * @returns {{ value: number, percent?: boolean } | { refused: string }}
 */
export function answerIn(payload, value) {
  if (typeof value === "number") return { value };
  const { value: found, percent } = read(payload, value);
  const { labels } = payload;
  if (!Number.isFinite(found)) return { refused: labels.a_number };
  if (percent && !isShare(payload)) return { refused: labels.no_share };
  return percent ? { value: found, percent } : { value: found };
}

/**
 * The field, with its unit and how its text is read.
 * @param {Payload} payload
 * @param {any} value as it was typed, or a number that comes back
 * @param {{ done: boolean, changed: (text: string) => void }} how
 * @returns {HTMLElement[]}
 */
export function field(payload, value, { done, changed }) {
  const said = el("output", { class: "read", id: "read" }, reading(payload, value));
  const input = el("input", {
    type: "text", inputmode: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-labelledby": "ask", "aria-describedby": "read", readonly: done,
    oninput: () => {
      changed(input.value);
      said.textContent = reading(payload, input.value);
    },
  });
  // A count has no decimals: 4, not 4.00.
  const known = Number.isSafeInteger(value) ? grouped(String(value)).replace("-", "−") : fmt(value);
  input.value = typeof value === "number" ? known : value ?? "";
  const row = el("label", { class: "number-field" }, input, payload.unit ? ` ${payload.unit}` : null, said);
  return done ? [row] : [row, calculator(payload, input)];
}

// Buttons that put a sign or a number of the question where the cursor stands.
function calculator(payload, input) {
  const put = (text) => {
    const at = input.selectionStart ?? input.value.length;
    input.setRangeText(text, at, input.selectionEnd ?? at, "end");
    input.dispatchEvent(new Event("input"));
    input.focus();
  };
  const key = (text, kind) => el("button", { type: "button", class: kind, onclick: () => put(text) }, text);
  const said = payload.numbers ?? [];
  return el("div", { class: "calculator", role: "group", "aria-label": payload.labels.calculator },
    ...SIGNS.map((sign) => key(sign, "sign")), ...said.map((number) => key(number, "given")));
}

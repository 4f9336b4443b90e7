// A number as a person writes it: a decimal with a point or a comma, thousands apart, −1,69e-1,
// 8.12 × 10^−1, −1/3, 512/4, √64, 2^7, 17 %, 12 bits, 12.6 billion, 12,6 Md. What the text means is worked out here, term by
// term; nothing of it is ever run.

import { point } from "./numbers.js";

const LONGEST = 80; // characters; a longer text is none
const LARGEST = 1e15; // and a larger number is none, on the way to it neither
const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** @type {[RegExp, string | ((found: string) => string)][]} */
const ALIKE = [
  [/[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (found) => `^(${[...found].map(plain).join("")})`],
  [/[‐‑‒–—―−﹣－]/g, "-"], [/\*\*/g, "^"], [/[×⋅·∙•✕✖]/g, "*"],
  [/(?<=[\d\s)])(?<!\b0)[xX](?=[\d\s(√.,])/g, "*"],
  [/[÷⁄∕:]/g, "/"], [/[%％]|\b(?:per\s?cent|pour\s?cent)\b/gi, "%"], [/\bsqrt\b/gi, "√"],
  [/^.*[=≈≃≅~]/s, ""], // 512/4 = 128
  [/^\s*(?:about|around|roughly|approximately|approx\.?|ca\.?|circa|environ|à peu près)\s/i, ""],
];
// Digits with what may stand between them. A blank parts thousands, and no two numbers.
const NUMERAL = /^(?:\d|[.,]\d)(?:[\d.,'’_]|\s(?=\d{3}(?!\d)))*(?:e[-+]?\d+)?/i;
const MANTISSA = /^\s*\*\s*10\s*\^/; // follows a number of which the first digit is before the point
const THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/; // or three decimals
/** @type {Record<string, (value: number) => number>} */
const FUNCTIONS = { exp: Math.exp, ln: Math.log, log2: Math.log2 };
/** @type {Record<string, number>} */
const CONSTANTS = { pi: Math.PI, "π": Math.PI, e: Math.E };
/** @type {Record<string, number>} */
const MULTIPLES = {
  thousand: 1e3, mille: 1e3, millier: 1e3, million: 1e6, billion: 1e9, milliard: 1e9,
};
// As they are written in short, and only so: m is a metre, b a bit.
/** @type {Record<string, number>} */
const SHORT = {
  k: 1e3, K: 1e3, M: 1e6, Mio: 1e6, mio: 1e6, B: 1e9, bn: 1e9, Bn: 1e9, Md: 1e9, md: 1e9, Mds: 1e9, Mrd: 1e9,
};
const HOW_MANY = /(?:how\s+many|combien\s+de)\s+(\p{L}+)/iu; // billions: that is what is counted in

/**
 * What a text says.
 * @typedef {object} Typed
 * @property {number} value not a number where it says none
 * @property {boolean} percent it says per cent, and the value is the share
 * @property {number | null} other what its digits would be with the other meaning of a comma or point
 * @property {boolean} asis it is written as the language writes numbers, so that nothing was guessed
 * @property {boolean} worked it was worked out, and is no number by itself
 */

/**
 * Read what a learner typed.
 * @param {string} text
 * @param {{ whole?: boolean, unit?: string, words?: string }} [about] the number is a whole one; the
 *   unit that stands behind the field; a text whose words may stand behind the number, too
 * @returns {Typed}
 */
export function typed(text, { whole = false, unit = "", words = "" } = {}) {
  const own = text.length <= LONGEST ? text.trim() : "";
  const said = ALIKE.reduce((so, [what, by]) => so.replace(what, /** @type {string} */ (by)), own);
  const reader = new Reader(said, whole);
  try {
    const value = scaled(reader.sum(), reader.rest, unit, words);
    const asis = new RegExp(`^[-−+]?\\d+(?:\\${point()}\\d+)?\\s?%?$`).test(own) && reader.other === null;
    const { percent, other, worked } = reader;
    return { value, percent, other, asis, worked };
  } catch (problem) {
    if (!(problem instanceof Unreadable)) throw problem;
    return { value: NaN, percent: false, other: null, asis: true, worked: false };
  }
}

class Unreadable extends Error {}

// Reads from the left; what has been read is cut off.
class Reader {
  constructor(text, whole) {
    this.rest = text;
    this.whole = whole;
    this.percent = false;
    /** @type {number | null} */
    this.other = null;
    this.worked = false;
  }

  /**
   * Take what stands next, if it does.
   * @param {RegExp} what
   * @returns {string | null}
   */
  take(what) {
    const found = this.rest.match(what);
    if (!found) return null;
    this.rest = this.rest.slice(found[0].length);
    return found[0].trim();
  }

  sum() {
    let value = this.product();
    for (let sign = this.take(/^\s*[-+]/); sign; sign = this.take(/^\s*[-+]/)) {
      const next = this.product();
      value = this.work(sign === "+" ? value + next : value - next);
    }
    return value;
  }

  product() {
    let value = this.signed();
    for (;;) {
      const sign = this.take(/^\s*[*/]/);
      if (sign) {
        const next = this.signed();
        value = this.work(sign === "*" ? value * next : value / next);
      } else if (/^\s*[√(π]/.test(this.rest)) value = this.work(value * this.power()); // 2√3
      else return value;
    }
  }

  signed() {
    const sign = this.take(/^\s*[-+]/);
    return sign === "-" ? -this.power() : this.power();
  }

  power() {
    let value = this.atom();
    if (this.take(/^\s*\^/)) value = this.work(value ** this.signed());
    if (this.take(/^\s*%/)) {
      this.percent = true;
      value /= 100;
    }
    return value;
  }

  atom() {
    this.take(/^\s+/);
    if (this.take(/^√/)) return this.work(Math.sqrt(this.power()));
    if (this.take(/^\(/)) {
      const value = this.sum();
      if (!this.take(/^\s*\)/)) throw new Unreadable();
      return value;
    }
    const digits = this.take(NUMERAL);
    if (digits) return this.numeral(digits);
    const name = (this.take(/^(?:exp|ln|log2|pi|π|e)(?![\p{L}\d])/iu) ?? "").toLowerCase();
    if (name in CONSTANTS) return this.work(CONSTANTS[name]);
    if (name in FUNCTIONS && /^\s*\(/.test(this.rest)) return this.work(FUNCTIONS[name](this.atom()));
    throw new Unreadable();
  }

  // Something was worked out: it is finite, or it is none.
  work(value) {
    this.worked = true;
    return bounded(value);
  }

  numeral(digits) {
    const [whole, exponent = ""] = digits.toLowerCase().split("e");
    const mantissa = exponent !== "" || MANTISSA.test(this.rest);
    const [value, other] = decimal(whole, mantissa, this.whole);
    if (other !== null) this.other = bounded(other);
    return bounded(Number(`${value}${exponent && `e${exponent}`}`));
  }
}

/**
 * Digits, commas and points as a number: the sign that stands last and once parts the decimals.
 * @param {string} digits
 * @param {boolean} mantissa it has decimals, as a power of ten follows
 * @param {boolean} whole it has none, if three digits follow the sign
 * @returns {[text: string, other: number | null]}
 */
function decimal(digits, mantissa, whole) {
  const apart = digits.replace(/\.$/, "").split(/[\s'’_]/); // 128. ends a sentence
  const joined = apart.join("");
  const parts = joined.split(/[.,]/);
  const used = [...joined.replace(/\d/g, "")];
  const last = used.at(-1) ?? "";
  const others = used.slice(0, -1);
  if (apart.length > 1 && !(thousands(apart.map((one) => one.split(/[.,]/)[0])) && used.length <= 1
    && apart.slice(0, -1).every((one) => /^\d+$/.test(one)))) throw new Unreadable();
  if (!used.length) return [joined, null];
  if (others.includes(last) || (others.length && new Set(others).size > 1)) {
    if (new Set(used).size > 1 || !thousands(parts)) throw new Unreadable(); // 1.2.3
    return [parts.join(""), null];
  }
  if (others.length && !thousands(parts.slice(0, -1))) throw new Unreadable();
  const [one, three] = [`${parts.slice(0, -1).join("")}.${parts.at(-1)}`, parts.join("")];
  if (others.length || apart.length > 1 || mantissa || !THOUSANDS.test(joined)) return [one, null];
  const grouped = whole || (last === "," && point() === ".");
  return grouped ? [three, Number(one)] : [one, Number(three)];
}

// Groups of digits, as thousands are written.
const thousands = ([first, ...others]) =>
  /^\d{1,3}$/.test(first) && others.every((one) => one.length === 3);

function bounded(value) {
  if (!(Math.abs(value) <= LARGEST)) throw new Unreadable();
  return value;
}

// What stands behind a number: its unit, words of the question, or how many of them.
function scaled(value, rest, unit, words) {
  const behind = rest.trim().replace(/\.$/, "");
  const by = multipleOf(unit) ?? multipleOf(words.match(HOW_MANY)?.[1] ?? "") ?? 1;
  // Nobody means a hundred million billions: the number was written out.
  if (!behind) return bounded(by >= 1e6 && Math.abs(value) >= by / 10 ? value / by : value);
  const known = new Set(stems(`${unit} ${words}`).filter((one) => one.length > 2 || unit.includes(one)));
  let factor = 1;
  for (const own of parted(behind)) {
    const many = multipleOf(own) ?? inShort(own, by > 1 ? "" : unit);
    if (many) factor *= many / by;
    else if (!known.has(stem(own))) throw new Unreadable();
  }
  if (/[^\p{L}\p{M}\s.'’-]/u.test(behind)) throw new Unreadable(); // 1 2
  return bounded(value * factor);
}

const parted = (text) => text.split(/[^\p{L}\p{M}]+/u).filter(Boolean);
const stem = (word) => (word.length > 3 ? word.toLowerCase().replace(/[sx]$/, "") : word.toLowerCase());
const stems = (text) => parted(text).map(stem);

// How many a word stands for, of "billions" or "milliards de jetons"; undefined for another word.
function multipleOf(text) {
  const [first = ""] = stems(text);
  return Object.hasOwn(MULTIPLES, first) ? MULTIPLES[first] : undefined;
}

// 5 B is no billion of bits.
const inShort = (word, unit) =>
  (Object.hasOwn(SHORT, word) && word[0].toLowerCase() !== unit.trim()[0]?.toLowerCase() ? SHORT[word] : undefined);

const plain = (sign) => (sign === "⁻" ? "-" : sign === "⁺" ? "+" : SUPER.indexOf(sign));

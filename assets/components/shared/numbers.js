// Numbers as core/figures/text.py writes them: made in English first, then given the signs of the
// language that was last spoken, as core/locale.py does it.

const ENGLISH = { ".": ".", ",": ",", " ": " " };
const SIGNS = { en: ENGLISH }; // by language, for those that were met
let signs = ENGLISH;
/** @type {Record<string, string>} */
const RAISED = { "-": "⁻", ...["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"] };
const MOST_DIGITS = 9; // that tell a 32-bit number from its neighbours
const HUGE = 1e15; // from which on a share is not written out: its last digits say nothing

// What a language writes for the point, the comma and the blank before a percent sign.
function signsOf(code) {
  try {
    if (!Intl.NumberFormat.supportedLocalesOf(code).length) return ENGLISH;
    const parts = (style) => Object.fromEntries(new Intl.NumberFormat(code, {
      style, numberingSystem: "latn", minimumFractionDigits: 1,
    }).formatToParts(1234567.5).map(({ type, value }) => [type, value]));
    const { decimal, group } = parts("decimal");
    return { ".": decimal, ",": group, " ": "literal" in parts("percent") ? "\u202f" : "" };
  } catch {
    return ENGLISH; // that is no name of a language
  }
}

/**
 * From now on numbers have the signs of a language.
 * @param {string} language
 */
export function speak(language) {
  signs = SIGNS[language] ??= signsOf(language);
}

/**
 * A number in English with the signs of the language.
 * @param {string} text
 * @returns {string}
 */
export const spelt = (text) =>
  (signs === ENGLISH ? text : text.replace(/[., ]/g, (sign) => signs[sign]));

/**
 * What parts the decimals.
 * @returns {string}
 */
export const point = () => signs["."];

/**
 * 9.16e-5 as one writes it by hand, 9.16·10⁻⁵; of 1e-5 only the power.
 * @param {string} text as JavaScript writes a number
 * @returns {string}
 */
export const byTen = (text) => text.replace(/^(-?)([\d.]+)e\+?(-?\d+)$/, (_, sign, mantissa, exponent) =>
  `${sign}${mantissa === "1" ? "" : `${mantissa}·`}10${[...exponent].map((one) => RAISED[one]).join("")}`);

/**
 * A number with so many significant digits and a real minus sign.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function fmt(value, digits = 3) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const [mantissa, exponent] = Math.abs(value).toExponential(digits - 1).split("e");
  const size = Number(exponent); // after rounding: 9.996 is 10.0
  const text = size >= 6 || size < -4 ? spelt(byTen(`${mantissa}e${size}`))
    : grouped(Math.abs(value).toFixed(Math.max(0, digits - 1 - size)));
  return (value < 0 ? `-${text}` : text).replaceAll("-", "−");
}

/**
 * How many digits a number is shown with, so that what is made of it by a factor comes out as shown:
 * −20.8 / 8 is −2.60, but −20.75 / 8 is −2.59.
 * @param {number} value that is multiplied or divided
 * @param {number} made what comes of it
 * @param {number} [digits] that both have at least
 * @returns {number}
 */
export function enough(value, made, digits = 3) {
  if (!value || !Number.isFinite(value) || !Number.isFinite(made)) return digits;
  const by = made / value;
  const n = enoughFor([value], (one) => one * by, made, digits);
  return n ?? MOST_DIGITS;
}

/**
 * How many digits some numbers are shown with, so that what a reader makes of them comes out as shown:
 * 0.244 / 0.744 is 0.328, but 0.2437 / 0.7444 is 0.327.
 * @param {number[]} values that something is made of
 * @param {(...values: number[]) => number} of them
 * @param {number} made what comes of it
 * @param {number} [digits] that all have at least
 * @returns {number | undefined} none if no number of digits does
 */
export function enoughFor(values, of, made, digits = 3) {
  const said = fmt(made, digits);
  for (let n = digits; n <= MOST_DIGITS; n += 1) {
    if (fmt(of(...values.map((one) => asRead(one, n))), digits) === said) return n;
  }
  return undefined;
}

// The number that `fmt` writes, which a reader goes on with.
function asRead(value, digits) {
  if (!value || !Number.isFinite(value)) return value;
  const size = Number(Math.abs(value).toExponential(digits - 1).split("e")[1]);
  return Number(value.toFixed(Math.min(100, Math.max(0, digits - 1 - size))));
}

/**
 * 12345.6 as 12,345.6, or as the language has it.
 * @param {string} text
 * @returns {string}
 */
export function grouped(text) {
  const [whole, part] = text.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return spelt(part === undefined ? thousands : `${thousands}.${part}`);
}

/**
 * All digits that a number has; of a 32-bit one no more than tell it from its neighbours.
 * @param {number} value
 * @returns {string}
 */
export function full(value) {
  let text = String(value);
  if (Number.isFinite(value) && Math.fround(value) === value && !Number.isInteger(value)) {
    let digits = 1;
    while (Math.fround(Number(value.toPrecision(digits))) !== value) digits += 1;
    text = String(Number(value.toPrecision(digits)));
  }
  return spelt(byTen(text)).replaceAll("-", "−").replace("Infinity", "∞").replace("NaN", "–");
}

/**
 * A share of one as people read it; never a wrong 0 % or 100 %.
 * @param {number} share
 * @returns {string}
 */
export function percent(share) {
  const value = 100 * share;
  if (Number.isNaN(value)) return "–";
  if (value <= 0) return spelt("0 %");
  if (value < 0.01) return spelt("< 0.01 %");
  if (value >= HUGE) return fmt(value) + spelt(" %");
  if (value >= 99.95 && value < 100.5) return spelt(value >= 100 ? "100 %" : "> 99.9 %");
  if ((value >= 9.95 && value < 99) || value > 100) return spelt(`${value.toFixed(0)} %`);
  return spelt(`${value >= 1 ? value.toFixed(1) : value.toPrecision(2)} %`);
}

/**
 * The nearest of 0, 1, ... n - 1.
 * @param {number} value
 * @param {number} n
 * @returns {number}
 */
export const clamp = (value, n) => Math.max(0, Math.min(n - 1, value));

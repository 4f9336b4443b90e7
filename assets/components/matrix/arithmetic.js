// What a cell is made of, step by step (core/figures/components/arithmetic.py), as blocks of text
// and numbers. Operands and results come with the payload; what is shown is only written down.
//
// A block is a line, bars, or the button that shows all terms of a sum. A part of a line is a text, an
// operand in its colour, or a result.

import { fill, spoken } from "../shared/dom.js";
import { clamp, enough, enoughFor, fmt, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";

/** @typedef {string | { text: string, role: string } | { value: number, role: string }} Part */
/** @typedef {{ line: Part[], code: boolean }} Line */
/** @typedef {{ bars: [string, number][], role: string }} Bars */
/** @typedef {Line | Bars | { more: true }} Block */
/** @typedef {Record<string, any>} Spec where an operand stands (`Of`), or a step */

const FEW = 3; // terms that are written out before all of them are asked for
const LARGEST = 5; // terms that are drawn as bars

/** @type {(...parts: Part[]) => Block[]} */
const code = (...parts) => [{ line: parts, code: true }];
/** @type {(text: string) => Block} */
const words = (text) => ({ line: [text], code: false });
const MORE = /** @type {const} */ ({ more: true });

// What is computed is written with an equals sign where all of it stands there; of a rounded number
// only about.
const equals = (value) => {
  const whole = !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < 1e6)
    || Math.fround(Number(value.toPrecision(3))) === Math.fround(value);
  return whole ? " = " : " ≈ ";
};

// A negative number after an operator stands in brackets.
const signed = (value, digits) => (value < 0 ? `(${fmt(value, digits)})` : fmt(value, digits));

const sumOf = (values) => values.reduce((sum, one) => sum + one, 0);

/**
 * The arrays that some steps name.
 * @param {any} steps
 * @returns {string[]}
 */
export const named = (steps) => Object.entries(steps ?? {}).flatMap(([name, value]) => (
  value !== null && typeof value === "object" ? named(value) : name === "array" ? [value] : []));

// The numbers that a step names, for the selected cell.
export class Operands {
  /** @param {import("./cells.js").Cells} cells that say which is selected */
  constructor(cells) {
    this.cells = cells;
    this.payload = cells.payload;
  }

  /**
   * A vector: { array, row: field } or { array, col: field }.
   * @param {Spec} spec
   * @returns {import("../shared/payload.js").Numbers["values"]}
   */
  vector(spec) {
    const { values, shape } = this.payload.arrays[spec.array];
    if (shape.length === 1) return values;
    if (spec.row) {
      const i = clamp(this.cells.at(spec.row), shape[0]);
      return values.subarray(i * shape[1], (i + 1) * shape[1]);
    }
    const j = clamp(this.cells.at(spec.col), shape[1]);
    return Float32Array.from({ length: shape[0] }, (_, i) => values[i * shape[1] + j]);
  }

  /**
   * One number: { array, row: field, col: field }, or { array, at: field } of a vector.
   * @param {Spec} spec
   * @returns {number}
   */
  number(spec) {
    const { values, shape } = this.payload.arrays[spec.array];
    if (shape.length === 1) return values[clamp(this.cells.at(spec.at), shape[0])];
    const i = clamp(this.cells.at(spec.row), shape[0]);
    return values[i * shape[1] + clamp(this.cells.at(spec.col), shape[1])];
  }

  /**
   * A calculation of a few numbers: with so many digits that whoever reckons after it finds the result.
   * @param {Spec} step
   * @param {Spec[]} specs of its numbers
   * @param {(...values: number[]) => number} of them
   * @param {(write: (at: number) => string, bracketed: (at: number) => string) => string} line
   * @returns {Block[]}
   */
  reckoned(step, specs, of, line) {
    const values = specs.map((spec) => this.number(spec));
    const digits = enoughFor(values, of, this.number(step.result));
    return code(line((at) => fmt(values[at], digits), (at) => signed(values[at], digits)), ...this.makes(step));
  }

  /**
   * @param {Spec} spec
   * @returns {string}
   */
  written(spec) {
    return fmt(this.number(spec));
  }

  /**
   * @param {Spec} spec
   * @returns {string}
   */
  signed(spec) {
    return signed(this.number(spec));
  }

  /**
   * @param {Spec} step
   * @returns {Part}
   */
  result({ result }) {
    return { value: this.number(result), role: result.role ?? "strong" };
  }

  /**
   * The result of a calculation, after its sign.
   * @param {Spec} step
   * @returns {Part[]}
   */
  makes(step) {
    return [equals(this.number(step.result)), this.result(step)];
  }

  /**
   * @param {string} list
   * @returns {string[]}
   */
  names(list) {
    return this.payload.names[list];
  }

  /**
   * " + … (12 terms)"
   * @param {number} n
   * @returns {string}
   */
  rest(n) {
    return ` + … (${fill(this.payload.labels.terms, { n })})`;
  }
}

function products(step, o, open) {
  const [a, b] = [o.vector(step.a), o.vector(step.b)];
  const upto = step.upto === undefined ? a.length : Math.min(a.length, o.cells.at(step.upto) + 1);
  const may = step.may ? o.vector(step.may) : null;
  const terms = Array.from({ length: upto }, (_, i) => i).filter((i) => !may || may[i]);
  const n = terms.length;
  const few = open ? n : Math.min(n, FEW);
  const row = o.cells.label("rows", o.cells.chosen("rows") ?? 0);
  const line = /** @type {Part[]} */ ([`${fill(step.name, { row, col: o.cells.chosen("cols") ?? 0 })} = `]);
  const plus = step.plus ? o.number(step.plus) : 0;
  // Of a sum that ends in dots nobody can reckon the result.
  const digits = n > few ? undefined : enoughFor([plus, ...terms.flatMap((i) => [a[i], b[i]])],
    (more, ...pairs) => sumOf(terms.map((_, at) => pairs[2 * at] * pairs[2 * at + 1])) + more, o.number(step.result));
  for (const [at, i] of terms.slice(0, few).entries()) {
    if (at) line.push(" + ");
    line.push({ text: (at ? signed : fmt)(a[i], digits), role: step.a.role }, "·",
      { text: signed(b[i], digits), role: step.b.role });
  }
  if (n > few) line.push(o.rest(n));
  if (step.plus) line.push(` + ${signed(plus, digits)}`);
  const blocks = code(...line, ...o.makes(step));
  if (step.names) blocks.push(contributions(step, o, terms));
  if (n > FEW) blocks.push(MORE);
  return blocks;
}

// The largest terms of a sum: who contributes most.
/** @type {(step: Spec, o: Operands, places: number[]) => Bars} */
const contributions = (step, o, places) => {
  const [a, b] = [o.vector(step.a), o.vector(step.b)];
  const names = o.names(step.names);
  const terms = places.map((i) => /** @type {[string, number]} */ ([names[i], a[i] * b[i]]));
  terms.sort(([, x], [, y]) => Math.abs(y) - Math.abs(x));
  return { bars: terms.slice(0, LARGEST), role: step.result.role };
};

function softmax(step, o, open) {
  const [scores, weights] = [o.vector(step.scores), o.vector(step.weights)];
  const may = step.may ? o.vector(step.may) : null;
  const at = clamp(o.cells.at(step.at), weights.length);
  const order = Array.from(weights.keys()).filter((i) => !may || may[i])
    .sort((x, y) => weights[y] - weights[x]);
  const result = { value: weights[at], role: "weight" };
  // A row that may look at nothing has no sum to divide by.
  if (!order.length) return code(`${o.payload.labels.masked}: `, result);
  const few = open ? order.length : FEW;
  const power = (i) => `e^${signed(scores[i])}`;
  const sum = order.slice(0, few).map(power).join(" + ");
  const rest = order.length > few ? o.rest(order.length) : "";
  const blocks = code(`${may && !may[at] ? "e^(−∞)" : power(at)} / (${sum}${rest})`, equals(result.value), result,
    result.value ? ` (${percent(result.value)})` : "");
  const names = o.names(step.names);
  blocks.push({ bars: order.slice(0, LARGEST).map((i) => [names[i], weights[i]]), role: "weight" });
  if (order.length > FEW) blocks.push(MORE);
  return blocks;
}

// The mean of a vector, optionally under a root: (a + b + …) / n.
function mean(step, o, open) {
  const values = o.vector(step.of);
  const few = open ? values.length : Math.min(values.length, FEW + 1);
  const terms = Array.from(values.subarray(0, few), (one) => signed(one)).join(" + ");
  const sum = `(${terms}${values.length > few ? o.rest(values.length) : ""}) / ${values.length}`;
  const whole = step.root ? `√(${sum}${step.eps ? ` + ${step.eps}` : ""})` : sum;
  const blocks = code(`${step.name} = ${whole}`, ...o.makes(step));
  if (values.length > FEW + 1) blocks.push(MORE);
  return blocks;
}

// From stop to stop: `stops` says where to go next from a row towards a column.
function way(step, o) {
  const { arrays } = o.payload;
  const [start, end] = [o.cells.at(step.from), o.cells.at(step.to)];
  if (!at2(arrays[step.reach], start, end)) return [words(step.none)];
  const names = o.names(step.names);
  const hops = [];
  for (let at = start; at !== end;) {
    const next = at2(arrays[step.stops], at, end);
    hops.unshift(words(fill(step.step, { a: names[at], b: names[next] })));
    at = next;
  }
  return hops.length ? hops : [words(step.self)];
}

const KINDS = {
  products,
  softmax,
  mean,
  way,
  scale: (step, o) => {
    const [value, made] = [o.number(step.from), o.number(step.result)];
    return code(`${fmt(value, enough(value, made))} ${step.by}`, ...o.makes(step));
  },
  mask: (step, o) => {
    const query = o.cells.at(step.may.row), key = o.cells.at(step.may.col);
    const word = (axis, at) => spoken(o.cells.label(axis, at));
    const values = { query, key, row: word("rows", query), col: word("cols", key) };
    return [words(fill(o.number(step.may) === 1 ? step.kept : step.hidden, values))];
  },
  norm: (step, o) => code(
    `(${fmt(o.number(step.x))} − ${signed(o.number(step.mean))}) / √(${fmt(o.number(step.var))} + ${step.eps})`,
    ...o.makes(step)),
  affine: (step, o) => o.reckoned(step, [step.x, step.gain, step.shift], (x, gain, shift) => x * gain + shift,
    (write, bracketed) => `${write(0)} · ${bracketed(1)} + ${bracketed(2)}`),
  sum: (step, o) => o.reckoned(step, step.terms, (...terms) => sumOf(terms),
    (write, bracketed) => step.terms.map((_, at) => (at ? bracketed : write)(at)).join(" + ")),
  value: (step, o) => {
    const name = step.names === undefined ? undefined : o.names(step.names)[o.cells.at(step.at)];
    const said = fill(step.name, { name, col: o.cells.chosen("cols") ?? 0 });
    return code(`${said} = `, o.result(step));
  },
  note: (step) => [words(step.text)],
  minus: (step, o) => o.reckoned(step, [step.a, step.b], (a, b) => a - b,
    (write, bracketed) => `${write(0)} − ${bracketed(1)}`),
  times: (step, o) => o.reckoned(step, [step.a, step.b], (a, b) => a * b,
    (write, bracketed) => `${write(0)} · ${bracketed(1)}`),
  quotient: (step, o) => (step.may && !o.number(step.may)
    ? code(`${o.payload.labels.masked}: `, o.result(step))
    : o.reckoned(step, [step.a, step.b], (a, b) => a / b, (write, bracketed) => `${write(0)} / ${bracketed(1)}`)),
  square: (step, o) => o.reckoned(step, [step.x], (x) => x * x, (_write, bracketed) => `${bracketed(0)}²`),
  // A number put through a named function: GELU(1.2) = 1.06.
  apply: (step, o) => code(`${step.name}(${o.written(step.x)})`, ...o.makes(step)),
  // Named amounts, one list a row: what a unit writes, say.
  ranks: (step, o) => [
    { bars: o.payload.lists[step.list][o.cells.chosen("rows") ?? 0], role: step.role }],
};

/**
 * The blocks of one step.
 * @param {Spec} step
 * @param {Operands} operands
 * @param {boolean} open write out all terms
 * @returns {Block[]}
 */
export const blocksOf = (step, operands, open) => KINDS[step.kind](step, operands, open);

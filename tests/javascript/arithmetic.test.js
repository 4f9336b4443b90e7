// Every kind of step (core/figures/components/arithmetic.py): what stands beside a cell is made of
// the numbers in the payload, and adds up to the one in the cell.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Operands, blocksOf } from "../../assets/components/matrix/arithmetic.js";
import { Cells } from "../../assets/components/matrix/cells.js";
import { fmt } from "../../assets/components/shared/numbers.js";

const array = (rows) => ({
  values: Float32Array.from(rows.flat()),
  shape: Array.isArray(rows[0]) ? [rows.length, rows[0].length] : [rows.length],
});

// The blocks of a step for the cell that a selection names, on a sheet of two rows and three columns.
function blocks(step, {
  arrays = {}, selection = { row: 0, col: 0 }, open = false, labels = ["first", "second"], ...payload
} = {}) {
  const cells = new Cells((field) => selection[field] ?? null);
  cells.payload = {
    arrays: { m: array([[0, 0, 0], [0, 0, 0]]), ...Object.fromEntries(
      Object.entries(arrays).map(([name, rows]) => [name, array(rows)])) },
    labels: { masked: "masked", terms: "{n} terms", all: "all", fewer: "fewer" },
    ...payload,
  };
  cells.sheet = {
    array: "m", rows: { field: "row", labels }, cols: { field: "col" },
  };
  return blocksOf(step, new Operands(cells), open);
}

const text = (part) => (typeof part === "string" ? part : part.text ?? fmt(part.value));
const line = ({ line: parts }) => parts.map(text).join("");
const result = ({ line: parts }) => parts.findLast((one) => typeof one === "object" && "value" in one);
const close = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-6, `${found}, not ${wanted}`);
const cell = (name) => ({ array: name, row: "row", col: "col" });

test("products are written out as far as a glance reaches, and add up", () => {
  const arrays = {
    a: [[1, 2, 3, 4], [5, 6, 7, 8]], b: [[1, -1, 2, 0.5], [1, 1, 1, 1]], r: [[7, 10, 0], [5, 26, 0]],
  };
  const step = {
    kind: "products", name: "score of {row} at {col}", a: { array: "a", row: "row", role: "query" },
    b: { array: "b", row: "row", role: "key" }, result: { ...cell("r"), role: "weight" },
  };
  const [sum, more] = blocks(step, { arrays });
  assert.equal(line(sum),
    "score of first at 0 = 1.00·1.00 + 2.00·(−1.00) + 3.00·2.00 + … (4 terms) = 7.00");
  assert.deepEqual(result(sum), { value: 7, role: "weight" });
  assert.deepEqual(more, { more: true });
  assert.deepEqual(sum.line.filter((part) => part.role === "query").map(text), ["1.00", "2.00", "3.00"]);

  const selection = { row: 1, col: 1 };
  const [all] = blocks(step, { arrays, selection, open: true });
  assert.equal(line(all), "score of second at 1 = 5.00·1.00 + 6.00·1.00 + 7.00·1.00 + 8.00·1.00 = 26.0");
  const factors = all.line.filter((part) => part.text).map(({ text: said }) => Number(said));
  let total = 0;
  for (let i = 0; i < factors.length; i += 2) total += factors[i] * factors[i + 1];
  close(total, result(all).value);
});

test("products take an offset, a limit, columns, and the names of their largest terms", () => {
  const arrays = { a: [1, 2, 3], b: [[1, 5], [-4, 5], [2, 5]], r: [[-0.5, 0, 0]], bias: [-0.5, 1, 1] };
  const step = {
    kind: "products", name: "n", a: { array: "a", row: "row", role: "query" },
    b: { array: "b", col: "col", role: "key" }, plus: { array: "bias", at: "col" }, upto: "row",
    names: "words", result: { ...cell("r"), role: "value" },
  };
  const names = { words: ["x", "y", "z"] };
  const [one, bars] = blocks(step, { arrays, names });
  assert.equal(line(one), "n = 1.00·1.00 + (−0.500) = −0.500");
  assert.deepEqual(bars, { bars: [["x", 1]], role: "value" });
  const [three, largest] = blocks({ ...step, upto: undefined }, { arrays, names });
  assert.equal(line(three), "n = 1.00·1.00 + 2.00·(−4.00) + 3.00·2.00 + (−0.500) = −0.500");
  assert.deepEqual(largest.bars, [["y", -8], ["z", 6], ["x", 1]]);
});

test("what is masked is no term of a sum, and a rounded result is about what is shown", () => {
  const arrays = { a: [0.25, 0.75, 0], b: [1, 5, 7], r: [[4.00049, 0, 0]], may: [1, 1, 0] };
  const step = {
    kind: "products", name: "z", a: { array: "a", row: "row" }, b: { array: "b", row: "row" },
    may: { array: "may", row: "row" }, names: "words", result: cell("r"),
  };
  const [sum, bars] = blocks(step, { arrays, names: { words: ["x", "y", "z"] } });
  assert.equal(line(sum), "z = 0.250·1.00 + 0.750·5.00 ≈ 4.00");
  assert.deepEqual(bars.bars.map(([name]) => name), ["y", "x"]);
});

test("a negative operand after an operator stands in brackets, with a real minus sign", () => {
  const arrays = { a: [-0.97, -1.25], b: [-0.0003, 1.13e-5], r: [[0.0003, 0, 0]], s: [-1.5, 2] };
  const step = {
    kind: "products", name: "q·k", a: { array: "a", row: "row" }, b: { array: "b", row: "row" },
    result: cell("r"),
  };
  assert.equal(line(blocks(step, { arrays })[0]),
    "q·k = −0.970·(−0.000300) + (−1.25)·1.13·10⁻⁵ = 0.000300");
  const [sum] = blocks({ kind: "softmax", scores: { array: "s" }, weights: { array: "w" }, at: "col",
    names: "words" }, { arrays: { ...arrays, w: [0.029, 0.971] }, names: { words: ["x", "y"] } });
  assert.equal(line(sum), "e^(−1.50) / (e^2.00 + e^(−1.50)) = 0.0290 (2.9 %)");
});

test("of many terms the five largest are drawn", () => {
  const arrays = { a: [1, 2, 3, 4, 5, 6, -7], b: [1, 1, 1, 1, 1, 1, 1], r: [[14, 0, 0]] };
  const step = {
    kind: "products", name: "n", a: { array: "a", row: "row" }, b: { array: "b", row: "row" },
    names: "words", result: cell("r"),
  };
  const [, bars, more] = blocks(step, { arrays, names: { words: [..."abcdefg"] } });
  assert.deepEqual(bars.bars.map(([name]) => name), [..."gfedc"]);
  assert.ok(more.more);
});

test("softmax divides e to a score by the sum of those that may be looked at", () => {
  const scores = [[1, 3, 2, 0], [1, 1, 1, 1]];
  const weights = scores.map((row) => {
    const powers = row.map(Math.exp);
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / sum);
  });
  const step = {
    kind: "softmax", scores: { array: "s", row: "row" }, weights: { array: "w", row: "row" }, at: "col",
    names: "words",
  };
  const names = { words: [..."abcd"] };
  const [sum, bars, more] = blocks(step, { arrays: { s: scores, w: weights }, names });
  assert.equal(line(sum), `e^1.00 / (e^3.00 + e^2.00 + e^1.00 + … (4 terms)) ≈ ${fmt(weights[0][0])} (8.7 %)`);
  assert.deepEqual(bars.bars.map(([name]) => name), [..."bcad"]);
  assert.equal(bars.role, "weight");
  assert.ok(more.more);
  const [all] = blocks(step, { arrays: { s: scores, w: weights }, names, open: true });
  const powers = line(all).match(/e\^[\d.−]+/g)
    .map((power) => Math.exp(Number(power.slice(2).replace("−", "-"))));
  close(powers[0] / powers.slice(1).reduce((a, b) => a + b), result(all).value);
});

test("softmax leaves out what is masked, and says so of a row that may look at nothing", () => {
  const arrays = { s: [[1, 9], [1, 1]], w: [[1, 0], [0, 0]], may: [[1, 0], [0, 0]] };
  const step = {
    kind: "softmax", scores: { array: "s", row: "row" }, weights: { array: "w", row: "row" }, at: "col",
    names: "words", may: { array: "may", row: "row" },
  };
  const names = { words: ["a", "b"] };
  const [kept, bars] = blocks(step, { arrays, names });
  assert.equal(line(kept), "e^1.00 / (e^1.00) = 1.00 (100 %)");
  assert.deepEqual(bars.bars, [["a", 1]]);
  assert.equal(line(blocks(step, { arrays, names, selection: { row: 0, col: 1 } })[0]),
    "e^(−∞) / (e^1.00) = 0");
  const none = blocks(step, { arrays, names, selection: { row: 1, col: 0 } });
  assert.deepEqual(none.map(line), ["masked: 0"]);
});

test("a mean is written out, and takes a root and an eps", () => {
  const arrays = { x: [[1, -2, 3, 4, 5], [2, 2, 2, 2, 2]], r: [2.2, 2] };
  const step = { kind: "mean", name: "μ", of: { array: "x", row: "row" }, result: { array: "r", at: "row" } };
  const [sum, more] = blocks(step, { arrays });
  assert.equal(line(sum), "μ = (1.00 + (−2.00) + 3.00 + 4.00 + … (5 terms)) / 5 = 2.20");
  assert.ok(more.more);
  assert.equal(line(blocks(step, { arrays, open: true })[0]),
    "μ = (1.00 + (−2.00) + 3.00 + 4.00 + 5.00) / 5 = 2.20");
  const [rms] = blocks({ ...step, root: true, eps: "1e−6" }, { arrays, open: true, selection: { row: 1 } });
  assert.equal(line(rms), "μ = √((2.00 + 2.00 + 2.00 + 2.00 + 2.00) / 5 + 1e−6) = 2.00");
  const few = { x: [[1, 2]], r: [1.5] };
  assert.equal(blocks(step, { arrays: few }).length, 1);
  assert.equal(line(blocks({ ...step, root: true }, { arrays: few })[0]), "μ = √((1.00 + 2.00) / 2) = 1.50");
});

// Kinds that are one line: the step beyond its title, the arrays, the line.
const LINES = {
  scale: [{ from: cell("a"), by: "/ √64" }, { a: [[-20.75]], r: [[-2.59375]] },
    "−20.75 / √64 ≈ −2.59"],
  norm: [{ x: cell("a"), mean: { array: "mu", at: "row" }, var: { array: "v", at: "row" }, eps: "1e−5" },
    { a: [[3]], mu: [-1], v: [4], r: [[2]] }, "(3.00 − (−1.00)) / √(4.00 + 1e−5) = 2.00"],
  affine: [{ x: cell("a"), gain: { array: "g", at: "col" }, shift: { array: "s", at: "col" } },
    { a: [[3]], g: [-2], s: [-1], r: [[-7]] }, "3.00 · (−2.00) + (−1.00) = −7.00"],
  sum: [{ terms: [cell("a"), cell("b"), cell("a")] }, { a: [[-3]], b: [[2]], r: [[-4]] },
    "−3.00 + 2.00 + (−3.00) = −4.00"],
  minus: [{ a: cell("a"), b: cell("b") }, { a: [[3]], b: [[-2]], r: [[5]] }, "3.00 − (−2.00) = 5.00"],
  times: [{ a: cell("a"), b: cell("b") }, { a: [[3]], b: [[-2]], r: [[-6]] }, "3.00 · (−2.00) = −6.00"],
  quotient: [{ a: cell("a"), b: { array: "b", at: "row" } }, { a: [[3]], b: [2], r: [[1.5]] },
    "3.00 / 2.00 = 1.50"],
  square: [{ x: cell("a") }, { a: [[-3]], r: [[9]] }, "(−3.00)² = 9.00"],
  apply: [{ name: "GELU", x: cell("a") }, { a: [[1.2]], r: [[1.06]] }, "GELU(1.20) = 1.06"],
  value: [{ name: "row {name}, column {col}", names: "words", at: "row" }, { r: [[0.25]] },
    "row x, column 0 = 0.250"],
};
for (const [kind, [more, arrays, wanted]] of Object.entries(LINES)) {
  test(`${kind} is one line that ends in the number of the cell`, () => {
    const found = blocks({ kind, ...more, result: cell("r") }, { arrays, names: { words: ["x", "y"] } });
    assert.deepEqual(found.map(line), [wanted]);
    assert.ok(found[0].code);
    assert.deepEqual(result(found[0]), { value: Math.fround(arrays.r[0][0]), role: "strong" });
  });
}

test("a value needs no list of names", () => {
  const [one] = blocks({ kind: "value", name: "column {col}", result: cell("r") },
    { arrays: { r: [[1, 2, 3]] }, selection: { row: 0, col: 2 } });
  assert.equal(line(one), "column 2 = 3.00");
});

test("a quotient that the mask forbids is not divided", () => {
  const step = { kind: "quotient", a: cell("a"), b: cell("a"), may: cell("may"), result: cell("r") };
  const arrays = { a: [[3, 3]], may: [[1, 0]], r: [[1, 0]] };
  assert.equal(line(blocks(step, { arrays })[0]), "3.00 / 3.00 = 1.00");
  assert.equal(line(blocks(step, { arrays, selection: { row: 0, col: 1 } })[0]), "masked: 0");
});

test("the mask is asked in words, and so is a note", () => {
  const step = {
    kind: "mask", may: cell("may"), kept: "{query} sees {key}", hidden: "{query} does not see {key}",
  };
  const arrays = { may: [[1, 0], [1, 1]] };
  assert.deepEqual(blocks(step, { arrays, selection: { row: 1, col: 0 } }), [
    { line: ["1 sees 0"], code: false }]);
  assert.equal(line(blocks(step, { arrays, selection: { row: 0, col: 1 } })[0]), "0 does not see 1");
  const named = { ...step, hidden: "{row} does not see {col}" };
  assert.equal(line(blocks(named, { arrays, selection: { row: 0, col: 1 } })[0]), "first does not see 1");
  assert.deepEqual(blocks({ kind: "note", text: "words" }), [{ line: ["words"], code: false }]);
});

test("the mask names a token without the dot of its blank, but a blank itself has one", () => {
  const step = { kind: "mask", may: cell("may"), kept: "“{row}” sees it.", hidden: "" };
  const said = (row) => line(blocks(step, {
    arrays: { may: [[1], [1]] }, labels: ["·cat", "·"], selection: { row, col: 0 },
  })[0]);
  assert.deepEqual([said(0), said(1)], ["“cat” sees it.", "“·” sees it."]);
});

test("a way is told from its start, stop by stop", () => {
  const step = {
    kind: "way", from: "row", to: "col", reach: "reach", stops: "stops", names: "words",
    step: "{a} reads {b}", none: "no way", self: "itself",
  };
  const arrays = { reach: [[1, 0, 0], [1, 1, 0], [1, 1, 1]], stops: [[0, 0, 0], [0, 1, 0], [1, 1, 2]] };
  const names = { words: [..."abc"] };
  const told = (row, col) => blocks(step, { arrays, names, selection: { row, col } }).map(line);
  assert.deepEqual(told(2, 0), ["b reads a", "c reads b"]);
  assert.deepEqual(told(1, 1), ["itself"]);
  assert.deepEqual(told(0, 2), ["no way"]);
});

test("ranks are the list of the selected row", () => {
  const lists = { units: [[["a", 2]], [["b", 3], ["c", -1]]] };
  const step = { kind: "ranks", list: "units", role: "value" };
  assert.deepEqual(blocks(step, { lists, selection: { row: 1, col: 0 } }), [
    { bars: [["b", 3], ["c", -1]], role: "value" }]);
  assert.deepEqual(blocks(step, { lists, selection: {} })[0].bars, [["a", 2]]);
});

test("a place beyond the array is its nearest", () => {
  const step = { kind: "square", x: cell("a"), result: cell("r") };
  assert.equal(line(blocks(step, { arrays: { a: [[3]], r: [[9]] }, selection: { row: 1, col: 2 } })[0]),
    "3.00² = 9.00");
});

test("whoever reckons with the numbers that are shown finds the result that is shown", () => {
  const step = { kind: "quotient", a: cell("a"), b: { array: "b", at: "row" }, result: cell("r") };
  const arrays = { a: [[0.2436]], b: [0.7444], r: [[0.2436 / 0.7444]] };
  assert.equal(line(blocks(step, { arrays })[0]), "0.2436 / 0.7444 ≈ 0.327");
  const minus = { kind: "minus", a: cell("a"), b: cell("b"), result: cell("r") };
  assert.equal(line(blocks(minus, { arrays: { a: [[100.25]], b: [[100]], r: [[0.25]] } })[0]),
    "100.25 − 100.00 = 0.250");
});

// Which cell is selected, however a sheet names its rows, and what is said of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Cells } from "../../assets/components/matrix/cells.js";
import { fmt } from "../../assets/components/shared/numbers.js";

function cells(selection, { rows, cols, ...sheet } = {}, arrays = {}) {
  const made = new Cells((field) => selection[field] ?? null);
  made.payload = {
    arrays: { m: { values: Float32Array.from([1, 2, 3, 4, 5, 6]), shape: [2, 3] }, ...arrays },
    labels: { masked: "closed" },
  };
  made.sheet = {
    array: "m", rows: { field: "row", ...rows }, cols: { field: "col", ...cols }, scale: {}, ...sheet,
  };
  return made;
}

test("a place beyond the last is the last; no place is none", () => {
  assert.deepEqual(["rows", "cols"].map((name) => cells({ row: 9, col: 1 }).chosen(name)), [1, 1]);
  assert.equal(cells({}).chosen("rows"), null);
});

test("rows may have ids, which the selection has instead of their place", () => {
  const rows = { ids: [7, 11] };
  const found = cells({ row: 11 }, { rows });
  assert.equal(found.chosen("rows"), 1);
  assert.equal(cells({ row: 8 }, { rows }).chosen("rows"), null);
  assert.deepEqual(found.naming(0, 2), { row: 7, col: 2 });
  assert.equal(found.at("row"), 1);
});

test("several values may share a row", () => {
  const rows = { of: [0, 1, 0, 1] };
  assert.equal(cells({ row: 3 }, { rows }).chosen("rows"), 1);
  assert.equal(cells({ row: 99 }, { rows }).chosen("rows"), 1);
  assert.deepEqual(cells({}, { rows }).naming(1, 0), { row: 1, col: 0 });
});

test("a cell beyond the edge names the one at the edge", () => {
  assert.deepEqual(cells({}).naming(-1, 5), { row: 0, col: 2 });
});

test("where one field is both row and column, no cell can be named", () => {
  assert.deepEqual(cells({}, { cols: { field: "row" } }).naming(1, 2), {});
});

test("fields that are no axis are the selection's own", () => {
  assert.equal(cells({ head: 3 }).at("head"), 3);
  assert.equal(cells({}).at("head"), 0);
  assert.equal(cells({}).at("head", 5), 5);
});

test("a cell says its number, its category, its text, its count, or that it is masked", () => {
  assert.equal(cells({}).words(1, 2, fmt), "6.00");
  const categories = { 1: { label: "one", text: "1." }, 6: { label: "six" } };
  assert.equal(cells({}, { categories }).words(0, 0, fmt), "one");
  assert.equal(cells({}, { categories }).text(0, 0), "1.");
  assert.equal(cells({}, { categories }).text(1, 2), "");
  assert.equal(cells({}, { texts: [["a", "b", "c"]] }).text(0, 1), "b");
  const counts = { n: { values: Int32Array.from([10, 20, 30, 40, 50, 60]), shape: [2, 3] } };
  assert.equal(cells({}, { counts: "n" }, counts).text(1, 0), "40");
  const may = { may: { values: Uint8Array.from([1, 1, 1, 1, 1, 0]), shape: [2, 3] } };
  const masked = cells({}, { mask: "may", categories }, may);
  assert.equal(masked.words(1, 2, fmt), "closed");
  assert.ok(!masked.masked(0, 0));
});

test("rows of different size have limits of their own", () => {
  assert.equal(cells({}, { scale: { limit: 3 } }).limit(1), 3);
  assert.equal(cells({}, { scale: { limits: [3, 8] } }).limit(1), 8);
});

// Pixels: the brush, what is loaded from a disk, and the text of a link.

import assert from "node:assert/strict";
import { test } from "node:test";

import { dot, line } from "../../assets/components/picture/brush.js";
import { placed } from "../../assets/components/picture/loading.js";
import { asText, HEAT, onPictures } from "../../assets/components/shared/raster.js";

const sheet = (channels = 1, rows = 12, cols = 9) =>
  ({ pixels: new Uint8Array(rows * cols * channels), rows, cols, channels });
const inked = ({ pixels }) => pixels.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0);

test("a dot is round, dark in its middle and grey at its edge", () => {
  const own = sheet();
  dot(own, 4.5, 6.5, false);
  const at = (i, j) => own.pixels[i * own.cols + j];
  assert.equal(at(6, 4), 255);
  assert.deepEqual([at(5, 4), at(7, 4), at(6, 3), at(6, 5)], [255, 255, 255, 255]);
  assert.ok(at(5, 3) > 0 && at(5, 3) < 255);
  assert.equal(at(5, 3), at(7, 5));
  assert.equal(at(3, 4), 0);
});

test("a dot beside the sheet leaves it as it is", () => {
  const own = sheet();
  for (const [x, y] of [[-9, 4], [4, -9], [40, 4], [4, 40]]) dot(own, x, y, false);
  assert.equal(inked(own), 0);
});

test("a line has no gaps, and what is erased is gone", () => {
  const own = sheet();
  line(own, { x: 1.5, y: 1.5 }, { x: 7.5, y: 10.5 }, false);
  for (let i = 2; i < 10; i++) {
    const row = own.pixels.subarray(i * own.cols, (i + 1) * own.cols);
    assert.ok(Math.max(...row) === 255, `row ${i}`);
  }
  const before = inked(own);
  dot(own, 4.5, 6, true);
  assert.ok(inked(own) < before);
  line(own, { x: 1.5, y: 1.5 }, { x: 7.5, y: 10.5 }, true);
  assert.ok(Math.max(...own.pixels) < 128);
});

test("every channel is drawn on", () => {
  const own = sheet(3);
  dot(own, 4.5, 6.5, false);
  assert.deepEqual([...own.pixels.subarray(3 * (6 * 9 + 4), 3 * (6 * 9 + 4) + 3)], [255, 255, 255]);
});

test("a picture as links have it", () => {
  const pixels = Uint8Array.from([0, 255, 254, 253]);
  assert.equal(asText(pixels, { rows: 2, cols: 2, channels: 1 }), "2x2:AP_-_Q");
  assert.equal(asText(new Uint8Array(6), { rows: 1, cols: 2, channels: 3 }), "2x1x3:AAAAAAAA");
});

const flat = (colour, n) => Uint8ClampedArray.from(Array.from({ length: n }, () => colour).flat());

test("what stands light on dark stays so, in the middle of the sheet", () => {
  const data = flat([0, 0, 0, 255], 8);
  data.set([255, 255, 255, 255], 4);
  const found = placed(data, { width: 4, height: 2 }, { rows: 4, cols: 4, channels: 1 });
  assert.deepEqual([...found], [0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test("what stands dark on light is turned round, and what is see-through is paper", () => {
  const data = flat([255, 255, 255, 0], 16);
  data.set([0, 0, 0, 255], 4 * 5);
  const found = placed(data, { width: 4, height: 4 }, { rows: 4, cols: 4, channels: 1 });
  assert.equal(found[5], 255);
  assert.equal(found.filter((value) => value > 0).length, 1);
});

test("colours stay colours", () => {
  const data = flat([10, 20, 30, 255], 1);
  assert.deepEqual([...placed(data, { width: 1, height: 1 }, { rows: 1, cols: 1, channels: 3 })], [10, 20, 30]);
});

test("what lies over pixels has the colours that files have", () => {
  assert.deepEqual(onPictures("weight"), [0x7b, 0x66, 0xd3]); // tests/figures/test_raster.py
  assert.equal(HEAT, 0.85);
});

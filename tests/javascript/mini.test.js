// The small bars beside a cell: all from one zero line.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spans } from "../../assets/components/matrix/mini.js";

test("negative amounts have room to the left of the zero line, on the scale of the others", () => {
  assert.deepEqual(spans([3, -1, 0.5]), { zero: 0.25, widths: [0.75, 0.25, 0.125] });
  assert.deepEqual(spans([-2, -4]), { zero: 1, widths: [0.5, 1] });
});

test("without a negative amount the bars begin at the left edge", () => {
  assert.deepEqual(spans([4, 1]), { zero: 0, widths: [1, 0.25] });
  assert.deepEqual(spans([0, 0]), { zero: 0, widths: [0, 0] });
});

// A mask takes its own word back, and nobody else's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { maskWord, readMaskWord } from "../../assets/components/matrix/mask_word.js";

const mask = (rows, cols, cell) => ({
  values: Uint8Array.from({ length: rows * cols }, (_, at) => cell(Math.floor(at / cols), at % cols)),
  shape: [rows, cols],
});

for (const [rows, cols] of [[1, 1], [4, 4], [3, 7], [7, 3], [20, 20]]) {
  test(`${rows} x ${cols} cells come back as they were`, () => {
    const written = mask(rows, cols, (i, j) => Number((i * 5 + j * 3) % 4 > 1));
    const read = mask(rows, cols, () => 0);
    readMaskWord(maskWord(written), read);
    assert.deepEqual(read, written);
  });
}

test("another kind, another size and nothing leave a mask alone", () => {
  const own = mask(4, 4, (i, j) => Number(j <= i));
  for (const word of ["causal", "window:4", maskWord(mask(5, 5, () => 1)), null, ""]) {
    const now = mask(4, 4, (i, j) => Number(j <= i));
    readMaskWord(word, now);
    assert.deepEqual(now, own);
  }
});

// A mask as a word (core/runs/mask_spec.py): "painted:", the side of a square, and its cells of 0 and
// 1 as base64url, eight to a byte, the first one highest. A mask of fewer rows or columns stands in
// the corner of that square, and what is beyond it is open.

function packBits(cells) {
  const bytes = new Uint8Array(Math.ceil(cells.length / 8));
  cells.forEach((cell, i) => { bytes[i >> 3] |= (cell ? 128 : 0) >> (i & 7); });
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unpackBits(text, cells) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  for (let i = 0; i < cells.length; i++) {
    cells[i] = (bytes.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1;
  }
}

const sideOf = ({ shape }) => Math.max(...shape);

/**
 * @param {import("../shared/payload.js").Numbers} mask
 * @returns {string}
 */
export function maskWord(mask) {
  const { values, shape: [rows, cols] } = mask;
  const side = sideOf(mask);
  const square = new Uint8Array(side * side).fill(1);
  for (let i = 0; i < rows; i++) square.set(values.subarray(i * cols, (i + 1) * cols), i * side);
  return `painted:${side}:${packBits(square)}`;
}

/**
 * Put a word's cells into a mask; a word of another kind or size is of another mask.
 * @param {any} word
 * @param {import("../shared/payload.js").Numbers} mask
 */
export function readMaskWord(word, mask) {
  const { values, shape: [rows, cols] } = mask;
  const side = sideOf(mask);
  const [kind, n, bits] = String(word).split(":");
  if (kind !== "painted" || Number(n) !== side) return;
  const square = new Uint8Array(side * side);
  unpackBits(bits, square);
  for (let i = 0; i < rows; i++) values.set(square.subarray(i * side, i * side + cols), i * cols);
}

// What the page holds in encoded form: a payload (core/figures/payload.py), compressed, as letters.

import { unpack } from "../shared/payload.js";

/**
 * A part of the book.
 * @param {string} id of the element that holds it
 * @returns {Promise<import("../shared/payload.js").Payload>}
 */
export async function decoded(id) {
  const letters = document.getElementById(id)?.textContent ?? "";
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return unpack(new Uint8Array(await new Response(plain).arrayBuffer()));
}

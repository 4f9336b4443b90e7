// What the pages of a book hold, in scripts beside them (core/lessons/book/pack.py): payloads
// (core/figures/payload.py), compressed, in letters of 15 bits.

import { el } from "../shared/dom.js";
import { unpack } from "../shared/payload.js";

const FIRST = 0x5000, BITS = 15;
const PART = "="; // the only name in what stands for a part

/** @type {Map<string, Promise<Record<string, [number, string]>>>} */
const packs = new Map();

/** A pack that does not lie where it should. */
export class MissingError extends Error {
  /** @param {string} name of the pack */
  constructor(name) {
    super(name);
    this.file = `packs/${name}.js`;
  }
}

function packOf(name) {
  if (!packs.has(name)) {
    packs.set(name, new Promise((done, failed) => {
      const missing = () => { packs.delete(name); failed(new MissingError(name)); };
      document.head.append(el("script", {
        src: `../packs/${name}.js`, onload: () => done(globalThis.PACKS[name]), onerror: missing }));
    }));
  }
  return packs.get(name);
}

/**
 * @param {number} n how many bytes there are
 * @param {string} letters
 * @returns {Uint8Array}
 */
export function bytesOf(n, letters) {
  const bytes = new Uint8Array(n);
  let [at, held, bits] = [0, 0, 0];
  for (let letter = 0; at < n; letter += 1) {
    held = (held << BITS) | (letters.charCodeAt(letter) - FIRST);
    for (bits += BITS; bits >= 8 && at < n; bits -= 8) bytes[at++] = held >> (bits - 8);
    held &= (1 << bits) - 1;
  }
  return bytes;
}

async function unpacked(pack, name) {
  const [n, letters] = (await packOf(pack))[name];
  const plain = new Blob([bytesOf(n, letters)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return unpack(new Uint8Array(await new Response(plain).arrayBuffer()));
}

/**
 * A value in which each part stands where its number stood.
 * @param {any} value
 * @param {Record<string, any>} parts by their numbers
 * @param {Map<number, any>} [made] parts in which that is done
 * @returns {any}
 */
export function whole(value, parts, made = new Map()) {
  if (Array.isArray(value)) return value.map((one) => whole(one, parts, made));
  if (value === null || typeof value !== "object") return value;
  const n = value[PART];
  if (n === undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one, parts, made)]));
  }
  if (!made.has(n)) made.set(n, whole(parts[n], parts, made));
  return made.get(n);
}

/**
 * What a pack holds under a name.
 * @param {string} pack
 * @param {string} name
 * @returns {Promise<import("../shared/payload.js").Payload>}
 */
export async function held(pack, name) {
  const { says, heaps } = await unpacked(pack, name);
  const every = await Promise.all(heaps.map((heap) => unpacked(pack, String(heap))));
  const [parts, arrays] = ["parts", "arrays"].map(
    (kind) => Object.assign({}, ...every.map((one) => one[kind])));
  return { ...whole(says, parts), arrays };
}

// Reads a payload (core/figures/payload.py): a header of JSON, then arrays.

/**
 * An array of a payload.
 * @typedef {object} Numbers
 * @property {Float32Array | Uint8Array | Int32Array | Uint16Array} values
 * @property {number[]} shape
 */
/**
 * What a component draws: the fields that its Python twin gives it, and arrays by name.
 * @typedef {{ arrays: Record<string, Numbers>, [field: string]: any }} Payload
 */

const ARRAY_TYPES = {
  float32: Float32Array, uint8: Uint8Array, int32: Int32Array, uint16: Uint16Array,
};
const HALVED = "bfloat16";

/**
 * @param {ArrayLike<number> | null} data as Payload.pack wrote it
 * @returns {Payload}
 */
export function unpack(data) {
  if (data == null) return { arrays: {} };
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  // Arrays need aligned memory, which a message's bytes need not have.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.version !== 1) throw new Error(`payload version ${header.version}`);
  for (const [name, entry] of Object.entries(header.arrays)) {
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const start = 4 + length + entry.offset;
    const values = entry.dtype === HALVED
      ? whole(new Uint16Array(buffer, start, count)) : new ARRAY_TYPES[entry.dtype](buffer, start, count);
    header.arrays[name] = { values, shape: entry.shape };
  }
  return header;
}

/**
 * Numbers of which only the upper two bytes have come: the lower two are zero.
 * @param {Uint16Array} upper
 * @returns {Float32Array}
 */
const whole = (upper) => new Float32Array(Uint32Array.from(upper, (half) => half << 16).buffer);

const padded = (length) => length + (-length & 7);

/**
 * The bytes of a payload, as Payload.pack writes them.
 * @param {Record<string, any>} header
 * @param {Record<string, Numbers>} [arrays]
 * @returns {Uint8Array}
 */
export function packed(header, arrays = {}) {
  const entries = {};
  let offset = 0;
  for (const [name, { values, shape }] of Object.entries(arrays)) {
    const dtype = Object.keys(ARRAY_TYPES).find((one) => values instanceof ARRAY_TYPES[one]);
    entries[name] = { dtype, shape, offset };
    offset += padded(values.byteLength);
  }
  const text = new TextEncoder().encode(JSON.stringify({ version: 1, ...header, arrays: entries }));
  const start = padded(4 + text.length);
  const bytes = new Uint8Array(start + offset).fill(32, 4 + text.length, start);
  new DataView(bytes.buffer).setUint32(0, start - 4, true);
  bytes.set(text, 4);
  for (const [name, { values }] of Object.entries(arrays)) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start + entries[name].offset);
  }
  return bytes;
}

/**
 * A number of a matrix.
 * @param {Numbers} array
 * @param {number} i
 * @param {number} j
 * @returns {number}
 */
export const at2 = (array, i, j) => array.values[i * array.shape[1] + j];

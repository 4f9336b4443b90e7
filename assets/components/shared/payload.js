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
    const values = new ARRAY_TYPES[entry.dtype](buffer, 4 + length + entry.offset, count);
    header.arrays[name] = { values, shape: entry.shape };
  }
  return header;
}

/**
 * A number of a matrix.
 * @param {Numbers} array
 * @param {number} i
 * @param {number} j
 * @returns {number}
 */
export const at2 = (array, i, j) => array.values[i * array.shape[1] + j];

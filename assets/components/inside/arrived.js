// What has come of the insides of places: whoever draws them asks here, and hears when one comes.

import { SHARED } from "../shared/selection.js";

export const ARRIVED = "glassformer:inside";
const MOST = 24; // that are kept
export const RUN = ["text", "model", "target", "picture", "off", "swap"]; // of another run they are others

const all = () => (SHARED.insides ??= new Map());
const named = (place, told) => JSON.stringify([place, told, ...RUN.map((name) => SHARED.live?.value(name))]);

const ENVELOPE = ["answer", "arrays", "figure", "hosted", "key", "save", "taken"]; // is not drawn
const plain = (payload) => JSON.stringify(
  Object.entries(payload).filter(([name]) => !ENVELOPE.includes(name)));

// Whether the same stands in two of them: one may come once more when its place is opened again.
const same = (one, other) => plain(one) === plain(other)
  && Object.entries(one.arrays).every(([name, { values }]) => {
    const others = other.arrays[name]?.values;
    return others?.length === values.length && values.every((value, n) => Object.is(value, others[n]));
  });

/**
 * Keep the inside of a place, and say that it has come.
 * @param {import("../shared/payload.js").Payload} payload
 */
export function arrive(payload) {
  if (!payload.place) return;
  const name = named(payload.place, Boolean(payload.told));
  const known = all().get(name);
  all().delete(name); // the newest is last
  all().set(name, known && same(known, payload) ? known : payload);
  if (all().size > MOST) all().delete(all().keys().next().value);
  document.dispatchEvent(new CustomEvent(ARRIVED));
}

/**
 * The inside of a place for the rows that are looked at, if it is there.
 * @param {string} place
 * @param {Record<string, number>} rows by the names of the selection
 * @param {boolean} told to somebody who is led, and not to be gone into further
 * @returns {import("../shared/payload.js").Payload | null}
 */
export function insideOf(place, rows, told) {
  const found = all().get(named(place, told));
  const there = found && Object.entries(found.at).every(([name, row]) => (rows[name] ?? row) === row);
  return there ? found : null;
}

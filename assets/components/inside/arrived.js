// What has come of the insides of places: whoever draws them asks here, and hears when one comes.

import { SHARED } from "../shared/selection.js";

export const ARRIVED = "glassformer:inside";
export const NEAR = "glassformer:near"; // one is wanted before it is opened
const MOST = 24; // that are kept

const all = () => (SHARED.insides ??= new Map());

const ENVELOPE = ["arrays", "figure", "hosted", "key", "save", "taken"]; // is not drawn
const plain = (payload) => JSON.stringify(
  Object.entries(payload).filter(([name]) => !ENVELOPE.includes(name)));

// Whether the same stands in two of them: one is sent again whenever another one is asked for.
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
  const known = all().get(payload.place);
  all().delete(payload.place); // the newest is last
  all().set(payload.place, known && same(known, payload) ? known : payload);
  if (all().size > MOST) all().delete(all().keys().next().value);
  document.dispatchEvent(new CustomEvent(ARRIVED));
}

/**
 * The inside of a place for the rows that are looked at, if it is there.
 * @param {string} place
 * @param {Record<string, number>} rows by the names of the selection
 * @returns {import("../shared/payload.js").Payload | null}
 */
export function insideOf(place, rows) {
  const found = all().get(place);
  const same = found && Object.entries(found.at).every(([name, row]) => (rows[name] ?? row) === row);
  return same ? found : null;
}

/** Of another run nothing is known yet. */
export const forgetInsides = () => all().clear();

/**
 * A pointer rests on a place: its inside may come before it is opened.
 * @param {string} place
 * @param {Record<string, number>} rows
 */
export function comeSoon(place, rows) {
  if (!place || insideOf(place, rows)) return;
  document.dispatchEvent(new CustomEvent(NEAR, { detail: place }));
}

// The run as far as somebody has come who is led through it: each click tells one part more, and what
// lies ahead is not there yet (core/figures/components/map/told.py).

/** @typedef {import("./script.js").Span} Span */

const GLOW = 110; // pixels that what runs is behind its front
const REST = { running: false, pass: 0, guessed: 1, bars: 1, row: -1, typed: 1, flight: 0, born: () => 0,
  front: () => Infinity };

/**
 * What stands still before the text is cut; null where the picture stands as ever.
 * @param {import("../shared/payload.js").Payload} payload
 * @returns {any}
 */
export const atRest = ({ told }) => (told && told.reached < told.order.tokens ? REST : null);

/**
 * When each part is told, by its name; null for one that changes where it stands.
 * @param {import("./script.js").Script} script
 * @param {import("./layout.js").Item[]} items
 * @param {Map<any, { x: number, width: number }>} places
 * @returns {Record<string, Span | null>}
 */
export function spansOf({ typed, flight, reads, passes, end }, items, places) {
  const [{ front, guesses, bars, born }, again] = passes;
  const last = items.at(-1).tower;
  const own = items.filter(({ kind, tower }) => kind !== "chips" && tower === last).map((item) => ({ item, ...places.get(item) }));
  const first = own[0].x;
  const long = own.at(-1).x - first + GLOW;
  const at = (x) => front.from + (front.to - front.from) * Math.max(0, Math.min(1, (x - first) / long));
  const gaps = own.filter(({ item }) => item.kind === "gap");
  const before = own.slice(0, own.indexOf(gaps[0]));
  const behind = ({ x, width }) => at(x + width);
  const rows = before.length ? behind(before.at(-1)) : front.from;
  return {
    text: { from: 0, to: typed.to },
    tokens: { from: typed.to, to: flight.to },
    reads: reads.length ? { from: flight.to, to: reads.at(-1).to } : null,
    embedding: { from: front.from, to: before.length ? behind(before[0]) : front.from },
    place: { from: before.length ? behind(before[0]) : front.from, to: rows },
    layers: { from: rows, to: at(gaps.at(-1).x) },
    last: { from: at(gaps.at(-1).x), to: front.to },
    guesses,
    words: bars,
    born,
    again: again ? { from: (born ?? bars).to, to: end } : null,
  };
}

/**
 * When of the whole a part is told to somebody who is led; null for one that is gone into, or changes
 * where it stands.
 * @param {import("../shared/payload.js").Payload} payload
 * @param {import("./script.js").Script} script
 * @param {import("./layout.js").Item[]} items
 * @param {Map<any, { x: number, width: number }>} places
 * @returns {Span | null}
 */
export function stretch({ told: { reached, order } }, script, items, places) {
  const name = Object.keys(order).find((one) => order[one] === reached) ?? "";
  const spans = spansOf(script, items, places);
  if (name === "again") return spans.born && script.passes[1] ? { from: spans.born.from, to: script.passes[1].bars.to } : null;
  return spans[name] ?? null;
}

/**
 * Leave out what has no numbers yet.
 * @param {import("./layout.js").Item[]} items
 * @param {import("../shared/payload.js").Payload} payload
 * @returns {import("./layout.js").Item[]}
 */
export function reachedOf(items, { told, arrays }) {
  if (!told) return items;
  return items.map((item) => (item.parts
    ? { ...item, parts: item.parts.filter(({ array }) => arrays[array]) } : item));
}

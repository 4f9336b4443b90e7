// The run as far as somebody has come who is led through it: each click tells one part more, and what
// lies ahead is not there yet (core/figures/components/map/told.py).

/** @typedef {import("./script.js").Span} Span */

const GLOW = 110; // pixels that what runs is behind its front
const REST = { running: false, pass: 0, bars: 1, row: -1, typed: 1, flight: 0, born: () => 0,
  front: () => Infinity };

/**
 * What stands still before the text is cut; null where the picture stands as ever.
 * @param {import("../shared/payload.js").Payload} payload
 * @returns {any}
 */
export const atRest = ({ told }) => (told && told.reached < told.order.tokens ? REST : null);

/**
 * When of the whole a part is told; null for one that is gone into, or changes where it stands.
 * @param {import("../shared/payload.js").Payload} payload
 * @param {import("./script.js").Script} script
 * @param {import("./layout.js").Item[]} items
 * @param {Map<any, { x: number, width: number }>} places
 * @returns {Span | null}
 */
export function stretch({ told: { reached, order } }, { typed, flight, passes }, items, places) {
  const [{ front, bars, born }, again] = passes;
  const own = items.filter(({ kind }) => kind !== "chips").map((item) => ({ item, ...places.get(item) }));
  const first = own[0].x;
  const long = own.at(-1).x - first + GLOW;
  const at = (x) => front.from + (front.to - front.from) * Math.max(0, Math.min(1, (x - first) / long));
  const gaps = own.filter(({ item }) => item.kind === "gap");
  const before = own.slice(0, own.indexOf(gaps[0]));
  const behind = ({ x, width }) => at(x + width);
  const spans = {
    text: { from: 0, to: typed.to },
    tokens: { from: typed.to, to: flight.to },
    embedding: { from: front.from, to: behind(before[0]) },
    place: { from: behind(before[0]), to: behind(before.at(-1)) },
    layers: { from: behind(before.at(-1)), to: at(gaps.at(-1).x) },
    guesses: front,
    words: bars,
    again: again && born && { from: born.from, to: again.bars.to },
  };
  const name = Object.keys(order).find((one) => order[one] === reached);
  return spans[name ?? ""] ?? null;
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

// A bet: whole per cents on several options, which always add up to 100.

/**
 * Whole per cents that add up to 100, in the proportions of some numbers; even where all are 0.
 * @param {number[]} parts none below 0
 * @param {number} [whole]
 * @returns {number[]}
 */
export function perCents(parts, whole = 100) {
  const sum = parts.reduce((all, one) => all + one, 0);
  const exact = parts.map((one) => (sum ? (whole * one) / sum : whole / parts.length));
  const found = exact.map(Math.floor);
  // What rounding has left goes to those that lost most by it.
  const order = exact.map((one, at) => at).sort((a, b) => (exact[b] % 1) - (exact[a] % 1) || a - b);
  const left = whole - found.reduce((all, one) => all + one, 0);
  order.slice(0, left).forEach((at) => { found[at] += 1; });
  return found;
}

/**
 * One is moved: the others share what is left, in the proportions that they had.
 * @param {number[]} had
 * @param {number} at
 * @param {number} now per cent
 * @returns {number[]}
 */
export function moved(had, at, now) {
  const others = perCents(had.filter((_one, n) => n !== at), 100 - now);
  return [...others.slice(0, at), now, ...others.slice(at)];
}

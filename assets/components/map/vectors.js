// A part that is a vector for each token.

/**
 * @param {import("./tower.js").Towers} on
 * @param {Record<string, any>} tower
 * @param {Record<string, any>} part
 * @returns {(Node | null)[]}
 */
export function vectors(on, tower, part) {
  const { labels, sizes } = on.payload;
  const width = part.first ? sizes.embed : sizes.final;
  return [on.part(tower, part.place, "", labels.cells,
    [on.strips(tower, on.array(part, "values"), width, part.title)]), on.gives(part)];
}

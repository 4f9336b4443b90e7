// Where the arrows lead in a tree that grows to the right.

/**
 * The node that a key leads to from another one; null where it leads nowhere.
 * @param {{ nodes: { parent: number }[], places: number[][] }} tree
 * @param {number} from
 * @param {string} key
 * @returns {number | null}
 */
export function nextOf({ nodes, places }, from, key) {
  const [column, row] = places[from];
  if (key === "ArrowLeft") return nodes[from].parent >= 0 ? nodes[from].parent : null;
  if (key === "ArrowRight") {
    const child = nodes.findIndex((node) => node.parent === from);
    return child < 0 ? null : child;
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!by) return null;
  let best = null;
  places.forEach(([other, at], n) => {
    const further = (at - row) * by;
    if (other !== column || further <= 0) return;
    if (best === null || further < (places[best][1] - row) * by) best = n;
  });
  return best;
}

// What lies below the pointer.

/** @typedef {{ x: number, y: number }} Place */

/**
 * Where the pointer is in an element, counted in the element's own pixels.
 * @param {MouseEvent} event
 * @param {Element} element
 * @param {number} [width] of the element in its own pixels, where it is drawn smaller or larger
 * @returns {Place}
 */
export function placeIn(event, element, width) {
  const box = element.getBoundingClientRect();
  const scale = width === undefined ? 1 : width / box.width;
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
}

/**
 * Row and column of a grid of equal cells at a place; null beside it.
 * @param {Place} place
 * @param {{ left?: number, top?: number, wide: number, tall: number, rows: number, cols: number }} grid
 * @returns {[number, number] | null}
 */
export function cellAt({ x, y }, { left = 0, top = 0, wide, tall, rows, cols }) {
  const [i, j] = [Math.floor((y - top) / tall), Math.floor((x - left) / wide)];
  return i >= 0 && j >= 0 && i < rows && j < cols ? [i, j] : null;
}

// The picture that stands before the page does (first/first.js), and the one that takes its place.

/**
 * How far a picture has been told.
 * @typedef {{ shown: string, at: number, n: number, since: number, paused: boolean }} Told at a station, since so many ms
 */
/** @type {{ told?: () => Told, leave?: () => void } | null} */
let standing = null;

/**
 * @param {{ told?: () => Told, leave?: () => void }} one what can be asked of the picture that stands
 */
export function stand(one) {
  standing = { ...standing, ...one };
}

/** Let the picture that stands go, if one does: the page shows something else. */
export function giveWay() {
  standing?.leave?.();
  standing = null;
}

/**
 * Take the place of the picture that stands, if one does.
 * @param {string} shown what is shown from now on
 * @returns {Told | null} how far the same had been told
 */
export function takeOver(shown) {
  const told = standing?.told?.() ?? null;
  giveWay();
  return told?.shown === shown ? told : null;
}

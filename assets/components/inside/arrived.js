// What has come of the insides of places: whoever draws them asks here, and hears when one comes.

import { SHARED } from "../shared/selection.js";

export const ARRIVED = "glassformer:inside";

/**
 * Keep the inside of a place, the newest, and say that it has come.
 * @param {import("../shared/payload.js").Payload} payload
 */
export function arrive(payload) {
  SHARED.inside = payload;
  document.dispatchEvent(new CustomEvent(ARRIVED));
}

/**
 * The inside of a place, if it is there.
 * @param {string} place
 * @returns {import("../shared/payload.js").Payload | null}
 */
export const insideOf = (place) => (place && SHARED.inside?.place === place ? SHARED.inside : null);

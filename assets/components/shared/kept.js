// What a browser keeps of its user's wishes, from visit to visit. Where it keeps nothing, a wish holds
// while the page is open.

const held = new Map();

/**
 * @param {string} name
 * @returns {string | null}
 */
export function kept(name) {
  try {
    return localStorage.getItem(`glassformer.${name}`);
  } catch {
    return held.get(name) ?? null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`glassformer.${name}`, value);
  } catch {
    held.set(name, value);
  }
}

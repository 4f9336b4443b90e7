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

/** Whoever has this cookie is no new visitor (pages/parts/tour.py): the server must know it at once. */
export function markVisit() {
  if (!document.cookie.includes("glassformer=")) {
    document.cookie = "glassformer=known; path=/; max-age=31536000; SameSite=Lax";
  }
}

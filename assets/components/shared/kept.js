// What a browser keeps of its user's wishes, from visit to visit. Where it keeps nothing, a wish holds
// while the page is open.

const held = new Map();

/**
 * What the browser has for a name.
 * @param {string} name
 * @returns {string}
 */
export const nameOf = (name) => `glassformer.${name}`;

/**
 * @param {string} name
 * @returns {string | null}
 */
export function kept(name) {
  try {
    return localStorage.getItem(nameOf(name));
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
    localStorage.setItem(nameOf(name), value);
  } catch {
    held.set(name, value);
  }
}

/**
 * What this tab has for a name.
 * @param {string} name
 * @returns {string | null}
 */
export function keptHere(name) {
  try {
    return sessionStorage.getItem(nameOf(name));
  } catch {
    return held.get(`here.${name}`) ?? null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keepHere(name, value) {
  try {
    sessionStorage.setItem(nameOf(name), value);
  } catch {
    held.set(`here.${name}`, value);
  }
}

/**
 * Whether this tab has not done something for ten seconds; it does it now.
 * @param {string} name
 * @returns {boolean}
 */
export function seldom(name) {
  const last = Number(sessionStorage.getItem(`glassformer.${name}`));
  sessionStorage.setItem(`glassformer.${name}`, String(Date.now()));
  return Date.now() - last > 10_000;
}

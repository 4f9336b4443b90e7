// What a browser keeps of its user's wishes, from visit to visit. Where it keeps nothing, a wish holds
// while the page is open.

/**
 * What the browser has for a name.
 * @param {string} name
 * @returns {string}
 */
export const nameOf = (name) => `glassformer.${name}`;

/**
 * How a store of the browser is read and written.
 * @param {() => Storage} store
 * @returns {{ read: (name: string) => string | null, write: (name: string, value: string) => void }}
 */
function within(store) {
  const held = new Map();
  return {
    read(name) {
      try {
        return store().getItem(nameOf(name));
      } catch {
        return held.get(name) ?? null;
      }
    },
    write(name, value) {
      try {
        store().setItem(nameOf(name), value);
      } catch {
        held.set(name, value);
      }
    },
  };
}

const lasting = within(() => localStorage);
export const kept = lasting.read;
export const keep = lasting.write;

const ofThisTab = within(() => sessionStorage);
export const keptHere = ofThisTab.read;
export const keepHere = ofThisTab.write;

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

// Components by their folders. A page of the app loads each when it is wanted first; a file that needs no
// server has brought them along.

/** @typedef {(component: any) => (() => void)} Component */

/** @type {Map<string, Component>} */
const brought = new Map();

/** @param {Record<string, Component>} components by their folders */
export function bring(components) {
  for (const [folder, component] of Object.entries(components)) brought.set(folder, component);
}

/**
 * @param {string} folder
 * @returns {Promise<Component>}
 */
export const componentOf = async (folder) =>
  brought.get(folder) ?? (await import(`../${folder}/${folder}.js`)).default;

// Components by their folders, for one that shows others within.

/** @typedef {(component: any) => (() => void)} Component */

/** @type {Map<string, Component>} */
const brought = new Map();

/** @param {Record<string, Component>} components by their folders */
export function bring(components) {
  for (const [folder, component] of Object.entries(components)) brought.set(folder, component);
}

/**
 * @param {string} folder
 * @returns {Component | undefined}
 */
export const componentOf = (folder) => brought.get(folder);

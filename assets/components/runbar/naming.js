// What a scene is of, and where in its page or lesson, for whom the title stands a scene above.

import { SHARED } from "../shared/selection.js";
import { main } from "../shared/streamlit.js";
import { placed } from "./blocks.js";

const NEAR = 60; // pixels from where a scene begins to its own title

/**
 * The part of the page that is shown, of a page or a lesson that has parts.
 * @returns {{ place: string, title: string } | undefined}
 */
export const partNow = () => [...SHARED.walkers].filter(({ host }) => host.isConnected)
  .map(({ instance }) => instance.deck?.()).find(Boolean);

/**
 * The title of what a scene shows, where it does not show that itself.
 * @param {number} begin pixels of the page
 * @returns {string}
 */
export function nameOf(begin) {
  if (!begin) return "";
  const titles = [...main()?.querySelectorAll("h1, h2, h3") ?? []].filter((one) => one.checkVisibility());
  const above = titles.filter((one) => placed(one).bottom <= begin + 1);
  // A section that begins here says so itself.
  const begins = titles.some((one) => placed(one).top >= begin - 1 && placed(one).top < begin + NEAR);
  const [page] = above, section = begins ? undefined : above.findLast((one) => !one.matches("h1"));
  return (section?.textContent || partNow()?.title || page?.textContent || "").trim();
}

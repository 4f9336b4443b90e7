// What a scene is of, and where in its page or lesson, for whom the title stands a scene above.

import { SHARED } from "../shared/selection.js";
import { main } from "../shared/streamlit.js";
import { placed } from "./blocks.js";

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
  const above = [...main()?.querySelectorAll("h1, h2, h3") ?? []]
    .filter((one) => one.checkVisibility() && placed(one).bottom <= begin + 1);
  const [page] = above, section = above.findLast((one) => !one.matches("h1"));
  return (section?.textContent || partNow()?.title || page?.textContent || "").trim();
}

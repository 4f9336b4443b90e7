// Links to pages of the app, which a plain click follows within the tab.

import { plain, visit } from "../shared/moving.js";

/**
 * What a plain click on a link does.
 * @param {string} page
 * @param {Record<string, any>} [extra] what is selected there
 * @returns {(event: MouseEvent) => void}
 */
export const go = (page, extra = {}) => (event) => {
  if (!plain(event)) return;
  event.preventDefault();
  visit(page, extra);
};

function refresh(event) {
  event.currentTarget.href = event.currentTarget.dataset.page + location.search;
}

/**
 * Its address says what the page's says when somebody wants to open it elsewhere.
 * @param {string} page
 * @returns {Record<string, any>} attributes
 */
export const link = (page) => ({
  href: page + location.search, "data-page": page, onpointerenter: refresh, onfocus: refresh,
});

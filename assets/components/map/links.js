// Links to pages of the app, which a plain click follows within the session.

import { plain, visit } from "../shared/visits.js";

export const go = (page, extra = {}) => (event) => {
  if (!plain(event)) return;
  event.preventDefault();
  visit(page, extra);
};

// The address of a link says what the page's says when somebody wants to open it elsewhere.
function refresh(event) {
  event.currentTarget.href = event.currentTarget.dataset.page + location.search;
}
export const link = (page) => ({
  href: page + location.search, "data-page": page, onpointerenter: refresh, onfocus: refresh,
});

// Going from page to page within the session.

import { takeUnsaid } from "./selection.js";
import { closeMenu, follow, menuLink } from "./streamlit.js";

/**
 * Go to a page of the app. What is selected but not yet said goes along. The server then puts the
 * page's own link into the new entry of the history (pages/parts/address.py), which is why it is no
 * second one.
 * @param {string} page
 * @param {Record<string, any>} [changes] of what is selected
 */
export function visit(page, changes = {}) {
  const said = JSON.stringify({ ...takeUnsaid(), ...changes });
  const address = `${page}?${new URLSearchParams({ visit: said })}`;
  if (address === location.pathname + location.search) return; // the second of a double click
  follow(address);
}

/**
 * Only a plain click stays in the session; with a modifier the browser opens a page of its own.
 * @param {MouseEvent} event
 * @returns {boolean}
 */
export const plain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;

// The links of the menu are taken before Streamlit hears of them.
function visitFromMenu(event) {
  const link = menuLink(event.target);
  if (!link || !plain(event) || link.pathname === location.pathname) return;
  event.preventDefault();
  event.stopPropagation();
  visit(link.pathname);
  closeMenu(link);
}

/** From now on, for the whole page. */
export function visitsFromMenu() {
  document.addEventListener("click", visitFromMenu, true);
}

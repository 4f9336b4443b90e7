// Going from page to page within the session.

import { takeUnsaid } from "./selection.js";

/**
 * Go to a page of the app as the browser's own buttons do: one new entry in its history, told to
 * Streamlit as they tell it. What is selected but not yet said goes along. The server then puts
 * the page's own link into that entry (pages/parts/address.py), which is why it is no second one.
 * @param {string} page
 * @param {Record<string, any>} [changes] of what is selected
 */
export function visit(page, changes = {}) {
  const said = JSON.stringify({ ...takeUnsaid(), ...changes });
  const address = `${page}?${new URLSearchParams({ visit: said })}`;
  if (address === location.pathname + location.search) return; // the second of a double click
  history.pushState({}, "", address);
  globalThis.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

/**
 * Only a plain click stays in the session; with a modifier the browser opens a page of its own.
 * @param {MouseEvent} event
 * @returns {boolean}
 */
export const plain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;

function press(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

// Streamlit's menu makes two entries of one click, the first without the page's state. Its links
// are taken before it hears of them, and what it would have closed is closed.
function visitFromMenu(event) {
  const link = event.target.closest?.(
    'a[data-testid^="stTopNav"], a[data-testid="stSidebarNavLink"]');
  if (!link || !plain(event) || link.pathname === location.pathname) return;
  event.preventDefault();
  event.stopPropagation();
  visit(link.pathname);
  press('[data-testid="stTopNavSection"][aria-expanded="true"]');
  if (link.matches('[data-testid="stSidebarNavLink"]')) {
    press('[data-testid="stSidebarCollapseButton"] button');
  }
}

/** From now on, for the whole page. */
export function visitsFromMenu() {
  document.addEventListener("click", visitFromMenu, true);
}

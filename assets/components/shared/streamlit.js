// What the browser's side relies on inside Streamlit, beyond its documented interface: the names that
// it gives to elements of its page, how it goes from page to page, when it calls a component.
//
// Tried on Streamlit 1.67. Where a version has one of the names no more tests/browser/test_hooks.py fails,
// where it behaves otherwise test_state.py. The style sheet's counterpart is assets/streamlit.css.

const MENU_LINKS = 'a[data-testid^="stTopNav"], a[data-testid="stSidebarNavLink"]';
const SIDEBAR_LINK = '[data-testid="stSidebarNavLink"]';
const OPEN_SECTION = '[data-testid="stTopNavSection"][aria-expanded="true"]';
const CLOSES_SIDEBAR = '[data-testid="stSidebarCollapseButton"] button';
const APP = '[data-testid="stApp"]';
const UNDER_WAY = ["running", "rerunRequested"];
const LOOKED = 40; // ms, after which the page is looked at again
const CALLED_AGAIN = 1000; // ms, within which a component is that stays

/**
 * Go to an address of the app: one new entry in the browser's history, of which Streamlit hears as of
 * the browser's own buttons. Its own way makes two, the first without the page's state.
 * @param {string} address
 */
export function follow(address) {
  history.pushState({}, "", address);
  globalThis.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

/**
 * The link of Streamlit's menu that an element belongs to.
 * @param {EventTarget | null} target
 * @returns {HTMLAnchorElement | null}
 */
export const menuLink = (target) => (target instanceof Element ? target.closest(MENU_LINKS) : null);

function press(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

/**
 * Close what Streamlit would have closed, had it heard of the click on a link of its menu.
 * @param {HTMLAnchorElement} link
 */
export function closeMenu(link) {
  press(OPEN_SECTION);
  if (link.matches(SIDEBAR_LINK)) press(CLOSES_SIDEBAR);
}

/**
 * Where Streamlit shows what has this key.
 * @param {string} key
 * @returns {Element | null}
 */
export const placeOf = (key) => document.querySelector(`.st-key-${CSS.escape(key)}`);

/**
 * Do something once no run of the script is under way. What is sent during one cuts it short, and
 * brings along what every control showed before the run.
 * @param {() => void} act
 */
export function atRest(act) {
  setTimeout(function look() {
    /** @type {HTMLElement | null} */
    const app = document.querySelector(APP);
    if (UNDER_WAY.includes(app?.dataset.testScriptState ?? "")) setTimeout(look, LOOKED);
    else act();
  });
}

/**
 * Nothing on the page has the keyboard. A click beside everything gives it to the page's main part,
 * which Streamlit lets have it.
 * @returns {boolean}
 */
export const nothingHasKeyboard = () =>
  !document.activeElement || document.activeElement.matches("body, main");

/**
 * A state as it is sent, with its number: Streamlit does not pass on one that is what it was before,
 * and the server may have changed it by itself since.
 * @param {any} value
 * @param {number} n
 * @returns {{ value: any, n: number }}
 */
export const numbered = (value, n) => ({ value, n });

/**
 * Do something once a component has gone. Streamlit cleans up before every new call too; only what is
 * not called again is gone.
 * @param {() => void} leave
 * @returns {ReturnType<typeof setTimeout>} to be cleared when it is called again
 */
export const onceGone = (leave) => setTimeout(leave, CALLED_AGAIN);

// What the browser's side relies on inside Streamlit, beyond its documented interface: the names that
// it gives to elements of its page, how it goes from page to page, when it calls a component.
//
// Tried on Streamlit 1.67. Where a version has one of the names no more tests/browser/test_hooks.py fails,
// where it behaves otherwise test_state.py. The style sheet's counterpart is assets/streamlit.css.

import { SCREEN_TITLE } from "./dom.js";
import { seldom } from "./kept.js";

const MENU_LINKS = 'a[data-testid^="stTopNav"], a[data-testid="stSidebarNavLink"]';
const SIDEBAR_LINK = '[data-testid="stSidebarNavLink"]';
const OPEN_SECTION = '[data-testid="stTopNavSection"][aria-expanded="true"]';
const CLOSES_SIDEBAR = '[data-testid="stSidebarCollapseButton"] button';
const HEADER = '[data-testid="stHeader"]';
const OPENS_SIDEBAR = '[data-testid="stExpandSidebarButton"]';
const SIDEBAR = '[data-testid="stSidebar"]';
const MAIN = '[data-testid="stMain"]';
const SECTION_TITLES = '[data-testid="stMain"] h2, [data-testid="stExpander"] summary p';
const CONTENT = '[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"]';
const FOLDED = '[data-testid="stExpander"] > details:not([open])';
const ROW = '[data-testid="stHorizontalBlock"]';
const APP = '[data-testid="stApp"]';
const UNDER_WAY = ["running", "rerunRequested"];
const CONNECTED = "CONNECTED";
const LOOKED = 40; // ms, after which the page is looked at again
const CALLED_AGAIN = 1000; // ms, within which a component is that stays

/**
 * Put an address of the app into the browser's history: one new entry, where Streamlit's own way makes
 * two, the first without the page's state.
 * @param {string} address
 * @param {Record<string, any>} [state] that goes with it
 */
export function push(address, state = {}) {
  history.pushState(state, "", address);
}

/**
 * The link of Streamlit's menu that an element belongs to.
 * @param {EventTarget | null} target
 * @returns {HTMLAnchorElement | null}
 */
export const menuLink = (target) => (target instanceof Element ? target.closest(MENU_LINKS) : null);

/**
 * Spare Streamlit two questions before it connects: where its server is, and what a page that frames
 * it may do, which is nothing. It must be said before Streamlit's own code runs.
 * @param {URL} root of the app
 */
export function connectAtOnce(root) {
  /** @type {any} */ (globalThis).__streamlit = {
    BACKEND_BASE_URL: root.href,
    HOST_CONFIG: {
      allowedOrigins: [root.origin], useExternalAuthToken: false, enableCustomParentMessages: false,
      enforceDownloadInNewTab: false, metricsUrl: "", blockErrorDialogs: false, resourceCrossOriginMode: null,
    },
  };
}

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

/** @type {MutationObserver | null} */
let naming = null;

/**
 * Say of the button of a phone's menu what it is; streamlit.css writes it beside its sign.
 * @param {string} words
 */
export function nameMenu(words) {
  const header = document.querySelector(HEADER);
  const name = () => {
    const button = header?.querySelector(OPENS_SIDEBAR);
    if (button?.getAttribute("aria-label") !== words) button?.setAttribute("aria-label", words);
  };
  document.documentElement.style.setProperty("--glass-menu-name", JSON.stringify(words));
  naming?.disconnect();
  naming = new MutationObserver(name);
  if (header) naming.observe(header, { childList: true, subtree: true });
  name();
}

/**
 * The menu lies over the page, as on a phone, and a place is beside it: a press there closes it.
 * @param {EventTarget | null} target
 * @returns {boolean}
 */
export function besideMenu(target) {
  const menu = document.querySelector(SIDEBAR);
  const main = document.querySelector(MAIN);
  if (!menu || !main || !(target instanceof Node) || menu.contains(target)) return false;
  const [over, under] = [menu, main].map((one) => one.getBoundingClientRect());
  return over.width > 0 && over.right - under.left > under.width / 4;
}

/**
 * Where Streamlit shows what has this key, or a key that goes on from there.
 * @param {string} key
 * @returns {Element | null}
 */
export function placeOf(key) {
  const name = `st-key-${key.replace(/[^\w-]/g, "-")}`;
  return document.querySelector(`.${name}`) ?? document.querySelector(`[class*="${name}-"]`);
}

/**
 * Open what an element is folded away in.
 * @param {Element | null} element
 */
export function unfold(element) {
  for (let at = element?.closest(FOLDED); at; at = at.parentElement?.closest(FOLDED)) {
    /** @type {HTMLElement | null} */ (at.querySelector("summary"))?.click();
  }
}

/**
 * The heading of a section of the page, or what opens one that is folded away.
 * @param {string} text
 * @returns {Element | undefined}
 */
export const headingOf = (text) => [...document.querySelectorAll(SECTION_TITLES)]
  .find((one) => one.textContent?.trim() === text);

/**
 * What an element stands in that is on the page for some values of a parameter only.
 * @param {Element} element
 * @returns {Element | null} nothing for most
 */
export const conditional = (element) => element.closest('[class*="st-key-only-"]');

/** @returns {HTMLElement | null} what scrolls on the page */
export const main = () => document.querySelector(MAIN);

/** @returns {HTMLElement | null} what stands on the page, one below the other */
export const content = () => document.querySelector(CONTENT);

/** @param {Element} node @returns {boolean} whether columns stand in it side by side */
export const isRow = (node) => node.matches(ROW);

/** @returns {HTMLElement | null} Streamlit's page; none where an error has taken all of it away */
const app = () => document.querySelector(APP);

/**
 * Do something once no run of the script is under way.
 * @param {() => void} act
 */
export function atRest(act) {
  setTimeout(function look() {
    if (UNDER_WAY.includes(app()?.dataset.testScriptState ?? "")) setTimeout(look, LOOKED);
    else act();
  });
}

/**
 * What is told reaches a server; a page without Streamlit has none to lose.
 * @returns {boolean}
 */
export const connected = () => (app()?.dataset.testConnectionState ?? CONNECTED) === CONNECTED;

/**
 * Hear when the connection is lost, and when it is back.
 * @param {(on: boolean) => void} act
 * @returns {() => void} to hear of it no more
 */
export function onConnection(act) {
  let on = connected();
  const watcher = new MutationObserver(() => {
    if (connected() !== on) act(on = !on);
  });
  const page = app();
  if (page) watcher.observe(page, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  return () => watcher.disconnect();
}

/** Load the page anew where an error inside Streamlit has left nothing of it, but not again and again. */
export function reloadWhatIsBlank() {
  const page = app();
  if (!page) return; // a file from disk
  new MutationObserver(() => {
    if (page.dataset.testConnectionState === "DISCONNECTED_FOREVER" && seldom("reloaded")) location.reload();
  }).observe(page, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  globalThis.addEventListener("error", () => setTimeout(() => {
    if (!app() && seldom("reloaded")) location.reload();
  }));
}

/**
 * Hear of a step through the history before Streamlit does.
 * @param {(event: Event) => void} act
 */
export function onStep(act) {
  globalThis.addEventListener("popstate", (event) => { if (event.isTrusted) act(event); }, true);
}

/**
 * Hear of a step through the history before Streamlit does: the document loads who asks for that before
 * Streamlit's own code, and a window calls who listens in that order.
 * @param {(event: Event) => void} act
 */
export function onStepFirst(act) {
  globalThis.addEventListener("popstate", (event) => { if (event.isTrusted) act(event); });
}

/** Have the script run for the address that the page has, as after a step through the history. */
export function runForAddress() {
  globalThis.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

/**
 * Nothing on the page has the keyboard. A click beside everything gives it to the page's main part,
 * which Streamlit lets have it.
 * @returns {boolean}
 */
export const nothingHasKeyboard = () =>
  !document.activeElement || document.activeElement.matches(`body, main, ${SCREEN_TITLE}`);

/**
 * Do something once a component has gone. Streamlit cleans up before every new call too; only what is
 * not called again is gone.
 * @param {() => void} leave
 * @returns {ReturnType<typeof setTimeout>} to be cleared when it is called again
 */
export const onceGone = (leave) => setTimeout(leave, CALLED_AGAIN);

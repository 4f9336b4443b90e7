// Going from page to page within the app, and back by the browser's own buttons: one move after the
// other. Streamlit's page forgets what a run that is under way still counts on, once it asks for another.

import { holdStill, scroller } from "./scrolling.js";
import { SHARED } from "./selection.js";
import { atRest, closeMenu, headingOf, menuLink, placeOf, push, runForAddress } from "./streamlit.js";
import { onStep, reloadWhatIsBlank, unfold } from "./streamlit.js";

const LONGEST = 5000; // ms that a move may take before the next one
const LOOKED = 100; // ms, after which a heading is looked for again
/** @type {Record<string, string[]>} */
const OPENED = { "/": ["place", "tour"], "/lessons": ["lesson", "lesson_at"] }; // by how a page's address ends

let moving = false;
/** @type {(() => void) | null} */
let next = null; // the move that waits

/** @returns {boolean} whether another page, or this one anew, is on its way */
export const moves = () => moving;

const own = () => location.pathname + location.search;
const toTheTop = () => scroller(placeOf("link") ?? document.body)?.scrollTo(0, 0);

// The browser has moved, and Streamlit is about to hear of it.
function begin() {
  const before = SHARED.runs;
  const until = performance.now() + LONGEST;
  moving = true;
  (function look() {
    if (SHARED.runs === before && performance.now() < until) setTimeout(look, 20);
    else atRest(end);
  })();
}

function end() {
  const act = next;
  moving = false;
  next = null;
  act?.();
}

function askForAddress() {
  begin();
  runForAddress();
}

// A step through the history that comes too early waits. Meanwhile the page that was on its way may be
// written into the history: Streamlit puts it on top of the step, and its state in the place of another.
function step(event) {
  if (location.hash) return; // a place on this page is no move
  if (!moving) {
    begin();
    return;
  }
  event.stopImmediatePropagation();
  const [to, path, state] = [own(), location.pathname, history.state];
  next = () => {
    if (location.pathname !== path) {
      history.back();
      return;
    }
    if (own() !== to) history.replaceState(state, "", to);
    askForAddress();
  };
}

/**
 * Go to an address of the app. It is in the history at once, or Back would lead too far.
 * @param {() => string} address
 */
export function go(address) {
  if (moving) {
    next = () => go(address);
    return;
  }
  const to = address();
  if (to === own()) return; // the second of a double click
  moving = true;
  push(to);
  atRest(askForAddress);
}

/**
 * Go to a page of the app. What was chosen goes along (along.js).
 * @param {string} page
 * @param {Record<string, any>} [changes] what it is to show
 * @param {string} [section] its heading, which is brought into sight
 */
export function visit(page, changes = {}, section = "") {
  if (page === location.pathname) toTheTop();
  go(() => SHARED.live?.onward(page, changes) ?? `${page}?${new URLSearchParams(changes)}`);
  if (section) showSection(page, section);
}

// Once it is there; a page that another model runs may lack it.
function showSection(page, section) {
  const until = performance.now() + LONGEST;
  (function look() {
    const heading = !moving && location.pathname === page ? headingOf(section) : undefined;
    if (heading) {
      unfold(heading);
      setTimeout(() => { // what it opens has made room by then
        heading.scrollIntoView({ block: "start" });
        holdStill(heading);
      }, LOOKED);
    } else if (performance.now() < until) setTimeout(look, LOOKED);
  })();
}

/**
 * Only a plain click stays in the tab; with a modifier the browser opens a page of its own.
 * @param {MouseEvent} event
 * @returns {boolean}
 */
export const plain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;

// The links of the menu are taken before Streamlit hears of them.
function visitFromMenu(event) {
  const link = menuLink(event.target);
  if (!link || !plain(event)) return;
  const here = link.pathname === location.pathname;
  const opened = (OPENED[link.pathname.slice(link.pathname.lastIndexOf("/"))] ?? [])
    .filter((name) => SHARED.live?.values[name] !== undefined);
  if (here && !opened.length) return;
  event.preventDefault();
  event.stopPropagation();
  if (here) { // out of the place or lesson that is open, to the whole
    SHARED.live.set(Object.fromEntries(opened.map((name) => [name, null])));
    toTheTop();
  } else visit(link.pathname);
  closeMenu(link);
}

/** From now on, for the whole page. */
export function moveThePage() {
  document.addEventListener("click", visitFromMenu, true);
  onStep(step);
  reloadWhatIsBlank();
}

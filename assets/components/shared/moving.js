// Going from page to page within the session, and back by the browser's own buttons: one move after the
// other, and each after what was done before it. A message that is told while the browser moves names a
// page that is gone; Streamlit then takes away what the new one shows.

import { allHeard, move } from "./outbox.js";
import { scroller } from "./scrolling.js";
import { LINK, report, selectAll, SHARED, takeUnsaid } from "./selection.js";
import { atRest, closeMenu, connected, menuLink, placeOf, push, runForAddress } from "./streamlit.js";
import { onConnection, onStep, reloadWhatIsBlank } from "./streamlit.js";

const LONGEST = 5000; // ms that a move may take before the next one
/** @type {Record<string, string[]>} */
const OPENED = { "/": ["place"], "/lessons": ["lesson", "lesson_at"] }; // by how a page's address ends
const VISIT = "visit"; // in an address: the state goes along (pages/parts/address.py)

let moving = false;
let away = false; // the browser has moved while there was no connection
/** @type {{ address: string, pushed: boolean } | null} */
let held = null; // a step through the history that waits
/** @type {(() => string) | null} */
let wanted = null; // an address that waits

/** @returns {boolean} whether another page, or this one anew, is on its way */
export const moves = () => moving;

const own = () => location.pathname + location.search;
const toTheTop = () => scroller(placeOf(LINK) ?? document.body)?.scrollTo(0, 0);

// The browser has moved, and Streamlit is about to hear of it.
function begin() {
  const before = SHARED.page;
  const until = performance.now() + LONGEST;
  moving = true;
  move(true);
  (function look() {
    if (SHARED.page === before && performance.now() < until) setTimeout(look, 20);
    else atRest(end);
  })();
}

function end() {
  const next = wanted;
  moving = false;
  wanted = null;
  move(false);
  if (next) go(next);
  else release();
}

// A step through the history that comes too early waits. Meanwhile the server writes links into the
// history: on top of the step, or during a move in its place.
function step(event) {
  away ||= !connected();
  if (!connected() || location.hash) return; // a place on this page is no move
  if (!moving && !held && allHeard(release)) {
    begin();
    return;
  }
  event.stopImmediatePropagation();
  held = { address: own(), pushed: !moving };
}

function release() {
  if (!held || moving) return;
  const { address, pushed } = held;
  held = null;
  const there = own() === address;
  const covered = !there && (pushed || address.split("?")[0] !== location.pathname);
  if (covered) {
    history.back();
    return;
  }
  if (!there) history.replaceState({}, "", address);
  begin();
  runForAddress();
}

/**
 * Go to an address of the app. It is in the history at once, or Back would lead too far; what was done
 * before and is not heard is told there.
 * @param {() => string} address
 */
export function go(address) {
  if (moving) {
    wanted = address;
    return;
  }
  const to = address();
  if (to === own()) return; // the second of a double click
  moving = true;
  move(true);
  push(to);
  // Streamlit's page forgets what a run that is under way still counts on, once it asks for another.
  atRest(() => {
    begin();
    runForAddress();
  });
}

/**
 * Go to a page of the app. What is selected but not yet said goes along. The server then puts the
 * page's own link into the new entry of the history (pages/parts/address.py), which is why it is no
 * second one.
 * @param {string} page
 * @param {Record<string, any>} [changes] of what is selected
 */
export function visit(page, changes = {}) {
  if (page === location.pathname) toTheTop();
  if (SHARED.live) {
    const said = { hers: SHARED.live.hers, ...takeUnsaid(), ...changes };
    go(() => SHARED.live.address(page, said));
    return;
  }
  const said = JSON.stringify({ ...takeUnsaid(), ...changes });
  go(() => `${page}?${new URLSearchParams({ [VISIT]: said })}`);
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
  if (!link || !plain(event)) return;
  const here = link.pathname === location.pathname;
  const opened = OPENED[link.pathname.slice(link.pathname.lastIndexOf("/"))];
  if (here && !(opened && SHARED.chosen[opened[0]])) return;
  event.preventDefault();
  event.stopPropagation();
  if (here) { // out of the place or lesson that is open, to the whole
    selectAll(Object.fromEntries(opened.map((name) => [name, null])));
    report(opened, { atOnce: true });
    toTheTop();
  } else visit(link.pathname);
  closeMenu(link);
}

// The server behind a connection that is back may know all, or nothing: it is asked for the whole page,
// with what the browser has.
function back() {
  if (SHARED.live) return; // its address says all
  const query = new URLSearchParams(location.search);
  if (!away && !query.has(VISIT)) query.set(VISIT, "{}");
  away = false;
  history.replaceState({}, "", `${location.pathname}?${query}`);
  begin();
  runForAddress();
}

/** From now on, for the whole page. */
export function moveThePage() {
  document.addEventListener("click", visitFromMenu, true);
  onStep(step);
  onConnection((on) => { if (on) back(); });
  reloadWhatIsBlank();
}

// What is done on the page, told to the server in its order and each thing once. A message has a number
// and goes through the link; the server says with everything how far it has heard (`taken`). Until then
// a message is kept, and told again where a connection or a run has lost it.

import { atRest, connected } from "./streamlit.js";

/** @typedef {{ n: number, key: string, what: string, value: any, about: any }} Message */

/** @type {Message[]} */
let unheard = [];
let n = 0; // messages so far
let link = null; // the component that speaks to the server
let planned = false; // what is unheard is about to be told
let moving = false; // the browser is on its way to another page, which would lose what is told
let repeat; // timer: what is unheard then is told again
/** @type {Set<import("./time.js").Later>} */
const settling = new Set(); // what is said once it has settled
const REPEATED = 1100; // ms; the tests know it by this number (tests/browser/under_way.js)
/** @type {(() => void)[]} */
const emptied = []; // what is done once all is heard

function tell() {
  planned = false;
  clearTimeout(repeat);
  if (!unheard.length || !link || moving || !connected()) return;
  link("said", unheard);
  repeat = setTimeout(() => atRest(tell), REPEATED);
}

/** Tell what is unheard, soon: what is said at once goes together. */
function tellSoon() {
  if (planned) return;
  planned = true;
  setTimeout(tell);
}

/**
 * Say something to the server.
 * @param {string} key of the control
 * @param {string} what is done
 * @param {any} value
 * @param {any} [about] what the control was drawn for, as it stands on the page
 * @returns {number} of the message
 */
export function say(key, what, value, about = null) {
  sayAll(); // what was done before is said before
  unheard.push({ n: ++n, key, what, value, about });
  tellSoon();
  return n;
}

/**
 * Say something to a server that knows nothing, before all that is unheard: it was done before.
 * @param {string} key of the control
 * @param {string} what was done
 * @param {any} value
 */
export function sayFirst(key, what, value) {
  unheard = [{ n, key, what, value, about: null }, ...unheard].map((message) => ({ ...message, n: ++n }));
  tellSoon();
}

/**
 * What is said once it has settled, but before anything that is done after it.
 * @param {import("./time.js").Later} told
 * @returns {() => void} to be called when its component goes
 */
export function saidBefore(told) {
  settling.add(told);
  return () => settling.delete(told);
}

function sayAll() {
  for (const told of settling) told.flush();
}

/**
 * What a control has said and the server has not heard.
 * @param {string} key
 * @returns {Message[]}
 */
export const unheardOf = (key) => unheard.filter((message) => message.key === key);

/**
 * The server has heard up to here.
 * @param {number} taken
 * @returns {Message[]} what it has heard since
 */
export function heard(taken) {
  const now = unheard.filter((message) => message.n <= taken);
  unheard = unheard.filter((message) => message.n > taken);
  if (!unheard.length) {
    clearTimeout(repeat);
    for (const act of emptied.splice(0)) act();
  }
  return now;
}

/**
 * Messages go through here from now on.
 * @param {((what: string, value: any) => void) | null} through
 */
export function speakThrough(through) {
  const first = !link;
  link = through;
  if (first) tellSoon(); // what was said before it was there
}

/**
 * The browser goes to another page, or has come there.
 * @param {boolean} on
 */
export function move(on) {
  moving = on;
  if (!on) tellSoon();
}

/**
 * Whether all that was said is heard; if not, do something once it is.
 * @param {() => void} act
 * @returns {boolean}
 */
export function allHeard(act) {
  sayAll();
  const waits = unheard.length > 0 && link !== null && connected();
  if (waits) emptied.push(act);
  return !waits;
}

// The state of a page whose figures ask for themselves: one map of names to short texts, which is the
// query of its address. A change is a step of the history and can be undone, also after a reload.
// What the page itself is made of is the server's: its script runs for the new address.

import { keepHere, keptHere } from "./kept.js";
import { go } from "./moving.js";
import { PAGE, SHARED, selectAll } from "./selection.js";
import { push } from "./streamlit.js";

export const STATE = "glassformer:state"; // some of the state has changed
const CHANGED = "data-changed"; // of the document, since the server was asked for the page
const KEPT_BY_RESET = ["language", "view", "device"];
const UNDO_STEPS = 50, UNDO_KEPT = 100_000; // characters
const LONGEST = 8000; // of an address; what is too long for it stays in this tab

/** @typedef {Record<string, string>} Values */

/**
 * What the server says of such a page.
 * @typedef {object} Live
 * @property {Values} values that it has found in the address, or that were chosen elsewhere
 * @property {Values} opened what the page opens on where they say nothing
 * @property {string[]} selects names that a figure selects
 * @property {string[]} restarts names that say what the page is made of
 * @property {string[]} modes names of which it matters to what the page is made of whether they say anything
 * @property {string[]} looks names that say where somebody looks, which is nothing to undo
 * @property {{ selects: string[], looks: string[] }} scoped the same of names in any scope, without it
 * @property {Record<string, string>} called what is too long for an address, in words
 */

const own = () => location.pathname;
const stored = () => `undo:${own()}`;
const undoable = () => JSON.parse(keptHere(stored()) ?? "[]");

function keepUndoable(states) {
  const kept = states.slice(-UNDO_STEPS);
  while (kept.length > 1 && JSON.stringify(kept).length > UNDO_KEPT) kept.shift();
  keepHere(stored(), JSON.stringify(kept));
}

// A value as figures select it: numbers are numbers, and one below 0 says that none is chosen.
function selected(text) {
  if (text === undefined) return null;
  if (!/^-?\d{1,9}$/.test(text)) return text;
  return Number(text) < 0 ? null : Number(text);
}

/** The state of the page that is open. */
class State {
  /** @type {Values} */
  values = {};
  /** @type {Set<string>} changed since the server was asked for the page: of it, it knows nothing */
  #newer = new Set();
  #typed = false; // the last change was typed, so the next one goes on with it
  /** @type {Live} */
  #page;

  /** @param {Live} page */
  constructor(page) {
    this.path = own();
    this.#page = page;
    this.values = { ...page.values };
  }

  /**
   * The server has run the page's script.
   * @param {Live} page
   */
  meet(page) {
    const next = { ...page.values };
    for (const name of this.#newer) {
      if (name in this.values) next[name] = this.values[name];
      else delete next[name];
    }
    document.body.removeAttribute(CHANGED);
    this.#page = page;
    this.#become(next);
  }

  /**
   * Change values; null takes one back to its default.
   * @param {Record<string, any>} patch
   * @param {{ types?: boolean, selects?: boolean, goesOn?: boolean }} [how] it is typed on; it was
   *   selected in a figure, which is nothing to undo where it says no more than where somebody looks;
   *   it goes on with the last change
   */
  set(patch, { types = false, selects = false, goesOn = types && this.#typed } = {}) {
    const next = { ...this.values };
    for (const [name, value] of Object.entries(patch)) {
      if (value === null || value === undefined) delete next[name];
      else next[name] = String(value);
    }
    const changed = this.#differs(next);
    if (!changed.length) return;
    const looks = selects && changed.every((name) => this.#says("looks", name));
    if (!goesOn && !looks) {
      keepUndoable([...undoable(), this.values]);
    }
    this.#typed = types;
    this.#goTo(next, goesOn);
  }

  /**
   * Change values for good: no undo takes them back.
   * @param {Record<string, string | null>} patch
   * @param {string} of the name of what they belong to; a state with another value of it is left
   */
  pay(patch, of) {
    const paid = (values) => Object.fromEntries(
      Object.entries({ ...values, ...patch }).filter(([, value]) => value !== null));
    const next = paid(this.values);
    const states = undoable().map((one) => (one[of] === this.values[of] ? paid(one) : one));
    const same = (one) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(next).sort());
    while (states.length && same(states[states.length - 1])) states.pop();
    keepUndoable(states);
    this.#typed = false;
    this.#goTo(next, true);
  }

  /**
   * What the page shows under a name.
   * @param {string} name
   * @returns {string | undefined}
   */
  value(name) {
    return this.values[name] ?? this.#page.opened[name];
  }

  /** Take the last change back. */
  undo() {
    const states = undoable();
    const before = states.pop();
    if (!before) return;
    keepUndoable(states);
    this.#typed = false;
    this.#goTo(before);
  }

  /** Back to what the page opens on. */
  reset() {
    const kept = Object.entries(this.values).filter(([name]) => KEPT_BY_RESET.includes(name));
    keepUndoable([...undoable(), this.values]);
    this.#typed = false;
    this.#goTo(Object.fromEntries(kept));
  }

  /** @returns {boolean} whether there is a change to take back */
  get canUndo() {
    return undoable().length > 0;
  }

  /** @returns {string} what is too long for the address, in words */
  get missing() {
    return this.#tooLong(this.values).map((name) => this.#page.called[name] ?? name).join(", ");
  }

  /** @returns {string | null} her own sentence: a server that has not heard of it is told where she goes */
  get hers() {
    return this.values.hers ?? this.values.text ?? null;
  }

  /**
   * An address of the app with this state, for a page or another one.
   * @param {string} [page]
   * @param {Record<string, any>} [changes] of the state
   * @returns {string}
   */
  address(page = own(), changes = {}) {
    const given = { ...this.values };
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) delete given[name];
      else given[name] = String(value);
    }
    for (const name of this.#tooLong(given)) delete given[name];
    const query = new URLSearchParams(given).toString();
    return query ? `${page}?${query}` : page;
  }

  /**
   * A step through the history of this page.
   * @returns {boolean} whether the page is still what it was, so that its script need not run
   */
  stepped() {
    const kept = history.state?.glassformer;
    const next = kept ?? Object.fromEntries(new URLSearchParams(location.search));
    if ("z" in next || this.#restarts(next)) {
      this.#newer.clear(); // the server takes all of it from the address
      return false;
    }
    this.#typed = false;
    this.#become(next);
    return true;
  }

  /**
   * Do what a component of the page's frame says.
   * @param {string} key of the component
   * @param {string} what
   * @param {any} value
   * @returns {boolean} whether it is done: all else is the server's
   */
  does(key, what, value) {
    if (key !== "runbar") return false;
    if (what === "bar") {
      const { text, abroad, ...more } = value;
      if (text === undefined) this.set(more);
      else if (abroad) this.set({ ...more, abroad: text }, { types: true });
      else this.set({ ...more, text, hers: null }, { types: true });
    } else if (value === "lecture") {
      this.set({ view: this.values.view === "lecture" ? null : "lecture" });
    } else if (value === "undo") this.undo();
    else if (value === "reset") this.reset();
    return true;
  }

  #restarts(next) {
    const { modes, restarts } = this.#page;
    return this.#differs(next).some((name) => restarts.includes(name)
      || (modes.includes(name) && !(this.values[name] && next[name])));
  }

  #says(what, name) {
    const local = name.slice(name.lastIndexOf(".") + 1);
    return this.#page[what].includes(name) || (local !== name && this.#page.scoped[what].includes(local));
  }

  #differs(next) {
    return Object.keys({ ...this.values, ...next }).filter((name) => this.values[name] !== next[name]);
  }

  #tooLong(values) {
    const left = Object.keys(values).sort((a, b) => values[b].length - values[a].length);
    const out = [];
    const length = () => new URLSearchParams(
      Object.fromEntries(left.map((name) => [name, values[name]]))).toString().length;
    while (left.length && length() > LONGEST) out.push(left.shift());
    return out;
  }

  #goTo(next, goesOn = false) {
    const restarts = this.#restarts(next);
    for (const name of this.#differs(next)) this.#newer.add(name);
    if (restarts) this.#newer.clear(); // they stand in the address that the server is asked for
    this.#become(next);
    document.body.setAttribute(CHANGED, ""); // the link that led here is another one now
    const address = this.address(own(), restarts ? { hers: this.hers } : {});
    if (restarts) go(() => address);
    else if (goesOn) history.replaceState({ glassformer: next }, "", address);
    else push(address, { glassformer: next });
  }

  #become(next) {
    const changed = this.#differs(next);
    this.values = next;
    const selects = [...this.#page.selects, ...changed.filter((name) => this.#says("selects", name))];
    selectAll(Object.fromEntries(selects.map((name) => [name, selected(this.value(name))])));
    SHARED.page = { ...SHARED.page, can_undo: this.canUndo, missing: this.missing };
    document.dispatchEvent(new CustomEvent(PAGE));
    if (changed.length) document.dispatchEvent(new CustomEvent(STATE, { detail: { changed } }));
  }
}

/**
 * Begin the state of a page, or go on with it; one that is none of these has no such state.
 * @param {Live | undefined} page
 */
export function live(page) {
  if (!page) SHARED.live = null;
  else if (SHARED.live?.path === own()) SHARED.live.meet(page);
  else {
    SHARED.live = new State(page);
    SHARED.live.meet(page);
  }
}

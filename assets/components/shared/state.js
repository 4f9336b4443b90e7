// The state of a page: one map of names to short texts, which is the query of its address. A change is a
// step of the history and can be undone, also after a reload. What the page itself is made of is the
// server's: its script runs for the new address.

import { bring, chooseModel, onward, sentences } from "./along.js";
import { keepHere, keptHere } from "./kept.js";
import { go } from "./moving.js";
import { PAGE, SHARED, forgetSelection, selectAll } from "./selection.js";
import { push } from "./streamlit.js";
import { tellAll } from "./time.js";

export const STATE = "glassformer:state"; // some of the state has changed
const CHANGED = "data-changed"; // of the document, since the server was asked for the page
const ALONG = "along"; // in an address: what it says was chosen here, and none of it is a mistake
const OF_A_LESSON = ["lesson", "lesson_at", "path", "tour"];
const CAME = ["back_to", "back_at", "back_text", "back_from"];
const KEPT_BY_RESET = ["language", "view", "device", ...OF_A_LESSON, ...CAME];
const OF_A_MODEL = ["off"], OF_A_TEXT = ["aside"]; // what another one knows nothing of
const AT_A_PLACE = /\.(?:row|key)\d/; // a change at a place of one text
const UNDO_STEPS = 50, UNDO_KEPT = 100_000; // characters
const LONGEST = 8000; // of an address; what is too long for it stays in this tab

/** @typedef {Record<string, string>} Values */

/**
 * What the server says of a page.
 * @typedef {object} Live
 * @property {string} address of the page, in the table of pages
 * @property {Values} values that it has found in the address
 * @property {Values} opened what the page opens on where they say nothing
 * @property {boolean} translates its model does, so that what is typed is meant for such models
 * @property {Record<string, string | null>} tried what the experiment has put that the address names
 * @property {string[]} asks names that a figure selects and the server must answer
 * @property {string[]} selects names that a figure selects
 * @property {string[]} restarts names that say what the page is made of
 * @property {string[]} sections names that say which section is projected
 * @property {string[]} modes names of which it matters to what the page is made of whether they say anything
 * @property {string[]} looks names that say where somebody looks, which is nothing to undo
 * @property {{ selects: string[], looks: string[] }} scoped the same of names in any scope, without it
 * @property {Record<string, string>} called by name, each in words
 */
/** @typedef {Record<string, { put: string | null, was: string | null }>} Tried what an experiment has put, and what stood there */

const own = () => location.pathname;
const undone = () => `undo:${own()}`;
const tried = () => `tried:${own()}`;
const undoable = () => JSON.parse(keptHere(undone()) ?? "[]");

function keepUndoable(states) {
  const kept = states.slice(-UNDO_STEPS);
  while (kept.length > 1 && JSON.stringify(kept).length > UNDO_KEPT) kept.shift();
  keepHere(undone(), JSON.stringify(kept));
}

const longOf = (path) => `long:${path}`; // what no address of a page can say, so that Back has it, too
const keepLong = (path, values) => keepHere(longOf(path), JSON.stringify(values));

// What was too long for the address of this page, as far as that says nothing else.
function long(page) {
  const { hers, abroad, ...more } = JSON.parse(keptHere(longOf(own())) ?? "{}");
  const typed = page.translates ? abroad : hers;
  const text = typed === undefined ? {} : { text: typed };
  return Object.fromEntries(Object.entries({ ...text, ...more })
    .filter(([name]) => name in page.called && !(name in page.values)));
}

// A value as figures select it: numbers are numbers, and one below 0 says that none is chosen.
function selected(text) {
  if (text === undefined) return null;
  if (!/^-?\d{1,9}$/.test(text)) return text;
  return Number(text) < 0 ? null : Number(text);
}

function inQuery(values) {
  return new URLSearchParams(values).toString();
}

// The names of what does not fit an address, the longest first.
function tooLong(values) {
  const left = Object.keys(values).sort((a, b) => values[b].length - values[a].length);
  const out = [];
  while (left.length && inQuery(Object.fromEntries(left.map((name) => [name, values[name]]))).length > LONGEST) {
    out.push(left.shift());
  }
  return out;
}

// An address for these values, without what is too long, which this tab keeps for it.
function addressed(page, values) {
  const out = tooLong(values);
  keepLong(page, Object.fromEntries(out.map((name) => [name, values[name]])));
  const query = inQuery(Object.fromEntries(Object.entries(values).filter(([name]) => !out.includes(name))));
  return query ? `${page}?${query}` : page;
}

/** The state of the page that is open. */
class State {
  /** @type {Values} */
  values = {};
  /** @type {string | null} the place of an experiment that is to be seen */
  shows = null;
  /** @type {Set<string>} changed since the server was asked for the page: of it, it knows nothing */
  #newer = new Set();
  #typed = false; // the last change was typed, so the next one goes on with it
  #telling = false; // what had not settled is being told
  /** @type {Record<string, any>} changed while another page was on its way, which takes it over */
  #late = {};
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
    const next = { ...page.values, ...long(page) };
    for (const name of this.#newer) {
      if (name in this.values) next[name] = this.values[name];
      else delete next[name];
    }
    document.body.removeAttribute(CHANGED);
    this.#page = page;
    this.#become(next);
    const address = this.address();
    if (location.pathname + location.search !== address) history.replaceState({ glassformer: this.values }, "", address);
  }

  /**
   * The page's script has set right what it found wrong.
   * @param {Record<string, string | null>} patch
   */
  mend(patch) {
    const next = Object.fromEntries(Object.entries({ ...this.values, ...patch }).filter(([, value]) => value !== null));
    this.#become(/** @type {Values} */ (next));
    history.replaceState({ glassformer: this.values }, "", this.address());
  }

  /**
   * Change values; null takes one back to its default.
   * @param {Record<string, any>} patch
   * @param {{ types?: boolean, selects?: boolean, goesOn?: boolean, inBar?: boolean }} [how] it is typed
   *   on; it was selected in a figure, which is nothing to undo where it says no more than where somebody
   *   looks; it goes on with the last change; it was chosen in the bar
   */
  set(patch, { types = false, selects = false, goesOn = types && this.#typed, inBar = false } = {}) {
    this.#tellAll();
    if (this.#left) {
      Object.assign(this.#late, patch);
      return;
    }
    const next = { ...this.values };
    for (const [name, value] of Object.entries(patch)) {
      if (value === null || value === undefined) delete next[name];
      else next[name] = String(value);
    }
    const changed = this.#differs(next);
    if (!changed.length) return;
    if (changed.includes("model")) {
      chooseModel(inBar, this.values.model);
      for (const name of OF_A_MODEL) if (!(name in patch)) delete next[name];
    }
    const looks = selects && changed.every((name) => this.#says("looks", name));
    if (!goesOn && !looks) {
      keepUndoable([...undoable(), this.values]);
    }
    this.#typed = types;
    this.#goTo(next, goesOn);
  }

  /**
   * Take over what was typed into the bar.
   * @param {string} text
   * @param {boolean} [abroad] the screen of a lesson reads it, with a model that translates
   */
  type(text, abroad = false) {
    const back = this.values.back_to ? { back_text: text } : {}; // the lesson that she goes back to runs it, too
    const stays = this.values.off?.split("+").filter((one) => !AT_A_PLACE.test(one)).join("+");
    const left = Object.fromEntries(OF_A_TEXT.filter((name) => name in this.values).map((name) => [name, null]));
    if (stays !== this.values.off) left.off = stays || null;
    this.set(abroad ? { abroad: text } : { text, hers: null, ...left, ...back }, { types: true });
  }

  /**
   * What puts a text in the place of hers.
   * @param {string | null | undefined} text
   * @returns {Record<string, string | null>}
   */
  lent(text) {
    const hers = this.#hers();
    return text === undefined || text === null ? {} : { text, hers: hers === text ? null : hers };
  }

  #hers() {
    const typed = this.#page.translates ? sentences().hers : this.values.text;
    return this.values.hers ?? typed ?? "";
  }

  /**
   * Change values for good: no undo takes them back.
   * @param {Record<string, string | null>} patch
   * @param {string} of the name of what they belong to; a state with another value of it is left
   */
  pay(patch, of) {
    if (this.#left) return;
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

  /**
   * Whether a figure that selects a name needs an answer.
   * @param {string} name without its scope
   * @returns {boolean}
   */
  asks(name) {
    return this.#page.asks.includes(name);
  }

  /** Take the last change back. */
  undo() {
    this.#tellAll();
    const states = undoable();
    const before = states.pop();
    if (!before || this.#left) return;
    keepUndoable(states);
    this.#typed = false;
    this.#goTo(before);
  }

  /** Back to what the page opens on. */
  reset() {
    this.#tellAll();
    if (this.#left) return;
    const kept = Object.entries(this.values).filter(([name]) => KEPT_BY_RESET.includes(name));
    keepUndoable([...undoable(), this.values]);
    this.#typed = false;
    this.#goTo(Object.fromEntries(kept));
  }

  /** Make everything larger for a class, or no more; a lecture goes on at the section that it was left at. */
  turnLecture() {
    const kept = `section:${own()}`;
    if (this.values.view === "lecture") {
      const at = this.#page.sections.filter((name) => name in this.values).map((name) => [name, this.values[name]]);
      keepHere(kept, JSON.stringify(Object.fromEntries(at)));
      this.set({ view: null });
    } else this.set({ ...JSON.parse(keptHere(kept) ?? "{}"), view: "lecture" });
  }

  /** @returns {boolean} whether there is a change to take back */
  get canUndo() {
    return undoable().length > 0;
  }

  /** @returns {string} what is too long for the address, in words */
  get missing() {
    return tooLong(this.values).map((name) => this.#page.called[name] ?? name).join(", ");
  }

  /** @returns {Tried} what the experiment put that was carried out last, also before a reload */
  get tried() {
    if (!this.values.experiment) return {};
    const { id, put } = JSON.parse(keptHere(tried()) ?? "{}");
    if (id === this.values.experiment) return put;
    return Object.fromEntries(Object.entries(this.#page.tried).map(([name, to]) => [name, { put: to, was: null }]));
  }

  /**
   * An experiment was carried out.
   * @param {string} id
   * @param {Tried} put
   */
  keepTried(id, put) {
    keepHere(tried(), JSON.stringify({ id, put }));
  }

  /** @returns {string} the address of this page with its state */
  address() {
    return addressed(own(), this.values);
  }

  /**
   * The address by which another page is opened from here.
   * @param {string} page
   * @param {Record<string, any>} changes what it is to show; `stays` is a click in a figure: the text that
   *   stands in the place of hers is looked at there, too
   * @returns {string}
   */
  onward(page, { stays = false, ...changes }) {
    this.#tellAll();
    const { text, hers, experiment = null } = this.values;
    const lent = stays && hers !== undefined ? { text, hers, experiment } : {};
    const toLessons = page.endsWith("/lessons") ? Object.fromEntries(CAME.map((name) => [name, null])) : {};
    return addressed(page, { ...onward(page.endsWith("/"), { ...toLessons, ...lent, ...changes }, this.tried), [ALONG]: "" });
  }

  /**
   * A step through the history of this page.
   * @returns {boolean} whether the page is still what it was, so that its script need not run
   */
  stepped() {
    const kept = history.state?.glassformer;
    const next = kept ?? Object.fromEntries(new URLSearchParams(location.search));
    if ("z" in next || ALONG in next || this.#restarts(next)) {
      this.#newer.clear(); // the server takes all of it from the address
      return false;
    }
    this.#typed = false;
    this.#become(next);
    return true;
  }

  /** @returns {Record<string, any>} what was changed while it was being left */
  takeLate() {
    const late = this.#late;
    this.#late = {};
    return late;
  }

  // Another page is on its way, though this one can still be seen.
  get #left() {
    return this.path !== own();
  }

  #tellAll() {
    if (this.#telling) return;
    this.#telling = true;
    tellAll();
    this.#telling = false;
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

  #goTo(next, goesOn = false) {
    const restarts = this.#restarts(next);
    for (const name of this.#differs(next)) this.#newer.add(name);
    if (restarts) this.#newer.clear(); // they stand in the address that the server is asked for
    this.#become(next);
    document.body.setAttribute(CHANGED, ""); // the link that led here is another one now
    if (restarts) go(() => this.#anew());
    else if (goesOn) history.replaceState({ glassformer: next }, "", this.address());
    else push(this.address(), { glassformer: next });
  }

  // Which text runs is decided anew with the model, unless another one stands in the place of hers.
  #anew() {
    const { text, ...more } = this.values;
    const whose = text?.trim() && more.hers === undefined ? sentences() : text === undefined ? {} : { text };
    return addressed(own(), { ...more, ...whose, [ALONG]: "" });
  }

  #become(next) {
    const changed = this.#differs(next);
    this.values = next;
    const selects = [...this.#page.selects, ...changed.filter((name) => this.#says("selects", name))];
    selectAll(Object.fromEntries(selects.map((name) => [name, selected(this.value(name))])));
    bring(next, [...Object.keys(this.#page.called), ...changed], this.#page.translates);
    document.dispatchEvent(new CustomEvent(PAGE));
    if (changed.length) document.dispatchEvent(new CustomEvent(STATE, { detail: { changed } }));
  }
}

/**
 * The script of a page has run: its state begins, or goes on.
 * @param {Live} page
 * @returns {boolean} whether it is another page than before
 */
export function live(page) {
  const another = SHARED.live?.path !== own();
  const late = SHARED.live?.takeLate() ?? {};
  if (another) {
    if (SHARED.live) forgetSelection(); // on the first page figures may be there before
    SHARED.live = new State(page);
  }
  SHARED.live.meet(page);
  const there = Object.entries(late).filter(([name]) => name in page.called);
  if (there.length) SHARED.live.set(Object.fromEntries(there));
  SHARED.runs += 1;
  return another;
}

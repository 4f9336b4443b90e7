// The selection, one for each scope.
//
// Components live in shadow roots of one document. What is selected (token, query, key, layer,
// head, step ...) is kept on the window; a change is told by an event on the document. A page is
// one scope, with plain names; a second one beside it (a lesson, a comparison) has names with a
// prefix, "b.layer". A component knows only the names of its own scope.
//
// What was chosen, by a click or by the link, stands over what a figure shows by itself.

import { later, toldBefore } from "./time.js";

export const SHARED = (globalThis.__glassformer ??= {
  selection: {}, hover: {}, // what is selected and what is pointed at, by name
  chosen: {}, // what of it was chosen
  defaults: {}, // what is shown while nothing is chosen: a value, or { by, at } that goes with one
  unsaid: new Set(), // names that changed since the state was last told
  bar: null, // what a screen of a lesson says of the text in the bar, in place of the page
  live: null, // the state of the page (state.js)
  runs: 0, // how often the page's script has run
  asking: new Set(), // figures that wait for the answer to what was changed last
  mark: null, // the one menu of files that is seen while no figure is pointed at
  lost: "", // what is said while there is no connection
  picking: {}, // by figure, what a question lets the learner pick in it
  pointing: null, // the component in which something is pointed at
  walkers: new Set(), // components that go one on or back with the page's arrow keys
  steppers: new Set(), // those that go through the steps of a figure,
  stepper: null, // and which of them the learner has opened
  foot: null, // what says how a story ends: on a phone at the foot of the screen
  scenes: null, // those of a page that is projected (runbar/scenes.js)
  clicked: false, // what has the keyboard got it from a click, not from the Tab key
  keyed: false, // what was done last was done by keyboard
});
/**
 * A figure waits for its answer, or no more.
 * @param {HTMLElement} host
 * @param {boolean} on
 */
export function waiting(host, on) {
  if (on) host.setAttribute("aria-busy", "true");
  else host.removeAttribute("aria-busy");
  SHARED.asking[on ? "add" : "delete"](host);
}

export const CHANGED = "glassformer:select";
export const WRITE = "glassformer:write"; // she wants to type her own sentence
export const BAR = "glassformer:bar"; // a screen has said something of the text in the bar
export const PAGE = "glassformer:page"; // the state, or what can be undone, is another one

function tell(changed, hover) {
  if (!changed.length) return;
  document.dispatchEvent(new CustomEvent(CHANGED, { detail: { changed, hover } }));
}

// What is selected under a name: what was chosen, else what is shown by itself.
function resolved(name) {
  const chosen = SHARED.chosen[name] ?? null;
  const own = SHARED.defaults[name] ?? null;
  if (chosen !== null || own === null || typeof own !== "object") return chosen ?? own;
  const at = Math.max(0, Math.min(own.at.length - 1, Number(resolved(own.by) ?? 0)));
  return own.at[at] ?? null;
}

// After what was chosen or what is shown by itself has changed: tell what is selected now.
function resolveAll() {
  const names = Object.keys({ ...SHARED.selection, ...SHARED.chosen, ...SHARED.defaults });
  const now = Object.fromEntries(names.map((name) => [name, resolved(name)]));
  const changed = names.filter((name) => now[name] !== (SHARED.selection[name] ?? null));
  SHARED.selection = now;
  tell(changed, false);
}

/** @typedef {Record<string, any>} Selection values by name */

/**
 * Select, or point at.
 * @param {Selection} patch
 * @param {{ hover?: boolean }} [how]
 */
export function selectAll(patch, { hover = false } = {}) {
  if (!hover) {
    Object.assign(SHARED.chosen, patch);
    resolveAll();
    return;
  }
  const changed = Object.keys(patch).filter((name) => SHARED.hover[name] !== patch[name]);
  Object.assign(SHARED.hover, patch);
  tell(changed, true);
}

/**
 * The selection as one scope sees it.
 * @typedef {object} Scope
 * @property {string} name
 * @property {(name: string) => string} full the name on the page
 * @property {(patch: Selection, how?: { hover?: boolean }) => void} select
 * @property {(name: string) => any} chosen what is selected under a name
 * @property {(name: string) => any} pointed what is pointed at
 * @property {(name: string) => any} current what is pointed at, if anything is; else what is selected
 * @property {(changed: string[]) => string[]} own the names of this scope among those that changed
 */
/**
 * @param {string} [scope] its prefix; none for the page's own
 * @returns {Scope}
 */
export function scoped(scope) {
  const prefix = scope ? `${scope}.` : "";
  const full = (name) => prefix + name;
  return {
    name: scope ?? "",
    full,
    select: (patch, how) => selectAll(
      Object.fromEntries(Object.entries(patch).map(([name, value]) => [full(name), value])), how),
    chosen: (name) => SHARED.selection[full(name)] ?? null,
    pointed: (name) => SHARED.hover[full(name)] ?? null,
    current: (name) => SHARED.hover[full(name)] ?? SHARED.selection[full(name)] ?? null,
    own: (changed) => changed.filter((name) => name.startsWith(prefix)
      && (prefix || !name.includes("."))).map((name) => name.slice(prefix.length)),
  };
}

/**
 * What a figure shows while nothing is chosen.
 * @param {Selection | undefined} selection
 * @param {Scope["full"]} full
 */
export function showByItself(selection, full) {
  for (const [local, value] of Object.entries(selection ?? {})) {
    SHARED.defaults[full(local)] = value !== null && typeof value === "object"
      ? { by: full(value.by), at: value.at } : value;
  }
  resolveAll();
}

/** Another page has come: what was selected on the one before is not selected here. */
export function forgetSelection() {
  takeUnsaid();
  SHARED.defaults = {};
  SHARED.chosen = {};
}

/**
 * What was chosen and has not been said.
 * @returns {Selection}
 */
export function takeUnsaid() {
  settle.cancel();
  const said = Object.fromEntries(
    [...SHARED.unsaid].map((name) => [name, SHARED.chosen[name] ?? null]));
  SHARED.unsaid.clear();
  return said;
}

/** Tell the state what was selected. A page without one (a file) has none to tell. */
function reportNow() {
  if (SHARED.unsaid.size && SHARED.live) SHARED.live.set(takeUnsaid(), { selects: true });
}

const settle = later(reportNow);
toldBefore(settle);
let last = -Infinity; // when the state was last told at once

/**
 * Names that were selected: told when the selection has settled, or at once where the server must
 * work out what is shown.
 * @param {string[]} names
 * @param {{ atOnce?: boolean }} [how]
 */
export function report(names, { atOnce = false } = {}) {
  for (const name of names) SHARED.unsaid.add(name);
  settle();
  const local = (name) => name.slice(name.lastIndexOf(".") + 1); // of a further scope, too
  const asked = atOnce || names.some((name) => SHARED.live?.asks(local(name)));
  if (!asked || performance.now() - last < 100) return; // a key that is held down settles, too
  last = performance.now();
  reportNow();
}

// A component of the page: a function that Streamlit calls with an element and bytes, again after
// each rerun.

import { MEANINGS, paletteOf } from "./colour.js";
import { el, keepFocus } from "./dom.js";
import { heedTheKeyboard } from "./keyboard.js";
import { walkThePage } from "./keys.js";
import { moveThePage } from "./moving.js";
import { speak } from "./numbers.js";
import { unpack } from "./payload.js";
import { PICKED, pickingIn } from "./picking.js";
import { FIT, lectured, standsIn } from "./room.js";
import { saveMenu } from "./save.js";
import { came, went } from "./skipping.js";
import { CHANGED, SHARED, report, scoped, selectAll, showByItself } from "./selection.js";
import { onceGone } from "./streamlit.js";
import { dress } from "./style.js";
import { tendTerms } from "./terms.js";
import { touchThePage } from "./touching.js";

/**
 * What a component has to work with. The selection is that of the figure's own scope.
 * @typedef {object} Env
 * @property {HTMLElement} host it draws in here
 * @property {(name: string) => any} chosen what is selected under a name
 * @property {(name: string) => any} pointed what is pointed at
 * @property {(name: string) => any} current what is pointed at, else what is selected
 * @property {(patch: Record<string, any>) => void} select
 * @property {(names: string[], how?: { atOnce?: boolean }) => void} report to the state what was selected
 * @property {(what: string, value: any, how?: { goesOn?: boolean }) => void} say what was done: it changes the
 *   state, by a change of its own if it does not go on with the last one, or is heard by what the figure stands in
 * @property {(what: string) => boolean} acts whether saying that changes the state of the page
 * @property {(patch?: Record<string, any>) => void} point at something, or at nothing any more
 * @property {() => import("./picking.js").Picking | null} picking what a question lets be picked here
 * @property {() => import("./colour.js").Palette} palette of the page's mode
 * @property {AbortSignal} ends the component goes: what it listens to ends with it
 */
/**
 * What a component is: `update` draws it, again after each rerun; `selected` follows the selection,
 * `resized` the width, `fitted` in a lecture what is left of the screen; `walk` goes one on or back and says whether it could, where the page's keys ask.
 * @typedef {object} Instance
 * @property {(payload: import("./payload.js").Payload) => void} update
 * @property {(changed: string[], hover: boolean) => void} [selected]
 * @property {(began: boolean) => void} [picked] something was picked in it, or can be from now on
 * @property {(width: number) => void} [resized]
 * @property {() => void} [fitted]
 * @property {(by: number) => boolean} [walk]
 * @property {() => void} [table] shows its numbers as a table, or no more
 * @property {() => boolean} [deck] it steps through the sections of the page
 * @property {() => void} [destroy]
 */

const INSTANCES = (globalThis.__glassformerInstances ??= new WeakMap());

// What the page needs once, however many components it has.
function begin() {
  if (SHARED.begun) return;
  SHARED.begun = true;
  heedTheKeyboard();
  walkThePage();
  tendTerms();
  moveThePage();
  touchThePage();
}

// The colours of the page's mode, as it says them.
function colour(host) {
  const colours = paletteOf(host);
  for (const name of MEANINGS) host.style.setProperty(`--glass-${name}`, colours[name]);
}

// What is set by what a figure says, with what it says in place of {}.
const filledIn = (patch, value, full) => Object.fromEntries(Object.entries(patch)
  .map(([name, to]) => [full(name), to === "{}" ? String(value) : to]));

/**
 * The function that Streamlit calls.
 * @param {string} style the component's own CSS
 * @param {(env: Env) => Instance} create builds it once
 * @returns {(component: any) => (() => void)}
 */
export function define(style, create) {
  return (component) => {
    const { parentElement: root, data } = component;
    const payload = { ...unpack(data), ...component.more };
    const { scope = "" } = payload;
    let held = INSTANCES.get(root);
    if (!held) {
      if (!payload.ahead) begin(); // what it looks for on the page is still to come
      dress(root, style);
      held = { component };
      const host = el("div", { class: "glass" });
      const ends = new AbortController();
      const { signal } = ends;
      root.append(host);
      held.scope = scoped(scope);
      const env = {
        host,
        ends: signal,
        ...held.scope,
        report: (names, how) => report(names.map(held.scope.full), how),
        acts: (what) => Boolean(held.acts?.[what]),
        say(what, value, how) {
          const patch = held.acts?.[what]?.[value] ?? held.acts?.[what]?.["*"];
          if (patch) SHARED.live?.set(filledIn(patch, value, held.scope.full), how);
          else held.hears?.(what, value);
        },
        picking: () => pickingIn(held.figure),
        palette: () => paletteOf(host),
        // What is pointed at in this component, by name, in place of what was anywhere before;
        // without names nothing is any more. Whoever removes what may be pointed at says so, as
        // an element that goes never hears that the pointer has left.
        point(patch = {}) {
          const names = Object.keys(patch);
          if (!names.length && SHARED.pointing !== held) return;
          SHARED.pointing = names.length ? held : null;
          const none = Object.fromEntries(Object.keys(SHARED.hover).map((name) => [name, null]));
          const own = Object.fromEntries(names.map((name) => [held.scope.full(name), patch[name]]));
          selectAll({ ...none, ...own }, { hover: true });
        },
      };
      held.env = env;
      held.host = host;
      held.instance = create(env);
      if (held.instance.walk) SHARED.walkers.add(held);
      document.addEventListener(CHANGED, (/** @type {any} */ event) => {
        const changed = held.scope.own(event.detail.changed);
        if (!held.host.dataset.ready || !changed.length) return;
        keepFocus(held.host, () => held.instance.selected?.(changed, event.detail.hover));
      }, { signal });
      document.addEventListener(PICKED, ({ detail: { figure, began } }) => {
        if (!held.host.dataset.ready || figure !== held.figure) return;
        keepFocus(held.host, () => held.instance.picked?.(began));
      }, { signal });
      held.observer = new ResizeObserver(() => {
        colour(host); // what is made before it stands on the page knows no mode
        keepFocus(host, () => held.instance.resized?.(host.clientWidth));
      });
      held.observer.observe(host);
      if (held.instance.fitted) {
        const fit = () => {
          if (host.dataset.ready && lectured(host)) keepFocus(host, () => held.instance.fitted?.());
        };
        held.around = new ResizeObserver(fit);
        document.addEventListener(FIT, fit, { signal });
        for (const one of standsIn(host)) held.around.observe(one);
      }
      held.ends = ends;
      INSTANCES.set(root, held);
    }
    held.component = component;
    const call = held.call = {}; // a busy machine may clean up after it only when it has called again
    clearTimeout(held.leaving);
    if (scope !== held.scope.name) { // another screen, whose selection is its own
      held.scope = scoped(scope);
      Object.assign(held.env, held.scope);
    }
    held.figure = payload.figure;
    came(held);
    held.acts = payload.acts;
    held.hears = payload.hears; // a function of what it stands in
    const language = payload.language ?? "en";
    speak(language);
    if (document.documentElement.lang !== language) document.documentElement.lang = language;
    colour(held.host);
    showByItself(payload.selection, held.scope.full);
    keepFocus(held.host, () => held.instance.update(payload));
    if (payload.save || held.menu) (held.menu ??= saveMenu(held.env, held.instance.table)).update(payload);
    held.host.dataset.ready = "1";
    return () => {
      const leave = () => {
        held.ends.abort();
        held.observer.disconnect();
        held.around?.disconnect();
        SHARED.walkers.delete(held);
        went(held);
        held.env.point();
        held.instance.destroy?.();
        held.host.remove();
        INSTANCES.delete(root);
      };
      if (payload.ahead) leave();
      else if (held.call === call) held.leaving = onceGone(leave);
    };
  };
}

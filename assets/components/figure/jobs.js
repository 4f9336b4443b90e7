// How the jobs of a figure stand, and what can be done: a pause is what one sees, so a figure that is
// paused asks for so many records. All figures of the page that show the same job are held together.

import { el } from "../shared/dom.js";
import { PAGE, SHARED } from "../shared/selection.js";

const OVER = ["finished", "stopped", "failed"];

/**
 * @typedef {object} Status
 * @property {string} id of the job
 * @property {number} n records that it has told
 * @property {number} share of the work that is done
 * @property {string} state
 * @property {string} said in words
 * @property {number | null} again ms until it is asked for again; null where it is over
 */
/** @typedef {{ held?: number, stops?: boolean, again?: boolean }} Wish */

/** @type {() => Record<string, Wish>} */
const wishes = () => (SHARED.jobs ??= {});
const who = () => (SHARED.who ??= crypto.randomUUID?.() ?? Math.random().toString(16).slice(2));

/** The jobs of a figure. */
export class Jobs {
  element = el("div", { class: "jobs" });
  /** @type {Status[]} */
  #known = [];

  /** @returns {[string, string][]} what the figure is asked with, besides its parameters */
  get asks() {
    const wish = this.#known.map(({ id }) => wishes()[id]).find(Boolean) ?? {};
    /** @type {[string, string][]} */
    const said = [["_who", who()]];
    if (wish.held !== undefined) said.push(["_held", String(wish.held)]);
    if (wish.stops) said.push(["_stops", "1"]);
    if (wish.again) said.push(["_again", "1"]);
    return said;
  }

  /** @returns {number | null} ms until the figure is asked for again; null where all is over */
  get wait() {
    const waits = this.#known.map(({ again }) => again).filter((one) => one !== null);
    return waits.length ? Math.min(...waits) : null;
  }

  /**
   * @param {Status[]} statuses
   * @param {Record<string, string>} labels
   */
  update(statuses, labels) {
    this.#known = statuses;
    for (const { id } of statuses) delete wishes()[id]?.again;
    this.element.replaceChildren(...statuses.map((one) => this.#row(one, labels)));
  }

  #row(status, labels) {
    const over = OVER.includes(status.state);
    return el("div", { class: "job" }, el("p", { class: "small muted", role: "status" }, status.said),
      over ? null : el("progress", { max: 1, value: status.share, "aria-label": status.said }),
      el("span", { class: "acts" }, ...this.#acts(status, over).map(([name, wish]) => el("button", {
        type: "button", onclick: () => this.#wish(status.id, wish),
      }, labels[name]))));
  }

  /** @returns {[string, Wish][]} what can be done, by its label */
  #acts({ n, state }, over) {
    if (state === "finished") return [];
    if (over) return [["again", { again: true }]];
    const stop = /** @type {[string, Wish]} */ (["stop", { held: n, stops: true }]);
    if (state === "resting") return [["continue", {}], ["step", { held: n + 1 }], stop];
    return [["pause", { held: n }], stop];
  }

  #wish(id, wish) {
    wishes()[id] = wish;
    document.dispatchEvent(new CustomEvent(PAGE));
  }
}

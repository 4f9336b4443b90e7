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
  /** @type {Row[]} */
  #rows = [];

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
   * @param {boolean} shown it is said how they stand
   */
  update(statuses, labels, shown) {
    this.#known = statuses;
    for (const { id } of statuses) delete wishes()[id]?.again;
    if (!shown) return;
    while (this.#rows.length > statuses.length) this.#rows.pop()?.element.remove();
    statuses.forEach((status, n) => {
      this.#rows[n] ??= new Row((wish) => this.#wish(n, wish));
      this.element.append(this.#rows[n].element);
      this.#rows[n].update(status, labels);
    });
  }

  #wish(n, wish) {
    wishes()[this.#known[n].id] = wish;
    document.dispatchEvent(new CustomEvent(PAGE));
  }
}

/** One job: its buttons stay while they are the same, so that none is taken from under a finger. */
class Row {
  said = el("p", { class: "small muted", role: "status" });
  progress = el("progress", { max: 1 });
  acts = el("span", { class: "acts" });
  element = el("div", { class: "job" }, this.said, this.progress, this.acts);
  #offered = "";
  #tall = 0;

  /** @param {(wish: Wish) => void} wish */
  constructor(wish) {
    this.wish = wish;
  }

  /**
   * @param {Status} status
   * @param {Record<string, string>} labels
   */
  update(status, labels) {
    this.status = status;
    this.said.textContent = status.said;
    this.progress.hidden = OVER.includes(status.state);
    this.progress.value = status.share;
    this.progress.setAttribute("aria-label", status.said);
    const acts = Object.keys(actsOf(status));
    if (this.#offered !== acts.join()) {
      this.#offered = acts.join();
      this.acts.replaceChildren(...acts.map((name) => el("button", {
        type: "button", onclick: () => this.wish(actsOf(this.status)[name]),
      }, labels[name])));
    }
    this.#tall = Math.max(this.#tall, this.element.offsetHeight); // nothing below it moves at its end
    this.element.style.minHeight = `${this.#tall}px`;
  }
}

/**
 * What can be done, by its label.
 * @param {Status} status
 * @returns {Record<string, Wish>}
 */
function actsOf({ n, state }) {
  if (state === "finished") return {};
  if (OVER.includes(state)) return { again: { again: true } };
  const stop = { held: n, stops: true };
  if (state === "resting") return { continue: {}, step: { held: n + 1 }, stop };
  return { pause: { held: n }, stop };
}

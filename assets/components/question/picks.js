// A question whose answer is picked in a figure beside it: what is picked there, in words.

import { el, fill } from "../shared/dom.js";
import { offer, underWay, withdraw } from "../shared/picking.js";

export class Picks {
  /** @param {(value: number[]) => void} changed something was picked, or taken back */
  constructor(changed) {
    this.changed = changed;
    /** @type {import("../shared/picking.js").Picking | null} */
    this.picking = null;
    this.count = el("p", { class: "count" });
    /** @type {string[]} */
    this.options = [];
    this.names = el("p", { class: "names code muted" });
    this.node = el("div", { class: "picks", role: "status" }, this.count, this.names);
  }

  /**
   * As the server poses it; of a question that is picked in no figure nothing stays.
   * @param {import("../shared/payload.js").Payload} payload
   * @param {number[]} value places that are picked
   */
  offer(payload, value) {
    const { picks, options, done } = payload;
    if (!picks || this.picking?.figure !== picks.figure) this.withdraw();
    if (!picks) return;
    this.options = options;
    this.picking = {
      ...picks, hers: new Set(value), right: done ? payload.answer ?? null : null,
      changed: done ? null : () => {
        this.tell();
        this.changed(this.value());
      },
    };
    offer(this.picking);
    this.tell();
  }

  /** The figure shows nothing of it any more. */
  withdraw() {
    withdraw(this.picking);
    this.picking = null;
  }

  /** @returns {number[]} */
  value() {
    return [...this.picking?.hers ?? []].sort((a, b) => a - b);
  }

  /** Say what is picked. */
  tell() {
    const { options, picking } = this;
    if (!picking) return;
    const { labels } = picking;
    const places = this.value();
    this.count.textContent = !underWay(picking) ? labels.legend
      : places.length ? fill(labels.picked, { n: places.length }) : labels.pick;
    this.names.textContent = places.map((n) => options[n]).join(" · ");
  }
}

// What is said of the thing below the pointer, beside it.

import { el } from "./dom.js";

export class Tooltip {
  /** @param {HTMLElement} holder in which places are counted, and which it does not leave */
  constructor(holder) {
    this.holder = holder;
    // Whoever has it read out hears of the selection instead.
    this.node = el("div", { class: "tip code", hidden: true, "aria-hidden": "true" });
    /** @type {AbortController | null} */
    this.shown = null;
    holder.append(this.node);
  }

  /**
   * @param {string} text with a line for each thing
   * @param {{ x: number, y: number }} place in the holder
   */
  show(text, { x, y }) {
    const { node, holder } = this;
    node.hidden = false;
    node.textContent = text;
    if (!this.shown) this.#untilTouched();
    const { offsetWidth: wide, offsetHeight: tall } = node;
    const right = holder.scrollLeft + holder.clientWidth;
    const left = x + 14 + wide <= right ? x + 14 : x - 14 - wide;
    const end = Math.min(holder.clientHeight, innerHeight - holder.getBoundingClientRect().top);
    const below = y + 16 + tall <= end ? y + 16 : y - 8 - tall;
    node.style.left = `${Math.max(holder.scrollLeft, Math.min(left, right - wide))}px`;
    node.style.top = `${Math.max(0, below)}px`;
  }

  // A finger that is lifted points at nothing else: the next touch anywhere, or a swipe, ends it.
  #untilTouched() {
    this.shown = new AbortController();
    const end = ({ pointerType }) => { if (pointerType === "touch") this.hide(); };
    for (const kind of /** @type {const} */ (["pointerdown", "pointercancel"])) {
      addEventListener(kind, end, { capture: true, signal: this.shown.signal });
    }
  }

  /** Nothing is pointed at. */
  hide() {
    this.node.hidden = true;
    this.shown?.abort();
    this.shown = null;
  }
}

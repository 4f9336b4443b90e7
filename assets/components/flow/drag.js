// A weight that is dragged where it is written, in the head that is gone into. What follows from it
// the model computes; until then only the number under the hand moves.

import { percent } from "../shared/numbers.js";

export const DRAGGED = "glassformer:dragged"; // a weight was, to a value, where somebody looks
const FULL = 160; // pixels from a weight of 0 to one of 1
const MOVED = 4; // pixels: less is a click
const WAITS = 3000; // ms for the run that follows

export class Drag {
  /**
   * @param {HTMLElement} node
   * @param {{ at: (event: PointerEvent) => any, draw: () => void, done: (place: string, value: number) => void }} does
   */
  constructor(node, { at, draw, done }) {
    Object.assign(this, { draw, done, held: null, took: false });
    node.addEventListener("pointerdown", (event) => this.#begin(event, at(event)));
    node.addEventListener("pointermove", (event) => this.#move(event, node));
    node.addEventListener("pointerup", () => this.#end(true));
    node.addEventListener("pointercancel", () => this.#end(false));
  }

  /** A weight has the hand: nothing is pointed at. */
  get moving() {
    return Boolean(this.held?.moved);
  }

  #begin({ clientX, button }, found) {
    this.took = false;
    const weight = found?.column.name === "weights" && found.mark.goes && found.mark.share > 0;
    this.held = weight && !button
      ? { mark: found.mark, x: clientX, share: found.mark.share, text: found.mark.text, moved: false } : null;
  }

  #move({ clientX, pointerId }, node) {
    const { held } = this;
    if (!held) return;
    const by = clientX - held.x;
    if (!held.moved && Math.abs(by) < MOVED) return;
    if (!held.moved) node.setPointerCapture(pointerId);
    held.moved = true;
    this.took = true; // the click that ends it is none
    held.mark.share = Math.max(0, Math.min(1, held.share + by / FULL));
    held.mark.text = percent(held.mark.share);
    this.draw();
  }

  #end(sure) {
    const { held } = this;
    this.held = null;
    if (!held?.moved) return;
    if (sure) this.done(held.mark.goes, held.mark.share);
    // Where the run does not follow, because there are too many changes, say, it is as it was.
    setTimeout(() => {
      Object.assign(held.mark, { share: held.share, text: held.text });
      this.draw();
    }, sure ? WAITS : 0);
  }
}

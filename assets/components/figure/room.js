// Where another component stands within a figure: in a shadow root of its own, as on a page.

import { componentOf } from "../shared/brought.js";
import { el } from "../shared/dom.js";

export class Room {
  #element = el("div", { hidden: true });
  #folder = "";
  #leave = () => {};
  /** @type {((component: any) => () => void) | undefined} */
  #draw;

  /**
   * @param {HTMLElement} place
   * @param {() => Record<string, any>} [more] what the component is told beside its data
   */
  constructor(place, more = () => ({})) {
    this.more = more;
    this.#element.attachShadow({ mode: "open" });
    place.append(this.#element);
  }

  /**
   * @param {string} folder of the component
   * @param {Uint8Array} data that it draws
   */
  show(folder, data) {
    if (folder !== this.#folder) {
      this.leave();
      this.#draw = componentOf(folder);
      this.#folder = folder;
    }
    this.#element.hidden = false;
    const root = this.#element.shadowRoot;
    this.#leave = this.#draw?.({ parentElement: root, data, key: folder, more: this.more() }) ?? (() => {});
  }

  /** What is drawn is not there now. */
  hide() {
    this.#element.hidden = true;
  }

  /** Nothing is drawn any more. */
  leave() {
    this.#leave();
    this.#leave = () => {};
  }
}

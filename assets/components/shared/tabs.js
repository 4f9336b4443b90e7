// Tabs: which of several things a panel shows.

import { el } from "./dom.js";
import { tabLeaves } from "./keys.js";
import { Roving } from "./roving.js";

let made = 0; // ids are the document's, in a file that has several figures

export class Tabs {
  /**
   * @param {HTMLElement} panel that shows what is chosen
   * @param {(index: number) => void} choose
   */
  constructor(panel, choose) {
    this.panel = panel;
    this.choose = choose;
    this.node = el("div", { class: "tabs", role: "tablist", hidden: true });
    panel.id ||= `glass-panel-${++made}`;
    /** @type {HTMLButtonElement[]} */
    this.tabs = [];
    this.roving = new Roving(this.node, () => this.tabs, {
      round: true, yields: tabLeaves, moved: (tab) => this.choose(this.tabs.findIndex((one) => one === tab)),
    });
  }

  /**
   * Offer these, or nothing where there is nothing to choose from.
   * @param {string[]} names
   */
  offer(names) {
    const known = this.tabs.map((tab) => tab.textContent);
    if (names.length === known.length && names.every((name, at) => name === known[at])) return;
    this.tabs = names.length < 2 ? [] : names.map((name, index) => el("button", {
      type: "button", role: "tab", id: `${this.panel.id}-${index}`, tabindex: "-1",
      "aria-controls": this.panel.id, onclick: () => this.choose(index),
    }, name));
    this.node.hidden = !this.tabs.length;
    this.node.replaceChildren(...this.tabs);
    if (this.tabs.length) this.panel.setAttribute("role", "tabpanel");
    else for (const name of ["role", "aria-labelledby"]) this.panel.removeAttribute(name);
  }

  /**
   * The one that is shown now.
   * @param {number} index
   */
  mark(index) {
    this.tabs.forEach((tab, at) => tab.setAttribute("aria-selected", String(at === index)));
    if (!this.tabs[index]) return;
    this.panel.setAttribute("aria-labelledby", this.tabs[index].id);
    this.roving.reach(this.tabs[index]);
  }
}

// The model folded flat: the you-are-here strip. Its places are links, and the block that is shown
// can be turned to the one before or after.

import { el, fill } from "../shared/dom.js";
import { box, line } from "./edges.js";
import { go, link } from "./links.js";

function place(part, step) {
  const now = step !== null && part.steps?.includes(step); // the step that the page is at
  const look = {
    class: ["place", part.lit && "lit", now && "now"].filter(Boolean).join(" "), title: part.title,
    "aria-current": now ? "step" : part.lit ? "page" : null,
  };
  if (part.lit || !part.page) return el("span", look, part.label);
  return el("a", { ...look, ...link(part.page), onclick: go(part.page, part.of) }, part.label);
}

// How much of a line is out of sight, in pixels.
const ahead = (line) => Math.max(
  0, line.offsetLeft + line.offsetWidth - line.closest(".flat").clientWidth);

export class Flat {
  /** @param {import("../shared/component.js").Env} env */
  constructor(env) {
    this.env = env;
    this.node = el("nav", { class: "flat", onscroll: () => this.#slide() });
    this.edges = el("svg:svg", { class: "edges", "aria-hidden": "true" });
  }

  // The block that a tower is at; a shorter one stays at its last.
  #at(tower) {
    return Math.min(this.env.chosen("layer") ?? this.layer, tower.n_layers - 1);
  }

  #turn(tower, by, sign, label) {
    const to = this.#at(tower) + by;
    return el("button", {
      type: "button", "aria-label": label, title: label, disabled: to < 0 || to >= tower.n_layers,
      onclick: () => {
        this.env.select({ layer: to });
        this.env.report(["layer"], { atOnce: true });
      },
    }, sign);
  }

  #block(tower, { block, earlier, later }) {
    return el("span", { class: "block" }, el("span", { class: "number" },
      this.#turn(tower, -1, "‹", earlier),
      fill(block, { i: this.#at(tower), last: tower.n_layers - 1 }),
      this.#turn(tower, 1, "›", later)));
  }

  // One tower: places before the block, the block with its own, places after it.
  #inLine(tower, labels) {
    const items = [];
    let block = null;
    let group = null; // places that look at the other tower stand together
    for (const part of tower.parts) {
      if (part.in_block && !block) items.push(block = this.#block(tower, labels));
      const add = (node) => (part.in_block ? block.append(node) : items.push(node));
      if (part.across) {
        if (!group) add(group = el("span", { class: "across" }));
        group.append(place(part, this.step));
      } else {
        group = null;
        add(place(part, this.step));
      }
    }
    return items;
  }

  /** @param {import("../shared/payload.js").Payload} payload */
  draw({ lines, labels, layer }) {
    const { node } = this;
    this.layer = layer;
    const steps = lines.some(({ parts }) => parts.some((part) => part.steps?.length));
    this.step = steps ? this.env.chosen("step") : null;
    node.classList.toggle("stepped", this.step !== null);
    node.classList.toggle("towers", lines.length > 1);
    node.replaceChildren(...(lines.length === 1 ? this.#inLine(lines[0], labels)
      : [...lines.map((one) => el("div", { class: "line" },
        one.name ? el("span", { class: "tower-name muted" }, one.name) : null,
        el("div", { class: "places" }, ...this.#inLine(one, labels)))), this.edges]));
    node.setAttribute("aria-label", labels.strip);
    const shown = node.querySelector(".now") ?? node.querySelector(".lit");
    node.scrollLeft = 0;
    if (shown && node.scrollWidth > node.clientWidth) {
      node.scrollLeft = shown.getBoundingClientRect().left
        - node.getBoundingClientRect().left - node.clientWidth / 2;
    }
    this.#slide();
  }

  // All lines come to their ends together: where the longer one is scrolled to, a shorter one would be
  // out of sight.
  #slide() {
    const lines = [...this.node.querySelectorAll(".places")];
    const most = Math.max(...lines.map(ahead), 1);
    for (const line of lines) {
      const share = this.node.scrollLeft / most;
      line.style.transform = `translateX(${this.node.scrollLeft - share * ahead(line)}px)`;
    }
    this.drawEdges();
  }

  /** From the end of one tower to where the next one looks at it. */
  drawEdges() {
    const { node } = this;
    const [into, last] = [node.querySelector(".across"), node.querySelector(".places > :last-child")];
    if (!into || !last) return;
    const [from, to] = [box(last, node), box(into, node)];
    const y = (from.bottom + to.top) / 2;
    line(this.edges, { x: from.right, y: from.y },
      [{ x: from.right + 10, y: from.y }, { x: from.right + 10, y }, { x: to.x, y }],
      [{ start: { x: to.x, y }, end: { x: to.x, y: to.top } }]);
  }
}

// A tree that grows to the right. Pointing at a node shows the way to it; a click selects it, and
// where that changes the state of the page, opens it, or closes one that is selected already.

import { define } from "../shared/component.js";
import { el, rich, spoken } from "../shared/dom.js";
import { lectured } from "../shared/room.js";
import { nextOf } from "./around.js";
import style from "./tree.css.js";

const WIDE = 6, RIGHT = 0.5, DOWN = 0.4; // rem: of a node, and between two
const TALL = { one: 2.5, two: 3.7 }; // rem: of a node, with its numbers in one line, or in the large type of a lecture in two
const ROOT = 3; // rem: its width, so that eleven tokens fit a wide page
const UNIT = 16; // of the drawing behind the nodes, in a rem

export default define(style, (env) => {
  const { select, chosen, current } = env;
  let payload = null;
  let items = [];
  let reached = 0; // the tab stop
  let tall = TALL.one;

  const title = el("h2", { class: "title" });
  const edges = el("svg:svg", { class: "edges", "aria-hidden": "true" });
  const nodes = el("div", { class: "nodes", role: "tree" });
  const sheet = el("div", { class: "sheet" }, edges, nodes);
  const holder = el("div", { class: "holder" }, sheet);
  const key = el("ul", { class: "key small" });
  const said = el("p", { class: "reading", "aria-live": "polite" });
  env.host.append(title, holder, key, said);

  const corner = ([column, row]) => [ROOT + RIGHT + (WIDE + RIGHT) * column, (tall + DOWN) * row];
  const at = (id) => payload.nodes.findIndex((node) => node.id === id);
  const found = (id) => at(String(id ?? "") || payload.first); // of digits alone a link has a number
  const selected = () => found(chosen(payload.selects));
  const walksTo = (node) => (env.acts("walk") ? node.walks : null); // what a click on it does besides

  function way(n) {
    const found = new Set();
    for (let i = n; i >= 0; i = payload.nodes[i].parent) found.add(i);
    return found;
  }

  const tallOf = () => (lectured(env.host) ? TALL.two : TALL.one);

  // --- what is seen --------------------------------------------------------------------------

  function build() {
    const places = payload.places;
    const columns = Math.max(-1, ...places.map(([column]) => column)) + 1;
    const rows = Math.max(0, ...places.map(([, row]) => row)) + 1;
    tall = tallOf();
    env.host.classList.toggle("lectured", tall === TALL.two);
    const [wide, high] = [ROOT + (WIDE + RIGHT) * columns, (tall + DOWN) * rows - DOWN];
    for (const [name, value] of [["width", wide], ["height", high]]) {
      sheet.style.setProperty(name, `${value}rem`);
      edges.style.setProperty(name, `${value}rem`);
    }
    edges.setAttribute("viewBox", `0 0 ${wide * UNIT} ${high * UNIT}`);
    edges.replaceChildren(...payload.nodes.map((node, n) => edge(node, n)));
    items = payload.nodes.map((node, n) => item(node, n));
    const root = el("span", { class: "node root code", style: size([0, 0], ROOT), "aria-hidden": "true" },
      payload.root);
    nodes.replaceChildren(root, ...items);
    nodes.setAttribute("aria-label", spoken(`${payload.title}. ${payload.alt}`));
    key.replaceChildren(...Object.entries(payload.states).map(([state, words]) =>
      el("li", {}, el("span", { class: `node sample ${state}`, "aria-hidden": "true" }), words)));
  }

  const size = ([left, top], wide = WIDE) =>
    ({ left: `${left}rem`, top: `${top}rem`, width: `${wide}rem`, height: `${tall}rem` });

  function edge(node, n) {
    const [x1, y1] = node.parent < 0 ? [ROOT - WIDE, 0] : corner(payload.places[node.parent]);
    const [x2, y2] = corner(payload.places[n]);
    const [from, to] = [(x1 + WIDE) * UNIT, x2 * UNIT];
    const [high, low] = [(y1 + tall / 2) * UNIT, (y2 + tall / 2) * UNIT];
    const half = (from + to) / 2;
    return el("svg:path", { d: `M${from} ${high}C${half} ${high} ${half} ${low} ${to} ${low}` });
  }

  function item(node, n) {
    const says = node.says.map(([text]) => text).join("");
    const hint = walksTo(node) ? `. ${payload.labels[node.walks]}` : "";
    return el("div", {
      class: `node ${node.state}${node.best ? " best" : ""}${walksTo(node) === "open" ? " opens" : ""}`,
      style: size(corner(payload.places[n])), role: "treeitem", tabindex: "-1",
      "aria-level": String(payload.places[n][0] + 1),
      "aria-label": `${node.label}, ${payload.states[node.state] ?? ""}. ${says}${hint}`,
      onclick: () => take(n),
      onpointerenter: () => env.point({ [payload.selects]: node.id }),
      onpointerleave: () => env.point(),
    }, el("span", { class: "label code" }, node.label), el("span", { class: "note" }, node.note));
  }

  function mark() {
    const [mine, shown] = [selected(), found(current(payload.selects))];
    const along = way(shown);
    items.forEach((one, n) => {
      one.classList.toggle("way", along.has(n));
      one.setAttribute("aria-selected", String(n === mine));
      one.setAttribute("tabindex", n === reached ? "0" : "-1");
      edges.children[n].classList.toggle("way", along.has(n));
    });
    said.replaceChildren(...rich(shown < 0 ? payload.says : payload.nodes[shown].says));
  }

  // --- clicks and keys -----------------------------------------------------------------------

  function take(n) {
    const { id } = payload.nodes[n];
    const walks = walksTo(payload.nodes[n]);
    const again = n === selected();
    reached = n;
    select({ [payload.selects]: id });
    if (walks === "open" || (walks === "close" && again)) env.say("walk", id);
    else env.report([payload.selects]);
  }

  nodes.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !items.length) return;
    if (event.key === "Enter" || event.key === " ") {
      take(reached);
    } else {
      const next = nextOf(payload, reached, event.key);
      if (next === null) return;
      reached = next;
      select({ [payload.selects]: payload.nodes[next].id });
      env.report([payload.selects]);
      items[next].focus();
    }
    event.preventDefault();
  });

  return {
    update(next) {
      payload = next;
      title.textContent = next.title;
      env.point(); // the nodes are made anew: what was pointed at is gone
      build();
      reached = Math.max(0, Math.min(selected(), items.length - 1));
      mark();
    },
    fitted() {
      if (!payload || tall === tallOf()) return;
      build();
      mark();
    },
    selected(changed) {
      if (!payload || !changed.includes(payload.selects)) return;
      if (selected() >= 0) reached = selected();
      mark();
    },
  };
});

// The model as a drawing whose parts are links. Folded flat it is the you-are-here strip; in full
// it is the whole run, each part a picture of its own numbers. A model with an encoder and a decoder
// has two towers, and lines from what the one hands on into the blocks of the other.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { Tooltip } from "../shared/tooltip.js";
import { Chosen, FOLLOWED } from "./chosen.js";
import { box, line } from "./edges.js";
import { Flat } from "./flat.js";
import style from "./map.css.js";
import { Towers } from "./tower.js";

export default define(style, (env) => {
  let payload = null;
  const flat = new Flat(env);
  const map = el("div", { class: "map" });
  const edges = el("svg:svg", { class: "edges", "aria-hidden": "true" });
  const foot = el("p", { class: "small muted foot" });
  env.host.append(flat.node, map, edges, foot);

  const chosen = new Chosen(env);
  const tip = new Tooltip(env.host);
  const towers = new Towers(
    env, chosen, (event, text) => tip.show(text, placeIn(event, env.host)));
  map.addEventListener("pointerleave", () => tip.hide());

  function drawMap() {
    const { labels } = payload;
    map.classList.toggle("towers", payload.towers.length > 1);
    map.style.setProperty("--rows", `${chosen.rows * chosen.rowHeight}px`);
    map.replaceChildren(...payload.towers.map((tower) => towers.draw(tower)));
    foot.textContent = [...payload.towers.map(({ shown }) => shown), labels.cells, labels.entries,
      labels.ffn_note].filter(Boolean).join(" · ");
    map.setAttribute("role", "group");
    map.setAttribute("aria-label", payload.title);
    fit();
  }

  // Lines from what one tower hands on into every block of the next: above the blocks where the
  // towers stand side by side, else along their left edge.
  function drawEdges() {
    const given = map.querySelector(".given canvas");
    const blocks = [...map.querySelectorAll(".looks-across .row > *")];
    edges.replaceChildren();
    if (!given || !blocks.length) return;
    const seen = (node) => box(node, env.host);
    const from = seen(given);
    const into = blocks.map((block) => [seen(block), seen(block.querySelector(".piece.across") ?? block)]);
    if (into[0][0].left > from.right) {
      const y = into[0][0].top - 14;
      const x = Math.max(...into.map(([, inner]) => inner.x));
      line(edges, { x: from.x, y: from.top - 2 }, [{ x: from.x, y }, { x, y }],
        into.map(([outer, inner]) => ({ start: { x: inner.x, y }, end: { x: inner.x, y: outer.top } })));
      return;
    }
    const x = from.left + 5;
    const last = Math.max(...into.map(([, inner]) => inner.y));
    line(edges, { x, y: from.bottom }, [{ x, y: last }],
      into.map(([outer, inner]) => ({ start: { x, y: inner.y }, end: { x: outer.left, y: inner.y } })), true);
  }

  // On a wide screen the whole run stands side by side, smaller where the type is too large for it.
  function fit() {
    map.style.zoom = "";
    map.style.width = "max-content";
    const share = env.host.clientWidth / map.offsetWidth;
    const spare = 0.99; // smaller type is a little wider than its share
    map.style.width = "";
    const wide = globalThis.matchMedia("(min-width: 901px)").matches;
    if (share < 1 && wide) map.style.zoom = String(spare * share);
    drawEdges();
  }

  return {
    update(next) {
      payload = chosen.payload = next;
      flat.node.hidden = next.mode !== "strip";
      map.hidden = foot.hidden = next.mode !== "map";
      edges.toggleAttribute("hidden", map.hidden);
      if (next.mode === "strip") flat.draw(next);
      else drawMap();
    },
    resized: () => (payload?.mode === "map" ? fit() : payload && flat.drawEdges()),
    walk(by) {
      if (payload?.mode !== "map") return false;
      chosen.walk(by);
      return true;
    },
    selected(changed, hover) {
      if (hover) return;
      if (payload.mode === "map") {
        if (changed.some((name) => FOLLOWED.includes(name))) drawMap();
      } else if (changed.includes("layer")) {
        flat.draw(payload);
      }
    },
  };
});

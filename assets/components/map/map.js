// The model as a drawing whose parts are links. Folded flat it is the you-are-here strip; in full
// it is the whole run, each part a picture of its own numbers. A model with an encoder and a decoder
// has two towers, and lines from what the one hands on into the blocks of the other.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { Tooltip } from "../shared/tooltip.js";
import { Chosen } from "./chosen.js";
import { box, line } from "./edges.js";
import { Flat } from "./flat.js";
import style from "./map.css.js";
import { Towers } from "./tower.js";

const READABLE = 16; // pixels of type on a projector
const ZOOMS = [0.35, 1];

const wide = () => globalThis.matchMedia("(min-width: 901px)").matches;
// Lecture view makes the page's own type larger.
const lectured = () =>
  wide() && parseFloat(getComputedStyle(document.documentElement).fontSize) >= 20;

// Leave something at the largest zoom at which it fits, to one in a hundred; or say that there is none.
function fitsAt(fits) {
  let [low, high] = ZOOMS;
  if (fits(high)) return true;
  if (!fits(low)) return false;
  while (high - low > 0.01) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return fits(low);
}

export default define(style, (env) => {
  let payload = null;
  const flat = new Flat(env);
  const map = el("div", { class: "map" });
  const edges = el("svg:svg", { class: "edges", "aria-hidden": "true" });
  const foot = el("p", { class: "small muted foot" });
  const sheet = el("div", { class: "sheet" }, map);
  env.host.append(flat.node, sheet, edges, foot);

  const chosen = new Chosen(env);
  const tip = new Tooltip(env.host);
  const towers = new Towers(
    env, chosen, (event, text) => tip.show(text, placeIn(event, env.host)));
  map.addEventListener("pointerleave", () => tip.hide());

  function drawMap() {
    map.setAttribute("role", "group");
    map.setAttribute("aria-label", payload.title);
    chosen.large = lectured();
    map.classList.toggle("large", chosen.large);
    map.classList.toggle("towers", payload.towers.length > 1);
    map.style.setProperty("--rows", `${chosen.rows * chosen.rowHeight}px`);
    map.replaceChildren(...payload.towers.map((tower) => towers.draw(tower)));
    foot.textContent = payload.foot.join(" · ");
    fit();
  }

  // Where a part takes what another tower gives: each of its blocks, or its first picture.
  const endsOf = (part) => {
    const blocks = [...part.querySelectorAll(".row > *")];
    if (!blocks.length) {
      const layers = part.querySelector(".layers") ?? part;
      return [[layers, layers.querySelector(".handed, canvas") ?? layers]];
    }
    return blocks.map((block) => [block, block.querySelector(".piece.across") ?? block]);
  };

  // Lines from what one tower hands on into parts of the next: above them where the towers stand
  // side by side, else along their left edge.
  function drawEdges() {
    const given = map.querySelector(".given .handed") ?? map.querySelector(".given canvas");
    const ends = [...map.querySelectorAll(".takes")].flatMap(endsOf);
    edges.replaceChildren();
    if (!given || !ends.length) return;
    const seen = (node) => box(node, env.host);
    const from = seen(given);
    const into = ends.map((pair) => pair.map(seen));
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

  // How much of its own width the map has, at a zoom: type does not become narrower evenly.
  function share(zoom, least) {
    map.style.setProperty("--least", `${least / zoom}px`);
    map.style.zoom = String(zoom);
    map.style.width = "max-content";
    const found = env.host.getBoundingClientRect().width / map.getBoundingClientRect().width;
    map.style.width = "";
    return found;
  }

  // On a wide screen the whole run stands side by side, smaller where the type is too large for it.
  // On a projector its type stays readable; the pictures alone become smaller.
  function fit() {
    const spare = 0.99; // smaller type is a little wider than its share
    const whole = share(1, 0);
    if (chosen.large && fitsAt((zoom) => share(zoom, READABLE) >= 1)) return drawEdges();
    if (whole < 1 && wide()) share(spare * whole, 0);
    else map.style.zoom = "";
    drawEdges();
  }

  return {
    update(next) {
      payload = chosen.payload = next;
      flat.node.hidden = next.mode !== "strip";
      map.hidden = sheet.hidden = next.mode !== "map";
      foot.hidden = map.hidden;
      edges.toggleAttribute("hidden", foot.hidden);
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
        if (chosen.follows(changed)) drawMap();
      } else if (changed.includes("layer") || changed.includes("step")) {
        flat.draw(payload);
      }
    },
  };
});

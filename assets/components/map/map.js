// The model as a drawing whose parts are links. Folded flat it is the you-are-here strip; in full
// it is the whole run, each part a picture of its own numbers. A model with an encoder and a decoder
// has two towers, and lines from what the one hands on into the blocks of the other.

import { sizeCanvas } from "../shared/canvas.js";
import { rgb, scaleOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el, fill } from "../shared/dom.js";
import { full, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { plain, visit } from "../shared/visits.js";
import style from "./map.css.js";

// Widths in pixels, of one tower and of several beside each other (picture.py has the same).
const ALONE = {
  embed: 76, final: 52, norm: 46, ffn: 58, add: 26, small: 38, large: 80, across: [2, 3],
};
const BESIDE = {
  embed: 52, final: 40, norm: 36, ffn: 46, add: 22, small: 34, large: 60, across: [1, 2],
};

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;
  const strip = el("nav", { class: "flat" });
  const map = el("div", { class: "map" });
  const edges = el("svg:svg", { class: "edges", "aria-hidden": "true" });
  const flatEdges = edges.cloneNode();
  const tip = el("div", { class: "tip code", hidden: true });
  const foot = el("p", { class: "small muted foot" });
  env.host.append(strip, map, edges, foot, tip);

  const go = (page, extra = {}) => (event) => {
    if (!plain(event)) return;
    event.preventDefault();
    visit(page, extra);
  };

  // --- lines from one part to others --------------------------------------------------------

  // From a point along corners, and from there to several ends, each with a head that points on.
  function line(svg, from, corners, ends, aside = false) {
    const to = ({ x, y }) => `L${x} ${y}`;
    const trunk = `M${from.x} ${from.y}${corners.map(to).join("")}`;
    const drops = ends.map(({ start, end }) => `M${start.x} ${start.y}${to(end)}`).join("");
    const heads = ends.map(({ end: { x, y } }) => (aside
      ? `M${x - 6} ${y - 4}l6 4l-6 4z` : `M${x - 4} ${y - 6}l4 6l4 -6z`)).join("");
    svg.replaceChildren(
      el("svg:path", { d: trunk + drops, class: "edge" }),
      el("svg:path", { d: heads, class: "edge-head" }));
  }

  // Where an element stands in what holds it.
  function box(node, holder) {
    const outer = holder.getBoundingClientRect();
    const own = node.getBoundingClientRect();
    const scale = outer.width / holder.offsetWidth || 1; // a lecture makes the strip smaller
    const left = (own.left - outer.left) / scale + holder.scrollLeft;
    const top = (own.top - outer.top) / scale;
    const [width, height] = [own.width / scale, own.height / scale];
    return {
      left, top, right: left + width, bottom: top + height, x: left + width / 2, y: top + height / 2,
    };
  }

  // --- folded flat ------------------------------------------------------------------------

  // The address of a link says what the page's says when somebody wants to open it elsewhere.
  const link = (page) => ({
    href: page + location.search,
    onpointerenter: (event) => { event.currentTarget.href = page + location.search; },
    onfocus: (event) => { event.currentTarget.href = page + location.search; },
  });

  function place(part) {
    if (part.lit || !part.page) {
      return el("span", {
        class: `place${part.lit ? " lit" : ""}`, title: part.title,
        "aria-current": part.lit ? "page" : null,
      }, part.label);
    }
    return el("a", {
      class: "place", ...link(part.page), title: part.title, onclick: go(part.page, part.of),
    }, part.label);
  }

  function turn(line_, by, sign, label) {
    const to = line_.layer + by;
    return el("button", {
      type: "button", "aria-label": label, title: label, disabled: to < 0 || to >= line_.n_layers,
      onclick: () => env.trigger("turn", { layer: to }),
    }, sign);
  }

  // One tower: places before the block, the block with its own, places after it.
  function inLine(line_) {
    const { labels } = payload;
    const items = line_.name ? [el("span", { class: "tower-name muted" }, line_.name)] : [];
    let block = null;
    let group = null;
    for (const part of line_.parts) {
      if (!part.in_block) {
        items.push(place(part));
        continue;
      }
      if (!block) {
        block = el("span", { class: "block" }, el("span", { class: "number" },
          turn(line_, -1, "‹", labels.earlier),
          fill(labels.block, { i: line_.layer, n: line_.n_layers }),
          turn(line_, 1, "›", labels.later)));
        items.push(block);
      }
      if (part.across) {
        if (!group) block.append(group = el("span", { class: "across" }));
        group.append(place(part));
      } else {
        block.append(place(part));
      }
    }
    return items;
  }

  function drawStrip() {
    const { lines, labels } = payload;
    strip.classList.toggle("towers", lines.length > 1);
    strip.replaceChildren(...(lines.length === 1 ? inLine(lines[0])
      : [...lines.map((one) => el("div", { class: "line" }, ...inLine(one))), flatEdges]));
    strip.setAttribute("aria-label", labels.strip);
    const lit = strip.querySelector(".lit");
    if (lit && strip.scrollWidth > strip.clientWidth) {
      strip.scrollLeft += lit.getBoundingClientRect().left
        - strip.getBoundingClientRect().left - strip.clientWidth / 2;
    }
    drawFlatEdges();
  }

  // From the end of one tower to where the next one looks at it.
  function drawFlatEdges() {
    const [into, last] = [strip.querySelector(".across"), strip.querySelector(".line > :last-child")];
    if (!into || !last) return;
    const [from, to] = [box(last, strip), box(into, strip)];
    const y = (from.bottom + to.top) / 2;
    line(flatEdges, { x: from.right, y: from.y },
      [{ x: from.right + 10, y: from.y }, { x: from.right + 10, y }, { x: to.x, y }],
      [{ start: { x: to.x, y }, end: { x: to.x, y: to.top } }]);
  }

  // --- the whole run: what is selected --------------------------------------------------------

  const sizes = () => (payload.towers.length > 1 ? BESIDE : ALONE);
  const rows = () => Math.max(...payload.towers.map((tower) => tower.tokens.length));
  const rowHeight = () => Math.max(13, Math.min(30, Math.floor(380 / rows())));
  const answers = () => payload.towers.at(-1);
  const within = (value, n) => Math.max(0, Math.min(n - 1, value ?? 0));
  const token = (tower) => within(
    (current(tower.field) ?? payload.selection[tower.field]) - tower.first, tower.tokens.length);
  const has = (tower, kind) => tower.heads.some(({ attention }) => attention === kind);
  const opened = () => payload.towers.find((tower) => has(tower, current("attention"))) ?? answers();
  const attention = () => (has(opened(), current("attention")) ? current("attention")
    : opened().heads[0].attention);
  const layer = () => within(current("layer"), opened().n_layers);
  const head = () => within(current("head"), opened().n_heads);
  const FOLLOWED = ["token", "source_token", "layer", "head", "attention"];
  // Only a model with several kinds of attention says which.
  const kind = (name) => (payload.towers.length > 1 ? { attention: name } : {});

  function choose(patch) {
    select(patch);
    env.report(Object.keys(patch));
  }

  // --- pictures -------------------------------------------------------------------------------

  // A vector a token, as a strip of cells.
  function strips(tower, name, width) {
    const array = payload.arrays[name];
    const [n, cols] = array.shape;
    const height = rowHeight();
    const canvas = document.createElement("canvas");
    const context = sizeCanvas(canvas, width, n * height);
    const palette = env.palette();
    // Few components are far larger than the rest; they are drawn full.
    const sorted = Float32Array.from(array.values, Math.abs).sort();
    const limit = sorted[Math.floor(sorted.length * 0.97)] || sorted.at(-1);
    const scale = scaleOf(palette, "signed", limit);
    const wide = width / cols;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < cols; j++) {
        context.fillStyle = rgb(scale(at2(array, i, j)));
        context.fillRect(j * wide, i * height + 3, Math.ceil(wide), height - 6);
      }
    }
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(0.75, token(tower) * height + 1.5, width - 1.5, height - 3);
    canvas.addEventListener("pointermove", (event) => {
      const area = canvas.getBoundingClientRect();
      const at = (share, count) => within(Math.floor(share * count), count);
      const i = at((event.clientY - area.top) / area.height, n);
      const j = at((event.clientX - area.left) / area.width, cols);
      showTip(event, `${tower.tokens[i].label}: ${full(at2(array, i, j))}`);
    });
    return canvas;
  }

  function headMap(name, h, size) {
    const { values, shape: [, n, m] } = payload.arrays[name];
    const canvas = document.createElement("canvas");
    const context = sizeCanvas(canvas, size, size);
    const scale = scaleOf(env.palette(), "weight", 255);
    const [tall, wide] = [size / n, size / m];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) {
        context.fillStyle = rgb(scale(values[(h * n + i) * m + j]));
        context.fillRect(j * wide, i * tall, Math.ceil(wide), Math.ceil(tall));
      }
    }
    return canvas;
  }

  // How much the feed-forward network writes for each token.
  function wrote(tower, index, width, height) {
    const { values } = payload.arrays[`${tower.prefix}wrote.${index}`];
    const canvas = document.createElement("canvas");
    const context = sizeCanvas(canvas, width, height);
    const palette = env.palette();
    const top = Math.max(...values) || 1;
    const tall = height / values.length;
    values.forEach((value, i) => {
      context.fillStyle = i === token(tower) ? palette.accent : palette.residual;
      context.fillRect(0, i * tall, Math.max(1, (value / top) * width), Math.max(1, tall - 1));
    });
    return canvas;
  }

  function showTip(event, text) {
    const area = env.host.getBoundingClientRect();
    tip.hidden = false;
    tip.textContent = text;
    tip.style.left = `${Math.max(0, Math.min(event.clientX - area.left + 12, area.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${event.clientY - area.top + 16}px`;
  }
  map.addEventListener("pointerleave", () => { tip.hidden = true; });

  // --- parts ----------------------------------------------------------------------------------

  function part(tower, id, className, label, children, goes = tower.goes) {
    const page = payload.places?.[id];
    // What the page shows of another tower is at that tower's token.
    const at = tower === answers() ? {} : { token: token(tower) + tower.first };
    const chosen = { layer: layer(), head: head(), ...goes, ...at };
    return el(page ? "a" : "div", {
      class: `part ${className}`, ...(page ? link(page) : {}), title: label,
      onclick: page ? go(page, chosen) : null,
    }, ...children);
  }

  const column = (className, title, ...children) =>
    el("section", { class: className }, el("h4", {}, title), ...children);

  function closedBlock(tower, index) {
    const { labels } = payload;
    const n = tower.n_heads;
    const room = (rows() * rowHeight() - 60) / (n * tower.heads.length);
    const size = Math.max(20, Math.min(sizes().small, Math.floor(room) - 4));
    const maps = tower.heads.map(({ array }, k) => el("span", { class: k ? "maps across" : "maps" },
      ...Array.from({ length: n }, (_, h) => headMap(`${tower.prefix}${array}.${index}`, h, size))));
    return el("button", {
      type: "button", class: "closed", title: fill(labels.open, { i: index }),
      onclick: () => choose({ layer: index, ...kind(tower.heads[0].attention) }),
    }, el("span", { class: "small muted" }, fill(labels.block, { i: index })),
    ...maps, wrote(tower, index, size, 44));
  }

  function openHeads(tower, { attention: name, array, label, title }, index) {
    const n = tower.n_heads;
    const across = sizes().across[n <= 6 ? 0 : 1];
    const lines = Math.ceil(n / across);
    const room = (rows() * rowHeight() - 20) / lines;
    const size = Math.max(40, Math.min(sizes().large, Math.floor(room) - 24));
    const isChosen = (h) => h === head() && name === attention();
    const heads = el("div", { class: "heads", style: { "grid-template-columns": `repeat(${across}, auto)` } },
      ...Array.from({ length: n }, (_, h) => {
        const words = fill(payload.labels.head, { h });
        const one = part(tower, "weights", `one-head${isChosen(h) ? " chosen" : ""}`, words, [
          headMap(`${tower.prefix}${array}.${index}`, h, size),
          el("span", { class: "small muted" }, words),
        ], kind(name));
        one.addEventListener("click", (event) => {
          // The first click chooses the head, a second one goes to its page.
          if (isChosen(h)) return;
          event.preventDefault();
          event.stopImmediatePropagation();
          choose({ head: h, ...kind(name) });
        }, true);
        return one;
      }));
    return el("div", { class: `piece${name === tower.heads[0].attention ? "" : " across"}` },
      el("span", { class: "small muted", title }, label), heads);
  }

  function openBlock(tower, index) {
    const { labels } = payload;
    const { norm, ffn, add } = sizes();
    const looks = { norm: [labels.norm, norm], ffn: [labels.ffn, ffn], add: [labels.add, add, "+"] };
    const pieces = tower.order.map((id) => {
      const heads = tower.heads.find(({ piece }) => piece === id);
      if (heads) return openHeads(tower, heads, index);
      const [label, width, sign = label] = looks[id.split("_")[0]];
      return part(tower, id, "piece", label, [el("span", { class: "small muted" }, sign),
        strips(tower, `${tower.prefix}${id}.${index}`, width)]);
    });
    return el("div", { class: "open" },
      el("strong", { class: "name" }, fill(labels.block, { i: index })),
      el("div", { class: "pieces" }, ...pieces));
  }

  function words() {
    const tower = answers();
    const now = token(tower);
    const probs = payload.arrays.probs;
    const top = Math.max(at2(probs, now, 0), 1e-9);
    return part(tower, "prediction", "words", payload.labels.next, [
      el("span", { class: "small muted" }, fill(payload.labels.after, { token: tower.tokens[now].label })),
      ...payload.words[now].map((word, i) => el("span", { class: `word${i === 0 ? " best" : ""}`, title: full(at2(probs, now, i)) },
        el("span", { class: "code label" }, word),
        el("span", { class: "bar", style: { width: `${Math.max(2, (56 * at2(probs, now, i)) / top)}px` } }),
        el("span", { class: "small code" }, percent(at2(probs, now, i))))),
    ]);
  }

  function drawTower(tower) {
    const { labels } = payload;
    const height = rowHeight();
    const { embed, final } = sizes();
    const chips = el("div", { class: "chips" }, ...tower.tokens.map((one, index) => el("button", {
      type: "button", class: `chip code ${one.kind}${index === token(tower) ? " chosen" : ""}`, title: one.title,
      style: { height: `${height - 4}px`, "font-size": `${Math.min(14, height - 5)}px` },
      onclick: () => choose({ [tower.field]: index + tower.first }),
    }, one.label)));
    const blocks = Array.from({ length: tower.n_layers }, (_, i) => (
      tower === opened() && i === layer() ? openBlock(tower, i) : closedBlock(tower, i)));
    const last = tower === answers() ? [
      column("final", labels.logits, part(tower, "logits", "", labels.entries, [strips(tower, "logits", final)])),
      column("next", labels.next, words()),
    ] : [];
    return el("div", { class: `tower${tower.heads.length > 1 ? " looks-across" : ""}` },
      tower.title ? el("h3", { class: "muted" }, tower.title) : null,
      column("tokens", part(tower, "tokens", "", labels.tokens, [labels.tokens]), chips),
      column("embeddings", labels.embeddings,
        part(tower, "embeddings", "", labels.cells, [strips(tower, `${tower.prefix}embed`, embed)])),
      column("blocks", labels.blocks, el("div", { class: "row" }, ...blocks)),
      column(tower.gives ? "final given" : "final", tower.final,
        part(tower, "final_norm", "", labels.cells, [strips(tower, `${tower.prefix}final`, final)]),
        tower.gives ? el("span", { class: "small gives" }, tower.gives) : null),
      ...last);
  }

  function drawMap() {
    const { labels, towers } = payload;
    map.classList.toggle("towers", towers.length > 1);
    map.style.setProperty("--rows", `${rows() * rowHeight()}px`);
    map.replaceChildren(...towers.map(drawTower));
    foot.textContent = [...towers.map(({ shown }) => shown), labels.cells, labels.entries, labels.ffn_note]
      .filter(Boolean).join(" · ");
    map.setAttribute("role", "group");
    map.setAttribute("aria-label", payload.alt);
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
    if (share < 1 && globalThis.matchMedia("(min-width: 901px)").matches) map.style.zoom = spare * share;
    drawEdges();
  }

  return {
    update(next) {
      payload = next;
      strip.hidden = next.mode !== "strip";
      map.hidden = foot.hidden = next.mode !== "map";
      edges.toggleAttribute("hidden", map.hidden);
      if (next.mode === "strip") drawStrip();
      else drawMap();
    },
    resized: () => (payload?.mode === "map" ? fit() : payload && drawFlatEdges()),
    walk(by) {
      if (payload?.mode !== "map") return false;
      const tower = answers();
      choose({ [tower.field]: within(token(tower) + by, tower.tokens.length) + tower.first });
      return true;
    },
    selected(changed) {
      if (payload.mode === "map" && changed.some((name) => FOLLOWED.includes(name))) drawMap();
    },
  };
});

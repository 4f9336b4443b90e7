// The model as a drawing whose parts are links. Folded flat it is the you-are-here strip; in full
// it is the whole run, each part a thumbnail of its own tensor.

export default define((env) => {
  let payload = null;
  const strip = el("nav", { class: "flat" });
  const map = el("div", { class: "map" });
  const tip = el("div", { class: "tip code", hidden: true });
  const foot = el("p", { class: "small muted foot" });
  env.host.append(strip, map, foot, tip);

  const go = (page, extra = {}) => (event) => {
    if (!plain(event)) return;
    event.preventDefault();
    visit(page, extra);
  };

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
      class: "place", ...link(part.page), title: part.title, onclick: go(part.page),
    }, part.label);
  }

  function drawStrip() {
    const items = [];
    let block = null;
    const { layer, n_layers: n, labels } = payload;
    const turn = (by, sign, label) => el("button", {
      type: "button", "aria-label": label, title: label,
      disabled: layer + by < 0 || layer + by >= n,
      onclick: () => env.trigger("turn", { layer: layer + by }),
    }, sign);
    for (const part of payload.parts) {
      if (!part.in_block) {
        items.push(place(part));
        continue;
      }
      if (!block) {
        block = el("span", { class: "block" }, el("span", { class: "number" },
          turn(-1, "‹", labels.earlier), fill(labels.block, { i: layer, n }),
          turn(1, "›", labels.later)));
        items.push(block);
      }
      block.append(place(part));
    }
    strip.replaceChildren(...items);
    strip.setAttribute("aria-label", labels.strip);
    const lit = strip.querySelector(".lit");
    if (lit && strip.scrollWidth > strip.clientWidth) {
      strip.scrollLeft += lit.getBoundingClientRect().left
        - strip.getBoundingClientRect().left - strip.clientWidth / 2;
    }
  }

  // --- the whole run ----------------------------------------------------------------------

  const rows = () => payload.tokens.length;
  const rowHeight = () => Math.max(13, Math.min(30, Math.floor(380 / rows())));
  const token = () => {
    const at = current("token");
    return Math.max(0, Math.min(rows() - 1, (at ?? payload.selection.token) - payload.first));
  };
  const layer = () => Math.min(payload.n_layers - 1, current("layer") ?? 0);
  const head = () => Math.min(payload.n_heads - 1, current("head") ?? 0);

  // A vector a token, as a strip of cells.
  function strips(name, width, kind = "signed") {
    const array = payload.arrays[name];
    const cols = array.shape[1];
    const height = rowHeight();
    const canvas = document.createElement("canvas");
    const context = sizeCanvas(canvas, width, rows() * height);
    const palette = env.palette();
    let limit = 0;
    for (const value of array.values) limit = Math.max(limit, Math.abs(value));
    // Few components are far larger than the rest; they are drawn full.
    const sorted = Float32Array.from(array.values, Math.abs).sort();
    limit = sorted[Math.floor(sorted.length * 0.97)] || limit;
    const scale = scaleOf(palette, kind, limit);
    const wide = width / cols;
    for (let i = 0; i < rows(); i++) {
      for (let j = 0; j < cols; j++) {
        context.fillStyle = rgb(scale(at2(array, i, j)));
        context.fillRect(j * wide, i * height + 3, Math.ceil(wide), height - 6);
      }
    }
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(0.75, token() * height + 1.5, width - 1.5, height - 3);
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const at = (share, n) => Math.min(n - 1, Math.max(0, Math.floor(share * n)));
      const i = at((event.clientY - box.top) / box.height, rows());
      const j = at((event.clientX - box.left) / box.width, cols);
      showTip(event, `${payload.tokens[i].label}: ${full(at2(array, i, j))}`);
    });
    return canvas;
  }

  function headMap(index, h, size) {
    const { values, shape: [, n] } = payload.arrays[`maps.${index}`];
    const canvas = document.createElement("canvas");
    const context = sizeCanvas(canvas, size, size);
    const scale = scaleOf(env.palette(), "weight", 255);
    const wide = size / n;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        context.fillStyle = rgb(scale(values[(h * n + i) * n + j]));
        context.fillRect(j * wide, i * wide, Math.ceil(wide), Math.ceil(wide));
      }
    }
    return canvas;
  }

  // How much the feed-forward network writes for each token.
  function wrote(index, width, height) {
    const { values } = payload.arrays[`wrote.${index}`];
    const canvas = document.createElement("canvas");
    const context = sizeCanvas(canvas, width, height);
    const palette = env.palette();
    const top = Math.max(...values) || 1;
    const tall = height / values.length;
    values.forEach((value, i) => {
      context.fillStyle = i === token() ? palette.accent : palette.residual;
      context.fillRect(0, i * tall, Math.max(1, (value / top) * width), Math.max(1, tall - 1));
    });
    return canvas;
  }

  function showTip(event, text) {
    const box = env.host.getBoundingClientRect();
    tip.hidden = false;
    tip.textContent = text;
    tip.style.left = `${Math.max(0, Math.min(event.clientX - box.left + 12, box.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${event.clientY - box.top + 16}px`;
  }
  map.addEventListener("pointerleave", () => { tip.hidden = true; });

  function part(id, className, label, ...children) {
    const page = payload.places?.[id];
    return el(page ? "a" : "div", {
      class: `part ${className}`, ...(page ? link(page) : {}), title: label,
      onclick: page ? go(page, { layer: layer(), head: head() }) : null,
    }, ...children);
  }

  const column = (className, title, ...children) =>
    el("section", { class: className }, el("h4", {}, title), ...children);

  function closedBlock(index) {
    const { labels, n_heads: n } = payload;
    const size = Math.max(20, Math.min(38, Math.floor((rows() * rowHeight() - 60) / n) - 4));
    return el("button", {
      type: "button", class: "closed", title: fill(labels.open, { i: index }),
      onclick: () => { select({ layer: index }); env.report(["layer"]); },
    }, el("span", { class: "small muted" }, fill(labels.block, { i: index })),
    ...Array.from({ length: n }, (_, h) => headMap(index, h, size)),
    wrote(index, size, 44));
  }

  function openBlock(index) {
    const { labels, n_heads: n } = payload;
    const perRow = n <= 6 ? 2 : 3;
    const lines = Math.ceil(n / perRow);
    const size = Math.max(40, Math.min(80, Math.floor((rows() * rowHeight() - 20) / lines) - 24));
    const heads = el("div", { class: "heads", style: { "grid-template-columns": `repeat(${perRow}, auto)` } },
      ...Array.from({ length: n }, (_, h) => {
        const link = part("weights", `one-head${h === head() ? " chosen" : ""}`,
          fill(labels.head, { h }), headMap(index, h, size),
          el("span", { class: "small muted" }, fill(labels.head, { h })));
        link.addEventListener("click", (event) => {
          // The first click chooses the head, a second one goes to its page.
          if (h !== head()) {
            event.preventDefault();
            event.stopImmediatePropagation();
            select({ head: h });
            env.report(["head"]);
          }
        }, true);
        return link;
      }));
    const piece = (id, label, width, sign = label) => part(id, "piece", label,
      el("span", { class: "small muted" }, sign), strips(`${id}.${index}`, width));
    const pieces = payload.order.map((id) => ({
      heads: () => el("div", { class: "piece" }, el("span", { class: "small muted" }, labels.heads), heads),
      norm_1: () => piece("norm_1", labels.norm, 46),
      norm_2: () => piece("norm_2", labels.norm, 46),
      ffn: () => piece("ffn", labels.ffn, 58),
      add_1: () => piece("add_1", labels.add, 26, "+"),
      add_2: () => piece("add_2", labels.add, 26, "+"),
    })[id]());
    return el("div", { class: "open" },
      el("strong", { class: "name" }, fill(labels.block, { i: index })),
      el("div", { class: "pieces" }, ...pieces));
  }

  function words() {
    const now = token();
    const list = payload.words[now];
    const probs = payload.arrays.probs;
    const top = Math.max(at2(probs, now, 0), 1e-9);
    return part("prediction", "words", payload.labels.next,
      el("span", { class: "small muted" }, fill(payload.labels.after, { token: payload.tokens[now].label })),
      ...list.map((word, i) => el("span", { class: `word${i === 0 ? " best" : ""}`, title: full(at2(probs, now, i)) },
        el("span", { class: "code label" }, word),
        el("span", { class: "bar", style: { width: `${Math.max(2, (56 * at2(probs, now, i)) / top)}px` } }),
        el("span", { class: "small code" }, percent(at2(probs, now, i))))));
  }

  function drawMap() {
    const { labels } = payload;
    const height = rowHeight();
    const chips = el("div", { class: "chips" }, ...payload.tokens.map((one, index) => el("button", {
      type: "button", class: `chip code ${one.kind}${index === token() ? " chosen" : ""}`, title: one.title,
      style: { height: `${height - 4}px`, "font-size": `${Math.min(14, height - 5)}px` },
      onclick: () => { select({ token: index + payload.first }); env.report(["token"]); },
    }, one.label)));
    map.replaceChildren(
      column("tokens", part("tokens", "", labels.tokens, labels.tokens), chips),
      column("embeddings", labels.embeddings,
        part("embeddings", "", labels.cells, strips("embed", 76))),
      column("blocks", labels.blocks, el("div", { class: "row" },
        ...Array.from({ length: payload.n_layers }, (_, i) => (i === layer() ? openBlock(i) : closedBlock(i))))),
      column("final", labels.final, part("final_norm", "", labels.cells, strips("final", 52))),
      column("final", labels.logits, part("logits", "", labels.entries, strips("logits", 52))),
      column("next", labels.next, words()),
    );
    foot.textContent = [labels.shown, labels.cells, labels.entries, labels.ffn_note].filter(Boolean).join(" · ");
    map.setAttribute("role", "group");
    map.setAttribute("aria-label", payload.alt);
    fit();
  }

  // On a wide screen the whole run stands side by side, smaller where the type is too large for it.
  function fit() {
    map.style.zoom = "";
    map.style.width = "max-content";
    const share = env.host.clientWidth / map.offsetWidth;
    const spare = 0.99; // smaller type is a little wider than its share
    map.style.width = "";
    if (share < 1 && globalThis.matchMedia("(min-width: 901px)").matches) map.style.zoom = spare * share;
  }

  return {
    update(next) {
      payload = next;
      strip.hidden = next.mode !== "strip";
      map.hidden = foot.hidden = next.mode !== "map";
      if (next.mode === "strip") drawStrip();
      else drawMap();
    },
    resized: () => payload?.mode === "map" && fit(),
    walk(by) {
      if (payload?.mode !== "map") return false;
      const to = Math.max(0, Math.min(rows() - 1, token() + by));
      select({ token: to + payload.first });
      env.report(["token"]);
      return true;
    },
    selected(changed) {
      if (payload.mode === "map" && changed.some((name) => ["token", "layer", "head"].includes(name))) drawMap();
    },
  };
});

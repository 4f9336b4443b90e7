// Every layer and head at a glance: one small picture a head, or one number a head. A click
// selects the head; the page shows it large.

import { pen, sizeCanvas } from "../shared/canvas.js";
import { inkOn, rgb, scaleOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { fmt } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import style from "./head_grid.css.js";

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;
  let size = 60;
  const LEFT = 62;
  const TOP = 20;
  const GAP = 6;

  const tabs = el("div", { class: "tabs", role: "tablist" });
  const canvas = el("canvas", { tabindex: "0", role: "img" });
  const tip = el("div", { class: "tip code", hidden: true });
  const note = el("p", { class: "small muted" });
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const picture = el("div", { class: "picture" }, canvas, tip);
  env.host.append(tabs, picture, note, said);

  const grid = () => payload.arrays.maps.shape; // (layers, heads, rows, columns)
  const chosen = () => [
    Math.min(grid()[0] - 1, current("layer") ?? 0), Math.min(grid()[1] - 1, current("head") ?? 0)];
  // What stands for a head: its map (0), or a score by its place in the list.
  const shownAs = () => 1 + payload.scores.findIndex(({ array }) => array === current("score"));
  const score = (name, layer, head) => at2(payload.arrays[name], layer, head);

  function draw() {
    const palette = env.palette();
    const [layers, heads, rows, cols] = grid();
    const room = env.host.clientWidth - LEFT - 4;
    const largest = payload.max_size ?? Math.max(44, globalThis.innerHeight * 0.5 / layers - GAP);
    size = Math.max(22, Math.min(largest, Math.floor(room / heads) - GAP));
    const shown = payload.scores[shownAs() - 1];
    const tall = !shown ? size : Math.min(size, 40);
    const context = sizeCanvas(canvas, LEFT + heads * (size + GAP), TOP + layers * (tall + GAP));
    const maps = payload.arrays.maps.values;
    const scale = scaleOf(palette, "weight", 255);
    const code = getComputedStyle(env.host).getPropertyValue("--st-code-font") || "monospace";
    context.textBaseline = "middle";
    context.font = `12px ${code}`;
    context.fillStyle = palette.muted;
    context.textAlign = "center";
    for (let h = 0; h < heads; h++) {
      context.fillText(`${heads > 8 && size < 40 ? "" : payload.labels.head} ${h}`.trim(),
        LEFT + h * (size + GAP) + size / 2, TOP / 2);
    }
    for (let l = 0; l < layers; l++) {
      const y = TOP + l * (tall + GAP);
      context.fillStyle = palette.muted;
      context.textAlign = "right";
      context.fillText(`${payload.labels.layer} ${l}`, LEFT - 8, y + tall / 2);
      for (let h = 0; h < heads; h++) {
        const x = LEFT + h * (size + GAP);
        if (!shown) {
          const image = new ImageData(cols, rows);
          const start = (l * heads + h) * rows * cols;
          for (let i = 0; i < rows * cols; i++) {
            const colour = scale(maps[start + i]);
            image.data.set([colour[0], colour[1], colour[2], 255], 4 * i);
          }
          const small = new OffscreenCanvas(cols, rows);
          pen(small).putImageData(image, 0, 0);
          context.imageSmoothingEnabled = false;
          context.drawImage(small, x, y, size, tall);
        } else {
          const { array, limit } = shown;
          const value = score(array, l, h);
          const colour = scaleOf(palette, "weight", limit)(value);
          context.fillStyle = rgb(colour);
          context.fillRect(x, y, size, tall);
          context.fillStyle = inkOn(colour);
          context.textAlign = "center";
          context.fillText(fmt(value, 2), x + size / 2, y + tall / 2);
        }
      }
    }
    const [layer, head] = chosen();
    context.strokeStyle = palette.accent;
    context.lineWidth = 2.5;
    context.strokeRect(LEFT + head * (size + GAP) - 2, TOP + layer * (tall + GAP) - 2, size + 4, tall + 4);
    canvas.dataset.tall = String(tall);
  }

  function describe(layer, head) {
    const lines = [`${payload.labels.layer} ${layer}, ${payload.labels.head} ${head}`];
    const name = payload.names[layer][head];
    if (name) lines[0] += `: ${name}`;
    for (const { label, array } of payload.scores) lines.push(`${label} ${fmt(score(array, layer, head))}`);
    return lines;
  }

  function place(event) {
    const box = canvas.getBoundingClientRect();
    const tall = Number(canvas.dataset.tall);
    const h = Math.floor((event.clientX - box.left - LEFT) / (size + GAP));
    const l = Math.floor((event.clientY - box.top - TOP) / (tall + GAP));
    const [layers, heads] = grid();
    return h < 0 || l < 0 || h >= heads || l >= layers ? null
      : [l, h, event.clientX - box.left, event.clientY - box.top];
  }

  function pick(layer, head) {
    const [layers, heads] = grid();
    select({
      layer: Math.max(0, Math.min(layers - 1, layer)), head: Math.max(0, Math.min(heads - 1, head)),
    });
    env.report(["layer", "head"]);
    said.textContent = describe(...chosen()).join(", ");
  }

  canvas.addEventListener("pointermove", (event) => {
    const found = place(event);
    tip.hidden = !found;
    canvas.style.cursor = found ? "pointer" : "default";
    if (!found) return;
    tip.replaceChildren(...describe(found[0], found[1]).map((line) => el("div", {}, line)));
    tip.style.left = `${Math.max(0, Math.min(found[2] + 14, picture.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${found[3] + 16}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const found = place(event);
    if (found) pick(found[0], found[1]);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
    }[event.key];
    if (!step) return;
    event.preventDefault();
    const [layer, head] = chosen();
    pick(layer + step[0], head + step[1]);
  });

  function show() {
    const shown = shownAs();
    [...tabs.children].forEach((tab, i) => tab.setAttribute("aria-selected", String(i === shown)));
    note.textContent = shown === 0 ? payload.labels.maps_note : payload.scores[shown - 1].note;
    draw();
  }

  return {
    update(next) {
      payload = next;
      tabs.hidden = !next.scores.length;
      const all = [{ array: "maps", label: next.labels.maps }, ...next.scores];
      tabs.replaceChildren(...all.map(({ array, label }) => el("button", {
        type: "button", role: "tab",
        onclick: () => {
          select({ score: array });
          env.report(["score"]);
        },
      }, label)));
      canvas.setAttribute("aria-label", next.title);
      show();
    },
    selected(changed) {
      if (changed.includes("score")) show();
      else if (changed.includes("layer") || changed.includes("head")) draw();
    },
    resized: () => payload && draw(),
  };
});

// Every layer and head at a glance: one small picture a head, or one number a head. A click
// selects the head; the page shows it large.

import { pen, sizeCanvas, typeSize } from "../shared/canvas.js";
import { inkOn, rgb, scaleOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el, spoken } from "../shared/dom.js";
import { cellAt, placeIn } from "../shared/hit.js";
import { ARROWS, operated } from "../shared/keys.js";
import { clamp, fmt } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { drawPixels } from "../shared/raster.js";
import { larger, lectured, roomOf } from "../shared/room.js";
import { Tabs } from "../shared/tabs.js";
import { Tooltip } from "../shared/tooltip.js";
import { put } from "../matrix/marks.js";
import style from "./head_grid.css.js";

const LEAST_LEFT = 62; // pixels for the names of the layers
const TOP = 20;
const GAP = 6;
const LEAST_SIZE = 44; // of a picture, where there is no room below for more

export default define(style, (env) => {
  const { select, chosen } = env;
  let payload = null;
  let size = 60; // of a picture, which is as tall, or less tall where it shows a number
  let tall = 60;
  let left = LEAST_LEFT;
  let top = TOP;

  const canvas = el("canvas");
  operated(canvas);
  const mark = el("div", { class: "mark", hidden: true, "aria-hidden": "true" }); // the selected head
  const note = el("p", { class: "small muted" });
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const picture = el("div", { class: "picture" }, canvas, mark);
  const tip = new Tooltip(picture);
  const panel = el("div", {}, picture, note);
  const tabs = new Tabs(panel, (index) => {
    select({ score: index ? payload.scores[index - 1].array : "maps" });
    env.report(["score"]);
  });
  env.host.append(tabs.node, panel, said);

  const grid = () => payload.arrays.maps.shape; // (layers, heads, rows, columns)
  const selected = () => ["layer", "head"].map((name, axis) => clamp(chosen(name) ?? 0, grid()[axis]));
  // What stands for a head: its map (0), or a score by its place in the list.
  const shownAs = () => 1 + payload.scores.findIndex(({ array }) => array === chosen("score"));
  const score = (name, layer, head) => at2(payload.arrays[name], layer, head);

  // Other languages have longer names than "layer 0".
  function widest(names, font) {
    const context = pen(canvas);
    context.font = font;
    return Math.ceil(Math.max(...names.map((name) => context.measureText(name).width)));
  }

  function draw() {
    const palette = env.palette();
    const [layers, heads, rows, cols] = grid();
    const code = getComputedStyle(env.host).getPropertyValue("--st-code-font") || "monospace";
    const zoom = larger(env.host);
    const font = `${typeSize(env.host)}px ${code}`;
    top = TOP * zoom;
    left = Math.max(LEAST_LEFT, 10 + widest(payload.rows, font));
    const room = env.host.clientWidth - left - 4;
    const high = lectured(env.host) ? roomOf(canvas, top + layers * (LEAST_SIZE + GAP)) - top
      : globalThis.innerHeight * 0.5;
    const largest = Math.max(LEAST_SIZE, Math.floor(high / layers) - GAP);
    size = Math.max(22, Math.min(largest, Math.floor(room / heads) - GAP));
    const shown = payload.scores[shownAs() - 1];
    tall = !shown ? size : Math.min(size, 40 * zoom);
    const narrow = lectured(env.host) ? widest(payload.columns, font) > size : heads > 8 && size < 40;
    const context = sizeCanvas(canvas, left + heads * (size + GAP), top + layers * (tall + GAP));
    const maps = payload.arrays.maps.values;
    const scale = scaleOf(palette, "weight", 255);
    context.textBaseline = "middle";
    context.font = font;
    context.fillStyle = palette.muted;
    context.textAlign = "center";
    for (let h = 0; h < heads; h++) {
      context.fillText(narrow ? String(h) : payload.columns[h],
        left + h * (size + GAP) + size / 2, top / 2);
    }
    for (let l = 0; l < layers; l++) {
      const y = top + l * (tall + GAP);
      context.fillStyle = palette.muted;
      context.textAlign = "right";
      context.fillText(payload.rows[l], left - 8, y + tall / 2);
      for (let h = 0; h < heads; h++) {
        const x = left + h * (size + GAP);
        if (!shown) {
          const start = (l * heads + h) * rows * cols;
          const colourAt = (i, j) => scale(maps[start + i * cols + j]);
          drawPixels(context, { rows, cols }, colourAt, { x, y, width: size, height: tall });
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
    outline();
  }

  function outline() {
    const [layer, head] = selected();
    const [x, y] = [left + head * (size + GAP) - 3, top + layer * (tall + GAP) - 3];
    put(mark, { x, y, width: size + 6, height: tall + 6 });
  }

  function describe(layer, head) {
    const place = [payload.rows[layer], payload.columns[head]].filter(Boolean).join(", ");
    const name = payload.names[layer][head];
    const lines = [[place, name].filter(Boolean).join(": ")].filter(Boolean);
    for (const { label, array } of payload.scores) lines.push(`${label} ${fmt(score(array, layer, head))}`);
    return lines;
  }

  const hit = (place) => cellAt(place, {
    left, top, wide: size + GAP, tall: tall + GAP, rows: grid()[0], cols: grid()[1],
  });

  function pick(layer, head) {
    const [layers, heads] = grid();
    select({ layer: clamp(layer, layers), head: clamp(head, heads) });
    env.report(["layer", "head"]);
    const [l, h] = selected();
    said.textContent = spoken(describe(l, h).join(", "));
  }

  canvas.addEventListener("pointermove", (event) => {
    const place = placeIn(event, canvas);
    const found = hit(place);
    canvas.style.cursor = found ? "pointer" : "default";
    if (found) tip.show(describe(found[0], found[1]).join("\n"), place);
    else tip.hide();
  });
  canvas.addEventListener("pointerleave", () => tip.hide());
  canvas.addEventListener("click", (event) => {
    const found = hit(placeIn(event, canvas));
    if (found) pick(found[0], found[1]);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const [layer, head] = selected();
    pick(layer + step[0], head + step[1]);
  });

  function show() {
    const shown = shownAs();
    tabs.mark(shown);
    const maps = payload.lesson ? payload.labels.maps_alone : payload.labels.maps_note;
    note.textContent = shown === 0 ? maps : payload.scores[shown - 1].note;
    draw();
  }

  return {
    update(next) {
      payload = next;
      tabs.offer([next.labels.maps, ...next.scores.map(({ label }) => label)]);
      canvas.setAttribute("aria-label", spoken(next.title));
      show();
    },
    selected(changed, hover) {
      if (hover) return;
      if (changed.includes("score")) show();
      else if (changed.includes("layer") || changed.includes("head")) outline();
    },
    resized: () => payload && draw(),
    fitted: () => payload && draw(),
  };
});

// A matrix whose every cell can be asked where its number comes from. Several sheets (queries,
// keys, scores, weights ...) share one selection; the arithmetic of the selected cell stands
// beside, with the operands that Python computed.

import { define } from "../shared/component.js";
import { el, rich } from "../shared/dom.js";
import { clamp, fmt, full } from "../shared/numbers.js";
import { SHARED } from "../shared/selection.js";
import { drawSheet } from "./canvas.js";
import { Cells } from "./cells.js";
import { How } from "./how.js";
import { Layout } from "./layout.js";
import style from "./matrix.css.js";
import { Overview } from "./overview.js";
import { Painting } from "./painting.js";

const ARROWS = {
  ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
};

export default define(style, (env) => {
  const { select, current } = env;
  const tabs = el("div", { class: "tabs", role: "tablist" });
  const title = el("h3", { class: "title" });
  const canvas = el("canvas", { tabindex: "0", role: "img" });
  const tip = el("div", { class: "tip code", hidden: true });
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const axes = el("p", { class: "small muted axes" });
  const picture = el("div", { class: "picture" }, canvas, tip);

  const cells = new Cells(current);
  const layout = new Layout(env.host, canvas, cells);
  const overview = new Overview(cells, layout, draw);
  const how = new How(env.host, cells);
  const painting = new Painting(env, cells, draw);
  env.host.append(
    tabs,
    el("div", { class: "body" },
      el("div", { class: "figure" }, title, picture, overview.canvas, axes, said), how.node));

  function draw() {
    const palette = env.palette();
    const { from } = overview;
    layout.measure();
    env.host.classList.toggle("beside", layout.beside);
    axes.style.maxWidth = `${Math.max(300, layout.width)}px`; // a long line must not push the arithmetic away
    drawSheet(canvas, cells, layout, palette, from);
    overview.draw(palette);
    (SHARED.windows ??= {})[cells.payload.figure] = [from.row, from.col]; // what a saved drawing shows
  }

  function refresh() {
    const { sheets, sheet_field: field, sheet: first } = cells.payload;
    const wanted = field ? current(field) : null;
    cells.sheet = sheets[clamp(wanted ?? first ?? 0, sheets.length)];
    overview.reveal();
    title.textContent = cells.sheet.title;
    axes.replaceChildren(...rich(cells.sheet.axes ?? []));
    canvas.setAttribute("aria-label", cells.sheet.alt ?? cells.sheet.title);
    [...tabs.children].forEach((tab, index) =>
      tab.setAttribute("aria-selected", String(sheets[index] === cells.sheet)));
    draw();
    how.draw();
  }

  function pick(i, j) {
    select(cells.naming(i, j));
    env.report([...new Set([cells.sheet.rows.field, cells.sheet.cols.field])]);
  }

  // The cell below the pointer, and where on the canvas that is.
  function place(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = layout.hit(x, y);
    return found && [overview.from.row + found[0], overview.from.col + found[1], x, y];
  }

  canvas.addEventListener("pointermove", (event) => {
    const found = place(event);
    tip.hidden = !found;
    canvas.style.cursor = found ? "pointer" : "default";
    if (!found) return;
    const [i, j, x, y] = found;
    const own = cells.sheet.texts?.[i]?.[j];
    tip.textContent = `${cells.label("rows", i)} → ${cells.label("cols", j)}: ${own ? `${own} ` : ""}${
      cells.words(i, j, full)}`;
    tip.style.left = `${Math.min(x + 14, Math.max(0, picture.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${y + 18}px`;
    if (painting.stroke) painting.stain(i, j);
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const found = place(event);
    if (found) pick(found[0], found[1]);
  });
  canvas.addEventListener("pointerdown", (event) => {
    const found = place(event);
    if (!cells.sheet.paint || !found || event.button) return;
    painting.stain(found[0], found[1]);
    if (event.pointerType === "touch") painting.end(); // dragging a finger scrolls the page
  });

  canvas.addEventListener("keydown", (event) => {
    const [i, j] = [cells.chosen("rows") ?? 0, cells.chosen("cols") ?? 0];
    const step = ARROWS[event.key];
    if (step) {
      event.preventDefault();
      pick(i + step[0], j + step[1]);
    } else if (cells.sheet.paint && (event.key === " " || event.key === "Enter")) {
      event.preventDefault();
      painting.stain(i, j);
      painting.end();
    }
  });

  return {
    update(next) {
      cells.payload = next;
      painting.keep();
      tabs.hidden = next.sheets.length < 2 || next.sheet_tabs === false;
      tabs.replaceChildren(...next.sheets.map((one, index) => el("button", {
        type: "button", role: "tab",
        onclick: () => { select({ [next.sheet_field]: index }); env.report([next.sheet_field]); },
      }, one.tab ?? one.title)));
      refresh();
    },
    selected(changed, hover) {
      const { sheets, sheet_field: field } = cells.payload;
      const fields = sheets.flatMap((one) => [one.rows.field, one.cols.field]);
      if (!changed.some((name) => fields.includes(name) || name === field)) return;
      refresh();
      const [i, j] = [cells.chosen("rows"), cells.chosen("cols")];
      if (hover || i === null || j === null) return;
      said.textContent = `${cells.label("rows", i)}, ${cells.label("cols", j)}: ${
        cells.words(i, j, fmt)}`;
    },
    resized: () => cells.payload && refresh(),
    destroy: () => painting.destroy(),
  };
});

// A matrix whose every cell can be asked where its number comes from. Several sheets (queries,
// keys, scores, weights ...) share one selection; the arithmetic of the selected cell stands
// beside, with the operands that Python computed.

import { define } from "../shared/component.js";
import { el, rich, spoken } from "../shared/dom.js";
import { cellAt, placeIn } from "../shared/hit.js";
import { ARROWS, operated } from "../shared/keys.js";
import { clamp } from "../shared/numbers.js";
import { larger, lectured } from "../shared/room.js";
import { holdStill } from "../shared/scrolling.js";
import { SHARED } from "../shared/selection.js";
import { Tabs } from "../shared/tabs.js";
import { Tooltip } from "../shared/tooltip.js";
import { drawSheet } from "./canvas.js";
import { Cells } from "./cells.js";
import { How } from "./how.js";
import { Layout } from "./layout.js";
import { Marks, framesOf } from "./marks.js";
import style from "./matrix.css.js";
import { Overview } from "./overview.js";
import { Pager } from "./pager.js";
import { Painting } from "./painting.js";
import { Picks } from "./picks.js";
import { Scale } from "./scale.js";
import { Table } from "./table.js";

const PICKABLE = 24; // px that a cell has at least where it is picked
const SHARE = 0.64; // of the width, beside the arithmetic of a lecture
const NARROW = 560; // px below which other sheets are shown, where there are any

export default define(style, (env) => {
  const title = el("h2", { class: "title" });
  const canvas = el("canvas");
  const marks = new Marks(["row", "cell", "pointed-row", "pointed-col"]);
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const help = el("span", { class: "visually-hidden", id: "keys" }); // what reads it out, for who cannot see it
  const axes = el("p", { class: "small muted axes" });
  const scale = new Scale();
  const picture = el("div", { class: "picture" }, canvas, ...marks.nodes);
  const tip = new Tooltip(picture);

  let pointing = false; // at a cell of this very matrix
  const cells = new Cells(env.chosen);
  const pointed = new Cells(env.pointed);
  // The arithmetic follows what is pointed at elsewhere; here it stays with what is selected.
  const shown = new Cells((name) => (pointing ? env.chosen(name) : env.current(name)));
  const layout = new Layout(env.host, canvas, cells);
  const overview = new Overview(cells, layout, drawWindow, (words) => { said.textContent = words; });
  const picks = new Picks(env.picking, cells, layout, overview);
  const pager = new Pager(cells, layout, overview, picture);
  const table = new Table(cells, overview, () => canvas.focus());
  picture.append(picks.node);
  const how = new How(env.host, shown);
  const painting = new Painting(env, cells, () => {
    overview.forget();
    draw();
  });
  const figure = el("div", { class: "figure" }, title, pager.node, picture, overview.node, scale.node, axes, table.node, help, said);
  const body = el("div", { class: "body" }, figure, how.node);
  const tabs = new Tabs(body, (index) => {
    const { field } = offered();
    env.select({ [field]: index });
    env.report([field]);
  });
  env.host.append(tabs.node, body);

  // The sheets that there is room for, and the field of the selection that names one of them.
  function offered() {
    const { sheets, sheet_field: field, slim, slim_field: own } = cells.payload;
    return slim && env.host.clientWidth < NARROW ? { sheets: slim, field: own } : { sheets, field };
  }

  function draw() {
    const large = lectured(env.host) ? picks.underWay : picks.picking; // on a wall the arithmetic needs room then
    layout.least = large ? PICKABLE : 5;
    arrange();
    overview.draw(env.palette());
    scale.draw(cells, env.palette());
    env.host.classList.toggle("beside", layout.beside);
    env.host.classList.toggle("lectured", lectured(env.host));
    const most = Math.max(layout.beside ? Math.min(300 * larger(env.host), SHARE * env.host.clientWidth) : 300 * larger(env.host), layout.width);
    figure.style.maxWidth = lectured(env.host) && layout.beside ? `${most}px` : "";
    axes.style.maxWidth = lectured(env.host) && !layout.beside ? "" : `${most}px`; // a long line must not push the rest away
    drawWindow();
  }

  // On a wall the legend stands beside a picture whose cells are as large so, and each row has its name.
  function arrange() {
    const beside = lectured(env.host) && !cells.sheet.how ? stand(true) : 0;
    const below = stand(false);
    if (beside >= below && beside) stand(true);
  }

  // With its legend beside it or below it: the size of a cell where all of them are shown, else 0.
  function stand(aside) {
    layout.aside = aside;
    env.host.classList.toggle("aside", aside);
    layout.measure();
    const whole = layout.shown("cols") === cells.count("cols") && layout.shown("rows") === cells.count("rows");
    return whole ? layout.cell * layout.height : 0;
  }

  function drawWindow() {
    const { from } = overview;
    drawSheet(canvas, cells, layout, env.palette(), from);
    mark();
    picks.draw();
    pager.draw();
    table.draw(!picks.underWay);
    (SHARED.windows ??= {})[cells.payload.figure] = [from.row, from.col]; // what a saved drawing shows
  }

  function mark() {
    const { window } = overview;
    const frames = (which) =>
      framesOf([which.chosen("rows"), which.chosen("cols")], window, layout.grid());
    const [selected, other] = [frames(cells), frames(pointed)];
    marks.put({
      row: selected.row, cell: selected.cell, "pointed-row": other.row, "pointed-col": other.col,
    });
    overview.mark([pointed.chosen("rows"), pointed.chosen("cols")]);
  }

  function refresh() {
    const { payload } = cells;
    const { sheets, field } = offered();
    const { sheet: first, sheet_tabs: tabbed } = payload;
    tabs.offer(tabbed === false ? [] : sheets.map((one) => one.tab ?? one.title));
    const index = clamp((field ? env.chosen(field) : null) ?? first ?? 0, sheets.length);
    for (const one of [cells, pointed, shown]) Object.assign(one, { payload, sheet: sheets[index] });
    overview.reveal();
    title.textContent = cells.sheet.title;
    axes.replaceChildren(...rich(cells.sheet.axes ?? []));
    canvas.setAttribute("aria-label", spoken(cells.sheet.alt ?? cells.sheet.title));
    operated(canvas, cells.selectable && !picks.underWay);
    help.textContent = cells.selectable && !picks.underWay ? payload.labels.keys : "";
    canvas.setAttribute("aria-describedby", help.id);
    tabs.mark(index);
    draw();
    how.draw();
  }

  function pick(i, j) {
    if (picks.underWay) return;
    holdStill(env.host); // what was said of an experiment may go from above it
    env.select(cells.naming(i, j));
    env.report([...new Set([cells.sheet.rows.field, cells.sheet.cols.field])]);
  }

  // The cell at a place of the canvas.
  function hit(place) {
    const found = cellAt(place, layout.grid());
    return found && [overview.from.row + found[0], overview.from.col + found[1]];
  }

  function point(cell) {
    pointing = Boolean(cell);
    env.point(cell ? cells.naming(cell[0], cell[1]) : {});
  }

  picture.addEventListener("pointermove", (event) => {
    const place = placeIn(event, canvas);
    const cell = hit(place);
    canvas.style.cursor = cell ? "pointer" : "default";
    if (cell && painting.stroke) { // what is said of it is about to be another thing
      tip.hide();
      painting.stain(cell[0], cell[1]);
    } else if (cell) {
      const [i, j] = cell;
      const own = cells.sheet.texts?.[i]?.[j];
      const names = `${cells.label("rows", i)} → ${cells.label("cols", j)}`;
      tip.show(picks.underWay ? names
        : `${names}: ${own ? `${own} ` : ""}${cells.words(i, j)}`, place);
    } else {
      tip.hide();
    }
    point(cell); // last, as others draw what follows
  });
  picture.addEventListener("pointerleave", () => {
    tip.hide();
    point(null);
  });
  canvas.addEventListener("click", (event) => {
    const cell = hit(placeIn(event, canvas));
    if (cell) pick(cell[0], cell[1]);
  });
  canvas.addEventListener("pointerdown", (event) => {
    const cell = hit(placeIn(event, canvas));
    if (!cells.sheet.paint || !cell || event.button || picks.underWay) return;
    tip.hide();
    painting.stain(cell[0], cell[1]);
  });
  // A finger that begins on a cell paints; beside the cells it scrolls the page.
  canvas.addEventListener("touchmove", (event) => { if (painting.stroke) event.preventDefault(); }, { passive: false });

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
    } else if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      table.turn();
    }
  });

  function say() {
    const [i, j] = [cells.chosen("rows"), cells.chosen("cols")];
    if (i === null || j === null) return;
    const [row, col] = [cells.label("rows", i), cells.label("cols", j)].map(spoken);
    said.textContent = `${row}, ${col}: ${cells.words(i, j)}`;
  }

  return {
    update(next) {
      cells.payload = next;
      painting.keep();
      refresh();
      if (said.textContent) say();
    },
    selected(changed, hover) {
      const { sheets, field } = offered();
      const fields = sheets.flatMap((one) => [one.rows.field, one.cols.field]);
      if (!changed.some((name) => fields.includes(name) || name === field)) return;
      if (hover) {
        mark();
        if (!pointing) how.draw();
        return;
      }
      refresh();
      say();
    },
    picked: (began) => (began ? cells.payload.sheets && refresh() : picks.draw()),
    resized: () => cells.payload.sheets && refresh(),
    fitted: () => cells.payload.sheets && refresh(),
    table: () => table.turn(),
    destroy: () => how.rest.end(),
  };
});

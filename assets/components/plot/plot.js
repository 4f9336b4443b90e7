// A plot in a file that opens by itself: the drawing that Python made for the width there is, and
// what its points say when they are pointed at or walked through.

import { define } from "../shared/component.js";
import { el, spoken } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { operated } from "../shared/keys.js";
import { Tooltip } from "../shared/tooltip.js";
import { pieceOf } from "./drawing.js";
import style from "./plot.css.js";
import { Points } from "./points.js";
import { wordsOf } from "./words.js";

const SHORT = 500; // pixels of the page below which the narrow drawing is shown
const BY = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  Home: [-Infinity, 0], End: [Infinity, 0],
};

export default define(style, (env) => {
  const points = new Points();
  let known = false; // there is a payload
  /** @type {import("./points.js").At | null} what is pointed at */
  let now = null;

  const drawing = el("svg:svg");
  operated(drawing);
  const over = el("svg:g", { fill: "none", "stroke-width": 1.5 }); // what is pointed at
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const board = el("div", { class: "plot" }, drawing);
  const tip = new Tooltip(board);
  env.host.append(board, said);

  function draw() {
    const palette = env.palette();
    const { width, height, pieces } = points.drawn;
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("aria-label", spoken(`${points.payload.title}. ${points.payload.alt}`));
    over.setAttribute("stroke", palette.text);
    drawing.replaceChildren(...pieces.map((one) => pieceOf(one, points, palette)), over);
    show(now);
  }

  function outline(at) {
    const [x, y, width, height] = points.box(at);
    if (width || height) return el("svg:rect", { x, y, width, height });
    return el("svg:circle", { cx: x, cy: y, r: 6 });
  }

  function show(at, aloud = false) {
    now = at;
    over.replaceChildren(...(at ? points.group(at).map(outline) : []));
    if (!at) return tip.hide();
    const words = wordsOf(points, at);
    const [x, y] = points.place(at).map((pixels) => (pixels * board.clientWidth) / points.drawn.width);
    tip.show(words, { x, y });
    if (aloud) said.textContent = spoken(words);
  }

  function point(event) {
    const { x, y } = placeIn(event, drawing, points.drawn.width);
    show(points.hit(x, y));
  }

  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("pointerdown", point);
  drawing.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") show(null); // a finger leaves whatever it points at
  });
  drawing.addEventListener("blur", () => show(null));

  function moved(key) {
    const at = now ?? points.first();
    if (!at || (!now && key.startsWith("Arrow"))) return at; // the first key shows where one is
    const [right, down] = BY[key];
    return points.next(at, right, down);
  }

  drawing.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in BY) show(moved(event.key), true);
    else if (event.key === "Escape" && now) show(null);
    else return;
    event.preventDefault();
  });

  const fitting = () => Number(env.host.clientWidth < SHORT);
  const repaint = () => known && draw();
  const scheme = globalThis.matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", repaint, { signal: env.ends });

  return {
    update(next) {
      points.payload = next;
      points.layout = fitting();
      known = true;
      now = null;
      draw();
    },
    resized() {
      if (!known) return;
      if (points.layout === fitting()) return show(now);
      points.layout = fitting();
      draw();
    },
  };
});

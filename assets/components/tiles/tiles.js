// Small pictures in a grid. A click or the arrows select one; where the page asks for it (`picks`), a
// click or Enter takes one up instead.

import { shortened, sizeCanvas, typeSize, zoomOf } from "../shared/canvas.js";
import { scaleOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el, spoken } from "../shared/dom.js";
import { cellAt, placeIn } from "../shared/hit.js";
import { ARROWS, operated } from "../shared/keys.js";
import { clamp } from "../shared/numbers.js";
import { drawPixels, heated, onPictures, pixelAt } from "../shared/raster.js";
import { lectured } from "../shared/room.js";
import { Tooltip } from "../shared/tooltip.js";
import style from "./tiles.css.js";

const LEAST = 26; // pixels of the screen, of a tile
const COMFORTABLE = 52; // below it fewer tiles stand in a row
const GAP = 7;
const LINE = 17; // of a caption

export default define(style, (env) => {
  const { select, chosen, current } = env;
  let payload = null;
  let reached = 0; // where the keys are, in a grid from which one is taken up
  let zoom = 1; // of tiles and text, where the page's type is larger (lecture view)
  let box = { left: 0, top: 0, wide: 0, tall: 0, cols: 1, side: 0, height: 0 };

  const canvas = el("canvas");
  const title = el("p", { class: "title" });
  const note = el("p", { class: "small muted" });
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const holder = el("div", { class: "holder" }, canvas);
  const tip = new Tooltip(holder);
  env.host.append(title, holder, note, said);

  // Of several frames one is shown, the last while none is chosen; each has as many tiles.
  const count = () => payload.tiles.length / payload.frames;
  const first = () => count() * clamp(current(payload.frame_field) ?? payload.frames - 1, payload.frames);
  const tile = (n) => payload.tiles[first() + n];

  const picks = () => payload.picks || env.acts("pick");
  const works = () => picks() || payload.fields.length > 0;

  // The tile that is selected; null where none is.
  function at() {
    if (picks()) return reached;
    const values = payload.fields.map((name) => chosen(name));
    if (!values.length || values.includes(null)) return null;
    return values.reduce((n, value, axis) => n * payload.shape[axis] + clamp(value, payload.shape[axis]), 0);
  }

  function placesOf(n) {
    const found = {};
    for (let axis = payload.fields.length - 1; axis >= 0; axis--) {
      found[payload.fields[axis]] = n % payload.shape[axis];
      n = Math.floor(n / payload.shape[axis]);
    }
    return found;
  }

  function take(n) {
    if (!picks()) {
      select(placesOf(n));
      env.report(payload.fields);
    }
    reached = n;
    const { title: name, caption } = tile(n);
    said.textContent = [name, caption].filter(Boolean).join(", ");
    paint();
  }

  function pick(n) {
    take(n);
    if (picks()) env.say("pick", n);
  }

  function label() {
    const { alts } = payload;
    const field = payload.frames > 1 ? payload.frame_field : payload.heat_field;
    canvas.setAttribute("aria-label", spoken(`${payload.title}. ${alts[clamp(chosen(field) ?? 0, alts.length)]}`));
  }

  // --- what is seen --------------------------------------------------------------------------

  function measure(context) {
    const [, rows, cols] = payload.arrays.pictures.shape;
    zoom = zoomOf(env.host);
    context.font = font();
    const widest = (words) => Math.ceil(Math.max(0, ...words.map((one) => context.measureText(one).width)));
    const left = payload.sides.length ? widest(payload.sides) + 10 : 0;
    const top = payload.heads.length ? 20 * zoom : 1;
    const room = (env.host.clientWidth || 600) - left - 2;
    // Named columns stay side by side; others go to the next row where there is no room.
    const fixed = payload.heads.length > 0;
    const wanted = fixed ? payload.columns : Math.min(payload.columns, count());
    const captions = payload.tiles.map(({ caption }) => caption ?? "");
    // A class reads each name: a tile is as wide as that.
    const named = lectured(env.host) ? widest([...payload.heads, ...captions]) + 2 * GAP : 0;
    const largest = Math.max(payload.side * zoom, named);
    const least = fixed ? LEAST : Math.min(largest, COMFORTABLE * zoom);
    const across = fixed ? wanted : clamp(Math.floor(room / (least + GAP)) - 1, wanted) + 1;
    const side = Math.max(LEAST, Math.min(largest, Math.floor(room / across) - GAP));
    const height = side * (rows / cols);
    const lines = Math.max(...captions.map((one) => (one ? linesOf(context, one, side + GAP).length : 0)));
    box = { left, top, side, height, cols: across, wide: side + GAP, tall: height + GAP + lines * LINE * zoom };
  }

  const sized = (size) => `${size}px ${getComputedStyle(env.host).getPropertyValue("--st-code-font") || "monospace"}`;
  const font = () => sized(typeSize(env.host));

  // A caption in one line, or each of its parts in its own.
  function linesOf(context, text, width) {
    const parts = context.measureText(text).width <= width ? [text] : text.split(" · ");
    return parts.map((one) => shortened(context, one, width));
  }

  function paint() {
    const [, rows, cols] = payload.arrays.pictures.shape;
    const n_tiles = count();
    measure(sizeCanvas(canvas, 1, 1));
    const { left, top, wide, tall, side, height } = box;
    const down = Math.ceil(n_tiles / box.cols);
    const context = sizeCanvas(canvas, left + wide * Math.min(box.cols, n_tiles) + 2, top + tall * down + 2);
    const palette = env.palette();
    context.font = font();
    context.textBaseline = "middle";
    context.fillStyle = palette.muted;
    context.textAlign = "center";
    payload.heads.forEach((words, i) =>
      context.fillText(shortened(context, words, wide), left + wide * i + side / 2, top / 2));
    context.textAlign = "right";
    payload.sides.forEach((words, i) => context.fillText(words, left - 6, top + tall * i + height / 2));
    context.textAlign = "left";
    for (let n = 0; n < n_tiles; n++) {
      const [x, y] = [left + wide * (n % box.cols) + 2, top + tall * Math.floor(n / box.cols) + 2];
      drawPixels(context, { rows, cols }, colours(n, palette), { x, y, width: side, height });
      outline(context, n, { x, y, width: side, height }, palette);
      context.fillStyle = palette.text;
      const { caption } = tile(n);
      if (caption) linesOf(context, caption, wide).forEach((line, at) =>
        context.fillText(line, x, y + height + (9 + LINE * at) * zoom));
    }
  }

  // The colour of each pixel of a tile of the frame that is shown.
  function colours(place, palette) {
    const n = first() + place;
    const { pictures, heat } = payload.arrays;
    const [many, rows, cols, channels = 1] = pictures.shape;
    const start = (many > 1 ? n : 0) * rows * cols;
    const hue = payload.role ? scaleOf(palette, payload.role, 255) : null;
    const plain = (i, j) => (hue ? hue(pictures.values[start + i * cols + j])
      : pixelAt(pictures.values, start + i * cols + j, channels));
    if (!heat) return plain;
    const [, names, down, across] = heat.shape;
    const begin = (n * names + clamp(current(payload.heat_field) ?? 0, names)) * down * across;
    const [tall, wide] = [Math.ceil(rows / down), Math.ceil(cols / across)];
    const hot = onPictures(payload.heat_role);
    return (i, j) => heated(plain(i, j), hot,
      heat.values[begin + Math.floor(i / tall) * across + Math.floor(j / wide)] / 255);
  }

  function outline(context, n, { x, y, width, height }, palette) {
    const mine = n === at() && (!picks() || canvas.matches(":focus-visible"));
    context.strokeStyle = mine ? palette.accent : palette.border;
    context.lineWidth = mine ? 3 : 1;
    const out = mine ? 1.5 : 0.5;
    context.strokeRect(x - out, y - out, width + 2 * out, height + 2 * out);
  }

  // --- pointing and keys ---------------------------------------------------------------------

  function hit(place) {
    const rows = Math.ceil(count() / box.cols);
    const found = cellAt(place, { ...box, rows });
    const n = found && found[0] * box.cols + found[1];
    return n !== null && n < count() ? n : null;
  }
  canvas.addEventListener("pointermove", (event) => {
    const place = placeIn(event, canvas);
    const n = hit(place);
    canvas.style.cursor = n !== null && works() ? "pointer" : "default";
    if (n === null) {
      tip.hide();
      return;
    }
    const { title: name, caption } = tile(n);
    tip.show([name, caption].filter(Boolean).join("\n"), place);
  });
  canvas.addEventListener("pointerleave", () => tip.hide());
  canvas.addEventListener("click", (event) => {
    const n = hit(placeIn(event, canvas));
    if (n !== null && works()) pick(n);
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !works()) return;
    const step = ARROWS[event.key];
    if (step) {
      const n = (at() ?? 0) + step[0] * box.cols + step[1];
      if (n >= 0 && n < count()) take(n);
    } else if (picks() && (event.key === "Enter" || event.key === " ")) {
      pick(reached);
    } else {
      return;
    }
    event.preventDefault();
  });
  canvas.addEventListener("focus", () => payload && paint());
  canvas.addEventListener("blur", () => payload && paint());

  return {
    update(next) {
      payload = next;
      title.textContent = next.title;
      note.textContent = next.note ?? "";
      note.hidden = !next.note;
      operated(canvas, works());
      label();
      paint();
    },
    selected(changed) {
      if (!payload || ![...payload.fields, payload.heat_field, payload.frame_field].some((field) => changed.includes(field))) return;
      label();
      paint();
    },
    resized: () => payload && paint(),
  };
});

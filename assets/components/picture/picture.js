// A picture in its pixels with the patches on it. Where the page lets it be drawn on (`draws`), mouse,
// finger and keys draw, and every change is told; else a click or the arrows select a patch.

import { sizeCanvas, zoomOf } from "../shared/canvas.js";
import { define } from "../shared/component.js";
import { el, fill, rich } from "../shared/dom.js";
import { cellAt, placeIn } from "../shared/hit.js";
import { ARROWS, operated } from "../shared/keys.js";
import { clamp, fmt } from "../shared/numbers.js";
import { asText, drawPixels, heated, onPictures, pixelAt } from "../shared/raster.js";
import { SHARED } from "../shared/selection.js";
import { Tooltip } from "../shared/tooltip.js";
import { line } from "./brush.js";
import { pixelsOf } from "./loading.js";
import style from "./picture.css.js";

const LARGEST = 336; // pixels of the screen, of the longer side
const PHONE = { most: 640, share: 0.62 }; // of so narrow a page, what is drawn on: a finger scrolls beside it
const TOLD = 60; // ms between two changes that are told
const ASKED = 15; // ms between two looks whether the one before is heard

export default define(style, (env) => {
  const { select, chosen, current } = env;
  let payload = null;
  let sheet = { pixels: new Uint8Array(1), rows: 1, cols: 1, channels: 1 };
  let scale = 1; // pixels of the screen for one of the picture
  let pen = { x: 0.5, y: 0.5 }; // where the keys draw
  let from = null; // where the pointer that draws was last
  let erases = false;
  let goesOn = false; // the stroke has been told in part
  let timer; // until more of it is told
  let waits = false; // there is more of it to tell
  let told = ""; // the picture that was told last

  const canvas = el("canvas");
  const drawing = el("div", { class: "drawing" }, canvas);
  const tip = new Tooltip(drawing);
  const said = el("span", { class: "visually-hidden", "aria-live": "polite" });
  const button = (act) => el("button", { type: "button", onclick: act });
  const draw = button(() => mode(false));
  const erase = button(() => mode(true));
  const clear = button(() => change(() => sheet.pixels.fill(0)));
  const file = el("input", { type: "file", accept: "image/*", hidden: true });
  const load = button(() => file.click());
  const tools = el("div", { class: "tools", role: "toolbar", hidden: true }, draw, erase, clear, load, file);
  const title = el("p", { class: "title" });
  const reading = el("p", { class: "small muted" });
  env.host.append(title, el("div", { class: "board" }, drawing, tools), reading, said);

  const live = () => env.acts("picture"); // what is drawn is the page's state
  const draws = () => Boolean(payload?.draws || live());
  const unheard = () => SHARED.asking.size > 0;
  const size = () => (payload.patch ? { tall: sheet.rows / payload.patch, wide: sheet.cols / payload.patch } : null);
  const selected = () => clamp(current(payload.field) ?? 0, Math.max(1, payload.names?.length ?? 0));

  function mode(erasing) {
    erases = erasing;
    draw.setAttribute("aria-pressed", String(!erasing));
    erase.setAttribute("aria-pressed", String(erasing));
  }

  // --- what is told --------------------------------------------------------------------------

  // One change at a time is under way: the newest waits until the server has heard the one before.
  // What ends a stroke is told at once: whatever is clicked next comes after it.
  function tell(ends = false) {
    clearTimeout(timer);
    if (!waits) return;
    if (unheard() && !ends) {
      timer = setTimeout(tell, ASKED);
      return;
    }
    waits = false;
    const picture = asText(sheet.pixels, sheet);
    const newer = picture !== told;
    told = picture;
    if (newer) env.say("picture", picture, { goesOn });
    goesOn ||= newer;
    timer = setTimeout(tell, TOLD);
  }

  function tellSoon() {
    if (waits) return;
    waits = true;
    timer = setTimeout(tell, unheard() ? ASKED : 0);
  }

  // A stroke of its own: what undo takes back.
  function change(act) {
    goesOn = false;
    act();
    paint();
    tellSoon();
  }

  // --- drawing -------------------------------------------------------------------------------

  const spot = (event) => {
    const { x, y } = placeIn(event, canvas);
    return { x: x / scale, y: y / scale };
  };
  const stroke = (to) => {
    line(sheet, from ?? to, to, erases);
    from = to;
    paint();
    tellSoon();
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (!draws() || event.button) return;
    event.preventDefault();
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    goesOn = false;
    from = null;
    stroke(spot(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (draws()) {
      if (from) for (const one of event.getCoalescedEvents?.() ?? [event]) stroke(spot(one));
      return;
    }
    const n = patchAt(placeIn(event, canvas));
    canvas.style.cursor = n === null ? "default" : "pointer";
    if (n === null) {
      env.point();
      tip.hide();
    } else {
      tip.show(wordsOf(n), placeIn(event, canvas));
    }
  });
  for (const ends of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(ends, () => {
      from = null;
      tell(true);
    });
  }
  canvas.addEventListener("keyup", () => tell(true));
  canvas.addEventListener("pointerleave", () => tip.hide());
  canvas.addEventListener("click", (event) => {
    const n = draws() ? null : patchAt(placeIn(event, canvas));
    if (n !== null) pick(n);
  });

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !payload) return;
    if (draws()) drawByKey(event);
    else walkByKey(event);
  });

  function drawByKey(event) {
    const step = ARROWS[event.key];
    if (step) {
      const to = {
        x: clamp(Math.floor(pen.x) + step[1], sheet.cols) + 0.5,
        y: clamp(Math.floor(pen.y) + step[0], sheet.rows) + 0.5,
      };
      if (event.shiftKey) change(() => line(sheet, pen, to, erases));
      pen = to;
      paint();
      const at = Math.floor(pen.y) * sheet.cols + Math.floor(pen.x);
      const value = Math.max(...pixelAt(sheet.pixels, at, sheet.channels));
      said.textContent = fill(payload.labels.at,
        { row: Math.floor(pen.y) + 1, column: Math.floor(pen.x) + 1, value: fmt(value / 255, 2) });
    } else if (event.key === " ") {
      change(() => line(sheet, pen, pen, erases));
    } else {
      return;
    }
    event.preventDefault();
  }

  file.addEventListener("change", async () => {
    const [first] = file.files ?? [];
    file.value = "";
    if (!first) return;
    try {
      const pixels = await pixelsOf(first, sheet);
      change(() => sheet.pixels.set(pixels));
    } catch {
      reading.textContent = payload.labels.failed;
    }
  });

  // --- patches -------------------------------------------------------------------------------

  // The name of the patch at a place.
  function patchAt(place) {
    const grid = size();
    if (!grid || !payload.names) return null;
    const side = payload.patch * scale;
    const found = cellAt(place, { wide: side, tall: side, rows: grid.tall, cols: grid.wide });
    return found && payload.first + found[0] * grid.wide + found[1];
  }

  // What is said of a name: the number that the selected one has for it.
  function wordsOf(n) {
    const { heat } = payload.arrays;
    const patch = n - payload.first;
    if (!heat || patch < 0) return payload.names[n];
    const value = heat.values[chosenName() * heat.shape[1] + patch];
    return fill(payload.heat_words, { name: payload.names[n], value: fmt(value) });
  }

  const chosenName = () => clamp(chosen(payload.field) ?? 0, Math.max(1, payload.names?.length ?? 0));

  function pick(n) {
    const again = n === chosenName() && payload.first > 0;
    select({ [payload.field]: again ? 0 : n });
    env.report([payload.field]);
    said.textContent = wordsOf(chosenName());
  }

  function walkByKey(event) {
    const step = ARROWS[event.key];
    const grid = size();
    if (!step || !grid || !payload.names) return;
    event.preventDefault();
    const at = chosenName() - payload.first;
    const [row, column] = at < 0 ? [0, 0]
      : [clamp(Math.floor(at / grid.wide) + step[0], grid.tall), clamp((at % grid.wide) + step[1], grid.wide)];
    select({ [payload.field]: payload.first + row * grid.wide + column });
    env.report([payload.field]);
    said.textContent = wordsOf(chosenName());
  }

  // --- what is seen --------------------------------------------------------------------------

  function paint() {
    const { rows, cols, channels } = sheet;
    // On a projector larger, as far as its tools stay on the screen.
    const largest = Math.max(LARGEST, Math.min(LARGEST * zoomOf(env.host), 0.48 * globalThis.innerHeight));
    const wide = env.host.clientWidth || largest;
    const room = Math.min(largest, draws() && innerWidth <= PHONE.most ? PHONE.share * wide : wide);
    scale = Math.max(1, Math.floor((8 * room) / Math.max(rows, cols)) / 8);
    const context = sizeCanvas(canvas, cols * scale, rows * scale);
    const palette = env.palette();
    const { heat } = payload.arrays;
    const grid = size();
    const hot = onPictures(payload.heat_role);
    const own = heat && heat.values.subarray(selected() * heat.shape[1], (selected() + 1) * heat.shape[1]);
    const most = own ? Math.max(...own) || 1 : 1;
    drawPixels(context, { rows, cols }, (i, j) => {
      const colour = pixelAt(sheet.pixels, i * cols + j, channels);
      if (!own || !grid) return colour;
      const n = Math.floor(i / payload.patch) * grid.wide + Math.floor(j / payload.patch);
      return heated(colour, hot, own[n] / most);
    }, { x: 0, y: 0, width: cols * scale, height: rows * scale });
    if (grid) lines(context, grid, palette);
    if (draws() && canvas.matches(":focus-visible")) {
      context.strokeStyle = palette.accent;
      context.lineWidth = 1.5;
      context.strokeRect(Math.floor(pen.x) * scale, Math.floor(pen.y) * scale, scale, scale);
    }
  }

  function lines(context, grid, palette) {
    const side = payload.patch * scale;
    context.globalAlpha = draws() ? 0.35 : 0.7;
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.beginPath();
    for (let j = 1; j < grid.wide; j++) {
      context.moveTo(j * side, 0);
      context.lineTo(j * side, grid.tall * side);
    }
    for (let i = 1; i < grid.tall; i++) {
      context.moveTo(0, i * side);
      context.lineTo(grid.wide * side, i * side);
    }
    context.stroke();
    context.globalAlpha = 1;
    const patch = selected() - payload.first;
    if (draws() || !payload.names || patch < 0) return;
    context.strokeStyle = palette.accent;
    context.lineWidth = 3;
    const [row, column] = [Math.floor(patch / grid.wide), patch % grid.wide];
    context.strokeRect(column * side + 1, row * side + 1, side - 2, side - 2);
  }

  function read() {
    const { readings } = payload;
    const one = readings && (readings[selected()] ?? readings[0]);
    reading.replaceChildren(...(one ? rich(one) : []));
    const says = draws() ? payload.labels.canvas : payload.alt ?? reading.textContent;
    canvas.setAttribute("aria-label", `${payload.title}. ${says}`);
  }

  function label() {
    const { labels } = payload;
    draw.textContent = labels.draw;
    erase.textContent = labels.erase;
    clear.textContent = labels.clear;
    load.textContent = labels.load;
    title.textContent = payload.title;
    tools.hidden = !draws();
    tools.setAttribute("aria-label", payload.title);
    const works = draws() || Boolean(payload.names);
    operated(canvas, works);
    canvas.classList.toggle("draws", draws());
  }

  canvas.addEventListener("focus", () => payload && paint());
  canvas.addEventListener("blur", () => payload && paint());
  mode(false);

  return {
    update(next) {
      const { values, shape } = next.arrays.pixels;
      const [rows, cols, channels = 1] = shape;
      // What is drawn wins over an answer to what was drawn before.
      const newer = payload && draws() && (waits || from || Object.values(SHARED.live?.values ?? {}).includes(told));
      const same = sheet.rows === rows && sheet.cols === cols && sheet.channels === channels;
      if (!payload) pen = { x: Math.floor(cols / 2) + 0.5, y: Math.floor(rows / 2) + 0.5 };
      payload = next;
      if (!newer || !same) {
        sheet = { pixels: Uint8Array.from(values), rows, cols, channels };
        told = asText(sheet.pixels, sheet);
      }
      label();
      read();
      paint();
    },
    selected(changed) {
      if (!payload || !changed.includes(payload.field)) return;
      read();
      paint();
    },
    resized: () => payload && paint(),
    destroy() { clearTimeout(timer); },
  };
});

// A plot of a page, drawn by Plotly: what it is given says what a colour means, and where an array is.

import { leastType } from "../shared/canvas.js";
import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { LECTURED, lectured, larger, roomOf } from "../shared/room.js";
import { SHARED } from "../shared/selection.js";
import style from "./plotly.css.js";

const LIBRARY = new URL("./plotly/library.js", import.meta.url).href; // pages/server/modules.py
const ROLE = "role:";
const PANEL = 0.2; // of the screen, that each panel has in a lecture at least
const SMALL = 12; // pixels of what stands at an axis
const LETTER = 0.55, LINE = 1.3; // of a size of type: width of a letter and height of a line
const AXES = 0.8; // of a plot, height that its axes have
const NARROW = 22; // times its type, width of a plot in which lines that have labels need no legend besides
const LABELLED = 1.5; // times its type, room for labels at the end of such a plot
const AXIS = /^[xy]axis\d*$/;
const LOOKS = { displayModeBar: false, doubleClick: "reset" }; // its own buttons would lie over the title

const BUSY = 100; // ms after which the page is looked at again
const OTHERS = 250; // ms that figures have to be drawn once all is answered

// Plotly keeps a page busy for most of a second: all else that is in sight is drawn first.
async function turn(plot) {
  const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
  while (SHARED.asking.size) await wait(BUSY);
  if (plot.getBoundingClientRect().top > innerHeight) await wait(OTHERS);
}

// An array of several dimensions in rows, as Plotly takes them.
function rowsOf({ values, shape }) {
  if (shape.length < 2) return values;
  const wide = shape.slice(1).reduce((product, n) => product * n, 1);
  return Array.from({ length: shape[0] }, (_, n) => rowsOf(
    { values: values.subarray(n * wide, (n + 1) * wide), shape: shape.slice(1) }));
}

// What Plotly is given, in the colours of the page.
function filled(value, payload, palette) {
  if (typeof value === "string") return value.startsWith(ROLE) ? palette[value.slice(ROLE.length)] : value;
  if (Array.isArray(value)) return value.map((one) => filled(one, payload, palette));
  if (value === null || typeof value !== "object") return value;
  if ("array" in value) return rowsOf(payload.arrays[value.array]);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, payload, palette)]));
}

// Lines of so many letters at most: Plotly breaks none by itself.
function broken(text, most) {
  const lines = [];
  for (const word of text.split(/<br>| /)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("<br>");
}

const isLabelled = ({ mode }) => Boolean(mode?.includes("text"));

export default define(style, (env) => {
  const plot = el("div", { class: "plot", role: "img" });
  env.host.append(plot);
  let payload = null;
  let times = 1; // as large as elsewhere, its type
  let wide = 0; // pixels that it was drawn for
  const scheme = globalThis.matchMedia("(prefers-color-scheme: dark)");

  async function draw() {
    env.host.setAttribute("aria-busy", "true");
    const shown = payload;
    plot.style.minHeight = `${heightOf(shown)}px`;
    plot.setAttribute("aria-label", shown.alt);
    if (!globalThis.Plotly && !lectured(env.host)) await turn(plot); // on a wall nobody waits for a click
    if (!globalThis.Plotly) await import(LIBRARY);
    if (!plot.isConnected) await new Promise(requestAnimationFrame); // a screen is put together before it is shown
    if (payload !== shown || !plot.isConnected) return; // another one is drawn
    const { data, layout } = filled(shown.plot, shown, env.palette());
    const { fontFamily: family } = getComputedStyle(env.host);
    const { text, muted } = env.palette();
    times = larger(env.host);
    wide = plot.clientWidth || innerWidth; // what is not seen yet has no width
    // Axes stand back, as on all pages; what the legend names does not.
    const size = (of) => Math.max(times * of, leastType(env.host));
    const small = { color: muted, size: size(SMALL) };
    const scaled = (font, other) => ({ ...font, size: size(font?.size ?? other) });
    const high = heightOf(shown), on = lectured(env.host);
    plot.style.minHeight = `${high}px`;
    // A name beside its axis is no longer than that.
    const long = (name) => AXES * (name.startsWith("y") ? high : wide);
    const named = (name, { title, domain: [low, top] = [0, 1] }) => (on && title?.text
      ? broken(title.text, long(name) * (top - low) / (LETTER * small.size)) : title?.text);
    // Nor are its numbers nearer to each other than two lines.
    const apart = (name, { domain: [low, top] = [0, 1], dtick, tickvals }) => (on && name.startsWith("y") && !dtick && !tickvals
      ? { nticks: Math.max(2, Math.floor((AXES * high * (top - low)) / (2 * LINE * small.size))) } : {});
    const axes = Object.entries(layout).filter(([name]) => AXIS.test(name)).map(([name, axis]) => [name, {
      ...axis, ...apart(name, axis), tickfont: { ...small, ...scaled(axis.tickfont, SMALL) }, title: { ...axis.title, text: named(name, axis), font: small, ...(on ? { standoff: small.size / 2 } : {}) },
    }]);
    const heading = scaled(layout.title.font, layout.font.size);
    const said = on ? broken(layout.title.text, wide / (LETTER * heading.size)) : layout.title.text;
    const annotations = layout.annotations?.map((one) => ({ ...one, font: scaled(one.font, layout.font.size) }));
    const bare = on && wide < NARROW * small.size && data.some(isLabelled);
    const traces = bare ? data.map((one) => (isLabelled(one) ? { ...one, cliponaxis: false } : one)) : data;
    await globalThis.Plotly.react(plot, traces, {
      ...layout, ...Object.fromEntries(axes), annotations, height: high, autosize: true,
      font: { ...layout.font, family, size: size(layout.font.size) },
      title: { ...layout.title, text: said, font: { ...heading, weight: "bold" }, ...(on ? { pad: { t: heading.size } } : {}) }, // of several lines, the first ends there
      margin: { ...layout.margin, ...(on ? { t: (said.split("<br>").length + 1) * LINE * heading.size } : {}), ...(bare ? { r: LABELLED * small.size } : {}) },
      ...(bare ? { showlegend: false } : {}),
      legend: { ...layout.legend, font: { color: text, size: size(SMALL) } },
    }, LOOKS);
    if (payload !== shown) return;
    env.host.removeAttribute("aria-busy");
    if (heightOf(shown) !== high) draw(); // what stands around it has come meanwhile
  }

  function heightOf({ plot: { layout: { height } }, panels }) {
    if (!lectured(env.host)) return height;
    return roomOf(plot, Math.max(LECTURED, PANEL * panels) * globalThis.innerHeight);
  }

  function fit() {
    if (!plot.offsetWidth || !plot.classList.contains("js-plotly-plot")) return;
    const same = plot.clientHeight === heightOf(payload) && (!lectured(env.host) || plot.clientWidth === wide);
    if (times === larger(env.host) && same) globalThis.Plotly.Plots.resize(plot);
    else draw(); // a lecture has begun since, or there is other room
  }

  const again = () => { if (payload) draw(); };
  scheme.addEventListener("change", again, { signal: env.ends });

  return {
    update(next) {
      payload = next;
      draw();
    },
    resized: fit,
    fitted: fit,
    destroy: () => globalThis.Plotly?.purge(plot),
  };
});

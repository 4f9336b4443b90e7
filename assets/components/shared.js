// What every component starts with: reading its payload, the selection that all of them share,
// numbers as people read them, colours of the current theme, building DOM from text.
// Text goes in by textContent only; nothing a learner typed ever becomes markup.

const REDUCED_MOTION = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
const SETTLED = 300; // ms after which a selection is told to the server

// --- payload: see core/figures/payload.py ---------------------------------------------------

const ARRAY_TYPES = {
  float32: Float32Array, uint8: Uint8Array, int32: Int32Array, uint16: Uint16Array,
};

function unpack(data) {
  if (data == null) return { arrays: {} };
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  // Arrays need aligned memory, which a message's bytes need not have.
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.version !== 1) throw new Error(`payload version ${header.version}`);
  for (const [name, entry] of Object.entries(header.arrays)) {
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const values = new ARRAY_TYPES[entry.dtype](buffer, 4 + length + entry.offset, count);
    header.arrays[name] = { values, shape: entry.shape };
  }
  return header;
}

const at2 = (array, i, j) => array.values[i * array.shape[1] + j];

// --- selection: one for each scope ------------------------------------------------------------
// Components live in shadow roots of one document. The selection (token, query, key, layer,
// head, step ...) is kept on the window; a change is told by an event on the document. A page is
// one scope, with plain names; a second one beside it (a lesson, a comparison) has names with a
// prefix, "b.layer". A component knows only the names of its own scope.

const SHARED = (globalThis.__glassformer ??= {
  selection: {}, hover: {}, // what is selected and what is pointed at, by name
  server: {}, // the selection as the server last said it
  awaited: {}, // by name, what the server was told and has not said back yet
  sent: 0, // messages so far
  reports: new Set(), // one a component: tells the server what was selected
  pointing: null, // the component in which something is pointed at
});
const CHANGED = "glassformer:select";

// A key is the page's own when nothing on the page has the keyboard. A click beside everything
// gives it to the page's main part.
const forPage = (event) => !event.ctrlKey && !event.metaKey && !event.altKey
  && (!document.activeElement || document.activeElement.matches("body, main"));

// Arrow keys that no stepper took go to the first component on the page that can walk. On the
// window, which hears them after the document, where steppers listen.
function walk(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || event.defaultPrevented || !forPage(event)) return;
  const top = ({ host }) => host.getBoundingClientRect().top;
  const shown = [...SHARED.walkers].filter(({ host }) => host.checkVisibility());
  const taken = shown.sort((a, b) => top(a) - top(b)).some(({ instance }) => instance.walk(by));
  if (taken) event.preventDefault();
}
if (!SHARED.walkers) {
  SHARED.walkers = new Set();
  globalThis.addEventListener("keydown", walk);
  document.addEventListener("click", visitFromMenu, true);
}

// Go to a page of the app as the browser's own buttons do: one new entry in its history, told to
// Streamlit as they tell it. What is selected but not yet said goes along. The server then puts
// the page's own link into that entry (pages/parts/state.py), which is why it is no second one.
function visit(page, changes = {}) {
  const unsaid = [...SHARED.reports].map((report) => report.take());
  const said = JSON.stringify(Object.assign({}, ...unsaid, changes));
  const address = `${page}?${new URLSearchParams({ visit: said })}`;
  if (address === location.pathname + location.search) return; // the second of a double click
  history.pushState({}, "", address);
  globalThis.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

// Only a plain click stays in the session; with a modifier the browser opens a page of its own.
const plain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;

// Streamlit's menu makes two entries of one click, the first without the page's state. Its links
// are taken before it hears of them, and what it would have closed is closed.
function visitFromMenu(event) {
  const link = event.target.closest?.(
    'a[data-testid^="stTopNav"], a[data-testid="stSidebarNavLink"]');
  if (!link || !plain(event) || link.pathname === location.pathname) return;
  event.preventDefault();
  event.stopPropagation();
  visit(link.pathname);
  document.querySelector('[data-testid="stTopNavSection"][aria-expanded="true"]')?.click();
  if (link.matches('[data-testid="stSidebarNavLink"]')) {
    document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  }
}

function selectAll(patch, { hover = false } = {}) {
  const target = hover ? SHARED.hover : SHARED.selection;
  const changed = Object.keys(patch).filter((name) => target[name] !== patch[name]);
  if (!changed.length) return;
  Object.assign(target, patch);
  document.dispatchEvent(new CustomEvent(CHANGED, { detail: { changed, hover } }));
}

// The selection as one scope sees it.
function scoped(scope) {
  const prefix = scope ? `${scope}.` : "";
  const full = (name) => prefix + name;
  return {
    full,
    select: (patch, how) => selectAll(
      Object.fromEntries(Object.entries(patch).map(([name, value]) => [full(name), value])), how),
    chosen: (name) => SHARED.selection[full(name)] ?? null,
    pointed: (name) => SHARED.hover[full(name)] ?? null,
    // What is pointed at, if anything is; else what is selected.
    current: (name) => SHARED.hover[full(name)] ?? SHARED.selection[full(name)] ?? null,
    // The names of this scope among those that changed.
    own: (changed) => changed.filter((name) => name.startsWith(prefix)
      && (prefix || !name.includes("."))).map((name) => name.slice(prefix.length)),
  };
}

// The server's selection counts only when the server changed it by itself (a link, undo, an
// experiment); an echo of what the browser said before must not undo a newer click.
function adopt(selection, full) {
  const changed = {};
  for (const [local, value] of Object.entries(selection ?? {})) {
    const name = full(local);
    if (name in SHARED.server && SHARED.server[name] === value) continue;
    SHARED.server[name] = value;
    const awaited = SHARED.awaited[name] ?? [];
    const echo = awaited.indexOf(value);
    SHARED.awaited[name] = echo < 0 ? [] : awaited.slice(echo + 1);
    if (echo < 0) changed[name] = value;
  }
  selectAll(changed);
}

// Note what the server is about to be told, to know it again when it says so itself.
function await_(name, value) {
  const awaited = (SHARED.awaited[name] ??= []);
  const last = awaited.length ? awaited.at(-1) : SHARED.server[name];
  if (last !== value) awaited.push(value);
}

// --- DOM --------------------------------------------------------------------------------------

function el(tag, attributes = {}, ...children) {
  const node = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// Pairs of text and role (core/figures/text.py) as spans in their role's colour.
const rich = (parts) =>
  parts.map(([text, role]) => (role === "plain" ? document.createTextNode(text)
    : el("span", { class: `role-${role}` }, text)));

// Draw anew without taking the keyboard's place away: where what had it is gone, the same place in
// the order of what can be reached has it now.
function keepFocus(host, draw) {
  const before = host.getRootNode().activeElement;
  const reach = () => [...host.querySelectorAll("a, button, input, [tabindex]")];
  const place = before && host.contains(before) ? reach().indexOf(before) : -1;
  draw();
  if (place >= 0 && !before.isConnected) reach()[place]?.focus({ preventScroll: true });
}

// Fill "{name}" in a translated template.
const fill = (template, values) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

// --- numbers, as core/figures/text.py writes them ---------------------------------------------

function fmt(value, digits = 3) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const [mantissa, exponent] = Math.abs(value).toExponential(digits - 1).split("e");
  const size = Number(exponent); // after rounding: 9.996 is 10.0
  const text = size >= 6 || size < -4 ? `${mantissa}e${size}`
    : grouped(Math.abs(value).toFixed(Math.max(0, digits - 1 - size)));
  return (value < 0 ? `-${text}` : text).replaceAll("-", "−");
}

// 12345.6 as 12,345.6.
function grouped(text) {
  const [whole, part] = text.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? thousands : `${thousands}.${part}`;
}

// All digits that a number has; of a 32-bit one no more than tell it from its neighbours.
function full(value) {
  let text = String(value);
  if (Number.isFinite(value) && Math.fround(value) === value && !Number.isInteger(value)) {
    let digits = 1;
    while (Math.fround(Number(value.toPrecision(digits))) !== value) digits += 1;
    text = String(Number(value.toPrecision(digits)));
  }
  return text.replaceAll("-", "−").replace("Infinity", "∞").replace("NaN", "–");
}

function percent(share) {
  const value = 100 * share;
  if (Number.isNaN(value)) return "–";
  if (value <= 0) return "0 %";
  if (value < 0.01) return "< 0.01 %";
  if (value >= 99.95) return value >= 100 ? "100 %" : "> 99.9 %";
  if (value >= 9.95 && value < 99) return `${value.toFixed(0)} %`;
  return value >= 1 ? `${value.toFixed(1)} %` : `${value.toPrecision(2)} %`;
}

// --- colour -----------------------------------------------------------------------------------

function channels(colour) {
  const hex = colour.trim().match(/^#([0-9a-f]{6})/i);
  if (hex) return [0, 2, 4].map((i) => parseInt(hex[1].slice(i, i + 2), 16));
  const found = colour.match(/[\d.]+/g);
  return found ? found.slice(0, 3).map(Number) : [255, 255, 255];
}

const mix = (from, to, share) =>
  from.map((value, i) => Math.round(value + (to[i] - value) * share));
const rgb = (c) => `rgb(${c[0]},${c[1]},${c[2]})`;
// Relative luminance, 0 to 1 (WCAG 2.2).
const luminance = (c) => {
  const [r, g, b] = c.map((v) => (v <= 10 ? v / 3294 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

// The palette of the page's mode (core/figures/theme.py), read off its background.
function paletteOf(host) {
  const background = getComputedStyle(host).getPropertyValue("--st-background-color") || "#ffffff";
  return PALETTES[luminance(channels(background)) < 0.2 ? "dark" : "light"];
}

const MEANINGS = [
  "accent", "query", "key", "value", "weight", "position", "residual", "muted", "warning", "surface",
  "border", "background", "text",
];

// A colour for a number: "signed" scales run from negative over the background to positive,
// others from the background up to the colour of that meaning.
function scaleOf(palette, kind, limit) {
  if (kind === "signed") {
    const [low, zero, high] = [palette.negative, palette.zero, palette.positive].map(channels);
    return (value) => {
      const share = Math.max(-1, Math.min(1, value / (limit || 1)));
      return share < 0 ? mix(zero, low, -share) : mix(zero, high, share);
    };
  }
  const zero = channels(palette.surface);
  const high = channels(palette[kind] ?? palette.weight);
  return (value) => mix(zero, high, Math.max(0, Math.min(1, value / (limit || 1))));
}

// Black or white text, whichever has the higher contrast: at least 4.58, where they are equal. (A
// dark blue in place of black would leave 4.3 on a middle grey.)
const inkOn = (background) => (luminance(background) > 0.1791 ? "#000000" : "#ffffff");

// --- canvas -----------------------------------------------------------------------------------

function sizeCanvas(canvas, width, height) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// The mark of a masked cell: never a colour alone.
function hatch(context, x, y, width, height, colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let d = -height; d < width; d += 5) {
    context.moveTo(x + d, y + height);
    context.lineTo(x + d + height, y);
  }
  context.stroke();
  context.restore();
}

// --- motion and time ---------------------------------------------------------------------------

function animate(duration, draw) {
  if (REDUCED_MOTION || duration <= 0) return draw(1);
  const began = performance.now();
  const frame = (now) => {
    const share = Math.min(1, (now - began) / duration);
    draw(1 - (1 - share) ** 3);
    if (share < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function later(run, wait = SETTLED) {
  let timer = null;
  const call = (...values) => {
    clearTimeout(timer);
    call.flush = () => {
      call.cancel();
      run(...values);
    };
    timer = setTimeout(call.flush, wait);
  };
  call.cancel = () => {
    clearTimeout(timer);
    call.flush = () => {}; // do now what is still waited for, if anything is
  };
  call.cancel();
  return call;
}

// --- saving a figure -----------------------------------------------------------------------------
// One small menu under a figure. The files are made by the server when they are asked for, from the
// parameters that the page has, with what is selected in the browser at this moment in their place.

function saveMenu(env) {
  let payload = null;
  const items = el("div", { class: "save-items", role: "menu" });
  const text = el("p", { class: "save-text", hidden: true });
  const menu = el("details", { class: "save small" }, el("summary", {}), items, text);
  env.host.append(menu);

  function address(kind) {
    const { view, params, fields, path } = payload.save;
    const chosen = Object.fromEntries(fields.map((name) => [name, env.chosen(name)])
      .filter(([, value]) => value !== null));
    const more = { _mode: luminance(channels(env.palette().background)) < 0.2 ? "dark" : "light" };
    const window_ = SHARED.windows?.[payload.figure];
    if (window_) more._window = window_.join(",");
    return `${path}/${view}.${kind}?${new URLSearchParams({ ...params, ...chosen, ...more })}`;
  }

  function offer(href, name) {
    const link = el("a", { href, download: name });
    link.click();
  }

  // A picture of the drawing, twice as large for a slide.
  async function png() {
    const image = new Image();
    image.src = address("svg");
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done); });
    const file = URL.createObjectURL(blob);
    offer(file, `${payload.save.view.replaceAll(".", "-")}.png`);
    setTimeout(() => URL.revokeObjectURL(file), 10_000);
  }

  const item = (kind, act) => el("button", {
    type: "button", role: "menuitem", "data-kind": kind, onclick: act,
  }, payload.save.labels[kind]);

  return {
    update(next) {
      payload = next;
      menu.firstChild.textContent = payload.save.labels.save;
      const file = (kind) => item(kind, () => offer(address(kind), ""));
      items.replaceChildren(file("svg"), item("png", png), file("csv"), file("html"),
        item("text", () => { text.hidden = !text.hidden; }));
      text.textContent = payload.save.alt;
    },
  };
}

// --- a component ---------------------------------------------------------------------------------
// `create(env)` builds the instance once; `instance.update(payload)` draws it, again after each
// rerun; `instance.selected(changed, hover)` follows the selection; `instance.resized()` the width.
// `instance.walk(by)` goes one on or back and says whether it could, where the page's keys ask.
// `env.select`, `env.current` and `env.chosen` are the selection of the figure's own scope.

const INSTANCES = (globalThis.__glassformerInstances ??= new WeakMap());

function define(create) {
  return (component) => {
    const { parentElement: root, data } = component;
    let held = INSTANCES.get(root);
    if (!held) {
      held = { component };
      const host = el("div", { class: "glass" });
      root.append(host);
      const unsaid = new Set(); // names that changed since the last report
      const unreported = () => {
        const chosen = Object.fromEntries(
          [...unsaid].map((name) => [name, SHARED.selection[name] ?? null]));
        unsaid.clear();
        for (const [name, value] of Object.entries(chosen)) await_(name, value);
        return chosen;
      };
      const settle = later(() => env.state("selection", unreported()));
      settle.take = () => { // for who tells it otherwise
        settle.cancel();
        return unreported();
      };
      const scope = scoped(unpack(data).scope);
      held.scope = scope;
      const env = {
        host,
        ...scope,
        // What the learner settled on, to the server: only the names of this component.
        report(names, { atOnce = false } = {}) {
          for (const name of names) unsaid.add(scope.full(name));
          settle();
          if (atOnce) settle.flush();
        },
        // Numbered, because Streamlit does not pass on a state that is what it was before, and
        // the server may have changed it by itself since.
        state: (name, value) => held.component.setStateValue(name, { value, n: ++SHARED.sent }),
        trigger(name, value) {
          for (const report of SHARED.reports) report.flush();
          held.component.setTriggerValue(name, value);
        },
        palette: () => paletteOf(host),
        // What is pointed at in this component, by name, in place of what was anywhere before;
        // without names nothing is any more. Whoever removes what may be pointed at says so, as
        // an element that goes never hears that the pointer has left.
        point(patch = {}) {
          const names = Object.keys(patch);
          if (!names.length && SHARED.pointing !== held) return;
          SHARED.pointing = names.length ? held : null;
          const none = Object.fromEntries(Object.keys(SHARED.hover).map((name) => [name, null]));
          const own = Object.fromEntries(names.map((name) => [scope.full(name), patch[name]]));
          selectAll({ ...none, ...own }, { hover: true });
        },
      };
      held.env = env;
      held.settle = settle;
      SHARED.reports.add(settle);
      held.host = host;
      held.instance = create(env);
      if (held.instance.walk) SHARED.walkers.add(held);
      held.follow = (event) => {
        const changed = held.scope.own(event.detail.changed);
        if (!held.host.dataset.ready || !changed.length) return;
        keepFocus(held.host, () => held.instance.selected?.(changed, event.detail.hover));
      };
      document.addEventListener(CHANGED, held.follow);
      held.observer = new ResizeObserver(() =>
        keepFocus(host, () => held.instance.resized?.(host.clientWidth)));
      held.observer.observe(host);
      INSTANCES.set(root, held);
    }
    held.component = component;
    clearTimeout(held.leaving);
    const payload = unpack(data);
    const colours = paletteOf(held.host);
    for (const name of MEANINGS) held.host.style.setProperty(`--glass-${name}`, colours[name]);
    adopt(payload.selection, held.scope.full);
    keepFocus(held.host, () => held.instance.update(payload));
    if (payload.save) (held.menu ??= saveMenu(held.env)).update(payload);
    held.host.dataset.ready = "1";
    // Streamlit cleans up before every new call too; only what is not called again is gone.
    return () => {
      held.leaving = setTimeout(() => {
        document.removeEventListener(CHANGED, held.follow);
        held.observer.disconnect();
        held.settle.cancel();
        SHARED.reports.delete(held.settle);
        SHARED.walkers.delete(held);
        held.env.point();
        held.instance.destroy?.();
        held.host.remove();
        INSTANCES.delete(root);
      }, 1000);
    };
  };
}

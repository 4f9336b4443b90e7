// A run as one picture. Opened for the first time it is told, a sentence for each station: characters
// become tokens, tokens rows of numbers, the rows go through the layers, one head is gone into, a word
// grows and is put behind the text, and a second one follows. Then it rests, and a layer of it opens
// where it stands.

import { Question } from "../shared/answers.js";
import { leastType, pen, sizeCanvas, zoomOf } from "../shared/canvas.js";
import { define } from "../shared/component.js";
import { el, fill, keepFocus, rich, spoken } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { keep, kept } from "../shared/kept.js";
import { forPage } from "../shared/keys.js";
import { clamp, fmt, percent } from "../shared/numbers.js";
import { unpack } from "../shared/payload.js";
import { SHARED } from "../shared/selection.js";
import { later, REDUCED_MOTION } from "../shared/time.js";
import { Tooltip } from "../shared/tooltip.js";
import { stand as standIn, takeOver } from "./ahead.js";
import { Answer, underRows } from "./answer.js";
import { Camera } from "./camera.js";
import { SEEN } from "./cut.js";
import { DRAGGED, Drag } from "./drag.js";
import style from "./flow.css.js";
import { arrive, ARRIVED, RUN } from "../inside/arrived.js";
import { isNarrow, itemsOf } from "./layout.js";
import { Lettering } from "./lettering.js";
import { Marks } from "./marks.js";
import { Opened } from "./opened.js";
import { around, beside, found as foundAt, partOf, placeOf } from "./places.js";
import { lectured, roomOf as leftOf } from "../shared/room.js";
import { scroller } from "../shared/scrolling.js";
import { swiped } from "../shared/swipe.js";
import { Telling } from "./telling.js";
import { besideOf, stationsOf } from "./stations.js";
import { atRest, reachedOf, stretch } from "./told.js";

const TOP = { // pixels above the rows: the text, towers, and names; a picture
  wide: { one: 74, several: 88 }, narrow: { one: 84, several: 50 }, cut: SEEN + 50,
};
const RESTS = 2500; // ms
const SCREEN = { top: 64, low: 0.75 }; // pixels below the page's head, share of the screen: what begins there is seen
const QUICK = 2.5; // times as fast as the first time, for a text that was typed
const TOLD = "told"; // it is told once by itself
/** @type {Record<string, "next" | "back">} */
const TURNS = { " ": "next", ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };
const ALONE = 40; // of the text before it is cut
const FOOT = { wide: 34, narrow: 10 }; // below them: the guesses, which on a phone stand above the words
const SAYS = { least: 130, large: 150 }; // below the words, for what is said of them; of large type
const ABOVE = 17; // more above them, where it is said how many tokens are not drawn
const TALL = 14; // pixels of a row in a lecture at least, so that its token can be read from the last one
const ROW = { least: 15, most: 30, room: 220 };
// At most, and of the screen all but so much: what stands above and below is to be seen, too.
const ROOM = { most: 372, beside: 400 }, TOLD_ROOM = { most: 340, beside: 470 };
const SQUARES = { least: 7, room: 460 }; // of a picture there are more rows

export default define(style, (env) => {
  let payload = null;
  let scene = null;
  let room = 0;
  const canvas = el("canvas", { "aria-hidden": "true" });
  const sheet = el("div", { class: "sheet" }, canvas);
  const said = el("ol", { class: "visually-hidden", hidden: true }); // until there is something in it
  const below = el("div", { class: "below" });
  const caption = el("p", { class: "caption", "aria-live": "polite" });
  const sides = el("div", { class: "sides", role: "group" }); // on a phone one tower is seen at a time
  const leads = el("div", {}, caption, below);
  const further = el("div", { class: "further" });
  const furthest = el("div", {}, further);
  env.host.append(sides, sheet, leads, furthest, said);
  const tip = new Tooltip(sheet);
  const camera = new Camera(() => draw(), () => reach());
  const telling = new Telling(() => draw(), () => { follow(); turnTo(last().name, false); rest(); bringEnd(); }, () => turned());
  const answer = new Answer();
  const marks = new Marks(sheet);
  const opened = new Opened(() => draw(), () => reach());
  const inside = new Question((bytes) => arrive({ ...unpack(bytes), told: true })); // of the head that the story goes into
  let pointed = null; // { tower, row, only }
  let touched = null; // the mark of an open place that is pointed at

  const last = () => payload.towers.at(-1);
  const several = () => payload.towers.length > 1;
  const named = () => (telling.stations.length && telling.running ? telling.place : env.chosen("place") ?? "");
  const now = () => foundAt(scene.items, named(), several());
  const rowsOf = (tower) => tower.tokens.length;
  const chosen = (tower) => {
    const at = env.chosen(tower.field) ?? payload.selection[tower.field];
    return clamp(at - tower.first, rowsOf(tower));
  };

  const looked = () => Object.fromEntries(payload.towers.map((tower) => [tower.field,
    (telling.place ? payload.passes[0].row : chosen(tower)) + tower.first]));
  const isAside = () => Boolean(payload.resting) && Number(env.chosen("aside")) === 1;
  const isLed = () => Boolean(payload.told) || telling.running;

  // --- where things are ------------------------------------------------------------------------

  const roomOf = ({ most, beside }) => Math.max(ROW.room, Math.min(most, innerHeight - beside));

  let beyond = 0; // as high as the sheet is in any case, for what stands beside its rows
  // The height for rows: of a lecture what is left of the screen.
  function space(zoom, rows) {
    if (!lectured(env.host)) return payload.told ? roomOf(TOLD_ROOM) : payload.cut ? SQUARES.room : roomOf(ROOM);
    const narrow = isNarrow(room, zoom);
    const others = narrow ? (TOP.narrow[several() ? "several" : "one"] + FOOT.narrow) * zoom + underRows(payload, zoom)
      : ((payload.cut ? TOP.cut : TOP.wide.several) + FOOT.wide) * zoom;
    return leftOf(sheet, Math.max(rows * TALL * zoom + others, beyond)) - others;
  }

  function measure() {
    room = Math.max(300, Math.floor(sheet.getBoundingClientRect().width));
    const zoom = zoomOf(env.host);
    const extra = payload.passes.at(-1).born ? 1 : 0;
    const rows = Math.max(payload.rows, ...payload.towers.map((tower) => rowsOf(tower) + (tower === last() ? extra : 0)));
    const height = Math.max((payload.cut ? SQUARES : ROW).least, Math.min(ROW.most * zoom, Math.floor(space(zoom, rows) / rows)));
    const items = reachedOf(itemsOf(payload), payload);
    const above = payload.above.some(Boolean) ? ABOVE * zoom : 0;
    telling.payload = payload;
    scene = new Lettering(payload, items, {
      top: (payload.cut ? TOP.cut : TOP[isNarrow(room, zoom) ? "narrow" : "wide"][several() ? "several" : "one"]) * zoom + above,
      above, height, zoom, palette: env.palette(), style: getComputedStyle(env.host), aside: isAside(), least: lectured(env.host) ? leastType(env.host) : 0,
    });
    camera.place(scene, room, now().item, now().part);
    const soon = camera.sizes.narrow && payload.told?.reached < payload.told?.order.again; // no room ahead of words
    answer.place(scene, camera.sizes, room, soon ? Math.max(...payload.towers.map(rowsOf)) : rows);
    opened.resized(scene, camera, named(), looked(), isLed());
    fit();
  }

  // As high as what is drawn; says whether it was another height, and nothing is drawn in it now.
  function fit() {
    const zoom = zoomOf(env.host);
    const alone = atRest(payload); // the text: its rows are still to come
    const foot = (camera.sizes.narrow ? FOOT.narrow : FOOT.wide) * zoom;
    const words = camera.sizes.narrow && camera.open?.kind === "answer"; // they are in what is open, and not below
    const below = words ? answer.guessed : answer.bottom;
    const stands = further.classList.contains("beside") ? further.offsetTop + further.offsetHeight : 0;
    const says = (telling.running || payload.resting || camera.open) && !camera.sizes.narrow && !payload.told
      ? Math.max(stands, answer.until + SAYS[scene.least ? "large" : "least"] * zoom) : 0;
    beyond = Math.max(opened.bottom, says) + foot;
    const height = alone ? ALONE * zoom : Math.max(below + foot, beyond);
    const same = Math.abs(parseFloat(canvas.style.height) - height) <= 1 && canvas.style.width === `${room}px`;
    if (!same) sizeCanvas(canvas, room, height);
    return !same;
  }

  // --- drawing ---------------------------------------------------------------------------------

  function draw() {
    if (!scene) return;
    if (telling.running && telling.tower.name !== camera.shown) turnTo(telling.tower.name, false);
    const context = pen(canvas);
    context.clearRect(0, 0, canvas.width, canvas.height);
    scene.seen = camera.places;
    const places = camera.places;
    const now = telling.now();
    telling.compose(context, scene, camera, now);
    if (!now.running) {
      const { tower, row, only } = pointed ?? {
        tower: last(), row: chosen(last()), only: camera.head?.kind === "head" ? camera.head : null,
      };
      context.globalAlpha = pointed ? 1 : 0.6;
      scene.light(context, places, tower, row, { item: camera.open, share: camera.share, only });
      context.globalAlpha = 1;
      mark(context, places);
    }
    if (camera.head?.kind === "head" && (!now.running || telling.place)) {
      scene.shares(context, camera.head, places, pointed?.row ?? (now.running ? payload.passes[0].row : shownRow()));
    }
    const said = now.running ? now.row : shownRow();
    const token = last().tokens[Math.min(Math.max(0, said), rowsOf(last()) - 1)].label;
    const after = said < 0 ? "" : fill(payload.labels.after, { token });
    if (!atRest(payload)) scene.names(context, camera, now, pointed, after); // else of what is to come
    telling.tokens(context, scene, camera, now, chosen, pointed, answer.best(scene, camera));
    const head = pointed?.only ?? (camera.head?.kind === "head" ? camera.head : null);
    if (scene.cut && head && !now.running) scene.heat(context, head, pointed?.row ?? shownRow());
    const runs = now.running ? payload.passes[now.pass].row : shownRow();
    answer.guesses(context, scene, camera, now, runs);
    answer.words(context, scene, camera, now, payload, said);
    if (!now.running || telling.place) opened.draw(context, touched, scene, camera);
  }

  // The sentence of the station, beside what it speaks of; whoever is led reads it elsewhere.
  function say() {
    const { name = "" } = (telling.stops && telling.station) || {}; // nobody reads what runs past
    const says = telling.station?.inside ? sayHead(name) : payload.captions[name] ?? "";
    caption.hidden = !says;
    if (caption.textContent !== says) caption.textContent = says;
    stand(caption, name, leads);
  }

  // Beside what it speaks of, in the picture, where there is room; else where it stands anyway.
  function stand(one, name, home) {
    const at = name ? besideOf(name, scene, camera, answer, room, opened.bottom) : null;
    one.classList.toggle("beside", Boolean(at));
    one.removeAttribute("style");
    const within = at ? sheet : home;
    if (one.parentNode !== within) within.prepend(one);
    if (at) Object.assign(one.style, { left: `${at.x}px`, top: `${at.y}px`, width: `${at.width}px` });
  }

  // Below the words: what the numbers of an open place say, or where attention rests that finds nothing.
  function sayBeside() {
    const { labels } = payload;
    const reading = opened.sheet?.payload.answer?.reading ?? [];
    const rests = !camera.open && payload.resting;
    further.hidden = telling.running || Boolean(payload.told) || fills() || !(rests || reading.length);
    if (further.hidden) return;
    const aside = el("button", { type: "button", onclick: putAside }, isAside() ? labels.back_again : labels.aside);
    keepFocus(further, () => further.replaceChildren(...(rests
      ? [el("p", {}, isAside() ? labels.is_aside : payload.resting), aside] : [el("p", { class: "reading" }, ...rich(reading))])));
    stand(further, "words", furthest);
  }

  function lineOf(name) {
    const [, place, query, key] = /^(.+\.head\d+)\.row(\d+)\.key(\d+)/.exec(name) ?? [];
    const { part } = place ? foundAt(scene.items, place, several()) : {};
    if (!part) return undefined;
    const giver = part.across ? scene.giver : part.tower;
    return { place, head: part, query: Number(query) - part.tower.first, key: Number(key) - giver.first };
  }

  // The one line that the page speaks of.
  const lit = () => lineOf(env.chosen("lit") ?? "");

  // Lines that are spoken of, and those that are cut.
  function mark(context, places) {
    if (camera.open) return;
    const named = [[lit(), false], ...payload.lines_cut.map((name) => [lineOf(name), true])];
    for (const [line, cut] of named) {
      if (line?.key >= 0) scene.mark(context, places, line.head, { query: line.query, key: line.key, opened: 0, cut });
    }
  }

  // The line whose head the story goes into: the one that the page speaks of, else a strong one.
  function zoom() {
    const { part: head } = foundAt(scene.items, payload.zoom, several());
    return lit() ?? { place: payload.zoom, head, key: scene.strongest(head, payload.passes[0].row).key };
  }

  function askInside() {
    const own = RUN.map((name) => [name, SHARED.live?.value(name)]).filter(([name, value]) => value && name !== "model");
    if (payload.inside && payload.zoom) inside.ask(`${payload.inside}&${new URLSearchParams([["place", zoom().place], ...own])}`);
  }

  function sayHead(name) {
    const { head, key } = zoom();
    const { tower, layer } = head;
    const [token, from] = [payload.passes[0].row, key].map((n) => tower.tokens[n].label.replace("·", ""));
    const share = percent(scene.shareOf(head, payload.passes[0].row, key));
    return fill(payload.captions[name] ?? "", { layer, token, key: from, share });
  }

  const shownRow = () => chosen(last());

  // --- what is pointed at ----------------------------------------------------------------------

  function under(event) {
    const at = placeIn(event, canvas);
    const square = scene.cut?.at(at) ?? null; // of the picture: its row
    if (square !== null) {
      const [chips] = scene.items;
      return { ...at, item: chips, row: square - chips.tower.first, within: true };
    }
    const named = scene.namedAt(at); // a name may be wider than what it names
    if (named) return { ...at, ...named, row: -1, within: false, named: true };
    const below = camera.sizes.narrow && at.y >= answer.end; // on a phone the words stand there
    const { item, part } = below ? answer.at(at.y, scene) : camera.at(at.x);
    if (!item || (item.kind === "chips" && scene.only(item.tower))) return null; // it is not drawn
    if (item.kind === "answer" && item !== camera.open && !answer.has(at.y)) return null; // below its words
    const row = Math.floor((at.y - scene.top) / scene.height);
    return { ...at, item, part, row, within: row >= 0 && row < rowsOf(item.tower) };
  }

  function tellOf({ item, part, row, x, named: byName }) {
    const { tower } = item;
    if (byName) return part?.kind === "head" ? part.of.title : part?.says ?? "";
    const label = (of, n) => of.tokens[n]?.label ?? "";
    if (item.kind === "chips") return tower.tokens[row].title;
    const named = part ?? item;
    if (named.kind === "strip" || named.kind === "inner") {
      const found = scene.valueAt(named, camera.places.get(named), x, row);
      const name = named.out && !named.label ? fill(payload.labels.after_layer, { i: named.layer })
        : named.kind === "inner" ? named.says : named.label;
      if (!found) return name;
      const where = fill(payload.labels.component, { n: found.col + 1 });
      return `${label(tower, row)} · ${name}\n${where}: ${fmt(found.value)}`;
    }
    if (item.kind !== "gap") return "";
    const heads = part?.kind === "head" ? [part] : item.parts.filter(({ kind }) => kind === "head");
    return [fill(item.label, { i: item.layer }), ...heads.map((head) => {
      const name = head.of.named ? `${fill(payload.labels.head, { h: head.head })}: ` : "";
      return `${name}${scene.takes(head, row)}`;
    })].join("\n");
  }

  function point(event) {
    if (drag.moving) return tip.hide();
    const mark = telling.running ? null : opened.at(placeIn(event, canvas));
    touched = mark;
    if (mark) {
      pointed = null;
      const more = event.pointerType === "touch" && mark.mark.goes ? `\n${payload.labels.go_in}` : "";
      tip.show(opened.sheet.tell(mark) + more, placeIn(event, sheet));
      canvas.style.cursor = mark.mark.goes ? "pointer" : "";
      fade();
      return draw();
    }
    const found = telling.running ? null : under(event);
    pointed = found?.within ? {
      tower: found.item.tower, row: found.row, only: found.part?.kind === "head" ? found.part : null,
      item: found.item,
    } : null;
    const text = found?.within || found?.named ? tellOf(found) : "";
    if (text) tip.show(text, placeIn(event, sheet));
    else tip.hide();
    fade();
    // A row that a click would choose looks like one only where it is named.
    const opens = found && doneAt(found) === "go" && !opened.covers(placeIn(event, canvas));
    canvas.style.cursor = opens || found?.item.kind === "chips" ? "pointer" : "";
    return draw();
  }

  // A pointer that rests on a slide must not cover it.
  const fade = later(() => {
    if (!lectured(env.host)) return;
    pointed = touched = null;
    tip.hide();
    draw();
  }, RESTS);

  function press(event) {
    if (telling.running) return telling.stations.length ? telling.next() : telling.skip();
    if (drag.took) return undefined;
    const mark = opened.at(placeIn(event, canvas));
    if (mark) { // a finger sees the value first, and goes in with the next touch
      const first = event.pointerType === "touch" && touched?.mark !== mark.mark;
      point(event);
      return mark.mark.goes && !first ? to(mark.mark.goes) : undefined;
    }
    const found = under(event);
    if (!found) return undefined;
    // Between the marks of a head a click chooses a row; in what has other rows it does nothing.
    if (opened.covers(placeIn(event, canvas))) {
      return opened.sheet.aligned && found.within ? choose(found.item.tower, found.row) : undefined;
    }
    const does = doneAt(found);
    if (does === "choose") return choose(found.item.tower, found.row);
    if (does !== "go") return undefined;
    const part = goesTo(found);
    if (part && found.within && found.row !== chosen(found.item.tower)) choose(found.item.tower, found.row); // of this row
    return go(found.item, part);
  }

  // The part that a click would go into; that of a column also from above it, where no name stands.
  const goesTo = ({ part, within, named, row }) =>
    (part?.goes && (within || named || (row < 0 && part !== camera.head)) ? part : undefined);

  // What a click would do. In an open layer it chooses a row; what closes the layer is its name.
  function doneAt(found) {
    const { item, part, row, within, named } = found;
    if (item.kind === "chips") return within ? "choose" : "";
    if (goesTo(found)) return "go";
    if (named && part) return ""; // there is nothing in it
    const inside = item === camera.open && (within || (row < 0 && !named));
    const leads = placeOf(item, several()) && (item.kind !== "gap" || item.parts.length);
    if (!inside && leads) return "go";
    return within ? "choose" : "";
  }

  function choose(tower, row) {
    env.select({ [tower.field]: row + tower.first });
    env.report([tower.field]);
    draw();
  }

  // Into a layer or a head; out of what is open.
  function go(gap, head) {
    const place = placeOf(gap, several());
    if (head) to(camera.head === head ? place : `${place}.${partOf(head)}`);
    else to(camera.open === gap && (!camera.head || camera.head === head) ? "" : place);
  }

  function to(place) {
    tip.hide();
    touched = null;
    marks.along(named(), place);
    env.select({ place: place || (payload.selection.place ? "" : null) });
    env.report(["place"], { atOnce: true });
    follow();
    if (place) comeInto();
  }

  // What is open is seen from its name on: on a phone it may stand far above the words that opened it.
  function comeInto() {
    const name = canvas.getBoundingClientRect().top + scene.head - ABOVE * 2;
    if (name >= SCREEN.top && name < innerHeight * SCREEN.low) return;
    scrollBy(name - SCREEN.top);
  }

  function scrollBy(top) {
    const around = scroller(canvas) ?? document.scrollingElement;
    around?.scrollBy({ top, behavior: REDUCED_MOTION ? "auto" : "smooth" });
  }

  // Where the place that is named is: the picture goes there, and its inside comes when it is there.
  function follow() {
    camera.go(now().item, now().part);
    opened.tell(telling.station?.inside);
    opened.follow(named(), scene, camera, looked(), isLed());
    reach();
    draw();
  }

  function turned() {
    const { station } = telling;
    if (station?.inside) station.place = zoom().place;
    if (station?.inside || station?.name === "layers") askInside();
    follow();
    bringIntoSight();
  }

  // On a phone the sentence stands at the foot, and what it speaks of above it.
  function bringIntoSight() {
    if (!camera.sizes.narrow || !telling.stops || !telling.running) return;
    const { name } = telling.station;
    bring(leads, name === "guesses" ? answer.guessed
      : ["words", "born", "again"].includes(name) ? answer.bottom : Math.max(answer.end, opened.bottom));
  }

  // How it ends: the line that can be cut, or what has become of the words without it.
  function bringEnd() {
    if (!camera.sizes.narrow || !SHARED.foot?.matches(".at-foot")) return;
    requestAnimationFrame(() => bring(SHARED.foot, payload.lines_cut.length ? answer.bottom : answer.end));
  }

  function bring(foot, low) {
    const { top } = canvas.getBoundingClientRect();
    const most = (foot?.getBoundingClientRect().top ?? innerHeight) - FOOT.narrow - low;
    const by = top - Math.min(most, Math.max(top, SCREEN.top));
    if (Math.abs(by) > 1) scrollBy(by);
  }

  const out = () => to(around(named()));
  const reach = () => {
    if (fit()) draw();
    foot();
    if (fit()) draw(); // what is said beside the words may be longer than what was
    marks.draw(scene, camera, payload, { choose, go, chosen, to }, opened.share >= 1 ? opened.sheet : null);
  };

  // To the part beside it, as a finger wipes.
  function aside(by) {
    const all = beside(scene.items, named(), several());
    if (!named() && camera.shown) {
      const next = payload.towers[payload.towers.findIndex(({ name }) => name === camera.shown) + by];
      return next && turnTo(next.name);
    }
    const at = all.findIndex((one) => named() === one || named().startsWith(`${one}.`));
    return at >= 0 && all[at + by] && to(all[at + by]);
  }

  // To another tower, on a phone; out of the layer that is open.
  function turnTo(name, slowly = true) {
    if (!camera.shown || name === camera.shown) return;
    if (camera.open) to("");
    camera.turnTo(name, slowly);
    telling.forget();
    drawSides();
  }

  function drawSides() {
    sides.hidden = !camera.shown;
    const all = camera.shown ? payload.towers : [];
    sides.setAttribute("aria-label", payload.title);
    keepFocus(sides, () => sides.replaceChildren(...all.map((tower) => el("button", {
      type: "button", "aria-pressed": String(tower.name === camera.shown),
      onclick: () => { telling.skip(); turnTo(tower.name); },
    }, tower.title))));
  }

  // In a lesson on a wall the picture has the height of the screen: it ends with the words.
  const fills = () => lectured(env.host) && camera.sizes.narrow;

  // --- what stands below -----------------------------------------------------------------------

  // The next screen's place may be named before its picture has that part.
  const nameOf = () => (camera.head ? `${placeOf(camera.open, several())}.${partOf(camera.head)}` : "");
  const wayOut = () => {
    if (!around(named())) return "out";
    return camera.open.kind === "gap" && named() === nameOf() ? "back" : "back_part";
  };
  const button = (label, onclick) => el("button", { type: "button", onclick }, label);

  function foot() {
    const { labels } = payload;
    const running = telling.running;
    // While it is told, what is said stands where the page says how it ends.
    env.host.classList.toggle("tells", Boolean(payload.tells));
    document.documentElement.toggleAttribute("data-told", running && Boolean(payload.tells));
    drawSides();
    say();
    sayBeside();
    below.classList.toggle("fills", fills());
    below.classList.toggle("leads-out", !running && Boolean(camera.open));
    env.host.classList.toggle("cornered", lectured(env.host) && Boolean(payload.told) && !camera.sizes.narrow);
    const had = SHARED.keyed ? [...below.children].findIndex((one) => one.matches(":focus")) : -1;
    const told = running && telling.stops && telling.stations.length;
    leads.classList.toggle("at-foot", Boolean(told));
    below.replaceChildren(...[
      told && el("span", { class: "count" }, fill(labels.count, { n: telling.n + 1, of: told })),
      told && el("button", { type: "button", class: "on primary", onclick: () => telling.next() }, labels.next_part),
      running && button(telling.paused ? labels.go_on : labels.stop, () => { telling.pause(); foot(); }),
      running && button(labels.skip, () => telling.skip()),
      !running && moves() && !fills() && button(labels.watch, () => (payload.told ? again() : tell())),
      !running && camera.open && button(labels[wayOut()], out),
    ].filter(Boolean));
    if (had < 0) return;
    // The one in the same place goes on with it; where there is none, the picture may know what does.
    const next = below.children[had] ?? (marks.wanted ? null : below.children[0]);
    /** @type {HTMLElement | null | undefined} */ (next)?.focus({ preventScroll: true });
  }

  function putAside() {
    env.select({ aside: isAside() ? null : 1 });
    env.report(["aside"], { atOnce: true });
  }

  function rest() {
    env.host.dataset.told = "1";
    const each = [payload.begins, ...payload.passes.slice(0, 2).map((one) => one.said)];
    said.replaceChildren(...(payload.told ? [payload.told.said] : each)
      .filter(Boolean).map((one) => el("li", {}, spoken(one))));
    said.hidden = !said.children.length;
    reach();
    draw();
  }

  function tell(quick = 0, before = null) {
    delete env.host.dataset.told;
    if (named()) {
      env.select({ place: null });
      env.report(["place"], { atOnce: true });
    }
    camera.jump(undefined);
    opened.forget();
    SHARED.scenes?.show(canvas); // on a wall the button may stand on another screen
    telling.whole(payload, scene, (script) => stationsOf(payload, script, scene.items, camera.places), quick, before);
  }

  const ofPart = (script) => stretch(payload, script, scene.items, camera.places);

  // Whether there is anything to watch: of a part that somebody was led to, not always.
  const moves = () => !payload.told || Boolean(opened.sheet?.payload.told)
    || (payload.told.reached > payload.told.order.text && telling.tells(payload, ofPart));

  // One part more, for somebody who is led through it.
  function lead() {
    delete env.host.dataset.told;
    camera.jump(undefined);
    if (telling.part(payload, scene, ofPart)) return foot();
    rest();
    return follow();
  }

  // The same part once more, whatever was clicked in it.
  function again() {
    const clicked = Object.keys(payload.selection).filter((name) => env.chosen(name) !== payload.selection[name]);
    env.select(Object.fromEntries(clicked.map((name) => [name, null])));
    env.report(clicked);
    opened.forget();
    lead();
  }

  // What was said of a mark that is another one now, or has another value.
  function unpoint() {
    if (!touched && !pointed) return;
    pointed = touched = null;
    tip.hide();
  }

  function wiped() {
    unpoint();
    draw();
  }

  // Out of what is open, also from a button of the picture, which has no other use for the key.
  const leaves = (event) => forPage(event) || (env.host.matches(":focus-within") && !event.defaultPrevented);
  const onKey = (event) => {
    // Whoever is led goes on with a key as with a click, also while the part is still told.
    const led = payload?.walks && ![" ", "Escape"].includes(event.key);
    if (led) {
      if (event.key === "Enter" && forPage(event)) {
        event.preventDefault();
        env.say("walk", "on");
      }
    } else if (event.key === "Escape" && !telling.running && camera.open && leaves(event)) {
      event.preventDefault();
      out();
    }
    else if (telling.running && (event.key === "Escape" ? !lectured(env.host) && leaves(event) : forPage(event) && event.key in TURNS)) {
      if (event.key === "Escape" || !telling.stations.length) telling.skip();
      else telling[TURNS[event.key]]();
      event.preventDefault();
      foot();
    }
  };
  const arrived = () => {
    if (!scene || (telling.running && !telling.place)) return;
    const before = opened.sheet;
    opened.follow(named(), scene, camera, looked(), isLed());
    if (opened.sheet !== before) unpoint();
    sayBeside();
  };
  document.addEventListener(ARRIVED, arrived, { signal: env.ends });
  document.addEventListener("keydown", onKey, { signal: env.ends });
  const drag = new Drag(canvas, {
    at: (event) => (telling.running ? null : opened.at(placeIn(event, canvas))),
    draw: () => draw(),
    done: (place, value) => document.dispatchEvent(new CustomEvent(DRAGGED, { detail: { place, value } })),
  });
  swiped(canvas, (by) => {
    wiped();
    return drag.took || aside(by);
  });
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return; // a finger that is lifted leaves what it has shown
    pointed = touched = null;
    tip.hide();
    draw();
  });
  canvas.addEventListener("pointercancel", wiped); // the finger scrolls
  canvas.addEventListener("click", press);
  let shown = ""; // what was told last
  let text = "";
  let part = -1; // that somebody was led to last
  const resize = later(() => {
    if (payload && Math.abs(sheet.getBoundingClientRect().width - room) >= 1) fitted();
  }, 60);

  function fitted() {
    if (!payload) return;
    measure();
    if (telling.running) telling.resized(scene);
    else rest();
  }

  const told = () => ({ shown, at: telling.running ? telling.at : Infinity, n: telling.n, since: telling.since,
    paused: telling.paused });

  return {
    update(next) {
      const fresh = JSON.stringify([next.towers.map(({ tokens }) => tokens), next.passes]);
      const same = payload && fresh === shown;
      const texts = JSON.stringify([next.lines[0], String(next.arrays.pixels?.values)]);
      const changed = next.off.length || payload?.off.length; // what is undone is no other text
      const another = Boolean(payload) && texts !== text && !changed && payload.tells;
      const cut = payload && next.lines_cut.join() !== payload.lines_cut.join();
      text = texts;
      payload = next;
      shown = fresh;
      const before = payload.ahead ? null : takeOver(shown);
      env.host.setAttribute("role", "group");
      env.host.setAttribute("aria-label", payload.title);
      if (payload.ahead) standIn({ told });
      if (same && telling.running) return undefined;
      if (!same) unpoint();
      measure();
      if (payload.told) {
        const further = payload.told.reached === part + 1;
        part = payload.told.reached;
        telling.stop();
        return further && !REDUCED_MOTION ? lead() : rest();
      }
      const answers = payload.towers.at(-1).field;
      if (another) { // of another text the row that is looked at is the last one
        env.select({ [answers]: null });
        env.report([answers]);
      }
      const first = payload.tells && !kept(TOLD);
      if (first && !payload.ahead) keep(TOLD, "1");
      const led = first && named(); // a link leads somewhere
      const over = before?.at === Infinity; // the picture before it was skipped
      if ((first || another) && !led && !over && !REDUCED_MOTION) tell(first ? 0 : QUICK, before);
      else {
        telling.stop();
        rest();
        if (cut) bringEnd();
      }
      return undefined;
    },
    resized: () => resize(),
    fitted,
    walk(by) {
      if (payload.walks) {
        env.say("walk", by);
        return true;
      }
      if (telling.running) return false;
      const row = clamp(chosen(last()) + by, rowsOf(last()));
      choose(last(), row);
      marks.follow(`${scene.items.findIndex(({ kind, tower }) => kind === "chips" && tower === last())}/${row}`);
      return true;
    },
    selected(changed) {
      if (!scene) return;
      if (changed.every((name) => name === "lit")) {
        draw();
        return;
      }
      if (scene.aside !== isAside()) {
        telling.skip();
        measure();
        rest();
      }
      if (telling.running) {
        if (!changed.includes("place") || !named()) return;
        telling.skip();
      }
      follow();
    },
    destroy() {
      document.documentElement.removeAttribute("data-told");
      telling.stop();
      inside.end();
    },
  };
});

// The stations of the story: a sentence each, and how long it takes to be read; then it goes on by itself,
// or as soon as she says so. Where there is room a sentence stands beside what it speaks of.

import { COLUMN } from "../inside/telling.js";
import { spansOf } from "./told.js";

const READ = { least: 900, letter: 42 }; // ms
// Of a head: the column that was told before each station, and the last one that is told at it.
const INSIDE = { asks: ["", "k"], fits: ["k", "weights"], takes: ["weights", "z"] };
const COLUMNS = 3; // of a head that come at a station, at most
const ASIDE = 22; // pixels between a sentence and what it speaks of
const LEAST = 190; // of a sentence
const MOST = 460;
const BELOW = 44; // the text, its line

/**
 * A part of the story.
 * @typedef {object} Station
 * @property {string} name of its sentence
 * @property {number} from ms of the script
 * @property {number} to
 * @property {number} reads ms that it takes at least
 * @property {string} [place] that is gone into meanwhile, once it is known
 * @property {[string, string]} [inside] of that, the column told before, and the last one told at it
 */

/**
 * @param {import("../shared/payload.js").Payload} payload
 * @param {import("./script.js").Script} script
 * @param {import("./layout.js").Item[]} items
 * @param {Map<any, { x: number, width: number }>} places
 * @returns {Station[]}
 */
export function stationsOf({ captions, guesses, zoom, inside }, script, items, places) {
  const spans = spansOf(script, items, places);
  const [read] = script.reads;
  const ends = {
    text: spans.text.to,
    cut: spans.tokens.to,
    rows: read ? read.from + (read.to - read.from) / 3 : spans.place.to,
    layers: guesses.length ? spans.layers.to : spans.last.to,
    ...(zoom && inside ? Object.fromEntries(Object.keys(INSIDE).map((name) => [name, spans.layers.to])) : {}),
    ...(guesses.length ? { guesses: spans.guesses.to } : {}),
    words: spans.words.to,
    ...(spans.again ? { again: spans.again.to } : spans.born ? { born: spans.born.to } : {}),
  };
  let from = 0;
  return Object.entries(ends).map(([name, to]) => {
    const reads = READ.least + READ.letter * (captions[name]?.length ?? 0);
    const watched = name in INSIDE ? COLUMN * COLUMNS : to - from; // nobody reads while numbers come
    const station = { name, from, to, reads: reads + watched, inside: INSIDE[name] };
    from = to;
    return station;
  });
}

/**
 * Where the sentence of a station stands: beside what it speaks of, in what is still empty.
 * @param {string} name
 * @param {import("./lettering.js").Lettering} scene
 * @param {import("./camera.js").Camera} camera
 * @param {import("./answer.js").Answer} answer
 * @param {number} room
 * @param {number} [open] the lower end of what is open
 * @returns {{ x: number, y: number, width: number } | null} null where there is no room in the picture
 */
export function besideOf(name, scene, camera, answer, room, open = 0) {
  if (camera.sizes.narrow || scene.cut) return null;
  const { items, zoom, top } = scene;
  const at = (item) => camera.places.get(item);
  const box = (x, y, width = room - x) => (width < LEAST * zoom ? null : { x, y, width: Math.min(width, MOST * zoom) });
  const last = at(items.at(-1));
  const aside = last.x + ASIDE;
  const own = items.filter(({ tower }) => tower === items[0].tower);
  const gap = at(own.find(({ kind }) => kind === "gap"));
  if (name === "text") return box(0, BELOW * zoom);
  if (name === "cut") return box(at(items[0]).x + at(items[0]).width + ASIDE, top);
  if (name === "rows") return box(gap.x + ASIDE, top);
  if (["layers", "guesses"].includes(name) || name in INSIDE) return box(aside, top);
  return box(aside, Math.max(answer.until + answer.height, open) + (scene.least ? 0.3 : 1) * answer.height);
}

// What goes along from page to page: all that was chosen in this tab, by name. The page that is opened
// next takes of it what it can show, and the rest stays here for those that can.
//
// Her own sentence waits under `hers`, and under `abroad` what was typed where a model translates: which
// of them a page runs is decided with its model (pages/parts/sentence.py).

import { keepHere, keptHere } from "./kept.js";

/** @typedef {Record<string, string>} Values */

const KEPT = "along";
// What is looked at on one page only, or stands under another name.
const STAYS = new Set(["place", "tour", "lesson", "lesson_at", "experiment", "text", "hers", "abroad"]);
// What an experiment has put in their place is not taken back: they are the same on every page.
const EVERYWHERE = new Set(["layer", "head", "device", "view", "language", "text", "hers"]);
const OF_THE_BAR = "bar_model"; // chosen in the bar, while a page runs another one of its own choice

/** @returns {Values} */
const read = () => JSON.parse(keptHere(KEPT) ?? "{}");
/** @param {Values} values */
const write = (values) => keepHere(KEPT, JSON.stringify(values));

const put = (values, name, value) => {
  if (value === undefined || value === null) delete values[name];
  else values[name] = value;
};

/** @returns {Values} her own sentence, and the one for models that translate; what was typed of them */
export function sentences() {
  const { hers, abroad } = read();
  return { ...(hers ? { hers } : {}), ...(abroad ? { abroad } : {}) };
}

/**
 * The page shows this now.
 * @param {Values} values
 * @param {string[]} names that it can show
 * @param {boolean} translates its model does
 */
export function bring(values, names, translates) {
  const kept = read();
  for (const name of names) if (!STAYS.has(name)) put(kept, name, values[name]);
  const own = values.hers === undefined && values.text?.trim() ? values.text : undefined;
  if (translates) {
    if (own !== undefined) kept.abroad = own;
    if (values.hers) kept.hers = values.hers;
  } else {
    put(kept, "hers", values.hers || own);
    if (names.includes("abroad")) put(kept, "abroad", values.abroad);
  }
  write(kept);
}

/**
 * A model was chosen.
 * @param {boolean} inBar there; else by the page, and the bar's is remembered
 * @param {string | undefined} before
 */
export function chooseModel(inBar, before) {
  const kept = read();
  if (inBar) delete kept[OF_THE_BAR];
  else kept[OF_THE_BAR] ??= before ?? "";
  write(kept);
}

/**
 * What another page is asked for with.
 * @param {boolean} home it is the home page, which runs the model of the bar
 * @param {Record<string, any>} changes what it is to show
 * @param {Record<string, { put: string | null, was: string | null }>} tried what an experiment has put on
 *   the page that is left, and what stood there before
 * @returns {Values}
 */
export function onward(home, changes, tried) {
  const kept = read();
  for (const [name, one] of Object.entries(tried)) {
    if (!EVERYWHERE.has(name) && (kept[name] ?? null) === one.put) put(kept, name, one.was);
  }
  if (home && OF_THE_BAR in kept) put(kept, "model", kept[OF_THE_BAR] || null);
  if (home || "model" in changes) delete kept[OF_THE_BAR];
  write(kept);
  const { [OF_THE_BAR]: _bar, ...given } = kept;
  if ("text" in changes || "z" in changes) given.hers ??= ""; // a text that is none of hers
  for (const [name, value] of Object.entries(changes)) put(given, name, value === null ? null : String(value));
  return given;
}

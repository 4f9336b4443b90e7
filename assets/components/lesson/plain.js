// What stands on a screen and is never anything else: texts, notes, links.

import { go } from "../map/links.js";
import { el } from "../shared/dom.js";
import { made } from "./words.js";

// Where a link leads: to another tab, to a file, to another page of the app.
const HOW = {
  tab: () => ({ target: "_blank" }),
  file: () => ({ download: "" }),
  page: (to) => {
    const { pathname, searchParams } = new URL(to, location.href);
    return { onclick: go(pathname, Object.fromEntries(searchParams)) };
  },
};

/** By kind of block, what is drawn from what it is given, once for each. */
export const PLAIN = {
  words: ({ words }) => el("div", { class: "lesson-words" }, ...made(words)),
  small: ({ say }) => el("p", { class: "glass-source" }, say),
  note: ({ note, say }) => el("p", { class: `lesson-note ${note}`, role: note === "error" ? "alert" : "note" }, say),
  share: ({ share, say }) => el("div", { class: "lesson-share" },
    el("progress", { value: share, max: 1, "aria-label": say }), el("span", {}, say)),
  links: ({ links }) => el("p", { class: "glass-source" }, ...links.flatMap(({ say, to, how }, n) => [
    n ? " · " : "", el("a", { href: to, ...HOW[how](to) }, say)])),
  told: ({ say }) => el("p", { class: "glass-told" }, say),
  next: ({ title, alone }) => el("h1", { class: `glass-title ${alone ? "glass-here" : "glass-next"}` }, title),
  origin: ({ shown, formula, filled, operands }) => el("div", { class: "glass-origins" },
    el("p", {}, el("b", {}, shown), " = ", el("code", {}, formula), ...(filled ? [` = ${filled}`] : [])),
    el("ul", {}, ...operands.map(({ name, value, what, line, by }) => el("li", {},
      ...[name ? [el("code", {}, name), value ? ` = ${value}` : ""] : [], what ? [name ? " · " : "", what] : []].flat(),
      ...(line ? [el("p", { class: "glass-source" }, `${by} `, el("code", {}, line))] : []))))),
};

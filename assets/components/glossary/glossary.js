// The glossary: every term with its meaning, filtered while one types. A term that a link names is
// brought into sight.

import { define } from "../shared/component.js";
import { go } from "../map/links.js";
import { el, fill } from "../shared/dom.js";
import { folded, marked } from "../shared/finding.js";
import { Roving } from "../shared/roving.js";
import { scroller } from "../shared/scrolling.js";
import { atRest } from "../shared/streamlit.js";
import { plain } from "../shared/moving.js";
import style from "./glossary.css.js";
import { found, inOrder, lettered, named } from "./search.js";

/** @typedef {import("./search.js").Term} Term */

export default define(style, (env) => {
  let payload = null;
  /** @type {Map<string, HTMLElement>} the term's place in the list, by its id */
  const places = new Map();
  let clicked = null; // the term that was chosen here, and need not be brought into sight

  const field = el("input", { type: "search", class: "field", autocomplete: "off", spellcheck: "false" });
  const count = el("p", { class: "small muted", role: "status", "aria-live": "polite" });
  const list = el("div", { class: "list" });
  const above = el("div", { class: "search" }, field, count);
  env.host.append(above, list);

  const links = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("a.term")]);
  const roving = new Roving(list, links, {});
  const chosen = () => (env.chosen("term") ? named(payload.terms, env.chosen("term")) : null);
  const query = () => folded(field.value.trim().normalize("NFC"));

  function choose(event, id) {
    if (!plain(event)) return;
    event.preventDefault();
    clicked = id;
    env.select({ term: id });
    env.report(["term"]);
  }


  const highlight = (text) =>
    marked(text, query()).map(([part, hit]) => (hit ? el("mark", {}, part) : part));

  /**
   * @param {Term} one
   * @returns {HTMLElement | null}
   */
  function pages(one) {
    if (!one.pages.length) return null;
    const used = one.pages.map((at) => payload.pages[at]);
    return el("dd", { class: "pages small muted" }, `${payload.labels.pages} `,
      ...used.flatMap(([address, title], at) => [
        at ? " · " : null, el("a", { href: address, onclick: go(address) }, title)]));
  }

  /**
   * Beside a term stand a form that is searched for, and what English papers call it.
   * @param {Term} one
   * @returns {HTMLElement[]}
   */
  function others(one) {
    const hit = query() && !folded(one.term).includes(query())
      && one.forms.find((form) => folded(form).includes(query()));
    const said = [hit || null, one.english ? fill(payload.labels.english, { term: one.english }) : null];
    return said.filter((words) => words).map((words) =>
      el("span", { class: "other small muted" }, ...highlight(words)));
  }

  /**
   * @param {Term} one
   * @returns {HTMLElement}
   */
  function entry(one) {
    const link = el("a", {
      class: "term", href: `?term=${encodeURIComponent(one.id)}`, tabindex: "-1",
      onclick: (event) => choose(event, one.id), onfocus: () => roving.reach(link),
    }, ...highlight(one.term));
    const place = el("div", { class: "entry", "data-term": one.id },
      el("dt", {}, link, ...others(one)),
      el("dd", {}, ...highlight(one.text)), pages(one));
    places.set(one.id, place);
    return place;
  }

  /**
   * Terms below each other, under a heading if they have one.
   * @param {string} title
   * @param {Term[]} terms
   * @returns {HTMLElement}
   */
  const section = (title, terms) =>
    el("section", {}, title ? el("h2", {}, title) : null, el("dl", {}, ...terms.map(entry)));

  function draw() {
    const { labels, terms } = payload;
    places.clear();
    if (query()) {
      const [by, within] = found(terms, query());
      list.replaceChildren(...(by.length ? [section("", by)] : []),
        ...(within.length ? [section(labels.within, within)] : []));
      const n = by.length + within.length;
      count.textContent = n ? fill(labels.found, { n, all: terms.length })
        : fill(labels.none, { query: field.value.trim() });
    } else {
      list.replaceChildren(...[...lettered(terms)]
        .map(([letter, group]) => section(letter || labels.signs, group)));
      count.textContent = labels.all;
    }
    mark();
    if (!links().includes(/** @type {HTMLElement} */ (roving.stop))) roving.reach(links()[0]);
  }

  function mark() {
    const id = chosen()?.id;
    for (const [name, place] of places) {
      place.classList.toggle("chosen", name === id);
      place.querySelector("a")?.setAttribute("aria-current", String(name === id));
    }
    roving.reach(places.get(id ?? "")?.querySelector("a"));
  }

  // A link may name a term that was never there: what it might be is searched for.
  function show() {
    const said = env.chosen("term");
    if (said === clicked || !said) {
      mark();
      return;
    }
    clicked = null;
    field.value = chosen() ? "" : said.replaceAll("-", " ");
    draw();
    const place = places.get(chosen()?.id ?? "");
    if (place) atRest(() => place.isConnected && place.scrollIntoView({ block: "center" }));
  }

  // What is found begins below the field, also where one had scrolled on.
  field.addEventListener("input", () => {
    draw();
    const hidden = above.getBoundingClientRect().bottom - list.getBoundingClientRect().top;
    if (hidden > 0) scroller(env.host)?.scrollBy(0, -hidden);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      draw();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      links()[0]?.focus();
    }
  });

  return {
    update(next) {
      const first = payload === null;
      payload = { ...next, terms: inOrder(next.terms, next.language ?? "en") };
      field.placeholder = next.labels.field;
      field.setAttribute("aria-label", next.labels.field);
      draw();
      if (first) show();
    },
    selected(changed, hover) {
      if (!hover && changed.includes("term")) show();
    },
  };
});

// Elements. Text goes in by textContent only: nothing a learner typed ever becomes markup.

/**
 * Words as they are read out: a token without the dot that stands for the blank before it.
 * @param {string} words
 * @returns {string}
 */
export const spoken = (words) => words.replace(/(^|[\s“”«»"'(→←])·(?=\S)/g, "$1");

/**
 * An element, or one of an SVG ("svg:path"). Its name is said as it is read out.
 * @template {string} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes] "onclick" and the like listen; null and false leave out
 * @param {...(Node | string | null)} children
 * @returns {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : SVGElement}
 */
export function el(tag, attributes = {}, ...children) {
  const node = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else if (name === "aria-label") node.setAttribute(name, spoken(String(value)));
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return /** @type {any} */ (node);
}

/**
 * Pairs of text and role (core/figures/text.py) as spans in their role's colour.
 * @param {[string, string][]} parts
 * @returns {Node[]}
 */
export const rich = (parts) =>
  parts.map(([text, role]) => (role === "plain" ? document.createTextNode(unbroken(text))
    : el("span", { class: `role-${role}` }, unbroken(text))));

// A line ends behind a per cent sign, not between it and its number.
const unbroken = (text) => text.replaceAll(" %", "\u00a0%");

const STYLES = ["strong", "em", "code", "sup"];

/**
 * A text with inline Markdown (core/lessons/inline.py): pairs of text and styles, each an element.
 * @param {string | [string, string][]} text
 * @returns {Node[]}
 */
export const inline = (text) => (typeof text === "string" ? [document.createTextNode(unbroken(text))]
  : text.map(([words, styles]) => styles.split(" ").filter((style) => STYLES.includes(style)).reduceRight(
    (inner, style) => el(style, {}, inner), /** @type {Node} */ (document.createTextNode(unbroken(words))))));

/**
 * What has the keyboard, inside of components too.
 * @returns {Element | null}
 */
export function inFocus() {
  let inside = document.activeElement;
  while (inside?.shadowRoot?.activeElement) inside = inside.shadowRoot.activeElement;
  return inside;
}

/** The title of a screen, which has the keyboard where a key has led there, and no use for it. */
export const SCREEN_TITLE = "h1.glass-title";

const REACHABLE = "a, button, input, [tabindex]";

// What is hidden or switched off loses the keyboard as what is gone does.
const there = (node) => Boolean(node?.isConnected && node.checkVisibility() && !node.matches(":disabled"));

// What it is for, where its name changes; or what somebody hears of it.
const calledOf = (node) => node.dataset.of ?? node.getAttribute("aria-label") ?? node.textContent;

/**
 * Draw anew without taking the keyboard's place away: where what had it is gone, what is called the
 * same has it now, or else the same place in the order of what can be reached.
 * @param {HTMLElement} host
 * @param {() => void} draw
 * @param {(all: HTMLElement[], called: string) => HTMLElement} [instead] of that place
 */
export function keepFocus(host, draw, instead) {
  const root = /** @type {Document | ShadowRoot} */ (host.getRootNode());
  const before = /** @type {HTMLElement | null} */ (root.activeElement);
  const reach = () => /** @type {HTMLElement[]} */ ([...host.querySelectorAll(REACHABLE)]).filter(there);
  const place = before && host.contains(before) ? reach().indexOf(before) : -1;
  const called = place < 0 ? "" : calledOf(before);
  draw();
  if (place < 0 || there(before) || (root.activeElement !== before && host.contains(root.activeElement))) return;
  const now = reach();
  const same = now.filter((one) => one.tagName === before?.tagName && called && calledOf(one) === called);
  const next = same.length === 1 ? same[0] : instead?.(now, called) ?? now[place] ?? now.at(-1);
  next?.focus({ preventScroll: true });
}

/**
 * Fill "{name}" in a translated template.
 * @param {string} template
 * @param {Record<string, any>} values
 * @returns {string}
 */
export const fill = (template, values) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

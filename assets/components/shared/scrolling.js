// What scrolls around a component, and the keys that it scrolls by.

const LINE = 24; // pixels: less than a line is nothing to scroll

/**
 * What scrolls around an element, out of shadow roots too; null for the window.
 * @param {Element} node
 * @returns {Element | null}
 */
export function scroller(node) {
  /** @type {Element | null} */
  let at = node;
  while (at) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
    at = at.parentElement ?? /** @type {ShadowRoot} */ (at.getRootNode()).host;
  }
  return null;
}

/**
 * A key is the page's own way to scroll: the space bar, Home and End where there is anything to
 * scroll, PgUp and PgDn as far as there is something left in their direction.
 * @param {string} key
 * @param {Element} node
 * @returns {boolean}
 */
export function scrollsBy(key, node) {
  const { scrollTop: above, scrollHeight, clientHeight } =
    scroller(node) ?? /** @type {Element} */ (document.scrollingElement);
  const below = scrollHeight - clientHeight - above;
  if (key === "PageUp") return above > LINE;
  if (key === "PageDown") return below > LINE;
  return [" ", "Home", "End"].includes(key) && above + below > LINE;
}

/**
 * Scroll so that an element stands where the one was that it has taken the place of.
 * @param {Element} node
 * @param {number} top of the one before, on the screen
 */
export function keepAt(node, top) {
  const around = scroller(node) ?? /** @type {Element} */ (document.scrollingElement);
  around.scrollTop += node.getBoundingClientRect().top - top;
}

const STILL = 2000; // ms, in which what a change leads to is drawn
let held = new AbortController();

/**
 * Keep an element where it is on the screen while what stands above it is drawn anew, as long as
 * nobody moves the page: a finger on a slider would come to lie on another one.
 * @param {Element} node
 */
export function holdStill(node) {
  held.abort(); // the newer counts
  const own = held = new AbortController();
  const around = scroller(node) ?? /** @type {Element} */ (document.scrollingElement);
  const { top } = node.getBoundingClientRect();
  let at = around.scrollTop;
  const until = performance.now() + STILL;
  const options = { signal: own.signal, capture: true, passive: true };
  for (const kind of ["wheel", "pointerdown", "keydown"]) addEventListener(kind, () => own.abort(), options);
  const look = () => {
    if (performance.now() > until || !node.isConnected) own.abort();
    if (own.signal.aborted) return;
    const moved = node.getBoundingClientRect().top - top;
    const scrolled = around.scrollTop - at;
    // What the page itself brings into sight is meant to move.
    if (Math.abs(scrolled) >= 1 && Math.abs(moved + scrolled) < 2) {
      own.abort();
      return;
    }
    if (Math.abs(moved) >= 1) around.scrollTop += moved;
    at = around.scrollTop;
    requestAnimationFrame(look);
  };
  look();
}

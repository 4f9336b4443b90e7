// Runs before a page's own code and keeps what is written on a canvas, then says what of a page can be
// seen: `__seen()` gives the smallest type, and what the edges of the screen cut.
(() => {
  if (globalThis.__seen) return;
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  const written = new WeakMap(); // canvas -> size in its own pixels, text, and place
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
    const { a, b, c, d, e, f } = this.getTransform();
    const size = parseFloat(/([\d.]+)px/.exec(this.font)[1]) * Math.hypot(a, b);
    if (!written.has(this.canvas)) written.set(this.canvas, []);
    written.get(this.canvas).push([size, String(text), a * x + c * y + e, b * x + d * y + f]);
    return fillText.call(this, text, x, y, ...more);
  };
  CanvasRenderingContext2D.prototype.clearRect = function (x, y, ...size) {
    if (x <= 0 && y <= 0) written.set(this.canvas, []);
    return clearRect.call(this, x, y, ...size);
  };

  const FIELD = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select";
  const SMALLER = ".katex, math, tspan, sub, sup"; // an index is
  const BETWEEN = ".xtick, .ytick"; // digits between two powers of an axis are
  const EDGE = 3; // pixels that a letter's own room may be beyond
  const up = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const every = (root) => [...root.querySelectorAll("*")]
    .flatMap((one) => (one.shadowRoot ? [one, ...every(one.shadowRoot)] : [one]));

  // Seen through everything that it stands in, and not for who listens alone.
  function seen(node, box) {
    if (box.width <= 1 || box.height <= 1) return false;
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    for (let at = node; at; at = up(at)) {
      const { clipPath, opacity, overflowX, overflowY } = getComputedStyle(at);
      if (clipPath.startsWith("inset(50%") || Number(opacity) < 0.05) return false;
      if (at === node || (overflowX === "visible" && overflowY === "visible")) continue;
      const around = at.getBoundingClientRect();
      if (box.right <= around.left + 1 || box.left >= around.right - 1
        || box.bottom <= around.top + 1 || box.top >= around.bottom - 1) return false;
    }
    return true;
  }

  // What hides some of a text, and neither scrolls nor says that there is more.
  function clipped(node, box) {
    for (let at = node; at; at = up(at)) {
      const { overflowX, overflowY, position, textOverflow, webkitLineClamp } = getComputedStyle(at);
      if (textOverflow === "ellipsis" || webkitLineClamp !== "none") return false;
      const around = at.getBoundingClientRect();
      if (around.width <= 1) return false; // for who listens alone
      const hides = (how) => ["hidden", "clip"].includes(how);
      if (hides(overflowX) && (box.left < around.left - EDGE || box.right > around.right + EDGE)) return true;
      if (hides(overflowY) && (box.top < around.top - 2 * EDGE || box.bottom > around.bottom + 2 * EDGE)) return true;
      if (position === "fixed") return false; // what it stands in does not hide it
    }
    return false;
  }

  function textOf(node) {
    const own = [...node.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
    if (node.matches(FIELD)) return [node.value ?? "", node.getBoundingClientRect()];
    if (!own.length || ["SCRIPT", "STYLE", "OPTION"].includes(node.tagName)) return null;
    const range = document.createRange();
    range.setStart(own[0], 0);
    range.setEndAfter(own.at(-1));
    return [own.map(({ data }) => data).join(" "), range.getBoundingClientRect()];
  }

  function sizeOf(node) {
    const matrix = node.getScreenCTM?.();
    const wide = node.offsetWidth ? node.getBoundingClientRect().width / node.offsetWidth : 1;
    const zoomed = Math.abs(wide - 1) > 0.1 ? wide : 1; // what is narrow has a rounded width
    return parseFloat(getComputedStyle(node).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : zoomed);
  }

  globalThis.__seen = (least) => {
    const small = [], cut = [];
    for (const node of every(document)) {
      if (node.matches("canvas") && written.has(node) && seen(node, node.getBoundingClientRect())) {
        const box = node.getBoundingClientRect(), scale = box.width / node.width;
        for (const [size, text, , y] of written.get(node)) {
          const on = box.top + y * scale > 0 && box.top + y * scale < innerHeight;
          if (on && size * scale < least) small.push(`${(size * scale).toFixed(1)} ${text}`);
        }
      }
      const [text, box] = textOf(node) ?? [];
      if (!box || node.closest(SMALLER) || (/^\d$/.test(text) && node.closest(BETWEEN)) || !seen(node, box)) continue;
      const said = `${text.trim().slice(0, 30)} in ${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`;
      if (box.top >= innerHeight || box.bottom <= 0) continue;
      if (sizeOf(node) < least) small.push(`${sizeOf(node).toFixed(1)} ${said}`);
      if (clipped(node, box)) cut.push(`clipped ${said}`);
      if (box.bottom > innerHeight + 1 || box.top < -1) cut.push(`${Math.round(box.top)} to ${Math.round(box.bottom)} ${said}`);
    }
    return { small, cut };
  };
})();

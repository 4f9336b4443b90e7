// What drawings on a canvas have in common.

/**
 * What is drawn with; a canvas of ours is never drawn on in another way.
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @returns {CanvasRenderingContext2D}
 */
export function pen(canvas) {
  const context = /** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (canvas.getContext("2d")));
  context.textRendering = "geometricPrecision"; // rounded to whole pixels, small letters and blanks run together
  return context;
}

/**
 * Make a canvas so large, and empty, with as many pixels as the screen has.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @returns {CanvasRenderingContext2D}
 */
export function sizeCanvas(canvas, width, height) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = pen(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/**
 * How much larger than elsewhere the type of the page is (lecture view), and what is drawn with it.
 * @param {Element} host
 * @returns {number}
 */
export const zoomOf = (host) => parseFloat(getComputedStyle(host).fontSize) / 15 || 1;

/**
 * No type is smaller (page.css): for a class, and on a phone; elsewhere 0.
 * @param {Element} host
 * @returns {number}
 */
export const leastType = (host) => parseFloat(getComputedStyle(host).getPropertyValue("--glass-least")) || 0;

/**
 * How large type is drawn, in pixels.
 * @param {Element} host
 * @param {number} size as it is on a page
 * @returns {number}
 */
export const typeSize = (host, size = 12) => Math.max(size * zoomOf(host), leastType(host));

/**
 * The mark of a masked cell: never a colour alone.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} colour
 * @param {number} [scale] how much farther than elsewhere its lines are apart
 */
export function hatch(context, x, y, width, height, colour, scale = 1) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let d = -height; d < width; d += 5 * scale) {
    context.moveTo(x + d, y + height);
    context.lineTo(x + d + height, y);
  }
  context.stroke();
  context.restore();
}

/**
 * A text that fits into a width, in the font that is set.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} width
 * @returns {string}
 */
export function shortened(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end -= 1;
  return `${text.slice(0, end)}…`;
}

/**
 * A word with what stands around it, cut at its ends to fit into a width, in the font that is set.
 * @param {CanvasRenderingContext2D} context
 * @param {[string, string, string, string]} parts a number, what stands before the word, the word, the rest
 * @param {number} width
 * @returns {string}
 */
export function around(context, [number, before, word, after], width) {
  const [left, right] = [before, after].map((one) => one.split(/\s+/).filter(Boolean));
  const [n, m] = [left.length, right.length];
  const said = () => [number, left.length < n ? "…" : "", ...left, word, ...right, right.length < m ? "…" : ""]
    .filter(Boolean).join(" ");
  while (left.length + right.length && context.measureText(said()).width > width) {
    if (left.join(" ").length > right.join(" ").length) left.shift();
    else right.pop();
  }
  return said();
}

/**
 * Names in one line, none over another: each as near to its place as its neighbours let it.
 * @param {{ middle: number, width: number }[]} names from left to right
 * @param {number} from
 * @param {number} to
 * @param {number} gap between two
 * @returns {number[] | null} their middles; null where there is no room for all
 */
export function spread(names, from, to, gap) {
  if (names.reduce((sum, { width }) => sum + width + gap, -gap) > to - from) return null;
  const groups = []; // of names that touch
  for (const { middle, width } of names) {
    let own = { wants: middle - width / 2, n: 1, width, widths: [width] };
    const start = (one) => Math.max(from, Math.min(to - one.width, one.wants / one.n));
    own.start = start(own);
    while (groups.length && groups.at(-1).start + groups.at(-1).width + gap > own.start) {
      const before = groups.pop();
      own = {
        wants: before.wants + own.wants - own.n * (before.width + gap), n: before.n + own.n,
        width: before.width + gap + own.width, widths: [...before.widths, ...own.widths],
      };
      own.start = start(own);
    }
    groups.push(own);
  }
  return groups.flatMap(({ start, widths }) => {
    let at = start;
    return widths.map((width) => {
      at += width + gap;
      return at - gap - width / 2;
    });
  });
}

const LEADING = 1.12; // of a line, in the size of its type

/**
 * A text that is to be read whole: in several lines, and smaller, before any of it is left out.
 * @param {CanvasRenderingContext2D} context
 * @param {(size: number) => string} font of a size
 * @param {string} text
 * @param {{ width: number, height: number }} room
 * @param {number} size of the type, if there is room
 * @param {number} least size of it
 * @returns {{ lines: string[], leading: number, size: number }} in the font that is set; from line to line
 */
export function fitted(context, font, text, room, size, least) {
  for (let at = size; at >= least; at -= 0.5) {
    context.font = font(at);
    const lines = broken(context, text, room.width);
    const leading = at * LEADING;
    const fits = lines.every((line) => context.measureText(line).width <= room.width);
    if (fits && (lines.length === 1 || lines.length * leading <= room.height)) {
      return { lines, leading, size: at };
    }
  }
  context.font = font(size);
  return { lines: [shortened(context, text, room.width)], leading: 0, size };
}

// Broken at blanks, as few lines as there must be.
function broken(context, text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (context.measureText(longer).width <= width || !lines[lines.length - 1]) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

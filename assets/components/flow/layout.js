// Where everything stands: towers side by side, in each its tokens, then part after part. A layer is
// a gap between two columns of vectors; what happens in it opens when somebody goes in.
//
// Closed and open are one list of items with other places, so that going in is a change of numbers.

/** @typedef {Record<string, any>} Item of the drawing, with `x` and `width` once it is placed */

const BETWEEN = { wide: 26, narrow: 14 }; // pixels before a tower, where several are seen
const BESIDE_WAS = 310; // of the words, with how likely they were
const BESIDE = 14; // between two columns of vectors
const WAY = { forward: "→", backward: "←" }; // in which a recurrent layer reads
const SPACE = 11; // between what is open
const SQUEEZED = { strip: 8, gap: 11, narrow: 0 }; // beside what is open
const SLIVER = 12; // pixels of what stands beside a part that is gone into
const OPEN = 56; // a column of vectors in what is open
const NARROW = 640; // below that the words stand under the rows

/**
 * Whether an item is left out where one tower is shown at a time: of the first, from which the others
 * take something, the tokens stay. In a head there are only those that it attends to.
 * @param {Item[]} items
 * @param {Item} item
 * @param {string} [shown] the name of the tower; all are where there is none
 * @param {Item} [chosen] the part that is gone into
 * @returns {boolean}
 */
export function leftOut(items, item, shown, chosen) {
  const [{ tower: giver }] = items;
  if (!shown) return false;
  if (chosen && item.kind === "chips") return item.tower !== (chosen.across ? giver : chosen.tower);
  return item.tower.name !== shown && !(item.kind === "chips" && item.tower === giver);
}

/**
 * Whether it is that of a phone.
 * @param {number} room in pixels
 * @param {number} zoom how much larger than elsewhere type is
 * @returns {boolean}
 */
export const isNarrow = (room, zoom) => room < NARROW * zoom;

/**
 * How wide things are in so much room.
 * @param {Item[]} items
 * @param {number} room in pixels
 * @param {number} zoom how much larger than elsewhere type is
 * @param {(tower: any, most: number) => number} chips how wide those of a tower are, at most so wide
 * @param {boolean} [large] no type is small: what is gone into needs the room of what stands beside it
 * @returns {{ narrow: boolean, large: boolean, strip: number, answer: number, between: number,
 *   chips: Map<any, number> }}
 */
export function sizesOf(items, room, zoom, chips, large = false) {
  const narrow = isNarrow(room, zoom);
  const towers = items.filter(({ kind }) => kind === "chips").map(({ tower }) => tower);
  const counts = towers.map((own) => items.filter(({ kind, tower }) => kind === "strip" && tower === own).length);
  // On a phone one tower is shown at a time.
  const strips = narrow ? Math.max(...counts) : counts.reduce((sum, one) => sum + one, 0);
  const most = Math.min(110 * zoom, (narrow ? 0.24 : 0.2) * room / (towers.length > 1 ? 1.4 : 1));
  return {
    narrow,
    large,
    between: narrow && towers.length > 1 ? BETWEEN.narrow : BETWEEN.wide,
    strip: Math.max(6, Math.min(34 * zoom, 0.24 * room / strips)),
    answer: narrow ? 0
      : Math.min((items.at(-1).beside ? BESIDE_WAS : 280) * zoom, (towers.length > 1 ? 0.265 : 0.29) * room),
    chips: new Map(towers.map((tower) => [tower, chips(tower, most)])),
  };
}

// The parts of a layer, in the order of computation; the last vectors are what it hands on.
function inside(tower, part, layer) {
  return part.order.slice(0, -1).flatMap((piece) => {
    const kind = part.heads.find((one) => one.piece === piece);
    if (!kind) {
      const { label, name } = part.looks[piece];
      return [{ kind: "inner", tower, layer, piece, label, says: name || label,
        goes: piece === "ffn", array: `${part.prefix}${piece}.${layer}` }];
    }
    return Array.from({ length: kind.n_heads }, (_, head) => ({
      kind: "head", goes: true, tower, layer, piece, head, of: kind, across: kind !== part.heads[0],
      array: `${part.prefix}${kind.array}.${layer}`,
    }));
  });
}

/** @type {Record<string, (tower: any, part: any, labels: any) => Item[]>} */
const KINDS = {
  vectors: (tower, part) => [
    ...(part.terms ?? []).map((label, n) => ({
      kind: "strip", tower, label: n ? `+ ${label}` : label, array: `${part.prefix}term.${n}`, term: true,
    })),
    { kind: "strip", tower, label: part.terms?.length ? "=" : part.title, says: part.title,
      array: `${part.prefix}values`, first: part.first },
  ],
  blocks: (tower, part, labels) => Array.from({ length: part.n_layers }, (_, layer) => [
    {
      kind: "gap", tower, layer, label: labels.block, parts: inside(tower, part, layer),
    },
    {
      kind: "strip", tower, layer, label: "", out: true,
      array: `${part.prefix}${part.order.at(-1)}.${layer}`,
    },
  ]).flat(),
  looking: (tower, part, labels) => Array.from({ length: part.n_layers }, (_, layer) => {
    const [of] = part.heads;
    return {
      kind: "gap", tower, layer, label: part.n_layers > 1 ? labels.block : part.title,
      parts: Array.from({ length: of.n_heads }, (__, head) => ({
        kind: "head", goes: true, tower, layer, piece: of.piece, head, of, across: part.takes,
        array: `${part.prefix}${of.array}.${layer}`,
      })),
    };
  }),
  recurrent: (tower, part, labels) => Array.from({ length: part.n_layers }, (_, layer) =>
    [
      // Both directions read the same: they stand beside each other, and neither reads the other.
      {
        kind: "gap", tower, layer,
        label: part.n_layers > 1 ? labels.block : part.title,
        parts: part.readings.flatMap((reading) => reading.cells.slice(0, -1).map((cell) => ({
          kind: "inner", goes: true, tower, layer, role: cell.role, says: cell.title,
          way: part.readings.length > 1 ? reading.name : "",
          label: part.readings.length > 1 ? `${WAY[reading.name]} ${cell.label}` : cell.label,
          array: `${part.prefix}${reading.name}.${cell.name}.${layer}`,
        }))),
      },
      ...part.readings.map((reading) => ({
        kind: "strip", tower, layer, out: true, carries: reading.name === "backward" ? -1 : 1,
        label: part.readings.length > 1 ? WAY[reading.name] : reading.cells.at(-1).label,
        array: `${part.prefix}${reading.name}.${reading.cells.at(-1).name}.${layer}`,
      })),
    ]).flat(),
};

/**
 * The items of a run, tower after tower.
 * @param {import("../shared/payload.js").Payload} payload
 * @returns {Item[]}
 */
export function itemsOf({ towers, labels, arrays }) {
  const last = towers.at(-1);
  return towers.flatMap((tower) => [
    { kind: "chips", tower, title: tower.title },
    ...tower.parts.flatMap((part) => KINDS[part.kind](tower, part, labels)),
    ...(tower === last ? [{ kind: "answer", tower, label: labels.next, beside: Boolean(arrays.was) }] : []),
  ]);
}

// How wide each item is when `open` is gone into, or nothing is.
function widths(items, open, room, sizes, chosen, out) {
  const gaps = items.filter((item) => item.kind === "gap" && item !== open && !out(item));
  const at = open ? items.indexOf(open) : NaN;
  const fixed = items.map((item, n) => {
    const { kind, tower } = item;
    if (item === open || out(item)) return 0;
    if (kind === "chips") return sizes.chips.get(tower) + sizes.between;
    if (kind === "answer") return sizes.answer;
    if (kind !== "strip") return 0;
    const beside = items[n - 1]?.kind === "strip" ? BESIDE : 0; // two columns that touch
    if (!open) return sizes.strip + beside;
    // On a phone what is gone into has all the room.
    if (Math.abs(n - at) === 1) return sizes.narrow && chosen ? 0 : Math.min(OPEN, (sizes.large && chosen ? 1 : 2) * sizes.strip);
    return sizes.narrow ? SQUEEZED.narrow : Math.min(SQUEEZED.strip, sizes.strip);
  });
  const left = Math.max(0, room - fixed.reduce((sum, one) => sum + one, 0));
  return items.map((item, n) => {
    const other = sizes.narrow ? SQUEEZED.narrow : SQUEEZED.gap;
    if (item === open) return Math.max(0, left - other * gaps.length);
    if (item.kind !== "gap" || out(item)) return fixed[n];
    return open ? other : left / gaps.length;
  });
}

// Where the parts of a gap stand: one upon the other while it is closed, side by side in one that
// is open.
function placed(gap, x, width, isOpen, { strip, narrow }, chosen) {
  if (!isOpen) {
    return gap.parts.map(({ kind }) =>
      (kind === "head" ? { x, width } : { x: x + width / 2, width: 0 }));
  }
  const strips = gap.parts.filter(({ kind }) => kind === "inner").length;
  const heads = gap.parts.length - strips;
  const space = Math.min(narrow ? SPACE / 3 : SPACE, width / (4 * gap.parts.length));
  const room = width - space * (gap.parts.length + 1);
  if (chosen) {
    const sliver = narrow ? 0 : Math.min(SLIVER, (0.2 * room) / gap.parts.length);
    const large = room - sliver * (gap.parts.length - 1);
    let at = x + space;
    return gap.parts.map((part) => {
      const place = { x: at, width: part === chosen ? large : sliver };
      at += place.width + space;
      return place;
    });
  }
  const own = (narrow ? 1.5 : 2) * Math.min(OPEN / 2, strip);
  const most = (heads ? 0.35 * width : room) / Math.max(1, strips);
  const column = Math.min(heads ? own : 130, most);
  const head = heads ? Math.max(8, (room - column * strips) / heads) : 0;
  let at = x + space;
  return gap.parts.map((part) => {
    const place = { x: at, width: part.kind === "head" ? head : column };
    at += place.width + space;
    return place;
  });
}

/**
 * Where items stand, with one gap gone into or none.
 * @param {Item[]} items
 * @param {Item | undefined} open
 * @param {number} room in pixels
 * @param {ReturnType<typeof sizesOf>} sizes
 * @param {Item} [chosen] the part that is gone into
 * @param {string} [shown] the tower that is, where it is one at a time
 * @returns {Map<Item, { x: number, width: number }>} by item, and by part of a gap
 */
export function layout(items, open, room, sizes, chosen, shown) {
  const found = new Map();
  const out = (item) => leftOut(items, item, shown, chosen);
  const wide = widths(items, open, room, sizes, chosen, out);
  let x = 0;
  items.forEach((item, n) => {
    if (item.kind === "chips") {
      if (out(item)) {
        found.set(item, { x, width: 0 });
        return;
      }
      if (n) x += sizes.between / 2;
      found.set(item, { x, width: sizes.chips.get(item.tower) });
      x += wide[n] - (n ? sizes.between / 2 : 0);
      return;
    }
    const beside = item.kind === "strip" && items[n - 1].kind === "strip" && !open ? BESIDE : 0;
    found.set(item, { x: x + beside, width: wide[n] - beside });
    if (item.kind === "gap") {
      placed(item, x, wide[n], item === open, sizes, chosen)
        .forEach((one, i) => found.set(item.parts[i], one));
    }
    x += wide[n];
  });
  return found;
}

/**
 * The places between two layouts.
 * @param {Map<Item, { x: number, width: number }>} from
 * @param {Map<Item, { x: number, width: number }>} to
 * @param {number} share of the way
 * @returns {Map<Item, { x: number, width: number }>}
 */
export function between(from, to, share) {
  if (share >= 1) return to;
  const mix = (a, b) => a + (b - a) * share;
  return new Map([...to].map(([item, { x, width }]) => {
    const before = from.get(item) ?? { x, width };
    return [item, { x: mix(before.x, x), width: mix(before.width, width) }];
  }));
}

// The inside of a head, told as one: the query meets each key, each pair gives a number, the numbers
// become weights, and by them the values flow into the mix. Column comes after column, and in a
// column row after row.

import { animate, REDUCED_MOTION } from "../shared/time.js";

export const COLUMN = 850; // ms
const ROWS = 0.7; // of that, until the last of its rows has begun to come
const WIDE = 2; // pixels of a line between what is compared

const within = (share) => Math.max(0, Math.min(1, share));

// How much of a mark is there, when so many columns have come.
const comes = (come, at, row, n) => within((come - at - (ROWS * row) / Math.max(1, n)) / (1 - ROWS));

// The line from the query to the key that it meets.
function meet(sheet, context, come) {
  const [query, keys, found] = ["q", "k", "dots"].map((name) =>
    sheet.columns.findIndex((one) => one.name === name));
  const result = found < 0 ? sheet.columns.findIndex((one) => one.name === "scores") : found;
  if (query < 0 || keys < 0 || come < result || come > result + 1) return;
  const marks = sheet.columns[result].marks;
  const n = Math.min(marks.length - 1, Math.floor(((come - result) / ROWS) * marks.length));
  const [from, to] = [query, keys].map((one) => sheet.places.get(sheet.columns[one]));
  const [start, end] = [sheet.y(sheet.columns[query].marks[0].row), sheet.y(marks[n].row)];
  context.strokeStyle = sheet.palette.query;
  context.lineWidth = WIDE;
  context.beginPath();
  context.moveTo(from.x + from.width, start);
  context.lineTo(to.x, end);
  context.stroke();
  context.strokeStyle = sheet.palette.key;
  context.strokeRect(to.x - 1, end - sheet.height / 2 + 1, to.width + 2, sheet.height - 2);
}

/**
 * Nothing of it is there yet.
 * @param {import("./sheet.js").Sheet} sheet
 */
export function hush(sheet) {
  Object.assign(sheet, { there: () => 0, over: null, come: 0 });
}

/**
 * Tell what has not come of it yet; what was told further than that goes back.
 * @param {import("./sheet.js").Sheet} sheet
 * @param {string[]} span the column that was told before, and the last one that is told; all where there is none
 * @param {() => void} draw
 * @param {() => boolean} goesOn it is still what is shown
 */
export function tell(sheet, [before, last], draw, goesOn) {
  const { columns } = sheet;
  const behind = (column) => columns.findIndex(({ name }) => name === column) + 1;
  const to = behind(last) || columns.length;
  const from = Math.max(sheet.come, behind(before));
  animate(COLUMN * (to - from), (share) => {
    if (!goesOn()) return;
    const come = from + (to - from) * share;
    sheet.come = come;
    sheet.there = (column, row) => comes(come, columns.indexOf(column), row, column.marks.length);
    sheet.over = share < 1 ? (context) => meet(sheet, context, come) : null;
    draw();
  }, (even) => even);
}

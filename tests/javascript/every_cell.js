// The arithmetic of every cell of every sheet of the payloads on stdin (base64, one a line): what
// would stand beside the cell that no learner should see.

import { readFileSync } from "node:fs";

import { Operands, blocksOf } from "../../assets/components/matrix/arithmetic.js";
import { Cells } from "../../assets/components/matrix/cells.js";
import { unpack } from "../../assets/components/shared/payload.js";

const said = (block) => JSON.stringify(block.line ?? block.bars ?? "");
const holes = (block) => (/undefined|null|NaN|\{\w+\}/.test(said(block)) ? [said(block)] : []);

const endOf = (block) => block.line?.at(-1).value;

function wrong(cells, i, j) {
  const operands = new Operands(cells);
  const { per_row: perRow, steps: same } = cells.sheet.how;
  const steps = perRow?.[i] ?? same;
  const blocks = [false, true].map((open) => steps.map((step) => blocksOf(step, operands, open)));
  // The step that made the cell ends in the number that stands in it.
  const ends = blocks[0].filter((_, at) => perRow || steps[at].now)
    .map(([block]) => endOf(block)).filter((end) => end !== undefined);
  const made = !ends.length || ends.some((end) => Math.fround(end) === Math.fround(cells.value(i, j)));
  const place = `${cells.sheet.title} ${i}, ${j}`;
  return [
    ...(made ? [] : [`${place} is ${cells.value(i, j)}, not ${ends}`]),
    ...blocks.flat(2).flatMap(holes).map((what) => `${place}: ${what}`)];
}

let seen = 0;
const found = readFileSync(0, "utf-8").trim().split("\n").flatMap((packed) => {
  const payload = unpack(Uint8Array.from(Buffer.from(packed, "base64")));
  return payload.sheets.filter((sheet) => sheet.how).flatMap((sheet) => {
    const chosen = { ...payload.selection };
    const cells = new Cells((field) => chosen[field] ?? null);
    Object.assign(cells, { payload, sheet });
    return Array.from({ length: cells.count("rows") * cells.count("cols") }, (_, at) => {
      const [i, j] = [Math.floor(at / cells.count("cols")), at % cells.count("cols")];
      if (cells.masked(i, j)) return [];
      Object.assign(chosen, cells.naming(i, j));
      seen += 1;
      return wrong(cells, i, j);
    }).flat();
  });
});
process.stdout.write(JSON.stringify({ seen, found: found.slice(0, 20) }));

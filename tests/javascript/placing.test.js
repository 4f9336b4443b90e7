// Where names and towers stand when there is little room (assets/components/shared/canvas.js,
// assets/components/flow/layout.js, assets/components/flow/naming.js).

import assert from "node:assert/strict";
import { test } from "node:test";

import { layout, sizesOf } from "../../assets/components/flow/layout.js";
import { laid } from "../../assets/components/flow/naming.js";
import { spread } from "../../assets/components/shared/canvas.js";

const name = (middle, width) => ({ middle, width });

test("names stay where they are while none is over another", () => {
  assert.deepEqual(spread([name(20, 30), name(80, 40)], 0, 120, 6), [20, 80]);
});

test("names that would touch give way to both sides, and none leaves its room", () => {
  const [left, right] = spread([name(50, 40), name(60, 40)], 0, 120, 6);
  assert.equal(right - left, 46);
  assert.equal((left + right) / 2, 55);
  const edges = spread([name(5, 40), name(20, 40), name(118, 40)], 0, 140, 6);
  assert.deepEqual(edges, [20, 66, 118]);
  assert.equal(spread([name(10, 90), name(20, 40)], 0, 120, 6), null);
});

test("without room for all the less important names go, and what stays has a gap and stands by its own", () => {
  const names = [
    { text: "norm", middle: 128, width: 27, rank: 3 },
    ...[0, 1, 2, 3].map((n) => ({ text: String(n), middle: 169 + 39 * n, width: 8, rank: 1 })),
    { text: "+", middle: 315, width: 7, rank: 4 }, { text: "norm", middle: 333, width: 27, rank: 3.1 },
    { text: "feed-forward", middle: 352, width: 66, rank: 0 },
  ];
  const own = laid(names, { from: 100, to: 377, gap: 7 });
  assert.deepEqual(own.map(({ text }) => text), ["norm", "0", "1", "2", "3", "feed-forward"]);
  for (let n = 1; n < own.length; n++) {
    const [left, right] = [own[n - 1], own[n]];
    assert.ok(right.middle - right.width / 2 - left.middle - left.width / 2 >= 7);
  }
  assert.ok(own.at(-1).middle - 33 <= 352 && own.at(-1).middle + 33 >= 352);
  const close = [{ text: "norm", middle: 20, width: 27 }, { text: "0", middle: 30, width: 8 },
    { text: "1", middle: 44, width: 8 }, { text: "feed-forward", middle: 60, width: 66 }].map((one) => ({ ...one, rank: 0 }));
  const two = laid(close, { from: 0, to: 120, gap: 7 }, { lower: ({ text }) => text.length < 3 });
  assert.deepEqual(two.map(({ text, line }) => [text, line]), [["0", 0], ["1", 0], ["norm", 1], ["feed-forward", 1]]);
});

function run() {
  const [reads, writes] = [{ name: "source" }, { name: "target" }];
  const tower = (own) => [
    { kind: "chips", tower: own }, { kind: "strip", tower: own }, { kind: "strip", tower: own },
    ...[0, 1, 2].flatMap((layer) => [
      { kind: "gap", tower: own, layer, parts: [{ kind: "head" }] }, { kind: "strip", tower: own },
    ]),
  ];
  return { reads, writes, items: [...tower(reads), ...tower(writes), { kind: "answer", tower: writes }] };
}

test("on a phone a layer of the tower that is shown is wide enough for a finger", () => {
  const { reads, writes, items } = run();
  for (const [room, shown, least] of [[362, "source", 40], [362, "target", 24], [900, "", 39]]) {
    const sizes = sizesOf(items, room, 1, () => 62);
    const found = layout(items, undefined, room, sizes, undefined, shown);
    const wide = (own) => items.filter(({ kind, tower }) => kind === "gap" && tower === own)
      .map((item) => found.get(item).width);
    for (const own of shown === "source" ? [reads] : shown ? [writes] : [reads, writes]) {
      assert.ok(wide(own).every((one) => one >= least), `${shown}: ${wide(own)}`);
    }
    if (shown) assert.ok(wide(shown === "source" ? writes : reads).every((one) => one === 0));
    const last = found.get(items.at(-1));
    assert.ok(last.x + last.width <= room + 1);
  }
});

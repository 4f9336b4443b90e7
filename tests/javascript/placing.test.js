// Where names and towers stand when there is little room (assets/components/shared/canvas.js,
// assets/components/flow/layout.js).

import assert from "node:assert/strict";
import { test } from "node:test";

import { layout, sizesOf } from "../../assets/components/flow/layout.js";
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

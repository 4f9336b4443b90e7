// What was answered, as a browser keeps it for all its tabs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Study } from "../../assets/components/book/study.js";
import { keep, kept, nameOf } from "../../assets/components/shared/kept.js";

const KEPT = "lessons";
const FIRST = ["lesson-a", "q1", 0, 1, 1, 1, 0, 0, 2, "a", 1];
const SECOND = ["lesson-a", "q2", 0, 2, 0, 0, 0, 1, [1, 2], "b", 3];
const SEED = 7;
const nested = (n) => "[".repeat(n) + "]".repeat(n);

const progress = (answers = [], { ideas = {}, era = 0 } = {}) => ({ answers, ideas, era, seed: SEED });
const inBrowser = () => JSON.parse(kept(KEPT));

let tell;
globalThis.addEventListener = (_kind, act) => { tell = act; };

// A page that is opened where this is kept, and how often it hears of another tab.
function opened(own) {
  keep(KEPT, typeof own === "string" ? own : JSON.stringify(own));
  const study = new Study(SEED);
  const heard = { n: 0 };
  study.follow(() => { heard.n += 1; });
  return { study, heard };
}

// Another tab writes; this one hears of it, as a browser has it.
function another(own) {
  const newValue = JSON.stringify(own);
  keep(KEPT, newValue);
  tell({ key: nameOf(KEPT), newValue });
}

test("what is kept is there when the next page is opened", () => {
  const { study } = opened(progress([FIRST]));
  assert.deepEqual(study.progress, progress([FIRST]));
  study.hear(JSON.stringify(progress([FIRST, SECOND])));
  study.keep();
  assert.deepEqual(new Study(SEED).progress, progress([FIRST, SECOND]));
});

test("answers of two tabs are kept, and both hear of them", () => {
  const { study, heard } = opened(progress([FIRST]));
  another(progress([SECOND], { ideas: { idea: [0, 1] } })); // it had not heard of the first
  assert.equal(heard.n, 1);
  const both = { ...progress([FIRST, SECOND]), ideas: { idea: [0, 1] } };
  assert.deepEqual(study.progress, both);
  assert.deepEqual(inBrowser(), both);
  const later = [...SECOND.slice(0, 3), 3, 1, 1, ...SECOND.slice(6, 10), 4];
  another(progress([FIRST, later], { ideas: { idea: [0, 1] } }));
  assert.deepEqual(study.progress.answers, [FIRST, later]);
  tell({ key: "something", newValue: "{}" });
  assert.equal(heard.n, 2);
});

test("what another tab deletes stays deleted", () => {
  const { study } = opened(progress([FIRST]));
  another(progress([], { era: 1 }));
  assert.deepEqual(study.progress, progress([], { era: 1 }));
  study.hear(JSON.stringify(progress([FIRST, SECOND]))); // of before it was
  study.keep();
  assert.deepEqual(inBrowser(), progress([], { era: 1 }));
});

test("what is deleted here is of an older era than what comes after", () => {
  const { study } = opened(progress([FIRST], { era: 2 }));
  study.wipe();
  assert.deepEqual(study.progress, progress([], { era: 3 }));
  assert.equal(study.load(JSON.stringify(progress([FIRST], { era: 0 }))), "loaded"); // a file may be older
  assert.deepEqual(study.progress, progress([FIRST], { era: 3 }));
});

test("what something else has written there is repaired", () => {
  const within = (entry) => `{"answers": [${JSON.stringify(FIRST)}, ${entry}], "ideas": {}}`;
  const damaged = JSON.stringify([...SECOND.slice(0, 8), [[1]], ...SECOND.slice(9)]);
  for (const text of ["null", "[]", "{broken", nested(900), nested(50_000), within(damaged), within(nested(50_000))]) {
    const { study } = opened(text);
    assert.deepEqual(study.progress, progress(text.includes("lesson-a") ? [FIRST] : []));
  }
});

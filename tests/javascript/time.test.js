// What happens after a while: once, and with the last of what was asked.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { later } from "../../assets/components/shared/time.js";

function timed(check) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const heard = [];
  check(later((...values) => heard.push(values), 300), heard);
  mock.timers.reset();
}

test("quick calls are one, with the last values", () => timed((call, heard) => {
  call(1);
  mock.timers.tick(299);
  call(2);
  mock.timers.tick(299);
  assert.deepEqual(heard, []);
  mock.timers.tick(1);
  assert.deepEqual(heard, [[2]]);
}));

test("what is waited for can be done at once, and then only once", () => timed((call, heard) => {
  call("a");
  call.flush();
  assert.deepEqual(heard, [["a"]]);
  mock.timers.tick(1000);
  call.flush();
  assert.deepEqual(heard, [["a"]]);
}));

test("what is waited for can be given up", () => timed((call, heard) => {
  call("a");
  call.cancel();
  mock.timers.tick(1000);
  call.flush();
  assert.deepEqual(heard, []);
}));

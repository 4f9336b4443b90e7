// What goes along from page to page: what was chosen, her sentences, and the model of the bar.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { bring, chooseModel, onward, sentences } from "../../assets/components/shared/along.js";
import { keepHere } from "../../assets/components/shared/kept.js";

const OWN = "A small cat sat", MINE = "J'ai une pomme";

beforeEach(() => keepHere("along", "{}"));

test("what a page does not show waits for those that do", () => {
  bring({ layer: "4", head: "2", text: OWN }, ["layer", "head", "text"], false);
  bring({ layer: "1", text: OWN }, ["layer", "text"], false);
  assert.deepEqual(onward(false, {}, {}), { layer: "1", head: "2", hers: OWN });
  assert.deepEqual(onward(false, { head: null, token: 3 }, {}), { layer: "1", token: "3", hers: OWN });
});

test("what was taken back to its default goes along no more", () => {
  bring({ layer: "4" }, ["layer"], false);
  bring({}, ["layer"], false);
  assert.deepEqual(onward(false, {}, {}), {});
});

test("the place of a page, its clicks, its lesson and its experiment stay there", () => {
  const values = { place: "layer1", tour: "2", lesson: "masks", lesson_at: "3", experiment: "heads.one" };
  bring(values, Object.keys(values), false);
  assert.deepEqual(onward(false, {}, {}), {});
});

test("her sentence goes along, and not the text that stands in its place", () => {
  bring({ text: "The lesson's", hers: OWN }, ["text", "hers"], false);
  assert.deepEqual(onward(false, {}, {}), { hers: OWN });
  bring({ text: "The experiment's", hers: "" }, ["text", "hers"], false);
  assert.deepEqual(onward(false, {}, {}), {});
  bring({ text: "  " }, ["text", "hers"], false);
  assert.deepEqual(sentences(), {});
});

test("what is typed for a translator is kept beside her own sentence", () => {
  bring({ text: OWN }, ["text"], false);
  bring({ text: MINE }, ["text"], true);
  assert.deepEqual(sentences(), { hers: OWN, abroad: MINE });
  bring({ text: OWN }, ["text"], false);
  assert.deepEqual(onward(false, {}, {}), { hers: OWN, abroad: MINE });
});

test("a text that a link inside the app brings is none of hers", () => {
  assert.deepEqual(onward(false, { text: "The figure's" }, {}), { text: "The figure's", hers: "" });
  bring({ text: OWN }, ["text"], false);
  assert.deepEqual(onward(false, { text: "The figure's" }, {}), { text: "The figure's", hers: OWN });
});

test("home gives back the model of the bar, once", () => {
  bring({ model: "bert" }, ["model"], false);
  chooseModel(false, "bert");
  bring({ model: "gpt" }, ["model"], false);
  chooseModel(false, "gpt"); // the second choice of a page is still none of the bar's
  bring({ model: "elmo" }, ["model"], false);
  assert.deepEqual(onward(false, {}, {}), { model: "elmo" });
  assert.deepEqual(onward(true, {}, {}), { model: "bert" });
  bring({ model: "gpt" }, ["model"], false);
  assert.deepEqual(onward(true, {}, {}), { model: "gpt" });
});

test("where the bar had none chosen home has none, and what is chosen in the bar stays", () => {
  chooseModel(false, undefined);
  bring({ model: "gpt" }, ["model"], false);
  assert.deepEqual(onward(true, {}, {}), {});
  chooseModel(false, undefined);
  chooseModel(true, "gpt");
  bring({ model: "bert" }, ["model"], false);
  assert.deepEqual(onward(true, {}, {}), { model: "bert" });
});

test("the settings of an experiment stay on its page, but for where she looks and what she changed", () => {
  const put = (to, was = null) => ({ put: to, was });
  const values = { model: "gpt", step: "3", temperature: "2", layer: "5", text: "T", hers: OWN };
  bring(values, Object.keys(values), false);
  const tried = {
    model: put("gpt", "bert"), step: put("6"), temperature: put("2", "0.5"), layer: put("5", "1"),
    text: put("T", OWN), hers: put(OWN),
  };
  const wanted = { model: "bert", step: "3", temperature: "0.5", layer: "5", hers: OWN };
  assert.deepEqual(onward(false, {}, tried), wanted);
});

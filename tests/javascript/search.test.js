// Finding terms: capitals and accents do not count, and what is marked is what was typed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { found, inOrder, lettered, named } from "../../assets/components/glossary/search.js";
import { answers } from "../../assets/components/search/search.js";
import { closeness, folded, marked, markedWords } from "../../assets/components/shared/finding.js";

const term = (name, { text = "", forms = [], english = "", id = name } = {}) =>
  ({ id, term: name, forms, english, text, pages: [] });
const names = (terms) => terms.map((one) => one.term);

for (const text of ["Clé", "ÉTÉ", "⟨start⟩", "10 000 · 2π", "👩‍👧 İx", "W₁ ²", "l’été", ""]) {
  test(`"${text}" is folded sign by sign`, () => {
    assert.equal(folded(text).length, text.length);
  });
}

test("a text is marked where it has what was typed, and stays as it is", () => {
  assert.deepEqual(marked("Clé, CLES", "cle"),
    [["", false], ["Clé", true], [", ", false], ["CLE", true], ["S", false]]);
  assert.deepEqual(marked("aaa", "aa").map(([part]) => part).join(""), "aaa");
  assert.deepEqual(marked("Clé", ""), [["Clé", false]]);
});

test("the name that was typed comes first, then those that begin with it, then its mentions", () => {
  const terms = ["causal mask", "masked", "mask"].map((name) => term(name));
  const said = term("padding", { text: "A Mask." });
  const [by, within] = found([said, ...terms], "mask");
  assert.deepEqual(names(by), ["mask", "masked", "causal mask"]);
  assert.deepEqual(within, [said]);
});

test("where no name has it, its words are looked for, and then those with one slip", () => {
  const terms = ["⟨start⟩", "attention"].map((name) => term(name));
  assert.deepEqual(names(found(terms, "(start)")[0]), ["⟨start⟩"]);
  assert.deepEqual(names(found(terms, "atention")[0]), ["attention"]);
  assert.deepEqual(found(terms, "zebra"), [[], []]);
});

test("a link names a term by its id, before any form, or by a form with hyphens", () => {
  const terms = [term("a b", { forms: ["[C] d"], id: "x" }), term("clé", { english: "key" }), term("a-b"),
    term("·")];
  for (const [name, at] of [["x", 0], ["a-b", 2], ["c-d", 0], ["CLE", 1], ["key", 1]]) {
    assert.equal(named(terms, name), terms[at], name);
  }
  assert.equal(named(terms, "no"), undefined);
  assert.equal(named(terms, "-"), undefined);
});

test("signs come last, brackets and accents do not count, numbers are no letters", () => {
  const terms = ["·", "zéro", "être", "[CLS]", "eau", "80/10/10", "ε"].map((name) => term(name));
  const order = inOrder(terms, "fr");
  assert.deepEqual(names(order).slice(0, 4), ["[CLS]", "eau", "être", "zéro"]);
  assert.deepEqual([...lettered(order).keys()], ["C", "E", "Z", ""]);
});

test("a name answers better the more it is what was typed", () => {
  const how = (name) => closeness(name, "mask");
  assert.deepEqual(["Mask", "Masks", "Causal mask", "Unmasked", "Head"].map(how), [3, 2, 1, 0, -1]);
  assert.equal(closeness("C++ (code)", "(c"), 1);
});

test("places come closest first, and by their further names after those of the same title", () => {
  const places = [
    { title: "Causal mask", group: "Word", page: "/glossary", shows: { term: "causal-mask" } },
    { title: "Masks", group: "Inside a layer", page: "/masks", listed: true },
    { title: "Head", names: ["mask head"], group: "Word", page: "/glossary" },
    { title: "Next token", group: "Predictions", page: "/next-token", listed: true },
  ];
  const titles = (query) => answers(places, query).map((one) => one.title);
  assert.deepEqual(titles("mask"), ["Masks", "Head", "Causal mask"]);
  assert.deepEqual(titles(""), ["Masks", "Next token"]);
  assert.deepEqual(titles("zebra"), []);
});

test("a query is found word by word, in any order, past hyphens, idle words and one slip", () => {
  const places = [
    { title: "multi-head attention", group: "Word", page: "/glossary", shows: { term: "x" } },
    { title: "How a token looks", words: "attention head why divide", group: "Lesson", page: "/lessons",
      shows: { lesson: "attention" } },
    { title: "Attention", names: ["copying head"], group: "Inside a layer", page: "/a", listed: true },
    { title: "embedding", group: "Word", page: "/glossary", shows: { term: "embedding" } },
  ];
  const titles = (query) => answers(places, folded(query)).map((one) => one.title);
  const all = ["Attention", "How a token looks", "multi-head attention"];
  assert.deepEqual(titles("attention head"), ["Attention", "How a token looks", "multi-head attention"]);
  assert.deepEqual(titles("heads attention"), all);
  assert.deepEqual(titles("how does attention work?"), all);
  assert.deepEqual(titles("multi head"), ["multi-head attention"]);
  assert.deepEqual(titles("multihead"), ["multi-head attention"]);
  assert.deepEqual(titles("why divide"), ["How a token looks"]);
  assert.deepEqual(titles("copy"), ["Attention"]);
  for (const slip of ["embeding", "embbedding", "embedidng", "embadding"]) {
    assert.deepEqual(titles(slip), ["embedding"], slip);
  }
  assert.deepEqual(titles("zebras run"), []);
});

test("the words of a query are marked where they begin", () => {
  assert.deepEqual(markedWords("Multi-Head attention", "attention head").filter(([, hit]) => hit),
    [["Head", true], ["attention", true]]);
});

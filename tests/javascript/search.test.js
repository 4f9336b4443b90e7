// Finding terms: capitals and accents do not count, and what is marked is what was typed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { found, inOrder, lettered, named } from "../../assets/components/glossary/search.js";
import { answers, indexed, stem } from "../../assets/components/search/places.js";
import { folded, marked, markedWords } from "../../assets/components/shared/finding.js";

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

const PLACES = [
  { title: "Masks", group: "Inside a layer", page: "/masks", listed: true, head: "Which tokens may attend?" },
  { title: "Attention", names: ["copying head"], group: "Inside a layer", page: "/a", listed: true,
    text: "A softmax turns scores into weights, and a mask forbids some." },
  { title: "Why divide by √d_head?", group: "Attention", page: "/a", section: "Why divide by √d_head?" },
  { title: "Turn the temperature", group: "GPT", page: "/lessons", shows: { lesson: "gpt", lesson_at: 4 } },
  { title: "multi-head attention", group: "Word", page: "/glossary", shows: { term: "x" } },
  { title: "causal mask", group: "Word", page: "/glossary", shows: { term: "causal-mask" } },
  { title: "température", names: ["temperature"], group: "Mot", page: "/glossary", shows: { term: "t" } },
  { title: "[MASK]", group: "Word", page: "/glossary", shows: { term: "mask-token" } },
  { title: "embedding", group: "Word", page: "/glossary", shows: { term: "embedding" } },
];
const INDEX = indexed({ places: PLACES, alike: [["sqrt", "√", "square root"], ["sigma", "σ"]] });
const titles = (query) => answers(INDEX, query).map((one) => one.title);

test("before anything is typed the pages are listed", () => {
  assert.deepEqual(titles(" "), ["Masks", "Attention"]);
});

test("what is called so comes first, then titles, then what is said there", () => {
  assert.deepEqual(titles("mask").slice(0, 2), ["Masks", "[MASK]"]);
  assert.equal(titles("mask").at(-1), "Attention");
  assert.equal(titles("[MASK]")[0], "[MASK]");
  assert.deepEqual(titles("softmax"), ["Attention"]);
});

test("all words found beats some, and a rare word tells more than a common one", () => {
  assert.equal(titles("causal mask")[0], "causal mask");
  assert.deepEqual(titles("attention heads").slice(0, 2), ["Attention", "multi-head attention"]);
  assert.equal(titles("mask of a zebra")[0], "Masks");
  assert.deepEqual(titles("zebra"), []);
});

test("capitals, accents, hyphens, plurals, idle words and one slip do not count", () => {
  assert.equal(titles("TEMPÉRATURES")[0], "température");
  for (const query of ["multi head", "multihead", "multi-head"]) {
    assert.equal(titles(query)[0], "multi-head attention", query);
  }
  assert.equal(titles("how does attention work?")[0], "Attention");
  assert.equal(titles("what is the causal mask")[0], "causal mask");
  assert.equal(titles("copy")[0], "Attention");
  for (const slip of ["embeding", "embbedding", "embedidng", "embadding"]) {
    assert.equal(titles(slip)[0], "embedding", slip);
  }
});

test("what means the same is found by either, signs too", () => {
  for (const query of ["why divide by sqrt", "divide by the square root", "√", "√d_head", "d_head"]) {
    assert.equal(titles(query)[0], "Why divide by √d_head?", query);
  }
});

test("a word is itself without an ending, and a short one stays whole", () => {
  assert.equal(stem("masks"), stem("masked"));
  assert.equal(stem("divide"), stem("dividing"));
  assert.equal(stem("réseaux".normalize("NFD").replace(/\p{M}/gu, "")), "reseau");
  for (const word of ["loss", "bias", "rnn", "id", "use"]) assert.equal(stem(word), word);
});

test("the words of a query are marked where they begin", () => {
  assert.deepEqual(markedWords("Multi-Head attention", "attention head").filter(([, hit]) => hit),
    [["Head", true], ["attention", true]]);
});

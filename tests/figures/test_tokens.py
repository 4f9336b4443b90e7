"""Chips, steppers and the strip: what components are told."""

from __future__ import annotations

import pytest

from core.analysis.words import Part
from core.figures.map import parts, strip_payload
from core.figures.steps import stepper
from core.figures.text import sentence
from core.figures.tokens import NAMED, SHOWN, changes, chip, cut_text, kind_of, labels
from core.tracing.sites import recorded_sites


def test_chips_say_what_kind_of_token_they_are(gpt, bert):
    start, *_words = gpt.tokens("The")
    assert chip(start)["kind"] == "special"
    assert chip(start)["label"] == "⟨start⟩"
    assert "a mark the model puts around every text" in chip(start)["title"]
    (unknown,) = (t for t in bert.tokens("猫") if t.unknown)
    assert chip(unknown)["kind"] == "unknown"
    assert "not in the vocabulary" in chip(unknown)["title"]
    loose = gpt.tokens("😀")[1]
    assert (chip(loose)["kind"], chip(loose)["label"]) == ("byte", "F0")
    assert chip(loose, born=True)["kind"] == "byte born"
    word = gpt.tokens("a")[1]
    assert (kind_of(word), chip(word, group=3)["group"]) == ("word", 3)
    assert chip(word)["title"] == f"id {word.id} · bytes 61"
    assert labels(gpt.tokens("a")) == ["⟨start⟩", "a"]


def test_what_was_cut_is_shortened_for_the_strip():
    assert cut_text("abc") == "abc"
    assert cut_text("a" * 500) == "a" * 160 + "…"


def test_changes_are_said_kind_by_kind_and_cut_when_there_are_many():
    same = Part("a b", "a b", "same")
    assert changes([]) is None
    assert changes([same]) is None
    capitals = [Part(char, char.lower(), "lowered") for char in "ABCDEFGHIJKLMNOP"]
    lost = Part("\u200b\x00\u0301\x00", "", "dropped")
    unknown = [Part("x" * 500, "[UNK]", "unknown"), Part("🙂", "[UNK]", "unknown")]
    assert str(changes([*capitals, same, *capitals, lost, *unknown])) == (
        "Lower-cased: A → a, B → b, C → c, D → d, E → e, F → f, G → g, H → h, I → i, J → j, "
        f"K → k, L → l and {len(capitals) - NAMED} more. "
        "Dropped: ‹U+200B›, ‹U+0000›, ◌\u0301. "
        f"Not in the vocabulary, so read as [UNK]: {'x' * SHOWN}…, 🙂."
    )


def test_a_stepper_knows_its_steps():
    payload = stepper(3, first=1, titles=["a", "b", "c"], texts=[sentence("one")], clears=("key",))
    header = payload.header
    assert (header["n"], header["first"], header["field"]) == (3, 1, "step")
    assert header["texts"] == [[["one", "plain"]]]
    assert payload.pack()


@pytest.mark.parametrize("which", ["gpt", "bert"])
def test_the_strip_follows_the_models_own_order(which, request):
    topology = request.getfixturevalue(which).model.topology
    ids = [part.id for part in parts(topology)]
    assert len(set(ids)) == len(ids)
    sites = recorded_sites(topology)
    first, last = (sites.index(f"blocks.0.{name}") for name in ("ln_1.out", "attn.scores"))
    assert (ids.index("norm_1") < ids.index("scores")) == (first < last)
    assert ("final_norm" in ids) == topology.final_norm
    assert ("embed_norm" in ids) == topology.embed_norm


def test_the_strip_lights_where_you_are_and_links_the_rest(gpt):
    payload = strip_payload(
        gpt.model.topology, ("scores",), {"tokens": "/tokens", "scores": "/attention"}, layer=1
    )
    found = {part["id"]: part for part in payload.header["parts"]}
    assert [id for id, part in found.items() if part["lit"]] == ["scores"]
    assert found["tokens"]["page"] == "/tokens"
    assert found["logits"]["page"] is None
    assert payload.header["layer"] == 1

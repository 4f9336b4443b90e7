"""A text as tokenizers cut it, and what its characters cost."""

from __future__ import annotations

import dataclasses
from math import log2

import numpy as np
import pytest

from core.analysis.distributions import order_0_entropy
from core.errors import AbilityError
from core.figures.theme import PALETTES
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.spelling import hexadecimal
from core.text.bpe import split_words
from tests.views.records import drawn, header, rows, shown, written
from tests.views.text.conftest import FRENCH

NAME = "text.tokens"


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_chips_have_ids_bytes_and_words(runs, model):
    view, record = shown(runs, NAME, model=model, text="The cat 🙂")
    found = view.show(record).payload().header
    for token, chip, note in zip(record.run.tokens, found["tokens"], found["notes"], strict=True):
        assert note == str(token.id)
        if token.special:
            assert chip["group"] is None
            assert chip["detail"] == ""
    words = split_words("The cat 🙂")
    assert {chip["group"] for chip in found["tokens"]} - {None} <= set(range(len(words)))
    assert len(found["readings"]) == len(words)
    assert "\ufffd" not in str(found)
    if model == "gpt":
        # The smiley is no entry of this small vocabulary: its bytes stand on the chips.
        labels = " ".join(chip["label"] for chip in found["tokens"] if chip["kind"] == "byte")
        assert labels.replace(" ", "") == "F09F9982"
        assert [part[0] for part in found["lines"][0]][-1].endswith("as they were typed.")
    else:
        said = "".join(part[0] for line in found["lines"] for part in line)
        assert "T → t" in said
        assert "[UNK]: 🙂" in said


def test_what_was_dropped_is_named(runs):
    text = "a \u200b x\u0301"  # no letter is an x with an accent
    found = header(runs, NAME, model="bert", text=text)
    said = "".join(part[0] for part in found["lines"][1])
    assert "‹U+200B›" in said
    assert "◌\u0301" in said
    # The hidden character is a word of its own for GPT; no token of BERT's comes from it.
    words = split_words(text)
    reading = found["readings"][words.index(" \u200b")]
    assert "not read" in "".join(part[0] for part in reading)


def readings(runs, **values: str) -> list[str]:
    view, record = shown(runs, NAME, **values)
    return [*map(str, view.show(record).readings)]


def test_words_that_one_token_makes_one_are_read_together(runs):
    """GPT reads the control character as a word; BERT drops it and reads "cat"."""
    _view, record = shown(runs, NAME, model="bert", text="c\x00at sat")
    assert record.words == ["c", "\x00", "at", " sat"]
    said = readings(runs, model="bert", text="c\x00at sat")
    assert said == ["“c‹U+0000›at” is 1 token: cat"] * 3 + ["“sat” is 1 token: sat"]
    assert readings(runs, text="c\x00at sat")[1] == "“‹U+0000›” is 1 token: ‹U+0000›"


def test_a_very_long_word_is_shortened_in_sentences(runs):
    long = "x" * 5000
    assert readings(runs, model="bert", text=long)[0] == f"“{'x' * 40}…” is 1 token: [UNK]"
    assert readings(runs, text=long)[0].endswith("is 31 tokens: " + "x  " * 24 + "…")


def test_too_long_a_text_is_cut_and_shown_cut(runs):
    view, record = shown(runs, NAME, text="dog " * 100)
    found = view.show(record).payload().header
    assert found["cut"]
    assert len(found["tokens"]) <= 32
    assert any("longer than the model can read" in line for line in written(view, record))


@pytest.mark.parametrize("model", ["gpt", "bert", "transformer"])
def test_the_table_has_every_token_with_its_bytes_and_its_place(runs, model):
    view, record = shown(runs, NAME, model=model, text="The cat 🙂")
    table = rows(view, record)
    assert table[0] == [
        "position", "token", "id", "bytes", "word", "first character", "last character",
    ]  # fmt: skip
    for at, (token, group) in enumerate(zip(record.run.tokens, record.groups, strict=True)):
        own = "" if token.special else hexadecimal(token.data)
        word = "" if group is None else str(group)
        line = [str(at), token.label, str(token.id), own, word]
        assert table[1 + at] == [*line, str(token.start), str(token.end)]
    values = view.values(record)
    assert values["n_tokens"].array.tolist() == [
        len(record.tokens_of(word)) for word in range(len(record.words))
    ]
    assert values["all_tokens"].value == len(record.body)


@pytest.mark.parametrize(("text", "tokens", "mean"), [("cats", 2, 2.0), ("The cats sat", 4, 4 / 3)])
def test_tokens_per_word_are_all_tokens_of_the_text_over_its_words(runs, text, tokens, mean):
    view, record = shown(runs, NAME, model="bert", text=text)
    values = view.values(record)
    assert values["all_tokens"].value == tokens  # [CLS] and [SEP] are not of the text
    assert values["mean"].value == pytest.approx(mean)


def test_the_word_that_is_selected_is_selected_in_the_file(runs):
    view, record = shown(runs, NAME, text="The cat sat", word="1")
    strip = view.show(record)
    assert strip.chosen() == 1
    accent = PALETTES["light"].accent
    edges = [one.get("stroke") for one in drawn(view, record, "rect") if one.get("rx")]
    assert edges.count(accent) == len(record.tokens_of(1))
    assert str(strip.readings[1]) in " ".join(written(view, record))


def test_the_file_says_what_the_heading_says_and_bytes_have_a_line(runs):
    view, record = shown(runs, NAME, text="The cat")
    words = written(view, record)
    assert any("byte-level BPE, 300 entries" in line for line in words)
    chips = view.show(record).tokens
    for chip in chips:
        assert chip.label in words
        assert not chip.detail or chip.detail in words


def test_a_joint_code_reads_french_and_ends_with_its_mark(joint_runs):
    view, record = shown(joint_runs, NAME, model="transformer", text=FRENCH)
    found = view.show(record).payload().header
    assert found["tokens"][-1]["label"] == "</s>"
    assert found["tokens"][-1]["group"] is None
    assert "byte-level BPE" in str(found["heading"])
    assert "as they were typed" in str(found["lines"])
    assert b"".join(token.data for token in record.body).decode() == FRENCH


def test_a_family_that_nobody_knows_is_called_by_its_own_name(runs):
    view, record = shown(runs, "text.tokens", model="gpt", text="the cat")
    own = dataclasses.replace(record.run, family="unigram_byte")
    strip = view.show(dataclasses.replace(record, run=own))
    assert "unigram byte" in str(strip.heading)
    assert str(strip.lines[0]) == "GPT reads the text as it was typed."
    for family, name in (("byte_bpe", "byte-level BPE"), ("wordpiece", "WordPiece")):
        own = dataclasses.replace(record.run, family=family)
        assert name in str(view.show(dataclasses.replace(record, run=own)).heading)


BITS_NAME, TEXT = "text.bits", "The cat told the dog a story."


def test_bits_per_character_are_the_sums_they_claim(runs):
    view, record = shown(runs, BITS_NAME, text=TEXT)
    run = runs.get(TraceRequest("gpt", Text(TEXT)))
    logits, ids = run.trace["logits"].astype(np.float64), run.trace.ids
    bits = 0.0
    for at in range(len(ids) - 1):
        p = np.exp(logits[at] - logits[at].max())
        bits -= log2(p[ids[at + 1]] / p.sum())
    assert record.predicted == pytest.approx(bits / len(TEXT), rel=1e-5)
    assert record.characters == pytest.approx(order_0_entropy(TEXT))
    assert record.n_characters == len(TEXT)
    figure = view.show(record).figure("light")
    assert [value for _name, value, _what in record.rows()] == list(figure.data[0].x[::-1])
    assert figure.layout.xaxis.title.text == "bits per character"
    assert figure.layout.yaxis.title.text == "code"


def test_the_table_has_every_code_and_what_it_is(runs):
    view, record = shown(runs, BITS_NAME, text=TEXT)
    table = rows(view, record)
    assert table[0] == ["code", "bits per character", "what it measures"]
    for line, (name, bits, what) in zip(table[1:4], record.rows(), strict=True):
        assert line == [name, str(bits), what]
    assert view.values(record)["bits"].value == record.predicted


def test_the_file_names_the_codes(runs):
    view, record = shown(runs, BITS_NAME, text=TEXT)
    words = written(view, record)
    assert {"characters", "learned code", "GPT"} <= set(words)


def test_the_readings_say_which_is_less(runs):
    view, record = shown(runs, BITS_NAME, text="aaaaaaaaaaaaaaaa")
    assert record.characters == 0
    assert "needs less, 0 per character" in str(view.describe(record))


def test_a_machine_that_translates_does_not_say_how_likely_a_text_is(joint_runs):
    with pytest.raises(AbilityError, match="cannot predict the next token"):
        shown(joint_runs, BITS_NAME, model="transformer", text=TEXT)

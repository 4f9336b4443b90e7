"""Views of tokenization: what they show is what tokenizer, trainer and model said."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log2
from xml.etree import ElementTree

import numpy as np
import pytest

from core.analysis.distributions import order_0_entropy
from core.figures.payload import unpack
from core.figures.tokenization import CORPUS, NEVER, Tokenizing
from core.figures.view import PlotView, get
from core.requests import TraceRequest
from core.runs import Runs
from core.text.bpe import split_words
from tests.conftest import loaded, tiny_gpt
from tests.text.awkward import EXAMPLES
from tests.text.layouts import LAYOUTS, laid_out

TEXT = "The cat told the dog a story."
ALL = [
    "text.tokens", "text.encode", "text.bits", "text.pairs", "text.corpus", "text.learnt",
    "text.code",
]  # fmt: skip


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


@pytest.fixture(scope="module")
def record_of(runs):
    def record(name: str, **values):
        params = Tokenizing(**{"text": TEXT} | values)
        view = get(name)
        return view, view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("text", [TEXT, *(text for text in EXAMPLES if text)])
@pytest.mark.parametrize("name", ALL)
def test_every_view_says_and_draws_something(record_of, name, text, mode):
    view, record = record_of(name, text=text, corpus=text, merges=12, merge=5)
    said = str(view.describe(record))
    assert said.strip()
    assert not re.search(r"\{\w+\}", said.replace(text, ""))
    table = view.table(record)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert view.title(record)
    if isinstance(view, PlotView):
        figure = view.figure(record, mode)
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text
        assert figure.layout.yaxis.title.text
    else:
        assert unpack(view.payload(record).pack()).header["labels"]
        ElementTree.fromstring(_drawable(view.svg(record, mode)))


def _drawable(svg: str) -> str:
    """Noncharacters are no XML; nothing else may be wrong with a drawing."""
    return re.sub("[\ufffe\uffff]", "", svg)


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_chips_have_ids_bytes_and_words(record_of, model):
    view, record = record_of("text.tokens", model=model, text="The cat 🙂")
    header = view.payload(record).header
    for token, chip, note in zip(record.run.tokens, header["tokens"], header["notes"], strict=True):
        assert note == str(token.id)
        if token.special:
            assert chip["group"] is None
            assert chip["detail"] == ""
    words = split_words("The cat 🙂")
    assert {chip["group"] for chip in header["tokens"]} - {None} <= set(range(len(words)))
    assert len(header["readings"]) == len(words)
    assert "\ufffd" not in str(header)
    if model == "gpt":
        # The smiley is no entry of this small vocabulary: its bytes stand on the chips.
        labels = " ".join(chip["label"] for chip in header["tokens"] if chip["kind"] == "byte")
        assert labels.replace(" ", "") == "F09F9982"
        assert [part[0] for part in header["lines"][0]][-1].endswith("as they were typed.")
    else:
        said = "".join(part[0] for line in header["lines"] for part in line)
        assert "T → t" in said
        assert "[UNK]: 🙂" in said


def test_what_was_dropped_is_named(record_of):
    view, record = record_of("text.tokens", model="bert", text="a \u200b e\u0301")
    said = "".join(part[0] for part in view.payload(record).header["lines"][1])
    assert "‹U+200B›" in said
    assert "◌\u0301" in said
    reading = view.payload(record).header["readings"]
    # The hidden character is a word of its own for GPT; no token of BERT's comes from it.
    words = split_words("a \u200b e\u0301")
    assert "not read" in "".join(part[0] for part in reading[words.index(" \u200b")])


def test_words_that_one_token_makes_one_are_read_together(record_of):
    """GPT reads the control character as a word; BERT drops it and reads "cat"."""
    view, record = record_of("text.tokens", model="bert", text="c\x00at sat")
    assert record.words == ["c", "\x00", "at", " sat"]
    said = [str(view.reading(record, word)) for word in range(4)]
    assert said == ["“c‹U+0000›at” is 1 token: cat"] * 3 + ["“sat” is 1 token: sat"]
    _view, record = record_of("text.tokens", model="gpt", text="c\x00at sat")
    assert str(view.reading(record, 1)) == "“‹U+0000›” is 1 token: ‹U+0000›"


def test_a_very_long_word_is_shortened_in_sentences(record_of):
    view, record = record_of("text.tokens", model="bert", text="x" * 5000)
    assert str(view.reading(record, 0)) == f"“{'x' * 40}…” is 1 token: [UNK]"
    view, record = record_of("text.tokens", text="x" * 5000)
    assert str(view.reading(record, 0)).endswith("is 31 tokens: " + "x  " * view.LISTED + "…")


def test_when_nothing_is_left_to_merge_it_is_said(record_of):
    view, record = record_of("text.pairs", corpus="low low", merges=200, merge=200)
    *before, last = view.payload(record).header["frames"]
    assert last["rows"] == []
    assert last["note"] == "No pair is left to merge: every word is one symbol."
    assert all(frame["rows"] and not frame["note"] for frame in before)


def test_too_long_a_text_is_cut_and_shown_cut(record_of):
    view, record = record_of("text.tokens", text="dog " * 100)
    header = view.payload(record).header
    assert header["cut"]
    assert len(header["tokens"]) <= 32


def test_ladders_go_from_bytes_to_tokens(record_of, gpt):
    view, record = record_of("text.encode", word=1)
    header = view.payload(record).header
    pieces = header["pieces"]
    for word, at in zip(record.words, header["of"], strict=True):
        ladder = header["ladders"][at]
        first, last = ladder["rows"][0], ladder["rows"][-1]
        assert len(first["symbols"]) == len(word.encode()) == ladder["bytes"]
        assert last["symbols"] == gpt.tokenizer.encode(word, special=False)
        for row, following in zip(ladder["rows"], ladder["rows"][1:], strict=False):
            assert sum(pieces[str(i)]["bytes"] for i in row["symbols"]) == ladder["bytes"]
            known = [rank for rank in row["ranks"] if rank is not None]
            # The pair with the lowest place in the list is joined, where it stands first.
            assert following["joined"]["rank"] == min(known)
            assert row["ranks"][following["joined"]["at"]] == min(known)
        assert all(rank is None for rank in last["ranks"])
    assert record.counts == [len(header["ladders"][at]["rows"]) for at in header["of"]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_words_are_put_together_whatever_ids_the_file_has_given(layout):
    tokenizer = laid_out(layout)
    small = tiny_gpt(vocab_size=tokenizer.largest_id + 1, n_ctx=64)
    runs = Runs(load=lambda name, device: loaded(small, tokenizer))
    for text in ("the cat sat", *filter(None, EXAMPLES)):
        params = Tokenizing(text=text)
        for name in ALL:
            view = get(name)
            record = view.compute([runs.get(r) for r in view.requests(params)], params)
            assert view.table(record).columns
            if name == "text.encode":
                _check_ladders(view, record, tokenizer)


def _check_ladders(view, record, tokenizer):
    """Every row of every word spells it, and the last one is made of the tokenizer's own ids."""
    header = view.payload(record).header
    for word, at in zip(record.words, header["of"], strict=True):
        shown = word.encode()[: view.MAX_BYTES].decode(errors="ignore")
        rows = [row["symbols"] for row in header["ladders"][at]["rows"]]
        assert rows[-1] == tokenizer.encode(shown, special=False)
        spelt = [b"".join(record.code.vocabulary[i] for i in symbols) for symbols in rows]
        assert spelt == [shown.encode()] * len(rows)
        assert all("label" in header["pieces"][str(i)] for row in rows for i in row)
    assert f" of {tokenizer.vocab_size} entries" in str(view.describe(record))


def test_a_word_can_be_put_together_by_the_learnt_code(record_of):
    _, own = record_of("text.encode", code="learnt", corpus="the the the", merges=1, text="the")
    assert own.code.vocabulary[-1] in (b"th", b"he")
    assert [len(rung.symbols) for rung in own.ladders["the"]] == [3, 2]


def test_a_very_long_word_is_drawn_in_part_and_says_so(record_of, monkeypatch):
    view = get("text.encode")
    monkeypatch.setattr(type(view), "MAX_BYTES", 8)
    _, record = record_of("text.encode", text="aaaaaaaéa")  # é would be cut in two
    ladder = view.payload(record).header["ladders"][0]
    assert ladder["bytes"] == 7
    assert "first 7 bytes" in ladder["note"]
    assert "of 10" in ladder["note"]


def test_bits_per_character_are_the_sums_they_claim(record_of, runs):
    view, record = record_of("text.bits")
    run = runs.get(TraceRequest("gpt", TEXT))
    logits, ids = run.trace["logits"].astype(np.float64), run.trace.ids
    bits = 0.0
    for at in range(len(ids) - 1):
        p = np.exp(logits[at] - logits[at].max())
        bits -= log2(p[ids[at + 1]] / p.sum())
    assert record.predicted == pytest.approx(bits / len(TEXT), rel=1e-5)
    assert record.characters == pytest.approx(order_0_entropy(TEXT))
    assert record.n_characters == len(TEXT)
    assert [value for _name, value, _what in record.rows()] == list(
        view.figure(record, "light").data[0].x[::-1]
    )


def test_pairs_corpus_and_entries_tell_the_same_story(record_of):
    view, record = record_of("text.pairs", corpus="low low lower newest", merges=6, merge=2)
    header = view.payload(record).header
    counts = unpack(view.payload(record).pack()).arrays["probs"]
    code = record.learning.code
    for step, merge in enumerate(code.merges):
        assert header["frames"][step]["rows"][0]["chosen"]
        assert counts[step, 0, 0] == merge.count
        assert header["frames"][step]["rows"][0]["id"] == f"{merge.left} {merge.right}"
    corpus = get("text.corpus")
    payload = corpus.payload(record)
    life, chips = payload.arrays["life"], payload.header["tokens"]
    for step in range(len(code.merges) + 1):
        alive = (life[:, 0] <= step) & (step < life[:, 1])
        assert alive.sum() == sum(
            len(split) for split in (_split(code, word, step) for word in record.learning.words)
        )
        by_word: dict[int, str] = {}
        for chip, living in zip(chips, alive, strict=True):
            if living:
                by_word[chip["word"]] = by_word.get(chip["word"], "") + chip["label"]
        assert list(by_word.values()) == [
            word.text.replace(" ", "·") for word in record.learning.words
        ]
    assert (life[:, 1] == NEVER).any()
    entries = get("text.learnt").payload(record).header["tokens"]
    assert len(entries) == len(code.merges)
    assert entries[0]["label"] == record.label(code.merges[0].new)


def _split(code, word, step):
    *_, last = replace(code, merges=code.merges[:step]).encode_word(word.text)
    return last.symbols


def test_counts_of_words_stand_behind_their_last_symbol(record_of):
    _, record = record_of("text.corpus", corpus="low low low", merges=3, merge=0)
    payload = get("text.corpus").payload(record)
    life, notes = payload.arrays["life"], payload.header["notes"]
    for step in range(4):
        shown = [
            note for note, (born, gone) in zip(notes, life, strict=True) if born <= step < gone
        ]
        assert [note for note in shown if note] == ["×2"]  # " low" twice; "low" stands once


def test_an_empty_corpus_falls_back_to_the_example(record_of):
    _, record = record_of("text.learnt", corpus="  \n", merges=5)
    assert record.learning.text == CORPUS
    _, asked = record_of("text.learnt", corpus="ab", merges=5, merge=150)
    assert asked.step == asked.n_merges == 1


def test_costs_by_hand(record_of):
    # "aaaa": bytes a a a a, then aa aa, then aaaa.
    _, record = record_of("text.code", corpus="aaaa", merges=2, merge=1)
    assert record.fixed == pytest.approx([8.0 * 4 / 4, log2(257) * 2 / 4, log2(258) / 4])
    assert record.ideal == pytest.approx([0, 0, 0])
    assert record.characters == 0
    assert record.huffman == 1
    assert record.tokens_per_word == 2
    _, record = record_of("text.code", corpus="ab", merges=1, merge=0)
    assert record.ideal == pytest.approx([1, 0])
    assert record.characters == pytest.approx(1)


def test_the_readings_say_which_is_less(record_of):
    view, record = record_of("text.bits", text="aaaaaaaaaaaaaaaa")
    assert record.characters == 0
    assert "need only 0" in str(view.describe(record))

"""Views of hidden words: what they show is what the runs said, and a browser cannot break them."""

from __future__ import annotations

import math
from typing import get_args
from xml.etree import ElementTree

import numpy as np
import pytest

from core.decoding.words import MAX_PIECES
from core.figures.masked import FATES, PAIR_EXAMPLES, Hiding, Pair, Rolling
from core.figures.params import parse
from core.figures.payload import unpack
from core.figures.text import percent
from core.figures.view import get
from core.predict import next_sentence
from core.runs import Runs
from core.training.objectives import Fate
from tests.conftest import loaded, tiny_bert

TEXT = "The cat told the dog a story."
OF_GAP = ("masked.strip", "masked.beside", "masked.each", "masked.why")
ALL = (*OF_GAP, "masked.follows", "masked.example")


@pytest.fixture(scope="module")
def record_of(gpt, bert):
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])

    def record(name: str, params):
        view = get(name)
        return view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


def params_for(name: str, text: str = TEXT):
    if name == "masked.follows":
        return Pair(first=text, second=text)
    return Rolling(text=text) if name == "masked.example" else Hiding(text=text)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "text", [TEXT, "a", "<b>&'\" [MASK]", "Lothlorien " * 50, "dog 你好 🙂", "The " + "l" * 20]
)
@pytest.mark.parametrize("name", ALL)
def test_every_view_says_and_draws_something(record_of, name, text, mode):
    view = get(name)
    record = record_of(name, params_for(name, text))
    payload = unpack(view.payload(record).pack())
    assert payload.header["labels"]
    assert str(view.describe(record)).strip()
    assert "{" not in str(view.describe(record))
    ElementTree.fromstring(view.svg(record, mode))
    table = view.table(record)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert view.title(record)


def test_the_strip_marks_hidden_words_and_keeps_marks_of_the_model_fixed(record_of):
    record = record_of("masked.strip", Hiding(text="The [MASK] told Lothlorien", hide="0,2"))
    view = get("masked.strip")
    payload = view.payload(record).header
    assert "".join(words for words, _role in payload["heading"]) == view.title(record)
    lothlorien = record.run.words[2]
    assert payload["marked"] == [1, *lothlorien]
    assert payload["marked_label"] == "[MASK]"
    fixed = [at for at, chip in enumerate(payload["tokens"]) if chip["fixed"]]
    assert fixed == [0, 2, len(record.run.tokens) - 1]  # [CLS], the typed [MASK], [SEP]
    assert len({payload["tokens"][at]["group"] for at in lothlorien}) == 1
    assert "The" in payload["tokens"][1]["title"]  # what was typed, before it was lower-cased


@pytest.mark.parametrize(
    ("said", "hide", "token"),
    [
        ({"marked": [2, 5], "last": 5}, "1,4", 5),
        ({"marked": [], "last": 2}, "none", 2),
        ({"marked": [0, 9], "last": 0}, "none", 0),  # [CLS] and [SEP] are no words
        ({"marked": ["x", None, True, 2.5, 10**9, -1, 2], "last": "y"}, "1", None),
        ({"marked": "everything", "last": 10**9}, "none", None),
        ("nonsense", "none", None),
        (None, "none", None),
    ],
)
def test_what_a_browser_says_becomes_a_setting(record_of, said, hide, token):
    record = record_of("masked.strip", Hiding(text=TEXT))
    assert record.hiding(said) == {"hide": hide, "token": token}


def test_a_setting_comes_back_from_a_link(record_of):
    assert parse(Hiding, {"hide": "1,4"})[0].hide == "1,4"
    for wrong in ("1;4", "<script>", "-1", "1,", "99999", ",".join(["1"] * 200)):
        params, (problem,) = parse(Hiding, {"hide": wrong})
        assert params.hide == "auto"
        assert problem.name == "hide"


def test_both_bars_of_a_word_are_the_two_probabilities(record_of):
    record = record_of("masked.beside", Hiding(text=TEXT, hide="4"))
    payload = unpack(get("masked.beside").payload(record).pack())
    (frame,) = payload.header["frames"]
    both, left = payload.arrays["probs"][0]
    by_text = {candidate.text: candidate for candidate in record.run.candidates}
    assert len(frame["rows"]) == len(by_text) == len(both)
    for row, p, q in zip(frame["rows"], both, left, strict=True):
        candidate = by_text[row["id"]]
        assert p == pytest.approx(candidate.both, nan_ok=True)
        assert q == pytest.approx(candidate.left)
        assert row["chosen"] == candidate.hidden
    # The hidden word is never folded away.
    assert [row["chosen"] for row in frame["rows"]].index(True) < payload.header["limit"]


def test_the_product_stands_in_the_hover(record_of):
    record = record_of("masked.beside", Hiding(text="The cat told Lothlorien", hide="3"))
    payload = get("masked.beside").payload(record).header
    row = next(row for row in payload["frames"][0]["rows"] if row["chosen"])
    truth = next(candidate for candidate in record.run.candidates if candidate.hidden)
    for spelling in truth.spellings:
        assert percent(spelling.prob) in row["titles"][1]
        assert row["titles"][1].count(" × ") >= len(spelling.pieces)


def test_a_word_that_does_not_fit_the_gap_says_so(record_of):
    record = record_of("masked.beside", Hiding(text="The cat told Lothlorien", hide="3"))
    payload = get("masked.beside").payload(record).header
    titles = {row["id"]: row["titles"][0] for row in payload["frames"][0]["rows"]}
    unfit = [c.text for c in record.run.candidates if math.isnan(c.both)]
    assert unfit
    assert all("pieces long" in titles[text] for text in unfit)


@pytest.mark.parametrize("hide", ["1", "none"])
def test_a_word_too_long_for_the_causal_model_is_said_to_be_so(record_of, hide):
    record = record_of("masked.beside", Hiding(text="The " + "l" * 20, hide=hide, token=2))
    n = max(len(spelling.pieces) for spelling in record.truth.spellings)
    assert n > MAX_PIECES
    reading = str(get("masked.strip").describe(record))
    assert f"It needs {n} pieces for “{'l' * 20}”: too many to compute a probability." in reading
    payload = unpack(get("masked.beside").payload(record).pack())
    (frame,) = payload.header["frames"]
    at = next(at for at, row in enumerate(frame["rows"]) if row["chosen"])
    assert np.isnan(payload.arrays["probs"][0, 1, at])
    assert f"needs {n} pieces" in frame["rows"][at]["titles"][1]
    assert "GPT needs too many pieces for this word" in frame["note"]
    assert "nan" not in get("masked.beside").table(record).to_csv().lower()


def test_the_rows_of_each_mask_are_its_pieces(record_of):
    record = record_of("masked.each", Hiding(text=TEXT, hide="1,4"))
    payload = unpack(get("masked.each").payload(record).pack())
    (sheet,) = payload.header["sheets"]
    assert sheet["rows"]["ids"] == [2, 5]
    for row, mask in zip(payload.arrays["probs"], record.run.masks, strict=True):
        assert row == pytest.approx(mask.probs[:5], rel=1e-6)


def test_nothing_hidden_reads_as_such(record_of):
    record = record_of("masked.strip", Hiding(text=TEXT, hide="none"))
    assert "Nothing is hidden" in str(get("masked.strip").describe(record))


@pytest.mark.parametrize("name", OF_GAP)
def test_every_view_of_a_gap_is_drawn_when_nothing_is_hidden(record_of, name):
    view, record = get(name), record_of(name, Hiding(text=TEXT, hide="none"))
    assert unpack(view.payload(record).pack()).header["labels"]
    ElementTree.fromstring(view.svg(record, "light"))
    assert str(view.describe(record))
    assert view.table(record).columns


def test_pairs_are_judged_as_the_front_door_judges_them(wordpiece):
    bert = loaded(tiny_bert(n_ctx=64).double(), wordpiece)
    runs = Runs(load=lambda name, device: bert)
    view, params = get("masked.follows"), Pair(first="The cat sat.", second="The dog told a story.")
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    pairs = [(params.first, params.second), *((e.first, e.second) for e in PAIR_EXAMPLES)]
    expected = [next_sentence(bert, first, second) for first, second in pairs]
    assert record.probs == pytest.approx(expected, abs=1e-6)
    assert {example.follows for example in PAIR_EXAMPLES} == {True, False}


def test_half_a_pair_is_not_judged(record_of):
    record = record_of("masked.follows", Pair(first="The cat sat.", second=" "))
    assert [pair[2] for pair in record.pairs] == [e.follows for e in PAIR_EXAMPLES]
    assert len(record.probs) == len(PAIR_EXAMPLES)
    rows = get("masked.follows").payload(record).header["frames"][0]["rows"]
    assert [row["id"] for row in rows] == ["0", "1", "2", "3"]
    assert not any(row["chosen"] for row in rows)


def test_the_dice_lie_in_the_zone_of_their_fate(record_of):
    view = get("masked.dice")
    fates = set()
    for seed in range(40):
        record = record_of("masked.dice", Rolling(text=TEXT, dice_seed=seed))
        figure = view.figure(record, "light")
        thrown = figure.data[0]
        for word, x in zip(record.chosen, thrown.x, strict=True):
            fate = record.run.fates[word[0]]
            low, high, _ = view.ZONES[("masked", "random", "unchanged").index(fate)]
            assert low <= x < high
            fates.add(fate)
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text
        assert figure.layout.yaxis.title.text
    assert len(fates) == 3


def test_every_fate_has_its_words():
    assert list(FATES) == list(get_args(Fate))


def test_a_training_example_shows_what_the_model_reads(record_of):
    record = record_of("masked.example", Rolling(text=TEXT, dice_seed=2))
    payload = get("masked.example").payload(record).header
    chosen = [at for at in range(len(record.run.tokens)) if record.run.order[at] >= 0]
    assert payload["marked"] == chosen
    assert "its dice, from 0 to 1" in "".join(text for text, _role in payload["heading"])
    for at in chosen:
        assert payload["notes"][at].endswith(record.run.tokens[at].piece)
        assert payload["notes"][at] in get("masked.example").svg(record, "light")
        assert np.isfinite(record.run.probs[at])
    assert len(payload["readings"]) == len(record.run.tokens)


def test_numbers_of_the_dice_are_not_rounded_across_a_border(record_of):
    from core.figures.masked import _dice

    assert _dice(0.7999) == "0.79"
    assert _dice(0.8) == "0.80"

"""WordPiece's tries and Unigram's ways, as they are drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import EmptyInputError
from core.figures.theme import PALETTES
from core.text.lattice import score_of
from core.text.unigram_learning import Entry, Round
from core.views.text import tries
from tests.views.records import drawn, shown, written

TEXT = "The cat told the dog's story 🙂 x"
LEARNED = {"text": "the wider wall", "pieces": "150", "code": "learnt"}


def test_the_last_row_of_each_word_is_what_the_tokenizer_makes_of_it(runs, bert):
    view, record = shown(runs, "text.tries", model="bert", text=TEXT)
    assert record.by_model
    header = view.show(record).payload().header
    spelt = header["pieces"]
    for at, word in enumerate(record.words):
        ladder = header["ladders"][header["of"][at]]
        *_before, last = ladder["rows"]
        assert sum(spelt[str(i)]["bytes"] for i in last["symbols"]) == ladder["bytes"]
        ids = bert.tokenizer.encode(word, special=False)
        if record.looked[at].words:
            assert [spelt[str(i)]["label"] for i in last["symbols"]] == [
                bert.tokenizer.token(i).piece for i in ids
            ]
    rows = [row for ladder in header["ladders"] for row in ladder["rows"][1:]]
    looks = [look for row in rows for look in row["looks"]]
    assert {"hit", "miss"} <= set(looks)


def test_a_word_that_a_model_cuts_across_two_is_looked_up_whole(runs):
    """BERT reads ab12 as one word, where GPT reads two."""
    _view, record = shown(runs, "text.tries", model="bert", text="ab12 it's")
    assert record.words == ["ab", "12", " it", "'s"]
    assert [one.words for one in record.looked] == [("ab12",), ("ab12",), ("it",), ("'", "s")]


def test_until_a_word_is_chosen_the_one_whose_second_way_comes_closest_is_shown(runs):
    asked = LEARNED | {"text": "z owes the"}
    view, record = shown(runs, "text.lattice", **asked)
    ways = [[score for score, _way in record.lattices[one].n_best(2)] for one in record.looked]
    assert len(ways[0]) == 1
    assert ways[1][0] - ways[1][1] < ways[2][0] - ways[2][1]
    assert record.word == view.steps(record).n_by["first"] == 1
    assert view.show(record).selection["word"] == 1
    assert "owes" in view.show(record).title
    view, record = shown(runs, "text.ways", **asked)
    assert record.shown.p[1] > 0.1
    # The first one can be chosen all the same, and is what a text opens on that has no such word.
    assert shown(runs, "text.lattice", **asked, word="0")[1].word == 0
    assert shown(runs, "text.lattice", **{**asked, "text": "z z"})[1].word == 0


def test_tries_are_walked_one_by_one_and_a_long_word_says_what_is_left_out(runs, monkeypatch):
    monkeypatch.setattr(tries, "MAX_TRIES", 5)
    view, record = shown(runs, "text.tries", model="bert", text="catdogcatdog", join="2")
    stepper = view.steps(record)
    assert stepper.n_by["counts"] == [6]
    assert stepper.step == 2
    boxes = [one for one in drawn(view, record, "rect") if one.get("rx")]
    # Its letters, the whole word, and one letter less.
    assert len(boxes) == 12 + 1 + 2
    assert any("first 5 of its" in line for line in written(view, record))
    with pytest.raises(EmptyInputError):
        shown(runs, "text.tries", model="bert", text="")


def test_a_model_of_another_kind_takes_the_learned_entries(runs):
    for name in ("text.tries", "text.lattice"):
        _view, record = shown(runs, name, model="gpt", text="the wall")
        assert not record.by_model
    _view, record = shown(runs, "text.tries", model="bert", text="the wall", code="learnt")
    assert not record.by_model
    assert record.pieces(1) == ["wall"]


def test_the_lattice_goes_place_by_place_and_ends_with_the_best_way(runs):
    view, record = shown(runs, "text.lattice", **LEARNED, word="1")
    payload = view.show(record).payload().header
    lattice = payload["lattices"][payload["of"][1]]
    assert [arc["label"] for arc in lattice["arcs"] if arc["path"]] == ["·wid", "er"]
    n = len(lattice["letters"])
    assert len(lattice["scores"]) == n + 1
    assert len(lattice["says"]) == n + 2 == view.steps(record).n_by["counts"][1]
    for place in range(1, n + 1):
        (best,) = [arc for arc in lattice["arcs"] if arc["end"] == place and arc["best"]]
        into = [arc for arc in record.lattice.edges if arc.end == place]
        totals = [record.lattice.best[edge.start] + edge.score for edge in into]
        assert best["total"] == f"{max(totals):.2f}".replace("-", "−")
    values = view.values(record)
    assert values["greedy_cut"].value == "·wide | r"
    gain = values["best_cut_score"].value - values["greedy_cut_score"].value
    assert gain == pytest.approx(score_of(record.lattice.path) - score_of(record.greedy(1)))
    assert "longest entry first" in str(view.describe(record))


@pytest.mark.parametrize(("join", "strong"), [("0", 0), ("3", 1), ("7", 2)])
def test_the_file_marks_the_best_arc_of_the_place_or_the_whole_way(runs, join, strong):
    view, record = shown(runs, "text.lattice", **LEARNED, word="1", join=join)
    paths = drawn(view, record, "path")
    assert len(paths) == sum(edge.end <= int(join) for edge in record.lattice.edges)
    accent = [one for one in paths if one.get("stroke") == PALETTES["light"].accent]
    assert len(accent) == strong


def test_a_word_with_one_segmentation_names_one_with_several(runs):
    asked = LEARNED | {"text": "the owes"}
    view, record = shown(runs, "text.ways", **asked, word="0")
    assert record.shown.p[0] > 0.99
    assert "Those of “owes”" in str(view.describe(record))
    view, record = shown(runs, "text.ways", **asked, word="1")
    assert record.shown.p[1] > 0.1
    assert "hardly" not in str(view.describe(record))


def test_smoothing_takes_from_the_best_segmentation_and_the_seed_decides_the_draw(runs):
    shares = []
    for alpha in ("1", "0.1", "0"):
        view, record = shown(runs, "text.ways", **LEARNED, word="1", smoothing=alpha)
        values = view.values(record)
        shares.append(values["smoothed"].array[0])
        assert values["drawn"].array.sum() <= 100
        assert values["probability"].array.sum() <= 1 + 1e-9
    assert shares == sorted(shares, reverse=True)
    uniform = values["smoothed"].array
    assert uniform == pytest.approx(uniform[0])
    firsts = {
        str(
            view.values(shown(runs, "text.ways", **LEARNED, word="1", smoothing="0", seed=seed)[1])[
                "first"
            ].value
        )
        for seed in "0123456"
    }
    assert len(firsts) > 1


def test_pairs_of_wordpiece_go_by_their_score(runs):
    view, record = shown(runs, "text.pairs", cutting="wordpiece", merge="0")
    bars = view.show(record)
    assert bars.unit == "number"
    first = bars.values[0, 0]
    assert list(first) == sorted(first, reverse=True)
    assert bars.frames[0].rows[0].label == "o + ##f"
    said = str(view.describe(record))
    assert "1/(3 × 1) = 0.333" in said
    assert "most frequent pair, “t” and “##h”" in said


@pytest.mark.parametrize(
    ("gone", "stay", "seen"),
    [(20, 30, (6, 6)), (2, 30, (2, 10)), (0, 30, (0, 12)), (20, 3, (9, 3)), (4, 3, (4, 3))],
)
def test_twelve_entries_around_the_line_between_what_goes_and_what_stays(runs, gone, stay, seen):
    view, record = shown(runs, "text.losses", pieces="40")
    entries = tuple(Entry(f"{n}", 0.01, 1.0, float(n), n >= gone) for n in range(gone + stay))
    learning = replace(record.learning, rounds=(Round(entries, (9.0, 8.0), ()),))
    (frame,) = view.show(replace(record, learning=learning)).frames
    before, after = seen
    wanted = [f"{n}  ✕" if n < gone else f"{n}" for n in range(gone - before, gone + after)]
    assert [row.label for row in frame.rows] == wanted


def test_rounds_shrink_the_vocabulary_and_words_keep_their_letters(runs):
    view, record = shown(runs, "text.segmented", pieces="40", round="1")
    strip = view.show(record)
    for at in range(len(record.all)):
        text: dict[int, str] = {}
        for chip, (born, gone) in zip(strip.tokens, strip.life, strict=True):
            if born <= at < gone:
                text[chip.word] = text.get(chip.word, "") + chip.label
        assert list(text.values()) == [
            word.replace("▁", "·") for word, _count in record.learning.words[: len(text)]
        ]
    view, record = shown(runs, "text.losses", pieces="40", round="1")
    sizes = [len(one.entries) for one in record.all]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 40
    removed = [row for row in view.show(record).frames[1].rows if row.label.endswith("✕")]
    assert 0 < len(removed) <= 6
    assert view.values(record)["n_removed"].value == sizes[1] - sizes[2]
    bars = view.show(record)
    assert (np.diff(bars.values[1, 0]) > 0).any()  # however small, losses are told apart
    assert "no longer uses the entry" in bars.frames[1].note
    view, record = shown(runs, "text.entries", pieces="40", round="1")
    assert view.steps(record).step == 1
    assert "185" in str(view.steps(record).texts[0])

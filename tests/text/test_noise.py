"""How texts are damaged: what is cut out, what is put in, and what can be told from it."""

from __future__ import annotations

import numpy as np
import pytest

from core.text.noise import (
    NOISES,
    CorruptedSpans,
    NoiseVocabulary,
    corrupt_spans,
    cut_out,
    span_counts,
)

SENTINELS = tuple(range(1000, 1100))
MASK, STOP = 999, 7  # the id 7 ends a sentence
MARKS = NoiseVocabulary(MASK, np.arange(1200) == STOP)
SEEDS = range(60)


def text(n: int) -> np.ndarray:
    """Ids that say where they stand, none of them the end of a sentence."""
    return np.arange(100, 100 + n)


def put_back(spans: CorruptedSpans) -> list[int]:
    """The text again, from its source and target alone."""
    behind: dict[int, list[int]] = {}
    for token in spans.target.tolist():
        if token in SENTINELS:
            behind[token] = []
            last = token
        else:
            behind[last].append(token)
    return [t for token in spans.source.ids.tolist() for t in behind.get(token, [token])]


@pytest.mark.parametrize("n", [2, 3, 7, 20, 96, 128])
def test_source_and_target_of_spans_are_the_text(n):
    for seed in SEEDS:
        spans = corrupt_spans(text(n), SENTINELS, np.random.default_rng(seed))
        assert put_back(spans) == text(n).tolist()
        assert spans.target[-1] == SENTINELS[len(spans.starts)]  # which ends the last span
        hidden = np.zeros(n, bool)
        for start, end in zip(spans.starts, spans.ends, strict=True):
            hidden[start:end] = True
        assert (spans.source.hidden == hidden).all()


@pytest.mark.parametrize("n", [2, 20, 96, 128])
def test_how_much_is_cut_out_follows_from_the_length(n):
    """So that all rows of a batch have one shape: Raffel et al. 2020, 15 % in spans of 3."""
    n_hidden, n_spans = span_counts(n)
    for seed in SEEDS:
        spans = corrupt_spans(text(n), SENTINELS, np.random.default_rng(seed))
        assert len(spans.source.ids) == n - n_hidden + n_spans
        assert len(spans.target) == n_hidden + n_spans + 1
        assert (spans.starts[1:] > spans.ends[:-1]).all()  # a token stands between two
    if n == 128:
        assert (n_hidden, n_spans) == (19, 6)


def test_a_span_may_stand_anywhere():
    places = [corrupt_spans(text(20), SENTINELS, np.random.default_rng(s)) for s in range(300)]
    assert {int(one.starts[0]) for one in places} == set(range(18))
    assert any(one.ends[-1] == 20 for one in places)


def test_spans_that_somebody_chose_are_cut_out():
    spans = cut_out(text(6), SENTINELS, np.array([0, 4]), np.array([1, 6]))
    assert spans.source.ids.tolist() == [1000, 101, 102, 103, 1001]
    assert spans.source.origin.tolist() == [-1, 1, 2, 3, -1]
    assert spans.target.tolist() == [1000, 100, 1001, 104, 105, 1002]


@pytest.mark.parametrize("name", NOISES)
def test_what_damage_leaves_is_of_the_text_in_its_place(name):
    for n in (1, 2, 9, 50):
        given = text(n)
        given[n // 2] = STOP
        for seed in SEEDS:
            found = NOISES[name](given, MARKS, np.random.default_rng(seed), 0.3)
            kept = found.origin >= 0
            assert (found.ids[kept] == given[found.origin[kept]]).all()
            assert (found.ids[~kept] == MASK).all()
            assert len(set(found.origin[kept].tolist())) == kept.sum()
            assert found.hidden.sum() == n - kept.sum()


@pytest.mark.parametrize("name", ["mask", "delete", "infill"])
def test_three_ways_hide_the_share_that_was_asked_for(name):
    for seed in SEEDS:
        found = NOISES[name](text(50), MARKS, np.random.default_rng(seed), 0.3)
        assert found.hidden.sum() == 15
        order = found.origin[found.origin >= 0]
        assert (np.diff(order) > 0).all()


def test_a_mark_stands_for_one_token_for_none_or_for_many():
    masked, deleted, filled = (
        NOISES[name](text(50), MARKS, np.random.default_rng(0), 0.3)
        for name in ("mask", "delete", "infill")
    )
    assert (masked.ids == MASK).sum() == 15
    assert MASK not in deleted.ids
    assert 1 <= (filled.ids == MASK).sum() < 15
    assert len(filled.ids) < 50


def test_spans_of_no_tokens_are_marks_that_hide_nothing():
    """Lewis et al. 2020, section 2.2: they teach how many tokens are missing."""
    many = [NOISES["infill"](text(50), MARKS, np.random.default_rng(s), 0.3) for s in range(200)]
    lengths = []
    for one in many:
        at = np.flatnonzero(one.ids == MASK)
        before = [one.origin[i - 1] if i else -1 for i in at]
        after = [one.origin[i + 1] if i + 1 < len(one.ids) else 50 for i in at]
        lengths += [int(b - a - 1) for a, b in zip(before, after, strict=True) if a >= -1 <= b]
    assert 0 in lengths
    assert 2.2 < np.mean([n for n in lengths if n >= 0]) < 3.4


def test_sentences_change_places_whole():
    given = np.array([1, 2, STOP, 3, STOP, 4, 5, 6, STOP])
    found = {tuple(NOISES["permute"](given, MARKS, np.random.default_rng(s), 0.3).ids.tolist())
             for s in SEEDS}  # fmt: skip
    sentences = [(1, 2, STOP), (3, STOP), (4, 5, 6, STOP)]
    assert len(found) == 6
    for one in found:
        assert all(any(one[i : i + len(s)] == s for i in range(9)) for s in sentences)


def test_a_rotated_text_begins_anywhere():
    starts = set()
    for seed in range(200):
        found = NOISES["rotate"](text(9), MARKS, np.random.default_rng(seed), 0.3)
        assert found.ids.tolist() == np.roll(text(9), 100 - found.ids[0]).tolist()
        starts.add(int(found.ids[0]))
    assert starts == set(range(100, 109))

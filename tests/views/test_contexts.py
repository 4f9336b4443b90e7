"""One word in several sentences: whose vectors, in which layer, and how they are compared."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.contexts import flattened, same_sense, within_and_across
from core.tracing import trace_run
from core.views.contexts import MOST, Occurring, away
from tests.views.records import shown

SENTENCES = "the cat sat on the mat\nA dog saw the Cat.\nno word here\n\nthe cat ran"
ASKED = {"sought": "cat", "sentences": SENTENCES}


def test_sentences_with_the_word_are_found_whatever_its_case_and_no_part_of_one():
    asked = Occurring("cat", "the Cat\nconcatenate cats\n\n\n  a cat-flap  \n")
    assert [(sense, line) for _at, sense, line, _place in asked.occurrences] == [
        (0, "the Cat"), (2, "a cat-flap"),
    ]  # fmt: skip
    assert [line[slice(*place)] for _at, _sense, line, place in asked.occurrences] == ["Cat", "cat"]
    assert asked.n_lines == 3
    assert Occurring("", "a b").occurrences == ()
    assert len(Occurring("a", "a\n" * 50).occurrences) == MOST
    assert Occurring(".*", "anything").occurrences == ()  # no pattern
    assert Occurring(" ice cream ", "An ice cream.").occurrences == (
        (1, 0, "An ice cream.", (3, 12)),
    )
    assert Occurring("  ", "a b").occurrences == ()


@pytest.mark.parametrize("model", ["bert", "gpt", "elmo"])
def test_the_vectors_are_the_means_of_the_words_pieces(runs, model):
    _view, record = shown(runs, "contexts.distances", model=model, **ASKED)
    assert record.sentences == ("the cat sat on the mat", "A dog saw the Cat.", "the cat ran")
    assert record.senses == (0, 0, 1)
    loaded = runs.model(model)
    for n, line in enumerate(record.sentences):
        trace = trace_run(loaded, line)
        start = line.lower().index("cat")
        at = [i for i, token in enumerate(trace.tokens)
              if not token.special and token.start < start + 3 and token.end > start]  # fmt: skip
        sites = trace.blueprint.sites("@layers")
        static = trace.blueprint.embedding(trace.blueprint.streams[0]).terms[0]
        assert len(record.vectors) == 1 + len(sites)
        for layer, site in enumerate((static, *sites)):
            np.testing.assert_allclose(
                record.vectors[layer][n], trace[site][at].mean(axis=0), atol=1e-5
            )


def test_the_numbers_are_the_cosines_of_the_layer(runs):
    view, record = shown(runs, "contexts.distances", model="bert", layer="2", **ASKED)
    unit = record.vectors[2] / np.linalg.norm(record.vectors[2], axis=1, keepdims=True)
    np.testing.assert_allclose(view.values(record)["cosine"].array, unit @ unit.T, atol=1e-6)
    static = shown(runs, "contexts.distances", model="bert", layer="0", **ASKED)[1]
    assert "It does not know its context" in str(view.describe(static))


def test_a_nearest_sentence_of_the_same_sense_counts_and_ties_count_in_part():
    alike = np.array([[1, 0.9, 0.1, 0.2], [0.9, 1, 0.3, 0.2], [0.1, 0.3, 1, 0], [0.2, 0.2, 0, 1]])
    assert same_sense(alike, (0, 0, 1, 1)).mean() == pytest.approx(0.5)
    assert same_sense(np.ones((4, 4)), (0, 0, 1, 1)) == pytest.approx([1 / 3] * 4)
    within, across = within_and_across(alike, (0, 0, 1, 1))
    assert (within, across) == pytest.approx(((0.9 + 0) / 2, (0.1 + 0.2 + 0.3 + 0.2) / 4))
    assert np.isnan(within_and_across(alike, (0, 1, 2, 3))[0])


def test_the_number_of_a_point_stands_away_from_the_nearest_other_one():
    assert away(np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 0.0]])) == ["left", "right", "right"]
    assert away(np.array([[1.0, 1.0], [1.0, 1.0]])) == ["left", "right"]
    assert away(np.zeros((1, 2))) == ["right"]


def test_a_plane_keeps_distances_that_lie_in_it():
    vectors = np.array([[0, 0, 5], [3, 0, 5], [0, 4, 5]], np.float32)
    places, left = flattened(vectors)
    assert left == pytest.approx(1)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    np.testing.assert_allclose(apart, [[0, 3, 4], [3, 0, 5], [4, 5, 0]], atol=1e-6)
    assert flattened(np.ones((3, 4)))[1] == 1
    assert flattened(np.zeros((0, 4)))[0].shape == (0, 2)


@pytest.mark.parametrize(
    "name", ["contexts.distances", "contexts.plane", "contexts.layers", "contexts.cosines"]
)
@pytest.mark.parametrize("sentences", ["", "the cat sat", "nothing\nat all"])
def test_too_few_sentences_are_asked_for(runs, name, sentences):
    view, record = shown(runs, name, model="bert", sought="cat", sentences=sentences)
    assert "Write at least two sentences with the word “cat”" in str(view.describe(record))
    assert view.show(record).drawing("light")


def test_without_a_word_it_is_the_word_that_is_asked_for(runs):
    view, record = shown(runs, "contexts.distances", model="bert", sought="")
    assert str(view.describe(record)).startswith("Type the word that is looked for.")


def test_one_group_is_asked_for_a_second(runs):
    view, record = shown(
        runs, "contexts.layers", model="bert", sought="cat", sentences="a cat\nthe cat"
    )
    assert "Leave an empty line" in str(view.describe(record))


def test_sentences_that_are_left_out_are_said_with_their_numbers(runs):
    def left_out(sentences: str, sought: str = "cat") -> list[str]:
        view, record = shown(
            runs, "contexts.distances", model="bert", sought=sought, sentences=sentences
        )
        return [str(note.text) for note in view.notes(record) if note.kind == "info"]

    assert left_out(SENTENCES) == [
        "Sentence 3 (“no word here”) does not contain “cat” and is left out."
    ]
    _view, record = shown(
        runs, "contexts.distances", model="bert", sought="cat", sentences="a cat\n\ndogs\nthe cat"
    )
    assert [one.split()[0] for one in record.labels] == ["1", "3"]
    assert left_out("a cat\n\ndogs\n" + 50 * "x") == [
        f"Sentences 2 (“dogs”), 3 (“{39 * 'x'}…”) do not contain “cat” and are left out."
    ]
    assert left_out("a cat\n" * (MOST + 2)) == [
        "The first 12 sentences with “cat” are compared. 2 more are left out."
    ]
    assert left_out("a cat\nthe cat") == left_out("a cat", sought="") == []


def test_rows_show_the_word_in_its_sentence(runs):
    sentences = "A bank\nWe concatenate and went with the cat over the old stone bridge to her"
    sentences += "\ncat " + 60 * "y"
    _view, record = shown(runs, "contexts.distances", model="bert", sought="cat",
                          sentences=sentences.replace("bank", "cat"))  # fmt: skip
    assert record.labels == ["1 A “cat”", "2 … with the “cat” over the …", "3 “cat” …"]
    assert [one[2] for one in record.contexts] == 3 * ["“cat”"]  # which no cut takes away
    assert record.contexts[1][1:] == (
        "We concatenate and went with the", "“cat”", "over the old stone bridge to her"
    )  # fmt: skip


def test_the_colours_of_cosines_mean_the_same_in_every_layer(runs):
    for layer in ("0", "2"):
        view, record = shown(runs, "contexts.distances", model="bert", layer=layer, **ASKED)
        (sheet,) = view.show(record).sheets
        assert (sheet.scale.kind, sheet.scale.limit) == ("accent", 1.0)
        assert sheet.texts[0][0] == "1.00"


def test_shares_and_cosines_have_an_axis_each(runs):
    for name, lines in (("contexts.layers", 1), ("contexts.cosines", 2)):
        view, record = shown(runs, name, model="bert", **ASKED)
        assert len(view.show(record).series) == lines
    assert "The two are furthest apart in layer" in str(view.describe(record))

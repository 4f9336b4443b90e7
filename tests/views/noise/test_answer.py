"""The same sentence behind another prefix."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core import predict
from tests.views.records import shown

SENTENCE = "The cat sat."


def of(runs, prefix):
    """The view and its record."""
    given = {"model": "filler", "task_text": SENTENCE, "prefix": prefix}
    return shown(runs, "noise.answer", **given)


@pytest.mark.parametrize("prefix", ["", "translate: ", "\x00[MASK] "])
def test_it_is_what_the_front_door_answers(runs, filler, prefix):
    _view, record = of(runs, prefix)
    found = predict.answer(filler, prefix + SENTENCE)
    words = [filler.tokenizer.word(token.id) for token in record.tokens]
    # A search that keeps one text is greedy, and may write one token more or the end mark.
    assert list(found.tokens)[: len(words)] == words
    assert len(found.tokens) - len(words) in (0, 1)
    assert np.log(record.probs).sum() >= found.log_prob - 1e-9


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ("", "Without a prefix the model writes “the cat sat”, with 13 %."),
        ("sum: ", "Behind “sum:” the model writes “the cat sat”, with 13 %."),
        ("x" * 90, f"Behind “{'x' * 39}…” the model writes “the cat sat”, with 13 %."),
    ],
)
def test_the_answer_is_read_with_its_probability(runs, filler, prefix, said):
    view, record = of(runs, prefix)
    ids = [filler.tokenizer.encode(word, special=False) for word in ("the", " cat", " sat")]
    tokens = [filler.tokenizer.token(one) for word in ids for one in word]
    probs = np.array([0.125] + [1.0] * (len(tokens) - 1))
    made = dataclasses.replace(record, tokens=tokens, probs=probs)
    assert str(view.describe(made)) == said
    assert view.values(made)["answer"].array == "the cat sat"
    marks = filler.tokenizer.hiding[:1]
    empty = dataclasses.replace(
        record, tokens=[filler.tokenizer.token(one) for one in marks], probs=np.ones(1)
    )
    assert "nothing that can be read" in str(view.describe(empty))

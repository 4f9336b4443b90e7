"""The phrases of a first French lesson: what the shipped translators make of them."""

from __future__ import annotations

import re

import pytest

from core import zoo
from core.data.first_phrases import first_phrases, is_right, meanings_of
from core.predict import translate
from core.runs.kinds.remarks import RemarksRequest, typed
from core.zoo import LoadedModel

STOP = re.compile(r"\s*[.?!]$")
AT_LEAST = {"transformer": 48, "rnn_attention": 47, "rnn": 46, "t5": 44}  # as its weights do


def written(phrase: str) -> tuple[str, str]:
    """A phrase with its final stop and without."""
    return phrase, STOP.sub("", phrase)


def n_right(model: LoadedModel) -> int:
    return sum(
        all(is_right(translate(model, one).text, meanings) for one in written(phrase))
        for phrase, meanings in first_phrases().items()
    )


def test_there_are_fifty_and_each_is_known_however_it_is_written():
    assert len(first_phrases()) == 50
    for phrase, meanings in first_phrases().items():
        assert STOP.search(phrase)
        for one in (*written(phrase), phrase.upper()):
            assert meanings_of(one) == meanings
    assert meanings_of("Le chat dort.") == ()


@pytest.mark.parametrize(
    "name",
    ["transformer", *(pytest.param(one, marks=pytest.mark.slow) for one in [*AT_LEAST][1:])],
)
def test_a_translator_knows_as_many_as_it_did(name):
    assert n_right(zoo.load(name)) >= AT_LEAST[name]


class OneModel:
    """A context whose every model is the same."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    def model(self, _name: str) -> LoadedModel:
        return self._model


def test_what_it_gets_wrong_is_marked_and_nothing_else():
    model = zoo.load("rnn")
    kinds = {}
    for phrase in ("Au revoir.", "Il est midi.", "Le chat dort."):
        found = typed(RemarksRequest("rnn", phrase), OneModel(model)).remarks
        kinds[phrase] = [one for one in found if one.kind == "mistaken"]
        meanings = meanings_of(phrase)
        wrong = bool(meanings) and not is_right(translate(model, phrase).text, meanings)
        assert bool(kinds[phrase]) == wrong
    assert any(kinds.values())
    assert not all(kinds.values())

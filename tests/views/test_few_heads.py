"""Views of a BERT that lacks heads: drawn, or an error that says what it cannot do."""

from __future__ import annotations

import dataclasses

import pytest

from core import views
from core.errors import AbilityError
from core.runs.store import Runs
from core.show import figure
from tests.conftest import loaded, tiny_bert

OF_A_MODEL = {
    name: view
    for name, view in views.all_views().items()
    if "model" in {field.name for field in dataclasses.fields(view.Params)}
}
# Those need a word that is predicted.
WORDS = ("map.flow", "map.inside", "masks.batch", "masks.grid", "masks.prediction",
         "masks.strip", "stream.alike", "stream.gradient")  # fmt: skip


@pytest.fixture(scope="module", params=["bare", "pairs"])
def wordless(request, wordpiece) -> Runs:
    """A BERT without a head for words, with or without one for pairs."""
    model = tiny_bert(
        vocab_size=wordpiece.vocab_size, masked_words=False, sentence_pairs=request.param == "pairs"
    )
    return Runs(load=lambda name, device: loaded(model, wordpiece))


@pytest.mark.parametrize("name", [name for name in OF_A_MODEL if name not in WORDS])
def test_a_view_is_drawn_or_says_what_is_missing(name, wordless):
    view = OF_A_MODEL[name]
    params = dataclasses.replace(view.Params(), model="some")
    some = wordless.model("some", "cpu")
    if view.needs.unmet(some.abilities, some.blueprint) is None:
        assert figure(name, params, wordless, "cpu").svg()
        return
    with pytest.raises(AbilityError, match=r"^model SOME cannot \w"):
        figure(name, params, wordless, "cpu")


@pytest.mark.parametrize("name", WORDS)
def test_a_view_of_a_predicted_word_says_that_there_is_none(name, wordless):
    params = dataclasses.replace(OF_A_MODEL[name].Params(), model="some")
    with pytest.raises(AbilityError):
        figure(name, params, wordless, "cpu")

"""Every view on every toy: the checked-in table says what is shown, and holds."""

from __future__ import annotations

import contextlib
import dataclasses

import pytest

from core import views
from core.errors import AbilityError, ParameterError
from core.runs.store import Runs
from core.show import figure
from core.views.params import declared, parse
from core.zoo import LoadedModel
from tests.machines import shown
from tests.machines.toys import TOYS, Tokenizers
from tests.views.records import choices_of

TEXT = "The cat sat on the mat"
OF_A_MODEL = [
    name
    for name, view in views.all_views().items()
    if not view.needs.no_model and hasattr(view.Params(), "model")
]
SHOWN = [
    pytest.param(toy, name, id=f"{toy}-{name}")
    for column, toy in enumerate(TOYS)
    for name, lacks in shown.VIEWS.items()
    if not lacks[column]
]


@pytest.fixture(scope="module")
def toys(byte_bpe, wordpiece) -> dict[str, LoadedModel]:
    """By name."""
    return {name: toy.make(Tokenizers(byte_bpe, wordpiece)) for name, toy in TOYS.items()}


@pytest.fixture(scope="module")
def runs(toys) -> Runs:
    """The toys as a shelf."""
    return Runs(load=lambda name, _device: toys[name])


def test_the_table_names_every_view():
    assert list(shown.VIEWS) == OF_A_MODEL
    assert {len(lacks) for lacks in shown.VIEWS.values()} == {len(TOYS)}


@pytest.mark.parametrize("name", OF_A_MODEL)
@pytest.mark.parametrize("toy", TOYS)
def test_a_view_is_shown_or_says_what_the_machine_lacks(runs, toy, name):
    params, _ = parse(views.get(name).Params, {"text": TEXT, "model": toy})
    lacks = shown.VIEWS[name][list(TOYS).index(toy)]
    if lacks:
        with pytest.raises(AbilityError) as caught:
            figure(name, params, runs, "cpu")
        said, _, able = str(caught.value).partition("; choose ")
        assert said == f"model {toy.upper()} cannot {lacks}"
        assert toy not in able
        return
    found = figure(name, params, runs, "cpu")
    assert str(found)
    assert found.svg().startswith("<svg")
    assert found.html()
    assert found.csv()
    assert found.component.payload().header


@pytest.mark.parametrize(("toy", "name"), SHOWN)
def test_a_view_that_is_shown_takes_every_choice_and_the_ends_of_its_ranges(runs, toy, name):
    """What a toy lacks of one choice is an error of the user's, never a traceback."""
    view = views.get(name)
    fields = [field for field in dataclasses.fields(view.Params) if field.name != "model"]
    ends = [
        {
            field.name: f"{getattr(declared(view.Params, field.name), end):g}"
            for field in fields
            if field.type in ("int", "float")
        }
        for end in ("low", "high")
    ]
    choices = [
        {field.name: str(choice)}
        for field in fields
        for choice in choices_of(view, field.name, runs, toy)
    ]
    for chosen in (*ends, *choices):
        params, _ = parse(view.Params, {"text": TEXT, "model": toy, **chosen})
        with contextlib.suppress(AbilityError, ParameterError):
            found = figure(name, params, runs, "cpu")
            assert found.svg().startswith("<svg")
            assert found.csv()

"""A control offers what a link may say, no more and no less: neither contradicts the other."""

from __future__ import annotations

import dataclasses

import pytest
from streamlit.testing.v1 import AppTest

from core import views
from core.answers.names import in_words
from core.views.params import Declared, declared
from pages.parts.table import TABLE
from tests.app.answered import figures
from tests.app.test_pages import as_shown, check, opened

RANGES: dict[str, Declared] = {
    field.name: declared(view.Params, field.name)
    for view in views.all_views().values()
    for field in dataclasses.fields(view.Params)
    if field.type in ("int", "float")
}
# Values of others that leave a control all of its own range.
WHOLE = {"d_model": "1024"}


@dataclasses.dataclass(frozen=True)
class Ranged:
    """A slider or field of a figure that asks for itself."""

    min: float
    max: float
    value: float


def controls(app: AppTest) -> dict[str, object]:
    """The sliders and number fields of a page, by the parameter they are tied to."""
    ranged = {
        one["name"]: Ranged(one["low"], one["high"], float(one["value"]))
        for figure in figures(app)
        for one in figure.controls
        if one["kind"] == "range"
    }
    return ranged | {
        one.key.removeprefix("control-").partition("~")[0]: one
        for one in (*app.slider, *app.number_input)
        if one.key is not None and one.key.startswith("control-")
    }


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_a_control_has_the_range_of_its_parameter(row):
    app = opened(row.file, **WHOLE)
    check(app)
    found = {name: (one.min, one.max) for name, one in controls(app).items()}
    for name in ("convolution", "cut_layers", "shape_layer"):  # they end with the model's last
        found.pop(name, None)
    assert found == {name: (RANGES[name].low, RANGES[name].high) for name in found}


CONTROLLED = [
    "text/tokenization.py", "text/positions.py", "attention/step_by_step.py",
    "block/layernorm.py", "predictions/next_token.py", "predictions/masked_word.py",
]  # fmt: skip


@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.parametrize("file", CONTROLLED)
def test_a_link_beyond_the_range_is_said_and_the_control_shows_what_is_used(file, end):
    names = controls(opened(file, **WHOLE))
    assert names
    beyond = {"low": -1, "high": 1}[end]
    app = opened(file, **{n: f"{getattr(RANGES[n], end) + beyond:g}" for n in names})
    check(app)
    said = [as_shown(warning.value) for warning in app.warning]
    shown = controls(app)
    for name in names:
        assert sum(f" {in_words(name)} = " in one and "between" in one for one in said) == 1, name
    if end == "high":  # a d_model of 2 has only one pair
        assert {n: one.value for n, one in shown.items()} == {n: RANGES[n].high for n in names}


def test_a_slider_goes_by_the_steps_that_its_page_says():
    app = opened("labs/training.py", view="lecture", lab_part="1")
    (shown,) = [one for one in figures(app) if one.spec["says"] == []]
    (offered,) = [one for one in shown.controls if one["name"] == "beta2"]
    (asked,) = [one for one in shown.spec["controls"] if one["name"] == "beta2"]
    assert (offered["label"], offered["value"], offered["high"]) == ("β₂", "0.98", 0.9999)
    assert (offered["high"] - offered["low"]) / asked["step"] > 9998

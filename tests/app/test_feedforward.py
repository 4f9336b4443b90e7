"""The feed-forward page: functions, rankings, units out of range."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.views.ffn import NAMES
from tests.app.answered import Figure, figures
from tests.app.test_pages import check, opened

FILE = "block/feedforward.py"


def shown(app: AppTest) -> dict[str, Figure]:
    """The figures that are drawn, by their views."""
    return {one.spec["view"]: one for one in figures(app) if one.spec["drawn"]}


def controls(app: AppTest) -> dict[str, str]:
    """What each control stands at, by its parameter."""
    return {c["name"]: c["value"] for one in figures(app) for c in one.controls}


def test_it_opens_on_the_models_own_function():
    app = opened(FILE, model="gpt")
    check(app)
    assert controls(app)["function"] == "gelu_tanh"
    assert controls(opened(FILE, model="bert"))["function"] == "gelu"
    (function,) = shown(app)["ffn.curve"].controls
    assert [name for name, _label in function["options"]] == list(NAMES)


def test_of_two_towers_one_can_be_chosen(three_machines):
    values = {"model": "transformer", "text": "the cat sat", "layer": "1"}
    app = opened(FILE, **values)
    check(app)
    assert not app.error
    assert controls(app)["stack"] == "decoder"
    app = opened(FILE, stack="encoder", **values)
    check(app)
    assert controls(app)["stack"] == "encoder"
    assert "layer 1 (encoder)" in shown(app)["ffn.units"].said["facts"]
    assert "stack" not in controls(opened(FILE, model="gpt"))

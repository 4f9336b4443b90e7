"""The feed-forward page: functions, rankings, units out of range."""

from __future__ import annotations

import pytest

from core.views.ffn.unit import NAMES
from tests.app.test_pages import check, opened

FILE = "block/feedforward.py"


def test_it_opens_on_the_models_own_function():
    app = opened(FILE, model="gpt")
    check(app)
    assert app.button_group(key="control-function").value == "gelu_tanh"
    assert opened(FILE, model="bert").button_group(key="control-function").value == "gelu"


@pytest.mark.parametrize("function", NAMES)
def test_every_function_opens(function):
    check(opened(FILE, function=function, rank="text"))


def test_a_unit_that_is_not_there_is_the_strongest():
    app = opened(FILE, unit="99999")
    check(app)
    assert not app.error


def test_of_two_towers_one_can_be_chosen(three_machines):
    values = {"model": "transformer", "text": "the cat sat", "layer": "1"}
    app = opened(FILE, **values)
    check(app)
    assert not app.error
    assert app.button_group(key="control-stack").value == "decoder"
    app = opened(FILE, stack="encoder", **values)
    check(app)
    assert app.button_group(key="control-stack").value == "encoder"
    what = next(one.proto.body for one in app.get("html") if "glass-title" in one.proto.body)
    assert "layer 1 (encoder)" in what
    assert not [one for one in opened(FILE, model="gpt").button_group
                if one.key == "control-stack"]  # fmt: skip

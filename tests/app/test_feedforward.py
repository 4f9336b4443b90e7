"""The feed-forward page: functions, rankings, units out of range."""

from __future__ import annotations

import pytest

from core.figures.feedforward import NAMES
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

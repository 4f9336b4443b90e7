"""Files of what was measured."""

from __future__ import annotations

import pytest

from core import zoo
from core.data.measured import BY_LENGTH, measured, of_a_model
from core.errors import ParameterError


def test_a_file_says_how_it_was_made():
    found = measured(BY_LENGTH)
    assert found["command"].startswith("python -m core.training ")
    assert len(found["commit"].rstrip("+")) == 7


def test_what_was_not_measured_is_named(tmp_path):
    with pytest.raises(ParameterError, match=r"nothing\.json"):
        measured("nothing", tmp_path)


def test_the_figures_of_a_model_are_those_on_its_card(tmp_path):
    found = of_a_model(zoo.SHELF / "t5")
    assert found == zoo.load("t5", "cpu").metrics
    assert 0.5 < found["named/sst2_dev"] < 1
    assert of_a_model(tmp_path) == {}

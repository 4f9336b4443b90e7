"""Files of what was measured."""

from __future__ import annotations

import pytest

from core.errors import ParameterError
from core.measured import BY_LENGTH, measured


def test_a_file_says_how_it_was_made():
    found = measured(BY_LENGTH)
    assert found["command"].startswith("python -m core.training ")
    assert len(found["commit"].rstrip("+")) == 7


def test_what_was_not_measured_is_named(tmp_path):
    with pytest.raises(ParameterError, match=r"nothing\.json"):
        measured("nothing", tmp_path)

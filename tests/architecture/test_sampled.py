"""What a whole run leaves out is there, and is left out once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sampled import LONG, ONE_IN

TESTS = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", [*ONE_IN, *sorted(LONG)])
def test_every_name_is_that_of_a_test(name):
    file, _sign, function = name.partition("::")
    assert f"\ndef {function}(" in (TESTS / file).read_text(encoding="utf-8")


def test_none_is_in_both_tables():
    assert ONE_IN.keys() & LONG == set()
    assert min(ONE_IN.values()) > 1

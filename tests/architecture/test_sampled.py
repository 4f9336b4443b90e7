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


@pytest.mark.parametrize("file", [
    "browser/test_hooks.py", "browser/test_state.py", "app/test_visiting.py",
    "app/test_connections.py",
])  # fmt: skip
def test_what_a_new_streamlit_could_break_is_in_every_run(file):
    """The names of its page and the private functions that are hooked into, and the state."""
    assert (TESTS / file).is_file()
    left_out = [name for name in (*ONE_IN, *LONG) if name.startswith(f"{file}::")]
    assert left_out == []


def test_of_going_from_page_to_page_only_further_delays_are_left_out():
    left_out = [name for name in (*ONE_IN, *LONG) if name.startswith("browser/test_moving.py::")]
    assert left_out == ["browser/test_moving.py::"
                        "test_back_soon_after_the_menu_never_leaves_a_white_page"]  # fmt: skip

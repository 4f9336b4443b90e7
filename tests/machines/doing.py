"""A deed on a toy, as the table ``shown.DEEDS`` has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import CoreError
from tests.machines import shown
from tests.machines.toys import TOYS


def done(deed: str, toy: str, act: Callable[[], Any]) -> Any:
    """What comes of it; None where it is refused in the sentence that the table has."""
    lacks = shown.DEEDS[deed][list(TOYS).index(toy)]
    if not lacks:
        return act()
    with pytest.raises(CoreError) as caught:
        act()
    assert str(caught.value).partition("; choose ")[0].endswith(f" {lacks}")
    assert str(caught.value).startswith((f"model {toy.upper()} cannot ", "edit of '"))
    return None

"""Which tokens come from marked places of a text, found without a look at every place."""

from __future__ import annotations

from typing import Any

import pytest

from core.runs.answers.typed import _within
from core.units import Token

PLACES = [(n, n + 2) for n in range(0, 4000, 4)]  # "__  __  __ "


class Counted(list[Any]):
    """Places that count how often one is looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += 1
        return super().__getitem__(at)

    def __iter__(self) -> Any:
        for one in super().__iter__():
            self.looks += 1
            yield one


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(0, 1, True), (2, 4, False), (1, 3, True), (3, 5, True), (2, 5, True), (2, 9, True),
     (3998, 4000, False), (3990, 3992, False), (3996, 3997, True)],
)  # fmt: skip
def test_a_token_is_placed_with_a_few_looks(start, end, found):
    places = Counted(PLACES)
    token = Token(id=1, piece="_", data=b"_", start=start, end=end)
    assert _within(token, places) is found
    assert places.looks < 20
    assert not _within(token, [])

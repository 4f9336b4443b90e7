"""What a whole run samples: of a table of cases every diagonal, the rest by ``make test-all``.

Each row and each column of such a table is in the sample, so that a page, a view, a toy
or a lesson that fails altogether fails here. On two cores the tables in full take
minutes of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

# One case in so many, by file and test.
ONE_IN: Mapping[str, int] = {
    "app/test_pages.py::test_opens_with_every_model": 3,
    "app/test_pages.py::test_takes_any_text": 4,
    "app/test_toys.py::test_a_page_shows_it_or_says_why_not": 3,
    "browser/components/test_views.py::test_a_view_draws_and_answers": 2,
    "browser/test_jobs.py::test_nothing_below_it_moves_when_it_is_over": 4,
    "browser/test_pages.py::test_draws_for_all_and_never_runs_what_is_typed": 2,
    "lessons/test_files.py::test_a_lesson_is_as_it_should_be": 2,
    "lessons/test_printed.py::test_every_lesson_is_printed_and_its_answers_are_complete": 2,
}


def leave_the_rest(items: Iterable[pytest.Item]) -> None:
    """Mark as slow what is not in the sample."""
    sides: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for item in items:
        name = item.nodeid.removeprefix("tests/").partition("[")[0]
        if name not in ONE_IN or not isinstance(item, pytest.Function):
            continue
        place = 0  # the diagonal it stands on: the sum of its places along the sides of the table
        for side, value in _along(item).items():
            known = sides[name, side]
            if value not in known:
                known.append(value)
            place += known.index(value)
        if place % ONE_IN[name]:
            item.add_marker(pytest.mark.slow)


def _along(item: pytest.Function) -> dict[str, Any]:
    """What it is given, by the sides of the table: of names that go together the first."""
    given = dict(item.callspec.params)
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0]
        together = names.replace(" ", "").split(",") if isinstance(names, str) else names
        for further in together[1:]:
            del given[further]
    return given

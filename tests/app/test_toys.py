"""Every page with a toy on the shelf: shown, or one sentence says why another is.

What applies to which toy is the checked-in table tests/machines/shown.py.
"""

from __future__ import annotations

import pytest

from core.language import name_of
from pages.parts.table import TABLE
from tests.app.test_pages import check, opened
from tests.app.test_state import link
from tests.machines import shown
from tests.machines.toys import TOYS


def test_the_table_names_every_page():
    assert list(shown.PAGES) == [row.file for row in TABLE]
    assert {len(lacks) for lacks in shown.PAGES.values()} == {len(TOYS)}


@pytest.mark.parametrize("file", shown.PAGES)
def test_a_page_shows_it_or_says_why_not(file, toy):
    app = opened(file, model=toy)
    check(app)
    assert not app.error, [(e.value) for e in app.error]
    said = [info.value for info in app.info if "this page shows" in info.value]
    lacks = shown.PAGES[file][list(TOYS).index(toy)]
    if not lacks:
        assert not said
        return
    assert len(said) == 1
    plain = said[0].replace("\\", "")  # no character of it is Markdown
    assert plain.startswith(f"{name_of(toy)} cannot {lacks}; this page shows ")
    assert link(app)["model"] == toy  # the choice is kept

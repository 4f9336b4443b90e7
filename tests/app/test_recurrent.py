"""Every page with a recurrent machine on the shelf: shown, or one sentence says why another is."""

from __future__ import annotations

import pytest

from core import zoo
from core.language import name_of
from pages.parts.table import TABLE
from tests.app.test_pages import check, opened


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_a_page_shows_it_or_says_why_not(row, recurrent):
    app = opened(row.file, model=recurrent)
    check(app)
    assert not app.error
    said = [info.value for info in app.info if "this page shows" in info.value]
    lacks = row.needs.unmet(zoo.abilities(recurrent), zoo.blueprint(recurrent))
    if lacks is None:
        assert not said
    else:
        assert len(said) == 1
        plain = said[0].replace("\\", "")  # no character of it is Markdown
        assert plain.startswith(f"{name_of(recurrent)} cannot {lacks}; this page shows ")
        assert app.query_params["model"] == recurrent  # the choice is kept

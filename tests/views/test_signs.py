"""What a view shows has the signs of the learner's language; what it saves is for machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from core import views
from core.figures.payload import unpack
from core.figures.values import to_csv
from core.language import use_language
from tests.architecture.test_locale import TEMPLATE
from tests.views.records import MACHINES, record_of, written

VIEWS = views.all_views()
FIXED = re.compile(r"\d\.\d")  # a number with its point; a text of ours may hold one
PATH = re.compile(r"M-?\d|rotate|translate|[\d. ]+$")  # what a drawing is made of


@pytest.fixture
def french():
    use_language("fr")
    yield
    use_language("en")


def texts(value: Any) -> Iterator[str]:
    """All texts in a header."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts(one)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_in_french(name, runs, french):
    view, model = VIEWS[name], MACHINES[VIEWS[name].needs][0]
    record = record_of(view, runs, model=model)
    shown = [str(view.describe(record)), *written(view, record)]
    shown += texts(dict(unpack(view.show(record).payload().pack()).header))
    shown += [str(note.text) for note in view.notes(record)]
    ours = TEMPLATE.read_text(encoding="utf-8")
    for text in shown:
        if not PATH.match(text):
            assert [found for found in FIXED.findall(text) if found not in ours] == [], text
            assert not re.search(r"\d %", text), text


@pytest.mark.parametrize("name", VIEWS)
def test_a_table_is_the_same_in_every_language(name, runs, french):
    view, model = VIEWS[name], MACHINES[VIEWS[name].needs][0]
    saved = to_csv(view.values(record_of(view, runs, model=model)))
    use_language("en")
    assert to_csv(view.values(record_of(view, runs, model=model))) == saved

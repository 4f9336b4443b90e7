"""What a view shows has the signs of the learner's language; what it saves is for machines."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from core import views
from core.figures.payload import unpack
from core.figures.values import to_csv
from core.language import use_language
from tests.architecture.test_locale import TEMPLATE
from tests.views.records import machines_of, record_of, written

VIEWS = views.all_views()
FIXED = re.compile(r"\d\.\d")  # a number with its point; a text of ours may hold one
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]\d+)?")  # as a table has it
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
    view, model = VIEWS[name], machines_of(VIEWS[name])[0]
    record = record_of(view, runs, model=model)
    shown = [str(view.describe(record)), *written(view, record)]
    shown += texts(dict(unpack(view.show(record).payload().pack()).header))
    shown += [str(note.text) for note in view.notes(record)]
    ours = TEMPLATE.read_text(encoding="utf-8")
    for text in shown:
        if not PATH.match(text):
            assert [found for found in FIXED.findall(text) if found not in ours] == [], text
            assert not re.search(r"\d %", text), text


def numbers(table: str) -> list[list[float | None]]:
    """A table's cells; None for words, which are the learner's."""
    return [
        [float(cell) if NUMBER.fullmatch(cell) else None for cell in row]
        for row in csv.reader(io.StringIO(table))
    ]


@pytest.mark.parametrize("name", VIEWS)
def test_the_numbers_of_a_table_are_the_same_in_every_language(name, runs, french):
    view, model = VIEWS[name], machines_of(VIEWS[name])[0]
    saved = numbers(to_csv(view.values(record_of(view, runs, model=model))))
    use_language("en")
    assert numbers(to_csv(view.values(record_of(view, runs, model=model)))) == saved

"""The menu: pages that a model on the shelf can show, and no others."""

from __future__ import annotations

import ast

import pytest
import yaml

from core import views, zoo
from pages.parts.table import TABLE, offered, page_of, places
from tests.architecture.tree import ROOT


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_a_row_names_the_views_that_its_page_shows(row):
    # A long page has a module for its sections.
    sections = {
        "home.py": ["shell/place.py"],
        "text/tokenization.py": ["../assets/tables/methods.yaml"],
    }.get(row.file, [])
    texts = set()
    for file in (row.file, *sections):
        text = (ROOT / "pages" / file).read_text(encoding="utf-8")
        if file.endswith(".yaml"):
            texts |= {row["view"] for row in yaml.safe_load(text)}
        else:
            texts |= {n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)}
    assert set(row.views) == texts & views.all_views().keys()


def test_every_view_has_a_page_where_it_can_be_explored():
    found = {name: page_of(name).address for name in views.all_views()}
    assert found["attention.steps"] == "attention"
    assert found["attention.weights"] == "heads"  # not Translate, which shows it too
    with pytest.raises(KeyError):
        page_of("no.such")


def test_a_page_is_offered_when_a_model_can_show_it(three_machines, fills):
    assert offered() == TABLE


def test_a_page_that_no_model_can_show_is_not_offered(monkeypatch):
    monkeypatch.setattr(zoo, "shelf", lambda *_root: ("gpt",))
    files = {row.file for row in offered()}
    assert {"home.py", "attention/masks.py", "predictions/next_token.py", "shelf.py"} <= files
    lacking = ("masked_word", "translate", "spans")
    assert not {f"predictions/{name}.py" for name in lacking} & files
    # Nothing leads there either.
    addresses = {f"/{row.address}" for row in offered()}
    assert set(places("gpt").values()) <= addresses

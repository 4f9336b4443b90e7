"""Links of before still open what they meant: ``links.json`` says what each of them showed.

It was written by ``found_at`` itself, at the commit whose links they are.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.links import found_at

LINKS = json.loads(Path(__file__).with_name("links.json").read_text(encoding="utf-8"))


def among(wanted: dict[str, Any], found: list[dict[str, Any]]) -> bool:
    """Whether one of the figures that were found shows all of this."""
    return any(wanted.items() <= one.items() for one in found)


@pytest.mark.parametrize("one", LINKS, ids=lambda one: one["link"][:60])
def test_a_link_opens_what_it_meant(one):
    found, wanted = found_at(one["link"], answered=one.get("answered", False)), {**one["shows"]}
    figures = found.pop("figures", [])
    controls = found.pop("controls", {})
    assert wanted.pop("controls", {}).items() <= controls.items()  # there may be more by now
    assert all(among(figure, figures) for figure in wanted.pop("figures", [])), figures
    assert found == wanted

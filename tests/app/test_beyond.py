"""The page of what came after: a click trains a copy, another one goes back to its start."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core import views
from core.experiments import about
from core.runs.kinds import preferences
from pages.parts.runs import shared_runs
from tests.app.answered import Figure, figures, words
from tests.app.test_pages import check, headers, opened
from tests.runs.test_jobs import until

PAGE = "labs/beyond.py"


@pytest.fixture
def few(monkeypatch):
    """A step of training is enough; with which penalties and seeds it was begun."""
    begun, learned = [], preferences.liking

    def one(*asked):
        begun.append(asked[1:])
        return learned(*asked[:4], min(asked[4], 1))

    monkeypatch.setattr(preferences, "liking", one)
    return begun


def shown(**query: str) -> AppTest:
    """The page, with its training at its end."""
    view = views.get("beyond.learning")
    params = view.Params(**{**query, "preferring": "preferring" in query})
    (request,) = view.requests(params)
    runs = shared_runs()
    until(lambda: runs.watch(request, "test", "cpu").over)
    app = opened(PAGE, **query)
    check(app)
    return app


def by_view(app: AppTest) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    for one in figures(app):
        found.setdefault(one.spec["view"], []).append(one)
    return found


def read(app: AppTest, view: str) -> str:
    """What a figure says of its numbers."""
    (one,) = [one for one in by_view(app)[view] if "reading" in one.spec["says"]]
    return words(one.said["reading"])


def test_a_click_trains_a_copy_and_another_goes_back(few):
    app = shown(preference="short", against="free")
    assert "Before training, a continuation of an unseen prompt gets" in read(
        app, "beyond.learning"
    )
    (cards,) = headers(app, "experiments")
    assert [one["id"] for one in cards["cards"]] == [one.id for one in about("beyond")]
    (train,) = [one for one in by_view(app)["beyond.learning"][0].controls
                if one["name"] == "preferring"]  # fmt: skip
    assert train["value"] == "0"
    button = by_view(app)["beyond.learning"][0].spec["controls"][1]
    assert button["labels"] == ["Train", "Back to the start"]
    for view in ("beyond.after", "beyond.frontier"):
        assert all(one.said.get("absent") for one in by_view(app)[view])
    app = shown(preference="short", against="free", preferring="1")
    assert "After 1 of 1 steps" in read(app, "beyond.learning")
    assert "With “no penalty (β = 0)” it gets" in read(app, "beyond.learning")
    assert {asked[1] for asked in few} == {0.0, 0.3}
    assert "The training gained" in read(app, "beyond.frontier")
    (after,) = by_view(app)["beyond.after"]
    assert words(after.said["reading"]).startswith("After 1 step it continues with")

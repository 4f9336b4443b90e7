"""The page of what came after: a click trains a copy, another one goes back to its start."""

from __future__ import annotations

import json

from core.experiments import BEYOND
from core.runs.answers import preferring
from tests.app.test_pages import check, headers, opened

PAGE = "labs/beyond.py"


def said(app) -> str:
    """All that the page says and sends."""
    found = [one.value for kind in ("markdown", "info") for one in getattr(app, kind)]
    found += [one.proto.body for one in app.get("html")]
    return " ".join(found + [json.dumps(one) for one in headers(app, "token_strip")])


def test_a_click_trains_a_copy_and_another_goes_back(monkeypatch):
    begun, learned = [], preferring.liking

    def few(*asked):
        begun.append(asked[1:])
        return learned(*asked[:4], min(asked[4], 1))

    monkeypatch.setattr(preferring, "liking", few)
    app = opened(PAGE, preference="short", against="free")
    check(app)
    assert "Before training, a continuation of an unseen prompt gets" in said(app)
    assert {one.title for one in BEYOND} <= {button.label for button in app.button}
    (train,) = (one for one in app.button if one.label == "Train")
    train.click().run()
    check(app)
    assert "After 1 of 1 steps" in said(app)
    assert "With “no penalty (β = 0)” it gets" in said(app)
    assert {asked[1] for asked in begun} == {0.0, 0.3}
    (back,) = (one for one in app.button if one.label == "Back to the start")
    back.click().run()
    assert "Before training" in said(app)

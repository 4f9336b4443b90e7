"""The page on block shapes: it opens finished, and what a link asks for is drawn."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.data import recorded
from core.experiments import about
from tests.app.answered import figures
from tests.app.test_pages import check, headers, opened

PAGE = "block/shapes.py"


def circuit_of(app: AppTest) -> dict[str, Any]:
    """The circuits, as they are drawn."""
    (found,) = [
        one.answer
        for one in figures(app)
        if one.spec["view"] == "shapes.circuit" and one.spec["drawn"]
    ]
    assert found is not None
    return found.header


def test_it_opens_on_three_circuits_and_marks_the_one_that_is_asked_for():
    app = opened(PAGE)
    check(app)
    circuit = circuit_of(app)
    assert [one["id"] for one in circuit["circuits"]] == ["a", "d", "post"]
    assert circuit["selection"] == {"shape": "a"}
    (offered,) = headers(app, "experiments")
    assert {one.title for one in about("shapes")} <= {card["title"] for card in offered["cards"]}
    app = opened(PAGE, shape="dconv", shape_depth="4", shape_layer="23")
    check(app)
    circuit = circuit_of(app)
    assert circuit["selection"] == {"shape": "dconv"}
    assert "layer 3" in circuit["note"]  # the nearest there is
    labels = [box["label"] for box in circuit["circuits"][-1]["layout"]["boxes"]]
    assert labels.count("mix 3 tokens") == 1


def test_curves_are_shown_with_their_commands_once_there_are_any(tmp_path, monkeypatch):
    curve = recorded.Recorded("a", "python -m core.training curves a --corpora DIR", "abc", 0, 10,
                              {}, (0, 25), (6.2, 3.0), (6.2, 4.0), (0.0, 0.1))  # fmt: skip
    recorded.write(curve, tmp_path)
    for folder, n in ((tmp_path / "none", 0), (tmp_path, 1)):
        monkeypatch.setattr(recorded, "FOLDER", folder)
        app = opened(PAGE)
        check(app)
        assert [one.value for one in app.code] == [curve.command] * n

"""A figure that asks for itself, alone: what it asks, and when."""

from __future__ import annotations

from typing import Any

from core.figures.components import Stepper
from core.figures.payload import Payload

SPEC: dict[str, Any] = {
    "view": "a.view", "path": "/figure", "reads": ["text", "layer"], "follows": [],
    "drawn": True, "controls": [], "below": [], "says": ["reading"],
    "notes": [], "asks": {}, "job": False, "saves": False, "height": 10, "title": "",
    "when": {}, "more": {},
    "speaks": "en", "labels": {"lost": "Lost"},
}  # fmt: skip
LIVE = {"values": {"layer": "2"}, "opened": {"text": "So"}}


def answer() -> bytes:
    drawn = Stepper(title="Steps", alt="", n=3, first=0).payload()
    said = {
        "reading": [["It is shown.", "plain"]], "notes": [], "facts": "", "source": "",
        "jobs": [], "changes": [], "outcome": None, "controls": [], "steps": None,
        "folder": "stepper",
    }  # fmt: skip
    return Payload({**drawn.header, "answer": said}, drawn.arrays).pack()


def test_it_asks_once_its_page_has_a_state_whichever_of_the_two_comes_first(bare):
    asked: list[str] = []

    def respond(route: Any) -> None:
        asked.append(route.request.url.partition("?")[2])
        route.fulfill(body=answer(), content_type="application/octet-stream")

    bare.page.route("**/figure/a.view.bin*", respond)
    bare.page.evaluate("() => { __glassformer.live = null; }")
    one = bare.show("figure", Payload(SPEC)).first
    bare.page.wait_for_timeout(200)
    assert asked == []
    bare.hear(**LIVE)
    one.get_by_text("It is shown.").wait_for()
    assert asked == ["text=So&layer=2&_language=en"]

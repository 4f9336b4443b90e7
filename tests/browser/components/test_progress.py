"""A file of saved progress: never believed unchecked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from core.figures.payload import Payload
from core.lessons.study import LONGEST, Study, read

FIRST = ["lesson-a", "q1", 0, 1, 1, 1, 0, 0, 2, "a", 1]
SECOND = ["lesson-a", "q2", 0, 2, 0, 0, 0, 1, [1, 2], "b", 3]
NOTHING: dict[str, Any] = {"answers": [], "ideas": {}, "era": 0, "seed": None}


def nested(n: int) -> str:
    return "[" * n + "]" * n


def with_entry(entry: str) -> str:
    """A file whose second entry is something else than an answer."""
    return f'{{"answers": [{json.dumps(FIRST)}, {entry}], "ideas": {{}}}}'


def changed(at: int, value: Any) -> str:
    entry = [*SECOND]
    entry[at] = value
    return with_entry(json.dumps(entry))


# What somebody could give for saved progress: nothing of these is any, ...
NONE = [
    "", "null", "3", '"text"', "[1, 2]", "{broken", '{"a": 1}', '{"answers": 3, "ideas": {}}',
    '{"answers": [], "ideas": []}', nested(900), nested(50_000),
    '{"answers": [], "ideas": {}}' + " " * (4 * LONGEST),
]  # fmt: skip
# ... and of these a part.
PARTLY = [
    with_entry(nested(900)), with_entry(nested(50_000)), with_entry("{}"), with_entry("null"),
    changed(0, "<b>"), changed(1, "q1/x/y/z"), changed(2, -1), changed(3, 10**9), changed(4, True),
    changed(8, [[1]]), changed(10, 1e300),
]  # fmt: skip

LOADED = "(n) => mounted.progress.said.filter(({ what }) => what === 'loaded').length > n"


class Visit:
    """The component and what it is told."""

    def __init__(self, bare) -> None:
        self.bare, self.loaded = bare, {"n": 0, "what": "loaded"}

    def says(self) -> Locator:
        words = ("save", "load", "wipe", "sure", "loaded", "partly", "wiped", "unreadable")
        return self.bare.show("progress", Payload({
            "longest": LONGEST, "answered": NOTHING, "loaded": self.loaded, "tools": True,
            "labels": {word: word for word in words},
        }))  # fmt: skip


@pytest.mark.parametrize("texts", [NONE, PARTLY], ids=["none", "partly"])
def test_a_hostile_file_is_refused_or_repaired_with_a_sentence(bare, texts):
    visit = Visit(bare)
    for n, text in enumerate(texts):
        tools = visit.says()
        tools.locator("[role=status]").evaluate("(said) => { said.textContent = ''; }")
        file = {"name": "a.json", "mimeType": "application/json", "buffer": text.encode()}
        tools.locator("input[type=file]").set_input_files([file])
        if texts is NONE:
            expect(tools.locator("[role=status]")).to_have_text("unreadable")
            assert bare.said("progress", "loaded") == []
            continue
        bare.page.wait_for_function(LOADED, arg=n)
        said, study = read(bare.said("progress", "loaded")[-1]), Study(is_loaded=True)
        assert not study.load(said)  # so the page says that a part was left out
        assert list(study.answers) == [("lesson-a", "q1")]
        visit.loaded = {"n": n + 1, "what": "partly"}
        visit.says()
        expect(tools.locator("[role=status]")).to_have_text("partly")

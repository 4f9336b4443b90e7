"""Saved progress: told to every server that does not know it, never believed unchecked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from core.figures.payload import Payload
from core.lessons.study import LONGEST, Study, read

KEY = "glassformer.lessons"
FIRST = ["lesson-a", "q1", 0, 1, 1, 1, 0, 0, 2, "a", 1]
SECOND = ["lesson-a", "q2", 0, 2, 0, 0, 0, 1, [1, 2], "b", 3]
NOTHING: dict[str, Any] = {"answers": [], "ideas": {}, "era": 0, "seed": None}


def nested(n: int) -> str:
    return "[" * n + "]" * n


def progress(*entries: list[Any], era: int = 0, **ideas: Any) -> dict[str, Any]:
    return {"answers": list(entries), "ideas": ideas, "era": era, "seed": None}


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
    """The component and what a server says to it."""

    def __init__(self, bare, kept: str | None = None) -> None:
        self.bare, self.loaded = bare, {"n": 0, "what": "loaded"}
        if kept is not None:
            self.store(kept)

    def store(self, text: str) -> None:
        self.bare.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])

    @property
    def kept(self) -> Any:
        return json.loads(self.bare.page.evaluate(f"() => localStorage.getItem({KEY!r})"))

    def says(self, answered: dict[str, Any], *, known: bool, visit: str = "one") -> Locator:
        words = ("save", "load", "wipe", "sure", "loaded", "partly", "wiped", "unreadable")
        return self.bare.show("progress", Payload({
            "visit": visit, "known": known, "longest": LONGEST, "answered": answered,
            "loaded": self.loaded, "tools": True, "labels": {word: word for word in words},
        }))  # fmt: skip

    def told(self) -> list[Any]:
        return [json.loads(text) for text in self.bare.said("progress", "kept")]

    def another_tab(self, text: str) -> None:
        """Another tab writes; this one hears of it, as a browser has it."""
        self.store(text)
        self.bare.page.evaluate(
            "(key) => globalThis.dispatchEvent(new StorageEvent('storage', { key }))", KEY
        )


def test_a_server_that_was_started_again_is_told_and_what_is_answered_then_is_kept(bare):
    visit = Visit(bare, json.dumps(progress(FIRST)))
    visit.says(NOTHING, known=False)
    assert visit.told() == [progress(FIRST)]
    visit.says(progress(FIRST), known=True)
    visit.says(progress(FIRST, SECOND), known=True)
    assert visit.kept == progress(FIRST, SECOND)
    visit.says(NOTHING, known=False, visit="two")  # the page stayed open
    assert visit.told()[1:] == [progress(FIRST, SECOND)]
    third = ["lesson-a", "q3", *FIRST[2:]]
    visit.says(progress(FIRST, SECOND, third), known=True, visit="two")
    assert visit.kept == progress(FIRST, SECOND, third)


def test_a_visit_that_comes_back_is_told_what_was_answered_elsewhere_meanwhile(bare):
    visit = Visit(bare, json.dumps(progress(FIRST)))
    visit.says(progress(FIRST), known=True)
    visit.says(progress(FIRST, SECOND), known=True, visit="two")
    visit.says(progress(FIRST), known=True)  # another process of the server has it still
    assert visit.told() == [progress(FIRST, SECOND)]
    assert visit.kept == progress(FIRST, SECOND)


def test_answers_of_two_tabs_are_kept_and_both_hear_of_them(bare):
    visit = Visit(bare)
    visit.says(NOTHING, known=True)
    visit.another_tab(json.dumps(progress(SECOND, idea=[0, 1])))
    assert visit.told() == [progress(SECOND, idea=[0, 1])]
    visit.says(progress(FIRST), known=True)  # answered before this server has heard of it
    assert visit.kept == progress(SECOND, FIRST, idea=[0, 1])
    later = [*SECOND[:3], 3, 1, 1, *SECOND[6:10], 4]
    visit.says(progress(FIRST, later), known=True)
    assert visit.kept == progress(later, FIRST, idea=[0, 1])


def test_what_another_tab_deletes_stays_deleted(bare):
    visit = Visit(bare, json.dumps(progress(FIRST)))
    visit.says(progress(FIRST), known=True)
    visit.another_tab(json.dumps(progress(era=1)))
    assert visit.told() == [progress(era=1)]
    visit.says(progress(FIRST, SECOND), known=True)  # of before it has heard
    assert visit.kept == progress(era=1)


@pytest.mark.parametrize("text", ["null", "[]", "{broken", nested(900), nested(50_000),
                                  changed(8, [[1]]), with_entry(nested(50_000))])  # fmt: skip
def test_what_something_else_has_written_there_is_repaired(bare, text):
    whole = progress(FIRST) if "lesson-a" in text else NOTHING
    visit = Visit(bare, text)
    visit.says(NOTHING, known=False)
    assert visit.told() == [whole]
    third = ["lesson-a", "q3", *FIRST[2:]]
    visit.says(progress(*whole["answers"], third), known=True)
    assert visit.kept == progress(*whole["answers"], third)


def test_what_a_server_refuses_is_told_once(bare):
    visit = Visit(bare, json.dumps(progress(FIRST)))
    for _run in range(3):
        visit.says(NOTHING, known=True)
    assert len(visit.told()) == 1


@pytest.mark.parametrize("texts", [NONE, PARTLY], ids=["none", "partly"])
def test_a_hostile_file_is_refused_or_repaired_with_a_sentence(bare, texts):
    visit = Visit(bare)
    for n, text in enumerate(texts):
        tools = visit.says(NOTHING, known=True)
        tools.locator("[role=status]").evaluate("(said) => { said.textContent = ''; }")
        file = {"name": "a.json", "mimeType": "application/json", "buffer": text.encode()}
        tools.locator("input[type=file]").set_input_files([file])
        if texts is NONE:
            expect(tools.locator("[role=status]")).to_have_text("unreadable")
            assert bare.said("progress", "loaded") == []
            continue
        bare.page.wait_for_function(LOADED, arg=n)
        said, study = read(bare.said("progress", "loaded")[-1]), Study(known=True)
        assert not study.load(said)  # so the page says that a part was left out
        assert list(study.answers) == [("lesson-a", "q1")]
        visit.loaded = {"n": n + 1, "what": "partly"}
        visit.says(NOTHING, known=True)
        expect(tools.locator("[role=status]")).to_have_text("partly")

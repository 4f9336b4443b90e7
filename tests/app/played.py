"""A learner's browser before the lessons: what her page is at, what it keeps, what she does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from streamlit.testing.v1 import AppTest

from core.answers.names import says_where, selectable
from core.figures.payload import unpack
from core.language import use_language
from core.lessons import Lesson, lesson
from core.lessons.screen.learner import Learner
from core.lessons.screen.screens import screen
from core.lessons.study import Study
from pages.parts.app import app

Query = Mapping[str, str]
WITHIN = ("said", "shown", "below", "further", "beside", "opening", "blocks", "columns",
          "cards", "claim")  # fmt: skip


def directly(query: Query) -> bytes:
    """The screen that a query asks for, as its bytes."""
    use_language(query.get("_language", "en"))
    return screen(Learner.of(app(), query)).pack()


def the_lesson(ident: str) -> Lesson:
    """A lesson, which is not broken."""
    found = lesson(ident)
    assert isinstance(found, Lesson)
    return found


def screen_at(ident: str, step: str) -> int:
    """The number of the screen of a step."""
    found = the_lesson(ident)
    return [one.id for one in found.steps].index(step) + found.first


class Played:
    """A page that shows the lessons, in one browser.

    Attributes:
        state: names and values, as a link has them.
        study: what the browser keeps, as it says it; empty for a browser that keeps nothing.
        more: what else goes with each question, such as the page that asks one of its own.
        folds: what is unfolded.
        screen: that is shown; its components beside it have their arrays in ``arrays``.
    """

    def __init__(
        self,
        study: Study | None = None,
        ask: Callable[[Query], bytes] = directly,
        more: Query | None = None,
        **state: str | int,
    ) -> None:
        self.state = {name: str(value) for name, value in state.items()}
        self.study = json.dumps((study or Study()).as_data())
        self.more = dict(more or {})
        self.folds: set[str] = set()
        self.screen: dict[str, Any] = {}
        self.arrays: dict[str, Any] = {}
        self.bytes = b""
        self._ask = ask

    def ask(self, what: str = "", value: Any = "") -> Played:
        """Ask for the screen, with what she does at a question; as the browser does it."""
        query = {name: value for name, value in self.state.items() if not self._is_looked_at(name)}
        query |= self.more | {"_study": self.study, "_folds": ",".join(sorted(self.folds))}
        if what:
            query["_does"] = json.dumps({"what": what, "value": value})
        self.bytes = self._ask(query)
        found = unpack(self.bytes)
        self.screen, self.arrays = found.header["screen"], found.arrays
        self.study = self.screen["study"] or self.study
        self._take(self.screen["sets"])
        return self

    def _is_looked_at(self, name: str) -> bool:
        """Where she looks on the screen is not said, but for what is in her hands."""
        local = name.rpartition(".")[2]
        here = self.screen.get("here", "")
        if not here or not (says_where(local) and local in selectable()):
            return False
        is_here = name.startswith(here) and not name[len(here) :][:1].isdigit()
        return is_here and name not in self.screen["follows"]

    def set(self, changes: Mapping[str, Any] | None = None, **more: Any) -> Played:
        """Change what the page is at, and ask for its screen."""
        self._take({**(changes or {}), **more})
        return self.ask()

    def _take(self, changes: Mapping[str, Any]) -> None:
        for name, value in changes.items():
            self.state.pop(name, None)
            if value is not None:
                self.state[name] = str(value)

    # --- what stands on the screen

    def blocks(self, *kinds: str) -> list[dict[str, Any]]:
        """All that stands on the screen, or what is of these kinds."""
        return [one for one in _blocks(self.screen) if not kinds or one.get("kind") in kinds]

    def figures(self, folder: str) -> list[dict[str, Any]]:
        """What each component of a kind is given."""
        return [part["header"] for one in self.blocks("figure") for part in one["parts"]
                if part["folder"] == folder]  # fmt: skip

    @property
    def questions(self) -> list[dict[str, Any]]:
        return [one["header"] for one in self.blocks("question")]

    @property
    def question(self) -> dict[str, Any]:
        (found,) = self.questions
        return found

    @property
    def controls(self) -> list[dict[str, Any]]:
        return [control for one in self.blocks("controls") for control in one["controls"]]

    @property
    def buttons(self) -> dict[str, dict[str, Any]]:
        return {one["key"]: one for one in self.blocks("button")}

    @property
    def notes(self) -> dict[str, list[str]]:
        """By kind, what there is to know."""
        found: dict[str, list[str]] = {"info": [], "warning": [], "error": []}
        for one in self.blocks("note"):
            found[one["note"]].append(one["say"])
        return found

    @property
    def title(self) -> str:
        """Of the screen; empty where the page says it."""
        heads = [one["title"] for one in self.blocks("head")]
        heads += [text for one in self.blocks("words") for text in _headings(one["words"])]
        return str((heads or [self.screen.get("title", "")])[0])

    @property
    def said(self) -> str:
        """All words of the screen, without those within figures and questions."""
        texts = [self.screen.get("what") or "", self.screen.get("title") or ""]
        for one in self.blocks():
            texts += [text_of(one[name]) for name in ("words", "say", "title") if name in one]
        return "\n".join(texts)

    # --- what she does

    def does(self, what: str, n: int = -1) -> Played:
        """Something at a question: "hint", "give" or "again"."""
        return self.ask(what, self.questions[n]["asks"])

    def answer(self, value: Any, n: int = -1, **more: Any) -> Played:
        """Answer a question of the screen."""
        return self.ask("answer", {"id": self.questions[n]["asks"], "value": value, **more})

    def press(self, key: str) -> Played:
        """Press a button."""
        one = self.buttons[key]
        self._take(one["sets"])
        return self.ask(one["deed"])

    def kept(self) -> Study:
        """What the browser keeps."""
        found = Study(is_loaded=False)
        assert found.load(json.loads(self.study))
        return found


def opened(ident: str = "", at: int | str = "", study: Study | None = None, **state: Any) -> Played:
    """A screen of a lesson, as a link opens it; the list for none."""
    place = {"lesson": ident} | ({"lesson_at": str(at)} if at != "" else {})
    return Played(study, **{**place, **state} if ident else state).ask()


def of_page(app: AppTest, study: Study | None = None) -> Played:
    """The lessons of a page, as its browser asks for them."""
    protos = [one.proto for one in app.get("bidi_component")]
    headers = {p.component_name.rpartition(".")[2]: unpack(p.bytes).header for p in protos}
    live, own = headers["link"], headers["lesson"]
    state = live["opened"] | live["values"]
    return Played(study, more=own["asks"] | {"_language": own["speaks"]}, **state).ask()


def given_up(ident: str, *questions: str) -> Study:
    """She has asked for these answers; for all of a lesson where none is named."""
    study = Study()
    asked = [one.question.id for one in the_lesson(ident).steps if one.question is not None]
    for one in questions or asked:
        study.of(ident, one).given_up = True
    return study


def plain(parts: list[list[str]]) -> str:
    """A sentence of a question, without its styles."""
    return "".join(words for words, _style in parts)


def text_of(tree: Any) -> str:
    """The words of a text that is built in the browser."""
    if isinstance(tree, str):
        return tree
    is_tag = len(tree) > 1 and isinstance(tree[1], dict)
    return "".join(text_of(one) for one in tree[2 * is_tag :])


def _headings(tree: Any) -> Iterator[str]:
    """The titles in a text that is built in the browser."""
    if not isinstance(tree, str) and tree:
        if tree[0] == "h1":
            yield text_of(tree)
        for one in tree:
            yield from _headings(one) if isinstance(one, list) else ()


def _blocks(found: Any) -> Iterator[dict[str, Any]]:
    if isinstance(found, list):
        for one in found:
            yield from _blocks(one)
    elif isinstance(found, dict):
        if "kind" in found:
            yield found
        for name in WITHIN:
            yield from _blocks(found.get(name, ()))

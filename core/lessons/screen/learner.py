"""Who asks for a screen: what she has chosen, what she has answered, what she does now."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.answers.app import App
from core.answers.link import clean
from core.answers.names import Learning, Own, PageNames
from core.device import usable
from core.figures.theme import Mode
from core.lessons.study import OWN_SEEDS, Study, read
from core.runs.job_status import describe, until_next
from core.runs.request import Job, Request
from core.runs.turn_queue import NOBODY, Visitor
from core.views.params import OnText, parse, written

P = TypeVar("P")
TEXT, HERS = "text", "hers"
DOES, STUDY, FOLDS, MODE, WHO = "_does", "_study", "_folds", "_mode", "_who"
PAGE, NAMES = "_page", "_names"
MOST_NAMES, LARGEST = 20, 10**9


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that she does at a question.

    Attributes:
        what: "answer", "hint", "give" or "again"; of a button "begin" or "anew".
        asks: the question as it was asked (``player.asks``).
        value: the answer.
        percent: a share was given in per cent, and said so.
    """

    what: str = ""
    asks: str = ""
    value: Any = None
    percent: bool = False

    @classmethod
    def of(cls, text: str) -> Deed:
        """What a browser says; nothing where it cannot be read."""
        data = read(text)
        match data:
            case {"what": "answer", "value": {"id": str(asks), "value": value, **more}}:
                return cls("answer", asks, value, more.get("percent") is True)
            case {"what": str(what), "value": str(asks)}:
                return cls(what, asks)
        return cls()


@dataclass
class Learner:
    """She, for as long as a screen is made.

    Attributes:
        app: that she is in.
        values: the state of her page, names and values as a link has them.
        study: what she has answered.
        deed: that she does now.
        folds: what is unfolded on the screen.
        mode: light or dark, as her browser shows it.
        who: her tab, as it calls itself; empty for one that does not say, and is its visitor's.
        visitor: whose turn it is when something is trained for it.
        page: that asks one question of its own; empty for the lessons.
        names: what that question knows of the run on its page.
        is_new: her browser keeps nothing yet.
        turns: what becomes of the state by her deed is another screen, and a step back leads here.
        sets: what becomes of the state by it; None takes one back to its default.
        unfit: why the step that is open cannot take her own sentence; empty where it can.
    """

    app: App
    values: dict[str, str]
    study: Study
    deed: Deed = Deed()
    folds: frozenset[str] = frozenset()
    mode: Mode = "light"
    who: str = ""
    visitor: Visitor = NOBODY
    page: str = ""
    names: Mapping[str, int] = field(default_factory=dict)
    is_new: bool = False
    turns: bool = False
    sets: dict[str, str | None] = field(default_factory=dict)
    unfit: str = ""

    @classmethod
    def of(cls, app: App, query: Mapping[str, str], visitor: Visitor = NOBODY) -> Learner:
        """Whoever asks with these names and values."""
        values = {name: value for name, value in query.items() if not name.startswith("_")}
        study = Study(seed=secrets.randbelow(OWN_SEEDS))
        study.load(read(query.get(STUDY, "")))
        study.is_loaded = True
        folds = frozenset(query.get(FOLDS, "").split(","))
        mode: Mode = "dark" if query.get(MODE) == "dark" else "light"
        return cls(
            app,
            values,
            study,
            Deed.of(query.get(DOES, "")),
            folds,
            mode,
            query.get(WHO, "")[:40],
            visitor,
            page=query.get(PAGE, ""),
            names=_numbers(read(query.get(NAMES, ""))),
            is_new=not query.get(STUDY),
        )

    def read(self, cls: type[P], scope: str = "") -> P:
        """Parameters as they are chosen; where wrong values stand, their defaults count."""
        params, _problems = parse(cls, self.within(scope))
        return params

    def within(self, scope: str) -> dict[str, str]:
        """The names and values of a scope, as its figures know them."""
        prefix = f"{scope}." if scope else ""
        return {
            name[len(prefix):]: value for name, value in self.values.items()
            if name.startswith(prefix) and "." not in name[len(prefix):]
        }  # fmt: skip

    def set(self, changes: Mapping[str, Any], scope: str = "") -> None:
        """Change the state of her page; None takes a value back."""
        for local, value in changes.items():
            name = f"{scope}.{local}" if scope else local
            text = self.sets[name] = None if value is None else clean(written(value))
            self.values.pop(name, None)
            if text is not None:
                self.values[name] = text

    @property
    def sentence(self) -> str:
        """Her own sentence; empty while she has typed none."""
        text, hers = self.read(OnText).text, self.read(Own).hers
        sentence = hers if HERS in self.values else text if TEXT in self.values else ""
        return sentence if sentence.strip() else ""

    @property
    def abroad(self) -> str:
        """What she has typed for models that translate; empty for none."""
        text = self.read(Own).abroad
        return text if text.strip() else ""

    @property
    def learning(self) -> Learning:
        """Which lesson is open, and where."""
        return self.read(Learning)

    @property
    def device(self) -> str:
        """Where her models run."""
        return usable(self.read(PageNames).device)

    @property
    def lecture(self) -> bool:
        """A teacher shows it to a class."""
        return self.read(PageNames).view == "lecture"

    def answer(self, request: Request) -> Any:
        """Carry a request out.

        Raises:
            CoreError: it cannot be.
            TimeoutError: it takes longer than a screen is waited for; with how far it is, in words,
                and the seconds until one asks again.
        """
        runs = self.app.runs
        if not isinstance(request, Job):
            return runs.get(request, self.device)
        progress = runs.watch(request, self.who or self.visitor, self.device, self.visitor)
        if progress.problem is not None:
            raise progress.problem
        if not progress.over:
            raise TimeoutError(describe(request, progress), until_next(progress, runs) or 1.0)
        return progress

    def study_as_text(self) -> str:
        """What she has answered, as her browser keeps it."""
        return json.dumps(self.study.as_data(), separators=(",", ":"))


def _numbers(data: Any) -> dict[str, int]:
    """Names of whole numbers; all else that a browser says is left out."""
    entries = list(data.items())[:MOST_NAMES] if isinstance(data, dict) else []
    return {
        name: n for name, n in entries
        if name.isidentifier() and type(n) is int and abs(n) <= LARGEST
    }  # fmt: skip

"""The screens of a lesson as data: what is seen before an answer, and apart from it what after."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from core.errors import CoreError, NoQuestionError
from core.figures.components import Component
from core.figures.payload import Payload
from core.glossary import Term
from core.language import _
from core.lessons.asking_again import probe
from core.lessons.book.asked import SEEDS, answered, chain, unanswered
from core.lessons.book.doing import DONE, Hands, hands_of, tried, unmade
from core.lessons.book.words import words
from core.lessons.player import Asked, picks
from core.lessons.posing import Posed
from core.lessons.printed.ready import Pictured, pictured
from core.lessons.schema import Lesson, Step
from core.lessons.world import Answer, World, world_of


@dataclass(frozen=True)
class Screen:
    """A screen of a lesson.

    Attributes:
        title: above it.
        layout: "split" for a figure beside the text, "below" for one below it, "beside" for two
            side by side.
        opened: what is there at once.
        closed: what an answer opens; None where nothing waits.
        folders: of the components that it has.
    """

    title: str
    layout: str
    opened: Payload
    closed: Payload | None = None
    folders: frozenset[str] = frozenset()


@dataclass
class Parts:
    """Components as data; an array that several have is held once."""

    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)

    def add(self, component: Component, **more: Any) -> dict[str, Any]:
        """A component, its arrays by the name that they have here."""
        own = component.payload()
        self.folders.add(component.folder)
        held = {name: self._held(array) for name, array in own.arrays.items()}
        return {"folder": component.folder, "header": {**own.header, **more}, "arrays": held}

    def _held(self, array: NDArray[Any]) -> str:
        said = f"{array.dtype} {array.shape} ".encode() + array.tobytes()
        name = hashlib.sha256(said).hexdigest()[:12]
        self.arrays[name] = array
        return name


def of_step(
    at: int, step: Step, answer: Answer, terms: dict[str, Term], seeds: int = SEEDS
) -> Screen:
    """A step.

    Args:
        at: its place among the screens.
        step: of a lesson.
        answer: carries a request out.
        terms: of the glossary by id; those of the step are added.
        seeds: on which its question is posed.

    Raises:
        CoreError: it cannot be run.
    """
    world = world_of(step, answer)
    opened, closed = Parts(), Parts()
    try:
        every: list[Posed | None] = [None]
        if step.question is not None:
            every = list(chain(step.question, world.names, seeds))
        problem = ""
    except NoQuestionError as said:
        every, problem = [], said.sentence()
    made = _Step(at, step, world, answer, opened, closed, terms)
    variants = [made.variant(posed) for posed in every]
    head: dict[str, Any] = {"variants": [one for one, _more in variants], "notes": _notes(step)}
    if problem:
        head["problem"] = problem
        head["before"] = words(step.before, world.names, terms)
    more = Payload({"variants": [more for _one, more in variants]}, closed.arrays)
    folders = frozenset(opened.folders | closed.folders)
    return Screen(step.title, _layout(step), Payload(head, opened.arrays),
                  more if step.question is not None and not problem else None, folders)  # fmt: skip


def _layout(step: Step) -> str:
    if any(one.beside for one in step.figures):
        return "beside"
    return "below" if not step.figures or any(one.wide for one in step.figures) else "split"


def _notes(step: Step) -> list[str]:
    """What the text is, and where another one can be typed."""
    texts = dict.fromkeys(str(one.params["text"]) for one in step.figures if "text" in one.params)
    said = [_("On the sentence “{text}”").format(text=text) for text in texts]
    if any(one.own for one in step.figures):
        said.append(_("In the app, this step takes a sentence of your own, too."))
    return said


@dataclass(frozen=True)
class _Step:
    """A step with its run, and where its components go."""

    at: int
    step: Step
    world: World
    answer: Answer
    opened: Parts
    closed: Parts
    terms: dict[str, Term]

    def variant(self, posed: Posed | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is seen before the answer to a question as it was posed, and what after."""
        names = self.world.names if posed is None else posed.names
        shown = [pictured(one, names, self.step.question) for one in self.world.shown]
        before = {"before": words(self.step.before, names, self.terms)}
        after = {"after": words(self.step.after, names, self.terms)}
        figures = [self._open(one) for one in shown]
        if posed is None:
            return {**before, **after, "figures": figures}, {}
        asked, own = posed.question, self._figure(posed, shown)
        first = then_picks = None
        if own is not None:
            first, then_picks = (
                picks(posed, one, self._key(own)) for one in (own.before, own.whole)
            )
        now = unanswered(asked.id, posed, "lesson", first)
        held = {"seed": posed.seed, "about": posed.about, "question": now, "figures": figures}
        then = {
            **after,
            "question": answered(posed, "lesson", then_picks),
            "figures": self._waiting(shown),
        }
        if asked.kind == "do":
            hands = hands_of(self.step)
            held["question"] = unmade(posed, now, hands)
            held["hands"], then["hands"] = self._goal(hands, posed)
        return {**before, **held}, then

    def _waiting(self, shown: Sequence[Pictured]) -> list[dict[str, Any] | None]:
        """Of each figure, what waits for an answer."""
        return [self._whole(one) if one.is_covered else None for one in shown]

    def _goal(self, hands: Hands, posed: Posed) -> tuple[dict[str, Any], dict[str, Any]]:
        """All that can be made of the figures, and apart from it what becomes of that."""
        made, told = {}, {}
        for one in tried(self.step, hands, posed, self.answer):
            every = () if one.world is None else one.world.shown
            shown = [pictured(own, one.names, self.step.question) for own in every]
            if one.name == DONE:  # she cannot make it here, so it waits
                figures: Any = [self._whole(own) for own in shown]
                told[one.name] = {**one.told, "near": one.near, "figures": figures}
                continue
            made[one.name] = {"near": one.near, "figures": [self._open(own) for own in shown]}
            told[one.name] = {**one.told, "figures": self._waiting(shown)}
        open_ = {
            "at": [one is self.step.in_hand for one in self.step.figures].index(True),
            "controls": hands.controls,
            "start": hands.start,
            "made": made,
        }
        return open_, {"done": hands.done, "made": told}

    def _figure(self, posed: Posed, shown: Sequence[Pictured]) -> Pictured | None:
        """The figure in which an answer is picked."""
        named = posed.question.figure
        return next((one for one in shown if one.shown.figure.name == named), None)

    def _key(self, one: Pictured) -> str:
        return f"{self.at}-{one.shown.figure.name}"

    def _open(self, one: Pictured) -> dict[str, Any]:
        """A figure as it is before the answer."""
        if not one.is_covered:
            return self._drawn(one, self.opened)
        if one.before is None:
            title = "" if one.shown.figure.cover == "place" else one.whole.title
            return {"title": title, "parts": []}
        return {"parts": [self._part(one, one.before, self.opened)]}

    def _whole(self, one: Pictured) -> dict[str, Any]:
        return self._drawn(one, self.closed)

    def _drawn(self, one: Pictured, to: Parts) -> dict[str, Any]:
        """All of a figure, with its steps and what is said of it."""
        figure, view = one.shown.figure, one.shown.view
        steps = view.steps(one.record) if figure.play else None
        parts = [] if steps is None else [self._part(one, dataclasses.replace(steps, keys=False),
                                                     to)]  # fmt: skip
        said: dict[str, Any] = {"parts": [*parts, self._part(one, one.whole, to)]}
        if figure.offers:
            notes = [str(n.text) for n in view.notes(one.record) if n.kind == "info"]
            said |= {"notes": notes} if notes else {}
        if figure.reading:
            said["reading"] = view.describe(one.record).as_data()
        return said

    def _part(self, one: Pictured, component: Component, to: Parts) -> dict[str, Any]:
        figure = one.shown.figure
        scope = f"{self.at}{figure.follows or figure.name}"
        return to.add(component, scope=scope, figure=self._key(one))


def of_probe(found: Lesson, when: Asked, answer: Answer, terms: dict[str, Term]) -> Screen:
    """The screen before a lesson or after it: a few questions, and what she can do then.

    Args:
        found: the lesson.
        when: "before" or "after".
        answer: carries a request out.
        terms: of the glossary by id; those of the texts are added.
    """
    every = list(_probed(found, when, answer))
    opened: dict[str, Any] = {"able": list(found.able), "probe": [one for one, _more in every]}
    if when == "after":
        opened["sums"] = [words(one, {}, terms) for one in found.sums_up]
    closed = {"probe": [more for _one, more in every]}
    title = _("Before") if when == "before" else _("After")
    return Screen(title, "below", Payload(opened), Payload(closed) if every else None)


def _probed(
    found: Lesson, when: Asked, answer: Answer
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for ident in found.probe:
        step = found.asking(ident)
        assert step.question is not None
        try:
            posed = probe(step.question, world_of(step, answer).names, when)
        except CoreError:
            continue  # as in the app there is no such question then
        name = f"{ident}/{when}"
        texts = dict.fromkeys(str(one.params["text"]) for one in step.figures
                              if "text" in one.params)  # fmt: skip
        said = [_("On the sentence “{text}”").format(text=text) for text in texts]
        yield (
            {"seed": 0, "about": posed.about, "notes": said,
             "question": unanswered(name, posed, when)},
            {"question": answered(posed, when)},
        )  # fmt: skip

"""The screens of a lesson as data: what is seen before an answer, and apart from it what after."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from core.errors import CoreError, NoQuestionError
from core.figures.components import Component
from core.figures.payload import Payload
from core.glossary import Term
from core.language import _
from core.lessons.book.asked import SEEDS, answered, chain, unanswered
from core.lessons.book.doing import DONE, Hands, hands_of, tried, unmade
from core.lessons.book.varied import Variations, leaves_out, variations_of, varied
from core.lessons.book.words import words
from core.lessons.naming import Facts
from core.lessons.player import Asked, picks
from core.lessons.posing import Posed
from core.lessons.printed.ready import Pictured, pictured
from core.lessons.schema import Figure, Step
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
    """Components as data; an array that several have is held once.

    Attributes:
        arrays: by the names that they have here.
        folders: of the components.
        on_page: they stand on a page of the app, where some are drawn by a library.
    """

    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    on_page: bool = False

    def add(self, component: Component, **more: Any) -> dict[str, Any]:
        """A component, its arrays by the name that they have here."""
        own = component.on_page() if self.on_page else component.payload()
        folder = (self.on_page and component.drawn_by) or component.folder
        self.folders.add(folder)
        held = {name: self._held(array) for name, array in own.arrays.items()}
        return {"folder": folder, "header": {**own.header, **more}, "arrays": held}

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
    made = Staged(str(at), step, world, answer, opened, closed, terms)
    variants = [made.variant(posed) for posed in every]
    head: dict[str, Any] = {
        "variants": [one for one, _more in variants],
        "notes": _notes(step, world),
    }
    if problem:
        head["problem"] = problem
        head["before"] = words(step.before, world.names, terms)
    more = Payload({"variants": [more for _one, more in variants]}, closed.arrays)
    folders = frozenset(opened.folders | closed.folders)
    return Screen(step.title, layout_of(step), Payload(head, opened.arrays),
                  more if step.question is not None and not problem else None, folders)  # fmt: skip


def layout_of(step: Step) -> str:
    """How a step's figures stand to its texts; the words are those of ``Screen``."""
    if any(one.beside for one in step.figures):
        return "beside"
    return "below" if not step.figures or any(one.wide for one in step.figures) else "split"


def _notes(step: Step, world: World) -> list[str]:
    """What the text is, and where another one can be typed."""
    said = sentences(step)
    if any(one.own for one in step.figures):
        said.append(_("In the app, this step takes a sentence of your own, too."))
    if step.question is not None and step.question.offered:
        said.append(_("Choose beside the figure. In the app you can try anything you like."))
    if any(leaves_out(one) for one in world.shown):
        said.append(_("In the app, more of this figure can be changed."))
    return said


def sentences(step: Step) -> list[str]:
    """What the figures of a step are about."""
    texts = dict.fromkeys(str(one.params["text"]) for one in step.figures if "text" in one.params)
    return [_("On the sentence “{text}”").format(text=text) for text in texts]


@dataclass(frozen=True)
class Staged:
    """A step with its run, and where its components go.

    Attributes:
        at: the name of its screen.
        step: of a lesson.
        world: of it, its figures run.
        answer: carries a request out.
        opened, closed: components that are there at once, and those that wait.
        terms: of the glossary by id; those of the step are added.
        when: its question is asked.
        varied: by figure, the variations that were worked out.
    """

    at: str
    step: Step
    world: World
    answer: Answer
    opened: Parts
    closed: Parts
    terms: dict[str, Term]
    when: Asked = "lesson"
    varied: dict[int, list[tuple[str, World | CoreError]]] = field(default_factory=dict)

    def variant(self, posed: Posed | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is seen before the answer to a question as it was posed, and what after."""
        names = self.world.names if posed is None else posed.names
        shown = [pictured(one, names, self.step.question) for one in self.world.shown]
        before = {"before": words(self.step.before, names, self.terms)}
        after = {"after": words(self.step.after, names, self.terms)}
        figures = [self._open(one) for one in shown]
        if posed is None:
            return {**before, **after, "figures": figures, "offers": self._offers(names)}, {}
        asked, own = posed.question, self._figure(posed, shown)
        first = then_picks = None
        if own is not None:
            first, then_picks = (
                picks(posed, one, self._key(own)) for one in (own.before, own.whole)
            )
        now = unanswered(asked.id, posed, self.when, first)
        held = {"seed": posed.seed, "about": posed.about, "question": now, "figures": figures}
        then = {
            **after,
            "question": answered(posed, self.when, then_picks),
            "figures": self._waiting(shown),
        }
        if asked.kind == "do":
            hands = hands_of(self.step)
            held["question"] = unmade(posed, now, hands)
            held["hands"], then["hands"] = self._goal(hands, posed)
        elif self.when == "lesson":
            then["offers"] = self._offers(names)
        return {**before, **held}, then

    def _offers(self, names: Facts) -> list[dict[str, Any]]:
        """By figure that can be varied, its controls and what becomes of the figures."""
        to = self.opened if self.step.question is None else self.closed
        return [
            {"at": at, "controls": found.controls, "start": found.start,
             "made": self._varied(at, found, names, to)}
            for at, one in enumerate(self.world.shown)
            if (found := variations_of(one)) is not None
        ]  # fmt: skip

    def _varied(
        self, at: int, found: Variations, names: Facts, to: Parts
    ) -> dict[str, dict[int, Any]]:
        """By variation, each figure that is another one then."""
        made: dict[str, dict[int, Any]] = {}
        one = self.world.shown[at]
        if at not in self.varied:
            self.varied[at] = list(varied(self.step, one, found, self.answer))
        for name, world in self.varied[at]:
            if isinstance(world, CoreError):
                made[name] = {at: {"parts": [], "problem": world.sentence()}}
                continue
            both = enumerate(zip(self.world.shown, world.shown, strict=True))
            made[name] = {n: self._drawn(pictured(now, names, None), to)
                          for n, (own, now) in both if own.params != now.params}  # fmt: skip
        return made

    def _waiting(self, shown: Sequence[Pictured]) -> list[dict[str, Any] | None]:
        """Of each figure, what waits for an answer."""
        return [self._whole(one) if one.is_covered else None for one in shown]

    def _goal(self, hands: Hands, posed: Posed) -> tuple[dict[str, Any], dict[str, Any]]:
        """All that can be made of the figures, and apart from it what becomes of that."""
        own = self.step.in_hand
        assert own is not None
        made, told = {}, {}
        for one in tried(self.step, hands, posed, self.answer):
            every = () if one.world is None else one.world.shown
            shown = [pictured(each, one.names, self.step.question) for each in every]
            if one.name == DONE:  # she cannot make it here, so it waits
                figures: Any = [self._whole(each) for each in shown]
                told[one.name] = {**one.told, "near": one.near, "figures": figures}
                continue
            made[one.name] = {"near": one.near, "figures": [self._open(each) for each in shown]}
            told[one.name] = {**one.told, "figures": self._waiting(shown)}
        open_ = {
            "at": [one is own for one in self.step.figures].index(True),
            "controls": hands.controls,
            "scope": self._scope(own),
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
        return to.add(component, scope=self._scope(figure), figure=self._key(one))

    def _scope(self, figure: Figure) -> str:
        """Whose selection a figure shares."""
        return f"{self.at}{figure.follows or figure.name}"

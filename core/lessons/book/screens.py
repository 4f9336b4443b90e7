"""The screens of a lesson as data: what is seen before an answer, and apart from it what after."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.data.glossary import Term
from core.errors import CoreError, NoQuestionError
from core.figures.payload import Payload
from core.language import _
from core.lessons.book.asked import SEEDS, answered, chain, unanswered
from core.lessons.book.doing import DONE, Hands, hands_of, tried, unmade
from core.lessons.book.varied import Variations, leaves_out, variations_of, varied
from core.lessons.naming import Facts
from core.lessons.player import Asked, picks
from core.lessons.posing import Posed
from core.lessons.printed.ready import Pictured, pictured
from core.lessons.schema import Figure, Step
from core.lessons.screen.blocks import Block, Parts, drawn, hidden, layout_of, note, sentences
from core.lessons.words import words
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
    try:
        every: list[Posed | None] = [None]
        if step.question is not None:
            every = list(chain(step.question, world.names, seeds))
        problem = ""
    except NoQuestionError as said:
        every, problem = [], said.sentence()
    head: dict[str, Any] = {"notes": _notes(step, world)}
    if problem:
        head |= {"problem": problem, "before": words(step.before, world.names, terms)}
    made = Staged(str(at), step, world, answer, Parts(), Parts(), terms).screen(every, head)
    waits = step.question is not None and not problem
    return made if waits else dataclasses.replace(made, closed=None)


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

    def screen(self, every: Sequence[Posed | None], head: Mapping[str, Any]) -> Screen:
        """The screen of the step, with its question as it was posed each time.

        Args:
            every: the question; None of a step that asks nothing.
            head: what is said besides.
        """
        both = [self.variant(posed) for posed in every]
        return Screen(
            self.step.title, layout_of(self.step),
            Payload({"variants": [one for one, _more in both], **head}, self.opened.arrays),
            Payload({"variants": [more for _one, more in both]}, self.closed.arrays),
            frozenset(self.opened.folders | self.closed.folders),
        )  # fmt: skip

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
                made[name] = {at: note("error", world.sentence())}
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

    def _open(self, one: Pictured) -> Block:
        """A figure as it is before the answer."""
        if not one.is_covered:
            return self._drawn(one, self.opened)
        if one.before is None:
            figure = one.shown.figure
            return hidden(self._key(one), "" if figure.cover == "place" else one.whole.title)
        scope = self._scope(one.shown.figure)
        return drawn(one.shown, one.before, self.opened, key=self._key(one), scope=scope)

    def _whole(self, one: Pictured) -> Block:
        return self._drawn(one, self.closed)

    def _drawn(self, one: Pictured, to: Parts) -> Block:
        """All of a figure, with its steps and what is said of it."""
        return drawn(one.shown, one.whole, to, key=self._key(one),
                     scope=self._scope(one.shown.figure), record=one.record)  # fmt: skip

    def _scope(self, figure: Figure) -> str:
        """Whose selection a figure shares."""
        return f"{self.at}{figure.follows or figure.name}"

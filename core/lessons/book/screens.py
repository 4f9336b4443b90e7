"""The screens of a lesson as data: what is seen before an answer, and apart from it what after."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.data.glossary import GlossaryTerm
from core.errors import CoreError, NoQuestionError
from core.figures.payload import Payload
from core.language import _
from core.lessons.book.asked import SEEDS, answered, chain, unanswered
from core.lessons.book.doing import DONE, Hands, hands_of, tried, unmade
from core.lessons.book.varied import Variations, leaves_out, variations_of, varied
from core.lessons.naming import Facts
from core.lessons.player import Asked, picks
from core.lessons.posing import Posed
from core.lessons.printed.ready import PrintedFigure, pictured
from core.lessons.schema import LessonStep, StepFigure
from core.lessons.screen.blocks import (
    Block,
    Parts,
    figure_block,
    hidden,
    layout_of,
    note,
    sentences,
)
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
    index: int, step: LessonStep, answer: Answer, terms: dict[str, GlossaryTerm], seeds: int = SEEDS
) -> Screen:
    """A step.

    Args:
        index: its place among the screens.
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
    except NoQuestionError as problem_:
        every, problem = [], problem_.sentence()
    head: dict[str, Any] = {"notes": _notes(step, world)}
    if problem:
        head |= {"problem": problem, "before": words(step.before, world.names, terms)}
    screen = Staged(str(index), step, world, answer, Parts(), Parts(), terms).screen(every, head)
    waits = step.question is not None and not problem
    return screen if waits else dataclasses.replace(screen, closed=None)


def _notes(step: LessonStep, world: World) -> list[str]:
    """What the text is, and where another one can be typed."""
    notes = sentences(step)
    if any(figure.own for figure in step.figures):
        notes.append(_("In the app, this step takes a sentence of your own, too."))
    if step.question is not None and step.question.offered:
        notes.append(_("Choose beside the figure. In the app you can try anything you like."))
    if any(leaves_out(shown) for shown in world.shown):
        notes.append(_("In the app, more of this figure can be changed."))
    return notes


@dataclass(frozen=True)
class Staged:
    """A step with its run, and where its components go.

    Attributes:
        name: the name of its screen.
        step: of a lesson.
        world: of it, its figures run.
        answer: carries a request out.
        opened, closed: components that are there at once, and those that wait.
        terms: of the glossary by id; those of the step are added.
        when: its question is asked.
        varied: by figure, the variations that were worked out.
    """

    name: str
    step: LessonStep
    world: World
    answer: Answer
    opened: Parts
    closed: Parts
    terms: dict[str, GlossaryTerm]
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
            Payload({"variants": [variant for variant, _more in both], **head}, self.opened.arrays),
            Payload({"variants": [more for _one, more in both]}, self.closed.arrays),
            frozenset(self.opened.folders | self.closed.folders),
        )  # fmt: skip

    def variant(self, posed: Posed | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is seen before the answer to a question as it was posed, and what after."""
        names = self.world.names if posed is None else posed.names
        pictures = [pictured(shown, names, self.step.question) for shown in self.world.shown]
        before = {"before": words(self.step.before, names, self.terms)}
        after = {"after": words(self.step.after, names, self.terms)}
        figures = [self._open(picture) for picture in pictures]
        if posed is None:
            return {**before, **after, "figures": figures, "offers": self._offers(names)}, {}
        question, picture = posed.question, self._figure(posed, pictures)
        first = then_picks = None
        if picture is not None:
            first, then_picks = (
                picks(posed, component, self._key(picture))
                for component in (picture.before, picture.whole)
            )
        now = unanswered(question.id, posed, self.when, first)
        variant = {"seed": posed.seed, "about": posed.about, "question": now, "figures": figures}
        then = {
            **after,
            "question": answered(posed, self.when, then_picks),
            "figures": self._waiting(pictures),
        }
        if question.kind == "do":
            hands = hands_of(self.step)
            variant["question"] = unmade(posed, now, hands)
            variant["hands"], then["hands"] = self._goal(hands, posed)
        elif self.when == "lesson":
            then["offers"] = self._offers(names)
        return {**before, **variant}, then

    def _offers(self, names: Facts) -> list[dict[str, Any]]:
        """By figure that can be varied, its controls and what becomes of the figures."""
        to = self.opened if self.step.question is None else self.closed
        return [
            {"at": index, "controls": variations.controls, "start": variations.start,
             "made": self._varied(index, variations, names, to)}
            for index, shown in enumerate(self.world.shown)
            if (variations := variations_of(shown)) is not None
        ]  # fmt: skip

    def _varied(
        self, index: int, variations: Variations, names: Facts, to: Parts
    ) -> dict[str, dict[int, Any]]:
        """By variation, each figure that is another one then."""
        blocks: dict[str, dict[int, Any]] = {}
        shown = self.world.shown[index]
        if index not in self.varied:
            self.varied[index] = list(varied(self.step, shown, variations, self.answer))
        for name, world in self.varied[index]:
            if isinstance(world, CoreError):
                blocks[name] = {index: note("error", world.sentence())}
                continue
            both = enumerate(zip(self.world.shown, world.shown, strict=True))
            blocks[name] = {
                n: self._draw(pictured(now, names, None), to)
                for n, (before, now) in both
                if before.params != now.params
            }
        return blocks

    def _waiting(self, pictures: Sequence[PrintedFigure]) -> list[dict[str, Any] | None]:
        """Of each figure, what waits for an answer."""
        return [self._draw_whole(picture) if picture.is_covered else None for picture in pictures]

    def _goal(self, hands: Hands, posed: Posed) -> tuple[dict[str, Any], dict[str, Any]]:
        """All that can be made of the figures, and apart from it what becomes of that."""
        figure = self.step.in_hand
        assert figure is not None
        near, outcomes = {}, {}
        for attempt in tried(self.step, hands, posed, self.answer):
            every = () if attempt.world is None else attempt.world.shown
            pictures = [pictured(shown, attempt.names, self.step.question) for shown in every]
            if attempt.name == DONE:  # she cannot make it here, so it waits
                figures: Any = [self._draw_whole(picture) for picture in pictures]
                outcomes[attempt.name] = {
                    **attempt.outcome,
                    "near": attempt.near,
                    "figures": figures,
                }
                continue
            near[attempt.name] = {
                "near": attempt.near,
                "figures": [self._open(picture) for picture in pictures],
            }
            outcomes[attempt.name] = {**attempt.outcome, "figures": self._waiting(pictures)}
        open_ = {
            "at": [figure_ is figure for figure_ in self.step.figures].index(True),
            "controls": hands.controls,
            "scope": self._scope(figure),
            "start": hands.start,
            "made": near,
        }
        return open_, {"done": hands.done, "made": outcomes}

    def _figure(self, posed: Posed, pictures: Sequence[PrintedFigure]) -> PrintedFigure | None:
        """The figure in which an answer is picked."""
        named = posed.question.figure
        return next((picture for picture in pictures if picture.shown.figure.name == named), None)

    def _key(self, picture: PrintedFigure) -> str:
        return f"{self.name}-{picture.shown.figure.name}"

    def _open(self, picture: PrintedFigure) -> Block:
        """A figure as it is before the answer."""
        if not picture.is_covered:
            return self._draw(picture, self.opened)
        if picture.before is None:
            figure = picture.shown.figure
            return hidden(
                self._key(picture), "" if figure.cover == "place" else picture.whole.title
            )
        scope = self._scope(picture.shown.figure)
        return figure_block(
            picture.shown, picture.before, self.opened, key=self._key(picture), scope=scope
        )

    def _draw_whole(self, picture: PrintedFigure) -> Block:
        return self._draw(picture, self.closed)

    def _draw(self, picture: PrintedFigure, to: Parts) -> Block:
        """All of a figure, with its steps and what is said of it."""
        shown, key = picture.shown, self._key(picture)
        scope = self._scope(shown.figure)
        return figure_block(shown, picture.whole, to, key=key, scope=scope, record=picture.record)

    def _scope(self, figure: StepFigure) -> str:
        """Whose selection a figure shares."""
        return f"{self.name}{figure.follows or figure.name}"

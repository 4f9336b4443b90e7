"""The list of all lessons: of each a figure from a live run, its name, and how far she is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from core.answers.app import LESSON_FILES
from core.answers.titles import title_html
from core.errors import CoreError, LessonError
from core.language import _, language, ngettext
from core.lessons import ALL, Lesson, lesson, lesson_ids, paths
from core.lessons.courses import called
from core.lessons.schema import LessonStep
from core.lessons.screen.around import to_the_test
from core.lessons.screen.blocks import Block, button, note
from core.lessons.screen.learner import Learner
from core.lessons.words import tree
from core.lessons.world import world_of
from core.sizes import OBJECT

LONGEST = 80_000  # characters of a drawing in the list
WIDEST = 2.6  # times its height: what is wider is a row of small boxes on a card
SIZE = re.compile(r"width='(\d+)' height='(\d+)'")


def heading() -> list[Block]:
    """What the lessons are."""
    claim = _("From [[tokens]] to [[attention]] and the next word: each lesson asks you first "
              "and shows you then, on the numbers of a model that runs here. Type a sentence of "
              "your own above, and the lessons use it where they can.")  # fmt: skip
    terms = ("softmax", "logit", "causal-mask", "cross-attention", "huffman")
    head = title_html(_("What do you want to understand?"), "", claim, terms)
    return [{"kind": "words", "words": tree(head)}]


def listing(learner: Learner) -> list[Block]:
    """Every lesson, with what has been done of it."""
    path = learner.learning.path
    order = [(path, _("our own path") if path == ALL else called(path)) for path in paths()]
    menu = {"name": "path", "kind": "menu", "label": _("In the order of"), "help": "",
            "value": path, "options": order}  # fmt: skip
    orders: Block = {"kind": "controls", "key": "path", "scope": "",
                     "fields": [{"name": "path"}], "controls": [menu]}  # fmt: skip
    idents = lesson_ids(path) or lesson_ids()
    cards: Block = {"kind": "cards", "cards": [_card(learner, ident) for ident in idents]}
    return [orders, cards, *to_the_test()]


def _card(learner: Learner, ident: str) -> Block:
    """The card of a lesson in the list: title, minutes, how far she is."""
    result = lesson(ident, language())
    if isinstance(result, LessonError):
        sentence = _("This lesson's file is broken: {reason}").format(reason=str(result))
        return {"id": ident, "blocks": [note("error", sentence)]}
    places = {
        step.question.id: n for n, step in enumerate(result.steps) if step.question is not None
    }
    answers = {name: learner.study.of(ident, name) for name in places}
    met = [
        places[name]
        for name, answer in answers.items()
        if answer.once or answer.tries or answer.given_up
    ]
    follows = max(met) + 1 if 0 < len(met) < len(places) else 0
    ways = [button(f"open-{ident}", _("Open"), {"lesson": ident, "lesson_at": str(result.first)})]
    if 0 < follows < len(result.steps):
        on = {"lesson": ident, "lesson_at": str(result.first + follows)}
        sentence = _("Continue at step {n}").format(n=follows + 1)
        ways.insert(0, button(f"on-{ident}", sentence, on, weight="primary"))
    n_right = sum(answer.once for answer in answers.values()) if met else None
    return {
        "id": ident, "title": result.title, "picture": _address(learner, ident),
        "done": round(100 * len(met) / len(places)) if places else 0, "able": _able(result),
        "say": _describe_progress(result, n_right, len(places)),
        "blocks": ways,
    }  # fmt: skip


def _able(lesson: Lesson) -> str:
    """What one will be able to do, in a line: what the lesson promises first."""
    sentence = _("You will be able to {able}.")
    return sentence.format(able=lesson.able[0].rstrip(" ;.\u00a0\u202f"))


def _describe_progress(lesson: Lesson, right: int | None, n: int) -> str:
    """How long it takes, and how far she is."""
    sentence = _("{minutes} minutes · {right} of {n} right at the first try")
    if right is None:
        sentence = ngettext(
            "{minutes} minutes · {n} question", "{minutes} minutes · {n} questions", n
        )
    return sentence.format(minutes=lesson.minutes, right=right, n=n)


def _address(learner: Learner, ident: str) -> str:
    """The address of the picture of a lesson."""
    query = urlencode({"_language": language(), "_mode": learner.mode})
    return f"{learner.app.prefix}{LESSON_FILES}/{ident}/card.svg?{query}"


def picture_of(learner: Learner, lesson: Lesson) -> str:
    """A figure that stands open in the lesson as SVG, the last one first; empty for none.

    It has no letters, which nobody could read on a card, and is too wide for one only if all are.
    """
    key = ("lesson-card", lesson.id, language(), learner.mode)
    drawing: _Drawn = learner.app.runs.kept(key, lambda: _Drawn(_picture(learner, lesson)))
    return drawing.svg


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A figure of a lesson, or nothing."""

    svg: str

    @property
    def nbytes(self) -> int:
        return len(self.svg) + OBJECT


def _picture(learner: Learner, lesson: Lesson) -> str:
    is_tour = not lesson.probe  # whose map is drawn open in a file
    last = ""
    for step in reversed(lesson.steps):
        drawing = _wordless(_drawing(learner, step, covered=is_tour))
        if not drawing or len(drawing) > LONGEST:
            continue
        size = SIZE.search(drawing)
        assert size is not None  # each drawing says its own
        if int(size[1]) <= WIDEST * int(size[2]):
            return drawing
        last = last or drawing
    return last


def _drawing(learner: Learner, step: LessonStep, *, covered: bool) -> str:
    figures = [figure for figure in step.figures if covered or not figure.cover]
    waits = step.question is not None and step.question.kind != "do"  # a goal covers nothing
    if not figures or (waits and not covered):
        return ""
    try:
        world = world_of(step, learner.app.runs.get)
        shown = next(shown for shown in world.shown if shown.figure in figures)
        return shown.component(world.names).drawing(learner.mode)
    except CoreError:  # what is drawn into the figure is drawn by a question's seed
        return ""


def _wordless(drawing: str) -> str:
    """A drawing without its letters, which nobody could read on a card."""
    pieces, start = [], 0
    while (begins := drawing.find("<text", start)) >= 0:
        ends = drawing.find("</text>", begins)
        if ends < 0:
            break
        pieces.append(drawing[start:begins])
        start = ends + len("</text>")
    return "".join(pieces) + drawing[start:]

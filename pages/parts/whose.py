"""What the bar says of the text: which one is on the screen, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from core import views
from core.answers.names import LESSONS, Came, Own, TriedExperiment
from core.experiments import BY_ID
from core.language import _, language, name_of
from core.lessons import Lesson, last_test, lesson, lesson_ids
from core.lessons.screen import bar
from core.lessons.screen.learner import Learner
from core.lessons.study import Study
from core.models.needs import Needs
from core.shelf.abilities import can, translates
from core.views.params import OnText
from pages.parts import sentence, state
from pages.parts.app import app
from pages.parts.table import PageRow, of_text

READS = Needs(parts=("tokens",))


@dataclass(frozen=True, slots=True)
class BarText:
    """What stands in the bar.

    Attributes:
        text: that is on the screen; None where there is none, and no field for one.
        note: whose it is; empty where that goes without saying.
        fixed: nothing that is typed would change the screen.
        abroad: what is typed is read by a model that translates.
        model: that runs whatever is chosen; empty where none or several do, None where the choice
            counts.
    """

    text: str | None
    note: str = ""
    fixed: bool = False
    abroad: bool = False
    model: str | None = None


def in_bar(row: PageRow, model: str) -> BarText:
    """What the bar says of the text.

    Args:
        row: the page.
        model: that it runs.
    """
    runs = "" if _without_a_model(row) else None
    if not of_text(row) or not (row.needs.no_model or can(model, READS)):
        return BarText(None, model=runs)
    text = state.read(OnText).text
    if row.address == LESSONS:
        return _in_a_lesson()
    return BarText(text, _instead(text, model), abroad=translates(model), model=runs)


def _without_a_model(row: PageRow) -> bool:
    """Whether no figure of a page is of a model of the shelf, so that none can be chosen for it."""
    return bool(row.views) and all(views.get(view).needs.no_model for view in row.views)


def _in_a_lesson() -> BarText:
    """The sentence of the step that is open, until its screen says it."""
    learner = Learner(app(), {**state.current_page().values}, Study())
    learning = learner.learning
    lesson_ = lesson(learning.lesson, language()) if learning.lesson in lesson_ids() else None
    if isinstance(lesson_, Lesson):
        index = lesson_.screen(learning.lesson_at)
        line = bar.of_a_step(learner, lesson_, index, lesson_.on_screen(index))
    elif learning.lesson == last_test.NAME:
        line = bar.NOTHING
    else:
        return BarText(state.read(OnText).text)  # the list
    return BarText(line["text"], line["note"], line["fixed"], line["abroad"], line["model"])


def _instead(text: str, model: str) -> str:
    """Why it is not hers; nothing where it is, or where she has typed none."""
    came, tried = state.read(Came), BY_ID.get(state.read(TriedExperiment).experiment)
    if not state.chosen(sentence.HERS):
        return ""
    text_ = state.read(Own).hers
    if came.back_to:
        return _("The sentence of the lesson. Yours is kept.") if text_ else (
            _("The sentence of the lesson.")
        )  # fmt: skip
    if not text_:
        return ""
    if tried is not None and tried.after.get("text") == text:
        return of_experiment()
    if text == state.current_page().opened.get(sentence.TEXT) and translates(model):
        return _(
            "{model} reads French, so here is a French sentence. Yours is kept for the other pages."
        ).format(model=name_of(model))
    return not_hers()


def of_experiment() -> str:
    """What is said of an experiment's text."""
    return _("The sentence of the experiment. Yours is kept for the other pages.")


def not_hers() -> str:
    """What is said of a text that a link has put in the place of hers."""
    return _("Not your own sentence, which is kept for the other pages.")

"""The names of the state: what the views and the pages declare."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from core import views
from core.data.examples import WRITER
from core.experiments import BY_ID
from core.language import N_, _, available_languages
from core.lessons.schema import MAX_STEPS
from core.lessons.study import OWN_SEEDS
from core.locale import in_quotes
from core.views import params as schema
from core.views.params import OnText, model_param, param

LESSONS = "lessons"  # the address of their page


@dataclass(frozen=True, slots=True)
class PageNames:
    """What every page shares, besides the text.

    Attributes:
        model: id on the shelf.
        device: where the model runs.
        view: "lecture" makes everything larger and shows one stage.
        language: of the interface; empty for what the browser asks for, if we have it.
    """

    model: str = model_param(WRITER)
    device: str = param("auto", choices=("auto", "cuda", "mps", "cpu"), label=N_("Device"))
    view: str = param("page", choices=("page", "lecture"), label=N_("View"))
    language: str = param("", choices=("", *available_languages()), label=N_("Language"))


@dataclass(frozen=True, slots=True)
class Own:
    """The learner's own sentence, while a page shows another one in its place.

    Attributes:
        hers: it; empty while she has typed none.
        abroad: what she has typed for a model that translates; empty for none.
    """

    hers: str = param("", label=N_("Your own sentence"))
    abroad: str = param("", label=N_("Your own sentence for translation"))


@dataclass(frozen=True, slots=True)
class Layered:
    """The block that is looked at, the same on every page: the strip shows it by itself.

    Attributes:
        layer: counted from 0.
    """

    layer: int = param(5, low=0, high=255, lives="browser", label=N_("Layer"))


@dataclass(frozen=True, slots=True)
class TriedExperiment:
    """The experiment that was carried out last.

    Attributes:
        experiment: its id; empty for none.
    """

    experiment: str = param("", choices=("", *BY_ID), label=N_("Experiment"))


@dataclass(frozen=True, slots=True)
class Learning:
    """Which lesson is open, and where.

    Attributes:
        lesson: its id; empty for the list of all.
        lesson_at: the screen; the first asks the probe, the last asks it again; -1 for the first
            step, or for the first question that is open.
        path: through the lessons, in the order of a lecture.
        study_seed: by which questions are posed to whoever opens the link; -1 for her own.
    """

    lesson: str = param("", pattern=r"[a-z][a-z0-9-]{1,40}|", form=N_("the name of a lesson"),
                        high=41, picked=True, label=N_("Lesson"))  # fmt: skip
    lesson_at: int = param(-1, low=0, high=40, picked=True, label=N_("Step"))
    path: str = param("all", pattern=r"all|\d{3}", form=N_("the number of a lecture"),
                      high=3, label=N_("In the order of"))  # fmt: skip
    study_seed: int = param(-1, low=-1, high=OWN_SEEDS - 1, label=N_("Seed of the questions"))


@dataclass(frozen=True, slots=True)
class Came:
    """The lesson that a learner came from, while she may want to go back to it.

    Attributes:
        back_to: its id; empty for none.
        back_at: the screen.
        back_text: her own sentence there; empty for none.
        back_from: the view of the figure that she opened.
    """

    back_to: str = param("", pattern=r"[a-z][a-z0-9-]{1,40}|", form=N_("the name of a lesson"),
                         high=41, label=N_("Lesson to go back to"))  # fmt: skip
    back_at: int = param(0, low=0, high=40, label=N_("Step to go back to"))
    back_text: str = param("", label=N_("Your own sentence in the lesson"))
    back_from: str = param("", pattern=r"[a-z_]+\.[a-z_]+|", form=N_("the name of a figure"),
                           high=80, label=N_("Figure of the lesson"))  # fmt: skip


Screen = str  # by which the figures of a lesson keep their own state: "attention.3"


def screen_of(lesson: str, index: int | str, *, again: bool = False) -> Screen:
    """One screen of one lesson, or what is asked once more below it."""
    return f"{lesson}.{index}-again" if again else f"{lesson}.{index}"


@dataclass(frozen=True, slots=True)
class Touring:
    """Where the ten clicks on the home map are.

    Attributes:
        tour: the click, from 1; one more than there are sums up, 0 is the map without them.
    """

    tour: int = param(0, low=0, high=MAX_STEPS + 1, label=N_("Click"))


def _section(last: int) -> Any:
    return param(0, low=0, high=last, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class Sections:
    """By page, the section of it that fills the screen in lecture view; each page turns its own."""

    text_part: int = _section(3)
    position_part: int = _section(6)
    context_part: int = _section(1)
    picture_part: int = _section(5)
    tune_part: int = _section(3)
    lab_part: int = _section(5)
    beyond_part: int = _section(4)


@dataclass(frozen=True, slots=True)
class LookedUpTerm:
    """The term that is looked up.

    Attributes:
        term: its id, or one of its forms with hyphens; empty for none.
    """

    term: str = param("", pattern=r"[\w-]{0,60}", form=N_("the name of a term"), high=60,
                      lives="browser", label=N_("Term"))  # fmt: skip


@cache
def declaring() -> tuple[type[Any], ...]:
    """The classes that declare what a link can say: those of the pages, then those of the views."""
    of_views = [view.Params for view in views.all_views().values()]
    shared = (
        OnText,
        PageNames,
        Own,
        Layered,
        TriedExperiment,
        Learning,
        Came,
        Touring,
        Sections,
        LookedUpTerm,
    )
    return (*shared, *of_views)


@cache
def _declared() -> dict[str, type[Any]]:
    """Every parameter's name, and a class that declares it."""
    return {field.name: cls for cls in declaring() for field in dataclasses.fields(cls)}


def declares(name: str) -> bool:
    """Whether a page or a view has a parameter of this name, whatever scope it stands in."""
    return name.rpartition(".")[2] in _declared()


@cache
def selectable() -> frozenset[str]:
    """What a selection may name: what was declared to live in the browser, or to be picked."""
    return schema.selectable(set(_declared().values()))


@lru_cache(1024)  # strangers send names, too
def says_where(local: str) -> bool:
    """Whether a name says where somebody looks: a figure answers to it in the browser."""
    fields = [(cls, field.name) for cls in declaring() for field in dataclasses.fields(cls)]
    declarations = [schema.declared(cls, name) for cls, name in fields if name == local]
    return any(declaration.lives == "browser" for declaration in declarations)


def in_words(name: str) -> str:
    """What a parameter is called; a value that no page reads is a setting."""
    local = name.rpartition(".")[2]
    cls = _declared().get(local)
    if cls is None:
        return _("a setting")
    return in_quotes(_(schema.declared(cls, local).label))

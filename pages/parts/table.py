"""The page table: every page of the app, once. Navigation, links and tests are made from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from string import Template
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, ImportString
from pydantic.dataclasses import dataclass

from core import views, zoo
from core.answers.names import LESSONS
from core.data import examples
from core.models.abilities import ABILITIES
from core.models.blueprint import Attention, Blueprint
from core.models.needs import ANY, Needs
from core.shelf.abilities import can
from core.views.params import declared
from core.views.text.tokens import method_of
from core.yaml_files import read_rows
from pages.parts.prefix import page_at
from pages.parts.runs import shared_runs

# Where an example is named, its text or its model stands.
Said = Annotated[str, AfterValidator(lambda text: Template(text).substitute(vars(examples)))]


@dataclass(frozen=True, eq=False, config=ConfigDict(extra="forbid", coerce_numbers_to_str=True))
class PageRow:
    """One page.

    Attributes:
        title: in the menu (translate with ``_``).
        file: the script, from ``pages/``.
        section: of the menu (translate with ``_``).
        question: its title (translate with ``_``); empty where that follows from the model.
        claim: what this part does and why it is there, marking terms (translate with ``_``);
            empty where that follows from the run.
        terms: ids of further terms on the page.
        address: in the link; the home page's is empty.
        parts: ids of the model's parts it shows (``core.views.map``).
        needs: what a model must have for it (``core.views.View.needs``).
        views: that it shows, its own first (``core.views``).
        example: the text it opens on when the learner has none yet; empty for everybody's.
        opens: what else it opens on when the learner has not chosen it, name and value.
        opens_with: the same of what differs from model to model, by its name.
        strip: the model is drawn above it, folded flat.
        steps: ids of the places that its steps are at, one for each.
        attends: which kind of attention it shows of a model, where nobody chooses it.
        also: what else somebody may search for who wants it, with commas (translate with ``_``).
        deck: which of ``core.answers.names.Sections`` says the one that a lecture shows; empty for
            none.
        scopes: those of its figures that have a selection and parameters of their own.
    """

    title: str
    file: str
    section: str = ""
    question: str = ""
    claim: str = ""
    terms: tuple[str, ...] = ()
    address: str = ""
    parts: tuple[str, ...] = ()
    needs: Needs = ANY
    views: tuple[str, ...] = ()
    example: Said = ""
    opens: Mapping[str, Said] = field(default_factory=dict)
    opens_with: ImportString[Callable[[str], Mapping[str, str]]] | None = None
    strip: bool = True
    steps: tuple[str, ...] = ()
    attends: ImportString[Callable[[Blueprint], Attention | None]] | None = None
    also: str = ""
    deck: str = ""
    scopes: tuple[str, ...] = ()


def cut_as_it_does(model: str) -> dict[str, str]:
    """By which method words are cut, where nobody chooses one: that of the model if it has one."""
    return {"cutting": method_of(shared_runs().model(model).encoders) or "bpe"}


def the_first_attention(model: str) -> dict[str, str]:
    """The kind of attention that reads what is given to a model."""
    return {"attention": next(iter(zoo.blueprint(model).attentions)).name}


TABLE = read_rows("pages.yaml", PageRow)


def example(row: PageRow, model: str) -> str:
    """The text that a page opens on with a model; empty for everybody's."""
    blueprint = zoo.blueprint(model)
    ability = ABILITIES[blueprint.head.ability] if blueprint.predicts_words else None
    text = row.example
    # Only the home page asks what the model says, so that there a word is hidden. A page that is
    # about what such models can do knows what they can read, and any text can be cut into tokens.
    free = row.needs.ability not in ("any", "words") or row.needs.parts == ("tokens",)
    of_its_own = bool(text) and free
    if (
        ability is not None
        and ability.example
        and (not row.address or (ability.only and not of_its_own))
    ):
        text = ability.example
    return text


def opens(row: PageRow, model: str) -> dict[str, str]:
    """What else a page opens on with a model."""
    return {**row.opens, **(row.opens_with(model) if row.opens_with else {})}


def page_of(view: str, model: str = "") -> PageRow:
    """The page that shows a view, and where it can be explored.

    Args:
        view: its name.
        model: that it is shown of: a page that can show that one comes first; empty for any.

    Raises:
        KeyError: none does.
    """
    home_last = (*TABLE[1:], TABLE[0])
    rows = [row for row in home_last if view in row.views]
    if not rows:
        raise KeyError(view)
    return next((row for row in rows if not model or can(model, row.needs)), rows[0])


@lru_cache(maxsize=64)
def names(row: PageRow) -> frozenset[str]:
    """The names that a page's link may say: what its views can be asked for."""
    return frozenset(name for _params, name in _declared(row))


@lru_cache(maxsize=64)
def asks(row: PageRow) -> frozenset[str]:
    """Those of them that a figure selects and the server must answer."""
    return frozenset(name for params, name in _declared(row) if declared(params, name).picked)


def asked_for(row: PageRow) -> list[type]:
    """What its views are asked for with."""
    return [views.get(view).Params for view in row.views]


def _declared(row: PageRow) -> Iterator[tuple[type, str]]:
    """The parameters of all its views."""
    for params in asked_for(row):
        yield from ((params, field.name) for field in dataclasses.fields(params))


def row_at(address: str) -> PageRow:
    """The page of an address."""
    return next(row for row in TABLE if row.address == address)


def of_text(row: PageRow) -> bool:
    """Whether a page is about a text: its own view is, or a lesson may be."""
    if not row.views:
        return row.address == LESSONS
    return "text" in views.get(row.views[0]).Params.__dataclass_fields__


def offered() -> tuple[PageRow, ...]:
    """The pages that some model of the shelf can show."""
    shelf = zoo.shelf()
    return tuple(row for row in TABLE if any(can(name, row.needs) for name in shelf))


def places(model: str) -> dict[str, str]:
    """Part id -> address of the first page that shows it, and shows it of this model if any does.

    Args:
        model: on the shelf.
    """
    addresses: dict[str, str] = {}
    for row in sorted(offered(), key=lambda row: not can(model, row.needs)):
        for part in row.parts:
            addresses.setdefault(part, page_at(row.address))
    return addresses

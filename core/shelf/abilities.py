"""What the models of the shelf can do, and which of them is shown where another one cannot."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from core import zoo
from core.data.examples import FIRST
from core.errors import AbilityError, UnknownModelError
from core.language import _, name_of
from core.models.blueprint import Blueprint
from core.models.needs import Needs
from core.text.tongue import read_by, tongue
from core.views import weak


def lacks(name: str, needs: Needs) -> str | None:
    """What a model of the shelf lacks, as "{model} cannot …" goes on; None if it has it all."""
    return None if needs.no_model else needs.unmet(zoo.abilities(name), zoo.blueprint(name))


def can(name: str, needs: Needs) -> bool:
    """Whether a model of the shelf has what is needed."""
    return lacks(name, needs) is None


def by_rank(*first: str, others: Callable[[str], Any] | None = None) -> list[str]:
    """The models of the shelf: some before the rest, then the examples, then all others.

    Args:
        first: ids; those that are not on the shelf are left out.
        others: the rank of one that is none of them; by their names when None.
    """
    shelf = sorted(zoo.shelf(), key=others)
    return [name for name in dict.fromkeys((*first, *FIRST, *shelf)) if name in shelf]


def model_for(chosen: str, needs: Needs) -> str:
    """The chosen model if it has what the page needs, else the default, else any that has.

    Of several an example comes first, then a Transformer: what other machines are shown beside.

    Raises:
        AbilityError: none has.
    """

    def place(name: str) -> tuple[bool, int]:
        return not zoo.blueprint(name).stacks, needs.rank(zoo.abilities(name))

    if chosen in zoo.shelf() and can(chosen, needs):
        return chosen
    for name in by_rank(others=place):
        if can(name, needs):
            return name
    wanted_model = chosen if chosen in zoo.shelf() else next(iter(zoo.shelf()), chosen)
    needs.check(wanted_model, zoo.abilities(wanted_model), zoo.blueprint(wanted_model))
    return wanted_model


def one_for(chosen: str, needs: Needs) -> str:
    """The same; empty where no model of the shelf has what is needed."""
    try:
        return model_for(chosen, needs)
    except (AbilityError, UnknownModelError):
        return ""


def sizes(name: str, *shown: type) -> dict[str, int]:
    """The last layer and the last head of a model of the shelf, by the name they have in a link.

    Of several towers those of the deepest and of the one with most heads; 0 where there are none.

    Args:
        name: of the model.
        shown: the parameters of what is shown; some count what stands before the first layer.
    """
    blueprint = zoo.blueprint(name)
    layers = [part.n_layers for part in blueprint.attentions]
    layers += [part.n_layers for part in blueprint.recurrences]
    heads = [part.n_heads for part in blueprint.stacks]
    before = max((getattr(part, "layers_before", 0) for part in shown), default=0)
    return {"layer": max(layers, default=1) - 1 + before, "head": max(heads, default=1) - 1}


def first_that(has: Callable[[Blueprint], bool], *first: str) -> str:
    """A model of the shelf whose blueprint has something, some before the rest; empty for none."""
    return next((name for name in by_rank(*first) if has(zoo.blueprint(name))), "")


def arranged(arrangement: Literal["pre", "post"], model: str) -> str:
    """A model that reads texts whose norms stand so; the one that is meant, if they do."""

    def has(blueprint: Blueprint) -> bool:
        stacks = blueprint.stacks if blueprint.reads_text else ()
        return any(stack.arrangement == arrangement for stack in stacks)

    return first_that(has, model)


def model_label(name: str) -> str:
    """A shelf model as the bar names it: GPT, 6 layers; of two towers each with its own."""
    blueprint = zoo.blueprint(name)
    towers = blueprint.stacks or blueprint.recurrences or blueprint.convolutions
    if not towers:
        return name_of(name)
    n_layers = " + ".join(str(tower.n_layers) for tower in towers)
    return _("{name}, {n} layers").format(name=name_of(name), n=n_layers)


def translates(model: str) -> bool:
    """Whether a model translates, and so reads another language than all others."""
    blueprint = zoo.blueprint(model)
    return blueprint.predicts_words and blueprint.head.ability == "translate"


def cannot_read(model: str, text: str) -> bool:
    """Whether a model cannot read a text: it translates from another language."""
    return translates(model) and tongue(text) == "en"


@lru_cache(64)
def languages_of(name: str) -> tuple[str, ...]:
    """The codes of the languages that a model of the shelf reads, as its card says."""
    return read_by(zoo.card(name)) if name in zoo.shelf() else ()


def english_only(model: str, text: str) -> str:
    """The same in words; empty where there is nothing to say."""
    return weak.english_only(name_of(model), text) if languages_of(model) == ("en",) else ""

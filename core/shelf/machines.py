"""What models are, in words that follow from their blueprints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core import zoo
from core.language import N_, _, name_of
from core.models.blueprint import Blueprint, Recurrence, Stack
from core.models.picture_parts import ConvolutionalStem
from core.views.parts import NORMS, stream_called, tower_called

# What a machine of one stack does, by whether it is causal and where its norms stand.
ALONE = {
    (True, "pre"): N_("{model} reads from left to right: its maps are triangles, and each "
                      "{norm} stands before the part it feeds."),
    (True, "post"): N_("{model} reads from left to right: its maps are triangles, and each "
                       "{norm} stands after a sum."),
    (False, "pre"): N_("{model} reads in both directions: its maps are full squares, and each "
                       "{norm} stands before the part it feeds."),
    (False, "post"): N_("{model} reads in both directions: its maps are full squares, and "
                        "each {norm} stands after a sum."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Working:
    """How machines of a kind work, as the home page tells it.

    Attributes:
        has: whether a blueprint is of that kind.
        claim: in two sentences, which mark the terms that they explain (translate with ``_``).
        terms: ids of further terms on their maps.
    """

    has: Callable[[Blueprint], bool]
    claim: str
    terms: tuple[str, ...]


WORKINGS = (
    Working(
        lambda blueprint: (
            blueprint.predicts_words and [one.causal for one in blueprint.stacks] == [True]
        ),
        N_("Like ChatGPT, only far smaller, this model continues a text, word by word, and looks "
           "nothing up. It turns [[tokens]] into rows of numbers, lets these exchange "
           "information, [[layer]] by layer, and gives every entry of its [[vocabulary]] a "
           "[[probability]]."),
        ("residual-stream", "layernorm", "head"),
    ),
    Working(
        lambda blueprint: bool(blueprint.stacks) and blueprint.predicts_words,
        N_("A Transformer cuts a text into [[tokens]], turns each one into a vector, and lets "
           "the vectors exchange information, [[layer]] by layer. At the end it gives every "
           "entry of its [[vocabulary]] a [[probability]]."),
        ("residual-stream", "layernorm", "head"),
    ),
    Working(
        lambda blueprint: bool(blueprint.recurrences) and blueprint.predicts_words,
        N_("A [[recurrent network]] cuts a text into [[tokens]], turns each one into a vector, and "
           "reads one after the other: its [[hidden state]] carries on what it has read. At the "
           "end it gives every entry of its [[vocabulary]] a [[probability]]."),
        ("gate",),
    ),
    Working(
        lambda blueprint: bool(blueprint.stacks) and bool(blueprint.patches),
        N_("A [[Vision Transformer]] cuts a picture into [[patches]], turns each one into a "
           "vector, and lets the vectors exchange information, [[layer]] by layer. At the end it "
           "gives every label a [[probability]]."),
        ("residual-stream", "layernorm", "head", "cls"),
    ),
    Working(
        lambda blueprint: bool(blueprint.stacks),
        N_("A Transformer cuts a text into [[tokens]], turns each one into a vector, and lets "
           "the vectors exchange information, [[layer]] by layer. At the end it gives every "
           "label a [[probability]]."),
        ("residual-stream", "layernorm", "head", "cls"),
    ),
    Working(
        lambda _blueprint: True,
        N_("A model turns what it is given into numbers and works on them [[layer]] by layer. At "
           "the end it gives every possible answer a [[probability]]."),
        (),
    ),
)  # fmt: skip


def working(blueprint: Blueprint) -> Working:
    """How a machine works."""
    return next(kind for kind in WORKINGS if kind.has(blueprint))


def character(name: str) -> str:
    """What a model of the shelf does, as its map shows it; empty where that needs no words."""
    blueprint = zoo.blueprint(name)
    if blueprint.patches or blueprint.convolutions:
        return _sees(name, blueprint)
    if blueprint.recurrences:
        return " ".join(_recurrent(name, blueprint))
    if len(blueprint.stacks) > 1:
        return _("{model} has two towers. The encoder reads in both directions. The decoder "
                 "writes from left to right and attends to what the encoder made of the "
                 "source.").format(model=name_of(name))  # fmt: skip
    for stack in blueprint.stacks:
        words = _(ALONE[stack.causal, stack.arrangement])
        return words.format(model=name_of(name), norm=NORMS[stack.norm])
    if blueprint.dense and not blueprint.attentions:
        return _("{model} has no attention and no state. A layer of hidden units reads all that "
                 "it is given at once.").format(model=name_of(name))  # fmt: skip
    return ""


def _sees(name: str, blueprint: Blueprint) -> str:
    """How a machine looks at pictures."""
    text = _("{model} reads pictures. Small kernels slide over them, and every kernel gives a "
             "map of what it finds.")  # fmt: skip
    if blueprint.patches and blueprint.attentions:
        text = _("{model} reads pictures. It cuts them into patches, and every patch can attend "
                 "to every other.")  # fmt: skip
    elif blueprint.patches:
        text = _("{model} reads pictures. It cuts them into patches. Nothing in it attends to "
                 "anything.")  # fmt: skip
    return text.format(model=name_of(name))


def _recurrent(name: str, blueprint: Blueprint) -> list[str]:
    """What recurrent layers do, and what they know of another stream."""
    sentences = [_("{model} reads one token after the other: a state goes from token to token, and "
              "gates decide what it keeps.").format(model=name_of(name))]  # fmt: skip
    across = blueprint.across()
    if across is not None:
        sentences.append(
            _("Before each step it attends to the whole {stream}.").format(
                stream=stream_called(blueprint, across.keys)
            )
        )
        return sentences
    for recurrence in blueprint.recurrences:
        if recurrence.told is not None:
            sentences.append(
                _("Of the {stream} the {part} knows only a summary: the last states.").format(
                    stream=stream_called(blueprint, recurrence.told), part=tower_called(recurrence)
                )
            )
    return sentences


def sizes(name: str) -> tuple[str, str]:
    """What the size of a model of the shelf is counted in, and the size, of each of its towers."""
    blueprint = zoo.blueprint(name)
    towers = blueprint.towers or blueprint.convolutions
    if not towers:
        return _("Layers"), str(len(blueprint.dense))
    has_heads = any(isinstance(tower, Stack) for tower in towers)
    label = _("Layers × heads") if has_heads else _("Layers")
    return label, " + ".join(map(_size, towers))


def _size(tower: Stack | Recurrence | ConvolutionalStem) -> str:
    if isinstance(tower, Stack):
        return f"{tower.n_layers} × {tower.n_heads}"
    return str(tower.n_layers)

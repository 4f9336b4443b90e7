"""The parts of a model as a learner chooses and reads them: from its blueprint, whatever it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from core.analysis.stream import NormAt, NormPlace, norms_of
from core.errors import NoPartError
from core.figures.text import Mark, Sentence, sentence
from core.language import N_, _
from core.locale import listed
from core.models.blueprint import Attention, Blueprint, Direction, Tower
from core.views.params import PartKind, Problem, declared

P = TypeVar("P")

NORMS = {"layer": "LayerNorm", "rms": "RMSNorm"}  # by the blueprint's word for them
WAYS: Mapping[Direction, str] = {  # in which recurrent layers read
    "forward": N_("from the left →"),
    "backward": N_("← from the right"),
}
# What recurrent cells compute at a step, by the names of their sites.
CELLS = (N_("reset"), N_("update"), N_("candidate"), N_("hidden"), N_("input"), N_("forget"),
         N_("output"), N_("cell"))  # fmt: skip
NORM_PLACES: Mapping[NormPlace, str] = {
    "embeddings": N_("{norm} of the embeddings"),
    "attention": N_("{norm} at the attention"),
    "cross": N_("{norm} at the cross-attention"),
    "ffn": N_("{norm} at the feed-forward network"),
    "end": N_("last {norm}"),
}


def stream_called(blueprint: Blueprint, stream: str) -> str:
    """A stream inside a sentence: source, target; of a model with one, the text."""
    return _(stream) if len(blueprint.streams) > 1 else _("text")


def tower_called(tower: Tower) -> str:
    """A tower inside a sentence: encoder, decoder."""
    return _(tower.name)


def attention_called(blueprint: Blueprint, attention: Attention) -> str:
    """A kind of attention: self-attention, that of the encoder, cross-attention."""
    if not attention.square:
        queries, keys = (
            stream_called(blueprint, name) for name in (attention.queries, attention.keys)
        )
        return _("cross-attention, {queries} to {keys}").format(queries=queries, keys=keys)
    square = [kind for kind in blueprint.attentions if kind.square]
    if len(square) == 1:
        return _("self-attention")
    return _("{part} self-attention").format(part=_(attention.name))


def norm_called(norm: NormAt) -> str:
    """A norm of a model: LayerNorm at the attention."""
    return _(NORM_PLACES[norm.place]).format(norm=NORMS[norm.kind])


class OneHead(Protocol):
    """A head of a kind of attention."""

    @property
    def attention(self) -> Attention: ...

    @property
    def layer(self) -> int: ...

    @property
    def head(self) -> int: ...


def head_at(run: OneHead) -> str:
    """Where a head stands, as far as there are others: "layer 2, head 3"; else empty."""
    if run.attention.n_heads is None:
        return layer_at(run.attention.n_layers, run.layer)
    if run.attention.n_layers == 1:
        return _("head {head}").format(head=run.head)
    return _("layer {layer}, head {head}").format(layer=run.layer, head=run.head)


def head_marked(attention: Attention, layer: int, head: int) -> Sentence:
    """The same as the subject of a sentence: "Layer 2, head 3"; "The attention" of the only one."""
    template = _("Layer {layer}, head {head}")
    if attention.n_heads is None:
        template = _("Layer {layer}") if attention.n_layers > 1 else _("The attention")
    elif attention.n_layers == 1:
        template = _("Head {head}")
    marks = {"layer": Mark(str(layer), "weight"), "head": Mark(str(head), "weight")}
    return sentence(template, **marks)


def layer_at(n_layers: int, layer: int) -> str:
    """Which layer, where there are several; empty for the only one."""
    return _("layer {layer}").format(layer=layer) if n_layers > 1 else ""


def titled(what: str, where: str) -> str:
    """The title of a figure, with the place of what it shows."""
    return _("{what}, {where}").format(what=what, where=where) if where else what


def _stacks(blueprint: Blueprint, _params: Any) -> dict[str, str]:
    return {stack.name: tower_called(stack) for stack in blueprint.stacks}


def _attentions(blueprint: Blueprint, _params: Any) -> dict[str, str]:
    return {
        attention.name: attention_called(blueprint, attention) for attention in blueprint.attentions
    }


def _streams(blueprint: Blueprint, _params: Any) -> dict[str, str]:
    return {part.stream: stream_called(blueprint, part.stream) for part in blueprint.embeddings}


def _recurrences(blueprint: Blueprint, _params: Any) -> dict[str, str]:
    return {recurrence.name: tower_called(recurrence) for recurrence in blueprint.recurrences}


def _directions(blueprint: Blueprint, params: Any) -> dict[str, str]:
    if not blueprint.recurrences:
        return {}
    recurrence = blueprint.recurrence(named(params, blueprint, "recurrence"))
    return {way: _(WAYS[way]) for way in recurrence.directions}


def _norms(blueprint: Blueprint, params: Any) -> dict[str, str]:
    try:
        stack = blueprint.stack(named(params, blueprint, "stack"))
    except NoPartError:
        return {}
    return {name: norm_called(norm) for name, norm in norms_of(blueprint, stack, layer=0).items()}


_NAMES: Mapping[PartKind, Callable[[Blueprint, Any], dict[str, str]]] = {
    "stack": _stacks,
    "attention": _attentions,
    "stream": _streams,
    "norm": _norms,
    "recurrence": _recurrences,
    "direction": _directions,
}


def names(params: Any, blueprint: Blueprint, field: str) -> dict[str, str]:
    """What a field that names a part may say of a model, and how each part is called."""
    kind = declared(params, field).part
    assert kind is not None
    return _NAMES[kind](blueprint, params)


def main(blueprint: Blueprint, kind: PartKind) -> str:
    """The part of a model that is shown where none is named."""
    if kind == "stack" and blueprint.stacks:
        return blueprint.stack("").name
    if kind == "attention" and blueprint.attentions:
        return blueprint.attention("").name
    return ""


def named(params: Any, blueprint: Blueprint, field: str) -> str:
    """What a field says, if the model has that part; empty for its main one."""
    name = str(getattr(params, field))
    return name if name in names(params, blueprint, field) else ""


def lacking(params: Any, blueprint: Blueprint) -> list[Problem]:
    """What of the parts that are named a model does not have."""
    problems = []
    for field in dataclasses.fields(params):
        name = getattr(params, field.name)
        if declared(params, field.name).part is None or not name:
            continue
        choices = names(params, blueprint, field.name)
        if name not in choices:
            expected = _("one of {choices}").format(choices=listed(choices, "or"))
            problems.append(
                Problem(
                    field.name,
                    name,
                    expected if choices else _("empty: this model has no such part"),
                    "",
                )
            )
    return problems


def fitting(params: P, blueprint: Blueprint) -> P:
    """The parameters for a model: what they name and it lacks is left to its main part.

    A link goes on from model to model; what a program asks for by name stays as it is, and is an
    error where there is no such part.
    """
    changes = {
        field.name: named(params, blueprint, field.name)
        for field in dataclasses.fields(params)  # type: ignore[arg-type]
        if declared(params, field.name).part is not None
    }
    return dataclasses.replace(params, **changes)  # type: ignore[type-var]

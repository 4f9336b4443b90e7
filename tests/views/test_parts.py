"""The parts of a model, as a learner chooses and reads them."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import pytest

from core import language
from core.models.blueprint import Attention
from core.views.attention.head import AtHead
from core.views.embed import AtComponent
from core.views.norm import OneVector
from core.views.params import OnText, declared
from core.views.parts import fitting, head_at, head_marked, names, titled

OFFERED = {
    "gpt": ({"blocks": "blocks"}, {"self": "self-attention"}, {"tokens": "text"}),
    "bert": ({"blocks": "blocks"}, {"self": "self-attention"}, {"tokens": "text"}),
    "transformer": (
        {"encoder": "encoder", "decoder": "decoder"},
        {
            "encoder": "encoder self-attention",
            "decoder": "decoder self-attention",
            "cross": "cross-attention, target to source",
        },
        {"source": "source", "target": "target"},
    ),
    "rnn": (
        {},
        {"cross": "cross-attention, target to source"},
        {"source": "source", "target": "target"},
    ),
}


@pytest.mark.parametrize("model", OFFERED)
def test_what_can_be_chosen_is_what_the_blueprint_has(model, request):
    blueprint = request.getfixturevalue(model).blueprint
    stacks, attentions, streams = OFFERED[model]
    assert names(OneVector(), blueprint, "stack") == stacks
    assert names(AtHead(), blueprint, "attention") == attentions
    assert names(AtComponent(), blueprint, "stream") == streams


def test_of_a_norm_its_kind_is_named(gpt, rnn):
    assert names(OneVector(), gpt.blueprint, "norm") == {
        "ln_1": "LayerNorm at the attention",
        "ln_2": "LayerNorm at the feed-forward network",
        "final_norm": "last LayerNorm",
    }
    (stack,) = gpt.blueprint.stacks
    parts = tuple(
        dataclasses.replace(one, norm="rms") if one == stack else one for one in gpt.blueprint.parts
    )
    other = dataclasses.replace(gpt.blueprint, parts=parts)
    assert names(OneVector(), other, "norm")["ln_2"] == "RMSNorm at the feed-forward network"
    assert names(OneVector(), rnn.blueprint, "norm") == {}


def test_a_link_goes_on_from_model_to_model(gpt, transformer, rnn):
    """What the next one lacks is left to its main part; what it has stays chosen."""
    asked = OneVector(stack="encoder", norm="ln_cross", layer=3)
    assert fitting(asked, transformer.blueprint) == dataclasses.replace(asked, norm="")
    decoder = dataclasses.replace(asked, stack="decoder")
    assert fitting(decoder, transformer.blueprint) == decoder
    for other in (gpt, rnn):
        assert fitting(asked, other.blueprint) == OneVector(layer=3)
    assert fitting(AtHead(attention="cross"), rnn.blueprint).attention == "cross"
    assert fitting(AtHead(attention="cross"), gpt.blueprint).attention == ""
    assert fitting(OnText(), gpt.blueprint) == OnText()


def test_the_names_come_from_no_list():
    for cls, field in ((OneVector, "stack"), (OneVector, "norm"), (AtHead, "attention")):
        assert declared(cls, field).choices is None


PLACES = [
    (2, 4, "layer 1, head 3", "Layer 1, head 3"),
    (1, 4, "head 3", "Head 3"),
    (2, None, "layer 1", "Layer 1"),
    (1, None, "", "The attention"),
]


@pytest.mark.parametrize(("layers", "heads", "place", "subject"), PLACES)
def test_a_place_is_said_as_far_as_there_are_others(layers, heads, place, subject):
    sites = tuple(f"{n}" for n in range(layers))
    kind = Attention("a", "target", "source", False, sites, sites, heads)
    run = SimpleNamespace(attention=kind, layer=layers - 1, head=3)
    assert head_at(run) == place
    assert str(head_marked(kind, layers - 1, 3)) == subject
    assert titled("Weights", place) == (f"Weights, {place}" if place else "Weights")


def test_the_words_are_translated(transformer):
    language.use_language("fr")
    try:
        called = names(AtHead(), transformer.blueprint, "attention")
        assert called["cross"] != "cross-attention, target to source"
        assert names(OneVector(), transformer.blueprint, "stack")["encoder"] == "encodeur"
    finally:
        language.use_language("en")

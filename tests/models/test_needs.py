"""What a page or view asks of a model is asked of its blueprint, and what lacks is one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.models.blueprint import Blueprint
from core.models.needs import ANY, NO_MODEL, PARTS, Needs


def test_a_machine_that_has_all_lacks_nothing(machine):
    assert ANY.unmet(machine.abilities, machine.blueprint) is None
    assert not ANY.no_model
    assert NO_MODEL.no_model


def test_an_ability_comes_before_parts(gpt, bert):
    needs = Needs("next_token", ("positions",))
    assert needs.unmet(gpt.abilities, gpt.blueprint) is None
    assert needs.unmet(bert.abilities, bert.blueprint) == "predict the next token"


@pytest.mark.parametrize("part", PARTS)
def test_the_recurrent_machine_lacks_all_but_attention(rnn, gpt, part):
    needs = Needs("words", (part,))
    assert needs.unmet(gpt.abilities, gpt.blueprint) is None
    lacks = needs.unmet(rnn.abilities, rnn.blueprint)
    assert lacks == PARTS[part](rnn.blueprint)
    assert (lacks is None) == (part == "attention")


def test_who_has_no_position_vectors_says_what_it_has_instead(gpt, rnn):
    start, stack, *rest = gpt.blueprint.parts
    parts = (replace(start, positions=None), replace(stack, positions="relative"), *rest)
    lacks = Needs(parts=("positions",)).unmet(gpt.abilities, Blueprint(parts))
    assert lacks is not None
    assert "by the distance of the two tokens" in lacks
    assert lacks != Needs(parts=("positions",)).unmet(rnn.abilities, rnn.blueprint)

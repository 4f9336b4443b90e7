"""What a page or view asks of a model is asked of its blueprint, and what lacks is one sentence."""

from __future__ import annotations

import pytest

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
    assert lacks == (None if part == "attention" else PARTS[part][1])

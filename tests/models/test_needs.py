"""What a page or view asks of a model is asked of its blueprint, and what lacks is one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import NoPartError
from core.inputs import Text
from core.models.blueprint import Blueprint
from core.models.needs import ANY, NO_MODEL, PARTS, Needs


def test_a_machine_that_reads_a_text_lacks_nothing(machine):
    lacks = ANY.unmet(machine.abilities, machine.blueprint)
    assert lacks == (None if Text in machine.model.takes else "read a text")
    assert not ANY.no_model
    assert NO_MODEL.no_model


def test_an_ability_comes_before_parts(gpt, bert):
    needs = Needs("next_token", ("positions",))
    assert needs.unmet(gpt.abilities, gpt.blueprint) is None
    assert needs.unmet(bert.abilities, bert.blueprint) == "predict the next token"


@pytest.mark.parametrize("part", PARTS)
def test_the_recurrent_machine_lacks_what_blocks_have(rnn, gpt, part):
    others = ("patches", "convolution", "recurrent", "relative_bias")
    needs, of_others = Needs("words", (part,)), part in others
    assert (needs.unmet(gpt.abilities, gpt.blueprint) is None) != of_others
    lacks = needs.unmet(rnn.abilities, rnn.blueprint)
    assert lacks == PARTS[part](rnn.blueprint)
    assert (lacks is None) == (part in ("attention", "recurrent", "rows", "tokens"))


def test_a_damaged_text_is_mended_in_either_way(t5, bart, relative, transformer, bert):
    needs = Needs("damaged")
    for able in (t5, bart):
        assert needs.unmet(able.abilities, able.blueprint) is None
    assert needs.unmet(bert.abilities, bert.blueprint) == "fill in or mend a damaged text"
    # Who fills in spans is shown before who mends, and of one that does both it counts.
    assert [needs.rank(one.abilities) for one in (t5, bart)] == [0, 1]
    assert needs.rank(t5.abilities | bart.abilities) == 0
    assert Needs("denoise").rank(bart.abilities) == Needs("words").rank(bart.abilities) == 0
    biased = Needs(parts=("relative_bias",))
    has = [one for one in (t5, bart, relative, transformer)
           if biased.unmet(one.abilities, one.blueprint) is None]  # fmt: skip
    assert has == [t5, relative]


def test_a_machine_of_pictures_has_its_own_parts(vit, cnn):
    for part, has in {"patches": vit, "convolution": cnn}.items():
        needs = Needs("classify_image", (part,))
        for one in (vit, cnn):
            assert (needs.unmet(one.abilities, one.blueprint) is None) == (one is has)
    needs = Needs("classify_image", ("positions",))
    assert needs.unmet(vit.abilities, vit.blueprint) is None
    assert needs.unmet(cnn.abilities, cnn.blueprint) is not None


def test_who_has_no_position_vectors_says_what_it_has_instead(gpt, rnn):
    start, stack, *rest = gpt.blueprint.parts
    parts = (replace(start, positions=None), replace(stack, positions="relative"), *rest)
    lacks = Needs(parts=("positions",)).unmet(gpt.abilities, Blueprint(parts))
    assert lacks is not None
    assert "by the distance of the two tokens" in lacks
    assert lacks != Needs(parts=("positions",)).unmet(rnn.abilities, rnn.blueprint)


def test_words_that_are_spelt_out_are_tokens_without_rows(elmo):
    assert Needs("words", ("tokens", "recurrent")).unmet(elmo.abilities, elmo.blueprint) is None
    lacks = Needs("any", ("rows",)).unmet(elmo.abilities, elmo.blueprint)
    assert lacks is not None
    assert "from its letters" in lacks
    with pytest.raises(NoPartError):
        elmo.blueprint.stack()

"""A model is called by what it can do, or one sentence says that it cannot."""

from __future__ import annotations

import pytest
import torch

from core.errors import AbilityError, InputTooLongError
from core.models.abilities import ABILITIES, says
from tests.conftest import GIVEN

CALLS = {
    "next_token": lambda model: model.as_writer(),
    "masked_words": lambda model: model.as_scorer("masked_words"),
    "both_ways": lambda model: model.as_both_ways(),
    "sentence_pairs": lambda model: model.as_judge(),
    "translate": lambda model: model.as_translator(),
    "fill_spans": lambda model: model.as_translator("fill_spans"),
    "denoise": lambda model: model.as_translator("denoise"),
    "classify_image": lambda model: model.as_classifier("classify_image"),
    "classify_pair": lambda model: model.as_classifier("classify_pair"),
    "classify_text": lambda model: model.as_classifier("classify_text"),
}


@pytest.mark.parametrize("ability", ABILITIES)
def test_a_machine_is_called_by_what_it_can_do_alone(machine, ability):
    if ability in machine.abilities:
        assert CALLS[ability](machine) is machine.model
        return
    with pytest.raises(AbilityError) as caught:
        CALLS[ability](machine)
    assert str(caught.value) == f"model {machine.id.upper()} cannot {says(ability)}"


def test_what_writes_begins_a_decoder(machine):
    writes = {one for one in machine.abilities if ABILITIES[one].writes}
    ids = torch.tensor([[2, 3]])
    if "next_token" in writes:
        decoder = machine.as_writer().begin(4)
    elif writes:
        decoder = machine.as_translator(*writes).begin(ids)
    else:
        assert not hasattr(machine.model, "begin")
        return
    logits = decoder.push(ids)
    assert logits.shape[:2] == (1, 2)
    assert decoder.length == 2


@pytest.mark.parametrize("room", [None, 0, 1, 2, 10_000])
def test_a_decoder_takes_as_many_tokens_as_it_was_given_room_for(machine, room):
    """None at all when it was asked for none."""
    writes = {one for one in machine.abilities if ABILITIES[one].writes}
    if not writes:
        assert not hasattr(machine.model, "begin")
        return
    n_ctx = machine.config.n_ctx
    decoder = (
        machine.as_writer().begin(room)
        if "next_token" in writes
        else machine.as_translator(*writes).begin(torch.tensor([[2, 3]]), room)
    )
    assert decoder.room == (n_ctx if room is None else min(room, n_ctx))
    if not decoder.room:
        with pytest.raises(InputTooLongError):
            decoder.push(torch.tensor([[2]]))


def test_what_answers_in_words_has_a_logit_for_each(machine):
    words = [one for one in machine.blueprint.heads if ABILITIES[one.ability].in_words]
    assert bool(words) is machine.blueprint.predicts_words
    for head in words:
        assert not head.labels
        assert machine.catalogue[head.site].axes[-1] == "V"


def test_a_classifier_has_a_logit_for_each_label(machine):
    for head in machine.blueprint.heads:
        if not head.ability.startswith("classify"):
            continue
        given = machine.prepare(GIVEN[machine.architecture]).tensors[head.stream]
        logits = machine.as_classifier(head.ability)(given)
        assert logits.shape == (1, len(head.labels))


def test_a_scorer_reads_a_mask_in_place_of_its_own(gpt):
    ids = torch.tensor([[2, 3, 4]])
    score = gpt.as_scorer("next_token")
    everything = score(ids, mask=torch.ones(3, 3, dtype=torch.bool))
    assert not torch.allclose(score(ids), everything)

"""The probes: each number is what it says, and a machine without a part for it says which."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import get_args

import numpy as np
import pytest
import torch

from core.inputs import Text
from core.runs.kinds.probes import WITHOUT_TEXT, Probe, ProbeRequest, _swapped
from core.runs.kinds.trace import TraceRequest
from core.runs.store import Runs

PROBES = get_args(Probe)
TEXT = "The cat sat on the mat and the dog saw it"


def louder(bert):
    """The same with larger weights: random ones as small as they are hardly change anything."""
    model, draw = copy.deepcopy(bert.model), torch.Generator().manual_seed(0)
    with torch.no_grad():
        for one in model.parameters():
            if one.ndim > 1:
                one.normal_(0, 0.3, generator=draw)
    return dataclasses.replace(bert, model=model)


@pytest.fixture
def asked(gpt, bert, elmo, filler, mender, transformer, teller):
    """Asks a machine."""
    machines = {"gpt": gpt, "bert": bert, "elmo": elmo, "filler": filler, "mender": mender,
                "transformer": transformer, "teller": teller,
                "louder": louder(bert)}  # fmt: skip
    runs = Runs(load=lambda name, _device: machines[name])

    def ask(model: str, probe: str, text: str = TEXT):
        return runs.get(ProbeRequest(model, probe, "" if probe in WITHOUT_TEXT else text))

    ask.runs = runs
    return ask


@pytest.mark.parametrize("model", ["gpt", "bert", "elmo", "filler", "mender"])
@pytest.mark.parametrize("probe", PROBES)
def test_every_machine_of_the_table_has_a_number(asked, model, probe):
    found = asked(model, probe)
    assert not found.lacks
    # The tiny machines have no room for the sentences of some probes.
    assert probe in WITHOUT_TEXT or not math.isnan(found.number)


def test_a_causal_machine_does_not_see_later_words_and_others_do(asked):
    assert asked("gpt", "later").number == 0
    assert asked("gpt", "later").beside > 0.001  # but earlier ones
    for model in ("bert", "elmo", "filler", "mender"):
        assert asked(model, "later").number > 0.0001


def test_the_movement_is_that_of_two_runs(asked, bert):
    found = asked("bert", "later")
    word, plain, other = found.said
    assert (word, plain) == ("mat", TEXT)
    assert other == "The cat sat on the mat and the dog saw hat"
    site = bert.blueprint.sites("@layers")[-1]
    start = plain.index(word)
    vectors = []
    for text in (plain, other):
        trace = asked.runs.get(TraceRequest("bert", Text(text))).trace
        at = [n for n, token in enumerate(trace.streams["tokens"].tokens)
              if not token.special and start <= token.start < start + 3]  # fmt: skip
        vectors.append(trace[site][at].mean(axis=0))
    moved = np.linalg.norm(vectors[1] - vectors[0]) / np.linalg.norm(vectors[0])
    assert found.number == pytest.approx(float(moved), rel=1e-4)


def test_two_halves_that_never_meet_only_add_up(asked):
    for model in ("gpt", "elmo"):
        assert asked(model, "together").number < 1e-5
        assert asked(model, "together").beside > 0
    for model in ("bert", "filler", "mender"):
        assert asked(model, "together").number > 1e-4


def test_words_are_swapped_on_both_sides_of_the_middle_one():
    texts, places = _swapped("One two three, four five.")
    assert texts == ["One two three, four five.", "One boy three, four five.",
                     "One two three, four hat.", "One boy three, four hat."]  # fmt: skip
    assert {text[slice(*place)] for text, place in zip(texts, places, strict=True)} == {"three"}
    assert _swapped("One two") is None
    assert _swapped("A boy saw a Hat")[0][3] == "A hat saw a tree"  # none is swapped for itself


def test_predictions_that_have_seen_the_end_do_not_stay(asked, gpt):
    for model in ("gpt", "elmo", "filler", "mender"):
        assert asked(model, "chain").number == 1
    assert asked("louder", "chain").number == 0
    assert asked("gpt", "chain").beside == len(gpt.tokens(TEXT)) - 1 - sum(
        token.special for token in gpt.tokens(TEXT)
    )


def test_a_gap_is_as_likely_from_the_left_for_who_reads_no_more(asked):
    found = asked("gpt", "gap")
    assert found.number == found.beside
    assert 0 < found.number < 1
    for model in ("bert", "elmo", "filler"):
        assert asked(model, "gap").number != asked(model, "gap").beside


def test_what_counts_in_training_is_a_share_of_the_text(asked):
    assert asked("elmo", "learns").number == 2 * asked("elmo", "learns").beside / 22
    assert 0 < asked("bert", "learns").number < 0.5
    assert asked("mender", "learns").number == 1


def test_a_short_text_has_no_number(asked):
    for probe in ("later", "together", "chain"):
        assert math.isnan(asked("gpt", probe, "a").number)
    assert math.isnan(asked("gpt", "gap", "?").number)


def test_a_machine_without_a_part_says_which(asked):
    assert asked("transformer", "gap").lacks == "predict a word of the text that it reads"
    assert (
        asked("teller", "learns").lacks == "learn from a text to which nobody has added an answer"
    )
    assert not asked("transformer", "later").lacks
    assert math.isnan(asked("transformer", "gap").number)

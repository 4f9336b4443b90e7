"""Hidden source tokens and a second target: each against plain passes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import AbilityError
from core.inputs import SourceTarget
from core.runs.kinds.translation import SecondTargetRequest, SourceCostsRequest
from core.runs.store import Runs
from core.tracing.tap import Recorder

TEXT, TARGET = "The cat sat on the mat", "the dog saw a sea"


def runs_of(machine) -> Runs:
    return Runs(load=lambda name, device: machine)


@pytest.fixture(params=["transformer", "rnn"])
def machine(request):
    return request.getfixturevalue(request.param)


def test_hiding_costs_what_a_pass_with_that_mask_says(transformer):
    found = runs_of(transformer).get(SourceCostsRequest("m", SourceTarget(TEXT, TARGET)))
    prepared = transformer.prepare(SourceTarget(TEXT, TARGET))
    source, target = prepared.tensors["source"], prepared.tensors["target"]
    n, m = target.shape[1], source.shape[1]
    assert found.costs.shape == (n, m)
    after = [*target[0, 1:].tolist(), transformer.config.end_id]
    may = torch.ones(1, 1, n, m, dtype=torch.bool)
    may[..., 2] = False
    with torch.inference_mode():
        logs, without = (
            transformer.model(source, target, cross_mask=mask)[0].double().log_softmax(-1)
            for mask in (None, may)
        )
    for at, token in enumerate(after):
        assert found.costs[at, 2] == pytest.approx(float(logs[at, token] - without[at, token]),
                                                   abs=1e-4)  # fmt: skip
    assert np.abs(found.costs).max() > 1e-4


def test_a_second_target_leaves_alone_what_the_source_decides(machine):
    found = runs_of(machine).get(SecondTargetRequest("m", TEXT, TARGET, "a sea"))
    names = [part.name for part in found.parts]
    prepared, whole = machine.prepare(SourceTarget(TEXT, TARGET)), Recorder()
    with torch.inference_mode():
        machine.model(*(prepared.tensors[name] for name in ("source", "target")), tap=whole)
    assert sum(part.sites for part in found.parts) == len(whole.values)
    assert sum(part.first for part in found.parts) == sum(
        one.numel() for one in whole.values.values()
    )
    for part in found.parts:
        idle = part.name.startswith("encoder.") or part.name == "decoder.memory"
        assert (part.second == 0) == idle, part
        assert part.first > 0
    assert "decoder.memory" in names
    assert found.difference < 1e-4
    logits = next(part for part in found.parts if part.name == "logits")
    vocabulary = machine.config.vocab_size
    assert (logits.first, logits.second) == (
        found.n_first * vocabulary, found.n_second * vocabulary
    )  # fmt: skip
    assert found.n_first > found.n_second
    assert all(one > 0 for one in found.seconds)


@pytest.mark.parametrize(
    "asked",
    [
        SourceCostsRequest("m", SourceTarget(TEXT, TARGET)),
        SecondTargetRequest("m", TEXT, "", ""),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_model_that_does_not_translate_is_the_users_error(gpt, asked):
    with pytest.raises(AbilityError):
        runs_of(gpt).get(asked)

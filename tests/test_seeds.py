"""Seeds: what a generator cannot take is said before any is asked, wherever a seed is given."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.analysis.scaling import saturation
from core.decoding.settings import Sampling
from core.errors import ParameterError
from core.inputs import Shuffled, Text
from core.predict import generate
from core.runs.kinds.gaps import MaskingRequest
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.kinds.training import GradientRequest, LookAheadRequest
from core.runs.store import Runs
from core.seeds import LARGEST_SEED, checked_seed

BAD = [-1, -(2**70), LARGEST_SEED + 1, 2**63, 2**70, 10**5000, 1.0, "1", None, True, np.float64(2)]
TEXT = "The cat sat on the mat."
WANTED = "must be a whole number between 0 and 9,007,199,254,740,992"


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


@pytest.mark.parametrize("seed", BAD, ids=range(len(BAD)))
def test_what_no_generator_takes_is_an_error(seed):
    with pytest.raises(ParameterError, match=WANTED) as caught:
        checked_seed(seed, "shuffle")
    assert str(caught.value).startswith("shuffle is ")


@pytest.mark.parametrize("seed", [0, 1, np.int64(7), np.uint8(7), 2**31, LARGEST_SEED])
def test_every_generator_takes_the_others(seed):
    found = checked_seed(seed)
    assert type(found) is int
    assert found == seed
    np.random.default_rng(found)
    torch.Generator().manual_seed(1000 * found + 1024)


@pytest.mark.parametrize("seed", [-1, 2**70, LARGEST_SEED])
@pytest.mark.parametrize(
    "made",
    [
        lambda seed: TraceRequest("gpt", Shuffled(Text(TEXT), seed)),
        lambda seed: GenerateRequest("gpt", TEXT, 2, Sampling(seed=seed)),
        lambda seed: MaskingRequest("bert", TEXT, seed),
        lambda seed: GradientRequest("gpt", TEXT, 1, seed),
        lambda seed: GradientRequest("gpt", TEXT, 0, seed),  # which draws nothing
        lambda seed: LookAheadRequest(2, seed),
    ],
    ids=["shuffle", "generate", "corrupt", "gradient", "own blocks", "look-ahead"],
)
def test_a_request_says_which_seeds_there_are(runs, made, seed):
    if seed == LARGEST_SEED:
        assert runs.get(made(seed)) is not None
        return
    with pytest.raises(ParameterError, match=WANTED):
        runs.get(made(seed))


@pytest.mark.parametrize("seed", [-1, 2**70])
def test_so_do_generation_and_scaling(gpt, seed):
    with pytest.raises(ParameterError, match=f"seed is {seed}; it {WANTED}"):
        next(generate(gpt, TEXT, sampling=Sampling(seed=seed)))
    with pytest.raises(ParameterError, match=f"seed is {seed}; it {WANTED}"):
        saturation(8, seed)

"""What the runs give for tokenizing, learning, positions and shuffles."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import ParameterError
from core.nn.positions import relative_buckets
from core.requests import (
    LearnRequest,
    MaskSpec,
    PositionsRequest,
    TokenizeRequest,
    TraceRequest,
)
from core.runs import Runs, shuffled
from core.tracing.run import Edit

TEXT = "The cat told the dog a story."


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


def test_a_text_is_cut_to_the_context_and_special_tokens_are_text(runs, bert):
    found = runs.get(TokenizeRequest("bert", "[MASK] " + TEXT * 20))
    assert found.text + found.cut == "[MASK] " + TEXT * 20
    assert found.cut
    assert all(token.id != bert.tokenizer.mask_id for token in found.tokens)
    assert len(found.normalized) == len(found.text)
    assert found.code is None
    assert runs.get(TokenizeRequest("gpt", TEXT)).code is not None


def test_results_without_a_model_are_kept_too(runs):
    before = runs.nbytes
    first = runs.get(LearnRequest("a text to learn from", 5))
    assert runs.nbytes > before
    assert runs.get(LearnRequest("a text to learn from", 5)) is first
    assert runs.get(LearnRequest("a text to learn from", 4)) is not first


def test_positions_are_those_of_the_layers(runs):
    table = runs.get(PositionsRequest("sinusoidal", 6, 8)).values
    for pos in range(6):
        for i in range(4):
            assert table[pos, 2 * i] == pytest.approx(np.sin(pos / 10000 ** (2 * i / 8)), abs=1e-6)
            assert table[pos, 2 * i + 1] == pytest.approx(
                np.cos(pos / 10000 ** (2 * i / 8)), abs=1e-6
            )
    assert runs.get(PositionsRequest("binary", 4, 2)).values.tolist() == [
        [0, 0], [0, 1], [1, 0], [1, 1],
    ]  # fmt: skip
    turned = runs.get(PositionsRequest("rotary", 3, 4)).values
    # A vector of ones: pair i at position p becomes (cos - sin, sin + cos) of p · 10000^(-2i / 4).
    for p in range(3):
        for i in range(2):
            angle = p * 10000 ** (-2 * i / 4)
            assert turned[p, 2 * i] == pytest.approx(np.cos(angle) - np.sin(angle), abs=1e-6)
            assert turned[p, 2 * i + 1] == pytest.approx(np.sin(angle) + np.cos(angle), abs=1e-6)
    buckets = runs.get(PositionsRequest("t5", 200, 32)).values
    for relative in (-199, -8, -1, 0, 1, 9, 199):
        expected = relative_buckets(torch.tensor(relative), 32)
        assert buckets[relative + 199] == int(expected)


@pytest.mark.parametrize("kind", ["sinusoidal", "binary", "rotary", "t5"])
@pytest.mark.parametrize(("n", "width"), [(4, -2), (4, 0), (4, 1), (4, 3), (0, 4), (-3, 4)])
def test_positions_of_impossible_sizes_are_an_error(runs, kind, n, width):
    if kind == "binary" and n > 0 and width > 1:
        assert runs.get(PositionsRequest(kind, n, width)).values.shape == (n, width)
        return
    with pytest.raises(ParameterError, match=r"it must be (an even|at least|between|enough)"):
        runs.get(PositionsRequest(kind, n, width))


def test_a_shuffle_moves_the_text_and_leaves_the_marks(gpt, bert):
    for model in (gpt, bert):
        tokens = model.tokens(TEXT)
        order = shuffled(tokens, 1)
        assert sorted(order) == list(range(len(tokens)))
        assert order != tuple(range(len(tokens)))
        assert shuffled(tokens, 1) == order
        assert shuffled(tokens, 2) != order
        for place, token in enumerate(tokens):
            if token.special:
                assert order[place] == place


def test_a_shuffled_run_reads_the_tokens_in_the_new_order(runs, gpt):
    run = runs.get(TraceRequest("gpt", TEXT, shuffle=3))
    ids = [token.id for token in gpt.tokens(TEXT)]
    assert [token.id for token in run.trace.tokens] == [ids[at] for at in run.order]
    assert runs.get(TraceRequest("gpt", TEXT)).order == ()


@pytest.mark.parametrize(
    ("model", "site", "mask", "edits", "same"),
    [
        ("bert", "blocks.1.ln_2.out", "own", True, True),
        ("bert", "blocks.1.ln_2.out", "own", False, False),
        ("gpt", "final_norm.out", "none", True, True),
        ("gpt", "final_norm.out", "own", True, False),  # the causal mask alone breaks it
        ("gpt", "final_norm.out", "own", False, False),
    ],
)
def test_without_positions_and_mask_a_model_is_permutation_equivariant(
    runs, model, site, mask, edits, same
):
    more = {"mask": MaskSpec(mask), "edits": (Edit("embed.positions"),) if edits else ()}
    before = runs.get(TraceRequest(model, TEXT, **more)).trace[site]
    run = runs.get(TraceRequest(model, TEXT, shuffle=1, **more))
    after = run.trace[site]
    assert np.allclose(before[list(run.order)], after, atol=1e-5) == same

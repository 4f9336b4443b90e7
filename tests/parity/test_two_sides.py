"""What BART, T5 and Marian have in common, compared in float64."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
import torch
import transformers

from core.nn.masks import padding_mask
from core.tracing.tap import NO_TAP, Recorder
from tests.parity import test_bart, test_marian, test_t5
from tests.parity.saved import close, load, saved, some_ids


@dataclass(frozen=True)
class Family:
    """Whose a model is.

    ``after``: our site after a block; ``last``: the library records the last one without its norm.
    ``order``: of our components among theirs.
    """

    make: Callable[..., transformers.PreTrainedModel]
    after: str
    last: bool = True
    order: Any = ...  # all as they are


FAMILIES = {
    "bart": Family(test_bart.make, "ln_2.out"),
    "marian": Family(
        partial(test_marian.make, max_position_embeddings=40), "ln_2.out",
        order=test_marian.IN_TURN,
    ),
    **{f"t5 {name}": Family(partial(test_t5.make, **how), "resid_post", last=False)
       for name, how in test_t5.VERSIONS.items()},
}  # fmt: skip


@pytest.fixture(scope="module", params=FAMILIES)
def family(request) -> Family:
    return FAMILIES[request.param]


@pytest.fixture(scope="module")
def both(family, tmp_path_factory, wordpiece):
    """Ours and theirs."""
    with test_t5.exact_norms():
        directory = saved(family.make(), tmp_path_factory.mktemp("theirs"), wordpiece)
        yield load(directory).model, family.make().double()


def ids(n: int, batch: int = 1) -> torch.Tensor:
    return some_ids(n, batch, low=4)  # no marks


def test_states_attention_and_logits_of_every_layer(family, both):
    ours, theirs = both
    source, target, tap = ids(30, 2), ids(17, 2), Recorder()
    logits = ours(source, target, tap=tap)
    found = theirs(
        input_ids=source, decoder_input_ids=target, output_hidden_states=True,
        output_attentions=True,
    )  # fmt: skip
    close(logits, found.logits)
    close(ours(source, target), found.logits)
    close(ours.encode(source), found.encoder_last_hidden_state[..., family.order])
    for side, states in (
        ("encoder", found.encoder_hidden_states),
        ("decoder", found.decoder_hidden_states),
    ):
        close(tap.values[f"{side}.blocks.0.resid_pre"], states[0][..., family.order])
        for i in range(len(states) - 1 - (not family.last)):
            found_here = tap.values[f"{side}.blocks.{i}.{family.after}"]
            close(found_here, states[i + 1][..., family.order])
    for part, weights in (
        ("encoder.blocks.{}.attn", found.encoder_attentions),
        ("decoder.blocks.{}.attn", found.decoder_attentions),
        ("decoder.blocks.{}.cross_attn", found.cross_attentions),
    ):
        for i, expected in enumerate(weights):
            close(tap.values[f"{part.format(i)}.weights"], expected)


def test_padding_of_the_source_changes_nothing(both):
    ours, theirs = both
    source, target, lengths = ids(9, 3), ids(6, 3), [9, 5, 1]
    mask = padding_mask(lengths, 9)
    found = theirs(
        input_ids=source, decoder_input_ids=target, attention_mask=mask[:, 0, 0].long()
    )  # fmt: skip
    close(ours(source, target, encoder_mask=mask, cross_mask=mask), found.logits)


@torch.inference_mode()
def test_token_by_token_is_all_at_once(both):
    """Past the distances that share T5's last bucket, with the weights at hand and without."""
    ours, theirs = both
    source, target = ids(20), ids(25)
    expected = theirs(input_ids=source, decoder_input_ids=target).logits
    for watched in (False, True):
        decoder = ours.begin(source)
        said = [
            decoder.push(target[:, at : at + 1], Recorder() if watched else NO_TAP)
            for at in range(target.shape[1])
        ]
        close(torch.cat(said, dim=1), expected)

"""Beam search against every text there is, and against greedy decoding."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from core.decoding.beam import beam_search, length_penalty
from core.errors import ParameterError
from core.models.transformer import Transformer, TransformerConfig

START, END, V = 0, 1, 5
SOURCE = torch.tensor([[2, 3, 4, 1]])


class Table:
    """A decoder whose next logits follow from the newest token and the place, by a table.

    Args:
        logits: ``(room, V, V)``: of the next token, at each place after each token.
        rows: newest tokens so far.
    """

    def __init__(self, logits: Tensor, length: int = 0) -> None:
        self.logits, self.length = logits, length

    @property
    def room(self) -> int:
        return len(self.logits) - self.length

    @property
    def nbytes(self) -> int:
        return 0

    def push(self, ids: Tensor) -> Tensor:
        self.length += 1
        return self.logits[self.length - 1][ids]

    def fork(self, rows: Sequence[int], room: int) -> Table:
        return Table(self.logits, self.length)


def table(seed: int, room: int = 4, sharp: float = 2.0) -> Table:
    generator = torch.Generator().manual_seed(seed)
    return Table(sharp * torch.randn(room, V, V, generator=generator))


def every_text(decoder: Table, alpha: float) -> list[tuple[float, tuple[int, ...]]]:
    """(score, text) of all texts that end or fill the room, the best first."""
    logs = decoder.logits.double().log_softmax(-1)
    found = []
    for length in range(1, decoder.room + 1):
        for text in itertools.product(range(V), repeat=length):
            if END in text[:-1] or (text[-1] != END and length < decoder.room):
                continue
            total = sum(
                float(logs[at, before, token])
                for at, (before, token) in enumerate(itertools.pairwise((START, *text)))
            )
            found.append((total / ((5 + length) / 6) ** alpha, text))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
def test_with_enough_beams_it_finds_what_brute_force_finds(seed, alpha):
    best = every_text(table(seed), alpha)
    found = beam_search(table(seed), START, END, beams=V**4, alpha=alpha)
    assert len(found) == len(best)
    for hypothesis, (score, text) in zip(found[:50], best, strict=False):
        assert hypothesis.ids == text
        assert hypothesis.score == pytest.approx(score)
        assert hypothesis.ended == (text[-1] == END)


def test_a_narrow_search_finds_texts_of_their_own_probability():
    everything = {text: score for score, text in every_text(table(1), 0.6)}
    found = beam_search(table(1), START, END, beams=3)
    assert len(found) == 3
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)
    for hypothesis in found:
        assert hypothesis.score == pytest.approx(everything[hypothesis.ids])


def test_more_beams_find_something_better_now_and_then():
    def best(seed: int, beams: int) -> float:
        return beam_search(table(seed), START, END, beams=beams, alpha=0.0)[0].log_prob

    narrow, wide = ([best(seed, beams) for seed in range(60)] for beams in (1, 4))
    assert sum(wide) > sum(narrow)
    assert sum(b > a for a, b in zip(narrow, wide, strict=True)) > 5


@pytest.mark.parametrize("seed", range(10))
def test_one_beam_is_greedy(seed):
    logits, text, newest = table(seed).logits, [], START
    for at in range(len(logits)):
        newest = int(logits[at, newest].argmax())
        text.append(newest)
        if newest == END:
            break
    (found,) = beam_search(table(seed), START, END, beams=1)
    assert list(found.ids) == text
    assert found.ended == (text[-1] == END)


def test_the_penalty_is_wus():
    assert length_penalty(1, 0.6) == 1
    assert length_penalty(10, 0.6) == pytest.approx((15 / 6) ** 0.6)
    assert length_penalty(10, 0) == 1
    sure_but_short = torch.full((3, V, V), -50.0)
    sure_but_short[0, START, END], sure_but_short[0, START, 2] = math.log(0.5), math.log(0.5)
    sure_but_short[1, 2, 3], sure_but_short[1, 2, 4] = math.log(0.8), math.log(0.2)
    sure_but_short[2, :, END] = 0.0
    short = beam_search(Table(sure_but_short), START, END, alpha=0.0)
    long = beam_search(Table(sure_but_short), START, END, alpha=1.0)
    assert short[0].ids == (END,)
    assert long[0].ids == (2, 3, END)
    assert long[0].score == pytest.approx(math.log(0.4) / (8 / 6), abs=1e-6)


def test_a_text_that_never_ends_is_cut_where_it_was_asked_to():
    endless = Table(torch.zeros(9, V, V))
    endless.logits[..., END] = -1e9
    found = beam_search(endless, START, END, beams=2, max_new=3)
    assert [(len(h.ids), h.ended) for h in found] == [(3, False), (3, False)]


@pytest.mark.parametrize("never", [(), (END,), (2,), (2, 3, 4), tuple(range(V))])
@pytest.mark.parametrize("beams", [1, 4, 10])
def test_what_is_never_written_is_written_by_no_beam(never, beams):
    """Also where there are more beams than tokens to fill them with."""
    found = beam_search(table(1), START, END, beams=beams, never=never)
    written = {token for one in found for token in one.ids}
    assert written.isdisjoint(never)
    assert all(math.isfinite(one.score) for one in found)
    assert bool(found) == (len(never) < V)


@pytest.mark.parametrize(
    ("name", "value"),
    [("beams", 0), ("beams", 10**6), ("max_new", 0), ("alpha", -0.1), ("alpha", float("nan"))],
)
def test_what_makes_no_sense_is_refused(name, value):
    with pytest.raises(ParameterError, match=name):
        beam_search(table(0), START, END, **{name: value})


@pytest.mark.parametrize("beams", [1, 4])
def test_a_transformer_scores_its_beams_as_one_pass_does(beams):
    config = TransformerConfig(vocab_size=V, n_ctx=6, d_model=8, encoder_n_layers=1,
                               decoder_n_layers=2, n_heads=2, d_ff=16, start_id=START,
                               end_id=END)  # fmt: skip
    model = Transformer(config, torch.Generator().manual_seed(3)).eval()
    for found in beam_search(model.begin(SOURCE), START, END, beams=beams):
        target = torch.tensor([[START, *found.ids[:-1]]])
        with torch.inference_mode():
            logs = model(SOURCE, target)[0].log_softmax(-1)
        total = sum(float(logs[at, token]) for at, token in enumerate(found.ids))
        assert found.log_prob == pytest.approx(total, rel=1e-4)
        assert found.ended or len(found.ids) == config.n_ctx

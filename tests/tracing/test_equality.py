"""Recording changes nothing: traced = untraced, no value changed in place, threads stay apart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from core.nn.attention import MultiHeadAttention, attend
from core.nn.masks import causal_mask, padding_mask
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.tap import NO_TAP, Recorder
from tests.conftest import (
    tiny_bart,
    tiny_bert,
    tiny_elmo,
    tiny_gpt,
    tiny_relative,
    tiny_rnn,
    tiny_t5,
    tiny_transformer,
)

N = 6
MACHINES = [
    tiny_gpt, tiny_bert, tiny_transformer, tiny_t5, tiny_bart, tiny_rnn, tiny_relative, tiny_elmo,
]  # fmt: skip


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def mask_of(kind: str, n_queries: int, n_keys: int) -> torch.Tensor | None:
    arbitrary = (
        torch.rand(2, 1, n_queries, n_keys, generator=torch.Generator().manual_seed(2)) > 0.5
    )
    arbitrary[..., 0] = True
    empty_row = arbitrary.clone()
    empty_row[0, 0, 0] = False
    return {
        "none": None,
        "causal": causal_mask(n_queries, n_keys),
        "padding": padding_mask([n_keys, 2], n_keys),
        "arbitrary": arbitrary,
        "empty row": empty_row,
    }[kind]


@pytest.mark.parametrize("kind", ["none", "causal", "padding", "arbitrary", "empty row"])
@pytest.mark.parametrize("n_queries", [1, N])
@pytest.mark.parametrize("cross", [False, True], ids=["self", "cross"])
def test_attention(cross, n_queries, kind):
    attn = MultiHeadAttention(8, 2).double().requires_grad_(False)
    x = torch.randn(2, n_queries, 8, dtype=torch.float64)
    source = torch.randn(2, N, 8, dtype=torch.float64) if cross else None
    n_keys = N if cross else n_queries
    mask = mask_of(kind, n_queries, n_keys)
    plain = attn(x, source, mask=mask)
    close(attn(x, source, mask=mask, tap=Recorder()), plain)
    assert plain.isfinite().all()


@pytest.mark.parametrize("with_mask", [False, True], ids=["", "mask"])
@pytest.mark.parametrize(("n_queries", "n_keys"), [(5, 5), (2, 5), (1, 5)])
def test_the_causal_argument(n_queries, n_keys, with_mask):
    """``causal`` is the causal mask, with a cache and with another mask."""
    q, k, v = (torch.randn(1, 2, n, 4, dtype=torch.float64) for n in (n_queries, n_keys, n_keys))
    mask = torch.rand(n_queries, n_keys) > 0.4 if with_mask else None
    order = causal_mask(n_queries, n_keys)
    both = order if mask is None else order & mask
    expected = attend(q, k, v, mask=both)
    for tap in (NO_TAP, Recorder()):
        close(attend(q, k, v, mask=mask, causal=True, tap=tap), expected)


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
def test_norms(norm):
    made = norm(16).double()
    torch.nn.init.normal_(made.weight)
    x = 3 + torch.randn(2, 5, 16, dtype=torch.float64)
    close(made(x, Recorder()), made(x))


@pytest.mark.parametrize("masked", [False, True])
def test_gpt(masked):
    model = tiny_gpt().double()
    ids = torch.randint(300, (2, 9))
    mask = causal_mask(9, 9) & padding_mask([9, 4], 9) if masked else None
    close(model(ids, mask=mask, tap=Recorder()), model(ids, mask=mask))


def test_transformer(transformer):
    """Sources and targets of two lengths, padding masked."""
    model = transformer.model
    source, target = torch.randint(97, (2, 9)), torch.randint(97, (2, 6))
    masks = {
        "encoder_mask": padding_mask([9, 4], 9),
        "decoder_mask": causal_mask(6, 6) & padding_mask([3, 6], 6),
        "cross_mask": padding_mask([9, 4], 9),
    }
    for given in ({}, masks):
        close(model(source, target, **given, tap=Recorder()), model(source, target, **given))


def test_rnn(rnn):
    source, target = torch.randint(97, (2, 9)), torch.randint(97, (2, 6))
    real = padding_mask([9, 4], 9)
    more = {"encoder_mask": real, "cross_mask": real.expand(2, 1, 6, 9)}
    close(rnn.model(source, target, **more, tap=Recorder()), rnn.model(source, target, **more))


def run(model, ids, tap=NO_TAP):
    """One run: a model with two towers reads the same on both sides.

    One that reads words by their letters says two things of each.
    """
    if hasattr(model.config, "n_letters"):
        letters = (ids[..., None] + torch.arange(6)) % (model.config.n_letters - 1) + 1
        return torch.cat(model(letters, tap=tap), dim=-1)
    both = (ids, ids) if hasattr(model, "decoder") else (ids,)
    return model(*both, tap=tap)


@pytest.mark.parametrize("make", MACHINES)
def test_gradients_flow_through_what_is_recorded(make):
    ids = torch.randint(100, (1, 9))
    gradients = []
    for tap in (NO_TAP, Recorder()):
        torch.manual_seed(0)
        model = make().double().requires_grad_()
        run(model, ids, tap).logsumexp(dim=-1).sum().backward()
        # A bias of the keys moves all scores of a query alike, so that its gradient is rounding.
        gradients.append([p.grad for n, p in model.named_parameters() if n.endswith("weight")])
    assert len(gradients[0]) > 9
    for recorded, plain in zip(*gradients, strict=True):
        assert (recorded is None) == (plain is None)  # of a head that was not asked
        if plain is not None:
            close(recorded, plain)


def test_gpt_with_a_cache():
    model = tiny_gpt().double()
    ids = torch.randint(300, (1, 9))
    one, two = model.make_cache(), model.make_cache()
    for at in range(9):
        new = ids[:, at : at + 1]
        close(model(new, cache=one, tap=Recorder()), model(new, cache=two))


@pytest.mark.parametrize("masked", [False, True])
def test_bert(masked):
    model = tiny_bert().double()
    ids, types = torch.randint(120, (2, 9)), torch.tensor([[0] * 5 + [1] * 4] * 2)
    mask = padding_mask([9, 4], 9) if masked else None
    close(model(ids, types=types, mask=mask, tap=Recorder()), model(ids, types=types, mask=mask))
    hidden = model.hidden(ids, types=types, mask=mask)
    close(model.next_sentence(hidden, Recorder()), model.next_sentence(hidden))


class Versions(Recorder):
    """Remembers each tensor's version as it is tapped: PyTorch counts changes made in place."""

    def at(self, *scope):
        part = super().at(*scope)
        part.__class__, part.seen = Versions, self.seen
        return part

    def __call__(self, site, value, step=None):
        self.seen.append((self._prefix + site, value, value._version))
        return super().__call__(site, value, step)


@pytest.mark.parametrize("make", MACHINES)
def test_nothing_is_changed_in_place_after_a_tap(make):
    tap = Versions()
    tap.seen = []
    with torch.no_grad():  # inference mode counts no versions
        run(make(), torch.randint(100, (1, 7)), tap)
    assert len(tap.seen) > 40
    for name, value, version in tap.seen:
        assert value._version == version, name


def test_two_threads_on_one_model_stay_apart():
    model = tiny_gpt().double()
    texts = [torch.randint(300, (1, n), generator=torch.Generator().manual_seed(n)) for n in (5, 9)]

    def trace(n: int) -> dict[str, torch.Tensor]:
        tap = Recorder()
        with torch.inference_mode():
            model(texts[n % 2], tap=tap)
        return tap.values

    alone = [trace(0), trace(1)]
    with ThreadPoolExecutor(4) as threads:
        for n, values in enumerate(threads.map(trace, range(60))):
            assert values.keys() == alone[n % 2].keys()
            for name, value in values.items():
                assert value.equal(alone[n % 2][name]), name

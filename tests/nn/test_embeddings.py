"""Embeddings are rows of tables, added up."""

from __future__ import annotations

import torch

from core.nn.embeddings import Embeddings
from core.nn.positions import sinusoidal_positions
from core.tracing.tap import Recorder


def test_a_token_is_its_row_plus_its_places_row():
    embed = Embeddings(5, 4, 3)
    tap = Recorder()
    x = embed(torch.tensor([[4, 1]]), start=2, tap=tap)
    assert x[0, 0].equal(embed.tokens.weight[4] + embed.positions.weight[2])
    assert x[0, 1].equal(embed.tokens.weight[1] + embed.positions.weight[3])
    assert tap.values["tokens"][0, 0].equal(embed.tokens.weight[4])
    assert tap.values["positions"][0].equal(embed.positions.weight[2:])
    assert set(tap.values) == {"tokens", "positions"}


def test_segments_are_added_before_the_norm():
    embed = Embeddings(5, 4, 3, n_types=2, norm_eps=1e-12)
    ids, types = torch.tensor([[0, 3]]), torch.tensor([[0, 1]])
    tap = Recorder()
    x = embed(ids, types=types, tap=tap)
    total = embed.tokens.weight[ids] + embed.positions.weight[:2] + embed.types.weight[types]
    torch.testing.assert_close(x, embed.ln(total))
    assert tap.values["types"][0, 1].equal(embed.types.weight[1])


def test_without_segments_all_tokens_are_in_the_first():
    embed = Embeddings(5, 4, 3, n_types=2, norm_eps=1e-12)
    ids = torch.tensor([[0, 3]])
    assert embed(ids).equal(embed(ids, types=torch.zeros_like(ids)))


def test_scaled_rows_count_sqrt_d_model_times_beside_the_fixed_table():
    """Vaswani et al. 2017, sections 3.4 and 3.5."""
    embed = Embeddings(5, 4, 6, positions="sinusoidal", scaled=True)
    tap = Recorder()
    x = embed(torch.tensor([[4, 1]]), start=1, tap=tap)
    places = sinusoidal_positions(4, 6)
    torch.testing.assert_close(x[0, 0], embed.tokens.weight[4] * 6**0.5 + places[1])
    torch.testing.assert_close(x[0, 1], embed.tokens.weight[1] * 6**0.5 + places[2])
    assert tap.values["tokens"][0, 0].equal(embed.tokens.weight[4])
    torch.testing.assert_close(tap.values["scaled"], tap.values["tokens"] * 6**0.5)
    assert [site.name for site in embed.sites()] == list(tap.values)
    assert [name for name, _ in embed.named_parameters()] == ["tokens.weight"]

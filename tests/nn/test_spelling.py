"""A word's vector from its letters: the largest of each filter, a highway, a projection."""

from __future__ import annotations

import pytest
import torch

from core.nn.spelling import Highway, SpeltWords
from core.tracing.tap import Recorder


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def spelt() -> SpeltWords:
    torch.manual_seed(0)
    return SpeltWords(20, 4, (3, 5, 2), 6).double()


def by_hand(layer: SpeltWords, word: list[int]) -> torch.Tensor:
    """One word, filter by filter and place by place, over its letters alone."""
    rows = layer.letters.weight[word]
    if len(rows) < 3:  # a filter that is wider than the word sees padding behind it
        rows = torch.cat([rows, layer.letters.weight[[0] * (3 - len(rows))]])
    found = []
    for width, filters in enumerate(layer.filters, 1):
        n_places = max(1, len(word) - width + 1)
        places = [filters(rows[at : at + width].flatten()) for at in range(n_places)]
        found.append(torch.stack(places).amax(0))
    y = torch.relu(torch.cat(found))
    gate = torch.sigmoid(layer.highway.w_gate(y))
    z = gate * torch.relu(layer.highway.w(y)) + (1 - gate) * y
    return layer.project(z)


@pytest.mark.parametrize("word", [[5], [5, 9], [1, 7, 3, 2], [1, 7, 3, 8, 8, 4, 2]], ids=str)
@pytest.mark.parametrize("room", [7, 9])
def test_a_words_vector_is_its_equations(word, room):
    layer = spelt()
    letters = torch.zeros(1, 2, room, dtype=torch.long)
    letters[0, 0, : len(word)] = torch.tensor(word)
    letters[0, 1, :7] = torch.arange(7) + 1  # a longer word beside it changes nothing
    close(layer(letters)[0, 0], by_hand(layer, word))


def test_a_filter_is_torchs_convolution():
    layer, word = spelt(), torch.tensor([[[1, 7, 3, 8, 8, 4, 2]]])
    x = layer.letters(word[0]).transpose(1, 2)  # (1, E, W)
    for width, filters in enumerate(layer.filters, 1):
        conv = torch.nn.Conv1d(4, filters.out_features, width).double()
        with torch.no_grad():
            conv.weight.copy_(filters.weight.view(-1, width, 4).transpose(1, 2))
            conv.bias.copy_(filters.bias)
        tap = Recorder()
        layer(word, tap)
        first = sum(f.out_features for f in layer.filters[: width - 1])
        largest = tap.values["found"][0, 0, first : first + filters.out_features]
        close(largest, torch.relu(conv(x).amax(-1))[0])


def test_nothing_but_padding_and_no_word_at_all():
    layer = spelt()
    assert layer(torch.zeros(1, 2, 5, dtype=torch.long)).isfinite().all()
    assert layer(torch.zeros(1, 0, 5, dtype=torch.long)).shape == (1, 0, 6)


def test_a_shut_gate_lets_everything_pass():
    highway, y = Highway(5).double(), torch.randn(2, 5, dtype=torch.float64)
    with torch.no_grad():
        highway.w_gate.weight.zero_()
        highway.w_gate.bias.fill_(-1e3)
    close(highway(y), y)


def test_what_it_taps_is_what_it_says():
    layer, tap = spelt(), Recorder()
    whole = layer(torch.randint(1, 20, (1, 3, 5)), tap)
    assert list(tap.values) == [site.name for site in layer.sites()]
    close(tap.values["tokens"], whole)

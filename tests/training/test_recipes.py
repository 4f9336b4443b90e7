"""The recipe table: sizes, shares, bars and what they add up to."""

from __future__ import annotations

import itertools
import re
from typing import get_args

import pytest
import torch

from core.models.bart import BARTConfig
from core.models.cnn import CNNConfig
from core.models.elmo import ELMoConfig
from core.models.registry import ARCHITECTURES
from core.models.rnn import RNNConfig
from core.models.t5 import T5Config
from core.models.vit import ViTConfig
from core.training.recipe import Standard, Tier, value_of
from core.training.recipes import RECIPES
from core.training.sources import UNLICENSED
from core.training.tasks.both_ways import BothWays
from core.training.tasks.damaged_text import Denoising, SpanCorruption
from core.training.tasks.labels import Labelling
from core.training.tasks.masked_words import MaskedWords
from core.training.tasks.mixed import Mixed
from core.training.tasks.next_token import NextToken
from core.training.tasks.pictures import PictureLabels
from core.training.tasks.translation import TranslationPairs

# What ships, to the number; a change of sizes is seen here.
PARAMETERS = {
    ("gpt", "cpu"): 6_967_296,
    ("gpt", "gpu"): 17_538_816,
    ("gpt", "tiny"): 42_880,
    ("bert", "cpu"): 7_010_306,
    ("bert", "gpu"): 17_697_538,
    ("bert", "tiny"): 45_698,
    ("rnn_attention", "cpu"): 4_660_736,
    ("rnn_attention", "gpu"): 4_660_736,
    ("rnn_attention", "tiny"): 22_752,
    ("rnn", "cpu"): 4_397_824,
    ("rnn", "gpu"): 4_397_824,
    ("rnn", "tiny"): 21_680,
    ("rnn_self", "cpu"): 3_041_472,
    ("rnn_self", "gpu"): 3_041_472,
    ("rnn_self", "tiny"): 24_336,
    ("elmo", "cpu"): 6_677_456,
    ("elmo", "gpu"): 17_632_944,
    ("elmo", "tiny"): 22_640,
    ("transformer", "cpu"): 6_578_176,
    ("transformer", "gpu"): 18_137_088,
    ("transformer", "tiny"): 46_080,
    ("encoder_causal", "cpu"): 2_863_104,
    ("encoder_causal", "gpu"): 2_863_104,
    ("encoder_causal", "tiny"): 46_080,
    ("vit", "cpu"): 455_050,
    ("vit", "gpu"): 455_050,
    ("vit", "tiny"): 4_570,
    ("cnn", "cpu"): 411_172,
    ("cnn", "gpu"): 411_172,
    ("cnn", "tiny"): 25_610,
    ("vit_cifar", "cpu"): 1_205_898,
    ("vit_cifar", "gpu"): 5_560_842,
    ("vit_cifar", "tiny"): 5_322,
    ("cnn_cifar", "cpu"): 1_151_798,
    ("cnn_cifar", "gpu"): 3_609_618,
    ("cnn_cifar", "tiny"): 33_362,
    ("bert_sentiment", "cpu"): 6_935_810,
    ("bert_sentiment", "gpu"): 6_935_810,
    ("bert_sentiment", "tiny"): 27_714,
    ("bert_nli", "cpu"): 6_936_067,
    ("bert_nli", "gpu"): 6_936_067,
    ("bert_nli", "tiny"): 27_747,
    ("t5", "cpu"): 6_558_208,
    ("t5", "gpu"): 19_669_632,
    ("t5", "tiny"): 45_344,
    ("bart", "cpu"): 7_701_504,
    ("bart", "gpu"): 19_817_984,
    ("bart", "tiny"): 49_792,
}
IDS = ("gpt", "bert", "rnn_attention", "rnn", "rnn_self", "elmo", "transformer", "encoder_causal",
       "t5", "bart", "vit", "cnn", "vit_cifar", "cnn_cifar", "bert_sentiment",
       "bert_nli")  # fmt: skip


def by_hand(config) -> int:
    """The parameters of a model, part by part."""
    if isinstance(config, RNNConfig):
        return by_hand_recurrent(config)
    if isinstance(config, ELMoConfig):
        return by_hand_spelt(config)
    if isinstance(config, CNNConfig):
        return by_hand_convolutional(config)
    if isinstance(config, ViTConfig):
        return by_hand_of_patches(config)
    v, d, f = config.vocab_size, config.d_model, config.d_ff
    norm, attention, ffn = 2 * d, 4 * (d * d + d), (d * f + f) + (f * d + d)
    if isinstance(config, T5Config):  # no biases, norms that only divide, one table of distances
        a, ff = 4 * d * d, 2 * d * f
        encoder = config.encoder_n_layers * (a + ff + 2 * d)
        decoder = config.decoder_n_layers * (2 * a + ff + 3 * d)
        return v * d + encoder + decoder + 2 * (config.n_buckets * config.n_heads + d)
    if isinstance(config, BARTConfig):
        own = 2 * (config.n_ctx * d + norm) + v  # of each side its places and norm; a number a word
        encoder = config.encoder_n_layers * (attention + ffn + 2 * norm)
        return v * d + own + encoder + config.decoder_n_layers * (2 * attention + ffn + 3 * norm)
    if hasattr(config, "encoder_n_layers"):  # one table, no positions of its own
        encoder = config.encoder_n_layers * (attention + ffn + 2 * norm)
        return v * d + encoder + config.decoder_n_layers * (2 * attention + ffn + 3 * norm)
    shared = v * d + config.n_ctx * d + config.n_layers * (attention + ffn + 2 * norm)
    if not hasattr(config, "n_types"):
        return shared + norm
    words = 0 if config.labels else (d * d + d) + norm + v
    n = len(config.labels) or 2  # of labels; or follows, does not
    return shared + config.n_types * d + norm + words + (d * d + d) + (n * d + n)


def by_hand_recurrent(config) -> int:
    """The same of a recurrent translator, whose decoder is twice as wide."""
    v, d = config.vocab_size, config.d_model

    def gru(read: int, state: int) -> int:
        return 3 * state * (read + 1) + 3 * state * (state + 1)

    attention = (2 * d * d + d) + (2 * d * d + d) + d
    first, readout = 2 * d * (2 * d + 1), d * (5 * d + 1)
    rest = 2 * gru(d, d) + first + gru(3 * d, 2 * d) + readout
    own = attention + 2 * d * d  # as large, and the readout reads what it finds
    return v * d + rest + attention * config.attention + own * config.self_attention


def by_hand_spelt(config) -> int:
    """The same of an ELMo: two layers in each of two directions, and one table of output words."""
    d, e, k = config.d_model, config.d_letter, sum(config.filters)
    filters = sum((width * e + 1) * n for width, n in enumerate(config.filters, 1))
    words = config.n_letters * e + filters + 2 * (k * k + k) + k * d + d
    lstm = 4 * d * (d + 1) + 4 * d * (d + 1)
    return words + 2 * 2 * lstm + (d + 1) * config.vocab_size


def by_hand_convolutional(config) -> int:
    """The same of a convolutional network, whose maps are halved after every second."""
    given = (config.channels, *config.filters)
    kernels = sum(9 * n_in * n_out + n_out for n_in, n_out in itertools.pairwise(given))
    side = config.width // 2 ** (len(config.filters) // 2)
    read = config.filters[-1] * side * side
    return kernels + (read + 1) * config.d_hidden + (config.d_hidden + 1) * 10


def by_hand_of_patches(config) -> int:
    """The same of a ViT: patches of 4 by 4 pixels, and [CLS]."""
    d, f = config.d_model, config.d_ff
    n, numbers = (config.width // 4) ** 2, 16 * config.channels
    block = 4 * (d * d + d) + (d * f + f) + (f * d + d) + 2 * 2 * d
    return (numbers + 1) * d + d + (n + 1) * d + config.n_layers * block + 2 * d + (d + 1) * 10


def test_every_recipe_is_counted():
    assert RECIPES.keys() == PARAMETERS.keys()
    assert RECIPES.keys() == {(id_, tier) for id_ in IDS for tier in get_args(Tier)}


@pytest.mark.parametrize("key", RECIPES, ids=str)
def test_parameters(key):
    recipe = RECIPES[key]
    with torch.device("meta"):
        model = ARCHITECTURES[recipe.architecture].model(recipe.network)
    assert sum(p.numel() for p in model.parameters()) == PARAMETERS[key]
    assert by_hand(recipe.network) == PARAMETERS[key]
    assert 2 * PARAMETERS[key] < 45e6  # a shipped file, in bfloat16


@pytest.mark.parametrize("key", RECIPES, ids=str)
def test_a_recipe_is_of_one_piece(key):
    recipe, task = RECIPES[key], RECIPES[key].task
    assert (recipe.id, recipe.tier) == key
    network = recipe.network
    if isinstance(task, Mixed):
        assert len(task.parts) == len(task.shares)
        assert task.largest == max(part.largest for part in task.parts)
        task = task.parts[0]
    if hasattr(network, "n_heads"):
        heads_of_64 = network.n_heads * 64 == network.d_model
        assert heads_of_64 or recipe.tier == "tiny" or isinstance(task, PictureLabels)
    assert len({source.name for source in task.sources}) == len(task.sources)
    assert 0 <= recipe.dropout < 1
    assert recipe.again.cooldown > recipe.schedule.cooldown
    with torch.device("meta"):
        model = ARCHITECTURES[recipe.architecture].model(network)
    assert all(model.get_submodule(name) for name in recipe.frozen)
    assert 0 < recipe.again.peak <= 1
    if isinstance(task, TranslationPairs | Labelling):
        lengths = [shape.length for shape in task.shapes]
        assert lengths == sorted(lengths)
        assert lengths[-1] <= network.n_ctx
        assert len(lengths) <= 8  # the compiler keeps a step for each
        assert task.largest == max(shape.length * shape.rows for shape in task.shapes)
        of_pairs = getattr(network, "of_pairs", False)
        assert isinstance(task, TranslationPairs) or (
            len(network.labels) == len(task.table.says)
            and of_pairs == (len(task.table.texts) == 2)
            and task.unseen[0] == task.source.valid
        )
        return
    if isinstance(task, PictureLabels):
        assert task.labels == network.labels
        assert task.source.valid
        assert task.largest == task.batch
        return
    assert isinstance(task, NextToken | MaskedWords | BothWays | SpanCorruption | Denoising)
    for mix in (task.stable, task.cool_down):
        assert mix.shares.keys() == {source.name for source in task.sources}
        assert all(share > 0 for share in mix.shares.values())
        assert mix.n_ctx <= network.n_ctx
        assert task.tokens % mix.n_ctx == 0
        if isinstance(task, SpanCorruption | Denoising):
            assert max(task.size(mix.n_ctx)) <= network.n_ctx
    if isinstance(task, NextToken | MaskedWords | BothWays):
        assert task.cool_down.n_ctx == network.n_ctx  # at the end it reads as much as it can
        assert task.largest == task.tokens


def test_every_licence_lets_us_ship_weights():
    """Or there is none, and custom does; then the card says so."""
    free = re.compile(rf"CC0|CC BY(-SA)?( \d\.\d)?$|public domain|CDLA-Sharing|{UNLICENSED}$")
    for recipe in RECIPES.values():
        for source in recipe.task.sources:
            assert free.match(source.licence), source
            assert source.credit
            assert "capitals_templates" not in source.file
            assert "multi30k" not in source.file
            assert "flores" not in source.file


# --- bars ----------------------------------------------------------------------------

STANDARD = Standard(
    measures=("bits/a", "bits/b"), lower=True, at_most={"bits/a": 1.5}, at_least={"heads/*": 0.4}
)


def test_the_best_of_a_kind_is_its_highest():
    metrics = {"heads/0.1": 0.2, "heads/1.0": 0.7, "heads_of/x": 0.9}
    assert value_of(metrics, "heads/*") == 0.7
    assert value_of(metrics, "heads/0.1") == 0.2


def test_a_bar_is_kept_or_named():
    good = {"bits/a": 1.5, "bits/b": 9.0, "heads/0.0": 0.1, "heads/0.1": 0.4}
    assert STANDARD.missed(good) == {}
    bad = good | {"bits/a": 1.51, "heads/0.1": 0.39}
    assert STANDARD.missed(bad) == {"bits/a": (1.51, 1.5), "heads/*": (0.39, 0.4)}
    unmeasurable = good | {"bits/a": float("nan")}
    assert STANDARD.missed(unmeasurable).keys() == {"bits/a"}


def test_a_better_model_has_a_higher_score():
    assert STANDARD.score({"bits/a": 1.0, "bits/b": 2.0}) == -1.5
    assert Standard(("x", "y")).score({"x": 1.0, "y": 2.0}) == 1.5


@pytest.mark.parametrize("id_", IDS)
def test_the_bars_of_a_model_are_the_same_for_every_machine_it_is_made_on(id_):
    assert RECIPES[id_, "cpu"].standard == RECIPES[id_, "gpu"].standard

"""The Transformer of 2017, from French to English, and a small one whose encoder is causal."""

from __future__ import annotations

from dataclasses import replace

from core.language import N_
from core.models.transformer import TransformerConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.recipes.french import BLEU, GOES_ON, MEASURED, of_sentences, translation

_STANDARD = Standard(measures=(BLEU,), at_least={BLEU: 43.0})
_LENGTHS = (8, 10, 12, 14, 16, 20, 28, 64)


def _network(n_layers: int, d_model: int, vocab_size: int = 4096) -> TransformerConfig:
    return TransformerConfig(
        vocab_size=vocab_size,
        n_ctx=64,
        d_model=d_model,
        encoder_n_layers=n_layers,
        decoder_n_layers=n_layers,
        n_heads=max(1, d_model // 64),
        d_ff=4 * d_model,
        start_id=1,
        end_id=2,
    )


_SAYS = CardWords(
    knows=N_("French to English"),
    measured=MEASURED,
    failures=N_(
        "It knows short everyday sentences. In long ones it loses its way. It has hardly read "
        "names, numbers, or words of science and politics, and often gets them wrong. Where French"
        " leaves open who is meant, it guesses. Below are its translations of fixed sentences. The"
        " last two were chosen because they are outside what it knows."
    ),
)

_CAUSAL = CardWords(
    knows=N_("French to English, a step on the way to the Transformer"),
    measured=MEASURED,
    failures=N_(
        "It is small and has read little. It is one stop on the way from recurrent networks to the"
        " Transformer, and is here to be compared with its neighbours. No word of the source can "
        "see a later one. Only the decoder sees them all. Below are its translations of a fixed "
        "list of sentences. None was left out."
    ),
)

_WHOLE = (
    Recipe(
        id="transformer",
        tier="cpu",
        # Small steps: their number counts for more than their noise.
        task=translation(_LENGTHS, (256, 200, 168, 144, 128, 104, 72, 32), utterances=True),
        network=_network(n_layers=3, d_model=256),
        optimiser=Optimiser(lr=2e-3, betas=(0.9, 0.98), weight_decay=0.05),
        minutes=90,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=300, cooldown=0.5, floor=0.02),
        again=GOES_ON,
        dropout=0.1,
        average=5,
        apart=40,
    ),
    Recipe(
        id="transformer",
        tier="gpu",
        task=translation(_LENGTHS, (1024, 800, 672, 576, 512, 416, 288, 128), utterances=True),
        network=_network(n_layers=4, d_model=384),
        optimiser=Optimiser(lr=2e-3, betas=(0.9, 0.98), weight_decay=0.05),
        minutes=9,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=300, cooldown=0.5, floor=0.02),
        again=GOES_ON,
        batches={"stable": 2, "cool-down": 2},
        dropout=0.2,
        average=5,
        apart=20,
    ),
    # A minute on any machine: what the tests and a first try run.
    Recipe(
        id="transformer",
        tier="tiny",
        task=translation(_LENGTHS, (16, 12, 12, 8, 8, 8, 4, 4), utterances=True),
        network=_network(n_layers=1, d_model=32, vocab_size=512),
        optimiser=Optimiser(lr=5e-3, betas=(0.9, 0.98)),
        minutes=1,
        standard=Standard(measures=(BLEU,)),
        says=_SAYS,
        schedule=Schedule(warmup=5),
        batches={"stable": 2, "cool-down": 2},
        dropout=0.1,
        average=2,
        apart=2,
    ),
)


def _step(recipe: Recipe) -> Recipe:
    """The recipe for the stop at which the encoder is still causal; it is small, and read less."""
    sizes = recipe.network if recipe.tier == "tiny" else _network(n_layers=2, d_model=192)
    return replace(
        recipe,
        id="encoder_causal",
        task=of_sentences(recipe.task),
        minutes=min(30, recipe.minutes),
        network=replace(sizes, causal_encoder=True),
        standard=Standard(measures=(BLEU,)),
        says=_CAUSAL,
    )


RECIPES = (*_WHOLE, *map(_step, _WHOLE))

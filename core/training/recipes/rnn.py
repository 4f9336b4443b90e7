"""Translators before the Transformer: recurrent, without attention, with it, and with two kinds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.language import N_
from core.models.rnn import RNNConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard, Tier
from core.training.recipes.french import BLEU, GOES_ON, MEASURED, of_sentences, translation

_LENGTHS = (6, 8, 10, 12, 16, 24, 36, 64)
_WITH_ATTENTION = CardWords(
    knows=N_("French to English"),
    measured=MEASURED,
    failures=N_(
        "It knows short everyday sentences. In long ones it says a part twice or leaves one out. "
        "It has hardly read names, numbers, or words of science and politics, and often gets them "
        "wrong. Below are its translations of fixed sentences. The last two were chosen because "
        "they are outside what it knows."
    ),
)
_WITHOUT = CardWords(
    knows=N_("French to English, the source passed on in one vector"),
    measured=MEASURED,
    failures=N_(
        "All that its decoder knows of a sentence has passed through 512 numbers. Of a longer "
        "sentence it keeps the topic and makes up the words. It is here to be compared with the "
        "model that can look back. Below are its translations of a fixed list of sentences. None "
        "was left out."
    ),
)


_LOOKING_BACK = CardWords(
    knows=N_("French to English, a step on the way to the Transformer"),
    measured=MEASURED,
    failures=N_(
        "It is small and has read little. It is one stop on the way from recurrent networks to the"
        " Transformer, and is here to be compared with its neighbours. It loses parts of long "
        "sentences. Below are its translations of a fixed list of sentences. None was left out."
    ),
)


def _recipe(tier: Tier, rows: tuple[int, ...], network: RNNConfig) -> Recipe:
    return Recipe(
        id="rnn_attention",
        tier=tier,
        task=translation(_LENGTHS, rows, utterances=True),
        network=network,
        optimiser=Optimiser(lr=1.5e-3, muon=False, betas=(0.9, 0.98), weight_decay=0.01),
        minutes=60 if tier == "cpu" else 9,
        standard=Standard(measures=(BLEU,), at_least={BLEU: 40.0}),
        says=_WITH_ATTENTION,
        schedule=Schedule(warmup=300, cooldown=0.6, floor=0.02),
        again=GOES_ON,
        dropout=0.2,
        compiled=False,
        bfloat16=False,
    )


_ROWS = (160, 144, 128, 112, 80, 56, 32, 16)
_SIZES = RNNConfig(4096, 64, 256, start_id=1, end_id=2)
_WHOLE = (
    _recipe("cpu", _ROWS, _SIZES),
    _recipe("gpu", _ROWS, _SIZES),
    # A minute on any machine: what the tests and a first try run.
    replace(
        _recipe("tiny", (16, 12, 12, 8, 8, 8, 4, 4), replace(_SIZES, vocab_size=512, d_model=16)),
        optimiser=Optimiser(lr=5e-3, muon=False, betas=(0.9, 0.98)),
        minutes=1,
        standard=Standard(measures=(BLEU,)),
        schedule=Schedule(warmup=5),
        batches={"stable": 2, "cool-down": 2},
        dropout=0.1,
    ),
)


def _alike(name: str, says: CardWords, *, utterances: bool = False, **sizes: Any) -> list[Recipe]:
    """The same for another of these machines, with no floor.

    Args:
        name: its id.
        says: what its card says.
        utterances: it is to know what people type first, too.
        sizes: in which it differs; those of the tiny one stay tiny.
    """
    return [
        replace(
            recipe,
            id=name,
            task=recipe.task if utterances else of_sentences(recipe.task),
            says=says,
            standard=Standard(measures=(BLEU,)),
            network=replace(
                recipe.network,
                **sizes | ({"d_model": recipe.network.d_model} if recipe.tier == "tiny" else {}),
            ),
        )
        for recipe in _WHOLE
    ]


RECIPES = (
    *_WHOLE,
    *_alike("rnn", _WITHOUT, utterances=True, attention=False),
    *_alike("rnn_self", _LOOKING_BACK, d_model=192, self_attention=True),
)

"""BERT: hidden words, and whether two segments follow each other."""

from __future__ import annotations

from core.language import N_
from core.models.bert import BERTConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.recipes.english import ENGLISH, TINYSTORIES, VALIDATION, shares
from core.training.tasks.masked_words import MaskedWords
from core.training.tasks.task import Mix

_STANDARD = Standard(
    measures=tuple(
        f"{kind}/{name}"
        for kind in ("masked_top_1", "masked_top_5", "next_sentence")
        for name in VALIDATION
    ),
    at_least={
        "masked_top_1/valid_wiki": 0.27,
        "masked_top_5/valid_wiki": 0.45,
        "next_sentence/valid_wiki": 0.75,
    },
)


_MIXES = Mix(128, shares(54, 14, 14, 6, 5, 6, 1)), Mix(128, shares(66, 9, 9, 5, 4, 6, 1))
_READ_OFTEN = Mix(128, shares(58, 18, 7, 7, 5, 4, 1))  # many epochs: less of the small sources


def _task(tokens: int, stable: Mix, cool_down: Mix) -> MaskedWords:
    return MaskedWords(
        ENGLISH,
        stable=stable,
        cool_down=cool_down,
        tokens=tokens,
        # A short run is starved of guesses: twice as many for a tenth more time.
        rate=0.3,
    )


_SAYS = CardWords(
    knows=N_("English"),
    measured=N_(
        "15 % of the tokens are hidden as whole words behind [MASK] (seed 0) and scored piece by "
        "piece. next_sentence is the share of right answers on pairs of sentences, half of which "
        "follow each other."
    ),
    failures=N_(
        "It guesses facts, above all numbers, from the commonest words of the sentence. A long "
        "rare name is cut into pieces, and it fills each of them by itself. It too easily takes "
        "two short everyday sentences for neighbours. Below are its answers to a fixed list of "
        "sentences. None was left out."
    ),
)

RECIPES = (
    Recipe(
        id="bert",
        tier="cpu",
        task=_task(8192, *_MIXES),
        network=BERTConfig(
            vocab_size=8192, n_ctx=128, d_model=256, n_layers=6, n_heads=4, d_ff=1024
        ),
        optimiser=Optimiser(lr=2.5e-3, betas=(0.9, 0.98)),
        minutes=240,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=130),
        # At the whole rate it unlearns most of what it knew of next sentences.
        again=Schedule(warmup=130, cooldown=0.9, peak=0.4),
    ),
    Recipe(
        id="bert",
        tier="gpu",
        task=_task(65_536, _READ_OFTEN, _READ_OFTEN),
        network=BERTConfig(
            vocab_size=8192, n_ctx=128, d_model=384, n_layers=8, n_heads=6, d_ff=1536
        ),
        optimiser=Optimiser(lr=2e-3, betas=(0.9, 0.98)),
        minutes=9,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=300),
        # Batches so large unlearn little: the whole rate is what nine minutes have time to use.
        again=Schedule(warmup=60, cooldown=0.85, floor=0.02),
    ),
    # A minute on any machine: what the tests and a first try run.
    Recipe(
        id="bert",
        tier="tiny",
        task=MaskedWords(
            (TINYSTORIES,),
            stable=Mix(32, {"tinystories": 1}),
            cool_down=Mix(32, {"tinystories": 1}),
            tokens=128,
        ),
        network=BERTConfig(vocab_size=512, n_ctx=32, d_model=32, n_layers=2, n_heads=1, d_ff=128),
        optimiser=Optimiser(lr=5e-3, betas=(0.9, 0.98)),
        minutes=1,
        standard=Standard(measures=("masked_top_1/valid_tinystories",)),
        says=_SAYS,
        schedule=Schedule(warmup=5),
        batches={"stable": 2, "cool-down": 4},
    ),
)

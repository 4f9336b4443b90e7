"""BART: a damaged text, written as it was."""

from __future__ import annotations

from core.language import N_
from core.models.bart import BARTConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.recipes.english import ENGLISH, TINYSTORIES, shares
from core.training.tasks.damaged_text import Denoising
from core.training.tasks.task import Mix

HIDDEN = "hidden_pieces/pooled"
_STANDARD = Standard(measures=(HIDDEN,), at_least={HIDDEN: 0.25})
_MIX = Mix(120, shares(50, 16, 16, 6, 5, 6, 1))


def _network(n_layers: int, d_model: int, vocab_size: int = 8192, n_ctx: int = 128) -> BARTConfig:
    return BARTConfig(
        vocab_size=vocab_size,
        n_ctx=n_ctx,
        d_model=d_model,
        encoder_n_layers=n_layers,
        decoder_n_layers=n_layers,
        n_heads=max(1, d_model // 64),
        d_ff=4 * d_model,
        start_id=1,
        end_id=2,
    )


_SAYS = CardWords(
    knows=N_("English"),
    measured=N_(
        "hidden_pieces: at the beginning of each unseen text, 30 % of the pieces are masked, "
        "deleted or filled in (seed 0). The figure is the share of them that get the highest "
        "probability in their place, while the decoder is given all pieces before. What still "
        "stands in the source does not count."
    ),
    failures=N_(
        "It copies what it sees. What is hidden, it guesses from common words nearby, so hidden "
        "names and numbers come back as others. When the sentences of a text are shuffled, it "
        "often leaves them in that order. Below are its answers to a fixed list of texts. None was"
        " left out."
    ),
)

RECIPES = (
    Recipe(
        id="bart",
        tier="cpu",
        task=Denoising(ENGLISH, stable=_MIX, cool_down=_MIX, tokens=4800),
        network=_network(n_layers=3, d_model=256),
        optimiser=Optimiser(lr=1.5e-3, betas=(0.9, 0.98), weight_decay=0.05),
        minutes=62,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=300, cooldown=0.5, floor=0.02),
    ),
    Recipe(
        id="bart",
        tier="gpu",
        task=Denoising(ENGLISH, stable=_MIX, cool_down=_MIX, tokens=48_000),
        network=_network(n_layers=4, d_model=384),
        optimiser=Optimiser(lr=1e-3, betas=(0.9, 0.98), weight_decay=0.05),
        minutes=9,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=300, cooldown=0.5, floor=0.02),
        batches={"stable": 2, "cool-down": 2},
        dropout=0.1,
    ),
    # A minute on any machine: what the tests and a first try run.
    Recipe(
        id="bart",
        tier="tiny",
        task=Denoising(
            (TINYSTORIES,),
            stable=Mix(32, {"tinystories": 1}),
            cool_down=Mix(32, {"tinystories": 1}),
            tokens=128,
        ),
        network=_network(n_layers=1, d_model=32, vocab_size=512, n_ctx=48),
        optimiser=Optimiser(lr=5e-3, betas=(0.9, 0.98)),
        minutes=1,
        standard=Standard(measures=("hidden_pieces/valid_tinystories",)),
        says=_SAYS,
        schedule=Schedule(warmup=5),
        dropout=0.1,
    ),
)

"""Translators before the Transformer: recurrent, without attention, with it, and with two kinds."""

from __future__ import annotations

from core.models.rnn import RNNConfig
from core.training.optimisers import Optimiser
from core.training.recipe import Recipe, Schedule, Standard, Tier, Words
from core.training.recipes.french import BLEU, MEASURED, translation

_LENGTHS = (6, 8, 10, 12, 16, 24, 36, 64)
_WITH_ATTENTION = Words(
    knows="French to English",
    measured=MEASURED,
    failures=(
        "It knows short everyday sentences. In long ones it says a part twice or leaves one out, "
        "and names, numbers and words of science or politics it has hardly read come out as "
        "something else. Below is what it makes of fixed sentences, the last two chosen because "
        "they are outside of what it knows."
    ),
)
_WITHOUT = Words(
    knows="French to English, the source handed over in one vector",
    measured=MEASURED,
    failures=(
        "Everything it knows of a sentence went through 512 numbers: of a longer one it keeps the "
        "drift and makes up the words. It is here to be compared with the one that can look back. "
        "Below is what it makes of fixed sentences, none picked."
    ),
)


_LOOKING_BACK = Words(
    knows="French to English, a step on the way to the Transformer",
    measured=MEASURED,
    failures=(
        "It is small and read little: one stop on the way from recurrent networks to the "
        "Transformer, here to be compared with its neighbours. Long sentences lose parts. Below is "
        "what it makes of fixed sentences, none picked."
    ),
)


def _recipes(
    name: str,
    says: Words,
    floor: dict[str, float],
    minutes: float = 60,
    d_model: int = 256,
    **looks: bool,
) -> list[Recipe]:
    def network(d_model: int, vocab_size: int) -> RNNConfig:
        return RNNConfig(vocab_size, 64, d_model, start_id=1, end_id=2, **looks)

    def full(tier: Tier, minutes: float) -> Recipe:
        return Recipe(
            id=name,
            tier=tier,
            task=translation(_LENGTHS, (160, 144, 128, 112, 80, 56, 32, 16)),
            network=network(d_model, 4096),
            optimiser=Optimiser(lr=1.5e-3, muon=False, betas=(0.9, 0.98), weight_decay=0.01),
            minutes=minutes,
            standard=Standard(measures=(BLEU,), at_least=floor),
            says=says,
            schedule=Schedule(warmup=300, cooldown=0.6, floor=0.02),
            dropout=0.2,
            compiled=False,
            bfloat16=False,
        )

    # A minute on any machine: what the tests and a first try run.
    tiny = Recipe(
        id=name,
        tier="tiny",
        task=translation(_LENGTHS, (16, 12, 12, 8, 8, 8, 4, 4)),
        network=network(16, 512),
        optimiser=Optimiser(lr=5e-3, muon=False, betas=(0.9, 0.98)),
        minutes=1,
        standard=Standard(measures=(BLEU,)),
        says=says,
        schedule=Schedule(warmup=5),
        batches={"stable": 2, "cool-down": 2},
        dropout=0.1,
        compiled=False,
        bfloat16=False,
    )
    return [full("cpu", minutes), full("gpu", 9), tiny]


RECIPES = (
    *_recipes("rnn_attention", _WITH_ATTENTION, {BLEU: 40.0}, attention=True),
    *_recipes("rnn", _WITHOUT, {}, attention=False),
    *_recipes("rnn_self", _LOOKING_BACK, {}, 30, 192, attention=True, self_attention=True),
)

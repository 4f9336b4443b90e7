"""What the film shows: a GPT small enough that its weights can be kept a dozen times."""

from __future__ import annotations

from collections.abc import Mapping

from core.data import examples
from core.models.gpt import GPTConfig
from core.training.measures.heads import PROBE_TEXT
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard, Tier
from core.training.recipes.english import ENGLISH, TINYSTORIES
from core.training.tasks.next_token import NextToken
from core.training.tasks.task import Mix

TOKENIZER_OF = "gpt"  # on the shelf: the film reads with the first of its entries
# Close together at the beginning, where most changes; the end of the run is kept besides.
STEPS = frozenset(
    (0, 1, 3, 10, 30, 100, 200, 400, 700, 1000, 1500, 2200, 3200, 4500, 6500, 9500, 14_000)
)
# Sentences that pages open with, and the paragraph that heads are scored on.
TEXTS = (
    examples.GAP.removesuffix(" [MASK]."),
    examples.FELT,
    examples.FRENCH_IN_ENGLISH,
    examples.WALK_IN_ENGLISH,
    PROBE_TEXT,
)
# Everyday stories alone: what so small a model can learn in minutes. By name, of ``ENGLISH``.
_SHARES = {"children": 25, "tinystories": 45, "fairytales": 10, "storybooks": 5, "tatoeba": 15}
# The film has no card: these are what its recipe has to have.
_STANDARD = Standard(measures=("bits_per_byte/valid_tinystories",), lower=True)
_SAYS = CardWords(knows="English", measured="", failures="")

FILMS: Mapping[Tier, Recipe] = {
    "cpu": Recipe(
        id="film",
        tier="cpu",
        task=NextToken(
            tuple(source for source in ENGLISH if source.name in _SHARES),
            stable=Mix(128, _SHARES),
            cool_down=Mix(128, _SHARES),
            tokens=2048,
            repeats=0.1,  # induction heads begin to form within the run
        ),
        # 656,448 parameters: 1.3 MB a frame in bfloat16.
        network=GPTConfig(vocab_size=2048, n_ctx=128, d_model=96, n_layers=4, n_heads=4, d_ff=384),
        optimiser=Optimiser(lr=3e-3),
        minutes=47,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=20, cooldown=0.3),
        compiled=False,
    ),
    "tiny": Recipe(
        id="film",
        tier="tiny",
        task=NextToken(
            (TINYSTORIES,),
            stable=Mix(32, {TINYSTORIES.name: 1}),
            cool_down=Mix(32, {TINYSTORIES.name: 1}),
            tokens=128,
            repeats=0.1,
        ),
        network=GPTConfig(vocab_size=512, n_ctx=32, d_model=32, n_layers=2, n_heads=2, d_ff=128),
        optimiser=Optimiser(lr=5e-3),
        minutes=1,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=5, cooldown=0.3),
        compiled=False,
    ),
}

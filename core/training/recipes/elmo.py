"""ELMo: the word after and the word before, each word read by its letters."""

from __future__ import annotations

from core.encoders import Spelling
from core.models.elmo import ELMoConfig
from core.training.optimisers import Optimiser
from core.training.recipe import Recipe, Schedule, Standard, Words
from core.training.recipes.english import ENGLISH, TINYSTORIES
from core.training.tasks.both_ways import ALPHABET, LONGEST, BothWays
from core.training.tasks.task import Mix

_SHARES = {"wiki_head": 25, "children": 40, "tinystories": 17, "fairytales": 14, "storybooks": 4}
_PROSE = tuple(source for source in ENGLISH if source.name in _SHARES)
_LETTERS = Spelling(ALPHABET, LONGEST).n_entries
_MEASURED_ON = ("valid_tinystories", "valid_children")

_STANDARD = Standard(
    measures=tuple(f"perplexity_forward/{name}" for name in _MEASURED_ON),
    lower=True,
    at_most={
        **{f"perplexity_forward/{name}": 200.0 for name in _MEASURED_ON},
        **{f"unknown/{name}": 0.05 for name in _MEASURED_ON},
    },
)


def _task(tokens: int, draws: int) -> BothWays:
    return BothWays(
        _PROSE, stable=Mix(64, _SHARES), cool_down=Mix(128, _SHARES), tokens=tokens, draws=draws
    )


_SAYS = Words(
    knows="English, lower-cased, by whole words",
    measured=(
        "Perplexity a word over whole documents, cut into windows of the context's length that "
        "share one word, no window knowing another. Words without an entry count as one entry, "
        "[UNK]; unknown is their share. senses: 48 sentences with bank, light or left in one of "
        "two senses, and the share whose nearest other sentence, by the cosine of the word's "
        "vectors in that layer, has the same sense; 7 of 15 by chance."
    ),
    failures=(
        "It has read little. Senses that need the whole sentence are mixed up, a rare word is "
        "taken for one that is spelt like it, and names it has not met are all [UNK] when it "
        "predicts. Below are the first sentences of each sense with the one it finds nearest."
    ),
)

RECIPES = (
    Recipe(
        id="elmo",
        tier="cpu",
        task=_task(tokens=2048, draws=4096),
        network=ELMoConfig(
            vocab_size=16_384, n_ctx=128, n_letters=_LETTERS, d_letter=16,
            filters=(32, 32, 64, 96, 128), d_model=256,
        ),
        optimiser=Optimiser(lr=2e-3, muon=False, betas=(0.9, 0.98), weight_decay=0.01),
        minutes=90,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=200, cooldown=0.6, floor=0.03),
        compiled=False,
        bfloat16=False,
    ),
    Recipe(
        id="elmo",
        tier="gpu",
        task=_task(tokens=16_384, draws=16_384),
        network=ELMoConfig(
            vocab_size=16_384, n_ctx=128, n_letters=_LETTERS, d_letter=16,
            filters=(32, 32, 64, 128, 256), d_model=512,
        ),
        optimiser=Optimiser(lr=1e-3, muon=False, betas=(0.9, 0.98), weight_decay=0.01),
        minutes=9,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=200, cooldown=0.6, floor=0.03),
        compiled=False,
        bfloat16=False,
    ),
    # A minute on any machine: what the tests and a first try run.
    Recipe(
        id="elmo",
        tier="tiny",
        task=BothWays(
            (TINYSTORIES,),
            stable=Mix(16, {"tinystories": 1}),
            cool_down=Mix(32, {"tinystories": 1}),
            tokens=128,
            draws=32,
        ),
        network=ELMoConfig(
            vocab_size=64, n_ctx=32, n_letters=_LETTERS, d_letter=4, filters=(4, 8, 8), d_model=24
        ),
        optimiser=Optimiser(lr=5e-3, muon=False, betas=(0.9, 0.98)),
        minutes=1,
        standard=Standard(measures=("perplexity_forward/valid_tinystories",), lower=True),
        says=_SAYS,
        schedule=Schedule(warmup=5),
        batches={"stable": 2, "cool-down": 4},
        compiled=False,
        bfloat16=False,
    ),
)  # fmt: skip

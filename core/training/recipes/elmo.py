"""ELMo: the word after and the word before, each word read by its letters."""

from __future__ import annotations

from core.encoders import Spelling
from core.language import N_
from core.models.elmo import ELMoConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
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


_SAYS = CardWords(
    knows=N_("English, lower-cased, by whole words"),
    measured=N_(
        "Perplexity per word over whole documents, cut into windows as long as the context. "
        "Neighbouring windows share one word and know nothing else of each other. Words without an"
        " entry count as one entry, [UNK]; unknown is their share. senses: there are 48 sentences "
        "with bank, light or left in one of two senses. The figure is the share of them whose "
        "nearest other sentence has the same sense, by the cosine of the word's vectors in that "
        "layer. Chance gives 7 of 15."
    ),
    failures=N_(
        "It has read little. It mixes up senses that need the whole sentence, and takes a rare "
        "word for another that is spelt like it. When it predicts, all names that it has not met "
        "are [UNK]. Below is the first sentence of each sense, with the sentence that it finds "
        "nearest."
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

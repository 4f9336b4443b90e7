"""One recipe a shipped model: its sizes, its text, its optimiser.

Budgets, anchors and quality bars come from the project's training notes; what
each run reached stands on the model's card (``assets/zoo/<id>/card.md``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.models.bert import BERTConfig
from core.models.gpt import GPTConfig
from core.training.data import Source

Tier = Literal[
    "cpu",
    "cpu-longer",
    "cpu-512",
    "cpu-longest",
    "cpu-longest-512",
    "cpu-taught",
    "cpu-retaught",
    "cpu-polished",
    "gpu",
    "tiny",
]

_WIKIPEDIA = ("CC BY-SA 3.0", "English Wikipedia contributors, 2015 dump")
_GUTENBERG = ("public domain", "Project Gutenberg")

WIKI = Source(
    "wiki_head", "text_wiki_head.txt.xz", 42, *_WIKIPEDIA, valid="valid_wiki.txt.xz", prose=True
)
CHILDREN = Source(
    "children", "text_children.txt.xz", 20, *_GUTENBERG, valid="valid_children.txt.xz"
)
TINYSTORIES = Source(
    "tinystories",
    "text_tinystories.txt.xz",
    20,
    "CDLA-Sharing-1.0",
    "TinyStories (Eldan & Li 2023)",
    valid="valid_tinystories.txt.xz",
)
FAIRYTALES = Source(
    "fairytales", "text_fairytales.txt.xz", 7, *_GUTENBERG, valid="valid_fairytales.txt.xz"
)
STORYBOOKS = Source(
    "storybooks",
    "text_storybooks.txt.xz",
    4,
    "CC BY",
    "African Storybook and Pratham Books (Global Storybooks project)",
    valid="valid_storybooks.txt.xz",
)
TATOEBA = Source(
    "tatoeba",
    "mt_tatoeba_en_fr_train.tsv.xz",
    4,
    "CC BY 2.0",
    "Tatoeba contributors, English side",
    column="en",
)
FACTBOOK = Source("factbook", "text_factbook.txt.xz", 1, "CC0", "CIA World Factbook")

EVERYDAY_AND_FACTS = (WIKI, CHILDREN, TINYSTORIES, FAIRYTALES, STORYBOOKS, TATOEBA, FACTBOOK)


def _mixed(*weights: float) -> tuple[Source, ...]:
    """The same sources in other shares."""
    return tuple(
        replace(source, weight=weight)
        for source, weight in zip(EVERYDAY_AND_FACTS, weights, strict=True)
    )


def _with_stories(
    sources: tuple[Source, ...], *, whole: float, dropout: float
) -> tuple[Source, ...]:
    """Sources whose short documents are read whole, the two of short stories as it says here."""
    return tuple(
        replace(source, whole=whole, dropout=dropout)
        if source.name in ("tinystories", "storybooks")
        else replace(source, whole=1)
        for source in sources
    )


@dataclass(frozen=True, slots=True)
class Optimiser:
    """How weights move.

    Attributes:
        lr: peak rate of the hidden matrices (Muon, matched to AdamW's step size).
        adam_lr: peak rate of everything else.
        betas: of AdamW.
        weight_decay: on matrices and tables.
        warmup: share of the steps.
        cooldown: share of the steps.
        floor: share of the peak rate at the very end.
        clip: largest norm of the gradient.
    """

    lr: float
    adam_lr: float
    betas: tuple[float, float] = (0.9, 0.95)
    weight_decay: float = 0.1
    warmup: float = 0.02
    cooldown: float = 0.45
    floor: float = 0.03
    clip: float = 1.0


@dataclass(frozen=True, slots=True)
class LateMix:
    """Another mix for the end of a run, when the rate falls and little is forgotten again.

    Hu et al. 2024 (MiniCPM), section 5: the text a model should be best at comes last.

    Attributes:
        first_row: of the run, over all processes; a multiple of ``Mixture.BLOCK``.
        weights: one for each of the recipe's sources.
    """

    first_row: int
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Teaching:
    """Rows that are learnt from the predictions of finished models, not from what the text says.

    Hinton et al. 2015 ("Distilling the Knowledge in a Neural Network"), section 2, at temperature
    1. Models that read a small corpus often know it by heart, each in its own way: their mean is
    right more often than any of them, and on text that they wrote themselves, which none of them
    has read, there is nothing to know by heart.

    Attributes:
        tiers: of the models, each what its finished run gives.
        first: sources whose rows are taught before others; "written" is the models' own text.
        rows: taught ones of every ``micro_rows``.
        prompts: the source whose documents' first words the models go on from.
        written: rows that they write, taking turns.
        share: of the training rows that is their own text.
    """

    tiers: tuple[Tier, ...]
    first: tuple[str, ...]
    rows: int
    prompts: str
    written: int
    share: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that makes a model, but the corpora directory and the clock.

    Attributes:
        model: id on the shelf.
        tier: the machine it is meant for.
        config: the model's sizes.
        sources: the mix; the tokenizer is trained on the same.
        rows: rows a step, over all processes.
        micro_rows: rows that go through the model at once on one process.
        ramp: (share of the run, factor on ``rows``) from which the batch is larger.
        minutes: the budget when none is given.
        optimiser: how weights move.
        repeats: share of rows that say every passage twice (language models only).
        mask_rate: share of tokens that are hidden (masked models only).
        late: other mixes towards the run's end.
        loss_weights: (first row, what each loss counts from there on); 1 before.
        after: the tier whose finished run this one begins from, with its tokenizer and weights.
        kept: share of those weights in what the run gives, the rest are its own: between the two
            on a straight line, where less is learnt by heart than at either end.
        kept_of: the tier among the teachers whose weights they are instead; None for ``after``.
        teaching: what is learnt from finished models (language models only).
    """

    model: Literal["gpt", "bert"]
    tier: Tier
    config: GPTConfig | BERTConfig
    sources: tuple[Source, ...]
    rows: int
    micro_rows: int
    minutes: float
    optimiser: Optimiser
    ramp: tuple[tuple[float, int], ...] = ()
    repeats: float = 0.0
    mask_rate: float = 0.15
    late: tuple[LateMix, ...] = ()
    loss_weights: tuple[tuple[int, tuple[float, ...]], ...] = ()
    after: Tier | None = None
    kept: float = 0.0
    kept_of: Tier | None = None
    teaching: Teaching | None = None


def _gpt(n_ctx: int, d_model: int, n_layers: int, vocab_size: int = 8192) -> GPTConfig:
    return GPTConfig(
        vocab_size=vocab_size,
        n_ctx=n_ctx,
        d_model=d_model,
        n_layers=n_layers,
        n_heads=d_model // 64 or 1,
        d_ff=4 * d_model,
    )


def _bert(n_ctx: int, d_model: int, n_layers: int, vocab_size: int = 8192) -> BERTConfig:
    return BERTConfig(
        vocab_size=vocab_size,
        n_ctx=n_ctx,
        d_model=d_model,
        n_layers=n_layers,
        n_heads=d_model // 64 or 1,
        d_ff=4 * d_model,
    )


_RECIPES = (
    Recipe(
        model="gpt",
        tier="cpu",
        config=_gpt(n_ctx=256, d_model=256, n_layers=6),
        sources=EVERYDAY_AND_FACTS,
        rows=32,
        micro_rows=32,
        minutes=120,
        optimiser=Optimiser(lr=3e-3, adam_lr=3e-3),
        repeats=0.02,
        # Simple prose: wiki_head, children, tinystories, fairytales, storybooks, tatoeba, factbook.
        # Not for long: 4 MB of tinystories are soon known by heart.
        late=(
            LateMix(102_400, (25, 6, 54, 4, 6, 4, 1)),
            LateMix(110_592, (44, 18, 20, 7, 5, 5, 1)),
        ),
    ),
    Recipe(
        model="gpt",
        tier="cpu-longer",
        after="cpu",
        config=_gpt(n_ctx=256, d_model=256, n_layers=6),
        # wiki_head, children, tinystories, fairytales, storybooks, tatoeba, factbook. The small
        # ones come round some ten times more: the rows of two get dropout.
        sources=_with_stories(_mixed(38, 20, 26, 7, 5, 3, 1), whole=1, dropout=0.15),
        rows=32,
        micro_rows=32,
        minutes=120,
        optimiser=Optimiser(lr=1.8e-3, adam_lr=1.8e-3, cooldown=0.9),
        repeats=0.02,
        # wiki_head is well under its bar by then, and dropout keeps tinystories from being
        # learnt by heart: more of it while the rate falls.
        late=(LateMix(36_864, (24, 19, 40, 7, 5, 4, 1)),),
    ),
    Recipe(
        model="gpt",
        tier="cpu-512",
        after="cpu-longer",
        # A story of 300 tokens was read in two pieces, the second without knowing the first.
        config=_gpt(n_ctx=512, d_model=256, n_layers=6),
        # Hardly any tatoeba: with 3 % a short prompt drifted into its textbook sentences. Some rows
        # begin inside a story, as prompts such as "She opened the door and" do.
        sources=_with_stories(_mixed(30, 20, 30, 9, 9, 0.5, 1.5), whole=0.75, dropout=0.25),
        rows=16,
        micro_rows=16,
        minutes=30,
        optimiser=Optimiser(lr=6e-4, adam_lr=6e-4, cooldown=0.9),
        kept=0.5,
        repeats=0.02,
    ),
    Recipe(
        model="gpt",
        tier="cpu-longest",
        after="cpu-longer",
        config=_gpt(n_ctx=256, d_model=256, n_layers=6),
        sources=_with_stories(_mixed(20, 20, 43, 8, 7.5, 0.5, 1), whole=0.75, dropout=0.2),
        rows=32,
        micro_rows=32,
        minutes=120,
        optimiser=Optimiser(lr=2e-3, adam_lr=2e-3, cooldown=0.9),
        repeats=0.02,
        # By then the stories' training text is ahead of their validation file; wiki_head,
        # which is read once, has most to gain.
        late=(LateMix(147_456, (30, 18, 33, 8, 8, 0.5, 1)),),
    ),
    Recipe(
        model="gpt",
        tier="cpu-longest-512",
        after="cpu-longest",
        config=_gpt(n_ctx=512, d_model=256, n_layers=6),
        sources=_with_stories(_mixed(34, 19, 28, 9, 8, 0.5, 1.5), whole=0.75, dropout=0.25),
        rows=16,
        micro_rows=16,
        minutes=30,
        optimiser=Optimiser(lr=1e-3, adam_lr=1e-3, cooldown=0.9),
        kept=0.4,
        repeats=0.02,
    ),
    Recipe(
        model="gpt",
        tier="cpu-taught",
        after="cpu-longest-512",
        config=_gpt(n_ctx=512, d_model=256, n_layers=6),
        # Of the small sources, which the teachers know by heart, little but what they write.
        sources=_with_stories(_mixed(40, 22, 14, 12, 9, 0.5, 2), whole=0.75, dropout=0.0),
        rows=16,
        micro_rows=16,
        minutes=90,
        optimiser=Optimiser(lr=8e-4, adam_lr=8e-4, cooldown=0.9),
        kept=0.4,
        repeats=0.03,
        teaching=Teaching(
            tiers=("cpu-512", "cpu-longest-512"),
            first=("tinystories", "storybooks", "written"),
            rows=9,
            prompts="tinystories",
            written=5120,
            share=0.4,
        ),
    ),
    Recipe(
        model="gpt",
        tier="cpu-retaught",
        after="cpu-taught",
        config=_gpt(n_ctx=512, d_model=256, n_layers=6),
        sources=_with_stories(_mixed(40, 22, 14, 12, 9, 0.5, 2), whole=0.75, dropout=0.0),
        rows=16,
        micro_rows=16,
        minutes=60,
        optimiser=Optimiser(lr=6e-4, adam_lr=6e-4, cooldown=0.9),
        kept=0.4,
        repeats=0.03,
        # Furlanello et al. 2018 ("Born-Again Neural Networks"): the pupil teaches too. So does the
        # first run, which knows the least by heart.
        teaching=Teaching(
            tiers=("cpu", "cpu-512", "cpu-longest-512", "cpu-taught"),
            first=("tinystories", "storybooks", "written"),
            rows=9,
            prompts="tinystories",
            written=5120,
            share=0.45,
        ),
    ),
    Recipe(
        model="gpt",
        tier="cpu-polished",
        # Short, and from where the taught runs began: another way down than theirs, and the mean
        # of two ways (Wortsman et al. 2022, "Model soups") is better than a longer one.
        after="cpu-longest-512",
        config=_gpt(n_ctx=512, d_model=256, n_layers=6),
        sources=_with_stories(_mixed(30, 20, 20, 9, 9, 0.5, 1.5), whole=0.75, dropout=0.0),
        rows=16,
        micro_rows=16,
        minutes=15,
        optimiser=Optimiser(lr=6e-4, adam_lr=6e-4, warmup=0.1, cooldown=0.9),
        kept=0.6,
        kept_of="cpu-retaught",
        repeats=0.04,
        # Without the first run, whose words past its 256 tokens are poor: its pupil has the rest.
        teaching=Teaching(
            tiers=("cpu-512", "cpu-longest-512", "cpu-retaught"),
            first=("tinystories", "written"),
            rows=8,
            prompts="tinystories",
            written=2560,
            share=0.35,
        ),
    ),
    Recipe(
        model="gpt",
        tier="gpu",
        config=_gpt(n_ctx=512, d_model=384, n_layers=8),
        sources=EVERYDAY_AND_FACTS,
        rows=256,
        micro_rows=128,
        minutes=9,
        optimiser=Optimiser(lr=2e-3, adam_lr=2e-3),
        ramp=((0.5, 2),),
        repeats=0.02,
    ),
    Recipe(
        model="bert",
        tier="cpu",
        config=_bert(n_ctx=128, d_model=256, n_layers=6),
        sources=EVERYDAY_AND_FACTS,
        rows=64,
        micro_rows=64,
        minutes=120,
        optimiser=Optimiser(lr=2.5e-3, adam_lr=2.5e-3, betas=(0.9, 0.98), warmup=0.04),
        # A short run is starved of guesses: twice as many for a tenth more time.
        mask_rate=0.3,
        # Facts, where neighbouring sentences also tell most of each other.
        late=(LateMix(90_112, (64, 9, 9, 5, 5, 7, 1)),),
        # Next-sentence pairs give one answer a row where hidden words give thirty.
        loss_weights=((118_784, (1.0, 3.0)), (175_936, (1.0, 1.0))),
    ),
    Recipe(
        model="bert",
        tier="cpu-longer",
        after="cpu",
        config=_bert(n_ctx=128, d_model=256, n_layers=6),
        # wiki_head, children, tinystories, fairytales, storybooks, tatoeba, factbook
        sources=_mixed(58, 12, 12, 6, 5, 6, 1),
        rows=64,
        micro_rows=64,
        minutes=120,
        # At twice this rate it unlearns most of what it knew of next sentences.
        optimiser=Optimiser(lr=1.2e-3, adam_lr=1.2e-3, betas=(0.9, 0.98), cooldown=0.9),
        mask_rate=0.3,
        late=(LateMix(147_456, (70, 8, 8, 4, 4, 5, 1)),),
        loss_weights=((0, (1.0, 2.0)), (200_000, (1.0, 1.0))),
    ),
    Recipe(
        model="bert",
        tier="gpu",
        config=_bert(n_ctx=128, d_model=384, n_layers=8),
        sources=EVERYDAY_AND_FACTS,
        rows=1024,
        micro_rows=512,
        minutes=9,
        optimiser=Optimiser(lr=1.5e-3, adam_lr=8e-4, betas=(0.9, 0.98), warmup=0.06),
        ramp=((0.5, 2),),
    ),
    # A minute on any machine: what the tests and a first try run.
    Recipe(
        model="gpt",
        tier="tiny",
        config=_gpt(n_ctx=32, d_model=32, n_layers=2, vocab_size=512),
        sources=(TINYSTORIES,),
        rows=8,
        micro_rows=4,
        minutes=1,
        optimiser=Optimiser(lr=5e-3, adam_lr=5e-3),
        ramp=((0.5, 2),),
        repeats=0.1,
    ),
    Recipe(
        model="bert",
        tier="tiny",
        config=_bert(n_ctx=32, d_model=32, n_layers=2, vocab_size=512),
        sources=(TINYSTORIES,),
        rows=8,
        micro_rows=4,
        minutes=1,
        optimiser=Optimiser(lr=5e-3, adam_lr=5e-3, betas=(0.9, 0.98)),
    ),
)

RECIPES: dict[tuple[str, Tier], Recipe] = {(r.model, r.tier): r for r in _RECIPES}

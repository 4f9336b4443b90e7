"""T5: spans that are missing, and two tasks by their prefixes."""

from __future__ import annotations

from core.language import N_
from core.models.t5 import T5Config
from core.text.trained import train_unigram
from core.training.buckets import BucketShape
from core.training.labelled import LabelledFile
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.recipes.english import ENGLISH, TINYSTORIES, shares
from core.training.recipes.finetuned import FEELINGS, SST
from core.training.recipes.french import BLEU, GOES_ON, translation
from core.training.tasks.damaged_text import SpanCorruption
from core.training.tasks.labels import Labelling
from core.training.tasks.mixed import Mixed
from core.training.tasks.named_labels import NamedLabels
from core.training.tasks.task import Mix

TRANSLATE, CLASSIFY = "translate French to English: ", "sentiment: "
SPANS = "first_span/pooled"
_STANDARD = Standard(measures=(BLEU, SPANS), at_least={BLEU: 38.0, SPANS: 0.15})
_LENGTHS = (10, 12, 14, 16, 20, 28, 64)


def _labels(lengths: tuple[int, ...], rows: tuple[int, ...]) -> NamedLabels:
    shapes = tuple(BucketShape(length, n) for length, n in zip(lengths, rows, strict=True))
    unseen = ("sst2_dev.tsv.xz", "sentiment_amazon_uci_dev.tsv.xz")
    labels = Labelling(
        SST, LabelledFile(("text",), ("0", "1")), shapes, unseen, body=None, shown=()
    )
    return NamedLabels(labels, FEELINGS, CLASSIFY)


def _task(tokens: int, rows: tuple[int, ...]) -> Mixed:
    # The pairs bring the others' sentences.
    text = tuple(source for source in ENGLISH if source.name not in ("storybooks", "tatoeba"))
    every = shares(54, 18, 18, 7, 0, 0, 1)
    # Short rows first: with a gap or two in each it is soon learned where the decoder must look.
    short, long = (Mix(n, {source.name: every[source.name] for source in text}) for n in (32, 128))
    return Mixed(
        (
            SpanCorruption(text, stable=short, cool_down=long, tokens=tokens),
            translation(_LENGTHS, rows, prefix=TRANSLATE, utterances=True),
            _labels((16, 28, 64), (rows[3], rows[5], rows[6])),
        ),
        shares=(27, 70, 3),
        train=train_unigram,
    )


def _network(n_layers: int, d_model: int, vocab_size: int = 8192) -> T5Config:
    return T5Config(
        vocab_size=vocab_size,
        n_ctx=128,
        d_model=d_model,
        encoder_n_layers=n_layers,
        decoder_n_layers=n_layers,
        n_heads=max(1, d_model // 64),
        d_ff=4 * d_model,
        start_id=0,
        end_id=1,
        translates=TRANSLATE,
        classifies=CLASSIFY,
    )


def _optimiser(lr: float) -> Optimiser:
    return Optimiser(lr=lr, in_proportion=True, betas=(0.9, 0.98), weight_decay=0.01)


_SAYS = CardWords(
    knows=N_("English, some French"),
    measured=N_(
        "first_span: spans are hidden in the beginning of each unseen text (15 % of the tokens, 3 "
        "per span, seed 0). The figure is the share of first spans that the model writes exactly, "
        "greedily. BLEU from 0 to 100 by sacrebleu (13a, cased), beam search with 4 beams and "
        "length penalty 0.6, with the prefix in front. named: the share of labels written exactly."
    ),
    failures=N_(
        "It fills gaps with the commonest words of their surroundings. It translates short "
        "everyday sentences. It learned positive and negative from film reviews alone, and knows "
        "no third label. Without a prefix it takes any text for one with gaps. Below are its "
        "answers to a fixed list of texts. None was left out."
    ),
)

RECIPES = (
    Recipe(
        id="t5",
        tier="cpu",
        task=_task(tokens=4096, rows=(160, 144, 128, 112, 88, 64, 28)),
        network=_network(n_layers=3, d_model=256, vocab_size=4096),
        optimiser=_optimiser(2e-3),
        minutes=65,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=150, cooldown=0.5, floor=0.02),
        again=GOES_ON,
        # Each of its seventeen shapes is compiled for 30 to 60 s, and no step is faster for it.
        compiled=False,
    ),
    Recipe(
        id="t5",
        tier="gpu",
        task=_task(tokens=16_384, rows=(640, 576, 512, 448, 352, 256, 112)),
        network=_network(n_layers=4, d_model=384),
        optimiser=_optimiser(1.5e-3),
        minutes=9,
        standard=_STANDARD,
        says=_SAYS,
        schedule=Schedule(warmup=300, cooldown=0.5, floor=0.02),
        again=GOES_ON,
        batches={"stable": 2, "cool-down": 2},
        dropout=0.1,
    ),
    # A minute on any machine: what the tests and a first try run.
    Recipe(
        id="t5",
        tier="tiny",
        task=Mixed(
            (
                SpanCorruption(
                    (TINYSTORIES,),
                    stable=Mix(32, {"tinystories": 1}),
                    cool_down=Mix(32, {"tinystories": 1}),
                    tokens=128,
                ),
                translation(_LENGTHS, (12, 12, 8, 8, 8, 4, 4), prefix=TRANSLATE),
                _labels((28, 64), (4, 4)),
            ),
            shares=(1, 1, 1),
            train=train_unigram,
        ),
        network=_network(n_layers=1, d_model=32, vocab_size=512),
        optimiser=_optimiser(5e-3),
        minutes=1,
        standard=Standard(measures=("first_span/valid_tinystories",)),
        says=_SAYS,
        schedule=Schedule(warmup=5),
        dropout=0.1,
    ),
)

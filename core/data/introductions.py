"""How a machine of the shelf introduces itself: what it has read, and what it does well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.language import N_, _

STORIES = N_("mostly stories")
ENCYCLOPEDIA = N_("an encyclopedia and stories")
TASKS = N_("an encyclopedia, stories, French sentences in English, and film reviews")
FRENCH = N_("French sentences and their English translations")
REVIEWS = N_("all that BERT has, then film reviews")
PAIRS = N_("all that BERT has, then pairs of sentences")
DIGITS = N_("handwritten digits")
PHOTOGRAPHS = N_("small photographs of ten kinds of things")


@dataclass(frozen=True, slots=True)
class StrongSentence:
    """Something that a machine does well.

    Attributes:
        text: what it is given; the first of two texts, where it judges pairs.
        says: what it should say: a word, a translation, what it fills in, or a label. Of several
            that are right any will do.
        second: the second text.
    """

    text: str
    says: tuple[str, ...]
    second: str = ""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a machine has learned from.

    Attributes:
        read: in words (translate with ``_``).
        sentences: that it does well; none of a machine that looks at pictures.
        sees: it has seen pictures, and read nothing.
    """

    read: str
    sentences: tuple[StrongSentence, ...] = ()
    sees: bool = False


_TRANSLATED = (
    StrongSentence("J'ai deux chiens.", ("I have two dogs.",)),
    StrongSentence("Ma mère est à la maison.", ("My mother is at home.", "My mother's at home.")),
    StrongSentence(
        "Il n'aime pas le café.", ("He doesn't like coffee.", "He does not like coffee.")
    ),
)
_GAPS = (
    "Once upon a [MASK] there was a little girl.",
    "Once upon a time, there was a little girl [MASK] Lily.",
    "Lily and her mom went [MASK] the park.",
)
_FILLED = ("time", "named", "to")
_TRANSLATOR = Introduction(FRENCH, _TRANSLATED)
INTRODUCTIONS: Mapping[str, Introduction] = MappingProxyType(
    {
        "gpt": Introduction(
            STORIES,
            (
                StrongSentence("Once upon a", ("time",)),
                StrongSentence("The dog wagged its", ("tail",)),
                StrongSentence("They lived happily ever", ("after",)),
            ),
        ),
        "bert": Introduction(
            ENCYCLOPEDIA,
            (
                StrongSentence("Once upon a [MASK] there was a king.", ("time",)),
                StrongSentence("One day, the [MASK] girl went to the park.", ("little",)),
                StrongSentence("They lived happily [MASK] after.", ("ever",)),
            ),
        ),
        "t5": Introduction(
            TASKS,
            tuple(StrongSentence(gap, (word,)) for gap, word in zip(_GAPS, _FILLED, strict=True)),
        ),
        "bart": Introduction(
            ENCYCLOPEDIA,
            tuple(
                StrongSentence(gap, (gap.replace("[MASK]", word),))
                for gap, word in zip(_GAPS, _FILLED, strict=True)
            ),
        ),
        "elmo": Introduction(
            STORIES,
            (
                StrongSentence("Once upon a", ("time",)),
                StrongSentence("At the end of", ("the",)),
                StrongSentence("The rest of", ("the",)),
            ),
        ),
        "transformer": _TRANSLATOR,
        "rnn_attention": _TRANSLATOR,
        "rnn": _TRANSLATOR,
        "rnn_self": _TRANSLATOR,
        "encoder_causal": _TRANSLATOR,
        "bert_sentiment": Introduction(
            REVIEWS,
            (
                StrongSentence("A warm and funny story.", ("positive",)),
                StrongSentence("What a boring film.", ("negative",)),
                StrongSentence("I hated every minute of it.", ("negative",)),
            ),
        ),
        "bert_nli": Introduction(
            PAIRS,
            (
                StrongSentence("A girl is reading a book.", ("entailment",), "A girl is reading."),
                StrongSentence("Two boys play football.", ("entailment",), "Two boys are outside."),
                StrongSentence(
                    "A man is playing a guitar.", ("entailment",), "A man is playing an instrument."
                ),
            ),
        ),
        "vit": Introduction(DIGITS, sees=True),
        "cnn": Introduction(DIGITS, sees=True),
        "vit_cifar": Introduction(PHOTOGRAPHS, sees=True),
        "cnn_cifar": Introduction(PHOTOGRAPHS, sees=True),
    }
)


def has_read(model: object) -> str:
    """What a machine has read, in words; empty of one that nobody has introduced."""
    introduction = INTRODUCTIONS.get(model) if isinstance(model, str) else None
    return "" if introduction is None or introduction.sees else _(introduction.read)

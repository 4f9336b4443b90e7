"""What a model says to fixed texts, for its card: good and bad alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.data.senses import SENSES
from core.decoding.settings import Sampling
from core.errors import InputTooLongError
from core.predict import (
    answer,
    classify_text,
    denoise,
    fill_masks,
    fill_spans,
    generate,
    next_sentence,
    translate,
)
from core.training.measures.senses import nearest
from core.zoo import LoadedModel

PROMPTS = (
    "Once upon a time there was a little",
    "The cat sat on the",
    "She opened the door and",
    "The capital of France is",
    "Two plus two is",
    "In 1969, the first",
)
HIDDEN_WORDS = (
    "The cat sat on the [MASK].",
    "She opened the [MASK] and went into the house.",
    "Paris is the capital of [MASK].",
    "He was born in [MASK] and died in 1850.",
    "Two plus two is [MASK].",
)
SPANS = (
    "The cat [MASK] on the mat.",
    "She opened the [MASK] and went [MASK] the house.",
    "Once upon a time there was [MASK] who lived in a small house.",
    "London is the [MASK] of England.",
)
OPINIONS = (
    "a wonderful film that made me laugh and cry",
    "the story is dull and far too long",
    "i would not watch it again",
    "not bad at all",
)
PAIRS = (
    ("The boy went to the shop.", "He bought some bread and milk."),
    ("The boy went to the shop.", "The river flows through the north of the country."),
)
SENTENCES = (
    "Le chat est assis sur le tapis.",
    "Je ne sais pas où elle habite.",
    "Elle m'a demandé si j'avais déjà mangé.",
    "Si j'avais su, je ne serais pas venu.",
    "L'accord sur la zone économique européenne a été signé en août 1992.",
    "Le théorème se démontre par récurrence.",
)


def continuations(model: LoadedModel) -> list[str]:
    """How it goes on with fixed prompts, seed 0."""
    return [f"- **{prompt}**{_ask_quietly(_continued, model, prompt)}" for prompt in PROMPTS]


def filled_gaps(model: LoadedModel) -> list[str]:
    """What it puts behind the gaps of fixed sentences, and which pairs belong together for it."""
    lines = [f"- `{text}`: {_ask_quietly(_hidden_words, model, text)}" for text in HIDDEN_WORDS]
    return lines + [f"- `{a}` / `{b}`: {_ask_quietly(_follows, model, a, b)}" for a, b in PAIRS]


def neighbours(model: LoadedModel) -> list[str]:
    """For the first sentence of each sense the one whose word it finds most alike."""
    lines = []
    for word, senses in SENSES.items():
        sentences = [sentence for of_sense in senses.values() for sentence in of_sense]
        alike = nearest(model, word, sentences, -1)
        for of_sense in senses.values():
            index = sentences.index(of_sense[0])
            lines.append(f"- {word}: {of_sense[0]} → {sentences[alike[index]]}")
    return lines


def translations(model: LoadedModel) -> list[str]:
    """Its translations of fixed sentences."""
    return [f"- {text} → {_ask_quietly(_translated, model, text)}" for text in SENTENCES]


def filled_spans(model: LoadedModel) -> list[str]:
    """What it puts into the gaps of fixed sentences."""
    return [f"- `{text}`: {_ask_quietly(_filled, model, text)}" for text in SPANS]


def mended_texts(model: LoadedModel) -> list[str]:
    """Fixed damaged texts as it mends them."""
    return [f"- `{text}` → {_ask_quietly(_mended, model, text) or '(nothing)'}" for text in SPANS]


def named_labels(model: LoadedModel, prefix: str) -> list[str]:
    """What it answers to fixed opinions behind a prefix."""
    return [
        f"- `{prefix}{text}`: {_ask_quietly(_answered, model, prefix + text)}" for text in OPINIONS
    ]


def labelled(model: LoadedModel, texts: Sequence[tuple[str, ...]]) -> list[str]:
    """Which label it gives fixed texts, or pairs of them, and how sure it is."""
    return [f"- {' / '.join(text)}: {_ask_quietly(_label, model, *text)}" for text in texts]


def _ask_quietly(ask: Callable[..., str], model: LoadedModel, *texts: str) -> str:
    try:
        return ask(model, *texts)
    except InputTooLongError:  # a try-out with a tiny vocabulary and context
        return " (does not fit its context)"


def _translated(model: LoadedModel, text: str) -> str:
    return " ".join(translate(model, text).text.splitlines())


def _filled(model: LoadedModel, text: str) -> str:
    return "; ".join(fill_spans(model, text))


def _mended(model: LoadedModel, text: str) -> str:
    return " ".join(denoise(model, text).text.splitlines())


def _answered(model: LoadedModel, text: str) -> str:
    return answer(model, text).text


def _label(model: LoadedModel, *texts: str) -> str:
    best = classify_text(model, *texts)[0]
    return f"{best.label} {best.prob:.2f}"


def _hidden_words(model: LoadedModel, text: str) -> str:
    guesses = fill_masks(model, text, 5)
    return "; ".join(", ".join(f"{p.token} {p.prob:.2f}" for p in best) for best in guesses)


def _follows(model: LoadedModel, first: str, second: str) -> str:
    return f"follows with {next_sentence(model, first, second):.2f}"


def _continued(model: LoadedModel, prompt: str) -> str:
    sampling = Sampling(temperature=0.8, top_k=50, top_p=0.95, seed=0)
    steps = generate(model, prompt, max_new=50, sampling=sampling)
    return " ".join(model.decode([step.token for step in steps]).splitlines())

"""How often a classifier of the shelf reads the digit that a text names in its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.digits.drawing import as_pixels, draw, noise
from core.digits.index import Measure
from core.digits.network import Drawer
from core.digits.reading import read
from core.digits.texts import EMPTY, HELD, IN_FRENCH, NAMES, TRAINED, Asked, Form, fill_template
from core.training.pictures import Labels
from core.zoo import LoadedModel

GUIDANCES = (1.0, 3.0)  # as it was learned, and as the page opens
JUDGES = ("cnn", "vit")
_AT_ONCE = 20  # pictures
_ELSE = "a dog"  # names no digit


@dataclass(frozen=True)
class GuidanceTrial:
    """Texts of one kind, and the guidance they are drawn with."""

    name: str
    guidance: float
    texts: tuple[Asked, ...]


def questions() -> Iterator[GuidanceTrial]:
    """All that is measured; texts that name no digit ask for -1, which nobody reads."""
    kinds: dict[str, tuple[Asked, ...]] = {}
    for name, templates in (("trained", TRAINED), ("held", HELD)):
        for form in ("words", "numerals"):
            kinds[f"{name}_{form}"] = _spread(templates, form)
    for name, texts in kinds.items():
        yield GuidanceTrial(name, GUIDANCES[-1], texts)
    for name in ("trained_words", "held_words"):
        yield GuidanceTrial(name, GUIDANCES[0], kinds[name])
    french = tuple(Asked(word, digit) for digit, word in enumerate(IN_FRENCH))
    yield GuidanceTrial("french_words", GUIDANCES[-1], french)
    yield GuidanceTrial("no_text", GUIDANCES[-1], (Asked(EMPTY, -1),))
    yield GuidanceTrial("a_dog", GUIDANCES[-1], (Asked(_ELSE, -1),))


def _spread(templates: tuple[str, ...], form: Form) -> tuple[Asked, ...]:
    """Templates and digits in an order of which any beginning holds all of them alike."""
    n, digits = len(templates), range(len(NAMES))
    return tuple(
        fill_template(templates[(turn + digit) % n], digit, form)
        for turn in range(n)
        for digit in digits
    )


def measured(
    drawer: Drawer, encoder: LoadedModel, judges: Mapping[str, LoadedModel], n: int,
    say: Callable[[str], None],
) -> tuple[Measure, ...]:  # fmt: skip
    """Answers to every question on ``n`` pictures each, picture i from the noise of seed i."""
    measures = []
    empty = read(encoder, EMPTY).states
    for question in questions():
        texts = [question.texts[i % len(question.texts)] for i in range(n)]
        pixels = _pictures(drawer, encoder, texts, empty, question.guidance)
        digits = np.array([text.digit for text in texts])
        read_as = {name: _read(judge, pixels) for name, judge in judges.items()}
        measure = Measure(
            question.name,
            question.guidance,
            n,
            {name: int((labels == digits).sum()) for name, labels in read_as.items()},
            {name: tuple(np.bincount(labels, minlength=10).tolist())
             for name, labels in read_as.items()},
        )  # fmt: skip
        right, read_so = dict(measure.right), dict(measure.read)
        say(f"{measure.name}, guidance {measure.guidance}: {right} of {n}, read {read_so}")
        measures.append(measure)
    return tuple(measures)


def _pictures(
    drawer: Drawer, encoder: LoadedModel, texts: list[Asked], empty: Tensor, guidance: float
) -> Tensor:
    """The pictures that are drawn for the texts, bytes ``(N, 28, 28)``."""
    states = {text: read(encoder, text).states for text in {text.text for text in texts}}
    begin = torch.cat([noise(1, seed) for seed in range(len(texts))])
    parts = []
    for first in range(0, len(texts), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        states_ = [states[text.text] for text in texts[some]]
        parts.append(draw(drawer, begin[some], states_, empty, guidance).frames[-1])
    return as_pixels(torch.cat(parts))


@torch.inference_mode()
def _read(judge: LoadedModel, pixels: Tensor) -> Labels:
    """The likeliest label of each picture, ``(N,)``."""
    assert judge.encoders.pictures is not None
    numbers = judge.encoders.pictures.numbers(pixels[..., None].numpy())
    labels: Labels = judge.model(torch.from_numpy(numbers)).argmax(dim=1).numpy()
    return labels

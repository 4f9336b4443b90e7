"""What the model of a figure says, and how likely any other word is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.errors import NoPartError
from core.runs.kinds.continuation import ContinuedRun
from core.runs.kinds.trace import Run
from core.text.tokenizer import Tokenizer
from core.views.map.run import AtRow, WholeRun, answering
from core.views.map.story import FlowRun
from core.views.params import OnText


class LabelChances(Mapping[str, float]):
    """By a label, how likely it is to the model that chooses among them."""

    def __init__(self, run: Run) -> None:
        head = run.trace.blueprint.classifier
        self.probs = softmax(np.asarray(run.trace[head.site], np.float64))
        self._labels = head.labels

    def word(self, n: int) -> str:
        """What a label is called, by its number."""
        return self._labels[n]

    def __getitem__(self, label: str) -> float:
        return dict(zip(self._labels, self.probs.tolist(), strict=True))[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


class Chances(Mapping[str, float]):
    """By a word, or a label, how likely it is where the model answers: of all its spellings."""

    def __init__(self, run: WholeRun) -> None:
        self._whole = run

    @cached_property
    def probs(self) -> NDArray[np.float64]:
        """The probability of every entry where the model answers, float64 ``(V,)``."""
        run = self._whole
        row = 0 if run.of_all else run.row(run.stream)
        return softmax(np.asarray(run.logits[row], np.float64))

    @cached_property
    def _entries(self) -> Mapping[str, list[int]]:
        labels = self._whole.answering.labels
        if labels:
            return _by_name(labels)
        return _by_word(self._whole.run.encoders.tokenizer, len(self.probs))

    def word(self, n: int) -> str:
        """What an entry is called, without the space before it."""
        labels = self._whole.answering.labels
        return labels[n] if labels else self._whole.run.words(n).spoken

    def __getitem__(self, word: str) -> float:
        return float(sum(self.probs[self._entries[word]]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def chances(runs: Sequence[Any], record: Any, params: Any) -> dict[str, Any]:
    """``says``, the likeliest word where the model answers, and ``chance['bone']``.

    Args:
        runs: of a figure.
        record: that it draws.
        params: that it shows.

    Returns:
        Nothing where no model answers in words or labels, or its answer was not recorded; of
        what is no text, as a picture, nothing either where several runs answer.
    """
    if not isinstance(params, OnText):
        return _name_answer(_of_one(runs))
    run = next((run_.run if isinstance(run_, ContinuedRun) else run_ for run_ in runs
                if isinstance(run_, ContinuedRun | Run)), None)  # fmt: skip
    if run is None:
        return {}
    try:
        if answering(run.trace.blueprint).site not in run.trace.arrays:
            return {}
    except NoPartError:
        return {}
    at_row = AtRow(text=params.text, model=params.model, target=params.target)
    whole_run = record.whole if isinstance(record, FlowRun) else WholeRun(run, at_row)
    return _name_answer(Chances(whole_run))


def _of_one(runs: Sequence[Any]) -> LabelChances | None:
    """What the one run says of what it was given, where that is a label."""
    if len(runs) != 1 or not isinstance(runs[0], Run):
        return None
    try:
        head = runs[0].trace.blueprint.classifier
    except NoPartError:
        return None
    return LabelChances(runs[0]) if head.site in runs[0].trace.arrays else None


def _name_answer(source: LabelChances | Chances | None) -> dict[str, Any]:
    if source is None:
        return {}
    return {"chance": source, "says": source.word(int(source.probs.argmax()))}


@lru_cache(8)
def _by_word(tokenizer: Tokenizer, n: int) -> Mapping[str, list[int]]:
    """The first ``n`` entries of a vocabulary by what they are called."""
    return _by_name([tokenizer.token(index).spoken for index in range(n)])


def _by_name(names: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for n, name in enumerate(names):
        places.setdefault(name, []).append(n)
    return places

"""The whole run, from what a model reads to what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.distributions import largest, likeliest, softmax
from core.figures import tokens
from core.figures.payload import as_shares
from core.language import N_
from core.models.blueprint import Blueprint, Embedding, Head
from core.models.picture_parts import Patches
from core.runs.results import Run
from core.samples import label_called
from core.text.marks import MASK
from core.tracing.trace import Array, Trace
from core.views.map import towers
from core.views.map.answers import Answer, answer_of, answering, question_of
from core.views.map.drawn import first_shown
from core.views.map.swapped import OnSwapped
from core.views.nearest import nearest
from core.views.params import param

N_WORDS = 8


@dataclass(frozen=True, slots=True)
class AtRow(OnSwapped):
    """What a model reads, and the row of it that is looked at.

    Attributes:
        token: the row; -1 for the last one that answers (or the first hidden word).
        source_token: the same in the encoder; -1 for the last word.
    """

    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Source token"))


@dataclass(frozen=True)
class WholeRun:
    """One run from the text to the prediction.

    Attributes:
        run: all of it.
        params: what was asked for.
        temperature: that its logits are divided by before the softmax.
    """

    run: Run
    params: AtRow
    temperature: float = 1.0

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.run.cut

    @property
    def blueprint(self) -> Blueprint:
        return self.trace.blueprint

    @property
    def stream(self) -> str:
        """The stream that is answered from."""
        return self.blueprint.stream

    def row(self, stream: str) -> int:
        """The row that is looked at in a stream's pictures."""
        own = self.trace.streams[stream].units
        first, last = first_shown(self.trace, stream), len(own) - 1
        field = towers.field_of(self.blueprint, stream)
        asked: int = getattr(self.params, field)
        if asked >= 0:
            return nearest(field, asked, last, first)
        if stream != self.stream:
            return tokens.last_word(own)
        if self.of_all:
            return first
        if self.answering.ability == "both_ways":  # after the mark at the end nothing comes
            return max(first, tokens.last_word(own))
        if self.answering.ability == "masked_words":
            hidden = [i for i, token in enumerate(own) if token.label == MASK]
            return max(hidden[0], first) if hidden else min(first + 1, last)
        return last

    @property
    def answering(self) -> Head:
        """The head that answers."""
        return answering(self.blueprint)

    @property
    def answer(self) -> Answer:
        """How its prediction is spoken of."""
        return answer_of(self.blueprint)

    @property
    def question(self) -> str:
        """What stands above it; translate with ``_``."""
        units = self.trace.streams[self.stream].units
        return question_of(self.blueprint, hidden=any(one.label == MASK for one in units))

    @property
    def of_all(self) -> bool:
        """Whether it answers its whole input, with a label."""
        return bool(self.answering.labels)

    @property
    def labels(self) -> list[str]:
        """Among which it chooses, as they are shown; none where it chooses among words."""
        return [label_called(one) for one in self.answering.labels]

    @property
    def logits(self) -> Array:
        """What it answers with, a row for each of its tokens, or one of all ``(rows, entries)``."""
        return np.atleast_2d(self.trace[self.answering.site])

    @property
    def width(self) -> int:
        """Components of a token's vector where its stream begins."""
        parts = self.blueprint
        begins: list[Embedding | Patches] = [*parts.embeddings, *parts.patches]
        terms = next(one.terms for one in begins if one.stream == self.stream)
        return self.trace[terms[0]].shape[-1]

    @property
    def rows(self) -> dict[str, int]:
        """The rows that are looked at, by the names of the parameters."""
        own = self.blueprint
        return {towers.field_of(own, stream): self.row(stream) for stream in own.streams}

    @property
    def first(self) -> int:
        """The row of ``logits`` that is drawn first."""
        return 0 if self.of_all else first_shown(self.trace, self.stream)

    @cached_property
    def shown_words(self) -> tuple[list[list[str]], Array]:
        """The likeliest words of each token that is drawn, or labels of all, and their shares."""
        return self.words(self.first)

    def likeliest(self, row: int) -> tuple[str, float]:
        """The likeliest word at a row of its stream, or label of all, and its share."""
        logits = self.logits[0 if self.of_all else row] / np.float32(self.temperature)
        best, share = likeliest(logits)
        own = self.answering.labels
        word = own[int(best)] if own else self.run.words(int(best)).label
        return word, float(as_shares(share))

    def words(self, first: int = 0) -> tuple[list[list[str]], Array]:
        """The same for each token from ``first`` on."""
        probs = softmax(self.logits[first:] / self.temperature)
        best = largest(probs, min(N_WORDS, probs.shape[-1]))
        own = self.labels
        labels = [[own[i] if own else self.run.words(int(i)).label for i in row] for row in best]
        return labels, as_shares(np.take_along_axis(probs, best, axis=1))

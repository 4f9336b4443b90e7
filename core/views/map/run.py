"""The whole run on one screen, each part a picture of its own numbers and a way to its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.distributions import largest, likeliest, softmax
from core.figures import tokens
from core.figures.components import map as drawn
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.blueprint import Blueprint, Embedding, Head
from core.models.needs import Needs
from core.models.picture_parts import Patches
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.samples import label_called
from core.text.marks import MASK
from core.tracing.trace import Array, Trace
from core.views.attention.head import AtHead, HeadRun, head_run
from core.views.map import towers
from core.views.map.answers import Answer, answer_of, answering, question_of
from core.views.map.drawn import first_shown, picture
from core.views.map.swapped import OnSwapped
from core.views.nearest import nearest
from core.views.params import param
from core.views.view import View, register

N_WORDS = 8


@dataclass(frozen=True, slots=True)
class MapParams(OnSwapped):
    """What is open on the map.

    Attributes:
        attention: whose head is outlined, in a model that has several kinds; its block is open.
        layer: the block that is opened.
        head: the head that is outlined in it.
        token: the row that is looked at; -1 for the last one (or the first hidden word).
        source_token: the same in the encoder; -1 for the last word.
    """

    attention: str = param("", part="attention", lives="browser", label=N_("Attention"))
    layer: int = param(5, low=0, high=255, lives="browser", label=N_("Layer"))
    head: int = param(3, low=0, high=255, lives="browser", label=N_("Head"))
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
    params: MapParams
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

    @property
    def layer(self) -> int:
        """The layer that is open; of a tower with fewer the last."""
        deepest = max((one.n_layers for one in self.blueprint.towers), default=1) - 1
        return nearest("layer", self.params.layer, deepest)

    @cached_property
    def head(self) -> HeadRun | None:
        """The outlined head, with the row that is looked at; None where nothing attends."""
        asked = self.params
        if not self.blueprint.attentions:
            return None
        kind = self.trace.attention(asked.attention)
        params = AtHead(
            text=asked.text, model=asked.model, target=asked.target, attention=kind.name,
            layer=min(self.layer, kind.n_layers - 1), head=asked.head, token=self.row(kind.queries),
        )  # fmt: skip
        return head_run([self.run], params)

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

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        found: dict[str, int | str | None] = {"layer": self.layer}
        if self.head is not None:
            found["head"] = self.head.head
            if len(self.blueprint.attentions) > 1:
                found["attention"] = self.head.attention.name
        rows = {
            towers.field_of(self.blueprint, stream): self.row(stream)
            for stream in self.blueprint.streams
        }
        return found | rows

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


@register
class ModelMap(View[MapParams, WholeRun]):
    """Every part of a machine from the text to the prediction."""

    name, Params, needs, kept = "map.run", MapParams, Needs("answers"), True

    def requests(self, params: MapParams) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.as_read),)

    def compute(self, runs: Sequence[Run], params: MapParams) -> WholeRun:
        return WholeRun(runs[0], params)

    def facts(self, record: WholeRun) -> Sequence[str]:
        rows = " + ".join(str(len(one.units)) for one in record.trace.streams.values())
        said = _("{n} tokens in {ms} ms")
        if record.params.picture:
            said = _("{n} rows in {ms} ms")
        return [said.format(n=rows, ms=f"{record.trace.seconds * 1e3:.0f}")]

    def values(self, record: WholeRun) -> Mapping[str, Values]:
        said, probs = record.words()
        words = np.array(said)
        ranks = Along("rank", _("rank"), [str(rank) for rank in range(probs.shape[1])])
        of_each = Along("token", _("token"), tokens.labels(record.trace.units))
        along: tuple[Along, ...] = (of_each, ranks)
        best: tuple[int, ...] = (record.row(record.stream), 0)
        if record.of_all:
            words, probs, along, best = words[0], probs[0], (ranks,), (0,)
        found = {
            "words": Values(_("word"), words, along, selected=best),
            "probabilities": Values(_("probability"), probs, along, selected=best),
        }
        if (head := record.head) is not None:
            found["weights"] = Values(
                _("Attention weights"), head("weights"), head.along,
                site=f"{head.prefix}weights", selected=(head.query, head.key),
            )  # fmt: skip
        for tower in record.blueprint.towers:
            name, made = towers.numbers(record.trace, tower)
            answers = tower.stream == record.stream
            found[name if answers else f"{name}_{tower.name}"] = made
        return found

    def describe(self, record: WholeRun) -> Sentence:
        row = record.row(record.stream)
        word, share = record.likeliest(row)
        answered = sentence(
            _(record.answer.reading),
            word=Mark(word.removeprefix("·"), "accent"),
            share=Mark(percent(share), "accent"),
            query=Mark(record.trace.units[row].spoken, "query"),
        )
        if record.head is not None:
            return join([answered, towers.looks(record.head)])
        return join([answered, *towers.told(record.blueprint, record.stream)])

    def show(self, record: WholeRun) -> drawn.Map:
        trace, blueprint = record.trace, record.blueprint
        words, probs = record.shown_words
        logits = record.logits[record.first :]
        return drawn.Map(
            title=_("The whole run, from picture to label")
            if blueprint.patches
            else _("The whole run, from text to prediction"),
            alt=str(self.describe(record)),
            selection=record.selection(),
            towers=[towers.tower(trace, stream) for stream in towers.order(blueprint)],
            answer=drawn.Answer(
                heading=_(record.answer.heading),
                at=_(record.answer.at),
                says=_(record.answer.logits),
                places=record.answer.places,
                logits=picture(logits),
                words=words,
                probs=probs,
            ),
            cells=towers.cells(record.width, patches=bool(blueprint.patches)),
            entries="" if record.of_all else towers.entries(logits.shape[-1]),
        )

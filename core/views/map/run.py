"""The whole run on one screen, each part a picture of its own numbers and a way to its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.distributions import largest, softmax
from core.figures import tokens
from core.figures.components import map as drawn
from core.figures.components.map import Part, Way
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.blueprint import Blueprint, Stack
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.text.tokenizer import MASK
from core.tracing.trace import Array, Trace
from core.views.attention.head import AtHead, HeadRun, head_run, key_name
from core.views.map import towers
from core.views.map import way as ways
from core.views.map.answers import ANSWERS, Answer
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.view import View, register

N_WORDS = 8
LOOKS = {  # what the open head of each kind of attention does
    "self": N_("In layer {layer}, head {head}, “{query}” gives {weight} of its attention to "
               "{key}."),
    "encoder": N_("In layer {layer} of the encoder, head {head}, “{query}” gives {weight} of "
                  "its attention to {key}."),
    "decoder": N_("In layer {layer} of the decoder, head {head}, “{query}” gives {weight} of "
                  "its attention to {key}."),
    "cross": N_("In layer {layer} of the decoder, head {head} of the cross-attention, "
                "“{query}” gives {weight} of its attention to {key}."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MapParams(OnText):
    """What is open on the map.

    Attributes:
        attention: whose head is outlined, in a model that has several kinds; its block is open.
        layer: the block that is opened.
        head: the head that is outlined in it.
        token: the row that is looked at; -1 for the last one (or the first hidden word).
        source_token: the same in the encoder; -1 for the last word.
        reached: how many parts the row has gone through, where its way is drawn; what lies ahead
            is covered. -1 for no way, and all of it open.
    """

    attention: str = param("", part="attention", lives="browser", label=N_("Attention"))
    layer: int = param(5, low=0, high=255, lives="browser", label=N_("Layer"))
    head: int = param(3, low=0, high=255, lives="browser", label=N_("Head"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Source token"))
    reached: int = param(-1, low=-1, high=max(Part), label=N_("Parts of the way"))


@dataclass(frozen=True)
class WholeRun:
    """One run from the text to the prediction.

    Attributes:
        run: all of it.
        params: what was asked for.
    """

    run: Run
    params: MapParams

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
    def answer(self) -> Answer:
        """How its prediction is spoken of."""
        return ANSWERS[self.blueprint.head.ability]

    @cached_property
    def head(self) -> HeadRun:
        """The outlined head of the open block, with the row that is looked at."""
        asked, kind = self.params, self.trace.attention(self.params.attention)
        stacks = self.blueprint.stacks
        (stack,) = (one for one in stacks if kind in towers.kinds(self.blueprint, one))
        params = AtHead(
            text=asked.text, model=asked.model, target=asked.target, attention=kind.name,
            layer=asked.layer, head=asked.head, token=self.row(stack),
        )  # fmt: skip
        return head_run([self.run], params)

    def row(self, stack: Stack) -> int:
        """The row that is looked at in a stack's pictures."""
        stream = self.trace.streams[stack.stream].units
        first, last = towers.first_shown(self.trace, stack), len(stream) - 1
        field = towers.field_of(self.blueprint, stack)
        asked: int = getattr(self.params, field)
        if asked >= 0:
            return nearest(field, asked, last, first)
        if stack != self.blueprint.main:
            return tokens.last_word(stream)
        if self.blueprint.head.ability == "masked_words":
            hidden = [i for i, token in enumerate(stream) if token.label == MASK]
            return max(hidden[0], first) if hidden else min(first + 1, last)
        return last

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        rows = {
            towers.field_of(self.blueprint, stack): self.row(stack)
            for stack in self.blueprint.stacks
        }
        kind = {"attention": self.head.attention.name} if len(rows) > 1 else {}
        return {**kind, "layer": self.head.layer, "head": self.head.head, **rows}

    @cached_property
    def shown_words(self) -> tuple[list[list[str]], Array]:
        """The likeliest words for each token that is drawn, and how likely they are."""
        return self.words(towers.first_shown(self.trace, self.blueprint.main))

    @cached_property
    def way(self) -> Way | None:
        """The way of the row that is looked at; None where none is asked for or can be shown."""
        return ways.way(self) if self.params.reached >= 0 and ways.has_way(self.trace) else None

    def words(self, first: int = 0) -> tuple[list[list[str]], Array]:
        """The same for each token from ``first`` on."""
        probs = softmax(self.trace[self.blueprint.head.site][first:])
        best = largest(probs, N_WORDS)
        labels = [[self.run.words(int(i)).label for i in row] for row in best]
        return labels, np.take_along_axis(probs, best, axis=1).astype(np.float32)


@register
class ModelMap(View[MapParams, WholeRun]):
    """Every part of a machine from the text to the prediction."""

    name, Params, needs = "map.run", MapParams, Needs("words", ("blocks",))

    def requests(self, params: MapParams) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.given),)

    def compute(self, runs: Sequence[Run], params: MapParams) -> WholeRun:
        return WholeRun(runs[0], params)

    def values(self, record: WholeRun) -> Mapping[str, Values]:
        main, head = record.blueprint.main, record.head
        labels, probs = record.words()
        along = (
            Along("token", _("token"), tokens.labels(record.trace.units)),
            Along("rank", _("rank"), [str(rank) for rank in range(probs.shape[1])]),
        )
        best = (record.row(main), 0)
        found = {
            "words": Values(_("word"), np.array(labels), along, selected=best),
            "probabilities": Values(_("probability"), probs, along, selected=best),
            "weights": Values(
                _("Attention weights"), head("weights"), head.along,
                site=f"{head.prefix}weights", selected=(head.query, head.key),
            ),
        }  # fmt: skip
        for stack in record.blueprint.stacks:
            name = "wrote" if stack == main else f"wrote_{stack.name}"
            found[name] = _wrote(record, stack)
        if record.way is not None:
            found |= _guesses(record.way)
        return found

    def describe(self, record: WholeRun) -> Sentence:
        main, head = record.blueprint.main, record.head
        row, query = record.row(main), head.query
        labels, probs = record.shown_words
        at = row - towers.first_shown(record.trace, main)
        key = int(head("weights")[query].argmax())
        return join(
            [
                sentence(
                    _(record.answer.reading),
                    word=Mark(labels[at][0].removeprefix("·"), "accent"),
                    share=Mark(percent(float(probs[at, 0])), "accent"),
                    query=Mark(record.trace.units[row].spoken, "query"),
                ),
                sentence(
                    _(LOOKS[head.attention.name]),
                    layer=str(head.layer),
                    head=str(head.head),
                    query=Mark(head.query_words[query], "query"),
                    weight=Mark(percent(float(head("weights")[query, key])), "weight"),
                    key=key_name(head, query, key),
                ),
            ]
        )

    def show(self, record: WholeRun) -> drawn.Map:
        trace, blueprint = record.trace, record.blueprint
        first = towers.first_shown(trace, blueprint.main)
        words, probs = record.shown_words
        logits = trace[blueprint.head.site][first:]
        # The tower that answers is the last one.
        order = sorted(blueprint.stacks, key=lambda stack: stack == blueprint.main)
        return drawn.Map(
            title=_("The whole run, from text to prediction"),
            alt=str(self.describe(record)),
            selection=record.selection(),
            towers=[towers.tower(trace, stack) for stack in order],
            answer=drawn.Answer(
                heading=_(record.answer.heading),
                at=_(record.answer.at),
                logits=towers.picture(logits),
                words=words,
                probs=probs,
            ),
            cells=_("one in {n} components of each token's vector").format(
                n=max(1, trace.config.d_model // towers.N_CELLS)
            ),
            entries=_("one in {n} entries of the vocabulary").format(
                n=max(1, logits.shape[-1] // towers.N_CELLS)
            ),
            way=record.way,
        )


def _guesses(way: Way) -> Mapping[str, Values]:
    """What would follow each layer."""
    words, shares = zip(*way.guesses, strict=True)
    axes = (Along("layer", _("layer"), [str(layer) for layer in range(len(words))]),)
    return {
        "guess": Values(_("next word after this layer"), np.array(words, object), axes),
        "guess_share": Values(_("its probability"), np.array(shares, np.float32), axes),
    }


def _wrote(record: WholeRun, stack: Stack) -> Values:
    """How much the feed-forward networks of a stack write."""
    written = record.trace.streams[stack.stream].units
    axes = (
        Along("layer", _("layer"), [str(layer) for layer in range(stack.n_layers)]),
        Along("position", _("token"), tokens.labels(written)),
    )
    label = _("how much the feed-forward network writes")
    return Values(label, towers.wrote(record.trace, stack), axes)

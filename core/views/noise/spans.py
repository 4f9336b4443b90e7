"""Spans cut out of a text, as T5 learns from it, and what it writes for them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.data.examples import FRENCH
from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Chip, Strip
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, join, percent, sentence, shortened
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _, name_of, ngettext
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.kinds.noise import Denoised, DenoiseRequest, Target
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.spelling import visible
from core.text.marks import MASK
from core.units import Token
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, model_param, param
from core.views.view import Note, View

# --- spans cut out of a text, as T5 learns from it: what the views of span corruption show


IN_SENTENCE = 60  # characters of a span that a sentence repeats


@dataclass(frozen=True, slots=True)
class Spanning(OnText):
    """Which spans of a text are cut out.

    Attributes:
        span_rate: share of the tokens that is hidden.
        span_mean: tokens of a span on average.
        span_seed: of the draws.
        span: the one that is looked at; -1 for the first.
    """

    span_rate: float = param(0.15, low=0.05, high=0.5, label=N_("Share of tokens hidden in spans"))
    span_mean: float = param(3.0, low=1.0, high=10.0, label=N_("Mean length of a span"))
    span_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    span: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Span"))


@dataclass(frozen=True)
class SentinelPiece:
    """What stands behind one sentinel of a target.

    Attributes:
        tokens: of the span, without the sentinel before it.
        prob: of all of them and of the mark that ends the span, each after those before it; NaN
            where the sentinel is missing.
    """

    tokens: tuple[Token, ...]
    prob: float

    @property
    def text(self) -> str:
        """As it reads, the spaces within it as they are."""
        return read(self.tokens)


@dataclass(frozen=True)
class FilledSpans:
    """A text with its spans, and what the model fills in.

    Attributes:
        run: the text, what was cut out, what the model says.
        params: what was asked for.
    """

    run: Denoised
    params: Spanning

    @property
    def span(self) -> int:
        """The span that is looked at."""
        return nearest("span", max(0, self.params.span), len(self.run.spans) - 1)

    @property
    def model(self) -> str:
        """The model's name, as a sentence has it."""
        return name_of(self.params.model)

    @cached_property
    def truth(self) -> Sequence[SentinelPiece]:
        """What was cut out, span by span."""
        return self._pieces(self.run.wanted)

    @cached_property
    def filled(self) -> Sequence[SentinelPiece]:
        """What the model writes behind each sentinel."""
        return self._pieces(self.run.written)

    def groups(self, target: Target) -> list[int | None]:
        """To which span each token of a target belongs; None behind the last one."""
        groups: list[int | None] = []
        now: int | None = None
        n_marks = 0
        for token in target.tokens:
            if token.id in self.run.marks:
                # One mark for all is counted; of many each has its number.
                number = self.run.marks.index(token.id) if len(self.run.marks) > 1 else n_marks
                now = number if number < len(self.run.spans) else None
                n_marks += 1
            groups.append(None if token.special and token.id not in self.run.marks else now)
        return groups

    def _pieces(self, target: Target) -> list[SentinelPiece]:
        groups = self.groups(target)
        pieces = []
        for span in range(len(self.run.spans)):
            if span not in groups:
                pieces.append(SentinelPiece((), math.nan))
                continue
            first = groups.index(span) + 1
            end = first
            while end < len(groups) and not target.tokens[end].special:
                end += 1
            prob = math.prod(map(float, target.probs[first : end + 1]))
            pieces.append(SentinelPiece(target.tokens[first:end], prob))
        return pieces

    @property
    def hidden(self) -> list[int]:
        """Places in the right target of the tokens that are hidden: neither mark nor end."""
        groups = self.groups(self.run.wanted)
        tokens_ = self.run.wanted.tokens
        return [position for position, group in enumerate(groups)
                if group is not None and tokens_[position].id not in self.run.marks]  # fmt: skip

    @property
    def n_found(self) -> int:
        """Hidden tokens than which none is likelier, told all before."""
        return int(self.run.wanted.found[self.hidden].sum())

    @property
    def n_exact(self) -> int:
        """Spans that are written as they were."""
        return sum(a.tokens == b.tokens for a, b in zip(self.truth, self.filled, strict=True))

    def _compared(self, span: int) -> list[Sentence]:
        """Why the model's own words can be less likely than those that were cut out."""
        truth, filled = self.truth[span], self.filled[span]
        if math.isnan(filled.prob) or filled.tokens == truth.tokens:
            return []
        before = zip(self.truth[:span], self.filled[:span], strict=True)
        if any(right.tokens != written.tokens for right, written in before):
            return [sentence(_("It has filled a gap before this one with other words, so the two "
                               "shares do not compare."))]  # fmt: skip
        if filled.prob >= truth.prob:
            return []
        return [sentence(_("At each step it takes the most likely token. That need not lead to "
                           "the most likely span."))]  # fmt: skip

    def sentinel(self, span: int) -> str:
        """The label of the mark that stands for a span."""
        marks = [token.label for token, origin in zip(self.run.shown, self.run.origin, strict=True)
                 if origin < 0 and token.id in self.run.marks]  # fmt: skip
        return marks[span]

    def reading(self, span: int) -> Sentence:
        """What stood behind a sentinel, what the model writes there, and how likely each is."""
        truth, filled = self.truth[span], self.filled[span]
        parts = [
            sentence(
                _("{mark} stands for “{truth}”. The model gives it {share}."),
                mark=self.sentinel(span),
                truth=Mark(shortened(truth.text, IN_SENTENCE), "strong"),
                share=Mark(percent(truth.prob), "accent"),
            )
        ]
        if math.isnan(filled.prob):
            parts.append(sentence(_("By itself it leaves this gap out.")))
        elif filled.tokens == truth.tokens:
            parts.append(sentence(_("By itself it writes the same.")))
        elif not filled.text:
            parts.append(
                sentence(_("By itself it writes nothing there, with {share}."),
                         share=percent(filled.prob))
            )  # fmt: skip
        else:
            parts.append(
                sentence(_("By itself it writes “{text}”, with {share}."),
                         text=Mark(shortened(filled.text, IN_SENTENCE), "accent"),
                         share=percent(filled.prob))
            )  # fmt: skip
        parts.extend(self._compared(span))
        parts.append(sentence(_("Each share is the probability of the words and of the mark that "
                                "follows them.")))  # fmt: skip
        return join(parts)

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"span": self.span}


def read(several: Sequence[Token]) -> str:
    """Tokens as they read, the spaces between words as they are."""
    text = b"".join(token.data for token in several).decode(errors="replace")
    return visible(text.strip()).replace("·", " ")


def span_requests(params: Spanning) -> tuple[Request, ...]:
    """The run that the views of span corruption share."""
    return (
        DenoiseRequest(
            params.model, params.text, "spans", params.span_seed, params.span_rate,
            params.span_mean,
        ),
    )  # fmt: skip


def chip(token: Token, group: int | None, marks: Sequence[int]) -> Chip:
    """A chip in the colour of its span; of a sentinel it is said what it stands for."""
    plain = tokens.chip(token, group=group)
    if token.id not in marks or group is None:
        return plain
    return replace(plain, title=_("stands for what is hidden here"))


def strip_of(record: FilledSpans, title: str, chips: Sequence[Chip], **more: Any) -> Strip:
    """Chips in the colours of the spans, of which one is selected.

    Args:
        record: of the spans.
        title: of the figure.
        chips: in order.
        more: of a strip.
    """
    return Strip(
        title=title,
        selection=record.selection(),
        tokens=chips,
        field="span",
        default=record.span,
        grouped=True,
        coloured=True,
        heading=sentence(title),
        name=title,
        **more,
    )


class SpansView(View[Spanning, FilledSpans]):
    """A view of a text with spans cut out."""

    Params, needs = Spanning, Needs("fill_spans")

    def requests(self, params: Spanning) -> tuple[Request, ...]:
        return span_requests(params)

    def compute(self, runs: Sequence[Denoised], params: Spanning) -> FilledSpans:
        return FilledSpans(runs[0], params)


# --- what the encoder reads: the text with a sentinel in place of each span -----------


class NoiseSourceView(SpansView):
    """One mark a span, however long that was."""

    name = "noise.source"

    def values(self, record: FilledSpans) -> Mapping[str, Values]:
        return shown_values(record.run)

    def describe(self, record: FilledSpans) -> Sentence:
        return sentence(
            ngettext("The encoder reads {n} tokens: {k} sentinel stands for what is hidden.",
                     "The encoder reads {n} tokens: {k} sentinels stand for what is hidden.",
                     len(record.run.spans)),
            n=Mark(str(len(record.run.shown)), "strong"),
            k=Mark(str(len(record.run.spans)), "accent"),
        )  # fmt: skip

    def draw(self, record: FilledSpans) -> Strip:
        pairs = zip(record.run.shown, _groups(record), strict=True)
        chips = [chip(token, group, record.run.marks) for token, group in pairs]
        return strip_of(record, _("What the encoder reads"), chips, compact=True)


def _groups(record: FilledSpans) -> list[int | None]:
    """The span that each mark stands for; None for tokens of the text."""
    groups: list[int | None] = []
    n = 0
    for token, origin in zip(record.run.shown, record.run.origin, strict=True):
        mark = origin < 0 and token.id in record.run.marks
        groups.append(n if mark else None)
        n += int(mark)
    return groups


def shown_values(run: Denoised) -> Mapping[str, Values]:
    """The tokens that the encoder reads, and where each stood in the text."""
    labels = tokens.labels(run.shown)
    axes = (Along("position", _("position"), [str(position) for position in range(len(labels))]),)
    stood = np.where(run.origin >= 0, run.origin.astype(np.float64), np.nan)
    return {
        "token": Values(_("token"), np.array(labels, object), axes),
        "stood": Values(_("position in the text"), stood, axes),
    }


# --- the text with the spans that are cut out, each in its colour ---------------------


class NoiseTextView(SpansView):
    """What stood there before."""

    name = "noise.text"

    def values(self, record: FilledSpans) -> Mapping[str, Values]:
        labels = tokens.labels(record.run.tokens)
        axes = (
            Along("position", _("position"), [str(position) for position in range(len(labels))]),
        )
        groups = [np.nan if group is None else group for group in _piece_groups(record)]
        return {
            "token": Values(_("token"), np.array(labels, object), axes),
            "span": Values(_("span"), np.array(groups), axes),
        }

    def describe(self, record: FilledSpans) -> Sentence:
        n, k = int(record.run.hidden.sum()), len(record.run.spans)
        return sentence(
            ngettext("{n} of {all} tokens are hidden, {share}, in {k} span.",
                     "{n} of {all} tokens are hidden, {share}, in {k} spans.", k),
            n=Mark(str(n), "accent"), all=str(len(record.run.tokens)),
            share=percent(n / len(record.run.tokens)), k=Mark(str(k), "accent"),
        )  # fmt: skip

    def draw(self, record: FilledSpans) -> Strip:
        title = _("The text, and the spans that are cut out")
        pairs = zip(record.run.tokens, _piece_groups(record), strict=True)
        chips = [chip(token, group, ()) for token, group in pairs]
        cut = tokens.cut_text(record.run.cut)
        return strip_of(record, title, chips, cut=cut, compact=True)

    def facts(self, record: FilledSpans) -> Sequence[str]:
        return record.model, _("ran in {ms} ms").format(ms=f"{record.run.seconds * 1e3:.0f}")

    def notes(self, record: FilledSpans) -> Sequence[Note]:
        return typed_marks(record.run.text)


def _piece_groups(record: FilledSpans) -> list[int | None]:
    """The span of each token of the text; None for what stays visible."""
    groups: list[int | None] = [None] * len(record.run.tokens)
    for n, (start, end) in enumerate(record.run.spans):
        groups[start:end] = [n] * (end - start)
    return groups


def typed_marks(text: str) -> Sequence[Note]:
    """That a mark which was typed hides nothing here."""
    if MASK not in text:
        return ()
    template = _(
        "{mask} in your text is read letter by letter here. This page hides words by itself: "
        "type the whole text."
    )
    return (Note("info", sentence(template, mask=MASK)),)


# --- a target of span corruption as chips in the colours of its spans -----------------


LONG = 60  # tokens that were written from which a strip is folded


def target_values(target: Target) -> Mapping[str, Values]:
    """The tokens with their probabilities, and what is likeliest at each place."""
    n = len(target.tokens)
    axes = (Along("token", _("token"), [str(position) for position in range(n)]),)
    return {
        "token": Values(_("token"), np.array(tokens.labels(target.tokens), object), axes),
        "probability": Values(_("probability"), target.probs, axes),
        "best": Values(
            _("most likely there"), np.array(tokens.labels(target.best), object), axes
        ),
        "best_probability": Values(_("its probability"), target.best_probs, axes),
    }  # fmt: skip


def written_strip(
    record: FilledSpans,
    target: Target,
    title: str,
    readings: Sequence[Sentence] | None = None,
) -> Strip:
    """The chips.

    Args:
        record: whose spans give them their colours.
        target: what is written.
        title: of the figure.
        readings: below, one for each span.
    """
    pairs = zip(target.tokens, record.groups(target), strict=True)
    chips = [chip(token, group, record.run.marks) for token, group in pairs]
    notes = [percent(float(prob)) for prob in target.probs]
    more: dict[str, Any] = {} if readings is None else {"readings": readings}
    return strip_of(record, title, chips, notes=notes, long=LONG, **more)


# --- what the decoder has to write: each sentinel, and behind it what it stands for ---


class NoiseTargetView(SpansView):
    """Every token with the probability that the model gives it after the right ones before it."""

    name = "noise.target"

    def values(self, record: FilledSpans) -> Mapping[str, Values]:
        return target_values(record.run.wanted)

    def describe(self, record: FilledSpans) -> Sentence:
        n = len(record.hidden)
        return sentence(
            ngettext("Given the right tokens before it, {k} of {n} hidden token is the model's "
                     "first choice.",
                     "Given the right tokens before each, {k} of {n} hidden tokens are the model's "
                     "first choice.", n),
            k=Mark(str(record.n_found), "accent"), n=str(n),
        )  # fmt: skip

    def draw(self, record: FilledSpans) -> Strip:
        title = _("What the decoder must write, each token with its probability")
        return written_strip(
            record, record.run.wanted, title,
            [record.reading(span) for span in range(len(record.run.spans))],
        )  # fmt: skip


# --- what the model writes by itself, token after token -------------------------------


class NoiseFilledView(SpansView):
    """Greedily, until it ends the text or its room does."""

    name = "noise.filled"

    def values(self, record: FilledSpans) -> Mapping[str, Values]:
        return target_values(record.run.written)

    def describe(self, record: FilledSpans) -> Sentence:
        n = len(record.run.spans)
        return sentence(
            ngettext("By itself the model writes {k} of {n} span as it was.",
                     "By itself the model writes {k} of {n} spans as they were.", n),
            k=Mark(str(record.n_exact), "accent"), n=str(n),
        )  # fmt: skip

    def site(self, record: FilledSpans) -> str:
        return record.run.site

    def draw(self, record: FilledSpans) -> Strip:
        title = _("What the model writes by itself, each token with its probability")
        return written_strip(record, record.run.written, title)


# --- span by span: how likely is what stood there, and how likely what the model writes there


IN_LABEL = 28  # characters of a span that its label has


class NoiseFillingsView(SpansView):
    """The products of the probabilities of their tokens."""

    name = "noise.fillings"

    def values(self, record: FilledSpans) -> Mapping[str, Values]:
        marks = [record.sentinel(span) for span in range(len(record.run.spans))]
        axes = (Along("span", _("span"), marks),)

        def texts(pieces: list[SentinelPiece]) -> np.ndarray:
            return np.array([piece.text for piece in pieces], object)

        truth, filled = list(record.truth), list(record.filled)
        return {
            "hidden": Values(_("what stood there"), texts(truth), axes),
            "hidden_probability": Values(
                _("its probability"), np.array([piece.prob for piece in truth]), axes,
                selected=(record.span,),
            ),
            "filled": Values(_("what the model writes"), texts(filled), axes),
            "filled_probability": Values(
                _("its probability"), np.array([piece.prob for piece in filled]), axes
            ),
        }  # fmt: skip

    def describe(self, record: FilledSpans) -> Sentence:
        return record.reading(record.span)

    def draw(self, record: FilledSpans) -> Bars:
        rows = [
            BarRow(
                str(span),
                f"{_short(truth)} → {_short(filled)}",
                titles=[_("what stood there: {text}").format(text=truth.text),
                        _("what the model writes: {text}").format(text=filled.text)],
            )
            for span, (truth, filled) in enumerate(
                zip(record.truth, record.filled, strict=True)
            )
        ]  # fmt: skip
        probs = [[piece.prob for piece in pieces] for pieces in (record.truth, record.filled)]
        return Bars(
            title=_("What stood behind each sentinel → what the model writes"),
            frames=[BarFrame(rows)],
            values=np.array([probs]),
            series=[Series(_("what stood there"), "residual"),
                    Series(_("what the model writes"), "accent")],
            stacked=True,
        )  # fmt: skip


def _short(piece: SentinelPiece) -> str:
    return shortened(piece.text, IN_LABEL) or _("nothing")


# --- what a model of text to text answers, when the beginning of its text names the task


PREFIX_SHOWN, ANSWER_SHOWN = (
    40,
    80,
)  # characters of a prefix, and of an answer, that a sentence repeats


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A sentence, and what stands before it.

    Attributes:
        model: id on the shelf.
        task_text: the sentence.
        prefix: names the task; empty for none.
    """

    model: str = model_param(OnText().model)
    task_text: str = param(FRENCH, label=N_("Sentence for all tasks"))
    prefix: str = param("", high=200, label=N_("Your own prefix"))


@dataclass(frozen=True)
class ModelAnswer:
    """What the model writes.

    Attributes:
        run: of the model.
        params: what was asked for.
        tokens: that it writes; the mark before them is none of them.
        probs: ``(n,)``, the probability of each.
    """

    run: Run
    params: Prefixed
    tokens: Sequence[Token]
    probs: NDArray[np.float64]

    @property
    def text(self) -> str:
        """The target as it reads, without its marks."""
        return read([token for token in self.tokens if not token.special])


class NoiseAnswerView(View[Prefixed, ModelAnswer]):
    """The likeliest token, one after the other."""

    name, Params, needs = "noise.answer", Prefixed, Needs("fill_spans")

    def requests(self, params: Prefixed) -> tuple[Request, ...]:
        prompt = Text(params.prefix + params.task_text)
        return (TraceRequest(params.model, prompt, sites=("@logits",)),)

    def compute(self, runs: Sequence[Run], params: Prefixed) -> ModelAnswer:
        trace = runs[0].trace
        require(trace.model, [head.ability for head in trace.blueprint.heads], "fill_spans")
        written = trace.main.tokens[1:]
        probs = softmax(trace[trace.blueprint.head.site])[: len(written)]
        ids = [token.id for token in written]
        return ModelAnswer(runs[0], params, written, probs[np.arange(len(ids)), ids])

    def values(self, record: ModelAnswer) -> Mapping[str, Values]:
        n = len(record.tokens)
        axes = (Along("token", _("token"), [str(position) for position in range(n)]),)
        return {
            "answer": Values(_("answer"), np.array(record.text, object)),
            "token": Values(_("token"), np.array(tokens.labels(record.tokens), object), axes),
            "probability": Values(_("probability"), record.probs, axes),
        }

    def describe(self, record: ModelAnswer) -> Sentence:
        prefix = visible(record.params.prefix.strip()).replace("·", " ")
        values: dict[str, Mark | Sentence | str] = {
            "text": Mark(shortened(record.text, ANSWER_SHOWN), "accent"),
            "share": percent(float(np.prod(record.probs))),
            "prefix": Mark(shortened(prefix, PREFIX_SHOWN), "strong"),
        }
        if not record.text:
            return sentence(_("The model writes nothing that can be read as a word."))
        if not record.params.prefix.strip():
            return sentence(
                _("Without a prefix the model writes “{text}”, with {share}."), **values
            )
        return sentence(_("Behind “{prefix}” the model writes “{text}”, with {share}."), **values)

    def draw(self, record: ModelAnswer) -> Strip:
        title = _("What the model writes")
        return Strip(
            title=title,
            tokens=[tokens.chip(token, born=not token.special) for token in record.tokens],
            cut=tokens.cut_text(record.run.cut),
            still=True,
            long=LONG,
            heat=record.probs,
            heat_role="accent",
            heat_limit=1.0,
            heat_unit="share",
            name=title,
            given=[],
        )


class NoiseOwnView(NoiseAnswerView):
    """Behind a prefix of the learner's own, if there is one."""

    name = "noise.own"

    def absent(self, record: ModelAnswer) -> bool:
        return not record.params.prefix.strip()

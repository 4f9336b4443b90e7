"""A translation as far as it is written: its source, target and next word, and a second target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest, softmax
from core.data.examples import TRANSLATED
from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, By, Follow, Series, Stepper, Strip
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, decimal, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.locale import grouped
from core.models.abilities import require
from core.models.blueprint import ENCODER, Blueprint
from core.models.needs import Needs
from core.runs.kinds.trace import Run
from core.runs.kinds.translation import ComputedPart, SecondTarget, SecondTargetRequest
from core.runs.request import Request
from core.tracing.trace import Stream, Trace
from core.units import Token
from core.views.attention.head import (
    AtHead,
    AttentionWeightsView,
    HeadRun,
    head_requests,
    head_run,
    reading,
    weight_values,
)
from core.views.attention.heads import AttentionHeadsView, HeadsGrid, OfAllHeads
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.parts import names, stream_called, tower_called
from core.views.view import Note, View

# --- a translation as far as it is written: what the views of the page are computed from


N_WORDS = 8


@dataclass(frozen=True)
class TranslationRecord:
    """Source and target, and after each target token what the model expects next.

    Attributes:
        run: of the model.
        params: what was asked for.
        head: the head from the target to the source that is selected; None in a machine whose
            target attends to nothing.
        words: ``(T, 8)``, the likeliest next tokens at each position of the target.
        probs: their probabilities, ``(T, 8)``.
        target_probs: ``(T,)``, the probability of the token that stands there; NaN for the start
            mark.
        ranks: ``(T,)``, how many tokens the model found likelier; -1 for the start mark.
        ends: ``(T,)``, the probability that the target ends after each token.
    """

    run: Run
    params: AtHead
    head: HeadRun | None
    words: Sequence[Sequence[Token]]
    probs: NDArray[np.float32]
    target_probs: NDArray[np.float32]
    ranks: NDArray[np.int64]
    ends: NDArray[np.float32]

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def blueprint(self) -> Blueprint:
        return self.trace.blueprint

    @property
    def source(self) -> Stream:
        """The stream of the source."""
        return self.trace.streams[self.blueprint.streams[0]]

    @property
    def target(self) -> Stream:
        """What the answer is read from."""
        return self.trace.main

    @property
    def position(self) -> int:
        """The position of the target that is selected."""
        last = len(self.target.units) - 1
        if self.params.token >= 0:
            return nearest("token", self.params.token, last)
        return tokens.last_word(self.target.units)

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters."""
        return {"token": self.position} if self.head is None else self.head.selection()

    def reading(self, position: int) -> Sentence:
        """What the model expects after a position, and what stands there."""
        expected = sentence(
            _("After “{token}” {model} gives {share} to “{best}” and {second} to “{other}”."),
            token=Mark(self.target.tokens[position].spoken, "query"),
            model=name_of(self.trace.model),
            share=Mark(percent(float(self.probs[position, 0])), "accent"),
            best=Mark(self.words[position][0].spoken, "accent"),
            second=percent(float(self.probs[position, 1])),
            other=self.words[position][1].spoken,
        )
        if position + 1 == len(self.target.tokens):
            came = sentence(_("The target text stops here."))
        elif self.ranks[position + 1]:
            came = sentence(
                _("The target continues with “{next}”, which gets {share}."),
                next=self.target.tokens[position + 1].spoken,
                share=percent(float(self.target_probs[position + 1])),
            )
        else:
            came = sentence(_("The target continues with the first of them."))
        return join([expected, came])


def translation(runs: Sequence[Run], params: AtHead) -> TranslationRecord:
    """The record of the views.

    Raises:
        AbilityError: the model does not translate.
    """
    trace, blueprint = runs[0].trace, runs[0].trace.blueprint
    require(trace.model, [head.ability for head in blueprint.heads], "translate")
    across = blueprint.across()
    head = None
    if across is not None:
        head = head_run(runs, replace(params, attention=across.name))
    probs = softmax(trace[blueprint.head.site])
    best = largest(probs, N_WORDS)
    ids = np.array(trace.streams[blueprint.head.stream].ids[1:], np.int64)
    before = np.arange(len(ids))
    of_given = probs[before, ids]
    return TranslationRecord(
        run=runs[0],
        params=params,
        head=head,
        words=[[runs[0].words(int(i)) for i in row] for row in best],
        probs=as_shares(np.take_along_axis(probs, best, axis=1)),
        target_probs=as_shares(np.concatenate([[np.nan], of_given])),
        ranks=np.concatenate([[-1], (probs[before] > of_given[:, None]).sum(axis=1)]),
        ends=as_shares(probs[:, trace.config.end_id]),
    )


def no_alignment(blueprint: Blueprint) -> Sentence:
    """Why there is nothing that says which word of the source a word of the target comes from."""
    stream = stream_called(blueprint, blueprint.streams[0])
    for recurrence in blueprint.recurrences:
        if recurrence.stream == blueprint.stream and recurrence.told is not None:
            n = sum(len(other.directions) * other.d_state for other in blueprint.recurrences
                    if other.stream == recurrence.told)  # fmt: skip
            text = _("There is no alignment to draw: nothing in this model attends to the "
                     "{stream}. The {part} gets one summary of it, the {n} numbers of the last "
                     "states, and every word of the {stream} has to fit into them.")  # fmt: skip
            return sentence(
                text, stream=stream, part=tower_called(recurrence), n=Mark(str(n), "strong")
            )
    text = _("There is no alignment to draw: nothing in this model attends to the {stream}.")
    return sentence(text, stream=stream)


class TranslationView(View[AtHead, TranslationRecord]):
    """A view of a translation, and of the head from its target to its source, if it has one."""

    Params, needs = AtHead, Needs("translate")

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> TranslationRecord:
        return translation(runs, params)

    def describe(self, record: TranslationRecord) -> Sentence:
        return record.reading(record.position)


# --- the source, coloured by how much the selected word of the target attends to each token of it


class TranslateSourceView(TranslationView):
    """What the encoder reads."""

    name = "translate.source"

    def values(self, record: TranslationRecord) -> Mapping[str, Values]:
        if record.head is not None:
            return weight_values(record.head)
        labels = tokens.labels(record.source.units)
        places = Along("position", _("position"), [str(i) for i in range(len(labels))])
        return {"token": Values(_("token"), np.array(labels, object), (places,))}

    def describe(self, record: TranslationRecord) -> Sentence:
        return (
            no_alignment(record.blueprint)
            if record.head is None
            else reading(record.head, record.position)
        )

    def draw(self, record: TranslationRecord) -> Strip:
        return Strip(
            title=_("The source"),
            selection=record.selection(),
            name=_("Source"),
            tokens=[tokens.chip(unit) for unit in record.source.units],
            cut=tokens.cut_text(record.run.cut),
            field="key",
            **_attention_colours(record),
        )  # fmt: skip


def _attention_colours(record: TranslationRecord) -> dict[str, Any]:
    """Its tokens by how much the selected token of the target attends to each, if it does.

    The names of the model and of the token tell two strips beside each other apart.
    """
    head, model = record.head, name_of(record.params.model)
    if head is None:
        about = _("{model}: source, as the encoder reads it")
        return {"heading": sentence(about, model=model)}
    about = _("{model}: source, coloured by the attention of the step after “{token}”")
    named = [
        sentence(about, model=model, token=Mark(unit.spoken, "query"))
        for unit in record.target.units
    ]
    return {
        "default": head.key,
        "heading": named[record.position],
        "headings": named,
        "heat": head("weights"),
        "heat_role": "weight",
        "heat_limit": 1.0,
        "heat_unit": "share",
        "heat_field": "token",
    }


# --- p(next | source, so far), step by step: the tokens so far, and the sum of their logarithms


TINY = float(np.finfo(np.float32).tiny)  # the smallest share whose logarithm is taken


class TranslateChainView(TranslationView):
    """The target as far as it is written, each token with its log-probability."""

    name = "translate.chain"

    def values(self, record: TranslationRecord) -> Mapping[str, Values]:
        along = (Along("token", _("token"), tokens.labels(record.target.units)),)
        logs = log_probs(record)
        place = (record.position,)
        return {
            "log_prob": Values(_("log-probability"), logs, along, _("nats"), selected=place),
            "sum": Values(_("sum so far"), _sums(logs), along, _("nats"), selected=place),
            "ends": Values(_("log-probability of the end mark"), np.log(_floor(record.ends)),
                           along, _("nats")),
        }  # fmt: skip

    def describe(self, record: TranslationRecord) -> Sentence:
        return _step(record, record.position)

    def draw(self, record: TranslationRecord) -> Strip:
        n = len(record.target.tokens)
        logs = log_probs(record)
        return Strip(
            title=_("The target so far, loss −log p in nats"),
            selection={"token": record.position},
            name=_("Target so far"),
            tokens=[
                tokens.chip(token, born=record.target.written and not token.special)
                for token in record.target.tokens
            ],
            default=record.position,
            heading=sentence(_("The target so far, under each token its loss −log p (nats)")),
            heat=-logs,
            heat_role="accent",
            heat_limit=max(1.0, float(np.nan_to_num(-logs).max())),
            life=np.stack([np.arange(n), np.full(n, n + 1)], axis=1),
            follow=Follow("token", first=record.position),
            readings=[_step(record, position) for position in range(n)],
        )

    def steps(self, record: TranslationRecord) -> Stepper | None:
        n = len(record.target.tokens)
        if n < 2:
            return None
        titles = [
            _("p(next | source, “{so_far}”)").format(so_far=so_far(record, position))
            for position in range(n)
        ]
        return Stepper(
            title=_("Step by step"),
            selection={"token": record.position},
            first=record.position,
            field="token",
            titles=titles,
        )


def log_probs(record: TranslationRecord) -> NDArray[np.float64]:
    """Of each token of the target, ``(T,)``; NaN for the start mark."""
    return np.log(_floor(record.target_probs))


def _floor(shares: NDArray[np.float32]) -> NDArray[np.float64]:
    """Shares that have a logarithm: a float32 may be too small for one."""
    return np.maximum(shares.astype(np.float64), TINY)


def _sums(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Up to each token; 0 at the start mark, which is given."""
    return np.nan_to_num(logs).cumsum()


def so_far(record: TranslationRecord, position: int) -> str:
    """The target up to a position, as it reads."""
    return text_of(record.target.tokens[: position + 1])


def text_of(written: Iterable[Token]) -> str:
    """Tokens as they read, without the model's marks."""
    words = [token.data for token in written if not token.special]
    return b"".join(words).decode(errors="replace").strip()


def _step(record: TranslationRecord, position: int) -> Sentence:
    """What a step reads, what it gives the next token, and the sum with it."""
    logs, following = log_probs(record), position + 1
    reads = sentence(
        _("Step {n} reads the whole source and {k} tokens of the target."),
        n=str(position), k=str(position + 1),
    )  # fmt: skip
    if following == len(record.target.tokens):
        share, name = float(record.ends[position]), sentence(_("the end mark"))
    else:
        share = float(record.target_probs[following])
        name = sentence("“{token}”", token=Mark(record.target.tokens[following].spoken, "accent"))
    before = float(_sums(logs)[position])
    # What is written adds up to the last digit: a logarithm is the difference of two sums.
    before, total = (round(1000 * value) for value in (before, before + math.log(max(share, TINY))))
    adds = sentence(
        _("It gives {share} to {token}, a log-probability of {log}. With the {before} so far the "
          "sum is {sum}."),
        share=Mark(percent(share), "accent"), token=name, log=decimal((total - before) / 1000, 3),
        before=decimal(before / 1000, 3), sum=Mark(decimal(total / 1000, 3), "strong"),
    )  # fmt: skip
    return join([reads, adds])


# --- the target as the decoder reads it, each token with the probability the model gave it


class TranslateTargetView(TranslationView):
    """What the decoder reads, or has written."""

    name = "translate.target"

    def values(self, record: TranslationRecord) -> Mapping[str, Values]:
        along = (Along("token", _("token"), tokens.labels(record.target.units)),)
        ranks = np.array([None if rank < 0 else int(rank) for rank in record.ranks], object)
        return {
            "probability": Values(
                _("probability"), record.target_probs, along, selected=(record.position,)
            ),
            "rank": Values(_("tokens more likely"), ranks, along),
            "ends": Values(_("probability that it ends here"), record.ends, along),
        }

    def draw(self, record: TranslationRecord) -> Strip:
        about = _("Target, as the decoder of {model} reads it, each token with its probability")
        if record.target.written:
            about = _("Target, written by {model}, each token with its probability")
        return Strip(
            title=_("The target"),
            selection=record.selection(),
            name=_("Target"),
            tokens=[
                tokens.chip(token, born=record.target.written and not token.special)
                for token in record.target.tokens
            ],
            default=record.position,
            heading=sentence(about, model=name_of(record.trace.model)),
            heat=record.target_probs,
            heat_role="accent",
            heat_limit=1.0,
            heat_unit="share",
            clears=("key",),  # the source token that one looks at is no other one's
            readings=[record.reading(position) for position in range(len(record.target.tokens))],
        )

    def notes(self, record: TranslationRecord) -> Sequence[Note]:
        """The two sentences in a line, and into how many tokens both sides are cut."""
        n, written = (
            sum(not unit.special for unit in side.units) for side in (record.source, record.target)
        )
        template = ngettext(
            "This source was cut into {n} token, and the target has {written}.",
            "This source was cut into {n} tokens, and the target has {written}.",
            n,
        )
        cut = Note("question", sentence(template, n=str(n), written=str(written)))
        return (Note("more", _both(record)), cut)


def _both(record: TranslationRecord) -> Sentence:
    """What a model makes of a sentence; of a target that was given, that it reads it."""
    template = _("{model} reads “{source}” and, so far, “{target}”")
    if record.target.written:
        template = _("{model} translates “{source}” as “{target}”")
    target = Mark(text_of(record.target.tokens), "strong")
    return sentence(
        template, model=name_of(record.trace.model), source=record.run.text, target=target
    )


# --- after each token of the target: which word the model expects next ----------------


class TranslateNextView(TranslationView):
    """The likeliest next tokens."""

    name = "translate.next"

    def values(self, record: TranslationRecord) -> Mapping[str, Values]:
        after = Along("token", _("token"), tokens.labels(record.target.units))
        axes = (after, Along("rank", _("rank"), [str(i) for i in range(N_WORDS)]))
        words = [[token.label for token in row] for row in record.words]
        best = (record.position, 0)
        return {
            "word": Values(_("next token"), np.array(words, object), axes, selected=best),
            "probability": Values(_("probability"), record.probs, axes, selected=best),
        }

    def site(self, record: TranslationRecord) -> str:
        return record.blueprint.head.site

    def facts(self, record: TranslationRecord) -> Sequence[str]:
        sides = (
            ngettext("{n} token", "{n} tokens", n).format(n=n)
            for n in (len(record.source.units), len(record.target.units))
        )
        ms = f"{record.trace.seconds * 1e3:.0f}"
        return " → ".join(sides), _("ran in {ms} ms").format(ms=ms)

    def draw(self, record: TranslationRecord) -> Bars:
        ids = record.target.ids
        frames = [
            BarFrame(
                [
                    BarRow(str(word.id), word.label, role="accent",
                           chosen=word.id == following or None)
                    for word in words
                ],
                title=sentence(_("After “{token}”"), token=Mark(token.spoken, "query")),
            )
            for token, words, following in zip(
                record.target.tokens, record.words, [*ids[1:], None], strict=True
            )
        ]  # fmt: skip
        return Bars(
            title=_("The next word of the target"),
            selection=record.selection(),
            frames=frames,
            values=record.probs[:, None, :],
            follow=Follow("token", first=record.position),
        )


# --- a second target of the same source: the encoder ran once, and nothing of it runs again


KNOWN = {
    "encoder.embed": N_("encoder: embedding"),
    "decoder.embed": N_("decoder: embedding"),
    "decoder.memory": N_("decoder: made of the source"),
    "decoder.attn": N_("decoder: attention"),
    "decoder.readout": N_("decoder: readout"),
    "logits": N_("logits"),
}


@dataclass(frozen=True, slots=True)
class TwoTargets(OnText):
    """A source and two targets.

    Attributes:
        again: the second target; when empty, that of an example, or what the model writes.
    """

    again: str = param("", label=N_("Second target"))

    @property
    def second(self) -> str:
        """The second target; empty for what the model writes."""
        return self.again or TRANSLATED.get(self.text, "")


@dataclass(frozen=True)
class Reused:
    """What each part computes for the first target and for the second.

    Attributes:
        run: both targets.
        params: what was asked for.
    """

    run: SecondTarget
    params: TwoTargets

    @property
    def saved(self) -> int:
        """Numbers that were computed for the first target and are not for the second."""
        return sum(part.first for part in self.run.parts if not part.second)


class TranslateSecondView(View[TwoTargets, Reused]):
    """A bar for each part and target."""

    name, Params, needs = "translate.second", TwoTargets, Needs("translate")

    def requests(self, params: TwoTargets) -> tuple[Request, ...]:
        return (SecondTargetRequest(params.model, params.text, params.target, params.second),)

    def compute(self, runs: Sequence[SecondTarget], params: TwoTargets) -> Reused:
        return Reused(runs[0], params)

    def values(self, record: Reused) -> Mapping[str, Values]:
        parts, run = record.run.parts, record.run
        along = (Along("part", _("part"), [called(part) for part in parts]),)
        runs = (Along("run", _("run"), [_("first target"), _("second target"),
                                        _("second, source read again")]),)  # fmt: skip
        first, second = (sum(getattr(part, name) for part in parts) for name in ("first", "second"))
        return {
            "sites": Values(_("sites"), np.array([part.sites for part in parts]), along),
            "first": Values(_("numbers computed for the first target"),
                            np.array([part.first for part in parts]), along),
            "second": Values(_("numbers computed for the second target"),
                             np.array([part.second for part in parts]), along),
            "milliseconds": Values(_("time"), 1000 * np.array(run.seconds), runs, _("ms")),
            "all_first": Values(_("all numbers of the first target"), np.array(first)),
            "all_second": Values(_("all numbers of the second target"), np.array(second)),
            "difference": Values(_("largest difference of a logit"), np.array(run.difference)),
        }  # fmt: skip

    def describe(self, record: Reused) -> Sentence:
        run = record.run
        sites = sum(part.sites for part in run.parts)
        n_kept = sum(part.sites for part in run.parts if not part.second)
        whole = sum(part.first for part in run.parts)
        counted = sentence(
            _("For the first target ({n} tokens) the model computes {sites} sites. For the second "
              "({m} tokens) {kept} of them are not computed again: the encoder's, and what the "
              "decoder made of the source. That is {numbers} numbers, {share} of the first run."),
            n=str(run.n_first), m=str(run.n_second), sites=str(sites),
            kept=Mark(str(n_kept), "accent"), numbers=grouped(record.saved),
            share=Mark(percent(record.saved / whole), "accent"),
        )  # fmt: skip
        same = sentence(
            _("A run that reads the source again gives the same logits: the largest difference is "
              "{difference}."),
            difference=number(run.difference),
        )  # fmt: skip
        return join([counted, same])

    def draw(self, record: Reused) -> Bars:
        parts = record.run.parts
        title = _("Numbers that each part computes, for two targets of one source")
        rows = [
            BarRow(part.name, called(part), titles=[_("first target"), _("second target")])
            for part in parts
        ]
        values = np.array([[part.first for part in parts], [part.second for part in parts]], float)
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence(title))],
            values=values[None],
            series=[Series(_("first target"), "residual"), Series(_("second target"), "accent")],
            unit="count",
            wide=True,
        )

    def controls(self, record: Reused) -> Sequence[Control]:
        params = record.params
        return (Control("again", params.again, "line", placeholder=params.second),)

    def notes(self, record: Reused) -> Sequence[Note]:
        first, second, again = (1000 * seconds for seconds in record.run.seconds)
        text = sentence(
            _("Measured here, the shortest of several runs: {first} ms for the first target, "
              "{second} ms for the second, {again} ms for the second with the source read again."),
            first=number(first), second=number(second), again=number(again),
        )  # fmt: skip
        return (Note("more", text),)


def called(part: ComputedPart) -> str:
    """A part in words."""
    if part.name in KNOWN:
        return _(KNOWN[part.name])
    tower, _dot, rest = part.name.partition(".")
    layer = rest.rpartition(".")[2]
    if layer.isdecimal():
        template = _("encoder: layer {n}") if tower == ENCODER else _("decoder: layer {n}")
        return template.format(n=layer)
    return part.name


# --- the attention of a machine that translates: from target to source, unless another is chosen


ATTENDS = Needs("translate", ("attention",))


def _kind(runs: Sequence[Run], chosen: str) -> str:
    """The name of the kind of attention that is shown.

    Raises:
        AbilityError: the model does not translate.
    """
    trace = runs[0].trace
    require(trace.model, [head.ability for head in trace.blueprint.heads], "translate")
    across = trace.blueprint.across()
    return chosen if chosen or across is None else across.name


class TranslateWeightsView(AttentionWeightsView):
    """The weights of one head."""

    name, needs = "translate.weights", ATTENDS

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        return super().compute(runs, replace(params, attention=_kind(runs, params.attention)))

    def controls(self, record: HeadRun) -> Sequence[Control]:
        kinds = names(record.params, record.trace.blueprint, "attention")
        kind = Control("attention", record.attention.name, options=[*kinds.items()])
        return (kind, *super().controls(record))


class TranslateHeadsView(AttentionHeadsView):
    """All heads at a glance."""

    name, needs = "translate.heads", ATTENDS

    def compute(self, runs: Sequence[Run], params: OfAllHeads) -> HeadsGrid:
        return super().compute(runs, replace(params, attention=_kind(runs, params.attention)))

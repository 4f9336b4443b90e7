"""A text that goes on: the likeliest tokens behind it, and the run of both in one trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.analysis.aligned import standing
from core.decoding.decoder import Decoder
from core.errors import EditError
from core.inputs import Ids, Input, Text
from core.models import what_if
from core.models.abilities import Ability
from core.runs.kinds.trace import Run, TraceRequest, traced
from core.runs.request import Context, OfModel, answer
from core.tracing.edits import Edit
from core.tracing.trace import Trace
from core.tracing.writing import is_to_write
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class ContinuedRunRequest(OfModel):
    """A traced run of a text with the likeliest tokens behind it, as the model itself goes on.

    What continues no text (it writes a target, fills in, judges) is run on its input alone.

    Attributes:
        given: what to run it on; cut to the model's context.
        n: how many tokens it puts behind the text; fewer where it ends the text, or has no room.
        off: what is changed in it (``core.models.what_if``): places whose output is set to zero,
            sums, weights, scores; those that the model does not have are left out. A target is
            that of the run in which nothing is off.
        first: what was given before words of it were swapped: positions in ``off`` are counted
            there (``core.analysis.aligned.standing``), and a target is that of its run. None where
            none were.
    """

    given: Input
    n: int = 1
    off: tuple[str, ...] = ()
    first: Input | None = None


@dataclass(frozen=True, eq=False)
class ContinuedRun:
    """A traced run of a text and of what the model has put behind it.

    Attributes:
        run: of both.
        continues: the model says what comes next.
        n_written: tokens at its end that the model wrote.
    """

    run: Run
    continues: bool
    n_written: int = 0

    @property
    def trace(self) -> Trace:
        """Of both."""
        return self.run.trace

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of each stream, of both."""
        return self.run.lengths


@answer.register
def onward(request: ContinuedRunRequest, context: Context) -> ContinuedRun:
    """The run, and how many of its last tokens the model wrote."""
    model = context.model(request.model)
    changes = changes_of(request, model, context)
    try:
        return _onward(request, what_if.edits(changes, model.blueprint), model, context)
    except EditError:  # a position that this text does not have
        labels = _labels(request, request.given, context)
        there = [
            change for change in changes
            if what_if.is_there(change, model.blueprint, lambda stream: len(labels[stream]))
        ]  # fmt: skip
        return _onward(request, what_if.edits(there, model.blueprint), model, context)


def _counts(change: what_if.Change, model: LoadedModel) -> bool:
    """Whether it names a position."""
    edit = change.edit(model.blueprint)
    return change.kind in ("weight", "score") or (edit is not None and None in edit.index)


def _onward(
    request: ContinuedRunRequest, edits: tuple[Edit, ...], model: LoadedModel, context: Context
) -> ContinuedRun:
    fitted = model.fitted(request.given)
    head = model.blueprint.head if model.blueprint.predicts_words else None
    continues = head is not None and head.ability == "next_token"
    if not continues or not isinstance(fitted.given, Text):
        return ContinuedRun(_alone(request, edits, model, context), continues=False)
    tokens = model.tokens(fitted.given.text)
    ids = [token.id for token in tokens]
    n_behind = behind(model, ids, request.n)
    # Asked of nobody, who would keep it too.
    run = traced(TraceRequest(request.model, Ids((*ids, *n_behind)), edits=edits), context)
    assert isinstance(run, Run)
    (row,) = fitted.rows
    stream = run.trace.main  # whose ids do not know where in the text they stood
    stream_so_far = replace(stream, units=(*tokens, *stream.units[len(tokens) :]))
    trace = replace(run.trace, streams={run.trace.blueprint.stream: stream_so_far})
    own = Run(trace, row.texts, row.cut, run.encoders)
    return ContinuedRun(own, continues=True, n_written=len(n_behind))


def changes_of(
    request: ContinuedRunRequest, model: LoadedModel, context: Context
) -> list[what_if.Change]:
    """What is changed; after a swap, at the positions where the tokens stand now."""
    switches = what_if.read_each(request.off)
    if request.first is None or not any(_counts(switch, model) for switch in switches):
        return switches
    first, now = (_labels(request, given, context) for given in (request.first, request.given))
    places = {stream: standing(labels, now[stream]) for stream, labels in first.items()}

    def where(stream: str, position: int) -> Sequence[int]:
        there = places[stream]
        return there[position] if position < len(there) else (position,)

    return [
        moved_switch
        for switch in switches
        for moved_switch in what_if.moved(switch, model.blueprint, where)
    ]


def _labels(request: ContinuedRunRequest, given: Input, context: Context) -> dict[str, list[str]]:
    """The tokens of each stream of a plain run."""
    run: Run = context.ask(TraceRequest(request.model, given))
    return {name: [unit.label for unit in of.units] for name, of in run.trace.streams.items()}


def _alone(
    request: ContinuedRunRequest, edits: tuple[Edit, ...], model: LoadedModel, context: Context
) -> Run:
    """The run of the input, which pages ask for too."""
    whole = TraceRequest(request.model, request.given)
    first = whole if request.first is None else TraceRequest(request.model, request.first)
    changed = bool(edits) or request.first is not None
    of = first if changed and is_to_write(model, request.given) else None
    run: Run = context.ask(TraceRequest(request.model, request.given, edits=edits, target_of=of))
    return run


Written = tuple[str, ...]


def written(model: LoadedModel, text: str, n: int) -> Written:
    """The tokens that it puts behind a text, each as it reads.

    Args:
        model: with one of the abilities of ``WRITES``.
        text: to be continued.
        n: how many tokens at most; fewer where the machine ends the text, or has no room.
    """
    way = next(ability for ability in WRITES if ability in model.abilities)
    with torch.inference_mode():
        return WRITES[way](model, text, n)


def _labels_of(model: LoadedModel, ids: list[int]) -> Written:
    return tuple(model.tokenizer.token(token_id).label for token_id in ids)


def _next(model: LoadedModel, text: str, n: int) -> Written:
    """One token after the other, as it learned to."""
    tokens = model.tokens(text)[: model.config.n_ctx - 1]
    return _labels_of(model, behind(model, [token.id for token in tokens], n))


def behind(model: LoadedModel, ids: list[int], n: int) -> list[int]:
    """The tokens that a model which says what comes next puts behind others, by their ids.

    Args:
        model: that continues a text.
        ids: what stands there.
        n: how many at most; fewer where it ends the text, or has no room.
    """
    n = min(n, model.config.n_ctx - len(ids))
    if n <= 0:
        return []
    with torch.inference_mode():
        decoder = model.as_writer().begin(len(ids) + n)
        logits = decoder.push(torch.tensor([ids], device=model.device))[0, -1]
        return _pushed(decoder, logits, n, {model.tokenizer.end_of_text_id}, model)


def _pushed(
    decoder: Decoder, logits: Tensor, n: int, ends: set[int | None], model: LoadedModel
) -> list[int]:
    """The likeliest tokens, until one of the ends."""
    pushed_ids: list[int] = []
    while len(pushed_ids) < n:
        best = int(logits[: model.tokenizer.vocab_size].argmax())
        if best in ends:
            break
        pushed_ids.append(best)
        if len(pushed_ids) < n:
            logits = decoder.push(torch.tensor([[best]], device=model.device))[0, -1]
    return pushed_ids


def _masked(model: LoadedModel, text: str, n: int) -> Written:
    """A [MASK] behind the text, filled, and the next one behind that."""
    tokens = model.tokens(text)
    ends = [token.id for token in tokens[-1:] if token.special]
    ids = [token.id for token in tokens][: len(tokens) - len(ends)]
    mark, score = model.tokenizer.hiding[0], model.as_scorer("masked_words")
    written_ids: list[int] = []
    for _step in range(min(n, model.config.n_ctx - len(ids) - 1 - len(ends))):
        batch = torch.tensor([[*ids, *written_ids, mark, *ends]], device=model.device)
        logits = score(batch)[0, len(ids) + len(written_ids)]
        written_ids.append(int(logits[: model.tokenizer.vocab_size].argmax()))
    return _labels_of(model, written_ids)


def _both_ways(model: LoadedModel, text: str, n: int) -> Written:
    """By the half that reads forwards, which predicts the word after the last one."""
    words: list[str] = []
    while len(words) < n:
        prepared = model.prepare(Text(model.fit(" ".join([text, *words]))[0]))
        (letters,) = prepared.tensors.values()
        tokens = next(iter(prepared.streams[0].values())).tokens
        last = len(tokens) - 1 - int(tokens[-1].special)
        ahead, _back = model.as_both_ways()(letters)
        likeliest = map(model.tokenizer.token, ahead[0, last].argsort(descending=True).tolist())
        best = next(token for token in likeliest if not token.unknown)  # it cannot be written
        if best.special:
            break
        words.append(best.label)
    return tuple(words)


def _spans(model: LoadedModel, text: str, n: int) -> Written:
    """As if the last span of the text were missing."""
    mark = model.tokenizer.hiding[0]
    return _filled(model, text, n, "fill_spans", lambda _ids: [mark])


def _noise(model: LoadedModel, text: str, n: int) -> Written:
    """As if the end of the text were hidden: what it has read is written first."""
    return _filled(model, text, n, "denoise", lambda ids: ids)


def _filled(
    model: LoadedModel, text: str, n: int, ability: Ability, first: Callable[[list[int]], list[int]]
) -> Written:
    network = model.as_translator(ability)
    start, end, n_ctx = network.config.start_id, network.config.end_id, network.config.n_ctx
    tokens = [token for token in model.tokenizer.tokens(text) if not token.special]
    ids = [token.id for token in tokens][: n_ctx - n - 2]
    source = torch.tensor([[*ids, model.tokenizer.hiding[0], end]], device=model.device)
    decoder = network.begin(source)
    batch = torch.tensor([[start, *first(ids)]], device=model.device)
    logits = decoder.push(batch)[0, -1]
    ends: set[int | None] = {end, *model.tokenizer.hiding}
    return _labels_of(model, _pushed(decoder, logits, n, ends, model))


WRITES: Mapping[Ability, Callable[[LoadedModel, str, int], Written]] = {
    "next_token": _next,
    "masked_words": _masked,
    "both_ways": _both_ways,
    "fill_spans": _spans,
    "denoise": _noise,
}

"""Traced runs."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

import torch

from core.errors import ParameterError
from core.inputs import Batch, Ids, Input, Padded, Pair, Shuffled, SourceTarget, Text
from core.language import N_
from core.models.blueprint import Attention
from core.models.prepared import Prepared
from core.nn.masks import causal_mask, full_mask, prefix_mask, sliding_window_mask
from core.runs.answering import Context, answer
from core.runs.mask_spec import MaskSpec
from core.runs.requests import TraceRequest
from core.runs.results import Run
from core.tracing.recording import run_prepared
from core.tracing.writing import is_to_write, with_targets, written_under
from core.zoo import LoadedModel


@answer.register
def traced(request: TraceRequest, context: Context) -> Run | tuple[Run, ...]:
    """A run of what fits of the input; for a batch one a row."""
    model = context.model(request.model)
    model.check_takes(request.given)
    given, texts = fitted(request.given, model)
    prepared = masked(request, model, _prepared(request, given, model, context))
    sites = [site for asked in request.sites for site in model.blueprint.sites(asked)]
    traces = run_prepared(model, prepared, sites or None, request.edits)
    runs = tuple(
        Run(trace, text, cut, model.tokenizer.token)
        for trace, (text, cut) in zip(traces, texts, strict=True)
    )
    return runs if isinstance(given, Batch) else runs[0]


def _prepared(
    request: TraceRequest, given: Input, model: LoadedModel, context: Context
) -> Prepared:
    """An input prepared, with a target that was written as the request says."""
    if not is_to_write(model, given):
        return model.prepare(given)
    if request.target_of is not None:
        of = context.ask(request.target_of)
        runs = of if isinstance(of, tuple) else (of,)
        return model.prepare(with_targets(given, [run.trace.ids for run in runs]))
    if request.mask.kind == "own" and not request.edits:
        return model.prepare(given)
    return written_under(
        model, given, lambda one: masked(request, model, one), request.edits, model.config.n_ctx
    )


def masked(request: TraceRequest, model: LoadedModel, prepared: Prepared) -> Prepared:
    """What was prepared, under the mask that was asked for.

    Raises:
        AbilityError: nothing in the model attends to anything.
        ParameterError: a mask for one sequence, where one attends to another.
    """
    if request.mask.kind == "own":
        return prepared
    attention = model.attention(request.attention)
    if not attention.square and request.mask.kind in ("causal", "prefix", "window"):
        raise ParameterError(
            "mask",
            str(request.mask),
            N_("own, none, padding or painted where one sequence attends to another"),
        )
    own = prepared.masks[attention.name]
    keys, size = prepared.streams[0][attention.keys], own.shape[-2:]
    if request.mask.kind == "opposite":
        mask = opposite(attention, *size)
    else:
        mask = matrix(request.mask, *size, causal=attention.causal, n_padding=keys.n_padding)
    return prepared.under(attention, mask.to(own.device))


def matrix(
    spec: MaskSpec, n_queries: int, n_keys: int, *, causal: bool, n_padding: int = 0
) -> torch.Tensor:
    """The mask ``(Tq, Tk)`` of a spec that is not the model's own.

    A painted mask of another size is laid over the model's own, corner on corner.

    Args:
        spec: which mask.
        n_queries, n_keys: its sides, padding included; prefix and window belong to square ones.
        causal: the model's own mask is.
        n_padding: how many keys, at the end, are padding.
    """
    if spec.kind == "none":
        return full_mask(n_queries, n_keys)
    if spec.kind == "prefix":
        return prefix_mask(n_keys, min(spec.size, n_keys))
    if spec.kind == "window":
        return sliding_window_mask(n_keys, max(1, spec.size))
    mask = (causal_mask if causal or spec.kind == "causal" else full_mask)(n_queries, n_keys)
    cells = spec.cells() if spec.kind == "painted" else None
    if cells is not None:
        down, across = min(n_queries, len(cells)), min(n_keys, len(cells))
        mask[:down, :across] = torch.from_numpy(cells[:down, :across])
    if spec.kind == "padding":
        mask[:, n_keys - n_padding :] = False
    return mask


def opposite(attention: Attention, n_queries: int, n_keys: int) -> torch.Tensor:
    """The mask ``(Tq, Tk)`` that differs most from an attention's own."""
    if attention.causal:
        return full_mask(n_queries, n_keys)
    if attention.square:
        return causal_mask(n_queries, n_keys)
    return ~full_mask(n_queries, n_keys)


Fitted = tuple[Input, list[tuple[str, str]]]  # for each row what is run of its text, what is cut


@singledispatch
def fitted(given: Input, _model: LoadedModel) -> Fitted:
    """An input cut to the model's context, and for each row what was kept and cut of its text.

    Raises:
        NoRoomError: not even the model's own marks fit.
    """
    raise TypeError(f"nobody fits a {type(given).__name__}")


@fitted.register
def _(given: Text, model: LoadedModel) -> Fitted:
    text, cut = model.fit(given.text)
    return Text(text), [(text, cut)]


@fitted.register
def _(given: Ids, model: LoadedModel) -> Fitted:
    return given, [(model.decode(given.ids), "")]


@fitted.register
def _(given: Pair, model: LoadedModel) -> Fitted:
    (first, second), cut = model.fit_pair(given.first, given.second)
    return Pair(first, second), [(first, cut)]


@fitted.register
def _(given: SourceTarget, model: LoadedModel) -> Fitted:
    text = Text(given.source) if isinstance(given.source, str) else given.source
    source, [(kept, cut)] = fitted(text, model)
    assert isinstance(source, Text | Ids | Shuffled | Padded)
    target = given.target
    if isinstance(target, str):
        target, target_cut = model.fit_target(target)
        cut += target_cut
    return SourceTarget(source, target), [(kept, cut)]


@fitted.register
def _(given: Batch, model: LoadedModel) -> Fitted:
    rows = [fitted(row, model) for row in given.rows]
    return Batch(tuple(row for row, _ in rows)), [text for _, texts in rows for text in texts]  # type: ignore[misc]


@fitted.register
def _(given: Shuffled, model: LoadedModel) -> Fitted:
    text, texts = fitted(given.text, model)
    assert isinstance(text, Text)
    return replace(given, text=text), texts


@fitted.register
def _(given: Padded, model: LoadedModel) -> Fitted:
    row, texts = fitted(given.row, model)
    assert isinstance(row, Text | Shuffled)
    return Padded(row, tuple(model.fit(text)[0] for text in given.beside)), texts

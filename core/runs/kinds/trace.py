"""Traced runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from core.encoders import Encoders
from core.errors import ParameterError
from core.inputs import Batch, Input
from core.language import N_
from core.models.blueprint import Attention
from core.models.prepared import Prepared
from core.nn.masks import causal_mask, full_mask, prefix_mask, sliding_window_mask
from core.runs.mask_spec import OWN_MASK, MaskSpec
from core.runs.request import Context, OfModel, answer
from core.sizes import held
from core.tracing.edits import Edit
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.tracing.writing import is_to_write, with_targets, written_under
from core.units import Character, Token
from core.zoo import LoadedModel

ATTENTION = "@attention"  # of a run, whatever its model calls the sites (core/models/blueprint.py)


@dataclass(frozen=True, slots=True)
class TraceRequest(OfModel):
    """One traced run; of a batch one a row.

    Attributes:
        given: what to run it on; cut to the model's context.
        mask: in place of the model's own, in one kind of attention.
        attention: which kind; the main stack's own when empty.
        edits: activations to change.
        sites: patterns of the sites to record; all when empty.
        target_of: the run whose target this one reads, where the model writes it: two runs that
            are compared must read the same. Its own, written under its mask and edits, when None.
    """

    given: Input
    mask: MaskSpec = OWN_MASK
    attention: str = ""
    edits: tuple[Edit, ...] = ()
    sites: tuple[str, ...] = ()
    target_of: TraceRequest | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """A traced run and what became of its text.

    Attributes:
        trace: every tensor.
        texts: the part of each segment's text that was run; none of a picture.
        cut: the part that did not fit the context.
        encoders: of the model, for words that the run itself does not hold.
    """

    trace: Trace
    texts: tuple[str, ...]
    cut: str
    encoders: Encoders

    @property
    def text(self) -> str:
        """The first text; empty where there is none."""
        return self.texts[0] if self.texts else ""

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of each stream."""
        return {name: len(stream.units) for name, stream in self.trace.streams.items()}

    def words(self, token_id: int) -> Token:
        """The entry of the vocabulary of that id.

        Raises:
            NoPartError: the model has no vocabulary.
        """
        return self.encoders.tokenizer.token(token_id)

    def entry(self, token_id: int) -> Token | Character:
        """What has that row of the embedding table: a token, or a character.

        Raises:
            NoPartError: the model reads no text.
        """
        return self.encoders.entry(token_id)

    @property
    def nbytes(self) -> int:
        trace = self.trace
        return held(trace.arrays, trace.streams, trace.masks, self.texts, self.cut)


@answer.register
def traced(request: TraceRequest, context: Context) -> Run | tuple[Run, ...]:
    """A run of what fits of the input; for a batch one a row."""
    model = context.model(request.model)
    fitted = model.fitted(request.given)
    inputs = fitted.given
    prepared = masked(request, model, _prepared(request, inputs, model, context))
    sites = [site for wanted_site in request.sites for site in model.blueprint.sites(wanted_site)]
    traces = run_prepared(model, prepared, sites or None, edits_of(request, model))
    runs = tuple(
        Run(trace, row.texts, row.cut, model.encoders)
        for trace, row in zip(traces, fitted.rows, strict=True)
    )
    return runs if isinstance(inputs, Batch) else runs[0]


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
    edits = edits_of(request, model)
    return written_under(
        model, given, lambda one: masked(request, model, one), edits, model.config.n_ctx
    )


def edits_of(request: TraceRequest, model: LoadedModel) -> tuple[Edit, ...]:
    """The edits of a request, at the sites that play their roles in the model.

    Raises:
        NoPartError: it has none that plays one.
    """
    return tuple(
        replace(edit, site=site)
        for edit in request.edits
        for site in model.blueprint.sites(edit.site)
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
    attention_mask = prepared.masks[attention.name]
    keys, size = prepared.streams[0][attention.keys], attention_mask.shape[-2:]
    if request.mask.kind == "opposite":
        mask = opposite(attention, *size)
    else:
        mask = matrix(request.mask, *size, causal=attention.causal, n_padding=keys.n_padding)
    return prepared.under(attention, mask.to(attention_mask.device))


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

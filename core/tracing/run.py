"""Run a model once and keep what it computed."""

from __future__ import annotations

import difflib
import fnmatch
import functools
import math
import operator
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.errors import (
    AbilityError,
    EditError,
    MaskError,
    ParameterError,
    UnknownSiteError,
    shown,
)
from core.language import N_, Phrase
from core.nn.masks import causal_mask, full_mask, padding_mask
from core.text.tokenizer import Token
from core.tracing.sites import recorded_sites, site
from core.tracing.tap import Recorder
from core.tracing.trace import Array, Trace, derived_sites, made_from

if TYPE_CHECKING:
    from core.zoo import LoadedModel

_Kind = TypeVar("_Kind", bound=np.generic)
Row = str | tuple[str, str] | Sequence[int]
Inputs = Row | Sequence[Row]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to one activation while the model runs: plain data, so a run can be cached by it.

    Attributes:
        site: name of the tensor.
        index: which part of it, one entry an axis without the batch: a number,
            or None for all. Missing entries mean all.
        value: "zero", "mean" (over the positions, axis -2) or a number. In a batch each row
            is edited as if it ran alone: its padding has no part in index or mean.
    """

    site: str
    index: tuple[int | None, ...] = ()
    value: Literal["zero", "mean"] | float = "zero"

    def apply(self, values: Tensor) -> Tensor:
        """The tensor ``(B, ...)`` with the part replaced; the input is left as it is.

        Raises:
            EditError: the index or the value does not fit the tensor.
        """
        where = self._place(values.shape)
        self._check_value(values)
        edited = values.clone()
        if self.value == "zero":
            edited[where] = 0.0
        elif self.value == "mean":
            edited[where] = values.mean(dim=-2, keepdim=True).expand_as(values)[where]
        else:
            edited[where] = float(self.value)
        return edited

    def _place(self, shape: Sequence[int]) -> tuple[slice | int, ...]:
        """The index, with the batch's axis before it."""
        if not isinstance(self.index, Sequence):
            raise EditError(self.site, N_("the index must hold one entry an axis"))
        if len(self.index) > len(shape) - 1:
            raise EditError(self.site, Phrase(N_("the site has {n} axes"), n=len(shape) - 1))
        where: list[slice | int] = [slice(None)]
        for axis, at in enumerate(self.index):
            n = shape[axis + 1]
            if at is None:
                where.append(slice(None))
                continue
            if isinstance(at, bool) or not isinstance(at, Integral):
                raise EditError(
                    self.site,
                    Phrase(
                        N_("axis {axis} has index {value}; it must be a whole number, or None"),
                        axis=axis,
                        value=shown(at),
                    ),
                )
            if not -n <= at < n:
                raise EditError(
                    self.site, Phrase(N_("axis {axis} has {n} entries"), axis=axis, n=n)
                )
            where.append(int(at))
        return tuple(where)

    def _check_value(self, values: Tensor) -> None:
        value = self.value
        if value == "mean" and values.ndim < 3:
            raise EditError(self.site, N_("the site has no positions to take the mean over"))
        if value in ("zero", "mean"):
            return
        if isinstance(value, bool) or not isinstance(value, Real) or not abs(value) < math.inf:
            raise EditError(
                self.site,
                Phrase(N_("{value} is not 'zero', 'mean' or a number"), value=shown(value)),
            )
        # A trace is float32, in whatever precision the model runs.
        largest = min(torch.finfo(kind).max for kind in (values.dtype, torch.float32))
        if abs(value) > largest:
            raise EditError(
                self.site,
                Phrase(
                    N_("{value} is too large; the largest number here is {largest}"),
                    value=shown(value),
                    largest=f"{largest:.3g}",
                ),
            )


def trace_run(
    model: LoadedModel,
    inputs: Inputs,
    *,
    target: str | None = None,
    mask: NDArray[np.bool_] | None = None,
    sites: Sequence[str] | None = None,
    edits: Sequence[Edit] = (),
    n_padding: int = 0,
) -> Trace | list[Trace]:
    """Run a model on a text and record every visible tensor.

    Args:
        model: from ``core.zoo.load``.
        inputs: a text; ids; a pair of texts as a tuple (two segments, for a
            model that takes them); or any other sequence of such rows, which run as one
            padded batch.
        target: the other side of an encoder-decoder model.
        mask: bool ``(T, T)``, True = may attend, in place of the model's own.
        sites: names to record or derive, ``*`` matching anything; all when None.
        edits: activations to change on the way.
        n_padding: how many ids at the end are padding, which is traced but not edited.

    Returns:
        A ``Trace``; for a sequence of rows one a row, each cut to its own length.

    Raises:
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: more tokens than the context.
        MaskError: the mask's shape is not (T, T).
        AbilityError: a target, or two segments, for a model that takes none.
        EditError: an edit that fits no site of this run.
        ParameterError: an id outside the vocabulary, or nothing but padding.
        UnknownSiteError: a name or pattern in ``sites`` that fits no site of this model.
    """
    if target is not None:
        raise AbilityError(model.id, N_("reading a source and a target"))
    if _is_one_row(inputs):
        return _run(model, [_row(model, inputs)], mask, sites, edits, n_padding)[0]
    return _run(model, [_row(model, one) for one in inputs], mask, sites, edits, n_padding)


def _is_one_row(given: Any) -> bool:
    """Whether it is a text, a pair or ids; else a batch of them."""
    pair = isinstance(given, tuple) and _are_two_texts(given)
    return (
        isinstance(given, str)
        or pair
        or not (_is_series(given) and len(given) and _is_series(given[0]))
    )


def _is_series(given: Any) -> bool:
    """Whether it has a first entry; a text has."""
    return isinstance(given, Sequence) or getattr(given, "ndim", 0) > 0


def _are_two_texts(given: Sequence[Any]) -> bool:
    return len(given) == 2 and all(isinstance(one, str) for one in given)


def _row(model: LoadedModel, given: Any) -> list[tuple[Token, int]]:
    """The tokens of a text, a pair or ids, and the segment of each."""
    if not _is_series(given):
        raise ParameterError("inputs", given, N_("a text, a pair of texts, ids, or a list of such"))
    if isinstance(given, str):
        tokens, n_marks = model.tokens(str(given)), len(model.tokens(""))
        types = [0] * len(tokens)
    elif _are_two_texts(given):
        tokens, types = model.pair_tokens(str(given[0]), str(given[1]))
        n_marks = len(model.pair_tokens("", "")[0])
    else:
        tokens, n_marks = [_token(model, one) for one in given], 0
        types = [0] * len(tokens)
    model.check_length(len(tokens), n_marks)
    return list(zip(tokens, types, strict=True))


def _token(model: LoadedModel, given: Any) -> Token:
    last = model.config.vocab_size - 1
    try:
        token_id = operator.index(given)
    except TypeError:
        raise ParameterError(
            "id", given, Phrase(N_("a whole number between {low} and {high}"), low=0, high=last)
        ) from None
    if not 0 <= token_id <= last:
        raise ParameterError(
            "id", token_id, Phrase(N_("between {low} and {high}"), low=0, high=last)
        )
    return model.tokenizer.token(token_id)


def _run(
    model: LoadedModel,
    rows: list[list[tuple[Token, int]]],
    mask: NDArray[np.bool_] | None,
    sites: Sequence[str] | None,
    edits: Sequence[Edit],
    n_padding: int,
) -> list[Trace]:
    lengths = [len(row) for row in rows]
    longest = max(lengths)
    if not 0 <= n_padding < min(lengths):
        raise ParameterError(
            "n_padding",
            n_padding,
            Phrase(N_("between {low} and {high}"), low=0, high=min(lengths) - 1),
        )
    if mask is not None:
        mask = np.array(mask, dtype=bool, order="C")  # a copy: the trace keeps it
        if mask.shape != (longest, longest):
            raise MaskError(mask.shape, (longest, longest))
    padding = (model.tokenizer.token(model.tokenizer.pad_id), 0)
    padded = [[*row, *[padding] * (longest - len(row))] for row in rows]
    ids = torch.tensor([[token.id for token, _ in row] for row in padded], device=model.device)
    types = torch.tensor([[segment for _, segment in row] for row in padded], device=model.device)
    topology = model.model.topology
    own = causal_mask if topology.causal else full_mask
    may_attend = (
        own(longest, longest, model.device)
        if mask is None
        else torch.from_numpy(mask).to(model.device)
    )
    if len(rows) > 1:
        may_attend = may_attend & padding_mask(lengths, longest, model.device)
    # The model's own causal mask costs least when the model makes it itself.
    passed = None if mask is None and len(rows) == 1 else may_attend
    _keep_freed_memory()
    wanted = None if sites is None else _wanted(sites, recorded_sites(topology))
    recorder = Recorder(wanted, _replacements(edits, [n - n_padding for n in lengths], longest))
    began = time.perf_counter()
    with torch.inference_mode():
        if topology.head == "masked_token":
            hidden = model.model.hidden(ids, types=types, mask=passed, tap=recorder)
            model.model.masked_words(hidden, recorder)
            model.model.next_sentence(hidden, recorder)
        else:
            model.model(ids, mask=passed, tap=recorder)
    recorder.check_edits()
    arrays = {name: _to_numpy(value) for name, value in recorder.values.items()}
    seconds = time.perf_counter() - began
    masks = may_attend.cpu().numpy()
    return [
        Trace(
            model=model.id,
            topology=topology,
            config=model.config,
            tokens=tuple(token for token, _ in row),
            mask=_frozen((masks[n, 0] if masks.ndim == 4 else masks)[: len(row), : len(row)]),
            weights=model.weights,
            device=str(model.device),
            dtype=str(model.dtype).removeprefix("torch."),
            seconds=seconds,
            arrays={
                name: value[0] if len(rows) == 1 else _cut(name, value, n, len(row))
                for name, value in arrays.items()
            },
        )
        for n, row in enumerate(rows)
    ]


@functools.cache
def _keep_freed_memory() -> None:
    """Let the next trace have the memory of the last one dropped.

    A trace is many arrays and tens of MB. The GNU C library hands what is freed
    back to the system piece by piece and gets it anew page by page, which took a
    third of a run. A block of nearly 32 MB, freed, moves its dynamic threshold
    (mallopt(3)): it keeps up to twice as much. Elsewhere this does nothing.
    """
    torch.empty(31 << 20, dtype=torch.uint8)


def _to_numpy(value: Tensor) -> Array:
    # The same memory when it is that already, which most are: asking first halves the time of a
    # hundred of them. A table of a model that still learns has a history.
    if value.requires_grad or value.device.type != "cpu" or value.dtype != torch.float32:
        value = value.detach().to("cpu", torch.float32)
    return _frozen(value.numpy())


def _cut(name: str, batch: Array, n: int, length: int) -> Array:
    """Row ``n`` without its padding: every axis that runs over positions ends with the text."""
    value = batch[0 if len(batch) == 1 else n]  # a table may be shared by all
    # A view would keep the whole batch in memory for as long as one of its texts is kept.
    return _frozen(value[_own(name, length)].copy())


def _own(name: str, length: int) -> tuple[slice, ...]:
    """The part of a site, the batch left out, that belongs to the first ``length`` positions."""
    return tuple(slice(length if a in ("T", "Tq", "Tk") else None) for a in site(name).shape)


def _frozen(value: NDArray[_Kind]) -> NDArray[_Kind]:
    """The array itself, from now on read-only, as is every view of it."""
    value.flags.writeable = False
    return value


def _wanted(sites: Sequence[str], recorded: Sequence[str]) -> Callable[[str], bool]:
    """Whether a site is one of those asked for, or one that such a site is derived from."""
    known = (*recorded, *derived_sites(recorded))
    chosen: set[str] = set()
    for asked in sites:
        found = fnmatch.filter(known, asked)
        if not found:
            raise UnknownSiteError(asked, _nearest(asked, known))
        chosen.update(part for name in found for part in made_from(name))
    return chosen.__contains__


def _nearest(asked: str, known: Sequence[str]) -> list[str]:
    """The names that a wrong one is most like; for a pattern, patterns over all blocks first."""
    patterns = (re.sub(r"(?<=\.)\d+(?=\.)", "*", name) for name in known if "*" in asked)
    among = [*dict.fromkeys(patterns), *known]
    near = difflib.get_close_matches(asked, among, 3)
    return near or difflib.get_close_matches(asked, among, 1, cutoff=0.0)


def _replacements(
    edits: Sequence[Edit], lengths: Sequence[int], longest: int
) -> Mapping[str, Callable[[Tensor], Tensor]]:
    """For each edited site, what is done to its values: to each row as if it ran alone.

    Args:
        edits: to be done.
        lengths: of the rows, without padding.
        longest: positions that are run.
    """
    by_site: dict[str, list[Edit]] = {}
    for edit in edits:
        by_site.setdefault(edit.site, []).append(edit)

    def chain(of_site: list[Edit]) -> Callable[[Tensor], Tensor]:
        def apply(values: Tensor) -> Tensor:
            for edit in of_site:
                values = edit.apply(values)
            return values

        def apply_to_rows(values: Tensor) -> Tensor:
            # A table that all rows share becomes one a row.
            edited = values.expand(len(lengths), *values.shape[1:]).clone()
            for n, length in enumerate(lengths):
                row = (slice(n, n + 1), *_own(of_site[0].site, length))
                edited[row] = apply(edited[row])
            return edited

        return apply if list(lengths) == [longest] else apply_to_rows

    return {name: chain(of_site) for name, of_site in by_site.items()}

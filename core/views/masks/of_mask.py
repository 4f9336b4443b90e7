"""What views of one head under a mask share: the runs, what is read, and what can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from core.figures.text import join, sentence
from core.language import _, name_of, ngettext
from core.models.needs import Needs
from core.runs.mask_spec import MaskKind, MaskSpec
from core.runs.requests import Request
from core.views.controls import Control
from core.views.masks.asked import KINDS, SIZES, UnderMask, mask_requests, sentences
from core.views.masks.run import MaskRun, spec_for
from core.views.masks.words import in_a_batch, notices, warning
from core.views.parts import head_at
from core.views.view import Note, View

R = TypeVar("R")


class OfMask(View[UnderMask, R]):
    """A view of one head under a mask; one that this attention cannot have is the model's own."""

    Params, needs = UnderMask, Needs("words", ("attention",))

    def requests(self, params: UnderMask) -> tuple[Request, ...]:
        return mask_requests(params)

    def otherwise(self, params: UnderMask) -> UnderMask | None:
        return None if params.mask == "own" else replace(params, mask="own")

    def texts(self, params: UnderMask) -> Sequence[str]:
        return sentences(params) if MaskSpec.parse(params.mask).kind == "padding" else [params.text]


def mask_controls(run: MaskRun) -> Sequence[Control]:
    """Which mask, how wide, of which head, and the batch where there is one."""
    kind = run.spec.kind
    offered = {one: str(run.spec) if one == kind else spec_for(one, run) for one in run.kinds}
    return (
        Control("mask", offered[kind], options=[(said, _(KINDS[one])) for one, said
                                                in offered.items()]),
        _size(run, kind),
        Control.numbered("head", run.head, run.n_heads),
        Control("batch", run.params.batch, "line") if run.batch else Control.none("batch"),
    )  # fmt: skip


def _size(run: MaskRun, kind: MaskKind) -> Control:
    """How wide a window is, or how long a prefix; nothing of other masks."""
    label = _("Prefix length") if kind == "prefix" else _("Window width")
    high = run.queries.n if kind in SIZES else 1
    return Control("mask", str(run.spec.size), "range", low=1, high=high, key="mask_size",
                   label=label, writes=f"{kind}:{{}}")  # fmt: skip


def mask_notes(run: MaskRun) -> Sequence[Note]:
    """What could not be shown as asked for, what leaks, what a batch's padding does."""
    found = [Note("info", sentence("{text}", text=text)) for text in notices(run)]
    leak = warning(run)
    if leak is not None:
        dashed = sentence(_("On the tokens above, these positions are dashed."))
        leaks = run.leaks.answer.any()
        found.append(Note("warning", join([leak, dashed]) if leaks else leak))
    if run.batch:
        found.append(Note("more", in_a_batch(run)))
    return found


def mask_facts(run: MaskRun) -> Sequence[str]:
    """What is selected and what it cost."""
    n, ms = run.queries.n, f"{run.trace.seconds * 1e3:.0f}"
    return (
        name_of(run.params.model),
        _("mask: {kind}").format(kind=_(KINDS[run.spec.kind])),
        head_at(run),
        ngettext("{n} token", "{n} tokens", n).format(n=n),
        _("ran in {ms} ms").format(ms=ms),
    )

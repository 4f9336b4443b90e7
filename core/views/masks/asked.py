"""What views of masks are asked for: one head under a mask, alone or in a padded batch."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.inputs import Batch, Padded, Text
from core.language import N_
from core.runs.mask_spec import MASK_FORM, OPPOSITE, OWN_MASK, MaskKind, MaskSpec
from core.runs.requests import ATTENTION, Request, TraceRequest
from core.views.nearest import nearest
from core.views.params import OnText, param

MAX_SENTENCES = 5  # of a batch, the learner's own among them
LOGITS = ("@logits",)

KINDS: dict[MaskKind, str] = {
    "none": N_("no mask"),
    "causal": N_("causal"),
    "padding": N_("padding"),
    "prefix": N_("prefix"),
    "window": N_("sliding window"),
    "painted": N_("painted by hand"),
}
SIZES: dict[MaskKind, int] = {"prefix": 4, "window": 3}  # where a kind starts when it is chosen
ACROSS: tuple[MaskKind, ...] = ("none", "padding", "painted")  # the others ask what comes before


@dataclass(frozen=True, slots=True)
class UnderMask(OnText):
    """One head under a mask.

    Attributes:
        attention: which kind, in a model that has several.
        mask: written as ``MaskSpec`` says.
        layer, head: counted from 0.
        token: the query; -1 for a hidden word or one near the end.
        key: the key; -1 for the one that gets most.
        sheet: which matrix is shown.
        batch: the other sentences of a padded batch, one a line.
        sentence: which of them is looked at; 0 is the text itself.
        row, col, stage: of the worked example.
    """

    attention: str = param("", part="attention", label=N_("Attention"))
    mask: str = param("own", pattern=MaskSpec.parse, form=MASK_FORM, picked=True, label=N_("Mask"))
    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(3, low=0, high=255, picked=True, label=N_("Head"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    key: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Key"))
    sheet: int = param(0, low=0, high=20, lives="browser", label=N_("Matrix"))
    batch: str = param(
        "The cat sat on the mat.\nStop!", label=N_("The other sentences, one per line")
    )
    sentence: int = param(1, low=0, high=100, picked=True, label=N_("Sentence"))
    row: int = param(2, low=0, high=100_000, lives="browser", label=N_("Row"))
    col: int = param(1, low=0, high=100_000, lives="browser", label=N_("Column"))
    stage: int = param(2, low=0, high=20, lives="browser", label=N_("Step of the worked example"))


def lines(params: UnderMask) -> list[str]:
    """What was typed as the other sentences."""
    return [line for line in params.batch.splitlines() if line.strip()]


def sentences(params: UnderMask) -> tuple[str, ...]:
    """The batch: the learner's text and the other lines."""
    return (params.text, *lines(params)[: MAX_SENTENCES - 1])


def mask_requests(params: UnderMask) -> tuple[Request, ...]:
    """The run under the mask, that under the model's own, and what that one is compared with."""
    spec = MaskSpec.parse(params.mask)
    if spec.kind == "padding":
        return _padded(params, spec)
    text = Text(params.text)
    own = TraceRequest(params.model, text, sites=(ATTENTION,))
    under = replace(own, mask=spec, attention=params.attention) if spec != OWN_MASK else own
    opposite = replace(own, mask=OPPOSITE, attention=params.attention, sites=LOGITS)
    # Compared with it, they read what is written under the mask.
    beside = replace(own, target_of=under) if under != own else own
    return under, beside, replace(opposite, target_of=under)


def _padded(params: UnderMask, spec: MaskSpec) -> tuple[Request, ...]:
    """A row of a batch with its padding hidden and in sight, the whole batch, the row alone."""
    model, batch = params.model, sentences(params)
    text = batch[nearest("sentence", params.sentence, len(batch) - 1)]
    padded = Padded(Text(text), batch)
    hidden = TraceRequest(model, padded, spec, params.attention, sites=(ATTENTION,))
    return (
        hidden,
        TraceRequest(model, padded, sites=(ATTENTION,), target_of=hidden),
        TraceRequest(model, Batch(tuple(map(Text, batch))), sites=LOGITS),
        TraceRequest(model, Text(text), sites=LOGITS),
    )

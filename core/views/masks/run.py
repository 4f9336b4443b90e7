"""One run under a mask, and what it is compared with: what most views of masks show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.analysis.masks import Leaks, leaks, next_stops, share_kept
from core.figures import tokens
from core.figures.components import By
from core.figures.values import Along, Values
from core.language import _
from core.models.blueprint import Attention
from core.runs.mask_spec import OWN_MASK, MaskKind, MaskSpec
from core.runs.results import Run
from core.text.marks import MASK
from core.tracing.trace import Array, Mask, Stream, Trace
from core.units import Token, Unit
from core.views.attention.head import by_head
from core.views.masks.asked import ACROSS, KINDS, SIZES, UnderMask
from core.views.nearest import nearest

PAD_LABEL = "⟨pad⟩"
Against = Literal["own", "none", "causal", "closed", "padding"]


@dataclass(frozen=True)
class Positions:
    """The positions of a stream; those of its padding have a name of their own."""

    stream: Stream

    @property
    def n(self) -> int:
        """Those that are text; the rest is padding."""
        return len(self.stream.units) - self.stream.n_padding

    @cached_property
    def labels(self) -> list[str]:
        """As axes have them."""
        return [*tokens.labels(self.stream.units[: self.n]), *[PAD_LABEL] * self.stream.n_padding]

    @cached_property
    def words(self) -> list[str]:
        """As sentences name them."""
        return [
            *(unit.spoken for unit in self.stream.units[: self.n]),
            *[PAD_LABEL] * self.stream.n_padding,
        ]


@dataclass(frozen=True, eq=False)
class MaskRun:
    """One run under a mask, and what it is compared with.

    Attributes:
        params: what was asked for.
        spec: the mask, the model's own by its name.
        attention: which kind.
        trace: the run under it.
        own: weights of the head under the model's own mask, ``(Tq, Tk)``.
        logits: under the mask, ``(T, V)``; ``base`` what they are compared with.
        against: the mask of ``base``: the model's own, its opposite, or the padding in sight.
        own_kind: the model's own mask.
        cut: what did not fit.
        words: from an id to its token.
        batch: the tokens of every sentence, when there are several.
        too_long: which of them did not fit the context, counted from 0.
        alone: largest difference of the logits from those of the sentence run by itself.
    """

    params: UnderMask
    spec: MaskSpec
    attention: Attention
    trace: Trace
    own: Array
    logits: Array
    base: Array
    against: Against
    own_kind: MaskKind
    cut: str
    words: Callable[[int], Token]
    batch: tuple[tuple[Unit, ...], ...] = ()
    too_long: tuple[int, ...] = ()
    alone: float = 0.0

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.attention.n_layers - 1)

    @property
    def head(self) -> int:
        return nearest("head", self.params.head, self.n_heads - 1)

    @property
    def n_heads(self) -> int:
        return len(by_head(self.trace, self.attention, self.layer))

    @property
    def prefix(self) -> str:
        """Of the sites of this layer's attention."""
        return f"{self.attention.prefix(self.layer)}."

    @property
    def mask(self) -> Mask:
        """Which query may attend to which key, ``(Tq, Tk)``."""
        return self.trace.masks[self.attention.name]

    def __call__(self, site: str) -> Array:
        """A site of this head, or of this layer when it has no heads."""
        values = self.trace[self.prefix + site]
        return values[self.head] if values.ndim == 3 else values

    # --- positions -----------------------------------------------------------------------

    @cached_property
    def queries(self) -> Positions:
        """The rows of the mask."""
        return Positions(self.trace.streams[self.attention.queries])

    @cached_property
    def keys(self) -> Positions:
        """Its columns."""
        return Positions(self.trace.streams[self.attention.keys])

    @cached_property
    def given(self) -> Positions:
        """The text that was given, and what fills its row up."""
        return Positions(self.trace.streams[self.trace.blueprint.streams[0]])

    @property
    def key_words(self) -> list[str]:
        """The keys as sentences name them."""
        return self.keys.words

    @property
    def query(self) -> int:
        """The selected token; else a hidden word, or one with text on both sides."""
        own, n = self.queries.stream.units, self.queries.n
        if self.params.token >= 0:
            return nearest("token", self.params.token, len(own) - 1)
        masks = [at for at in range(n) if own[at].label == MASK]
        return masks[0] if masks else max(min(1, n - 1), n - 3)

    @property
    def key(self) -> int:
        if self.params.key >= 0:
            return nearest("key", self.params.key, len(self.keys.labels) - 1)
        return int(self("weights")[self.query].argmax())

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters; while no key is chosen, the one that gets most."""
        p = self.params
        most = By("token", self("weights").argmax(axis=1).tolist())
        return {
            "mask": str(self.spec),
            "token": self.query, "key": most if p.key < 0 else self.key, "sheet": p.sheet,
            "sentence": nearest("sentence", p.sentence, max(0, len(self.batch) - 1)),
            "row": p.row, "col": p.col, "stage": p.stage,
        }  # fmt: skip

    def values(self) -> dict[str, Values]:
        """The cells: the mask, and the weights under the model's own and under this one."""
        axes = (
            Along("query", _("query"), self.queries.labels),
            Along("key", _("key"), self.keys.labels),
        )
        place, site = (self.query, self.key), self.prefix + "weights"
        weights = self("weights")
        return {
            "may": Values(_("may attend"), self.mask.astype(np.uint8), axes, selected=place),
            "own": Values(_("weight under its own mask"), self.own, axes, selected=place),
            "weights": Values(
                _("weight under this mask"), weights, axes, site=site, selected=place
            ),
        }

    # --- what the mask does ----------------------------------------------------------------

    @property
    def predicts_next(self) -> bool:
        """A position of the main stream predicts the one after it, else what stands there."""
        blueprint = self.trace.blueprint
        own = (a for a in blueprint.attentions if a.square and a.queries == blueprint.stream)
        return all(attention.causal for attention in own)

    @property
    def asks_next(self) -> bool:
        """Each row is asked for the token that comes after it: one that sees it sees its answer."""
        in_main = self.attention.queries == self.trace.blueprint.stream
        return self.attention.square and in_main and self.predicts_next

    @property
    def kinds(self) -> list[MaskKind]:
        """The masks that make sense in this attention."""
        return [kind for kind in KINDS if self.attention.square or kind in ACROSS]

    @cached_property
    def open_weights(self) -> NDArray[np.float64]:
        """What the weights would be if this head's rows were not masked."""
        return softmax(self("scores"))

    @cached_property
    def kept(self) -> NDArray[np.float64]:
        """The share of each query's attention that the mask leaves."""
        return share_kept(self("scores"), self.mask)

    @cached_property
    def leaks(self) -> Leaks:
        """Which tokens can influence which through all layers, later ones among them.

        The mask must be square.
        """
        return leaks(self.mask, self.attention.n_layers, self.queries.n)

    @cached_property
    def stops(self) -> NDArray[np.int64]:
        """The first stop on the way from each position to each; of a square mask."""
        return next_stops(self.mask, self.leaks.needed)

    @cached_property
    def ahead(self) -> Mask:
        """Cells that show a query something that is still to come."""
        ahead = np.triu(np.ones(self.mask.shape, bool), 1)
        ahead[:, self.keys.n :] = False
        return ahead & self.asks_next


def spec_for(kind: MaskKind, run: MaskRun) -> str:
    """The mask to go to when a kind is chosen; painting starts from the mask that is shown."""
    if kind != "painted":
        return str(MaskSpec(kind, SIZES.get(kind, 0)))
    shown = run.mask[: run.queries.n, : run.keys.n]
    rows, columns = shown.shape
    cells = np.ones((max(shown.shape),) * 2, bool)  # a mask is written as a square
    cells[:rows, :columns] = shown
    return str(MaskSpec.painted(cells))


def mask_run(runs: Sequence[Any], params: UnderMask) -> MaskRun:
    """The head that was asked for under the mask that was, both brought into the model's range."""
    spec = MaskSpec.parse(params.mask)
    under: Run = runs[0]
    own: Run = runs[1]
    base = own
    attention = own.trace.attention(params.attention)
    mask, own_mask = (run.trace.masks[attention.name] for run in (under, own))
    against: Against = "own"
    batch: dict[str, Any] = {}
    if spec.kind == "padding":
        against, batch = "padding", _of_batch(runs[2], runs[3], under)
    elif np.array_equal(mask, own_mask):
        # Compared with itself a mask says nothing.
        base, against = runs[2], _opposite(attention)
    own_kind: MaskKind = "causal" if attention.causal else "none"
    layer = nearest("layer", params.layer, attention.n_layers - 1)
    weights = by_head(own.trace, attention, layer)
    return MaskRun(
        params=params,
        spec=MaskSpec(own_kind) if spec == OWN_MASK else spec,
        attention=attention,
        trace=under.trace,
        own=weights[nearest("head", params.head, len(weights) - 1)],
        logits=_logits(under),
        base=_logits(base),
        against=against,
        own_kind=own_kind,
        cut=under.cut,
        words=under.words,
        **batch,
    )


def _opposite(attention: Attention) -> Against:
    """What differs most from an attention's own mask, by name."""
    if attention.causal:
        return "none"
    return "causal" if attention.square else "closed"


def _of_batch(rows: Sequence[Run], alone: Run, under: Run) -> dict[str, Any]:
    """The batch that a padded row stands in, and what is left of it when it runs by itself."""
    stream = under.trace.blueprint.streams[0]
    by_itself, padded = _logits(alone), _logits(under)
    n = min(len(by_itself), len(padded))
    return {
        "batch": tuple(run.trace.streams[stream].units for run in rows),
        "too_long": tuple(i for i, run in enumerate(rows) if run.cut),
        "alone": float(np.abs(by_itself[:n] - padded[:n]).max()),
    }


def _logits(run: Run) -> Array:
    return run.trace[run.trace.blueprint.head.site]

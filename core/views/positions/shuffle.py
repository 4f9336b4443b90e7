"""The same tokens in another order: how far their vectors move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import inputs
from core.analysis.positions import moved
from core.figures import tokens
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Values
from core.inputs import Text
from core.language import _, name_of
from core.models.needs import Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.mask_spec import MaskSpec
from core.runs.request import Request
from core.tracing.edits import Edit
from core.units import Unit
from core.views.positions.sinusoidal import TokenOrder, along_positions
from core.views.view import View

# --- how far each token's vector moves when the tokens change places, and what it is called


SHOWN = 40  # tokens of the shuffled text that are read out


@dataclass(frozen=True)
class ShuffleDistances:
    """How far each token's vector moved.

    Attributes:
        tokens: of the text, in its order.
        order: which token stood at each place of the shuffled run.
        change: for each condition ``(T,)``, as a share of the vector's length: without mask and
            positions ("neither"), under the causal mask alone ("mask"), as the model is ("own").
        causal: the model has a mask that knows the order.
        whole: the vectors are what the model answers from, not an encoder's.
        model: id on the shelf.
        cut: what of the text did not fit.
    """

    tokens: tuple[Unit, ...]
    order: tuple[int, ...]
    change: Mapping[str, NDArray[np.float64]]
    causal: bool
    whole: bool
    model: str
    cut: str

    @property
    def same_order(self) -> bool:
        """Whether the shuffle left everything where it was."""
        return list(self.order) == list(range(len(self.order)))

    @property
    def stacked(self) -> NDArray[np.float64]:
        """``(conditions, T)``."""
        return np.stack(list(self.change.values()))


def called(record: ShuffleDistances, condition: str) -> str:
    """What a condition is called."""
    words = {"neither": _("no positions"), "own": _("with positions")}
    if record.causal:
        words = {
            "neither": _("no mask, no positions"),
            "mask": _("causal mask alone"),
            "own": _("mask and positions"),
        }
    return words[condition]


def shuffled_text(record: ShuffleDistances) -> str:
    """The tokens as the second run reads them."""
    shown = [record.tokens[position].label for position in record.order[:SHOWN]]
    return " ".join(shown) + " …" * (len(record.order) > SHOWN)


def reading(record: ShuffleDistances, condition: str) -> Sentence:
    """How far the vectors move under one condition."""
    change, name = record.change[condition], called(record, condition)
    if condition == "neither":  # nothing in it can tell the order
        largest = float(change.max())
        text = _("{model}, {name}: the same vectors, in the new order. Not one number has changed.")
        if largest:
            text = _("{model}, {name}: the same vectors, in the new order. The largest change is "
                     "{most} of a vector's length: rounding.")  # fmt: skip
        return sentence(
            text,
            model=name_of(record.model),
            name=Mark(name, "strong"),
            most=Mark(number(largest, 2), "position"),
        )
    return sentence(
        _("{name}: the vectors change by {mean} of their length on average."),
        name=Mark(name[:1].upper() + name[1:], "strong"),
        mean=Mark(percent(float(change.mean())), "position"),
    )


# --- the same tokens in another order: with and without positions, with and without a mask


READ = "@encoded"  # the site that is compared
NO_POSITIONS = (Edit("@positions"),)
ALL_SEE_ALL = MaskSpec("none")
# From the least that can tell the order to all that the model has.
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "neither": {"edits": NO_POSITIONS, "mask": ALL_SEE_ALL},
    "mask": {"edits": NO_POSITIONS},
    "own": {},
}


class PositionsShuffleView(View[TokenOrder, ShuffleDistances]):
    """Rows are conditions, columns the tokens of the text in their own order."""

    name, Params, needs = "positions.shuffle", TokenOrder, Needs(parts=("blocks",))

    def requests(self, params: TokenOrder) -> tuple[Request, ...]:
        text = Text(params.text)
        as_it_is = TraceRequest(params.model, text, sites=(READ,))
        # What is compared is read before any target; each need not be written anew.
        return tuple(
            TraceRequest(params.model, input_, sites=(READ,), target_of=as_it_is, **setting)
            for setting in SETTINGS.values()
            for input_ in (text, inputs.Shuffled(text, params.shuffle_seed))
        )

    def compute(self, runs: Sequence[Run], params: TokenOrder) -> ShuffleDistances:
        trace, blueprint = runs[0].trace, runs[0].trace.blueprint
        stack, site = blueprint.reader, blueprint.site(READ)
        order = runs[1].trace.streams[stack.stream].order
        # Without a mask of its own, a model has one condition less.
        change = {
            name: moved(before.trace[site], after.trace[site], order)
            for name, before, after in zip(SETTINGS, runs[::2], runs[1::2], strict=True)
            if stack.causal or name != "mask"
        }
        return ShuffleDistances(
            tokens=trace.streams[stack.stream].units,
            order=order,
            change=change,
            causal=stack.causal,
            whole=site == blueprint.site("@output"),
            model=params.model,
            cut=runs[0].cut,
        )

    def values(self, record: ShuffleDistances) -> Mapping[str, Values]:
        axes = (along_positions(len(record.tokens)),)
        words = np.array([token.label for token in record.tokens])
        places = np.argsort(record.order)
        changes = {
            f"moved_{name}": Values(called(record, name), change, axes)
            for name, change in record.change.items()
        }
        return {
            "tokens": Values(_("token"), words, axes),
            "places": Values(_("position after the shuffle"), places, axes),
            **changes,
        }

    def describe(self, record: ShuffleDistances) -> Sentence:
        if record.same_order:
            return sentence(
                _("This shuffle leaves every token in its place. Write a longer text, or "
                  "choose another shuffle number.")
            )  # fmt: skip
        read = Mark(shuffled_text(record), "strong")
        parts = [sentence(_("The shuffled text: “{read}”."), read=read)]
        return join([*parts, *(reading(record, name) for name in record.change)])

    def draw(self, record: ShuffleDistances) -> Matrix:
        title = (
            _("{model}: how far each token's output moves when the order changes")
            if record.whole
            else _("{model}: how far each token's encoder output moves when the order changes")
        ).format(model=name_of(record.model))  # fmt: skip
        alt, change = str(self.describe(record)), record.stacked
        sheet = Sheet(
            title=title,
            array="change",
            rows=Axis([called(record, n) for n in record.change], "condition", "position",
                      room=200),
            cols=Axis(tokens.labels(record.tokens), "token", "query"),
            scale=Scale("position", float(max(1.0, change.max()))),
            numbers=True,
            max_cell=52,
            row_height=26,
            axes=sentence(_("columns: tokens of the text · a cell: length of the change ÷ "
                            "length of the vector")),
            alt=alt,
        )  # fmt: skip
        arrays = {"change": change.astype(np.float32)}
        return Matrix(title=title, alt=alt, sheets=[sheet], arrays=arrays)

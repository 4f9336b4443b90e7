"""What the model says under the mask, beside what it says under its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.figures.components import BarFrame, BarRow, Bars, Follow, Series
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.runs.results import Run
from core.text.marks import MASK
from core.units import Token
from core.views.controls import Control
from core.views.masks.asked import KINDS, UnderMask
from core.views.masks.of_mask import OfMask, mask_controls, mask_notes
from core.views.masks.run import MaskRun, Positions, mask_run
from core.views.masks.words import base_name, in_a_batch, own_name
from core.views.view import Note

N_EACH = 6  # likeliest words of either run


@dataclass(frozen=True, eq=False)
class Said:
    """What is said at one position.

    Attributes:
        ids: of the words that are shown, likeliest first.
        before, under: their probabilities, what it is compared with and under the mask.
        answer: what the text has there; None where it has nothing or a gap.
    """

    ids: list[int]
    before: NDArray[np.float32]
    under: NDArray[np.float32]
    answer: Token | None


@dataclass(frozen=True, eq=False)
class Compared:
    """What is said everywhere.

    Attributes:
        run: under the mask.
        said: at each position of the stream that the model's answer is read from.
    """

    run: MaskRun
    said: Sequence[Said]

    @property
    def at(self) -> int:
        """The position that is looked at."""
        return min(self.run.query, len(self.said) - 1)

    @property
    def positions(self) -> Positions:
        return Positions(self.run.trace.main)


class MaskPrediction(OfMask[Compared]):
    """Two bars a word, for every position."""

    name = "masks.prediction"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> Compared:
        run = mask_run(runs, params)
        return Compared(run, [_said(run, at) for at in range(len(run.logits))])

    def values(self, record: Compared) -> Mapping[str, Values]:
        """The words of every position, likeliest first; at the selected one what is shown."""
        shown = [(at, n) for at, said in enumerate(record.said) for n in range(len(said.ids))]
        words = record.run.words
        ids = np.array([record.said[at].ids[n] for at, n in shown])
        along = (Along("word", _("token"), [words(int(i)).label for i in ids]),)
        before, under = (
            np.concatenate([getattr(said, name) for said in record.said])
            for name in ("before", "under")
        )
        place = (shown.index((record.at, 0)),)
        return {
            "position": Values(_("position"), np.array([at for at, _n in shown]), along),
            "id": Values(_("id"), ids, along, selected=place),
            "before": Values(base_name(record.run), before, along, selected=place),
            "under": Values(_this(record.run), under, along, selected=place),
        }

    def controls(self, record: Compared) -> Sequence[Control]:
        return mask_controls(record.run)

    def notes(self, record: Compared) -> Sequence[Note]:
        return mask_notes(record.run)

    def describe(self, record: Compared) -> Sentence:
        said, run = record.said[record.at], record.run
        first, then = int(said.before.argmax()), int(said.under.argmax())
        compared = sentence(
            _("The most likely is “{a}” with {p} ({base}) and “{b}” with {q} under this mask."),
            a=Mark(run.words(said.ids[first]).spoken, "strong"),
            p=percent(float(said.before[first])),
            base=base_name(run),
            b=Mark(run.words(said.ids[then]).spoken, "accent"),
            q=Mark(percent(float(said.under[then])), "accent"),
        )
        return join([compared, *([in_a_batch(run)] if run.batch else [])])

    def draw(self, record: Compared) -> Bars:
        pairs = [np.stack([said.before, said.under]) for said in record.said]
        longest = max(len(said.ids) for said in record.said)
        values = np.zeros((len(pairs), 2, longest), np.float32)
        for at, pair in enumerate(pairs):
            values[at, :, : pair.shape[1]] = pair
        return Bars(
            title=_title(record, record.at),
            selection=record.run.selection(),
            frames=[_frame(record, at) for at in range(len(pairs))],
            values=values,
            stages=[],
            series=_series(record.run),
            follow=Follow("token", first=record.at),
            cut_word=_("cut"),
        )


def _said(run: MaskRun, at: int) -> Said:
    """The likeliest words of both runs at a position, and what the text has there."""
    before, under = as_shares(softmax(np.stack([run.base[at], run.logits[at]])))
    best = {int(i) for p in (before, under) for i in np.argpartition(-p, N_EACH)[:N_EACH]}
    answer = _answer(run, at)
    if answer is not None:
        best.add(answer.id)
    ids = sorted(best, key=lambda i: -max(before[i], under[i]))
    return Said(ids, before[ids], under[ids], answer)


def _answer(run: MaskRun, at: int) -> Token | None:
    """What the text has where a position predicts; None where it has nothing or a gap."""
    stream = run.trace.main
    at += 1 if run.predicts_next else 0
    found = stream.tokens[at] if at < len(stream.tokens) - stream.n_padding else None
    return None if found is None or found.piece == MASK else found


# --- words ----------------------------------------------------------------------------------------


def _title(record: Compared, at: int) -> str:
    token = record.positions.words[at]
    if record.run.predicts_next:
        return _("What comes after “{token}”").format(token=token)
    return _("What stands at “{token}”").format(token=token)


def _series(run: MaskRun) -> list[Series]:
    """What is compared; the model's own mask has one colour, on whichever side it is."""
    base = "accent" if run.against == "own" else "residual"
    return [Series(base_name(run), base), Series(_this(run), "accent" if _own(run) else "key")]


def _own(run: MaskRun) -> bool:
    """Whether the mask is the model's own."""
    return run.spec.kind == run.own_kind


def _this(run: MaskRun) -> str:
    if _own(run):
        return own_name(run)
    return _("this mask ({kind})").format(kind=_(KINDS[run.spec.kind]))


def _frame(record: Compared, at: int) -> BarFrame:
    said, title = record.said[at], _title(record, at)
    chosen = None if said.answer is None else said.answer.id
    rows = [BarRow(str(i), record.run.words(i).label, chosen=i == chosen) for i in said.ids]
    return BarFrame(
        rows,
        title=Sentence((Mark(title, "plain"),)),
        note=_note(record, at),
        alt=title,
    )


def _note(record: Compared, at: int) -> str:
    """How likely the text's own word is before and under the mask."""
    said = record.said[at]
    if at >= record.positions.n or said.answer is None:
        return ""
    text = (
        _("The text continues with “{word}”: {p} → {q}.")
        if record.run.predicts_next
        else _("The text has “{word}” there: {p} → {q}.")
    )
    place = said.ids.index(said.answer.id)
    return text.format(
        word=said.answer.spoken,
        p=percent(float(said.before[place])),
        q=percent(float(said.under[place])),
    )

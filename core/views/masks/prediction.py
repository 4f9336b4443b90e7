"""What each position predicts under a mask, and what is learned with one and without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.figures.components import BarFrame, BarRow, Bars, Follow, Series
from core.figures.components.plot import Curve, Plot, PlotAxis, Rule
from core.figures.components.plot.parts import Dash
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.live_training.records import LookAhead
from core.models.needs import NO_MODEL
from core.runs.kinds.trace import Run
from core.runs.kinds.training import LookAheadRequest
from core.runs.progress import JobProgress
from core.runs.request import Request
from core.text.marks import MASK
from core.units import Token
from core.views.controls import Control
from core.views.masks.run import (
    KINDS,
    MaskRun,
    MaskView,
    Positions,
    UnderMask,
    base_name,
    in_a_batch,
    mask_controls,
    mask_notes,
    mask_run,
    own_name,
)
from core.views.view import Note, View

# --- what the model says under the mask, beside what it says under its own ------------


N_EACH = 6  # likeliest words of either run


@dataclass(frozen=True, eq=False)
class PositionPrediction:
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
class PredictionsCompared:
    """What is said everywhere.

    Attributes:
        run: under the mask.
        guesses: at each position of the stream that the model's answer is read from.
    """

    run: MaskRun
    guesses: Sequence[PositionPrediction]

    @property
    def position(self) -> int:
        """The position that is looked at."""
        return min(self.run.query, len(self.guesses) - 1)

    @property
    def positions(self) -> Positions:
        return Positions(self.run.trace.main)


class MasksPredictionView(MaskView[PredictionsCompared]):
    """Two bars a word, for every position."""

    name = "masks.prediction"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> PredictionsCompared:
        run = mask_run(runs, params)
        return PredictionsCompared(
            run, [_guesses_at(run, position) for position in range(len(run.logits))]
        )

    def values(self, record: PredictionsCompared) -> Mapping[str, Values]:
        """The words of every position, likeliest first; at the selected one what is shown."""
        shown = [
            (position, n)
            for position, guess in enumerate(record.guesses)
            for n in range(len(guess.ids))
        ]
        words = record.run.words
        ids = np.array([record.guesses[position].ids[n] for position, n in shown])
        along = (Along("word", _("token"), [words(int(i)).label for i in ids]),)
        before, under = (
            np.concatenate([getattr(guess, name) for guess in record.guesses])
            for name in ("before", "under")
        )
        place = (shown.index((record.position, 0)),)
        return {
            "position": Values(
                _("position"), np.array([position for position, _n in shown]), along
            ),
            "id": Values(_("id"), ids, along, selected=place),
            "before": Values(base_name(record.run), before, along, selected=place),
            "under": Values(_this(record.run), under, along, selected=place),
        }

    def controls(self, record: PredictionsCompared) -> Sequence[Control]:
        return mask_controls(record.run)

    def notes(self, record: PredictionsCompared) -> Sequence[Note]:
        return mask_notes(record.run)

    def describe(self, record: PredictionsCompared) -> Sentence:
        guess, run = record.guesses[record.position], record.run
        first, then = int(guess.before.argmax()), int(guess.under.argmax())
        compared = sentence(
            _("The most likely is “{a}” with {p} ({base}) and “{b}” with {q} under this mask."),
            a=Mark(run.words(guess.ids[first]).spoken, "strong"),
            p=percent(float(guess.before[first])),
            base=base_name(run),
            b=Mark(run.words(guess.ids[then]).spoken, "accent"),
            q=Mark(percent(float(guess.under[then])), "accent"),
        )
        return join([compared, *([in_a_batch(run)] if run.batch else [])])

    def draw(self, record: PredictionsCompared) -> Bars:
        pairs = [np.stack([guess.before, guess.under]) for guess in record.guesses]
        longest = max(len(guess.ids) for guess in record.guesses)
        values = np.zeros((len(pairs), 2, longest), np.float32)
        for position, pair in enumerate(pairs):
            values[position, :, : pair.shape[1]] = pair
        return Bars(
            title=_title(record, record.position),
            selection=record.run.selection(),
            frames=[_frame(record, position) for position in range(len(pairs))],
            values=values,
            stages=[],
            series=_series(record.run),
            follow=Follow("token", first=record.position),
            cut_word=_("cut"),
        )


def _guesses_at(run: MaskRun, position: int) -> PositionPrediction:
    """The likeliest words of both runs at a position, and what the text has there."""
    before, under = as_shares(softmax(np.stack([run.base[position], run.logits[position]])))
    best = {int(i) for p in (before, under) for i in np.argpartition(-p, N_EACH)[:N_EACH]}
    answer = _answer(run, position)
    if answer is not None:
        best.add(answer.id)
    ids = sorted(best, key=lambda i: -max(before[i], under[i]))
    return PositionPrediction(ids, before[ids], under[ids], answer)


def _answer(run: MaskRun, position: int) -> Token | None:
    """What the text has where a position predicts; None where it has nothing or a gap."""
    stream = run.trace.main
    position += 1 if run.predicts_next else 0
    token = stream.tokens[position] if position < len(stream.tokens) - stream.n_padding else None
    return None if token is None or token.piece == MASK else token


# --- words ----------------------------------------------------------------------------------------


def _title(record: PredictionsCompared, position: int) -> str:
    token = record.positions.words[position]
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


def _frame(record: PredictionsCompared, position: int) -> BarFrame:
    guess, title = record.guesses[position], _title(record, position)
    chosen = None if guess.answer is None else guess.answer.id
    rows = [BarRow(str(i), record.run.words(i).label, chosen=i == chosen) for i in guess.ids]
    return BarFrame(
        rows,
        title=Sentence((Mark(title, "plain"),)),
        note=_note(record, position),
        alt=title,
    )


def _note(record: PredictionsCompared, position: int) -> str:
    """How likely the text's own word is before and under the mask."""
    guess = record.guesses[position]
    if position >= record.positions.n or guess.answer is None:
        return ""
    text = (
        _("The text continues with “{word}”: {p} → {q}.")
        if record.run.predicts_next
        else _("The text has “{word}” there: {p} → {q}.")
    )
    place = guess.ids.index(guess.answer.id)
    return text.format(
        word=guess.answer.spoken,
        p=percent(float(guess.before[place])),
        q=percent(float(guess.under[place])),
    )


# --- two tiny models learn the same texts, one with a causal mask, one without any ----


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The experiment has none."""


class MasksLearningView(View[NoSettings, LookAhead]):
    """Their losses while they learn, where the answer is in sight and where it is not."""

    name, Params, needs = "masks.learning", NoSettings, NO_MODEL

    def requests(self, params: NoSettings) -> tuple[Request, ...]:
        return (LookAheadRequest(),)

    def compute(self, runs: Sequence[JobProgress], params: NoSettings) -> LookAhead:
        return LookAhead.of(runs[0].records)

    def values(self, record: LookAhead) -> Mapping[str, Values]:
        steps = Along("step", _("step"), [str(step) for step in record.step])
        floor = Values(
            _("bits: the least that any honest prediction needs"), np.array(record.floor)
        )
        losses = {loss.name: Values(loss.label, loss.bits, (steps,)) for loss in _losses(record)}
        return {**losses, "floor": floor}

    def describe(self, record: LookAhead) -> Sentence:
        if not record.finished:
            return sentence(
                _("After {step} of {steps} training steps, the model without a mask needs {seen} "
                  "bits per symbol in training, and {unseen} bits when the next symbol is not "
                  "written yet."),
                step=str(record.step[-1]),
                steps=str(record.steps),
                seen=Mark(number(float(record.unmasked_seen[-1])), "warning"),
                unseen=Mark(number(float(record.unmasked_unseen[-1])), "warning"),
            )  # fmt: skip
        return sentence(
            _("Without a mask the training loss falls to {seen} bits, below the {floor} that "
              "any honest prediction needs: the model copies the answer from the next "
              "position. When the next symbol is not written yet, it needs {unseen} bits. "
              "With the causal mask it is {causal_seen} and {causal_unseen}."),
            seen=Mark(number(float(record.unmasked_seen[-1])), "warning"),
            floor=number(record.floor),
            unseen=Mark(number(float(record.unmasked_unseen[-1])), "warning"),
            causal_seen=Mark(number(float(record.causal_seen[-1])), "accent"),
            causal_unseen=Mark(number(float(record.causal_unseen[-1])), "accent"),
        )  # fmt: skip

    def draw(self, record: LookAhead) -> Plot:
        floor = _("at least {n} bit").format(n=number(record.floor, 1))
        return Plot(
            title=_("Learning the next symbol, with and without a mask"),
            x=PlotAxis(title=_("training step"), range=(0, max(1, record.steps))),
            y=PlotAxis(title=_("loss, bits per symbol"), from_zero=True),
            series=[
                Curve(
                    x=record.step, y=loss.bits, name=loss.label, role=loss.role, dash=loss.dash,
                    hover="{name}: {y:.4f}",
                )
                for loss in _losses(record)
            ],
            rules=[Rule(y=record.floor, text=floor, role="residual", dash="dot")],
            unified=True,
            height=340,
        )  # fmt: skip


class _Loss(NamedTuple):
    """One loss over the steps, with its stable name."""

    name: str
    label: str
    bits: NDArray[np.float64]
    role: str
    dash: Dash


def _losses(record: LookAhead) -> list[_Loss]:
    """Of both models, in training and where the text ends before the answer."""
    return [
        _Loss("unmasked_seen", _("no mask, answer visible"), record.unmasked_seen, "warning",
              "solid"),
        _Loss("unmasked_unseen", _("no mask, answer not written yet"), record.unmasked_unseen,
              "warning", "dash"),
        _Loss("causal_seen", _("causal mask, in training"), record.causal_seen, "accent",
              "solid"),
        _Loss("causal_unseen", _("causal mask, answer not written yet"), record.causal_unseen,
              "accent", "dash"),
    ]  # fmt: skip

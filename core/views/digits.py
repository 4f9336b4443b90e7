"""Pictures of digits, drawn for a text: the encoder, the way from noise, and what comes of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.shares import wilson
from core.digits import index
from core.digits.index import DigitTrainings, Measure
from core.figures import tokens
from core.figures.components import (
    Axis,
    BarFrame,
    BarRow,
    Bars,
    Follow,
    Matrix,
    Scale,
    Series,
    Sheet,
    Stepper,
    Tile,
    Tiles,
)
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.locale import grouped, in_quotes
from core.models.needs import NO_MODEL
from core.runs.kinds.digits import DigitDrawings, DigitsRequest
from core.runs.request import Request
from core.views.nearest import nearest
from core.views.params import MAX_SEED, param
from core.views.view import Note, View

# --- a text drawn as pictures of digits: what every view of it is computed from -------


GUIDANCE = 3.0


@dataclass(frozen=True, slots=True)
class DrawingSeen:
    """A text, the noise it is drawn from, and what is looked at.

    Attributes:
        draw_text: that the encoder reads.
        noise_seed: of the noise.
        guidance: how much the text counts.
        drawing_step: of the way from noise to picture; -1 for the last.
        drawn_picture: the picture whose attention is shown.
        looks_at: where in the network.
    """

    draw_text: str = param("draw a seven", label=N_("Text to draw"))
    noise_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed of the noise"))
    guidance: float = param(GUIDANCE, low=0.0, high=8.0, label=N_("Guidance"))
    drawing_step: int = param(-1, low=-1, high=99, lives="browser", label=N_("Step"))
    drawn_picture: int = param(0, low=0, high=99, picked=True, label=N_("Picture"))
    looks_at: str = param(
        "coarse",
        choices={
            "before": N_("14 × 14 places, first"),
            "coarse": N_("7 × 7 places"),
            "after": N_("14 × 14 places, last"),
        },
        label=N_("Cross-attention at"),
    )


@dataclass(frozen=True, eq=False)
class DigitsSeen:
    """What is known of the generator, what it drew, and what of that is looked at."""

    made: DigitTrainings
    run: DigitDrawings
    params: DrawingSeen

    @property
    def n_steps(self) -> int:
        """Steps of the way; the frames are one more."""
        return len(self.run.frames) - 1

    @property
    def frame(self) -> int:
        """The frame that is looked at."""
        step = self.params.drawing_step
        return self.n_steps if step < 0 else nearest("drawing_step", step, self.n_steps)

    @property
    def drawn(self) -> int:
        """The picture that is looked at."""
        return nearest("drawn_picture", self.params.drawn_picture, self.run.frames.shape[1] - 1)

    @property
    def says(self) -> NDArray[np.float64]:
        """What the classifier says of all pictures of each frame: the mean, ``(F, 10)``."""
        mean: NDArray[np.float64] = self.run.shares.astype(np.float64).mean(axis=1)
        return mean

    @property
    def labels(self) -> list[str]:
        """Labels of the tokens that the model draws for."""
        return tokens.labels(self.run.tokens)

    @property
    def along(self) -> Along:
        """The frames as an axis."""
        return Along("step", _("step"), [str(n) for n in range(self.n_steps + 1)])

    @property
    def pictures(self) -> Along:
        """The pictures as an axis."""
        n = self.run.frames.shape[1]
        return Along("picture", _("picture"), [str(picture) for picture in range(n)])

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"drawing_step": self.frame, "drawn_picture": self.drawn}


class DrawingView(View[DrawingSeen, DigitsSeen]):
    """A view of one text that is drawn."""

    Params, needs = DrawingSeen, NO_MODEL

    def requests(self, params: DrawingSeen) -> tuple[Request, ...]:
        return (DigitsRequest(params.draw_text, params.noise_seed, params.guidance),)

    def compute(self, runs: Sequence[Any], params: DrawingSeen) -> DigitsSeen:
        return DigitsSeen(index.read(), runs[0], params)

    def steps(self, record: DigitsSeen) -> Stepper:
        """From noise to picture."""
        titles = [when(record, frame) for frame in range(record.n_steps + 1)]
        return Stepper(
            title=_("From noise to picture"),
            selection=record.selection(),
            first=record.frame,
            field="drawing_step",
            before=1,
            titles=titles,
            texts=[self.said_of(record, frame) for frame in range(len(titles))],
            pace=160,
            keys=False,
        )

    @staticmethod
    def said_of(record: DigitsSeen, frame: int) -> Sentence:
        """What the classifier reads in the pictures of a frame."""
        mean = record.says[frame]
        best = int(mean.argmax())
        return sentence(
            _("The CNN gives “{digit}” {share} on average."),
            digit=str(best), share=percent(float(mean[best])),
        )  # fmt: skip


def when(record: DigitsSeen, frame: int) -> str:
    """A frame in words."""
    if frame == 0:
        return _("noise alone")
    return _("after step {n} of {all}").format(n=str(frame), all=str(record.n_steps))


def spoken(record: DigitsSeen) -> str:
    """The text as a sentence quotes it; nothing for an empty one."""
    return record.params.draw_text.strip()


# --- cross-attention of the generator: from which places of the picture each token is read


class DigitsLooksView(DrawingView):
    """A tile for each token: the picture, and how much each of its places attends to the token."""

    name = "digits.looks"

    def values(self, record: DigitsSeen) -> Mapping[str, Values]:
        weights = _weights(record)
        places = [str(n) for n in range(weights.shape[3])]
        steps = [str(n) for n in range(1, record.n_steps + 1)]
        axes = (
            Along("step", _("step"), steps),
            record.pictures,
            Along("token", _("token"), record.labels),
            Along("place", _("place"), places),
        )
        step = max(0, record.frame - 1)
        position = (step, record.drawn, int(_means(record, step).argmax()), 0)
        return {"weights": Values(_("attention weight"), weights.astype(np.float32), axes,
                                  selected=position)}  # fmt: skip

    def describe(self, record: DigitsSeen) -> Sentence:
        first, last = (_means(record, step) for step in (0, record.n_steps - 1))
        sentences = [
            sentence(
                _("In the first step, the places of picture {n} give “{token}” the most attention: "
                  "{share} on average. Equal weights would be {even}."),
                n=str(record.drawn), even=percent(1 / len(first)), **_heaviest_token(record, first),
            ),
            sentence(
                _("In the last step it is “{token}” with {share}."), **_heaviest_token(record, last)
            ),
        ]  # fmt: skip
        if last.argmax() == len(last) - 1:
            sentences.append(sentence(
                _("The end mark is a token too. Its vector has read the whole text inside T5.")
            ))  # fmt: skip
        return join(sentences)

    def draw(self, record: DigitsSeen) -> Tiles:
        weights, frames = _weights(record)[:, record.drawn], record.run.frames[:, record.drawn]
        n_steps, n_tokens, n_places = weights.shape
        side = math.isqrt(n_places)
        # Before the first step nothing has attended; its own attention stands there, too.
        steps = [0, *range(n_steps)]
        largest = weights.max(axis=(0, 2), keepdims=True).astype(np.float64)
        heat = as_bytes(weights / np.maximum(largest, 1e-6), 0.0, 1.0)
        return Tiles(
            title=_("Cross-attention to each token, picture {n}").format(n=record.drawn),
            selection=record.selection(),
            tiles=[
                Tile(
                    _("“{token}”, {when}").format(
                        token=record.run.tokens[token].spoken, when=when(record, frame)
                    ),
                    f"{record.labels[token]} · {percent(float(weights[step, token].mean()))}",
                )
                for frame, step in enumerate(steps)
                for token in range(n_tokens)
            ],
            pictures=np.repeat(frames, n_tokens, axis=0),
            heat=heat[steps].reshape(-1, 1, side, side),
            heat_field="heat",
            columns=min(n_tokens, 8),
            side=112.0,
            frames=len(steps),
            frame_field="drawing_step",
            note=_("Colour: how much of its attention each place gives to this token. The scale "
                   "ends at the token's largest weight in all steps. Below: the mean over the "
                   "places. Weights are means over the heads."),
        )  # fmt: skip


def _weights(record: DigitsSeen) -> NDArray[np.float16]:
    """``(steps, N, S, P)`` where the learner looks."""
    return record.run.weights[record.params.looks_at]


def _means(record: DigitsSeen, step: int) -> NDArray[np.float64]:
    """In the picture that is looked at, the mean weight of each token ``(S,)``."""
    weights = _weights(record)[step, record.drawn].astype(np.float64)
    mean: NDArray[np.float64] = weights.mean(axis=1)
    return mean


def _heaviest_token(record: DigitsSeen, means: NDArray[np.float64]) -> dict[str, Mark]:
    """The token that gets the most, and how much."""
    most = int(means.argmax())
    return {
        "token": Mark(record.run.tokens[most].spoken, "key"),
        "share": Mark(percent(float(means[most])), "weight"),
    }


# --- how often the generator draws the digit that a text names: recorded, with the command


# By the name of a measure; the others name no digit.
SAID = {
    "trained_words": N_("texts it learned from, in words"),
    "trained_numerals": N_("texts it learned from, with numerals"),
    "held_words": N_("other texts, in words"),
    "held_numerals": N_("other texts, with numerals"),
    "french_words": N_("the French words"),
}
ROLES = ("query", "key")  # of their bars


@dataclass(frozen=True)
class MeasuredDigits:
    """What was measured, and how it was made."""

    made: DigitTrainings

    @property
    def shown(self) -> list[Measure]:
        """Those that name a digit, at the guidance that the page opens with."""
        measures = [self.made.measure(name, GUIDANCE) for name in SAID]
        return [measure for measure in measures if measure is not None]

    @property
    def judges(self) -> tuple[str, ...]:
        """The classifiers, by their ids; the first is the one that the page asks, too."""
        return self.made.judges

    def share(self, measure: Measure, judge: str) -> float:
        return measure.right[judge] / measure.n


class DigitsMeasuredView(View[DrawingSeen, MeasuredDigits]):
    """A bar for each kind of text and each classifier."""

    name, Params, needs = "digits.measured", DrawingSeen, NO_MODEL

    def compute(self, runs: Sequence[Any], params: DrawingSeen) -> MeasuredDigits:
        return MeasuredDigits(index.read())

    def values(self, record: MeasuredDigits) -> Mapping[str, Values]:
        kinds = Along("texts", _("texts"), [_(SAID[measure.name]) for measure in record.shown])
        axes = (Along("model", _("model"), [name_of(judge) for judge in record.judges]), kinds)
        ends = np.array([
            [wilson(measure.right[judge], measure.n) for measure in record.shown]
            for judge in record.judges
        ]).reshape(len(record.judges), len(record.shown), 2)  # fmt: skip
        return {
            "share": Values(_("share read as the digit named"), _shares(record), axes),
            "low": Values(_("lower end of the 95 % interval"), ends[..., 0], axes),
            "high": Values(_("upper end of the 95 % interval"), ends[..., 1], axes),
            "n": Values(_("pictures"), np.array([measure.n for measure in record.shown]), (kinds,)),
        }

    def describe(self, record: MeasuredDigits) -> Sentence:
        sentences = [self._said(record, name) for name in ("trained_words", "held_words")]
        return join([part for part in sentences if part is not None])

    @staticmethod
    def _said(record: MeasuredDigits, name: str) -> Sentence | None:
        measure = record.made.measure(name, GUIDANCE)
        if measure is None:
            return None
        low, high = wilson(measure.right[record.judges[0]], measure.n)
        templates = {
            "trained_words": _("Of {n} pictures for texts it learned from, the CNN reads {share} "
                               "as the digit named (95 % interval: {low} to {high})."),
            "held_words": _("For texts whose wordings were held out from training, it is {share} "
                            "({low} to {high})."),
        }  # fmt: skip
        return sentence(
            templates[name], n=str(measure.n),
            share=Mark(percent(record.share(measure, record.judges[0])), "accent"),
            low=percent(low), high=percent(high),
        )  # fmt: skip

    def draw(self, record: MeasuredDigits) -> Bars:
        title = _("Share of pictures read as the digit named")
        return Bars(
            title=title,
            frames=[
                BarFrame(
                    [BarRow(measure.name, _(SAID[measure.name])) for measure in record.shown],
                    title=sentence("{title}", title=title),
                )
            ],
            values=_shares(record)[None],
            series=[Series(name_of(judge), ROLES[n % 2]) for n, judge in enumerate(record.judges)],
            stacked=True,
        )

    def notes(self, record: MeasuredDigits) -> Sequence[Note]:
        report = record.made
        text = sentence(
            _("Recorded by {command} at commit {commit}, on other noise than yours."),
            command=report.measured_by, commit=report.commit,
        )  # fmt: skip
        nothing = report.measure("a_dog", GUIDANCE)
        return (*([_no_digit(nothing, record.judges[0])] if nothing else []), Note("more", text))


def _no_digit(measure: Measure, judge: str) -> Note:
    """What becomes of a text that names no digit."""
    read = measure.read[judge]
    most = int(np.argmax(read))
    return Note("warning", sentence(
        _("“a dog” names no digit, and the generator never learned from a picture of a dog. It "
          "draws strokes all the same, in which the CNN most often reads “{digit}”: in {share} of "
          "{n} pictures."),
        digit=str(most), share=percent(read[most] / measure.n), n=str(measure.n),
    ))  # fmt: skip


def _shares(record: MeasuredDigits) -> np.ndarray[Any, np.dtype[np.float64]]:
    """``(models, texts)``."""
    return np.array([
        [record.share(measure, judge) for measure in record.shown] for judge in record.judges
    ]).reshape(len(record.judges), len(record.shown))  # fmt: skip


# --- the pictures on their way from noise, and what a classifier reads in each --------


class DigitsPicturesView(DrawingView):
    """A tile for each noise that was drawn from; the stepper moves all of them."""

    name = "digits.pictures"

    def values(self, record: DigitsSeen) -> Mapping[str, Values]:
        frames, shares = record.run.frames, record.run.shares
        over = (record.along, record.pictures)
        pixels = (
            *over,
            Along("row", _("row"), [str(n) for n in range(frames.shape[2])]),
            Along("column", _("column"), [str(n) for n in range(frames.shape[3])]),
        )
        digits = Along("digit", _("digit"), [str(n) for n in range(shares.shape[2])])
        best = int(shares[record.frame, record.drawn].argmax())
        place = (record.frame, record.drawn)
        return {
            "pixels": Values(_("pixel"), frames, pixels, selected=(*place, 0, 0)),
            "probability": Values(
                _("probability by the CNN"), shares, (*over, digits), selected=(*place, best)
            ),
        }

    def describe(self, record: DigitsSeen) -> Sentence:
        shares = record.run.shares[record.frame]
        digits = [f"{row.argmax()}" for row in shares]
        first = max(set(digits), key=digits.count)
        values: dict[str, Mark | str] = {
            "when": Mark(when(record, record.frame).capitalize(), "strong"),
            "n": Mark(str(digits.count(first)), "accent"), "all": str(len(digits)),
            "digit": Mark(first, "accent"),
        }  # fmt: skip
        if not spoken(record):
            return sentence(
                _("{when}, without a text, the CNN reads “{digit}” in {n} of {all} pictures."),
                **values,
            )
        return sentence(
            _("{when}, for {text}, the CNN reads “{digit}” in {n} of {all} pictures."),
            text=Mark(in_quotes(spoken(record)), "query"), **values,
        )  # fmt: skip

    def notes(self, record: DigitsSeen) -> Sequence[Note]:
        """How a picture is drawn."""
        text = sentence(
            _("It takes {n} equal steps. In each step the network reads the picture, how much of "
              "the way is done, and the text. It predicts the velocity v: how fast each pixel "
              "should become lighter or darker. This is flow matching, a close relative of "
              "diffusion that learns from straight ways between noise and picture (Lipman et al. "
              "2023). Each step is computed with your text and without any, and the guidance g "
              "multiplies their difference (as in Saharia et al. 2022, equation 2):"),
            n=grouped(record.n_steps),
        )  # fmt: skip
        return (Note("more", text),)

    def draw(self, record: DigitsSeen) -> Tiles:
        frames = record.run.frames
        n_frames, n = frames.shape[:2]
        return Tiles(
            title=_("Pictures from noise, with what the CNN reads in each"),
            alts=[str(self.describe(_moment(record, frame))) for frame in range(n_frames)],
            selection=record.selection(),
            tiles=[
                _tile(record, frame, picture) for frame in range(n_frames) for picture in range(n)
            ],
            pictures=frames.reshape(-1, *frames.shape[2:]),
            columns=n,
            side=112.0,
            fields=("drawn_picture",),
            shape=(n,),
            frames=n_frames,
            frame_field="drawing_step",
            note=_("Each picture begins with noise of its own. The seed draws it."),
        )


def _moment(record: DigitsSeen, step: int) -> DigitsSeen:
    """The same at another step."""
    return replace(record, params=replace(record.params, drawing_step=step))


def _tile(record: DigitsSeen, frame: int, picture: int) -> Tile:
    """What the classifier says of a picture at a step."""
    shares = record.run.shares[frame, picture]
    best = int(shares.argmax())
    return Tile(
        _("picture {n}, {when}").format(n=picture, when=when(record, frame)),
        f"{best} · {percent(float(shares[best]))}",
    )


# --- what a classifier that knows nothing of the text reads in the pictures -----------


class DigitsReadsView(DrawingView):
    """A bar for each digit: its probability by the CNN, the mean over the pictures."""

    name = "digits.reads"

    def values(self, record: DigitsSeen) -> Mapping[str, Values]:
        mean = record.says
        digits = Along("digit", _("digit"), [str(n) for n in range(mean.shape[1])])
        best = int(mean[record.frame].argmax())
        return {
            "probability": Values(
                _("probability by the CNN"), mean, (record.along, digits),
                selected=(record.frame, best),
            ),
            "last": Values(_("probability by the CNN, at the end"), mean[-1], (digits,),
                           selected=(int(mean[-1].argmax()),)),
        }  # fmt: skip

    def describe(self, record: DigitsSeen) -> Sentence:
        return self._said(record, record.frame)

    @staticmethod
    def _said(record: DigitsSeen, frame: int) -> Sentence:
        mean = record.says[frame]
        best = int(mean.argmax())
        return sentence(
            _("{when}, the CNN gives “{digit}” {share} on average over the pictures. It sees the "
              "pixels alone, not the text."),
            when=Mark(when(record, frame).capitalize(), "strong"),
            digit=Mark(str(best), "accent"), share=Mark(percent(float(mean[best])), "accent"),
        )  # fmt: skip

    def draw(self, record: DigitsSeen) -> Bars:
        mean = record.says
        frames = [
            BarFrame(
                [BarRow(str(digit), str(digit)) for digit in range(mean.shape[1])],
                title=sentence(
                    "{title}",
                    title=_("What the CNN reads, {when}").format(when=when(record, frame)),
                ),
                alt=str(self._said(record, frame)),
            )
            for frame in range(len(mean))
        ]
        return Bars(
            title=_("What the CNN reads in the pictures"),
            selection=record.selection(),
            frames=frames,
            values=mean[:, None, :],
            follow=Follow("drawing_step"),
            short=True,
            limit=10,
        )


# --- what the frozen encoder makes of the text: a vector for each token, which the generator reads


FULL = 0.99  # of the numbers have their own colour; single ones are far larger


class DigitsStatesView(DrawingView):
    """Rows are tokens, columns components of their vectors."""

    name = "digits.states"

    def values(self, record: DigitsSeen) -> Mapping[str, Values]:
        width = record.run.states.shape[1]
        axes = (
            Along("token", _("token"), record.labels),
            Along("component", _("component"), [str(n) for n in range(width)]),
        )
        return {"states": Values(_("encoder output"), record.run.states, axes)}

    def describe(self, record: DigitsSeen) -> Sentence:
        n, width = record.run.states.shape
        read = sentence(
            ngettext(
                "The text is {n} token for T5. Its encoder gives a vector of {width} numbers.",
                "The text is {n} tokens for T5. Its encoder gives each of them a vector of {width} "
                "numbers.",
                n,
            ),
            n=Mark(str(n), "accent"), width=str(width),
        )  # fmt: skip
        frozen = sentence(
            _("Nothing else about the text reaches the generator. The encoder learned from text "
              "alone and stayed frozen while the generator was trained.")
        )  # fmt: skip
        return join([read, frozen])

    def draw(self, record: DigitsSeen) -> Matrix:
        states = record.run.states
        limit = float(np.quantile(np.abs(states), FULL)) or 1.0
        title = _("Output of T5's encoder, one row per token")
        return Matrix(
            title=title,
            sheets=[
                Sheet(
                    title=title,
                    array="states",
                    rows=Axis(record.labels, "state_token", "query"),
                    cols=Axis([str(n) for n in range(states.shape[1])], "state_component",
                              "accent", hide=True),
                    scale=Scale("signed", limit),
                    axes=sentence(_("rows: tokens · columns: components")),
                    max_cell=14,
                )
            ],
            arrays={"states": np.ascontiguousarray(states, np.float32)},
        )  # fmt: skip

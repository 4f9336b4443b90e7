"""The pictures on their way from noise, and what a classifier reads in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.figures.components import Tile, Tiles
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped, in_quotes
from core.views.digits.drawing import OfDrawing, Shown, spoken, when
from core.views.view import Note


class Pictures(OfDrawing):
    """A tile for each noise that was drawn from; the stepper moves all of them."""

    name = "digits.pictures"

    def values(self, record: Shown) -> Mapping[str, Values]:
        frames, shares = record.run.frames, record.run.shares
        over = (record.along, record.pictures)
        pixels = (
            *over,
            Along("row", _("row"), [str(n) for n in range(frames.shape[2])]),
            Along("column", _("column"), [str(n) for n in range(frames.shape[3])]),
        )
        digits = Along("digit", _("digit"), [str(n) for n in range(shares.shape[2])])
        best = int(shares[record.at, record.drawn].argmax())
        place = (record.at, record.drawn)
        return {
            "pixels": Values(_("pixel"), frames, pixels, selected=(*place, 0, 0)),
            "probability": Values(
                _("probability by the CNN"), shares, (*over, digits), selected=(*place, best)
            ),
        }

    def describe(self, record: Shown) -> Sentence:
        shares = record.run.shares[record.at]
        said = [f"{row.argmax()}" for row in shares]
        first = max(set(said), key=said.count)
        values: dict[str, Mark | str] = {
            "when": Mark(when(record, record.at).capitalize(), "strong"),
            "n": Mark(str(said.count(first)), "accent"), "all": str(len(said)),
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

    def notes(self, record: Shown) -> Sequence[Note]:
        """How a picture is drawn."""
        said = sentence(
            _("It takes {n} equal steps. In each step the network reads the picture, how much of "
              "the way is done, and the text. It predicts the velocity v: how fast each pixel "
              "should become lighter or darker. This is flow matching, a close relative of "
              "diffusion that learns from straight ways between noise and picture (Lipman et al. "
              "2023). Each step is computed with your text and without any, and the guidance g "
              "multiplies their difference (as in Saharia et al. 2022, equation 2):"),
            n=grouped(record.n_steps),
        )  # fmt: skip
        return (Note("more", said),)

    def draw(self, record: Shown) -> Tiles:
        frames = record.run.frames
        n_frames, n = frames.shape[:2]
        return Tiles(
            title=_("Pictures from noise, with what the CNN reads in each"),
            alts=[str(self.describe(_moment(record, at))) for at in range(n_frames)],
            selection=record.selection(),
            tiles=[_tile(record, at, one) for at in range(n_frames) for one in range(n)],
            pictures=frames.reshape(-1, *frames.shape[2:]),
            columns=n,
            side=112.0,
            fields=("drawn_picture",),
            shape=(n,),
            frames=n_frames,
            frame_field="drawing_step",
            note=_("Each picture begins with noise of its own. The seed draws it."),
        )


def _moment(record: Shown, step: int) -> Shown:
    """The same at another step."""
    return replace(record, params=replace(record.params, drawing_step=step))


def _tile(record: Shown, at: int, one: int) -> Tile:
    """What the classifier says of a picture at a step."""
    shares = record.run.shares[at, one]
    best = int(shares.argmax())
    return Tile(
        _("picture {n}, {when}").format(n=one, when=when(record, at)),
        f"{best} · {percent(float(shares[best]))}",
    )

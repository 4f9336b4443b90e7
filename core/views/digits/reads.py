"""What a classifier that knows nothing of the text reads in the pictures."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.digits.drawing import OfDrawing, Shown, when


class Reads(OfDrawing):
    """A bar for each digit: its probability by the CNN, the mean over the pictures."""

    name = "digits.reads"

    def values(self, record: Shown) -> Mapping[str, Values]:
        mean = record.says
        digits = Along("digit", _("digit"), [str(n) for n in range(mean.shape[1])])
        best = int(mean[record.at].argmax())
        return {
            "probability": Values(
                _("probability by the CNN"), mean, (record.along, digits),
                selected=(record.at, best),
            ),
            "last": Values(_("probability by the CNN, at the end"), mean[-1], (digits,),
                           selected=(int(mean[-1].argmax()),)),
        }  # fmt: skip

    def describe(self, record: Shown) -> Sentence:
        return self._said(record, record.at)

    @staticmethod
    def _said(record: Shown, at: int) -> Sentence:
        mean = record.says[at]
        best = int(mean.argmax())
        return sentence(
            _("{when}, the CNN gives “{digit}” {share} on average over the pictures. It sees the "
              "pixels alone, not the text."),
            when=Mark(when(record, at).capitalize(), "strong"),
            digit=Mark(str(best), "accent"), share=Mark(percent(float(mean[best])), "accent"),
        )  # fmt: skip

    def draw(self, record: Shown) -> Bars:
        mean = record.says
        frames = [
            BarFrame(
                [BarRow(str(digit), str(digit)) for digit in range(mean.shape[1])],
                title=sentence(
                    "{title}",
                    title=_("What the CNN reads, {when}").format(when=when(record, at)),
                ),
                alt=str(self._said(record, at)),
            )
            for at in range(len(mean))
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

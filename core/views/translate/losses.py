"""The loss of the reference, the decoder reading the reference or its own words."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures import tokens
from core.figures.components import Plot
from core.figures.components.plot import Curve, PlotAxis, Rule
from core.figures.text import Sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.translate.forcing import Forced, OfForcing


class Losses(OfForcing):
    """Two curves that part where the tokens do."""

    name = "translate.losses"

    def values(self, record: Forced) -> Mapping[str, Values]:
        along = (Along("place", _("position"), _places(record)),)
        at = record.parts_at
        place = None if at is None or at + 1 >= len(record.loss) else (at + 1,)
        return {
            "forced": Values(_("loss with teacher forcing"), record.loss, along, _("nats"),
                             selected=place),
            "free": Values(_("loss in free running"), record.own_loss, along, _("nats"),
                           selected=place),
        }  # fmt: skip

    def describe(self, record: Forced) -> Sentence:
        return record.compared()

    def draw(self, record: Forced) -> Plot:
        at = record.parts_at
        # In free running only what stands before the parting is the same run.
        free = Curve(y=record.own_loss, role="key", name=_("reads its own tokens"), dash="dash",
                     markers=8, hover="{name}\n{x}: {y:.3f}")  # fmt: skip
        forced = Curve(y=record.loss, role="accent", name=_("reads the reference"), markers=6,
                       hover="{name}\n{x}: {y:.3f}")  # fmt: skip
        return Plot(
            title=_("Loss of each token of the reference, by what the decoder has read"),
            x=PlotAxis(title=_("token of the reference"), categories=_places(record)),
            y=PlotAxis(title=_("loss (nats)"), from_zero=True),
            series=[free, forced],
            rules=[] if at is None else [Rule(x=float(at), text=_("they part"), dash="dot")],
            unified=True,
            height=330,
        )


def _places(record: Forced) -> list[str]:
    """Position and token."""
    return [f"{at} {label}" for at, label in enumerate(tokens.labels(record.wanted))]

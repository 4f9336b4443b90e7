"""The loss of the film's model and the scores of its heads over the steps of training."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Panel, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Values
from core.language import _
from core.locale import grouped
from core.views.film.frames import OfFilm, Shown

START = 0.5  # where step 0 stands: a logarithmic axis has no 0
TICKS = (1, 10, 100, 1000, 10_000)
PIXELS = 100  # that the lower plot is high: what differs by less is one line


class Losses(OfFilm):
    """Curves over all steps, and a point for the moment that is looked at."""

    name = "film.losses"

    def values(self, record: Shown) -> Mapping[str, Values]:
        along = (record.along,)
        induction = record.scores("induction")
        numbers = {
            "held": (_("held-out loss in nats per token"), [one.held for one in record.frames]),
            "train": (_("training loss in nats per token"), [one.train for one in record.frames]),
            "text": (_("loss on your text in nats per token"), record.run.losses),
            "induction": (_("induction score"), induction[:, record.layer, record.head]),
            "best": (_("induction score of the strongest head"), induction.max(axis=(1, 2))),
            "gain": (_("gain on a repeated passage in nats per token"), record.gains()),
        }
        return {
            name: Values(title, np.asarray(array, np.float64), along, selected=(record.at,))
            for name, (title, array) in numbers.items()
        }

    def describe(self, record: Shown) -> Sentence:
        frame, base = record.frame, record.film.baselines
        said = [
            sentence(
                _("{when}, the held-out loss is {loss} nats per token. Counting pairs of tokens "
                  "would give {pairs}, equal chances for all tokens {chance}."),
                when=Mark(record.when.capitalize(), "strong"),
                loss=Mark(number(frame.held), "accent"),
                pairs=number(base["bigram"]), chance=number(base["uniform"]),
            ),
            sentence(
                _("Head {head} of layer {layer} has an induction score of {score}."),
                head=str(record.head), layer=str(record.layer),
                score=Mark(percent(self._score(record)), "key"),
            ),
            _repeated(frame.heads["repeat_gain"]),
        ]  # fmt: skip
        return join(said)

    @staticmethod
    def _score(record: Shown) -> float:
        return float(record.scores("induction")[record.at, record.layer, record.head])

    def draw(self, record: Shown) -> Plot:
        steps = np.maximum(record.steps, START)
        now = steps[record.at]
        ticks = [step for step in TICKS if step <= steps[-1]]
        return Plot(
            title=_("Loss and induction score"),
            x=PlotAxis(
                title=_("training step"), log=True, range=(START * 0.8, steps[-1] * 1.3),
                ticks=[START, *ticks], labels=["0", *map(grouped, ticks)],
            ),
            y=PlotAxis(title=_("loss in nats per token")),
            series=_of_losses(record, steps),
            rules=[
                Rule(x=now, role="accent", dash="dot"),
                Rule(y=record.film.baselines["bigram"], text=_("counting pairs"), dash="dash"),
                Rule(y=record.film.baselines["unigram"], text=_("counting tokens"), dash="dash"),
            ],
            below=[
                Panel(
                    y=PlotAxis(title=_("induction"), from_zero=True),
                    series=_of_heads(record, steps),
                    share=0.32,
                )
            ],
            height=440,
        )  # fmt: skip


def _repeated(gain: float) -> Sentence:
    """What reading a passage once is worth when it comes again."""
    text = _("A passage read twice is easier by {gain} nats per token the second time.")
    if gain < 0:
        text = _("A passage read twice is harder by {gain} nats per token the second time.")
    return sentence(text, gain=number(abs(gain)))


def _of_losses(record: Shown, steps: np.ndarray) -> list[Curve | Points]:
    """The whole curve of training, the frames' own losses, and a point."""
    at, held = record.at, np.array([one.held for one in record.frames])
    says = "{name}: {y:.2f}"
    curve = np.array(record.film.curve, np.float64)
    found: list[Curve | Points] = [
        Curve(x=curve[:, 0], y=curve[:, 1], role="muted", width=1, name=_("loss in training"),
              hover=says),
        Curve(x=steps, y=held, role="accent", markers=5, name=_("loss, held out"), hover=says),
        Points(x=[steps[at]], y=[held[at]], role="accent", size=13, legend=False,
               name=record.when, hover=says),
    ]  # fmt: skip
    own = record.run.losses
    if np.isfinite(own).all():
        found += [
            Curve(x=steps, y=own, role="query", dash="dash", markers=4, name=_("loss on your text"),
                  hover=says),
            Points(x=[steps[at]], y=[own[at]], role="query", size=11, legend=False,
                   name=_("loss on your text"), hover=says),
        ]  # fmt: skip
    return found


def _of_heads(record: Shown, steps: np.ndarray) -> list[Curve | Points]:
    """The chosen head's score of induction beside that of the strongest."""
    scores = record.scores("induction")
    own = scores[:, record.layer, record.head]
    best = scores.max(axis=(1, 2))
    named = _("layer {layer}, head {head}").format(layer=record.layer, head=record.head)
    beside = []
    if (best - own).max() < best.max() / PIXELS:  # its line would lie beneath this one
        named = _("layer {layer}, head {head}: the strongest head").format(
            layer=record.layer, head=record.head
        )
    else:
        beside = [Curve(x=steps, y=best, role="muted", dash="dot", name=_("strongest head"),
                        hover="{name}: {y:.3f}")]  # fmt: skip
    return [
        *beside,
        Curve(x=steps, y=own, role="key", markers=4, name=named, hover="{name}: {y:.3f}"),
        Points(x=[steps[record.at]], y=[own[record.at]], role="key", size=11, legend=False,
               name=named, hover="{name}: {y:.3f}"),
    ]  # fmt: skip

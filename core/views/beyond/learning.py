"""A model while it learns a preference: reward, KL divergence, distinct words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Panel
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.liked import Liked, Liking, Mean
from core.locale import grouped, listed
from core.preferences import PREFERENCES
from core.views.beyond.preferring import AGAINST, LIKED, STEPS, OfLiking, Watched
from core.views.view import Note

REPEATS = 0.6  # of the distinct words at the start: with fewer, texts repeat themselves
LINES: Mapping[str, tuple[str, Callable[[Liked], float]]] = {
    "reward": (N_("points per continuation"), lambda one: one.reward.value),
    "low": (N_("low end of the 95 % interval"), lambda one: one.reward.low),
    "high": (N_("high end of the 95 % interval"), lambda one: one.reward.high),
    "kl": (N_("KL divergence from the start, nats per token"), lambda one: one.kl.value),
    "words": (N_("share of distinct words"), lambda one: one.words),
}


class WhileItLearns(OfLiking):
    """Three panels over the steps; the training beside it in another colour."""

    name = "beyond.learning"

    def values(self, record: Watched) -> Mapping[str, Values]:
        found = {}
        for before, which, training in each(record):
            along = (Along("step", _("step"), [str(one.step) for one in training.told]),)
            for name, (label, of) in LINES.items():
                found[before + name] = Values(f"{_(label)}{which}", training.line(of), along)
        return found

    def describe(self, record: Watched) -> Sentence:
        own, last = record.own, record.own.last
        if not last.steps:
            return sentence(
                _("Before training, a continuation of an unseen prompt gets {reward} on average "
                  "({interval}): {counts}."),
                reward=Mark(points(last.reward), "accent"), interval=interval(last.reward),
                counts=_(PREFERENCES[record.params.preference].counts),
            )  # fmt: skip
        said = [
            sentence(
                _("After {step} of {steps} steps a continuation of an unseen prompt gets {now} on "
                  "average ({interval}). At the start it got {before}."),
                step=grouped(last.step), steps=grouped(last.steps),
                now=Mark(points(last.reward), "accent"), interval=interval(last.reward),
                before=points(own.first.reward),
            )
        ]  # fmt: skip
        if last.step and own.gain.low <= 0 <= own.gain.high:
            said.append(sentence(_("On so few prompts this change may be chance.")))
        said.append(
            sentence(
                _("The copy's KL divergence from the start is {kl} nats per token. On average "
                  "{words} of the words in a continuation are distinct (at the start {first})."),
                kl=Mark(number(last.kl.value), "accent"), words=percent(last.words),
                first=percent(own.first.words),
            )
        )  # fmt: skip
        if record.other is not None:
            said.append(_beside(record.other.last, _(AGAINST[record.params.against])))
        if any(
            training.last.words < REPEATS * own.first.words for _b, _w, training in each(record)
        ):
            said.append(
                sentence(_("The texts repeat words. Where that brings points and nobody would "
                           "want to read it, it is called reward hacking."))
            )  # fmt: skip
        return join(said)

    def notes(self, record: Watched) -> Sequence[Note]:
        """What the judge counts, and how much of the copy learns."""
        liked, last = PREFERENCES[record.params.preference], record.own.last
        said = [sentence(_("The judge is a rule: {counts}."), counts=_(liked.counts))]
        if liked.words:
            said = [sentence(_("The judge is a rule: {counts}. The list: {words}."),
                             counts=_(liked.counts), words=listed(liked.words))]  # fmt: skip
        if not record.params.preferring:
            said.append(sentence(
                _("The copy equals the model on the shelf. Training takes about a minute.")
            ))  # fmt: skip
        sizes = sentence(
            _("A continuation has up to {new} tokens. Only the biases and norms of the last two "
              "layers and the final norm learn: {learned} of {all} parameters."),
            new=grouped(last.new), learned=grouped(last.learned), all=grouped(last.parameters),
        )  # fmt: skip
        return Note("info", join(said)), Note("more", sizes)

    def draw(self, record: Watched) -> Plot:
        def curves(name: str, *, legend: bool = False) -> list[Curve]:
            return [
                _curve(training, name, before, which, legend=legend)
                for before, which, training in each(record)
            ]  # fmt: skip

        liked = _(LIKED[record.params.preference])
        return Plot(
            title=_("Learning to write {liked}").format(liked=liked),
            x=PlotAxis(title=_("training step"), range=(0, record.own.last.steps or STEPS)),
            y=PlotAxis(title=_("points, unseen prompts"), from_zero=True),
            series=[*curves("reward", legend=True), *curves("low"), *curves("high")],
            below=[
                Panel(y=PlotAxis(title=_("nats per token"), from_zero=True),
                      series=curves("kl"), share=0.26),
                Panel(y=PlotAxis(title=_("distinct words"), range=(0, 1.05)),
                      series=curves("words"), share=0.22),
            ],
            unified=True,
            height=520,
        )  # fmt: skip


class RewardOverDistance(OfLiking):
    """What a training gained for how far it went."""

    name = "beyond.frontier"

    def absent(self, record: Watched) -> bool:
        return not record.params.preferring

    def values(self, record: Watched) -> Mapping[str, Values]:
        found = {}
        for before, which, training in each(record):
            along = (Along("step", _("step"), [str(one.step) for one in training.told]),)
            for name in ("kl", "reward"):
                label, of = LINES[name]
                found[before + name] = Values(f"{_(label)}{which}", training.line(of), along)
        return found

    def describe(self, record: Watched) -> Sentence:
        own = record.own
        if not own.last.step:
            return sentence(
                _("The start is at 0 nats, with {points}. Training moves the point to the right, "
                  "and upwards if the copy learns what is liked."),
                points=Mark(points(own.last.reward), "accent"),
            )  # fmt: skip
        return sentence(
            _("The training gained {gain} ({interval}) for {kl} nats per token."),
            gain=Mark(points(own.gain), "accent"), interval=interval(own.gain),
            kl=Mark(number(own.last.kl.value), "accent"),
        )  # fmt: skip

    def draw(self, record: Watched) -> Plot:
        reward, kl = LINES["reward"][1], LINES["kl"][1]
        series = [
            Curve(
                x=training.line(kl), y=training.line(reward), markers=7,
                role="key" if before else "accent",
                name=_(AGAINST[record.params.against]) if before else _("this training"),
                hover=_("{name}: {y:.2f} points at {x:.3f} nats per token"), legend=bool(before),
            )
            for before, _which, training in each(record)
        ]  # fmt: skip
        return Plot(
            title=_("Reward over KL divergence from the start"),
            x=PlotAxis(title=_("KL divergence from the start, nats per token"), from_zero=True),
            y=PlotAxis(title=_("points, unseen prompts"), from_zero=True),
            series=series,
            height=320,
        )


def points(mean: Mean) -> str:
    """A reward in words."""
    return str(sentence(_("{n} points"), n=number(mean.value, 2)))


def interval(mean: Mean) -> str:
    """Where a mean lies."""
    return _("95 % interval {low} to {high}").format(
        low=number(mean.low, 2), high=number(mean.high, 2)
    )


def each(record: Watched) -> list[tuple[str, str, Liking]]:
    """The trainings: what stands before their names, what is said behind, and what is known."""
    found = [("", "", record.own)]
    if record.other is not None:
        found.append(("other_", f" ({_(AGAINST[record.params.against])})", record.other))
    return found


def _beside(last: Liked, change: str) -> Sentence:
    return sentence(
        _("With “{change}” it gets {points}. Its KL divergence is {kl} nats per token, and "
          "{words} of the words are distinct."),
        change=change, points=Mark(points(last.reward), "key"), kl=number(last.kl.value),
        words=percent(last.words),
    )  # fmt: skip


def _curve(training: Liking, name: str, before: str, which: str, *, legend: bool) -> Curve:
    label, of = LINES[name]
    end = name in ("low", "high")
    return Curve(
        x=np.array([one.step for one in training.told]), y=training.line(of),
        name=f"{_(label)}{which}", role="key" if before else "accent",
        dash="dot" if end else "solid", width=1 if end else 2,
        markers=0 if end else 5, hover="{name}: {y:.3f}", legend=legend,
    )  # fmt: skip

"""A small Transformer while it learns: losses, right sequences, learning rate, gradient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash, Panel, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.practised import Practice, Practised
from core.locale import grouped
from core.views.learning.practising import BESIDES, EXERCISES, STEPS, OfPractice, Watched
from core.views.view import Note

LEARNED = 0.99  # of whole sequences
BY_HEART = 1.5  # times its least, and above a tenth of its first: so far a loss may not rise
LINES: Mapping[str, tuple[str, Callable[[Practised], float]]] = {
    "loss": (N_("loss in training"), lambda one: one.loss),
    "unseen": (N_("loss, held out"), lambda one: one.unseen),
    "whole": (N_("whole sequences right, step by step"), lambda one: one.whole),
    "forced": (N_("whole sequences right, with teacher forcing"), lambda one: one.forced),
    "rate": (N_("learning rate"), lambda one: one.rate),
    "norm": (N_("size of the gradient"), lambda one: one.norm),
}


class WhileItLearns(OfPractice):
    """Four panels over the steps; the training beside it in another colour."""

    name = "learning.practice"

    def values(self, record: Watched) -> Mapping[str, Values]:
        found = {}
        for before, which, practice in _each(record):
            along = (Along("step", _("step"), [str(one.step) for one in practice.told]),)
            for name, (label, of) in LINES.items():
                said = f"{_(label)}{which}"
                found[before + name] = Values(said, practice.line(of), along)
        return found

    def describe(self, record: Watched) -> Sentence:
        last = record.own.last
        if not last.steps:
            return sentence(
                _("Before the first step the model gets {whole} of the held-out sequences right. "
                  "Its loss is {loss} nats per symbol."),
                whole=Mark(percent(last.whole), "accent"), loss=number(last.unseen),
            )  # fmt: skip
        now = sentence(
            _("After {step} of {steps} steps the model writes {whole} of the held-out sequences "
              "without a mistake. With the right symbols before each it gets {forced} whole."),
            step=grouped(last.step), steps=grouped(last.steps),
            whole=Mark(percent(last.whole), "accent"), forced=percent(last.forced),
        )  # fmt: skip
        said = [now]
        learned = record.own.learned_at(LEARNED)
        if learned is not None:
            said.append(
                sentence(_("It has been above {share} since step {step}."), share=percent(LEARNED),
                         step=grouped(learned))
            )  # fmt: skip
        said += _by_heart(record.own)
        if record.other is not None:
            other = record.other.last
            said.append(
                sentence(
                    _("With “{change}”, after {step} steps, it is {whole}."),
                    change=_(BESIDES[record.params.beside]), step=grouped(other.step),
                    whole=Mark(percent(other.whole), "key"),
                )
            )  # fmt: skip
        return join(said)

    def draw(self, record: Watched) -> Plot:
        def curves(*names: str, legend: bool = True) -> list[Curve]:
            return [
                _curve(practice, name, before, which, legend=legend)
                for before, which, practice in _each(record) for name in names
            ]  # fmt: skip

        steps = record.own.last.steps or STEPS
        return Plot(
            title=_("Learning to {exercise}").format(
                exercise=_(EXERCISES[record.params.exercise])
            ),
            x=PlotAxis(title=_("training step"), range=(0, steps)),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=curves("loss", "unseen"),
            below=[
                Panel(y=PlotAxis(title=_("share right"), range=(0, 1.05)),
                      series=curves("whole", "forced"), rules=[Rule(y=LEARNED)], share=0.3),
                Panel(y=PlotAxis(title=_("rate"), from_zero=True),
                      series=curves("rate", legend=False), share=0.16),
                Panel(y=PlotAxis(title=_("gradient"), from_zero=True),
                      series=curves("norm", legend=False), share=0.18),
            ],
            unified=True,
            height=620,
        )  # fmt: skip

    def notes(self, record: Watched) -> Sequence[Note]:
        if record.params.practising:
            return ()
        said = sentence(
            _("It is untrained. Training takes about a quarter of a minute, and longer while "
              "the computer is busy.")
        )  # fmt: skip
        return (Note("more", said),)

    def line(self, record: Watched) -> tuple[str, str]:
        return "core/live_training/practice.py", "norm = torch.nn.utils.clip_grad_norm_("


def _by_heart(practice: Practice) -> list[Sentence]:
    """That the loss on what is held out has risen again, if it has."""
    unseen = practice.line(lambda one: one.unseen)
    if unseen[-1] <= max(BY_HEART * unseen.min(), 0.1 * unseen[0]):
        return []
    at = practice.told[int(unseen.argmin())].step
    words = sentence(
        _("The loss on what is held out was lowest at step {step}, with {least}, and is {now} "
          "now: the model learns by heart."),
        step=grouped(at), least=number(float(unseen.min())),
        now=Mark(number(float(unseen[-1])), "warning"),
    )  # fmt: skip
    return [words]


def _each(record: Watched) -> list[tuple[str, str, Practice]]:
    """The trainings: what stands before their names, what is said behind, and what is known."""
    found = [("", "", record.own)]
    if record.other is not None:
        found.append(("other_", f" ({_(BESIDES[record.params.beside])})", record.other))
    return found


def _curve(practice: Practice, name: str, before: str, which: str, *, legend: bool) -> Curve:
    label, of = LINES[name]
    dash: Dash = "dash" if name in ("unseen", "forced") else "solid"
    role = "key" if before else "value" if name in ("whole", "forced") else "accent"
    return Curve(
        x=np.array([one.step for one in practice.told]), y=practice.line(of),
        name=f"{_(label)}{which}", role=role, dash=dash,
        markers=4 if len(practice.told) == 1 else 0, hover="{name}: {y:.4f}",
        legend=legend and (not before or name == "loss"),
    )  # fmt: skip

"""Teacher forcing beside free running: what the decoder reads, what it would choose, the loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import log_softmax
from core.data.examples import TRANSLATED
from core.figures import tokens
from core.figures.components import Plot, Strip
from core.figures.components.plot import Curve, PlotAxis, Rule
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.figures.values import Along, Values
from core.inputs import SourceTarget
from core.language import N_, _
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.kinds.trace import ATTENTION, Run, TraceRequest
from core.runs.request import Request
from core.units import Token
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.view import View

# --- teacher forcing beside free running: what the decoder reads, what it would choose, the loss


@dataclass(frozen=True, slots=True)
class Forcing(OnText):
    """A source, and a translation of it that somebody else wrote.

    Attributes:
        reference: the translation; when empty, the target, or that of an example.
        forced: the token of it that is looked at; -1 for the one where the two part.
    """

    reference: str = param("", label=N_("Reference translation"))
    forced: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Place"))

    @property
    def taught(self) -> str:
        """The reference; empty where there is none, and the model's own stands for it."""
        return taught(self.text, self.target, self.reference)


def taught(text: str, target: str, reference: str) -> str:
    """The translation that is read: the reference, the target, that of an example; or empty."""
    return reference.strip() or target or TRANSLATED.get(text, "")


@dataclass(frozen=True)
class Forced:
    """Both runs, position by position.

    Attributes:
        params: what was asked for.
        read: the tokens that the decoder reads from the teacher, ``(T,)``, the start mark first.
        targets: those that it must predict there, ``(T,)``, the end mark last.
        chosen: those that it finds most probable there, ``(T,)``.
        loss: ``(T,)`` nats, of ``targets``.
        writing: those that it writes by itself, the end mark last.
        own_cost: ``(len(writing),)`` nats: what they cost it.
        own_loss: ``(T,)`` nats, of ``targets`` after as many tokens of its own; NaN behind its end.
    """

    params: Forcing
    read: Sequence[Token]
    targets: Sequence[Token]
    chosen: Sequence[Token]
    loss: NDArray[np.float64]
    writing: Sequence[Token]
    own_cost: NDArray[np.float64]
    own_loss: NDArray[np.float64]

    @property
    def parts_at(self) -> int | None:
        """The first position where what it writes is not what was wanted; None for nowhere."""
        pairs = zip(self.writing, self.targets, strict=False)
        return next(
            (n for n, (written, reference) in enumerate(pairs) if written.id != reference.id), None
        )

    @property
    def position(self) -> int:
        """The position that is looked at."""
        if self.params.forced >= 0:
            return nearest("forced", self.params.forced, len(self.targets) - 1)
        return self.parts_at or 0

    def reading(self, position: int) -> Sentence:
        """What is read, wanted and chosen at a position of the reference."""
        reference, chosen = self.targets[position], self.chosen[position]
        first = sentence(
            _("The decoder has read the reference up to “{read}” and must predict “{wanted}”: "
              "{share}, a loss of {loss} nats."),
            read=Mark(self.read[position].spoken, "query"), wanted=Mark(reference.spoken, "accent"),
            share=percent(float(np.exp(-self.loss[position]))),
            loss=Mark(decimal(float(self.loss[position]), 3), "accent"),
        )  # fmt: skip
        if chosen.id == reference.id:
            return join([first, sentence(_("It would choose the same token."))])
        other = sentence(
            _("It would choose “{chosen}”, but the next step reads “{wanted}” all the same."),
            chosen=Mark(chosen.spoken, "key"), wanted=reference.spoken,
        )  # fmt: skip
        return join([first, other])

    def compared(self) -> Sentence:
        """Where the two part, and what that costs."""
        mean = sentence(
            _("With teacher forcing the loss is {loss} nats per token, mean over {n} positions."),
            loss=Mark(decimal(float(self.loss.mean()), 3), "accent"), n=str(len(self.loss)),
        )  # fmt: skip
        position = self.parts_at
        if position is None:
            same = sentence(
                _("On its own the model writes the reference, too, so the two runs never differ.")
            )
            return join([same, mean])
        parted = sentence(
            _("They first differ at position {at}: the reference has “{wanted}”, the model "
              "writes “{own}”."),
            at=str(position), wanted=Mark(self.targets[position].spoken, "accent"),
            own=Mark(self.writing[position].spoken, "key"),
        )  # fmt: skip
        behind = slice(position + 1, None)
        finite = np.isfinite(self.own_loss[behind])
        if not finite.any():
            return join([parted, mean])
        after = sentence(
            _("After that position, a token of the reference costs {forced} nats on average if "
              "the decoder reads the reference, and {free} if it reads what it wrote itself."),
            forced=Mark(decimal(float(self.loss[behind][finite].mean()), 3), "accent"),
            free=Mark(decimal(float(self.own_loss[behind][finite].mean()), 3), "key"),
        )  # fmt: skip
        return join([parted, mean, after])


class ForcingView(View[Forcing, Forced]):
    """A view of both runs."""

    Params, needs = Forcing, Needs("translate")

    def requests(self, params: Forcing) -> tuple[Request, ...]:
        free = OnText(text=params.text).given
        taught = SourceTarget(params.text, params.taught) if params.taught else free
        return tuple(
            TraceRequest(params.model, input_, sites=(ATTENTION,)) for input_ in (taught, free)
        )

    def compute(self, runs: Sequence[Run], params: Forcing) -> Forced:
        taught, free = runs
        require(taught.trace.model, [head.ability for head in taught.trace.blueprint.heads],
                "translate")  # fmt: skip
        return forced(taught, free, params)

    def controls(self, record: Forced) -> Sequence[Control]:
        params = record.params
        return (Control("reference", params.reference, "line", placeholder=params.taught),)

    def describe(self, record: Forced) -> Sentence:
        return record.compared()


def forced(taught: Run, free: Run, params: Forcing) -> Forced:
    """The record, from a run that read the reference and one that read what it wrote."""
    head, config = taught.trace.blueprint.head, taught.trace.config
    logs, own_logs = (log_softmax(run.trace[head.site]) for run in (taught, free))
    ids = np.array(taught.trace.streams[head.stream].ids)
    targets = np.array([*ids[1:], config.end_id])
    written = [*free.trace.streams[head.stream].ids[1:], config.end_id]
    loss = -logs[np.arange(len(targets)), targets]
    own_loss = np.full(len(targets), np.nan)
    both = min(len(targets), len(written))
    own_loss[:both] = -own_logs[np.arange(both), targets[:both]]
    allowed = logs.copy()
    if config.start_id != config.end_id:
        allowed[:, config.start_id] = -np.inf
    return Forced(
        params=params,
        read=[taught.words(int(i)) for i in ids],
        targets=[taught.words(int(i)) for i in targets],
        chosen=[taught.words(int(i)) for i in allowed.argmax(axis=1)],
        loss=loss,
        writing=[free.words(int(i)) for i in written],
        own_cost=-own_logs[np.arange(len(written)), written],
        own_loss=own_loss,
    )


# --- the reference under teacher forcing: at each place the loss, and what the model would choose


class TranslateTaughtView(ForcingView):
    """What must be predicted, token by token."""

    name = "translate.taught"

    def values(self, record: Forced) -> Mapping[str, Values]:
        place = (record.position,)
        along = (Along("place", _("position"), [str(i) for i in range(len(record.targets))]),)
        rows = {"read": record.read, "wanted": record.targets, "chosen": record.chosen}
        labels = {"read": _("read"), "wanted": _("to predict"), "chosen": _("most probable")}
        values = {
            name: Values(labels[name], np.array(tokens.labels(row), object), along, selected=place)
            for name, row in rows.items()
        }
        loss = Values(_("loss"), record.loss, along, _("nats"), selected=place)
        return {"loss": loss, **values}

    def describe(self, record: Forced) -> Sentence:
        return record.reading(record.position)

    def draw(self, record: Forced) -> Strip:
        chips = [
            replace(tokens.chip(target), detail=f"≠ {chosen.label}")
            if chosen.id != target.id else tokens.chip(target)
            for target, chosen in zip(record.targets, record.chosen, strict=True)
        ]  # fmt: skip
        return Strip(
            title=_("The reference under teacher forcing, loss in nats"),
            selection={"forced": record.position},
            name=_("Reference"),
            tokens=chips,
            field="forced",
            default=record.position,
            heading=sentence(
                _("Teacher forcing: under each token of the reference its loss in nats, and after "
                  "≠ what the model would choose instead")
            ),
            heat=record.loss,
            heat_role="accent",
            heat_limit=max(1.0, float(record.loss.max())),
            heat_digits=2,
            readings=[record.reading(position) for position in range(len(record.targets))],
        )  # fmt: skip


# --- the model left to itself: what it writes, and where it leaves the reference ------


class TranslateFreeView(ForcingView):
    """Its own tokens, each read before the next one is written."""

    name = "translate.free"

    def values(self, record: Forced) -> Mapping[str, Values]:
        along = (
            Along(
                "place", _("position"), [str(position) for position in range(len(record.writing))]
            ),
        )
        parts = len(record.writing) if record.parts_at is None else record.parts_at
        return {
            "token": Values(_("token"), np.array(tokens.labels(record.writing), object), along),
            "cost": Values(_("loss"), record.own_cost, along, _("nats")),
            "parts_at": Values(_("position where they part"), np.array(parts)),
        }

    def draw(self, record: Forced) -> Strip:
        pairs = zip_longest(record.writing, record.targets[: len(record.writing)])
        chips = [
            replace(chip, detail=f"≠ {target.label if target else '–'}")
            if target is None or target.id != token.id else chip
            for token, target in pairs
            for chip in (tokens.chip(token, born=not token.special),)
        ]  # fmt: skip
        return Strip(
            title=_("The model left to itself, loss in nats"),
            selection={"forced": record.position},
            name=_("Written by the model"),
            tokens=chips,
            field="forced",
            default=min(record.position, len(chips) - 1),
            heading=sentence(
                _("Free running: what the model writes when it reads its own tokens, and after ≠ "
                  "what stands there in the reference")
            ),
            heat=record.own_cost,
            heat_role="accent",
            heat_limit=max(1.0, float(record.loss.max())),
            heat_digits=2,
            readings=[record.compared()],
        )  # fmt: skip


# --- the loss of the reference, the decoder reading the reference or its own words ----


class TranslateLossesView(ForcingView):
    """Two curves that part where the tokens do."""

    name = "translate.losses"

    def values(self, record: Forced) -> Mapping[str, Values]:
        along = (Along("place", _("position"), _places(record)),)
        position = record.parts_at
        place = None if position is None or position + 1 >= len(record.loss) else (position + 1,)
        return {
            "forced": Values(_("loss with teacher forcing"), record.loss, along, _("nats"),
                             selected=place),
            "free": Values(_("loss in free running"), record.own_loss, along, _("nats"),
                           selected=place),
        }  # fmt: skip

    def draw(self, record: Forced) -> Plot:
        position = record.parts_at
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
            rules=[]
            if position is None
            else [Rule(x=float(position), text=_("they part"), dash="dot")],
            unified=True,
            height=330,
        )


def _places(record: Forced) -> list[str]:
    """Position and token."""
    return [f"{i} {label}" for i, label in enumerate(tokens.labels(record.targets))]

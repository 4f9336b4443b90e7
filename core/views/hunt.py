"""A machine with a hidden fault: its symptoms, what a probe shows, and the score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.faults.table import BY_ID, FAULTS
from core.figures.text import Mark, sentence
from core.language import N_, _, ngettext
from core.runs.kinds.faults import FaultRequest
from core.runs.request import Request
from core.views.attention.head import AtHead
from core.views.bench import (
    Broken,
    GuessesOfSides,
    SizesOfSides,
    TwoSidesView,
    WeightsOfSides,
    faults_of,
    known_as,
)
from core.views.controls import Control, Press
from core.views.params import MAX_SEED, param
from core.views.view import Note

# --- a hunt: which fault a seed hides, what was probed and guessed, and what that is worth


FULL, WRONG = 10, 3  # points at the start, and what a wrong diagnosis costs
GIVEN_UP = "?"
UNDECIDED = N_("Not decided yet")
MOST_TRIES = 30
_TRY = "|".join(map(re.escape, (*BY_ID, GIVEN_UP)))
TRIES = rf"(({_TRY})( ({_TRY})){{0,{MOST_TRIES - 1}}} ?)?"
# What may be bought: a letter in the link, its price, and what it is called.
PROBES: dict[str, tuple[int, str]] = {
    "r": (1, N_("Run the same text again")),
    "g": (1, N_("Compare the predictions")),
    "s": (1, N_("Compare the sizes")),
    "w": (2, N_("Compare the attention weights")),
}


@dataclass(frozen=True, slots=True)
class Hunting(AtHead):
    """A head of a machine, and how far the hunt has come.

    Attributes:
        hunt_seed: draws the fault.
        hunt_probes: what was bought.
        hunt_tries: the diagnoses so far, by their ids.
        suspect: the diagnosis that is being considered; empty before one is.
    """

    hunt_seed: int = param(1, low=0, high=MAX_SEED, label=N_("Number of the bug"))
    hunt_probes: str = param("", pattern=r"[rgsw]{0,4}", form=N_("letters of probes"),
                             high=4, label=N_("Probes"))  # fmt: skip
    hunt_tries: str = param("", pattern=TRIES, high=700,
                            form=N_("names of faults"), label=N_("Diagnoses"))  # fmt: skip
    suspect: str = param(
        "",
        choices={"": UNDECIDED, **{fault.id: fault.name for fault in FAULTS}},
        label=N_("Diagnosis"),
    )

    @property
    def tries(self) -> tuple[str, ...]:
        """What was diagnosed, each once, in order."""
        names = re.findall(r"\S+", self.hunt_tries)
        return tuple(dict.fromkeys(name for name in names if name in BY_ID or name == GIVEN_UP))

    @property
    def probes(self) -> tuple[str, ...]:
        """What was bought, each once."""
        return tuple(dict.fromkeys(self.hunt_probes))


@dataclass(frozen=True, slots=True)
class HuntStanding:
    """How a hunt stands.

    Attributes:
        over: the fault was found, or the hunt was given up.
        solved: it was found.
        points: what it is worth now.
        wrong: diagnoses that were not right, by their ids.
    """

    over: bool
    solved: bool
    points: int
    wrong: tuple[str, ...]


def standing(record: Broken) -> HuntStanding:
    """How the hunt stands by what was bought and guessed."""
    params: Any = record.params
    hidden, tries = record.runs.fault, params.tries
    ends = [n for n, guess in enumerate(tries) if guess in (hidden, GIVEN_UP)]
    solved = bool(ends) and tries[ends[0]] == hidden
    before = tries[: ends[0]] if ends else tries
    paid = sum(PROBES[probe][0] for probe in params.probes)
    points = max(0, FULL - paid - WRONG * len(before))
    return HuntStanding(bool(ends), solved, points if solved or not ends else 0, before)


class HuntView(TwoSidesView):
    """A view of a machine whose fault is hidden; ``bought`` is the probe that shows more of it."""

    Params = Hunting
    bought: str

    def requests(self, params: Any) -> tuple[Request, ...]:
        return (FaultRequest(params.model, params.given, seed=params.hunt_seed),)

    def compute(self, runs: Sequence[Any], params: Any) -> Broken:
        sides = ["broken"]
        if "r" in params.probes and self.bought == "g":
            sides.append("again")
        if self.bought in params.probes:
            sides.append("healthy")
        return Broken(runs[0], params, tuple(sides))

    def controls(self, record: Broken) -> Sequence[Control]:
        params: Any = record.params
        controls = [*super().controls(record), _another(params)]
        now = standing(record)
        if now.over:
            return [*controls, Control.none("suspect")]
        names = faults_of(record.broken.trace.blueprint, hunted=True)
        open_ = {"": UNDECIDED} | {
            fault: name for fault, name in names.items() if fault not in now.wrong
        }
        suspect = params.suspect if params.suspect in open_ else ""
        offered = [(fault, _(name)) for fault, name in open_.items()]
        return [
            *controls, Control("suspect", suspect, options=offered),
            _diagnosis(params, suspect), _probes(params),
        ]  # fmt: skip

    def notes(self, record: Broken) -> Sequence[Note]:
        """How the hunt stands; which fault it is says nothing before it is over."""
        now = standing(record)
        if now.over:
            return (_end(record, now), *record.in_code)
        score = sentence(
            ngettext("{points} point left of {all}.", "{points} points left of {all}.", now.points),
            points=Mark(str(now.points), "strong"), all=str(FULL),
        )  # fmt: skip
        missed = [fault for fault in map(known_as, now.wrong[-1:]) if fault is not None]
        template = _("Not this one: {fault}. Its symptom would be: {shows}")
        return (
            Note("question", score),
            *(Note("info", sentence(template, fault=_(fault.name), shows=_(fault.shows)))
              for fault in missed),
        )  # fmt: skip


def _another(params: Hunting) -> Control:
    """The next bug: nothing has been bought, said or thought of it."""
    following = (params.hunt_seed + 1) % (MAX_SEED + 1)
    anew = {"hunt_probes": None, "hunt_tries": None, "suspect": None}
    press = Press(_("Hunt another bug"), {"hunt_seed": str(following), **anew})
    return Control("hunt_next", "", "buttons", label=_("Bug hunt"), buttons=[press])


def _diagnosis(params: Hunting, suspect: str) -> Control:
    """A diagnosis, which no undo takes back."""

    def says(guess: str) -> dict[str, str | None]:
        return {"hunt_tries": " ".join([*params.tries, guess]), "suspect": None}

    label = _("Diagnose (−{n} if wrong)").format(n=WRONG)
    of = "hunt_seed"
    return Control("hunt_diagnosis", "", "buttons", label=_("Diagnosis"), buttons=[
        Press(label, says(suspect), chosen=True, able=bool(suspect), of=of),
        Press(_("Give up"), says(GIVEN_UP), of=of),
    ])  # fmt: skip


def _probes(params: Hunting) -> Control:
    """What may be bought, which no undo gives back."""
    buttons = []
    for letter, (price, called) in PROBES.items():
        bought = letter in params.probes
        label = _(called) if bought else f"{_(called)} (−{price})"
        sets = {"hunt_probes": "".join([*params.probes, letter])}
        buttons.append(Press(label, sets, able=not bought, of="hunt_seed"))
    return Control("hunt_buys", "", "buttons", label=_("Probes"), buttons=buttons)


def _end(record: Broken, now: HuntStanding) -> Note:
    """Which fault it was, and what finding it is worth."""
    if now.solved:
        words = ngettext("Found, with {n} point of {all}: {fault}.",
                         "Found, with {n} points of {all}: {fault}.", now.points)  # fmt: skip
    else:
        words = _("The fault was: {fault}.")
    values = {"n": str(now.points), "all": str(FULL)} if now.solved else {}
    return Note("info", sentence(words, fault=_(record.fault.name), **values))


class HuntWeightsView(HuntView, WeightsOfSides):
    """What the broken machine attends to."""

    name, bought = "hunt.weights", "w"


class HuntSizesView(HuntView, SizesOfSides):
    """How large its residual vectors are."""

    name, bought = "hunt.sizes", "s"


class HuntGuessesView(HuntView, GuessesOfSides):
    """The most likely words of the broken model, and of what else was bought."""

    name, bought = "hunt.guesses", "g"

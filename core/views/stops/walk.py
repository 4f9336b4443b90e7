"""The stops of the walk: what each machine has that the one before it has not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.examples import STOPS, TRANSLATOR
from core.language import N_, Phrase, _
from core.locale import listed
from core.models.blueprint import Attention, Blueprint
from core.views.nearest import missing
from core.views.params import Problem, model_param, param
from core.views.translate.forcing import Forcing

FIXED, CROSS, LOOKS_BACK, NO_RECURRENCE, BOTH_SIDES = range(5)
# What a machine of each stop is (translate with ``_``).
CALLED: tuple[str, ...] = (
    N_("a fixed state"),
    N_("cross-attention"),
    N_("self-attention"),
    N_("no recurrence"),
    N_("no mask in the encoder"),
)
# What changed at each (translate with ``_``).
CHANGES: tuple[str, ...] = (
    N_("The encoder reads the source token by token, from both ends. The decoder gets the last "
       "state of each direction and nothing else: together one vector, however long the sentence "
       "is."),
    N_("Before each token the decoder attends to all states of the encoder, not to the last ones "
       "alone. What it needs no longer has to fit into one vector."),
    N_("The decoder attends to its own earlier states, too. The last state no longer has to carry "
       "all that was written."),
    N_("Once attention carries what the states carried, the recurrent layers can go. Layers of "
       "attention and feed-forward take their place. At first the encoder reads from left to "
       "right only: a causal mask hides what comes later."),
    N_("The whole source is known from the start, so nothing need be hidden in it. Without the "
       "mask each source token attends to all others, before it and after it. This is the "
       "Transformer."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Walking(Forcing):
    """A source, a translation of it that somebody else wrote, and the machines that read both.

    Attributes:
        stops: their ids on the shelf, with a space between; empty for the model alone.
        token: the token of the translation that is looked at; -1 for the first word.
    """

    model: str = model_param(TRANSLATOR)
    stops: str = param(
        "", pattern=r"[\w ]{0,400}", form=N_("names of models"), high=400, label=N_("Machines")
    )
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))

    @property
    def machines(self) -> tuple[str, ...]:
        """The ids, each once; another model than these is alone."""
        named = tuple(dict.fromkeys(self.stops.split()))
        if named and self.model not in named:
            own = Phrase(N_("names of models, {model} among them"), model=self.model)
            missing("stops", self.stops, own)
        return named if self.model in named else (self.model,)

    def lacking(self, able: Collection[str]) -> list[Problem]:
        """The machines that are named and are none that translate.

        Args:
            able: the ids of those that do.
        """
        there = [one for one in self.stops.split() if one in able]
        if there == self.stops.split():
            return []
        wanted = _("some of {choices}").format(choices=listed(sorted(able)))
        return [Problem("stops", self.stops, wanted, " ".join(there))]


def stop_of(blueprint: Blueprint) -> int | None:
    """The number of the stop that a machine is; None for one that makes no target of a source."""
    if len(blueprint.streams) != 2:
        return None
    across = blueprint.across()
    if blueprint.recurrences:
        if across is None:
            return FIXED
        return CROSS if own(blueprint, blueprint.stream) is None else LOOKS_BACK
    reads = own(blueprint, blueprint.streams[0])
    if across is None or reads is None:
        return None
    return NO_RECURRENCE if reads.causal else BOTH_SIDES


def own(blueprint: Blueprint, stream: str) -> Attention | None:
    """The attention of a stream to itself, if there is one."""
    return next((one for one in blueprint.attentions if one.queries == one.keys == stream), None)


def new_at(blueprint: Blueprint) -> Attention | None:
    """The attention that a machine's stop is about; None where nothing attends to anything."""
    stop = stop_of(blueprint)
    if stop == CROSS:
        return blueprint.across()
    if stop == LOOKS_BACK:
        return own(blueprint, blueprint.stream)
    if stop in (NO_RECURRENCE, BOTH_SIDES):
        return own(blueprint, blueprint.streams[0])
    return None


def in_order(blueprints: Mapping[str, Blueprint], *first: str) -> list[str]:
    """One machine a stop, from the first to the last; of several the one of the example.

    Args:
        blueprints: of machines that translate, by id.
        first: machines that are taken before the others of their stop, the earlier ones first.
    """
    found: dict[int, str] = {}
    known = [one for one in first if one in blueprints]
    others = sorted(blueprints, key=lambda name: (name not in STOPS, name))
    for name in (*known, *others):
        stop = stop_of(blueprints[name])
        if stop is not None:
            found.setdefault(stop, name)
    return [found[stop] for stop in sorted(found)]

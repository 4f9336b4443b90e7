"""What can be changed in a run, as a link says it, and the edits that carry it out.

A name is a place of the model (``core.models.places``), which is then off: a head, a feed-forward
network, a key that a head may not attend to. Or a place with a word behind it:

    layer3.ffn.sum                      what goes round the network is not added
    layer3.head1.row7.key2.weight0.25   one weight of a row, the others rescaled
    layer3.head1.row7.key2.score-1.5    one score of a row, before the softmax
    temperature0.5                      divides the logits
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.models import places
from core.models.blueprint import Attention, Blueprint
from core.models.places import Place
from core.tracing.edits import Edit, OfSites, Shares

Kind = Literal["off", "sum", "weight", "score", "temperature"]

MOST = 8  # at once: each is run by itself, too
SCORES, HEAT = (-20.0, 20.0), (0.1, 3.0)  # from, to
_SUM = re.compile(r"((?:[a-z_]+\.)?layer\d{1,3})(?:\.(attn|cross|ffn))?\.sum")
_SET = re.compile(
    r"(.+\.head\d+)\.row(\d{1,4})\.key(\d{1,4})\.(weight|score)(-?\d{1,2}(?:\.\d{1,3})?)"
)
_HEAT = re.compile(r"temperature(\d(?:\.\d{1,2})?)")
PARTS = {"attn": ("attn", "resid_mid"), "cross": ("cross_attn", "resid_cross"),
         "ffn": ("ffn", "resid_post")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        name: as the link says it.
        kind: of it.
        place: where; None of the temperature, which is at the end.
        part: of a sum, what its layer adds there: "attn", "cross", "ffn"; empty for all of it.
        query, key: of a weight or a score.
        value: of a weight, a score or the temperature.
    """

    name: str
    kind: Kind
    place: Place | None = None
    part: str = ""
    query: int = 0
    key: int = 0
    value: float = 0.0

    def attention(self, blueprint: Blueprint) -> Attention | None:
        """The attention that it changes; None where it changes none."""
        return None if self.place is None else self.place.attention(blueprint)

    @property
    def cuts(self) -> bool:
        """Whether it takes a line away: one weight is 0."""
        return self.kind == "weight" and not self.value

    def edit(self, blueprint: Blueprint) -> Edit | None:
        """What carries it out; None of the temperature, and where the model has no such place."""
        place = self.place
        if place is None:
            return None
        if self.kind == "off":
            output = place.output(blueprint)
            return None if output is None else Edit(*output, value=place.value)
        if self.kind == "sum":
            return _without_way_round(place, self.part, blueprint)
        attention = place.attention(blueprint)
        if attention is None:
            return None
        head = () if attention.n_heads is None else (place.head or 0,)
        prefix = attention.prefix(place.layer)
        if self.kind == "score":
            return Edit(f"{prefix}.scores", (*head, self.query, self.key), self.value)
        return Edit(f"{prefix}.weights", (*head, self.query), ((self.key, self.value),))


def _without_way_round(place: Place, part: str, blueprint: Blueprint) -> Edit | None:
    """A sum that passes on only what its layer, or a part of it, has given."""
    stream, layer = place.stream or blueprint.stream, place.layer
    for stack in blueprint.stacks:
        if (
            part
            and stack.stream == stream
            and layer < stack.n_layers
            and (part != "cross" or stack.cross)
        ):
            name, total = PARTS[part]
            return Edit(
                f"{stack.block(layer)}.{total}",
                value=OfSites((f"{stack.block(layer)}.{name}.out",)),
            )
    for of in blueprint.recurrences:
        if part or of.stream != stream or of.summed_from is None:
            continue
        if of.summed_from <= layer < of.n_layers:
            states = tuple(f"{of.layer(layer, way)}.hidden" for way in of.directions)
            return Edit(of.handed_on[layer + 1], value=OfSites(states))
    return None


_LAYER = re.compile(r"((?:[a-z_]+\.)?layer\d{1,3})(\.ffn)?(?:\..+)?")


def sums(place: Place, blueprint: Blueprint) -> list[Change]:
    """The sums of a layer, or the one of its feed-forward network, that can be closed."""
    match = _LAYER.fullmatch(place.name)
    if match is None or place.head is not None:
        return []
    parts = ("ffn",) if match[2] else ("attn", "cross", "ffn", "")
    names = (f"{match[1]}.{part}.sum" if part else f"{match[1]}.sum" for part in parts)
    return [change for change in read_each(names) if change.edit(blueprint) is not None]


def read(text: str) -> Change | None:
    """The change of a name; None for none, and where a number is out of its range."""
    if match := _HEAT.fullmatch(text):
        value = float(match[1])
        return Change(text, "temperature", value=value) if HEAT[0] <= value <= HEAT[1] else None
    if match := _SUM.fullmatch(text):
        return Change(text, "sum", places.read(match[1]), part=match[2] or "")
    if match := _SET.fullmatch(text):
        place, value = places.read(match[1]), float(match[5])
        low, high = (0.0, 1.0) if match[4] == "weight" else SCORES
        if place is None or not low <= value <= high:
            return None
        kind: Kind = "weight" if match[4] == "weight" else "score"
        return Change(text, kind, place, query=int(match[2]), key=int(match[3]), value=value)
    place = places.read(text)
    return None if place is None else Change(text, "off", place)


def read_each(names: Iterable[str]) -> list[Change]:
    """The changes of names; what is none is left out."""
    return list(filter(None, map(read, names)))


def read_several(text: str) -> list[Change]:
    """The changes of names that are joined by "+", each once, at most ``MOST``."""
    return read_each(dict.fromkeys(text.split("+")))[:MOST]


def all_read(text: str) -> list[Change] | None:
    """The changes of names that are joined by "+"; None where one is no change, or for too many."""
    names = dict.fromkeys(text.split("+") if text else ())
    wrong = len(names) > MOST or any(read(name) is None for name in names)
    return None if wrong else read_several(text)


def temperature(changes: Iterable[Change]) -> float:
    """What the logits are divided by; 1 where nothing is said of it."""
    return next((change.value for change in changes if change.kind == "temperature"), 1.0)


Where = Callable[[str, int], Sequence[int]]  # from a position of a stream to what stands there now


def moved(change: Change, blueprint: Blueprint, where: Where) -> list[Change]:
    """The same change after words were swapped: what is taken away is so of all that stands there.

    Of several tokens in the place of one it is the last whose weight or score is set.
    """
    attention = change.attention(blueprint)
    if attention is None or change.place is None:
        return [change]
    if change.kind == "off":
        if (key := change.place.key) is None:
            return [change]
        keys = where(attention.keys, key)
        return [replace(change, place=replace(change.place, key=key)) for key in keys]
    query = where(attention.queries, change.query)[-1]
    keys = where(attention.keys, change.key)
    return [replace(change, query=query, key=key) for key in (keys if change.cuts else keys[-1:])]


def is_there(change: Change, blueprint: Blueprint, lengths: Callable[[str], int]) -> bool:
    """Whether a model has the place, and the run so many positions."""
    if change.place is None:
        return True
    attention = change.attention(blueprint)
    if attention is not None and change.kind in ("weight", "score"):
        return change.query < lengths(attention.queries) and change.key < lengths(attention.keys)
    if attention is not None and change.place.key is not None:
        return change.place.key < lengths(attention.keys)
    return change.edit(blueprint) is not None


def edits(changes: Iterable[Change], blueprint: Blueprint) -> tuple[Edit, ...]:
    """What carries changes out; weights of one row are one edit, in which each is as it was set."""
    by_target: dict[object, Edit] = {}
    for edit in filter(None, (change.edit(blueprint) for change in changes)):
        shares = isinstance(edit.value, tuple)
        target = (edit.site, edit.index) if shares else edit
        before = by_target.get(target)
        had: Shares = before.value if before and isinstance(before.value, tuple) else ()
        new: Shares = edit.value if isinstance(edit.value, tuple) else ()
        by_target[target] = replace(edit, value=(*had, *new)) if shares else edit
    return tuple(by_target.values())

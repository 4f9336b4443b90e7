"""The towers of a run: every part of it as a picture of its own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components.map import Tower
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.models.blueprint import Blueprint, Stack
from core.models.blueprint import Tower as Layers
from core.tracing.trace import Trace
from core.units import Unit
from core.views.map.drawn import N_CELLS, N_ROWS, first_shown, parts, wrote
from core.views.parts import stream_called, tower_called


def order(blueprint: Blueprint) -> list[str]:
    """The streams, the one that is answered from last."""
    return sorted(blueprint.streams, key=lambda stream: stream == blueprint.stream)


def field_of(blueprint: Blueprint, stream: str) -> str:
    """The parameter that names a position in a stream."""
    return "token" if stream == blueprint.stream else "source_token"


def tower(trace: Trace, stream: str) -> Tower:
    """All that is made of one stream of a run."""
    blueprint, shown = trace.blueprint, trace.streams[stream]
    n, first = len(shown.units), first_shown(trace, stream)
    return Tower(
        name=stream,
        title=_title(blueprint, stream),
        tokens=[tokens.chip(token, born=shown.written) for token in shown.units[first:]],
        first=first,
        field=field_of(blueprint, stream),
        parts=list(parts(trace, stream)),
        shown=_shown(blueprint, stream, n, first),
    )


def _title(blueprint: Blueprint, stream: str) -> str | None:
    """What a tower is and does, where there are several."""
    if len(blueprint.streams) == 1:
        return None
    named = {"stream": stream_called(blueprint, stream)}
    own = [one for one in blueprint.towers if one.stream == stream]
    if not own:
        return _("Tokens of the {stream}").format(**named)
    part = tower_called(own[-1])
    title = _("{part}: it reads the {stream}")
    if stream == blueprint.stream:
        title = _("{part}: it writes the {stream}")
    return title.format(part=part[:1].upper() + part[1:], **named)


def _shown(blueprint: Blueprint, stream: str, n: int, first: int) -> str:
    """Which of the tokens are drawn, where not all are."""
    if not first:
        return ""
    if blueprint.patches:
        return _("the last {n} of {all} patches").format(n=n - first, all=n)
    text = _("the last {n} of {all} tokens")
    if len(blueprint.streams) > 1:
        text = _("{stream}: the last {n} of {all} tokens")
    return text.format(stream=stream_called(blueprint, stream), n=N_ROWS, all=n)


def above(units: Sequence[Unit], first: int) -> str:
    """What stands above the first row that is drawn, in words; nothing where all is drawn."""
    if not first:
        return ""
    if not units[0].special:
        text = ngettext("{n} token above is not drawn", "{n} tokens above are not drawn", first)
        return text.format(n=first)
    if first == 1:
        return _("{mark} is not drawn").format(mark=units[0].label)
    text = ngettext("{mark} and {n} more token are not drawn",
                    "{mark} and {n} more tokens are not drawn", first - 1)  # fmt: skip
    return text.format(mark=units[0].label, n=first - 1)


def cells(width: int, *, patches: bool = False) -> str:
    """How many components of a vector so wide are drawn, of tokens or of patches."""
    n = width // N_CELLS
    if n <= 1:
        return _("every component of each token's vector")
    text = _("drawn: one component in {n} of each token's vector")
    if patches:
        text = _("drawn: one component in {n} of each patch's vector")
    return text.format(n=n)


def entries(size: int) -> str:
    """How many entries of a vocabulary of that size are drawn."""
    n = size // N_CELLS
    if n <= 1:
        return _("every entry of the vocabulary")
    return _("drawn: one entry in {n} of the vocabulary").format(n=n)


def told(blueprint: Blueprint, own: str) -> Iterator[Sentence]:
    """What a machine without attention knows of another stream than its own."""
    for one in blueprint.recurrences:
        if one.told is not None and one.stream == own:
            yield sentence(
                _("Nothing here attends to anything: of the {stream} the {part} knows only the "
                  "last states."),
                stream=stream_called(blueprint, one.told), part=tower_called(one),
            )  # fmt: skip


def numbers(trace: Trace, tower: Layers) -> tuple[str, Values]:
    """A number for each layer and position of a tower, and what it is called."""
    at = Along("position", _("token"), tokens.labels(trace.streams[tower.stream].units))
    layers = [str(layer) for layer in range(tower.n_layers)]
    if isinstance(tower, Stack):
        label, found = _("how much the feed-forward network writes"), wrote(trace, tower)
        return "wrote", Values(label, found, (Along("layer", _("layer"), layers), at))
    places = [f"{layer} {way}" for layer in layers for way in tower.directions]
    found = np.stack([
        np.linalg.norm(trace[f"{tower.layer(layer, way)}.hidden"], axis=-1)
        for layer in range(tower.n_layers) for way in tower.directions
    ])  # fmt: skip
    axes = (Along("layer", _("layer"), places), at)
    return "state", Values(_("length of the state"), found.astype(np.float32), axes)

"""Numbered steps: what every stepper is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.figures.payload import Payload
from core.figures.text import Sentence
from core.language import _


def stepper(
    n: int,
    *,
    first: int,
    field: str = "step",
    titles: Sequence[str] = (),
    texts: Sequence[Sentence] = (),
    clears: Sequence[str] = (),
    selection: Mapping[str, Any] | None = None,
    pace: int = 900,
    keys: bool = True,
    n_by: Mapping[str, Any] | None = None,
) -> Payload:
    """The stepper over steps 0 to ``n - 1``.

    Args:
        n: how many steps.
        first: where it stands when the page opens.
        field: name of the selection it moves.
        titles, texts: of each step; empty for none.
        clears: names of the selection that a step lets go of.
        selection: as the server knows it.
        pace: milliseconds a step while it plays.
        keys: the page's arrow keys move it; on a page with two, the main one's.
        n_by: ``{"field", "first", "counts"}`` where the number of steps depends on a
            selection: one count a value of it, and the value when there is none.
    """
    return Payload(
        {
            "n": n,
            "first": first,
            "field": field,
            "titles": list(titles),
            "texts": [text.as_data() for text in texts],
            "clears": list(clears),
            "selection": selection,
            "pace": pace,
            "n_by": n_by,
            "keys": keys,
            "labels": {
                "back": _("One step back"),
                "next": _("One step on"),
                "slider": _("Step"),
                "play": _("Play"),
                "pause": _("Pause"),
                "count": _("{i} of {n}"),
            },
        }
    )


def deck(titles: Sequence[str], field: str, at: int) -> Payload:
    """The stepper over a page's sections, of which one is shown at a time.

    Its keys are PageUp and PageDown, and the arrow keys where no other stepper has a step left.

    Args:
        titles: of the sections.
        field: name of the selection it moves.
        at: the section that is shown.
    """
    header = stepper(
        len(titles), first=at, field=field, titles=titles, selection={field: at}, keys=False
    ).header
    labels = {
        "back": _("One section back"),
        "next": _("One section on"),
        "slider": _("Section"),
    }
    return Payload({**header, "deck": True, "labels": {**header["labels"], **labels}})

"""How far somebody has been led through the run that flows, and what of it she has reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from core.figures.payload import Payload


class StoryPart(IntEnum):
    """What she is shown, one click after the other.

    A part that has been reached is open with all those before it.
    """

    TEXT = 0
    TOKENS = 1
    EMBEDDING = 2
    PLACE = 3
    LAYERS = 4  # all but the last one
    HEAD = 5  # of the last layer
    FFN = 6
    GUESSES = 7
    WORDS = 8
    AGAIN = 9  # the likeliest word stands behind the text
    OFF = 10  # something is switched off


def so_far(payload: Payload, part: StoryPart, sentences: Sequence[str]) -> Payload:
    """What has been reached of a picture: nothing of what lies ahead is sent.

    Args:
        payload: of all of it; it has one tower.
        part: that was reached.
        sentences: for each part a sentence.
    """
    header = payload.header
    order = {station.name.lower(): int(station) for station in StoryPart}
    story = {"reached": int(part), "said": sentences[part], "order": order}
    # The story tells all of it, so that none of its sentences may be sent.
    changes: dict[str, Any] = {
        "told": story, "alt": sentences[part], "captions": {}, "resting": "", "zoom": "",
    }  # fmt: skip
    if part < StoryPart.GUESSES:
        changes["guesses"] = []
    if part < StoryPart.WORDS:
        changes["words"] = [["" for _word in row] for row in header["words"]]
    if part < StoryPart.AGAIN:
        first = header["passes"][0]
        changes["passes"] = [{**first, "born": None, "said": ""}]
    opened = _opens(header["towers"][-1]["parts"])
    arrays = {
        name: array
        for name, array in payload.arrays.items()
        if part
        >= next((by for start, by in opened.items() if name.startswith(start)), StoryPart.WORDS)
    }
    return Payload({**header, **changes}, _without_last(arrays, header, part))


def _opens(parts: Sequence[Mapping[str, Any]]) -> dict[str, StoryPart]:
    """By how the name of an array begins, the part that opens it."""
    opens: dict[str, StoryPart] = {}
    for column in parts:
        if column.get("first"):
            opens |= {
                f"{column['prefix']}term.0": StoryPart.EMBEDDING,
                column["prefix"]: StoryPart.PLACE,
            }
        else:
            opens[column["prefix"]] = (
                StoryPart.LAYERS if column["kind"] == "blocks" else StoryPart.GUESSES
            )
    return opens


def _without_last(
    arrays: dict[str, Any], header: Mapping[str, Any], part: StoryPart
) -> dict[str, Any]:
    """The arrays without those of the last layer that were not reached."""
    (blocks,) = (column for column in header["towers"][-1]["parts"] if column["kind"] == "blocks")
    start, end = blocks["prefix"], f".{blocks['n_layers'] - 1}"
    shown = {kind["array"] for kind in blocks["heads"]} | set(blocks["order"][:1])
    return {
        name: array
        for name, array in arrays.items()
        if not (name.startswith(start) and name.endswith(end))
        or part
        >= (StoryPart.HEAD if name[len(start) :].removesuffix(end) in shown else StoryPart.FFN)
    }

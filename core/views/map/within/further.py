"""The pages that tell more of a place: by a view of each, with what is asked for there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.models.abilities import Ability
from core.views.map.within.made import About, Sheet, Spot

SAYS: Mapping[Ability, str] = {
    "next_token": "predict.next", "masked_words": "masked.strip", "translate": "translate.next",
    "fill_spans": "noise.text", "denoise": "noise.text", "classify_text": "tune.text",
    "classify_image": "vision.answer",
}  # fmt: skip
# Those views, and those that a sheet names itself.
MORE = ("text.tokens", "embed.lookup", "attention.steps", "attention.weights", "vision.looks",
        "norm.steps", "ffn.units", "recurrent.states", *dict.fromkeys(SAYS.values()))  # fmt: skip


def further(spot: Spot, sheet: Sheet | None) -> Iterator[About]:
    """What tells more of a place, and of what is in it."""
    whole, place = spot.whole, spot.place
    if place.start:
        cut = any(one.stream == spot.stream for one in whole.blueprint.patches)
        yield ("vision.answer" if cut else "text.tokens"), {}
    if sheet is not None and sheet.about is not None:
        yield sheet.about
    if place.end and place.word is None and (view := SAYS.get(whole.answering.ability)):
        # The others look at what is hidden, written, or all of it.
        yield view, {"token": spot.row} if view == "predict.next" else {}
    if place.whole:
        for stack in whole.blueprint.stacks:
            if stack.stream == spot.stream:
                yield "norm.steps", {"source": "text", "stack": stack.name,
                                     "layer": place.layer, "token": spot.row}  # fmt: skip

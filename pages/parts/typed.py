"""The line under the text box: what was typed, or the machine that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import zoo
from core.analysis.aligned import followed
from core.errors import CoreError
from core.introductions import INTRODUCTIONS
from core.language import _, name_of
from core.locale import spelt
from core.models.needs import Needs
from core.runs.requests import TypedRequest
from core.views.text.typed import said
from pages.parts.prefix import prefix
from pages.parts.runs import can, shared_runs

READS = Needs(parts=("tokens",))
REMARKS = "/remarks"


def address() -> str:
    """Where the browser asks for remarks."""
    return prefix() + REMARKS


def remarks(text: str, model: str, on: str) -> list[dict[str, Any]]:
    """What there is to say of a text, and what a click does about it.

    Args:
        text: as it was typed.
        model: that reads it.
        on: the device that it runs on.
    """
    if not text.strip() or not can(model, READS):
        return []
    try:
        found = said(shared_runs().get(TypedRequest(model, text), on), model)
    except CoreError:
        return []  # the page says it
    return [{"said": one.text.as_data(), "mend": one.mend, "mended": one.mended} for one in found]


def looked_at(
    before: str, text: str, model: str, on: str, places: Mapping[str, int]
) -> dict[str, int | None]:
    """Where the tokens that are looked at stand in another text; None where they do not.

    What a decoder writes is another text each time: only its source can be followed.

    Args:
        before: the text that they stand in.
        text: the other one.
        model: that reads both.
        on: the device that it runs on.
        places: by the names that an address has for them.
    """
    if not places or not can(model, READS):
        return {}
    reads = shared_runs().model(model, on)
    labels = [[one.label for one in reads.tokens(one)] for one in (before, text)]
    own = "source_token" if len(reads.blueprint.streams) > 1 else "token"
    return {
        name: followed(at, *labels) if name.rpartition(".")[2] == own else None
        for name, at in places.items()
    }


def introduction(model: str, *, typed: bool) -> dict[str, Any]:
    """How a machine introduces itself; nothing for one that is not of the shelf.

    Args:
        model: that runs.
        typed: what is typed runs, so that sentences are offered.
    """
    known = INTRODUCTIONS.get(model)
    if known is None or model not in zoo.shelf():
        return {}
    text = _("{model}, {numbers}, has seen {what}.") if known.sees else (
        _("{model}, {numbers}, has read {what}.")
    )  # fmt: skip
    if "translate" in zoo.abilities(model):
        text = _("{model}, a small model of {numbers}, is often wrong. It learned whole "
                 "sentences: {what}.")  # fmt: skip
    offered = [one.text for one in known.sentences if typed and not one.second]
    return {
        "said": text.format(model=name_of(model), numbers=_numbers(model), what=_(known.read)),
        "tries": offered,
        "well": _("It does these well:") if offered else "",
    }


def _numbers(model: str) -> str:
    """How many numbers a machine has learned, as one says it aloud."""
    n = sum(one.numel() for one in zoo.outline(model).parameters())
    if n < 1e6:
        return _("{n} thousand numbers").format(n=f"{n / 1e3:.0f}")
    return _("{n} million numbers").format(n=spelt(f"{n / 1e6:.1f}".removesuffix(".0")))

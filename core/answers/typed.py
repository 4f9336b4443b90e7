"""What is said of a text that was typed, and of the machine that reads it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core import zoo
from core.analysis.aligned import followed
from core.data.introductions import INTRODUCTIONS
from core.errors import CoreError
from core.figures import tokens
from core.figures.text import Sentence, join, sentence
from core.language import _, name_of
from core.locale import spelt
from core.models.needs import Needs
from core.runs.kinds.remarks import RemarksRequest
from core.runs.kinds.tokens import TokenizeRequest
from core.runs.store import Runs
from core.shelf.abilities import can
from core.spelling import visible
from core.views.text.typed import remarks_on

READS = Needs(parts=("tokens",))


def remarks(runs: Runs, text: str, model: str, on: str) -> list[dict[str, Any]]:
    """What there is to say of a text, and what a click does about it.

    Args:
        runs: carry requests out.
        text: as it was typed.
        model: that reads it.
        on: the device that it runs on.
    """
    if not text.strip() or not can(model, READS):
        return []
    try:
        problems = remarks_on(runs.get(RemarksRequest(model, text), on), model)
    except CoreError:
        return []  # the page says it
    return [
        {"said": problem.text.as_data(), "mend": problem.mend, "mended": problem.mended}
        for problem in problems
    ]


def looked_at(
    runs: Runs, before: str, text: str, model: str, on: str, places: Mapping[str, int]
) -> dict[str, int | None]:
    """Where the tokens that are looked at stand in another text; None where they do not.

    What a decoder writes is another text each time: only its source can be followed.

    Args:
        runs: of the models.
        before: the text that they stand in.
        text: the other one.
        model: that reads both.
        on: the device that it runs on.
        places: by the names that an address has for them.
    """
    if not places or not can(model, READS):
        return {}
    reads = runs.model(model, on)
    labels = [[token.label for token in reads.tokens(words)] for words in (before, text)]
    local = "source_token" if len(reads.blueprint.streams) > 1 else "token"
    return {
        name: followed(place, *labels) if name.rpartition(".")[2] == local else None
        for name, place in places.items()
    }


def cut_said(cut: str) -> list[str]:
    """What of a text did not fit, and that it did not; empty if all did."""
    if not cut:
        return []
    words = visible(tokens.cut_text(cut)).replace("·", " ")
    return [words, _("is left out: the text is longer than the model can read")]


def as_read(model: str, text: str) -> TokenizeRequest:
    """What tells how a model reads a text."""
    return TokenizeRequest(model, text, masks=True)


def changed(
    runs: Runs, model: str, texts: Sequence[str], on: str, kinds: Collection[str] = ()
) -> Sentence | None:
    """What a model's tokenizer changes in texts before it cuts them; None if nothing.

    Args:
        runs: carry requests out.
        model: that reads them.
        texts: of a page.
        on: the device that it runs on.
        kinds: kinds of changes that are said elsewhere.
    """
    if not can(model, READS):
        return None
    readings = [runs.get(as_read(model, text), on) for text in texts]
    changes = tokens.changes(
        [part for reading in readings for part in reading.parts if part.kind not in kinds]
    )
    if changes is None:
        return None
    before = sentence(_("{model} changes the text."), model=name_of(model))
    return join([before, changes])


def introduction(model: str, *, typed: bool) -> dict[str, Any]:
    """How a machine introduces itself; nothing for one that is not of the shelf.

    Args:
        model: that runs.
        typed: what is typed runs, so that sentences are offered.
    """
    introduced = INTRODUCTIONS.get(model)
    if introduced is None or model not in zoo.shelf():
        return {}
    text = _("{model}, {numbers}, has seen {what}.") if introduced.sees else (
        _("{model}, {numbers}, has read {what}.")
    )  # fmt: skip
    if "translate" in zoo.abilities(model):
        text = _("{model}, a small model of {numbers}, is often wrong. It learned whole "
                 "sentences: {what}.")  # fmt: skip
    offered = [sentence.text for sentence in introduced.sentences if typed and not sentence.second]
    return {
        "said": text.format(model=name_of(model), numbers=_numbers(model), what=_(introduced.read)),
        "tries": offered,
        "well": _("It does these well:") if offered else "",
    }


def _numbers(model: str) -> str:
    """How many numbers a machine has learned, as one says it aloud."""
    n = sum(parameter.numel() for parameter in zoo.outline(model).parameters())
    if n < 1e6:
        return _("{n} thousand numbers").format(n=f"{n / 1e3:.0f}")
    return _("{n} million numbers").format(n=spelt(f"{n / 1e6:.1f}".removesuffix(".0")))

"""What stands on a screen, one below the other, as the browser is told."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from core.figures.components import Component
from core.figures.components.base import COVERED
from core.figures.text import harmless
from core.language import _
from core.lessons.schema import LessonStep
from core.lessons.words import words
from core.lessons.world import ShownFigure

Block = dict[str, Any]
Body = dict[str, Any]  # of a screen: how it is laid out, what it says, by column what it shows
Explain = Callable[[str], str]


def below(blocks: Sequence[Block]) -> Body:
    """A screen without figures beside its texts."""
    return {"layout": "below", "said": list(blocks), "shown": []}


def text(
    markdown: str, names: Mapping[str, Any] | None = None, explain: Explain | None = None
) -> list[Block]:
    """A text in Markdown: its holes filled, its terms explained; nothing for none.

    Args:
        markdown: of the lesson, or of the app's own.
        names: numbers and words by name.
        explain: gives what a number says of itself, empty for nothing.
    """
    words_ = words(markdown, names or {}, {}, explain)
    return [{"kind": "words", "words": words_}] if words_ else []


def small(sentence: str) -> Block:
    """What is said small, beside."""
    return {"kind": "small", "say": sentence}


def note(kind: str, sentence: str) -> Block:
    """Something to know: "info", "warning" or "error"."""
    return {"kind": "note", "note": kind, "say": sentence}


def button(
    key: str, say: str, sets: Mapping[str, str | None], *, weight: str = "", deed: str = ""
) -> Block:
    """A way to another screen.

    Args:
        key: tells it from others.
        say: what it says.
        sets: what becomes of the state.
        weight: "primary" for what comes next, "tertiary" for what is by the way.
        deed: what else is done with it.
    """
    return {"kind": "button", "key": key, "say": say, "sets": dict(sets), "weight": weight,
            "deed": deed}  # fmt: skip


def fold(key: str, title: str, blocks: Sequence[Block], *, asks: bool = False) -> Block:
    """What is folded away.

    Args:
        key: tells it from others.
        title: above it.
        blocks: within.
        asks: it is worked out when it is opened.
    """
    return {"kind": "fold", "key": key, "title": title, "blocks": list(blocks), "asks": asks}


def component(key: str, folder: str, header: Mapping[str, Any]) -> Block:
    """A component that draws no arrays.

    Args:
        key: tells it from others.
        folder: of the component.
        header: what it is given.
    """
    part = {"folder": folder, "header": dict(header), "arrays": {}}
    return {"kind": "figure", "key": key, "parts": [part]}


def bullets(sentences: Sequence[str]) -> str:
    """A list in Markdown, of words that are nobody's markup."""
    return "\n".join(f"- {harmless(sentence)}" for sentence in sentences)


@dataclass
class Parts:
    """Components as data; an array that several have is held once.

    Attributes:
        arrays: by the names that they have here.
        folders: of the components.
        on_page: they stand on a page of the app, where some are drawn by a library.
    """

    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    on_page: bool = False

    def add(self, component: Component, **more: Any) -> dict[str, Any]:
        """A component, its arrays by the name that they have here."""
        payload = component.on_page() if self.on_page else component.payload()
        folder = (self.on_page and component.drawn_by) or component.folder
        self.folders.add(folder)
        arrays = {name: self._keep(array) for name, array in payload.arrays.items()}
        return {"folder": folder, "header": {**payload.header, **more}, "arrays": arrays}

    def _keep(self, array: NDArray[Any]) -> str:
        content = f"{array.dtype} {array.shape} ".encode() + array.tobytes()
        name = hashlib.sha256(content).hexdigest()[:12]
        self.arrays[name] = array
        return name


def hidden(key: str, title: str) -> Block:
    """The place of a figure of which nothing else is seen."""
    return {"kind": "figure", "key": key, "parts": [], "title": title, "covers": _(COVERED)}


def figure_block(
    shown: ShownFigure, component: Component, parts: Parts, *, key: str, scope: str,
    record: Any = None, **more: Any,
) -> Block:  # fmt: skip
    """A figure of a step, or what may be seen of it.

    Args:
        shown: the figure.
        component: what is seen of it.
        parts: of the screen.
        key: tells it from others.
        scope: whose selection it shares.
        record: that all of it is drawn from; None while some of it is covered.
        more: what else its component is given.
    """
    figure = shown.figure
    before: list[dict[str, Any]] = []
    more_: dict[str, Any] = {}
    if record is not None:
        steps = shown.view.steps(record) if figure.play else None
        if steps is not None:
            before.append(parts.add(dataclasses.replace(steps, keys=False), scope=scope))
        if figure.offers:
            notes = shown.view.notes(record)
            more_["notes"] = [str(note.text) for note in notes if note.kind == "info"]
        if figure.reading:
            more_["reading"] = shown.view.describe(record).as_data()
    part = parts.add(component, scope=scope, figure=key, **more)
    return {"kind": "figure", "key": key, "parts": [*before, part], **more_}


def layout_of(step: LessonStep) -> str:
    """How a step's figures stand to its texts; the words are those of ``Screen``."""
    if any(figure.beside for figure in step.figures):
        return "beside"
    return "below" if not step.figures or any(figure.wide for figure in step.figures) else "split"


def sentences(step: LessonStep) -> list[str]:
    """What the figures of a step are about."""
    texts = dict.fromkeys(
        str(figure.params["text"]) for figure in step.figures if "text" in figure.params
    )
    return [_("On the sentence “{text}”").format(text=text) for text in texts]

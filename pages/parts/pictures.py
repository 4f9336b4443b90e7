"""Pages about pictures: which one is looked at, and what is drawn on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, TypeVar

from core import zoo
from core.answers.names import PageNames
from core.figures.payload import Payload
from core.language import _
from core.models.needs import Needs
from core.shelf.abilities import can, model_for
from core.views.given import can_read, given_to
from core.views.vision.seen import OnPicture
from pages.parts import state
from pages.parts.components import mount
from pages.parts.messages import say, unread_picture
from pages.parts.page import model_here, say_which_model
from pages.parts.prefix import page_at
from pages.parts.runs import device, shared_runs
from pages.parts.table import page_of

P = TypeVar("P", bound=OnPicture)


def open_pictures(params: type[P]) -> P:
    """The parameters of a page about pictures, with one that its model can look at.

    What a link brings may be no picture, or one of another size: that is said, and a sample is
    shown in its place.
    """
    say_which_model()
    model, read = model_here(), state.read(params)
    say_which_picture(read.picture)
    opened: P = dataclasses.replace(read, model=model)
    return given_to(opened, model, shared_runs().model(model))


def say_which_picture(picture: str) -> None:
    """A word about it where a link says a picture that the page's model cannot look at."""
    if not can_read(picture, _encoders(model_here())):
        say("warning", unread_picture(model_here()), icon=":material/link:")


def looker(needs: Needs) -> str:
    """The model of a part of the page: the page's own, or one that has what the part needs."""
    model = model_here()
    if can(model, needs):
        return model
    return beside(needs, model) or model_for(state.read(PageNames).model, needs)


def beside(needs: Needs, shown: str) -> str:
    """A further model that has what is needed and reads pictures of the same size; else empty."""
    return next(_all_beside(needs, shown), "")


def judge_beside(needs: Needs, shown: str) -> str:
    """The same, of those that choose among the same labels as the one that is shown."""
    labels = zoo.blueprint(shown).classifier.labels
    others = _all_beside(needs, shown)
    return next((model for model in others if zoo.blueprint(model).classifier.labels == labels), "")


def _all_beside(needs: Needs, shown: str) -> Iterator[str]:
    able = (name for name in zoo.shelf() if name != shown and can(name, needs))
    return (name for name in able if size_for(name) == size_for(shown))


def size_for(model: str) -> str:
    """The size of the pictures that a model reads."""
    pictures = _encoders(model).pictures
    assert pictures is not None
    size: str = pictures.size
    return size


def lead_to_drawing() -> None:
    """The way to the page where a picture is drawn, and more is seen of it."""
    row = page_of("vision.picture")
    words = _("Draw a picture yourself: {page}").format(page=_(row.title))
    way = {"say": words, "page": page_at(row.address), "query": {}, "names": []}
    mount("way", Payload(way), key="draw-picture")


def _encoders(model: str) -> Any:
    return shared_runs().model(model, device()).encoders

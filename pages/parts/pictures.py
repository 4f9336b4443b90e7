"""Pages about pictures: which one is looked at, and what is drawn on it."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from core import zoo
from core.errors import CoreError
from core.language import _, name_of
from core.models.needs import Needs
from core.views.opening import opened
from core.views.vision.samples import Choosing, chosen, offers
from core.views.vision.seen import OnPicture
from pages.parts import state
from pages.parts.messages import say
from pages.parts.names import Machine
from pages.parts.page import model_here, say_which_model
from pages.parts.runs import can, device, model_for, shared_runs

P = TypeVar("P", bound=OnPicture)


def open_pictures(params: type[P]) -> P:
    """The parameters of a page about pictures, with one that its model can look at.

    What a link brings may be no picture, or one of another size: that is said, and a sample is
    shown in its place.
    """
    say_which_model()
    found = state.read(params)
    if not _can_read(found.picture, model_here()):
        said = _("{model} cannot read the picture in this link, so a sample is shown. Copy the "
                 "whole link and try again, or draw a digit.")  # fmt: skip
        say("warning", said.format(model=name_of(model_here())), icon=":material/link:")
    return pictures_of(params)


def pictures_of(params: type[P], needs: Needs | None = None) -> P:
    """The same for a further part of the page, where all has been said.

    Args:
        params: with a picture and a model.
        needs: of the part, where the page's own model may lack it.
    """
    model = model_here() if needs is None else looker(needs)
    own: Any = dataclasses.replace(state.read(params), model=model)
    if not _can_read(own.picture, model):
        own = dataclasses.replace(own, picture="")
    return opened(own, shared_runs().model(model, device()).encoders)  # type: ignore[no-any-return]


def looker(needs: Needs) -> str:
    """The model of a part of the page: the page's own, or one that has what the part needs."""
    model = model_here()
    if can(model, needs):
        return model
    return beside(needs, model) or model_for(state.read(Machine).model, needs)


def beside(needs: Needs, shown: str) -> str:
    """A further model that has what is needed and reads pictures of the same size; else empty."""
    able = (name for name in zoo.shelf() if name != shown and can(name, needs))
    return next((name for name in able if size_for(name) == size_for(shown)), "")


def size_for(model: str) -> str:
    """The size of the pictures that a model reads."""
    pictures = shared_runs().model(model, device()).encoders.pictures
    assert pictures is not None
    return pictures.size


def choosing() -> Choosing:
    """Whose samples are shown: of those that have the size of the page's pictures."""
    asked, offered = state.read(Choosing), offers(size_for(model_here()))
    if asked.samples_of in offered or not offered:
        return asked
    return dataclasses.replace(asked, samples_of=offered[0])


def draw(said: Any, scope: str = "") -> None:
    """Take over what was drawn; what goes on with a stroke is one change with it."""
    if isinstance(said, dict) and isinstance(said.get("picture"), str):
        drawn = {"picture": said["picture"]}
        state.update(drawn, scope=scope, goes_on=said.get("more") is True)


def pick(said: Any) -> None:
    """Take up a sample."""
    offered = chosen(choosing())
    if type(said) is int and 0 <= said < len(offered):
        state.update({"picture": offered[said].id})


def _can_read(picture: str, model: str) -> bool:
    """Whether a model can look at what a link says: a picture of its size, or none."""
    try:
        return not picture or OnPicture(picture).given.size == size_for(model)
    except CoreError:
        return False

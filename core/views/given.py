"""What a view is given that takes a text or a picture, and what it opens on without one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from core.data.samples import sample, samples
from core.encoders import Encoders
from core.errors import CoreError
from core.inputs import (
    LONGEST_PICTURE,
    PICTURE_FORM,
    Input,
    Picture,
    SourceTarget,
    Text,
)
from core.language import N_
from core.views.params import OnText, param
from core.views.parts import fitting

P = TypeVar("P")


@runtime_checkable
class Opening(Protocol):
    """Parameters that open on another example for each model."""

    def opened(self, encoders: Encoders) -> Self:
        """The same with an example that this model can read, where they name none."""
        ...


def opened(params: P, encoders: Encoders) -> P:
    """Parameters with what they open on, for a model that reads through these encoders."""
    return params.opened(encoders) if isinstance(params, Opening) else params


def picture_param() -> Any:
    """The parameter that names a picture, the same in every view."""
    return param(
        "", pattern=picture_of, form=PICTURE_FORM, high=LONGEST_PICTURE, label=N_("Picture"),
    )  # fmt: skip


def picture_of(text: str) -> Picture:
    """The picture of a link: its pixels, or the name of a sample; empty for the first sample.

    Raises:
        ParameterError: it stands for no picture.
    """
    if not text:
        return samples()[0].picture
    return Picture.of_text(text) if ":" in text else sample(text).picture


def first_picture(encoders: Encoders) -> str:
    """What a model is shown first: a sample, or an empty sheet where none has the size.

    Args:
        encoders: of a model that reads pictures.
    """
    assert encoders.pictures is not None
    fitting = (sample.id for sample in samples() if sample.picture.size == encoders.pictures.size)
    return next(fitting, encoders.pictures.blank.as_text())


def can_read(picture: str, encoders: Encoders) -> bool:
    """Whether a model can look at what a link says: a picture of its size, or none."""
    if not picture or encoders.pictures is None:
        return not picture
    try:
        return picture_of(picture).size == encoders.pictures.size
    except CoreError:
        return False


@dataclass(frozen=True, slots=True)
class OnGiven(OnText):
    """What views of a whole run need: a model, and a text or a picture that it reads.

    Attributes:
        picture: as of ``core.views.vision.seen.OnPicture``; empty for a text.
    """

    picture: str = picture_param()

    def opened(self, encoders: Encoders) -> Self:
        """See ``core.views.given``: of a model that reads texts there is no picture."""
        if encoders.pictures is None:
            return replace(self, picture="") if self.picture else self
        return self if self.picture else replace(self, picture=first_picture(encoders))

    @property
    def given(self) -> Input:
        """What the model reads.

        Raises:
            ParameterError: the picture stands for none.
        """
        if self.picture:
            return picture_of(self.picture)
        return SourceTarget(self.text, self.target) if self.target else Text(self.text)


def readable(params: P, encoders: Encoders) -> P:
    """The same with a picture that a model can look at, in place of one that it cannot."""
    fields: Any = params
    if not hasattr(fields, "picture"):
        return params
    fits = fields.picture if can_read(fields.picture, encoders) else ""
    return opened(replace(fields, picture=fits), encoders)


def given_to(params: P, name: str, model: Any) -> P:
    """Parameters as a model of the shelf is given them: the parts that it has, a text it reads.

    Args:
        params: of a view.
        name: of the model, in the place of theirs.
        model: it, loaded.
    """
    fields: Any = params
    fields = replace(fields, model=name)
    fields = readable(fitting(fields, model.blueprint), model.encoders)
    if hasattr(fields, "target") and SourceTarget not in model.model.takes:
        fields = replace(fields, target="")
    return fields

"""A view's parameters: one frozen dataclass is the schema of link, lesson and export."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from core.data.examples import WRITER
from core.errors import CoreError, ParameterError
from core.inputs import Input, SourceTarget, Text
from core.language import N_, Phrase, _
from core.locale import Choice, grouped, in_quotes, listed, spelt
from core.spelling import composed

Params = TypeVar("Params")
MAX_TEXT = 20_000  # characters a text field takes; models cut far earlier and say so
MAX_NUMBER, MAX_NAME = 400, 400  # characters of a number; of a model's name, which may be a path
PartKind = Literal["stack", "attention", "stream", "norm", "recurrence", "direction"]
NAME, MAX_PART = r"[a-z0-9_.]{0,40}", 40  # of a part of a model
Reader = Callable[[str], object]
MAX_SEED = 9_999  # of what is drawn: more than anybody tries, and short enough for a small field


@dataclass(frozen=True, slots=True)
class Declared:
    """What is said of a parameter where it is declared.

    Attributes:
        low, high: bounds of a number; of a text ``high`` is how many characters it may have, which
            are counted before anything else is done with it.
        choices: allowed words and what a control calls them (translate with ``_``); None when
            any text will do.
        pattern: what a text must look like as a whole, or what reads it, and gives None or raises a
            ``CoreError`` where it means nothing; None for any text.
        form: in words, what a text must be (translate with ``_``).
        lives: where a change of it is dealt with. "browser": the figure's payload holds all
            that it needs, so it is in no request. "server": other data is needed.
        picked: it lives on the server, but a figure may set it too.
        label: what its control is called (translate with ``_``).
        part: of a name: which kind of part of the model it names. The choices are those that the
            model has (``core.views.parts``); empty for the main one.
        model: it names a model.
    """

    low: float | None = None
    high: float | None = None
    choices: Mapping[str, str] | None = None
    pattern: str | Reader | None = None
    form: str = ""
    lives: Literal["browser", "server"] = "server"
    picked: bool = False
    label: str = ""
    part: PartKind | None = None
    model: bool = False


def param(
    default: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Mapping[str, str] | Iterable[str] | None = None,
    pattern: str | Reader | None = None,
    form: str = "",
    lives: Literal["browser", "server"] = "server",
    picked: bool = False,
    label: str = "",
    part: PartKind | None = None,
) -> Any:
    """A field of a params class: its default and what ``Declared`` says of it."""
    if choices is not None and not isinstance(choices, Mapping):
        choices = {choice: choice for choice in choices}
    if part is not None:
        pattern, form, high = NAME, N_("the name of a part of the model"), MAX_PART
    declared = Declared(low, high, choices, pattern, form, lives, picked, label, part)
    return dataclasses.field(default=default, metadata={"declared": declared})


def model_param(default: str, label: str = N_("Model")) -> Any:
    """A field that names a model: an id on the shelf, or what a program may load besides."""
    declared = Declared(high=MAX_NAME, label=label, model=True)
    return dataclasses.field(default=default, metadata={"declared": declared})


def declared(params: Any, name: str) -> Declared:
    """What was declared of a parameter; a control must offer the same."""
    declaration: Declared = params.__dataclass_fields__[name].metadata["declared"]
    return declaration


def at_rest(params: Params) -> Params:
    """The parameters with nothing selected: what a figure's payload and its runs depend on.

    What lives in the browser is at its default; a selection changes no payload.
    """
    first = {
        field.name: field.default
        for field in dataclasses.fields(params)  # type: ignore[arg-type]
        if declared(params, field.name).lives == "browser"
    }
    return dataclasses.replace(params, **first)  # type: ignore[type-var]


def selectable(classes: Iterable[type[Any]]) -> frozenset[str]:
    """The names that a selection in the browser may set, over some params classes."""
    return frozenset(
        field.name
        for cls in classes
        for field in dataclasses.fields(cls)
        if (declaration := declared(cls, field.name)).lives == "browser" or declaration.picked
    )


@dataclass(frozen=True, slots=True)
class Problem:
    """A value from a link that was not used, why, and what is used in its place, if anything."""

    name: str
    got: str
    wanted: str
    used: str | None = None

    def sentence(self, called: str = "") -> str:
        """What to tell the learner.

        Args:
            called: the parameter in the learner's words, where the page knows them.
        """
        text = _("The link asks for {name} = {got}. It must be {wanted}, so {used} is used.")
        if not self.used:
            text = _("The link asks for {name} = {got}. It must be {wanted}, so it was left out.")
        elif len(self.used) > 40 and self.got.startswith(self.used):  # a text that was too long
            text = _("The link asks for {name} = {got}. It must be {wanted}, so it was cut.")
        return text.format(
            name=called or self.name,
            got=in_quotes(self.got[:40]),
            wanted=self.wanted,
            used=in_quotes((self.used or "")[:40]),
        )


def parse(cls: type[Params], values: Mapping[str, str]) -> tuple[Params, list[Problem]]:
    """Read parameters out of a link. Values are strings from strangers.

    Args:
        cls: a frozen dataclass whose fields were made with ``param``.
        values: names and texts; names the class does not have are left alone.

    Returns:
        The parameters, defaults where a value was missing or wrong, and what was wrong.
    """
    arguments: dict[str, Any] = {}
    problems: list[Problem] = []
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.name not in values:
            continue
        # JSON in a link can say half a surrogate pair, which is no text.
        text = values[field.name].encode(errors="replace").decode()
        value, expected = _read_value(text, field.type, field.metadata.get("declared", Declared()))
        if expected:
            used = written(field.default if value is None else value)
            problems.append(Problem(field.name, text, expected, used))
        if value is not None:
            arguments[field.name] = value
    return cls(**arguments), problems


def checked(cls: type[Params], values: Mapping[str, Any]) -> Params:
    """Parameters from values that a program gives; what is wrong is an error.

    Raises:
        ParameterError: an unknown name, or a value outside what was declared.
    """
    fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name in sorted(values.keys() - fields):
        choices = Choice(sorted(fields))
        raise ParameterError("parameter", name, Phrase(N_("one of {choices}"), choices=choices))
    texts = {name: _as_link_text(fields[name], value) for name, value in values.items()}
    params, problems = parse(cls, texts)
    for problem in problems:
        expected = problem.wanted  # translated where it was found
        raise ParameterError(
            problem.name, values[problem.name], Phrase(N_("{wanted}"), wanted=expected)
        )
    return params


def _as_link_text(field: dataclasses.Field[Any], value: Any) -> str:
    """A value that a program gives, as a link says it.

    Raises:
        ParameterError: there is none, or no text where any text will do.
    """
    allowed: Declared = field.metadata["declared"]
    closed = allowed.choices or allowed.pattern or allowed.high is not None
    if field.type in ("str", str) and not closed:
        if not isinstance(value, str | Text):
            raise ParameterError(field.name, value, N_("a text"))
        return value.text if isinstance(value, Text) else value
    if value is None:
        raise ParameterError(field.name, value, N_("a value, or left out"))
    if isinstance(value, bool) and field.type in ("int", "float"):  # True is no place
        raise ParameterError(field.name, value, N_("a number"))
    as_text = getattr(value, "as_text", None)  # of a picture
    return written(value) if as_text is None else as_text()


def _read_value(text: str, kind: Any, allowed: Declared) -> tuple[Any, str]:
    """The value of a text (None for "use the default") and, if it was wrong, what was wanted."""
    name = kind if isinstance(kind, str) else kind.__name__
    if name == "bool":
        if text in ("0", "1"):
            return text == "1", ""
        return None, _("0 or 1")
    if name in ("int", "float"):
        if len(text) > MAX_NUMBER:
            return None, _("a number")
        try:
            value = int(text) if name == "int" else float(text)
        except ValueError:
            return None, _("a number")
        if isinstance(value, float) and math.isnan(value):
            return None, _("a number")
        low = value if allowed.low is None else allowed.low
        high = value if allowed.high is None else allowed.high
        if not low <= value <= high:
            nearest = type(value)(min(max(value, low), high))
            return nearest, between(low, high)
        return value, ""
    return _read_text(text, allowed)


def between(low: float, high: float) -> str:
    """What a number must be, in words."""
    return _("between {low} and {high}").format(low=_bound(low), high=_bound(high))


def _bound(value: float) -> str:
    """An end of a range as people read it: 0.5, 20,000."""
    return grouped(value) if isinstance(value, int) else spelt(f"{value:,g}")


def _read_text(text: str, allowed: Declared) -> tuple[str | None, str]:
    if allowed.choices is not None:
        if text in allowed.choices:
            return text, ""
        choices = listed(filter(None, allowed.choices), "or")
        return None, _("one of {choices}").format(choices=choices)
    most = MAX_TEXT if allowed.high is None else int(allowed.high)
    if len(text) > most:
        expected = _("at most {n} characters").format(n=grouped(most))
        return composed(text[:most]) if allowed.pattern is None else None, expected
    text = composed(text)
    if not _is_of(allowed.pattern, text):
        return None, _(allowed.form)
    return text, ""


def _is_of(pattern: str | Reader | None, text: str) -> bool:
    """Whether a text has the form that was declared."""
    if isinstance(pattern, str):
        return re.fullmatch(pattern, text) is not None
    try:
        return pattern is None or pattern(text) is not None
    except CoreError:
        return False


def to_query(params: Any, *, whole: bool = False) -> dict[str, str]:
    """The parameters as a link says them.

    Args:
        params: of a view.
        whole: all of them, for a page that may have others; else what differs from the default.
    """
    query = {}
    for field in dataclasses.fields(params):
        value = getattr(params, field.name)
        if whole or value != field.default:
            query[field.name] = written(value)
    return query


def written(value: Any) -> str:
    """A value as a link says it: of a number so many digits that it is read back as it is."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if not isinstance(value, float):
        return str(value)
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


@dataclass(frozen=True, slots=True)
class OnText:
    """What most views need: a text and the model it runs through.

    Attributes:
        text: the sentence that travels through the app.
        model: id on the shelf.
        target: what a decoder reads beside its encoder's text; empty for what the model itself
            writes. Models without an encoder read none.
    """

    text: str = param("The dog was hungry, so he ate all of his", label=N_("Text"))
    model: str = model_param(WRITER)
    target: str = param("", label=N_("Target"))

    @property
    def given(self) -> Input:
        """What the model reads."""
        return SourceTarget(self.text, self.target) if self.target else Text(self.text)


@dataclass(frozen=True, slots=True)
class OnStack(OnText):
    """What views of one stack of blocks need, in a model that may have several.

    Attributes:
        stack: its name; empty for the one that predicts.
    """

    stack: str = param("", part="stack", picked=True, label=N_("Stack"))

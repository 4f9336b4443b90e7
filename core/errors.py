"""What a user can do wrong, as one tree of exceptions.

::

    CoreError
    ├── ConfigError              a model description that cannot be built
    ├── DeviceUnavailableError   a device this machine does not have
    ├── CheckpointError          a model directory that is missing or damaged
    │   └── UnknownModelError    a name that is not on the shelf
    ├── InputError               a text that the model cannot take
    │   ├── EmptyInputError
    │   ├── NoWordError
    │   ├── HalfCharacterError
    │   ├── InputTooLongError
    │   └── NoRoomError
    ├── MaskError                an attention mask of the wrong shape
    ├── AbilityError             a model asked for what it cannot do
    │   ├── NoWordsError         a word, of one that predicts none
    │   └── NoPartError          a part, of one that is made without it
    ├── UnknownSiteError         a tensor name that this run did not record
    ├── ModelChangedError        a run's weights, after its model has learned on
    ├── NoWeightsError           those of a run that was stored
    ├── MissingMarkError         a mark that a tokenizer does not have
    ├── EditError                an edit that does not fit its tensor
    ├── ParameterError           a setting out of its range
    ├── LinesError               labelled sentences that cannot be read
    ├── JobError                 work beside the page that came to no end
    ├── SnapshotError            a copy of a learning model that is kept no longer
    ├── CorpusError              training text that is missing or unusable
    ├── LessonError              a lesson file that is not as it should be
    ├── ExpressionError          arithmetic in it that cannot be carried out
    └── NoQuestionError          data that allow no clear question

Each is a template and its fields, so that a page can say it in the learner's
language (``sentence()``); ``str()`` says it in English. A field in words is
marked with ``N_``, or a ``Phrase`` where it holds values. Whatever else is
raised is a bug and must be seen.
"""

from __future__ import annotations

import copyreg
import difflib
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Self

from core.language import N_, Phrase, _, name_of
from core.locale import Choice, Numeral, WordList

NEAREST = 3  # names that are offered in place of one that there is not
QUOTED = 200  # characters of a value that is wrong


def quoted(value: object) -> str:
    """A value as a message quotes it, a long one cut; of a number beyond 128 bits only the size."""
    if isinstance(value, int) and value.bit_length() > 128:
        sign = "-" if value < 0 else ""
        return f"{sign}10^{round(value.bit_length() * math.log10(2))}"
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


class CoreError(Exception):
    """Something a user can mend: says what happened and what to do."""

    template: str

    def __init__(self, **fields: object) -> None:
        self.phrase = Phrase(self.template, **fields)
        super().__init__(str(self.phrase))

    def __str__(self) -> str:
        return str(self.phrase)

    def __reduce__(self) -> tuple[Any, ...]:
        """What a copy in another process is made of: each kind is made with fields of its own."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def sentence(self) -> str:
        """The same in the learner's language."""
        return _(self.phrase)


def as_said(problem: CoreError) -> str:
    """What happened and what to do, as a page says it."""
    sentence = problem.sentence()
    # A field's own name keeps its spelling.
    return sentence if problem.template.startswith("{") else sentence[:1].upper() + sentence[1:]


class ConfigError(CoreError):
    """A model configuration that cannot be built; names the field."""

    template = N_("config field {field}: {problem}")

    def __init__(self, field: str, problem: str) -> None:
        self.field, self.problem = field, problem
        super().__init__(field=repr(field), problem=problem)


class DeviceUnavailableError(CoreError):
    """A device that this machine does not have."""

    template = N_("device {asked} is not available here; choose one of {available}")

    def __init__(self, asked: str, available: Sequence[str]) -> None:
        self.asked, self.available = asked, tuple(available)
        super().__init__(asked=quoted(asked), available=Choice(available))


class CheckpointError(CoreError):
    """A model directory that is missing, damaged or of another kind."""

    template = N_("{where}: {problem}")

    def __init__(self, where: object, problem: str) -> None:
        self.where, self.problem = str(where), problem
        super().__init__(where=self.where, problem=problem)


class UnknownModelError(CheckpointError):
    """A model name that is neither on the shelf nor a directory."""

    template = N_("{where}: no such model; on the shelf: {shelf}")

    def __init__(self, name: str, shelf: Sequence[str]) -> None:
        self.name, self.shelf = name, tuple(shelf)
        self.where, self.problem = name, "no such model"
        CoreError.__init__(self, where=name, shelf=WordList(shelf) or N_("none"))


class InputError(CoreError):
    """A text that the model cannot take as it is."""


class EmptyInputError(InputError):
    """No token to run the model on."""

    template = N_("the text is empty: type at least one word")


class NoWordError(InputError):
    """A text in which the model knows no word, so that there is none to hide."""

    template = N_(
        "the model knows no word of this text, so there is nothing to hide: type another text"
    )


class HalfCharacterError(InputError):
    """Half of a surrogate pair: a Python string can hold it, but no text."""

    template = N_("character {at} of the text is {code}, half a character: remove it")

    def __init__(self, at: int, half: str) -> None:
        self.at, self.half = at, half
        super().__init__(at=Numeral(f"{at:,}"), code=f"U+{ord(half):04X}")


class InputTooLongError(InputError):
    """More tokens than the model's context holds; or characters, of one that reads them so."""

    template = N_(
        "the text has {got} tokens and the model's context holds {limit}: shorten the text"
    )

    def __init__(self, limit: int, got: int, *, characters: bool = False) -> None:
        self.limit, self.got = limit, got
        if characters:
            self.template = N_(
                "the text has {got} characters and the model's context holds {limit}: "
                "shorten the text"
            )
        super().__init__(limit=Numeral(f"{limit:,}"), got=Numeral(f"{got:,}"))


class NoRoomError(InputError):
    """A context that does not even hold the marks which the model puts around a text."""

    template = N_(
        "the model has a context length of {limit}, and its own markers take {marks}, so no "
        "text fits: choose another model"
    )

    def __init__(self, limit: int, marks: int) -> None:
        self.limit, self.marks = limit, marks
        super().__init__(limit=Numeral(f"{limit:,}"), marks=Numeral(f"{marks:,}"))


class MaskError(CoreError):
    """An attention mask whose shape does not fit the run."""

    template = N_("the mask has shape {got}, and this run needs {wanted}")

    def __init__(self, got: Sequence[int], wanted: Sequence[int]) -> None:
        self.got, self.wanted = tuple(got), tuple(wanted)
        super().__init__(got=self.got, wanted=self.wanted)


class AbilityError(CoreError):
    """A model asked for something it was not built to do."""

    template = N_("model {model} cannot {ability}")

    def __init__(self, model: str, ability: str, able: Sequence[str] = ()) -> None:
        self.model, self.ability, self.able = model, ability, tuple(able)
        if able:
            self.template = N_("model {model} cannot {ability}; choose {able}")
        # A model of the shelf is called as the pages call it; a directory by its path.
        called = model if "/" in model else name_of(model)
        super().__init__(model=called, ability=ability, able=Choice(able))


class NoWordsError(AbilityError):
    """A model asked for a word that has no head for words, such as a bare encoder."""

    template = N_("this model has no head that predicts words: choose another model")

    def __init__(self) -> None:
        super().__init__("", "predict words")


class NoPartError(AbilityError):
    """A model asked for a part that it is made without, such as attention."""

    template = N_("this model has no {part}: choose another model")

    def __init__(self, part: str) -> None:
        self.model, self.part, self.ability = "", part, "show what it lacks"
        CoreError.__init__(self, part=part)


class UnknownSiteError(CoreError, KeyError):
    """A tensor name that this run did not record."""

    template = N_("this run recorded no site {name}")

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        self.name, self.near = name, tuple(near)
        if near:
            self.template = N_("this run recorded no site {name}; did you mean {near}?")
        super().__init__(name=repr(name), near=Choice(near))

    @classmethod
    def near_to(cls, name: str, sites: Iterable[str]) -> Self:
        """The error, with the names it is most like; for a pattern, patterns over all blocks."""
        names = list(sites)
        patterns = [re.sub(r"(?<=\.)\d+(?=\.)", "*", pattern) for pattern in names if "*" in name]
        among = [*dict.fromkeys(patterns), *names]
        near = difflib.get_close_matches(name, among, 3)
        return cls(name, near or difflib.get_close_matches(name, among, 1, cutoff=0.0))


class ModelChangedError(CoreError):
    """The weights of a run whose model has learned since, so that they are others now."""

    template = N_("the model has learned since this run was recorded: run it again")


class NoWeightsError(CoreError):
    """The weights of a run that was stored, or sent to another process, without them."""

    template = N_("a stored run has no weights: load the model {model} and run it again")

    def __init__(self, model: str) -> None:
        self.model = model
        super().__init__(model=model)


class MissingMarkError(CoreError):
    """A mark, such as [MASK], that a tokenizer does not have."""

    template = N_("the tokenizer has no mark {mark}: choose a model or a tokenizer that has it")

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(mark=repr(name))


class EditError(CoreError):
    """An edit of an activation that does not fit the run."""

    template = N_("edit of {site}: {problem}")

    def __init__(self, site: str, problem: str) -> None:
        self.site, self.problem = site, problem
        super().__init__(site=repr(site), problem=problem)


class ParameterError(CoreError):
    """A setting that is out of its range or of the wrong kind."""

    template = N_("{name} is {got}; it must be {wanted}")

    def __init__(self, name: str, got: object, wanted: str) -> None:
        self.name, self.got, self.wanted = name, got, wanted
        super().__init__(name=name, got=quoted(got), wanted=wanted)

    @classmethod
    def near_to(cls, name: str, got: str, names: Iterable[str]) -> Self:
        """The error, with the few of many names that were probably meant."""
        near = difflib.get_close_matches(got, list(names), NEAREST, cutoff=0.0)
        return cls(name, got, Phrase(N_("a name that exists, such as {near}"), near=Choice(near)))


class LinesError(CoreError):
    """Labelled sentences that cannot be read; says which and what to do."""

    template = N_("{why}")

    def __init__(self, why: Phrase) -> None:
        super().__init__(why=why)


class JobError(CoreError):
    """Work beside the page that came to no end; says why and what to do.

    Attributes:
        seconds: after which one may ask again, where it was not begun.
    """

    template = N_("{problem}")

    def __init__(self, problem: str, seconds: int = 60) -> None:
        self.problem, self.seconds = problem, seconds
        super().__init__(problem=problem)


class SnapshotError(CoreError):
    """A copy of a model that was learning, which is not in memory any more."""

    template = N_("the copy {name} of a learning model is no longer kept; start the training again")

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name=name)


class CorpusError(CoreError):
    """Training text that is missing or cannot be used."""

    template = N_("{where}: {problem}")

    def __init__(self, where: object, problem: str) -> None:
        self.where, self.problem = str(where), problem
        super().__init__(where=self.where, problem=problem)


class LessonError(CoreError):
    """A lesson file that is not as it should be; says line and reason."""

    template = N_("{file}, line {line}: {reason}")

    def __init__(self, file: object, line: int, reason: object) -> None:
        self.file, self.line, self.reason = file, line, reason
        super().__init__(file=file, line=line, reason=reason)


class ExpressionError(CoreError):
    """An expression that cannot be read or carried out; says which and why."""

    template = N_("{expression}: {reason}")

    def __init__(self, text: object, reason: str) -> None:
        super().__init__(expression=repr(text), reason=reason)


class NoQuestionError(CoreError):
    """The data allow no clear question; says what is needed."""

    template = N_("{needs}")

    def __init__(self, needs: object) -> None:
        super().__init__(needs=needs)

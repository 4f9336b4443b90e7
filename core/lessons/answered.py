"""What was answered to one question, and how a browser or a file says it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

MAX_SEED, MAX_PLACES, MAX_ABOUT, MAX_PARTS = 9_999, 400, 16, 4
MAX_CHANGE = 10**9
NUMBERS = ("seed", "tries", "right", "once", "given_up", "hints")  # of an entry, in order
ID = re.compile(r"[a-z][a-z0-9-]{1,40}")


@dataclass
class QuestionRecord:
    """One question.

    Attributes:
        seed: on which it was posed last.
        tries: so far, on this seed.
        right: the last answer was.
        once: an answer was at the first try, on any data: what is counted as right.
        about: the question as it was posed; on another text it is another one.
        given_up: the answer was asked for.
        hints: that were shown.
        idea: of the last answer.
        given: it, as the browser sent it; of a goal the places of all attempts that count.
        bits: of a bet.
    """

    seed: int = 0
    tries: int = 0
    right: bool = False
    once: bool = False
    about: str = ""
    given_up: bool = False
    hints: int = 0
    idea: str = ""
    given: Any = None
    bits: float | None = None

    @property
    def done(self) -> bool:
        """Nothing of it is covered any more."""
        return self.right or self.given_up

    @property
    def attempts(self) -> list[int]:
        """The places of what was tried at a goal."""
        places = self.given if isinstance(self.given, list) else []
        return [int(place) for place in places if isinstance(place, int | float)][-MAX_PLACES + 1 :]

    def as_list(self) -> list[Any]:
        """As the browser keeps it, behind the key."""
        return [self.seed, self.tries, int(self.right), int(self.once), int(self.given_up),
                self.hints, self.given, self.about]  # fmt: skip

    def take_over(self, other: QuestionRecord) -> None:
        """Become another one, for whoever holds this one."""
        for field in dataclasses.fields(QuestionRecord):
            setattr(self, field.name, getattr(other, field.name))


# Lesson and question; behind it "before" or "after" of a probe, and of a question that came back
# the lesson that it is from and where it stands.
Key = tuple[str, str]


def entry_of(entry: Any) -> tuple[Key, QuestionRecord, int] | None:
    """One answer of a file and the number of its last change; None for what is none."""
    match entry:
        case [str(lesson), str(question), *numbers, value, str(about), n]:
            pass
        case [str(lesson), str(question), *numbers, value, str(about)]:
            n = 0  # of a file from before changes were counted
        case _:
            return None
    parts = (lesson, *question.split("/"))
    if (
        len(numbers) != len(NUMBERS)
        or not all(type(number) is int and 0 <= number <= MAX_SEED for number in numbers)
        or not (is_plain(value) and len(about) <= MAX_ABOUT and is_change(n))
        or not (all(ID.fullmatch(part) for part in parts) and len(parts) <= MAX_PARTS)
    ):
        return None
    values = dict(zip(NUMBERS, numbers, strict=True))
    return (lesson, question), QuestionRecord(
        seed=values["seed"], tries=values["tries"], hints=values["hints"],
        right=bool(values["right"]), once=bool(values["once"]),
        given_up=bool(values["given_up"]), given=value, about=about,
    ), n  # fmt: skip


def is_change(n: Any) -> bool:
    """Whether a value can number a change: a whole number from 0 to ``MAX_CHANGE``."""
    return type(n) is int and 0 <= n <= MAX_CHANGE


def is_plain(value: Any) -> bool:
    """Whether this can be kept as an answer: a number, or a few of them."""
    several = value if isinstance(value, list) else [value]
    return len(several) <= MAX_PLACES and all(
        item is None or (type(item) in (int, float) and abs(item) < 1e12) for item in several
    )

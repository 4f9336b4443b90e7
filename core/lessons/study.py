"""What a learner has answered so far. It lives in her browser; what comes from there is checked."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.lessons.posing import Marked

TWICE = 2  # right answers that a misconception takes to be gone
MOST = 2_000  # entries of a file that are taken over
MAX_SEED, MAX_PLACES, MAX_ABOUT, MAX_PARTS = 9_999, 400, 16, 4
NUMBERS = ("seed", "tries", "right", "once", "given_up", "hints")  # of an entry, in order
_PARTS = ("answers", "ideas")
_ID = re.compile(r"[a-z][a-z0-9-]{1,40}")


@dataclass
class Answered:
    """One question.

    Attributes:
        seed: on which it was posed last.
        tries: so far, on this seed.
        right: the last answer was.
        once: an answer was, on any data: what is counted.
        about: the question as it was posed; on another text it is another one.
        given_up: the answer was asked for.
        hints: that were shown.
        idea: of the last answer.
        given: it, as the browser sent it.
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


# Lesson and question; behind it "before" or "after" of a probe, and of a question that came back
# the lesson that it is from and where it stands.
Key = tuple[str, str]


@dataclass
class Study:
    """Everything that a learner has answered.

    Attributes:
        answers: by lesson and question.
        ideas: misconceptions that she has shown, and how often she was right since.
        known: what her browser keeps has been heard.
    """

    answers: dict[Key, Answered] = field(default_factory=dict)
    ideas: dict[str, int] = field(default_factory=dict)
    known: bool = False

    def of(self, lesson: str, question: str) -> Answered:
        """What she has answered to a question."""
        return self.answers.setdefault((lesson, question), Answered())

    def take(
        self, answered: Answered, marked: Marked, given: Any, ideas: Mapping[str, Any]
    ) -> None:
        """Note an answer.

        Args:
            answered: the question's entry.
            marked: what became of it.
            given: the answer.
            ideas: misconceptions that the question would have caught.
        """
        answered.tries += 1
        answered.right, answered.idea, answered.given = marked.right, marked.idea, given
        answered.bits = marked.bits
        answered.once |= marked.right
        answered.given_up |= marked.bits is not None and not marked.right  # a bet is made once
        if marked.idea in ideas:
            self.ideas[marked.idea] = 0
        if marked.right and answered.tries == 1 and not answered.hints:
            for idea in ideas.keys() & self.ideas.keys():
                self.ideas[idea] += 1
                if self.ideas[idea] >= TWICE:
                    del self.ideas[idea]

    def again(self, answered: Answered) -> None:
        """Pose a question on other data."""
        self._anew(answered, (answered.seed + 1) % MAX_SEED, "")

    def posed(self, answered: Answered, about: str) -> None:
        """Note what is asked; an answer to something else is none to this."""
        if answered.about not in ("", about):
            self._anew(answered, answered.seed, about)
        answered.about = about

    def _anew(self, answered: Answered, seed: int, about: str) -> None:
        fresh = Answered(seed=seed, once=answered.once, about=about)
        for one in dataclasses.fields(Answered):
            setattr(answered, one.name, getattr(fresh, one.name))

    def as_data(self) -> dict[str, Any]:
        """As the browser keeps it."""
        return {
            "answers": [
                [*key, one.seed, one.tries, int(one.right), int(one.once), int(one.given_up),
                 one.hints, one.given, one.about]
                for key, one in self.answers.items() if one.tries or one.given_up or one.once
            ],
            "ideas": dict(self.ideas),
        }  # fmt: skip

    def load(self, said: Any) -> bool:
        """Take over what a browser or a file says, beside what was answered in this visit.

        Returns:
            Whether all of it could be read; what could not is left out.
        """
        if not isinstance(said, dict):
            return False
        entries, ideas = said.get("answers", []), said.get("ideas", {})
        if not isinstance(entries, list) or not isinstance(ideas, dict):
            return False
        whole = len(entries) <= MOST and len(ideas) <= MOST
        for entry in entries[:MOST]:
            found = _entry(entry)
            whole &= found is not None
            if found is not None:
                key, answered = found
                self.answers.setdefault(key, answered)
                if not self.answers[key].tries:
                    self.answers[key] = answered
        for idea, count in list(ideas.items())[:MOST]:
            if isinstance(idea, str) and _ID.fullmatch(idea) and type(count) is int:
                self.ideas.setdefault(idea, max(0, min(count, TWICE - 1)))
            else:
                whole = False
        return whole


def is_progress(said: Any) -> bool:
    """Whether this is what ``as_data`` makes, at least in its outlines."""
    answers, ideas = (said.get(name) if isinstance(said, dict) else None for name in _PARTS)
    return isinstance(answers, list) and isinstance(ideas, dict)


def _entry(entry: Any) -> tuple[Key, Answered] | None:
    """One answer of a file; None for what is none."""
    match entry:
        case [str(lesson), str(question), *numbers, given, str(about)] if (
            len(numbers) == len(NUMBERS)
            and all(type(one) is int and 0 <= one <= MAX_SEED for one in numbers)
            and _plain(given)
            and len(about) <= MAX_ABOUT
        ):
            parts = (lesson, *question.split("/"))
            if all(_ID.fullmatch(one) for one in parts) and len(parts) <= MAX_PARTS:
                said = dict(zip(NUMBERS, numbers, strict=True))
                return (lesson, question), Answered(
                    seed=said["seed"], tries=said["tries"], hints=said["hints"],
                    right=bool(said["right"]), once=bool(said["once"]),
                    given_up=bool(said["given_up"]), given=given, about=about,
                )  # fmt: skip
    return None


def _plain(given: Any) -> bool:
    """Whether this can be an answer: a number, or a few of them."""
    several = given if isinstance(given, list) else [given]
    return len(several) <= MAX_PLACES and all(
        one is None or (type(one) in (int, float) and abs(one) < 1e12) for one in several
    )

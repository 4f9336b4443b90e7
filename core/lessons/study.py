"""What a learner has answered so far. It lives in her browser; what comes from there is checked.

Several visits may change it: tabs side by side, another process of the server after a lost
connection. So each entry says which change of it it is, and the latest counts, wherever two meet
(``assets/components/progress/merged.js`` does the same in the browser).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.lessons.answered import ID, MAX_SEED, Key, QuestionRecord, entry_of, is_change
from core.lessons.marking import Marked
from core.lessons.schema import Lesson

TWICE = 2  # right answers that a misconception takes to be gone
MOST = 2_000  # entries of a file that are taken over
OWN_SEEDS = 9_000  # that a learner's own may be; what is drawn beside it is a little further on
LONGEST = 400_000  # characters of a file
_PARTS = ("answers", "ideas")


@dataclass
class Study:
    """Everything that a learner has answered.

    Attributes:
        answers: by lesson and question.
        ideas: misconceptions that she has shown, and how often she was right since.
        is_loaded: what her browser keeps has been heard.
        era: how often everything was deleted; what is of an earlier one is gone.
        changes: by question or misconception, how often it has changed, and how it was then.
        seed: of her own, by which questions are posed that she has not met yet.
    """

    answers: dict[Key, QuestionRecord] = field(default_factory=dict)
    ideas: dict[str, int] = field(default_factory=dict)
    is_loaded: bool = False
    era: int = 0
    changes: dict[Key | str, tuple[int, Any]] = field(default_factory=dict)
    seed: int = 0

    def of(self, lesson: str, question: str) -> QuestionRecord:
        """What she has answered to a question."""
        return self.answers.setdefault((lesson, question), QuestionRecord(seed=self.seed))

    def right(self, lesson: Lesson) -> int:
        """How many of a lesson's questions she was right at with the first try, on any data."""
        keys = ((lesson.id, question) for question in lesson.question_ids)
        return sum(self.answers[key].once for key in keys if key in self.answers)

    def take(
        self, answered: QuestionRecord, marked: Marked, value: Any, ideas: Mapping[str, Any]
    ) -> None:
        """Note an answer.

        Args:
            answered: the question's entry.
            marked: what became of it.
            value: the answer.
            ideas: misconceptions that the question would have caught.
        """
        answered.tries += 1
        answered.right, answered.idea, answered.given = marked.right, marked.idea, value
        answered.bits = marked.bits
        answered.once |= marked.right and answered.tries == 1
        answered.given_up |= marked.bits is not None and not marked.right  # a bet is made once
        if marked.idea in ideas:
            self.ideas[marked.idea] = 0
        if marked.right and answered.tries == 1 and not answered.hints:
            for idea in ideas.keys() & self.ideas.keys():
                self.ideas[idea] += 1
                if self.ideas[idea] >= TWICE:
                    del self.ideas[idea]

    def tried(
        self, answered: QuestionRecord, marked: Marked, place: int | None, ideas: Mapping[str, Any]
    ) -> None:
        """Note an attempt at a goal; the same one counts once, however often she comes back to it.

        Args:
            answered: the goal's entry.
            marked: what became of it.
            place: which of all attempts it was; None where they are not counted.
            ideas: misconceptions that the goal would have caught.
        """
        tries, places = answered.tries, answered.attempts
        is_known = place is None or place in places
        self.take(answered, marked, places if is_known else [*places, place], ideas)
        if place in places:
            answered.tries = tries

    def again(self, answered: QuestionRecord) -> None:
        """Pose a question on other data."""
        self._anew(answered, (answered.seed + 1) % MAX_SEED, "")

    def once_more(self, answered: QuestionRecord) -> None:
        """Begin a goal from the start: it is the same one, so what was tried still counts."""
        tries, places = max(answered.tries, int(answered.given_up)), answered.attempts
        self.again(answered)
        answered.tries, answered.given = tries, places

    def posed(self, answered: QuestionRecord, about: str) -> None:
        """Note what is asked; an answer to something else is none to this."""
        if answered.about not in ("", about):
            self._anew(answered, answered.seed, about)
        answered.about = about

    def _anew(self, answered: QuestionRecord, seed: int, about: str) -> None:
        answered.take_over(QuestionRecord(seed=seed, once=answered.once, about=about))

    def as_data(self) -> dict[str, Any]:
        """As the browser keeps it, each entry with the number of its last change."""
        self._count_changes()
        changes = self.changes.items()
        return {
            "answers": [[*key, *was, n] for key, (n, was) in changes if isinstance(key, tuple)],
            "ideas": {key: [was, n] for key, (n, was) in changes if isinstance(key, str)},
            "era": self.era,
            "seed": self.seed,
        }

    def hold(self, key: Key, answered: QuestionRecord) -> None:
        """Keep what is asked, too, where that stays: of a test, and what came back to her."""
        self.answers[key] = answered
        self._changed(key, answered.as_list())

    def _count_changes(self) -> None:
        for key, answer in self.answers.items():
            _n, was = self.changes.get(key, (0, None))
            # Posed on another text it is another question, but no answer yet.
            if (
                answer.tries
                or answer.given_up
                or answer.hints
                or (answer.once if was is None else answer.seed != was[0])
            ):
                self._changed(key, answer.as_list())
        for idea in {*self.ideas, *(key_ for key_ in self.changes if isinstance(key_, str))}:
            self._changed(idea, self.ideas.get(idea, TWICE))  # one that is gone must not come back

    def _changed(self, key: Key | str, now: Any) -> None:
        n, before = self.changes.get(key, (0, None))
        if now != before:
            self.changes[key] = n + 1, now

    def wipe(self, era: int) -> None:
        """Forget everything.

        Args:
            era: that begins.
        """
        self.answers, self.ideas, self.changes, self.era = {}, {}, {}, era

    def load(self, data: Any) -> bool:
        """Take over what a browser or a file says and is newer than what is known here.

        Returns:
            Whether all of it could be read; what could not is left out.
        """
        if not isinstance(data, dict):
            return False
        entries, ideas = data.get("answers", []), data.get("ideas", {})
        if not isinstance(entries, list) or not isinstance(ideas, dict):
            return False
        seed, era = data.get("seed"), data.get("era", 0)
        if type(seed) is int and 0 <= seed < OWN_SEEDS:
            self.sow(seed)
        if is_change(era) and era > self.era:  # everything was deleted elsewhere
            if self.is_loaded:
                self.wipe(era)
            self.era = era
        self._count_changes()
        is_complete = len(entries) <= MOST and len(ideas) <= MOST
        for entry in entries[:MOST]:
            entry_ = entry_of(entry)
            room = entry_ is not None and self._has_room(entry_[0])
            is_complete &= room
            if entry_ is not None and room:
                self._meet(*entry_)
        for idea, entry in list(ideas.items())[:MOST]:
            count, n = entry if isinstance(entry, list) and len(entry) == 2 else (entry, 0)
            plain = type(count) is int and is_change(n)
            if ID.fullmatch(idea) and plain and self._has_room(idea):
                self._meet_idea(idea, max(0, min(count, TWICE)), n)
            else:
                is_complete = False
        return is_complete

    def _has_room(self, key: Key | str) -> bool:
        """Whether an entry is known, or one more of a file can be; each file may have others."""
        return key in self.changes or len(self.changes) < 2 * MOST

    def sow(self, seed: int) -> None:
        """Take over the seed that her browser has kept, for what she has not begun to answer.

        Args:
            seed: or the one that the link of her class says.
        """
        for answer in self.answers.values():
            if answer == QuestionRecord(seed=self.seed, about=answer.about):
                answer.take_over(QuestionRecord(seed=seed))
        self.seed = seed

    def _meet(self, key: Key, answered: QuestionRecord, n: int) -> None:
        """Of an answer here and one said there, the newer."""
        own_answer, (own_n, was) = self.of(*key), self.changes.get(key, (0, None))
        own_answer.once = answered.once = own_answer.once or answered.once
        is_answered = was is not None and bool(own_answer.tries or own_answer.given_up)
        if is_answered and not self.is_loaded:  # before what the browser keeps was heard
            self.changes[key] = own_n + n + 1, own_answer.as_list()
        elif was is not None and own_answer.tries and own_answer.about not in ("", answered.about):
            self.changes[key] = (
                max(own_n, n),
                own_answer.as_list(),
            )  # on another text: it stays on screen
        elif was is None or n > own_n:
            own_answer.take_over(answered)
            self.changes[key] = n, own_answer.as_list()

    def _meet_idea(self, idea: str, count: int, n: int) -> None:
        """Keep the newer of two counts of an idea."""
        own_n, was = self.changes.get(idea, (0, None))
        if was is not None and not self.is_loaded:
            self.changes[idea] = own_n + n + 1, was
        elif was is None or n > own_n:
            self.changes[idea] = n, count
            self.ideas[idea] = count
            if count >= TWICE:
                del self.ideas[idea]


def read(text: Any) -> Any:
    """What a browser or a file says, from its text; None for what cannot be read."""
    try:
        return json.loads(text) if isinstance(text, str) and len(text) <= LONGEST else None
    except (ValueError, RecursionError):  # nested as deep as no progress is
        return None

"""A text, a word of it, and a code learnt from another text: what these views are asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from core.figures import tokens
from core.figures.text import sentence
from core.language import N_, _
from core.locale import grouped
from core.runs.requests import LearnRequest, LearnUnigramRequest
from core.spelling import visible
from core.text.learning import MergeTraining
from core.text.unigram_learning import UnigramTraining
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.view import Note

CORPUS = (
    "A low wall stood by the river. A lower wall stood by the wider river, and the lowest wall "
    "of all stood by the widest river. The new miller said: my wall is newer than the old wall, "
    "and the newest wall is the slowest to fall. The old miller said: the slower the river, the "
    "longer the wall; the slowest river has the longest wall."
)

METHODS = {
    "": N_("as the model does"), "bpe": N_("Byte-pair encoding"), "wordpiece": N_("WordPiece"),
    "unigram": N_("Unigram"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tokenizing(OnText):
    """A text, a word of it, and a code learnt from another text.

    Attributes:
        word: number of the word that is looked at; -1 while none is chosen.
        join: steps that are shown of its encoding; -1 for all.
        code: whose entries encode it.
        corpus: the text that merges are learnt from.
        merges: how many are learnt.
        merge: how many of them are shown.
    """

    word: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Word"))
    join: int = param(
        -1, low=-1, high=100_000, lives="browser", label=N_("Steps shown of the word")
    )
    code: str = param(
        "model",
        choices={"model": N_("the model's own"), "learnt": N_("the code learned below")},
        label=N_("Vocabulary of"),
    )
    corpus: str = param(CORPUS, label=N_("Text to learn from"))
    merges: int = param(60, low=1, high=200, label=N_("Merges to learn"))
    merge: int = param(10, low=0, high=200, lives="browser", label=N_("Merges shown"))

    @property
    def so_far(self) -> int:
        """Of the merges those that are shown; the text may have given fewer."""
        return nearest("merge", self.merge, self.merges)

    def word_of(self, n: int, opens: int = 0) -> int:
        """The word that is looked at.

        Args:
            n: words of the text.
            opens: the one that is shown while none is chosen.
        """
        return opens if self.word < 0 else nearest("word", self.word, max(0, n - 1))

    def learning(self) -> LearnRequest:
        """What all views of the learnt code share."""
        return LearnRequest(self.text_to_learn, self.merges)

    @property
    def text_to_learn(self) -> str:
        """An empty corpus is the example."""
        return self.corpus if self.corpus.strip() else CORPUS

    def selection(self, **shown: int) -> dict[str, int | str | None]:
        """What components share, by the names of the parameters.

        Args:
            shown: what is shown in place of a number beyond what there is.
        """
        join = None if self.join < 0 else self.join
        return {"word": max(0, self.word), "join": join, "merge": self.merge, **shown}


@dataclass(frozen=True, slots=True)
class ByMerges(Tokenizing):
    """The same, by one of the methods.

    Attributes:
        cutting: by which method words are cut and pieces learned; empty for that of the model.
    """

    cutting: str = param("", choices=METHODS, label=N_("Method"))

    def learning(self) -> LearnRequest:
        """Merges as the method learns them; those of byte-pair encoding where it has none."""
        found: Literal["bpe", "wordpiece"] = "wordpiece" if self.cutting == "wordpiece" else "bpe"
        return LearnRequest(self.text_to_learn, self.merges, found)

    def selection(self, **shown: int) -> dict[str, int | str | None]:
        found = Tokenizing.selection(self, **shown)
        # Which word Unigram opens on only its own lattices know.
        if self.word < 0 and self.cutting == "unigram" and "word" not in shown:
            del found["word"]
        return found


@dataclass(frozen=True, slots=True)
class ByPieces(ByMerges):
    """The same with a unigram vocabulary that is learned round by round.

    Attributes:
        pieces: entries it ends with.
        round: the round that is shown.
    """

    pieces: int = param(50, low=30, high=300, label=N_("Entries to keep"))
    round: int = param(0, low=0, high=100, lives="browser", label=N_("Round shown"))

    def unigram(self) -> LearnUnigramRequest:
        """What all views of the learned vocabulary share."""
        return LearnUnigramRequest(self.text_to_learn, self.pieces)

    def selection(self, **shown: int) -> dict[str, int | str | None]:
        return ByMerges.selection(self, **{"round": self.round, **shown})


def learned_from(params: Tokenizing, learning: MergeTraining[Any] | UnigramTraining) -> list[Note]:
    """Where a code is not learned from all that was typed."""
    notes = []
    if not params.corpus.strip():
        said = _("There is nothing to learn from: the example is used.")
        notes.append(Note("info", sentence("{said}", said=said)))
    if learning.cut:
        said = _("The merges are learned from the first {n} characters only.")
        notes.append(Note("warning", sentence(said, n=grouped(len(learning.text)))))
    return notes


def word_shown(word: str) -> str:
    """A word inside a sentence, shortened when it is very long."""
    return visible(tokens.cut_text(word, tokens.SHOWN)).removeprefix("·") or "·"

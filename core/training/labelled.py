"""Files of texts, or of pairs of texts, with a label each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import CorpusError
from core.inputs import Pair, Text
from core.language import N_, Phrase
from core.spelling import letters
from core.training.sources import read_columns

NEGATED = "negated"  # the kind of a text that says no to something
_NEGATIONS = {"cannot", "hardly", "neither", "never", "no", "nobody", "none", "nor", "not"}
_NEGATIONS |= {"nothing", "without"}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, or a pair of them, and what it is.

    Attributes:
        given: the text or the pair.
        label: its number.
        kind: where it comes from, as the file says; "" where it does not.
    """

    given: Text | Pair
    label: int
    kind: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The text, or the two of a pair."""
        if isinstance(self.given, Pair):
            return self.given.first, self.given.second
        return (self.given.text,)

    @property
    def letters(self) -> str:
        """What it says, without case, spaces and punctuation."""
        return "\n".join(map(letters, self.texts))


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """How a ``.tsv.xz`` file is read.

    Attributes:
        texts: the columns of a text, or of the two of a pair.
        says: what the column ``label`` says of each label, in their order.
        kind: the column that says where a row comes from; "" where there is none.
        by_negation: a text with a word of negation is of the kind ``NEGATED``.
    """

    texts: tuple[str, ...]
    says: tuple[str, ...]
    kind: str = ""
    by_negation: bool = False

    def read(self, path: Path) -> list[Labelled]:
        """The rows of a file.

        Raises:
            CorpusError: the file is missing or damaged, or has a label of which nothing is known.
        """
        columns = (*self.texts, "label", *([self.kind] if self.kind else []))
        examples = []
        for row in read_columns(path, *columns):
            texts, (label, *kind) = row[: len(self.texts)], row[len(self.texts) :]
            if label not in self.says:
                labels = ", ".join(self.says)
                raise CorpusError(
                    path, Phrase(N_("label {label} is none of {known}"), label=label, known=labels)
                )
            model_input = Text(*texts) if len(texts) == 1 else Pair(*texts)
            if self.by_negation and any(map(negates, texts)):
                kind = [NEGATED]
            examples.append(Labelled(model_input, self.says.index(label), *kind))
        return examples


def negates(text: str) -> bool:
    """Whether a text has a word of negation: "not", "never", "isn't"."""
    words = (word.strip(",.;:!?()'\"") for word in text.lower().split())
    return any(word in _NEGATIONS or word.endswith("n't") for word in words)

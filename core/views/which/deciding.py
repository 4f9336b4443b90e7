"""The table that is filled: what a machine may be wanted for, and what was guessed of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.language import N_
from core.models.abilities import Ability
from core.runs.probes import Probe
from core.views.params import OnText, model_param, param

MOST = 24  # words of a text that are read
WORD = re.compile(r"\S+")
# What the columns are: an ability, and the parameter that names a machine with it. A machine that
# learned to fill in spans comes before one that learned to mend any damage.
COLUMNS: tuple[tuple[Ability, str], ...] = (
    ("next_token", "model"),
    ("masked_words", "guesser"),
    ("both_ways", "reader"),
    ("fill_spans", "filler"),
    ("denoise", "mender"),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table; all words are translated with ``_`` where they are shown.

    Attributes:
        probe: that settles its cells.
        says: what a machine is wanted for.
        asks: the question that the probe answers.
        does: what is done.
        measures: the number, for an axis.
        least: the number from which on a machine can.
        why: the reason for that threshold.
        unit: of the number.
        shows: what the machine was given or has written.
        code: the line that computes the number.
    """

    probe: Probe
    says: str
    asks: str
    does: str
    measures: str
    least: float
    why: str
    unit: Literal["share", "count"]
    shows: str
    code: str


# Why a machine with such an ability can what it can, and no more (translate with ``_``).
REASONS: Mapping[Ability, str] = {
    "next_token": N_("Each of its vectors depends on its own word and those before it. It was "
                     "trained to predict the next token."),
    "masked_words": N_("Each of its vectors depends on all words of the text. It was trained to "
                       "predict hidden words."),
    "both_ways": N_("One half of it reads forwards, the other backwards. It was trained to predict "
                    "the word after and the word before."),
    "fill_spans": N_("Its encoder reads all words of the text. Its decoder attends to them and to "
                     "what it has written so far. It was trained to write the spans that are "
                     "hidden."),
    "denoise": N_("Its encoder reads all words of the text. Its decoder attends to them and to "
                  "what it has written so far. It was trained to write the whole of a damaged "
                  "text."),
}  # fmt: skip
PROBES_FILE = "core/runs/answers/probes.py"
KINDS: tuple[Kind, ...] = (
    Kind(
        "later",
        N_("See later words"),
        N_("Does a word's vector depend on the words after it?"),
        N_("The last word of the text is swapped for another one. How far does the vector of the "
           "middle word move, after the last layer, as a share of its length?"),
        N_("How far the vector of the middle word moves"),
        0.01,
        N_("rounding moves a vector by less than 0.01 %, so 1 % comes from the swapped word"),
        "share",
        N_("“{1}” becomes “{2}”, and the vector of “{0}” is compared."),
        "moved = [float(np.linalg.norm(one - plain) / size)",
    ),
    Kind(
        "together",
        N_("Join both sides"),
        N_("Do the words before and after a word act together on its vector?"),
        N_("A word before the middle word is swapped, then the last word, then both. If the two "
           "sides never meet, both swaps together change the vector by the sum of what each "
           "changes alone. How much of the change is left beyond that sum?"),
        N_("Share of the change that neither swap explains"),
        0.01,
        N_("where the two sides never meet, the share is 0 but for rounding"),
        "share",
        N_("“{1}” becomes “{2}”, and the vector of “{0}” is compared."),
        "alone = float(np.linalg.norm(both - before - behind + plain))",
    ),
    Kind(
        "senses",
        N_("Separate senses"),
        N_("Does a word with two senses get vectors that tell them apart?"),
        N_("“left” stands in four sentences as the opposite of “right” and in four as “went "
           "away”. How often is the nearest of the other vectors one of the same sense?"),
        N_("Sentences whose nearest one has the same sense"),
        0.75,
        N_("a vector that knows no context is right in 43 % of the cases, by chance"),
        "share",
        N_("The sentences are like “{1}” and “{2}”. They do not depend on your text."),
        "share = float(same_sense(",
    ),
    Kind(
        "gap",
        N_("Fill a gap"),
        N_("Does the machine find a word that is missing in the middle?"),
        N_("One word of the text after the other is hidden, at most twelve of them. What "
           "probability does the machine give to the hidden word? The mean is geometric, so that "
           "a word it rules out counts."),
        N_("Probability of the hidden word"),
        0.10,
        N_("one right word in ten draws: a machine with less needs too many tries to be of use"),
        "share",
        N_("From the words before alone, {model} gives {beside}. The rest of the sentence helps "
           "most with “{0}” in “{1}”."),
        "both, left = logs[: len(holes)], logs[len(holes) :]",
    ),
    Kind(
        "writes",
        N_("Continue a text"),
        N_("Can the machine continue a text?"),
        N_("The machine writes ten tokens after the text, each time the most likely one. How many "
           "different ones are among them? A machine that cannot write repeats itself."),
        N_("Different tokens of ten"),
        6,
        N_("more than half of what it writes must be new"),
        "count",
        N_("{model} writes: “{0}”"),
        "return Probed(float(len(set(found)))",
    ),
    Kind(
        "chain",
        N_("Score a text"),
        N_("Does one pass give a whole text a probability?"),
        N_("By the chain rule the probability of a text is the product of those of its tokens, if "
           "each depends on the tokens before it alone. The last token is swapped for another. How "
           "many of the predictions before it stay the same?"),
        N_("Predictions that stay the same"),
        1.0,
        N_("a single prediction that has seen what comes later spoils the product"),
        "share",
        "",
        "stay = np.abs(logs[0] - logs[1])",
    ),
    Kind(
        "answers",
        N_("Answer untrained"),
        N_("Can the machine sort texts as it is, without being trained for it?"),
        N_("Behind each of 48 sentences a word is asked for: is “happy” or “sad” more likely? How "
           "often is that the label of the sentence?"),
        N_("Right answers"),
        0.75,
        N_("half of the answers are right by chance; three in four need some understanding"),
        "share",
        N_("{model} reads “{0}” The right answer is “{1}”."),
        "right = ((logs[:, 0] > logs[:, 1]) == glad)",
    ),
    Kind(
        "learns",
        N_("Use every token"),
        N_("Do all tokens of a text count in one step of training?"),
        N_("The text becomes an exercise as in training. How many tokens have to be predicted, as "
           "a share of those that the text has?"),
        N_("Tokens that count in the loss"),
        0.5,
        N_("with less than half of them, as many texts teach less than half as much"),
        "share",
        "",
        "counted = sum(not token.special",
    ),
)  # fmt: skip
NEED, DECIDED, UNASKED = "yn", "YN", "S"
# The row that is finished when the page opens.
FINISHED = " ".join(f"0{n}{UNASKED}" for n in range(len(COLUMNS)))


@dataclass(frozen=True, slots=True)
class Deciding(OnText):
    """A text, the machines that read it, and what was guessed and settled of each.

    Attributes:
        model: the one that continues a text.
        guesser, reader, filler, mender: those that fill in hidden words, predict in both
            directions, fill in spans, mend a damaged text; empty for none.
        guesses: a cell each: its row, its column, and what was guessed: y or n, in capitals where
            the cell is settled, or S for one that is settled without a guess.
        probe: the row that is looked at.
        probed: the column.
    """

    guesser: str = model_param("", N_("Model that fills in hidden words"))
    reader: str = model_param("", N_("Model that predicts in both directions"))
    filler: str = model_param("", N_("Model that fills in spans"))
    mender: str = model_param("", N_("Model that mends a damaged text"))
    guesses: str = param(
        FINISHED,
        pattern=r"(\d\d[ynYNS] ?){0,80}",
        form=N_("cells with a guess each"),
        high=320,
        label=N_("Guesses"),
    )
    probe: int = param(0, low=0, high=len(KINDS) - 1, picked=True, label=N_("Use"))
    probed: int = param(0, low=0, high=len(COLUMNS) - 1, picked=True, label=N_("Machine"))

    @property
    def machines(self) -> Mapping[int, str]:
        """The machine of each column that has one."""
        named = {n: getattr(self, name) for n, (_ability, name) in enumerate(COLUMNS)}
        return {n: name for n, name in named.items() if name}

    @property
    def read(self) -> str:
        """As much of the text as is read."""
        words = list(WORD.finditer(self.text))
        return self.text[: words[MOST - 1].end()] if len(words) > MOST else self.text

    @property
    def said(self) -> dict[tuple[int, int], str]:
        """What stands in each cell that is not empty."""
        found = {(int(one[0]), int(one[1])): one[2] for one in self.guesses.split()}
        own = self.machines
        return {at: one for at, one in found.items() if at[0] < len(KINDS) and at[1] in own}

    @property
    def settled(self) -> list[tuple[int, int]]:
        """The cells whose probes are run, by row and column."""
        return sorted(at for at, one in self.said.items() if one in DECIDED + UNASKED)

    @property
    def guessed(self) -> list[tuple[int, int]]:
        """The cells with a guess that nothing has settled yet."""
        return sorted(at for at, one in self.said.items() if one in NEED)


def guess(params: Deciding, row: int, column: int, *, can: bool) -> str:
    """The guesses with one more, or another one."""
    return _with(params, {(row, column): NEED[not can]})


def settle(params: Deciding, cells: list[tuple[int, int]]) -> str:
    """The guesses with some of them settled; a cell without a guess is settled as it is."""
    said = params.said
    return _with(params, {at: said.get(at, UNASKED).upper() for at in cells})


def joined(guesses: str, others: str) -> str:
    """Guesses with cells that are settled besides: one that was guessed keeps its guess."""
    found, more = _by_cell(guesses), _by_cell(others)
    settled = {at: found[at].upper() if at in found else what for at, what in more.items()}
    return _written(found | settled)


def _by_cell(guesses: str) -> dict[str, str]:
    return {one[:2]: one[2] for one in guesses.split()}


def _written(cells: Mapping[str, str]) -> str:
    return " ".join(f"{at}{what}" for at, what in sorted(cells.items()))


def _with(params: Deciding, changes: Mapping[tuple[int, int], str]) -> str:
    more = {f"{row}{column}": what for (row, column), what in changes.items()}
    return _written(_by_cell(params.guesses) | more)

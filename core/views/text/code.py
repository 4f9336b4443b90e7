"""How short the training text becomes as entries are learnt, beside a code for characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.codes import huffman_bits
from core.analysis.distributions import order_0_entropy
from core.figures.components.plot import Curve, Plot, PlotAxis, Rule
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.text.learning import MergeTraining
from core.text.unigram_learning import UnigramTraining
from core.views.nearest import nearest
from core.views.params import param
from core.views.text.tokenizing import ByPieces
from core.views.view import View


@dataclass(frozen=True, slots=True)
class Coding(ByPieces):
    """The same, where the merge or the round that is shown moves a line of a plot."""

    merge: int = param(10, low=0, high=200, picked=True, label=N_("Merges shown"))
    round: int = param(0, low=0, high=100, picked=True, label=N_("Round shown"))


@dataclass(frozen=True)
class Costs:
    """Bits a character of the training text, in every state: after each merge, or in each round.

    Attributes:
        rounds: the states are rounds that let go of entries, not merges that add some.
        fixed: ``(states,)`` each token by a number of fixed length.
        ideal: ``(states,)`` each token by -log2 of its share of all tokens; in rounds by -log2 of
            the probability of its entry.
        characters: each character by -log2 of its share of all characters.
        huffman: each character by its word in Huffman's code.
        tokens_per_word: in the state that is shown.
        step: which one that is.
    """

    rounds: bool
    fixed: NDArray[np.float64]
    ideal: NDArray[np.float64]
    characters: float
    huffman: float
    tokens_per_word: float
    step: int


class CodeCost(View[Coding, Costs]):
    """Two curves over the states, two lines for characters."""

    name, Params, needs = "text.code", Coding, NO_MODEL

    def requests(self, params: Coding) -> tuple[Request, ...]:
        return (params.unigram() if params.cutting == "unigram" else params.learning(),)

    def compute(
        self, runs: Sequence[MergeTraining[Any] | UnigramTraining], params: Coding
    ) -> Costs:
        (learning,) = runs
        if isinstance(learning, UnigramTraining):
            sizes, n_tokens, ideal = _rounds(learning)
            step = nearest("round", params.round, len(sizes) - 1)
        else:
            sizes, n_tokens, ideal = _merges(learning)
            step = min(params.so_far, len(sizes) - 1)
        n = max(1, len(learning.text))
        return Costs(
            rounds=isinstance(learning, UnigramTraining),
            fixed=np.log2(sizes) * n_tokens / n,
            ideal=ideal / n,
            characters=order_0_entropy(learning.text),
            huffman=huffman_bits(Counter(learning.text)),
            tokens_per_word=float(n_tokens[step]) / max(1, len(learning.text.split())),
            step=step,
        )

    def values(self, record: Costs) -> Mapping[str, Values]:
        merges = (Along("state", _states(record),
                        [str(n) for n in range(len(record.fixed))]),)  # fmt: skip
        place = (record.step,)
        return {
            "fixed": Values(_("fixed length"), record.fixed, merges, selected=place),
            "ideal": Values(_("ideal code"), record.ideal, merges, selected=place),
            "huffman": Values(_("characters, Huffman"), np.array(record.huffman)),
            "characters": Values(_("characters, entropy"), np.array(record.characters)),
            "tokens_per_word": Values(_("tokens per word"), np.array(record.tokens_per_word)),
        }

    def describe(self, record: Costs) -> Sentence:
        step = record.step
        return join(
            [
                sentence(
                    _(
                        "In round {n} a word is {tokens} tokens. Per character that is {fixed} "
                        "bits with numbers of fixed length, {ideal} bits with an ideal code."
                    )
                    if record.rounds
                    else ngettext(
                        "After {n} merge a word is {tokens} tokens. Per character that is "
                        "{fixed} bits with numbers of fixed length, {ideal} bits with an "
                        "ideal code.",
                        "After {n} merges a word is {tokens} tokens. Per character that is "
                        "{fixed} bits with numbers of fixed length, {ideal} bits with an "
                        "ideal code.",
                        step,
                    ),
                    n=str(step),
                    tokens=number(record.tokens_per_word),
                    fixed=Mark(number(float(record.fixed[step])), "key"),
                    ideal=Mark(number(float(record.ideal[step])), "accent"),
                ),
                sentence(
                    _(
                        "Huffman's code, the best with whole bits for each character, needs "
                        "{huffman}. The bound for codes that know only how often each character "
                        "stands here is {own}."
                    ),
                    huffman=Mark(number(record.huffman), "position"),
                    own=Mark(number(record.characters), "residual"),
                ),
            ]
        )

    def draw(self, record: Costs) -> Plot:
        return Plot(
            title=_("Bits per character of the training text"),
            x=PlotAxis(title=_states(record)),
            y=PlotAxis(title=_("bits per character"), from_zero=True),
            series=_curves(record),
            rules=[Rule(x=record.step)],
            height=340,
        )


Counted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _merges(learning: MergeTraining[Any]) -> Counted:
    """``(S + 1,)`` each: entries, tokens of the text, and its bits by the shares of the tokens."""
    newest = [merge.new for merge in learning.code.merges]
    start = learning.code.n_entries - len(set(newest))  # bytes or letters
    # Two pairs can spell one entry, so a merge may add none.
    sizes = np.maximum.accumulate([start, *(new + 1 for new in newest)])
    return sizes, learning.n_tokens, learning.entropy * learning.n_tokens


def _rounds(learning: UnigramTraining) -> Counted:
    """The same of every round; bits by the probabilities of the entries."""
    sizes, n_tokens, bits = [], [], []
    for one in learning.rounds:
        costs = {entry.piece: -log2(entry.probability) for entry in one.entries}
        cuts = [(cut, n) for cut, (_word, n) in zip(one.cuts, learning.words, strict=True)]
        sizes.append(len(one.entries))
        n_tokens.append(sum(n * len(cut) for cut, n in cuts))
        bits.append(sum(n * sum(map(costs.__getitem__, cut)) for cut, n in cuts))
    return np.array(sizes), np.array(n_tokens), np.array(bits, np.float64)


def _states(record: Costs) -> str:
    """What the states are counted in."""
    return _("rounds") if record.rounds else _("merges")


def _curves(record: Costs) -> list[Curve]:
    """Tokens in every state; characters, which no state changes."""
    hover = "{name}\n" + (
        _("round {n}").format(n="{x}")
        if record.rounds
        else _("after {merges} merges").format(merges="{x}")
    )
    hover += "\n" + _("bits per character: {y:.4f}")
    steps = range(len(record.fixed))
    ends = [0, max(1, steps[-1])]
    return [
        Curve(x=steps, y=record.fixed, name=_("tokens, fixed length"), role="key", hover=hover),
        Curve(x=steps, y=record.ideal, name=_("tokens, ideal code"), role="accent", hover=hover),
        Curve(
            x=ends, y=[record.huffman] * 2, name=_("characters, Huffman"), role="position",
            dash="dash", hover=hover,
        ),
        Curve(
            x=ends, y=[record.characters] * 2, name=_("characters, entropy"), role="residual",
            dash="dot", hover=hover,
        ),
    ]  # fmt: skip

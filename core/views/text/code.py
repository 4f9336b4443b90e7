"""How short the training text becomes as merges are learnt, beside a code for characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from core.text.learning import BPETraining
from core.views.params import param
from core.views.text.tokenizing import Tokenizing
from core.views.view import View, register


@dataclass(frozen=True, slots=True)
class Coding(Tokenizing):
    """The same, where the merge that is shown moves a line of a plot."""

    merge: int = param(10, low=0, high=200, picked=True, label=N_("Merges shown"))


@dataclass(frozen=True)
class Costs:
    """Bits a character of the training text, after every merge.

    Attributes:
        fixed: ``(S + 1,)`` each token by a number of fixed length.
        ideal: ``(S + 1,)`` each token by -log2 of its share of all tokens.
        characters: each character by -log2 of its share of all characters.
        huffman: each character by its word in Huffman's code.
        tokens_per_word: after the merges that are shown.
        step: how many these are.
    """

    fixed: NDArray[np.float64]
    ideal: NDArray[np.float64]
    characters: float
    huffman: float
    tokens_per_word: float
    step: int


@register
class CodeCost(View[Coding, Costs]):
    """Two curves over the merges, two lines for characters."""

    name, Params, needs = "text.code", Coding, NO_MODEL

    def requests(self, params: Coding) -> tuple[Request, ...]:
        return (params.learning(),)

    def compute(self, runs: Sequence[BPETraining], params: Coding) -> Costs:
        (learning,) = runs
        n = max(1, len(learning.text))
        per_character = learning.n_tokens / n
        newest = [255, *(merge.new for merge in learning.code.merges)]
        sizes = np.maximum.accumulate(newest) + 1  # entries of the vocabulary
        step = min(params.so_far, len(learning.code.merges))
        return Costs(
            fixed=np.log2(sizes) * per_character,
            ideal=learning.entropy * per_character,
            characters=order_0_entropy(learning.text),
            huffman=huffman_bits(Counter(learning.text)),
            tokens_per_word=float(learning.n_tokens[step]) / max(1, len(learning.text.split())),
            step=step,
        )

    def values(self, record: Costs) -> Mapping[str, Values]:
        merges = (Along("merges", _("merges"), [str(n) for n in range(len(record.fixed))]),)
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
                    ngettext(
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
                        "One character at a time, Huffman's code needs {huffman}, and the best "
                        "possible code {own}."
                    ),
                    huffman=Mark(number(record.huffman), "position"),
                    own=Mark(number(record.characters), "residual"),
                ),
            ]
        )

    def show(self, record: Costs) -> Plot:
        return Plot(
            title=_("Bits per character of the training text"),
            alt=str(self.describe(record)),
            x=PlotAxis(title=_("merges")),
            y=PlotAxis(title=_("bits per character"), from_zero=True),
            series=_curves(record),
            rules=[Rule(x=record.step)],
            height=340,
        )


def _curves(record: Costs) -> list[Curve]:
    """Tokens after every merge; characters, which no merge changes."""
    hover = "{name}\n" + _("after {merges} merges").format(merges="{x}")
    hover += "\n{y:.4f} " + _("bits per character")
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

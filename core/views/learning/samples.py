"""What a small Transformer writes for held-out sequences while it learns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.views.learning.practising import OfPractice, Watched

NOTHING, GIVEN, RIGHT, WRONG = range(4)
MARKS = {"^": "⟨s⟩", "|": "⟨e⟩", " ": "·"}


def symbols(text: str) -> list[str]:
    """The symbols of a sequence, its marks in words."""
    return [MARKS.get(one, one) for one in text]


class Samples(OfPractice):
    """Three sequences: what is given, what should be written, and what is."""

    name = "learning.samples"

    def values(self, record: Watched) -> Mapping[str, Values]:
        last = record.own.last
        along = (Along("sample", _("sequence"), [str(n + 1) for n in range(len(last.sources))]),)
        lines = {"given": (_("given"), last.sources), "wanted": (_("should be"), last.wanted),
                 "written": (_("written"), last.written)}  # fmt: skip
        return {
            name: Values(
                label, np.array([" ".join(symbols(one)) for one in several], object), along
            )
            for name, (label, several) in lines.items()
        }

    def describe(self, record: Watched) -> Sentence:
        last = record.own.last
        pairs = [(a, b) for one, other in zip(last.wanted, last.written, strict=True)
                 for a, b in zip(one, other, strict=True)]  # fmt: skip
        right = sum(a == b for a, b in pairs)
        return sentence(
            _("After {step} steps {right} of the {n} symbols of these sequences are right. The "
              "model was never trained on them."),
            step=grouped(last.step), right=Mark(str(right), "accent"), n=str(len(pairs)),
        )  # fmt: skip

    def draw(self, record: Watched) -> Matrix:
        last, title = record.own.last, _("What it writes, step by step")
        width = max(map(len, (*last.sources, *last.wanted)))
        labels, texts, kinds = [], [], []
        for given, wanted, written in zip(last.sources, last.wanted, last.written, strict=True):
            right = [RIGHT if a == b else WRONG for a, b in zip(wanted, written, strict=True)]
            for label, text, kind in (
                (_("given"), given, [GIVEN] * len(given)),
                (_("written"), written, right),
            ):
                labels.append(label)
                texts.append([*symbols(text), *[""] * (width - len(text))])
                kinds.append([*kind, *[NOTHING] * (width - len(text))])
        sheet = Sheet(
            title=title, array="kinds", texts=texts,
            rows=Axis(labels, "sample_row", "accent", room=90),
            cols=Axis([str(n + 1) for n in range(width)], "symbol_col", "residual"),
            scale=Scale("category"), max_cell=46, row_height=26, alt="",
            categories=[
                Category(_("nothing here"), "surface"),
                Category(_("given"), "residual", share=0.16),
                Category(_("right symbol"), "accent", share=0.4),
                Category(_("wrong symbol"), "warning", share=0.5),
            ],
            axes=sentence(_("columns: positions · blue: right · orange: wrong · ⟨s⟩ and ⟨e⟩: start "
                  "and end")),
        )  # fmt: skip
        array = np.array(kinds, np.uint8)
        return Matrix(sheets=[sheet], arrays={"kinds": array})

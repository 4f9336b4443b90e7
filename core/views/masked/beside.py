"""The gap seen from both sides beside the gap seen from the left."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.locale import in_quotes, listed
from core.models.needs import Needs
from core.runs.guesses import Candidate, Filled, Spelling
from core.runs.requests import Request
from core.spelling import visible
from core.views.masked.gap import Hidden, Hiding, gap_requests, hidden
from core.views.view import View

N_ROWS = 14  # that are not folded away
N_SAID = 5


class BothSides(View[Hiding, Hidden]):
    """Two bars for each word, one for each model."""

    name, Params, needs = "masked.beside", Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return gap_requests(params)

    def compute(self, runs: Sequence[Filled], params: Hiding) -> Hidden:
        return hidden(runs, params)

    def values(self, record: Hidden) -> Mapping[str, Values]:
        words, params = record.run.candidates, record.params
        axes = (Along("word", _("word"), [one.text for one in words]),)
        models = (Along("model", _("model"), [params.model, params.partner]),)
        spellings = [
            " + ".join(
                _("{label}: {value}").format(label=one.text, value=_digits(one.prob))
                for one in word.spellings
            )
            for word in words
        ]
        at = next((n for n, word in enumerate(words) if word.hidden), 0)
        return {
            "hidden": Values(_("hidden word"), np.array([w.hidden for w in words]), axes),
            "both": Values(params.model, np.array([w.both for w in words]), axes, selected=(at,)),
            "left": Values(params.partner, np.array([w.left for w in words]), axes,
                           selected=(at,)),
            "spellings": Values(_("spellings"), np.array(spellings, object), axes),
            "covered": Values(_("all of these words"), np.array(record.run.covered), models),
        }  # fmt: skip

    def site(self, record: Hidden) -> str:
        return "mlm.logits"

    def describe(self, record: Hidden) -> Sentence:
        return sentence(
            _("Most likely words for {masked}: {first}. For {causal}: {second}."),
            masked=record.masked,
            causal=record.causal,
            first=_likeliest(record, "both") or "–",
            second=_likeliest(record, "left") or "–",
        )

    def draw(self, record: Hidden) -> Bars:
        rows, title = _rows(record), _("The same gap, read from both sides and from the left only")
        frame = BarFrame(
            [_row(record, word) for word in rows],
            title=sentence(title),
            note=_note(record),
        )
        return Bars(
            title=title,
            frames=[frame],
            values=np.array([[[w.both for w in rows], [w.left for w in rows]]]),
            stages=(),
            series=[
                Series(_("{model}, both sides").format(model=record.masked)),
                Series(_("{model}, left only").format(model=record.causal)),
            ],
            mirror=True,
            limit=N_ROWS,
            cut_word=_("cut"),
            more_word=_("Show all {n} words").format(n=len(rows)),
            less_word=_("Show fewer"),
        )


def _likeliest(record: Hidden, of: str) -> str:
    """A model's likeliest words with their probabilities."""
    known = [c for c in record.run.candidates if not math.isnan(getattr(c, of))]
    best = sorted(known, key=lambda c: -float(getattr(c, of)))[:N_SAID]
    return listed(f"{in_quotes(visible(c.text))} {percent(getattr(c, of))}" for c in best)


def _rows(record: Hidden) -> list[Candidate]:
    """Likeliest first; the words that sentences name are never below the fold."""
    rows = list(record.run.candidates)
    named = [one for one in rows if one.hidden or one in (record.best("both"), record.best("left"))]
    below = [one for one in named if one in rows[N_ROWS - len(named) :]]
    rows = [one for one in rows if one not in below]
    return rows[: N_ROWS - len(below)] + below + rows[N_ROWS - len(below) :]


def _row(record: Hidden, word: Candidate) -> BarRow:
    """A word, with how each number came about."""
    return BarRow(
        word.text,
        visible(word.text),
        chosen=word.hidden,
        titles=[
            " · ".join(unit.label for unit in word.pieces) or _unsayable(record),
            "\n".join(map(_product, word.spellings)),
        ],
    )


def _note(record: Hidden) -> str:
    """What the words are and hold, and why some have no number."""
    words, (both, left) = record.run.candidates, record.run.covered
    said = [
        _("{n} words: the 20 most likely of each model, in the order of the larger of their two "
          "shares. Together they get {both} from {masked} and {left} from {causal}.")
        .format(n=len(words), both=percent(both), left=percent(left), masked=record.masked,
                causal=record.causal)
    ]  # fmt: skip
    if any(math.isnan(word.both) for word in words):
        said.append(_("No number (–): {why}.").format(why=_unsayable(record)))
    if any(math.isnan(word.left) for word in words):
        too_long = _("{causal} needs too many tokens for this word").format(causal=record.causal)
        said.append(_("No number (–): {why}.").format(why=too_long))
    return " ".join(said)


def _unsayable(record: Hidden) -> str:
    """Why the masked model has no number for a word."""
    n = len(record.run.looked)
    return ngettext(
        "the gap is {n} piece long, and this word is not",
        "the gap is {n} pieces long, and this word is not",
        n,
    ).format(n=n)


def _product(spelling: Spelling) -> str:
    """How the causal model's number for one way to write a word came about."""
    if math.isnan(spelling.prob):
        return _("“{word}” needs {n} tokens: too many to compute a probability").format(
            word=visible(spelling.text), n=len(spelling.pieces)
        )
    if not spelling.pieces:
        return _("“{sign}” comes next: {share}").format(
            sign=visible(spelling.text), share=percent(spelling.prob)
        )
    parts = [f"{token.label} {percent(p)}" for token, p in spelling.pieces]
    parts.append(_("the word ends here: {share}").format(share=percent(spelling.ends)))
    return f"{' × '.join(parts)} = {percent(spelling.prob)}"


def _digits(value: float) -> str:
    """A number inside a cell of words; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.6g}"

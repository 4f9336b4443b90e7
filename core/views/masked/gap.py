"""A hidden word: what is guessed for it, beside it, and from what."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.data.examples import GUESSER, WRITER
from core.figures import tokens
from core.figures.components import Axis, BarFrame, BarRow, Bars, Chip, Matrix, Scale, Sheet, Strip
from core.figures.components.bars import Series
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _, name_of, ngettext
from core.locale import in_quotes, listed
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.kinds.gaps import GapCandidate, GapFilling, GapRequest, HiddenPiece
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.kinds.words import WordSpelling
from core.runs.request import Request
from core.spelling import visible
from core.text.hiding import is_typed_mask
from core.text.marks import MASK
from core.units import Token
from core.views.params import OnText, model_param, param
from core.views.view import View
from core.views.weak import WEAK

# --- hidden words of a text, and the gap that is looked at: what most of these views show


@dataclass(frozen=True, slots=True)
class Partner:
    """Who is asked beside the model that fills the gaps.

    Attributes:
        partner: the one that reads only what stands left of the gap.
    """

    partner: str = model_param(WRITER, N_("Second model"))


@dataclass(frozen=True, slots=True)
class Hiding(OnText):
    """Which words are hidden, and which gap is looked at.

    Attributes:
        model: the one that fills the gaps from both sides.
        partner: the one that reads only what stands left of the gap.
        hide: "auto" for one word, "none", or the words' numbers, "2,5".
        token: a position in the gap that is looked at; -1 for the first gap.
    """

    model: str = model_param(GUESSER)
    partner: str = model_param(WRITER, N_("Second model"))
    hide: str = param(
        "auto",
        pattern=r"auto|none|\d{1,4}(,\d{1,4}){0,127}",
        form=N_("auto, none or numbers of words, such as 2,5"),
        high=640,
        label=N_("Hidden words"),
    )
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))


@dataclass(frozen=True)
class GapsInText:
    """A text with its gaps.

    Attributes:
        run: the gaps, filled by both models.
        params: what was asked for.
    """

    run: GapFilling
    params: Hiding

    @property
    def open(self) -> bool:
        """Whether the word that is looked at is in sight: nothing is hidden."""
        return not self.run.gaps

    @property
    def masked(self) -> str:
        """The model that reads both sides, as it is called on screen."""
        return name_of(self.params.model)

    @property
    def causal(self) -> str:
        """The model that reads the left side."""
        return name_of(self.params.partner)

    @property
    def models(self) -> dict[str, Mark]:
        """Both, as sentences name them."""
        return {"masked": Mark(self.masked, "strong"), "causal": Mark(self.causal, "strong")}

    def best(self, of: str) -> GapCandidate:
        """The likeliest candidate of the masked ("both") or of the causal model ("left")."""

        def share(candidate: GapCandidate) -> float:
            value: float = getattr(candidate, of)
            return -1.0 if math.isnan(value) else value

        return max(self.run.candidates, key=share)

    @property
    def truth(self) -> GapCandidate | None:
        """The word that stands in the gap; None where [MASK] was typed."""
        return next((c for c in self.run.candidates if c.hidden), None)

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"token": None if self.params.token < 0 else self.params.token}


class HiddenWordView(View[Hiding, GapsInText]):
    """A text with a hidden word."""

    Params, needs = Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return (GapRequest(params.model, params.partner, params.text, params.hide, params.token),)

    def compute(self, runs: Sequence[GapFilling], params: Hiding) -> GapsInText:
        return GapsInText(runs[0], params)


# --- the text as the masked model reads it; a click hides a word or shows it again ----


class MaskedStripView(HiddenWordView):
    """Chips that can be marked, and what both models say of the gap that is looked at."""

    name = "masked.strip"

    def values(self, record: GapsInText) -> Mapping[str, Values]:
        labels = tokens.labels(record.run.tokens)
        axes = (
            Along("position", _("position"), [str(position) for position in range(len(labels))]),
        )
        marked = {position for gap in record.run.gaps for position in gap}
        return {
            "token": Values(_("token"), np.array(labels, object), axes),
            "hidden": Values(
                _("hidden"), np.array([position in marked for position in range(len(labels))]),
                axes,
                selected=(record.run.looked[0],),
            ),
        }  # fmt: skip

    def describe(self, record: GapsInText) -> Sentence:
        truth = record.truth
        if truth is None:
            return _typed_reading(record)
        if math.isnan(truth.left):
            return join([_in_sight(record, truth), _too_long(record, truth)])
        if record.open:
            return sentence(
                _("Nothing is hidden: {masked} sees “{word}” itself and gives it {share}. "
                  "{causal} has to predict it from the left: {expected}."),
                word=Mark(visible(truth.text), "query"),
                share=Mark(percent(truth.both), "accent"),
                expected=percent(truth.left),
                **record.models,
            )  # fmt: skip
        sentences = [_from(record, truth, "both"), _from(record, truth, "left")]
        if truth.both < truth.left:
            text = _("Reading both sides does not always win: here {causal} does better. The two "
                     "models were also trained differently.")  # fmt: skip
            sentences.append(sentence(text, **record.models))
        return join(sentences)

    def facts(self, record: GapsInText) -> Sequence[str]:
        n, k = len(record.run.tokens), len(record.run.gaps)
        return (
            record.masked,
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            ngettext("{n} word hidden", "{n} words hidden", k).format(n=k),
            _("ran in {ms} ms").format(ms=f"{record.run.seconds * 1e3:.0f}"),
            _("click a word to hide it or to show it again, or type [MASK] in the text"),
        )

    def acts(self, record: GapsInText) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
        return {"marked": {"": {"hide": "none"}, "*": {"hide": "{}"}}}  # numbers of words

    def draw(self, record: GapsInText) -> Strip:
        run = record.run
        title = _("The text with its hidden words")
        reading = self.describe(record)
        return Strip(
            title=title,
            alt=str(reading),
            selection=record.selection(),
            tokens=_chips(record),
            cut=tokens.cut_text(run.cut),
            default=run.looked[0],
            toggles="group",
            marked=[position for n in run.hidden for position in run.words[n]],
            marked_label=MASK,
            readings=[reading],
            heading=sentence(title),
            name=title,
        )


def _chips(record: GapsInText) -> list[Chip]:
    run = record.run
    number_of = {position: n for n, word in enumerate(run.words) for position in word}
    chips = []
    for position, token in enumerate(run.tokens):
        chip = tokens.chip(token, group=number_of.get(position, -1))
        typed, title = run.text[token.start : token.end], chip.title
        if position in number_of and typed.encode() != token.data:
            title = _("typed “{typed}” · {rest}").format(typed=visible(typed), rest=title)
        if token.special and typed:
            title = _("typed as {mask}: a word you hid yourself").format(mask=MASK)
        chips.append(replace(chip, title=title, fixed=position not in number_of))
    return chips


def _typed_reading(record: GapsInText) -> Sentence:
    """The reading of a gap that was typed: no word is known to stand there."""
    both, left = record.best("both"), record.best("left")
    summary = sentence(
        _("{masked} reads both sides and expects “{best}” with {share}. {causal} reads only "
          "what stands to the left of the gap and expects “{other}” with {expected}."),
        best=Mark(visible(both.text), "accent"),
        share=Mark(percent(both.both), "accent"),
        other=Mark(visible(left.text), "accent"),
        expected=percent(left.left),
        **record.models,
    )  # fmt: skip
    if both.both >= WEAK:
        return summary
    unsure = sentence(
        _("{masked} does not know it: its best guess gets only {share}."),
        share=Mark(percent(both.both), "warning"),
        **record.models,
    )
    return join([summary, unsure])


def _from(record: GapsInText, truth: GapCandidate, side: Literal["both", "left"]) -> Sentence:
    """What a model says of the hidden word, and what it finds likelier."""
    best, shares = record.best(side), attrgetter(side)
    alone, beside = {
        "both": (_("{masked} reads both sides: “{word}” gets {share}."),
                 _("{masked} reads both sides: “{word}” gets {share}, “{best}” {most}.")),
        "left": (_("{causal} reads only the left: “{word}” gets {share}."),
                 _("{causal} reads only the left: “{word}” gets {share}, “{best}” {most}.")),
    }[side]  # fmt: skip
    return sentence(
        alone if best is truth else beside,
        word=Mark(visible(truth.text), "query"),
        share=Mark(percent(shares(truth)), "accent"),
        best=Mark(visible(best.text), "strong"),
        most=percent(shares(best)),
        **record.models,
    )


def _in_sight(record: GapsInText, truth: GapCandidate) -> Sentence:
    """What the masked model gives the word, hidden or not."""
    return sentence(
        _("Nothing is hidden: {masked} sees “{word}” itself and gives it {share}.")
        if record.open
        else _("{masked} reads both sides: “{word}” gets {share}."),
        word=Mark(visible(truth.text), "query"),
        share=Mark(percent(truth.both), "accent"),
        **record.models,
    )


def _too_long(record: GapsInText, truth: GapCandidate) -> Sentence:
    """Why the causal model gives none: it would need too many pieces for the word."""
    return sentence(
        _("{causal} reads only the left. It needs {n} tokens for “{word}”: too many to "
          "compute a probability."),
        word=Mark(visible(truth.text), "query"),
        n=str(max(len(spelling.pieces) for spelling in truth.spellings)),
        **record.models,
    )  # fmt: skip


# --- the gap seen from both sides beside the gap seen from the left -------------------


N_ROWS = 14  # that are not folded away
N_SAID = 5


class MaskedBesideView(HiddenWordView):
    """Two bars for each word, one for each model."""

    name = "masked.beside"

    def values(self, record: GapsInText) -> Mapping[str, Values]:
        words, params = record.run.candidates, record.params
        axes = (Along("word", _("word"), [word.text for word in words]),)
        models = (Along("model", _("model"), [params.model, params.partner]),)
        spellings = [
            " + ".join(
                _("{label}: {value}").format(label=spelling.text, value=_digits(spelling.prob))
                for spelling in word.spellings
            )
            for word in words
        ]
        selected = next((n for n, word in enumerate(words) if word.hidden), 0)
        return {
            "hidden": Values(_("hidden word"), np.array([w.hidden for w in words]), axes),
            "both": Values(params.model, np.array([w.both for w in words]), axes,
                           selected=(selected,)),
            "left": Values(params.partner, np.array([w.left for w in words]), axes,
                           selected=(selected,)),
            "spellings": Values(_("spellings"), np.array(spellings, object), axes),
            "covered": Values(_("all of these words"), np.array(record.run.covered), models),
        }  # fmt: skip

    def site(self, record: GapsInText) -> str:
        return "mlm.logits"

    def describe(self, record: GapsInText) -> Sentence:
        return sentence(
            _("Most likely words for {masked}: {first}. For {causal}: {second}."),
            masked=record.masked,
            causal=record.causal,
            first=_likeliest(record, "both") or "–",
            second=_likeliest(record, "left") or "–",
        )

    def draw(self, record: GapsInText) -> Bars:
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


def _likeliest(record: GapsInText, of: str) -> str:
    """A model's likeliest words with their probabilities."""
    candidates = [c for c in record.run.candidates if not math.isnan(getattr(c, of))]
    best = sorted(candidates, key=lambda c: -float(getattr(c, of)))[:N_SAID]
    return listed(f"{in_quotes(visible(c.text))} {percent(getattr(c, of))}" for c in best)


def _rows(record: GapsInText) -> list[GapCandidate]:
    """Likeliest first; the words that sentences name are never below the fold."""
    rows = list(record.run.candidates)
    named = [row for row in rows if row.hidden or row in (record.best("both"), record.best("left"))]
    below = [candidate for candidate in named if candidate in rows[N_ROWS - len(named) :]]
    rows = [row for row in rows if row not in below]
    return rows[: N_ROWS - len(below)] + below + rows[N_ROWS - len(below) :]


def _row(record: GapsInText, word: GapCandidate) -> BarRow:
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


def _note(record: GapsInText) -> str:
    """What the words are and hold, and why some have no number."""
    words, (both, left) = record.run.candidates, record.run.covered
    sentences = [
        _("{n} words: the 20 most likely of each model, in the order of the larger of their two "
          "shares. Together they get {both} from {masked} and {left} from {causal}.")
        .format(n=len(words), both=percent(both), left=percent(left), masked=record.masked,
                causal=record.causal)
    ]  # fmt: skip
    if any(math.isnan(word.both) for word in words):
        sentences.append(_("No number (–): {why}.").format(why=_unsayable(record)))
    if any(math.isnan(word.left) for word in words):
        too_long = _("{causal} needs too many tokens for this word").format(causal=record.causal)
        sentences.append(_("No number (–): {why}.").format(why=too_long))
    return " ".join(sentences)


def _unsayable(record: GapsInText) -> str:
    """Why the masked model has no number for a word."""
    n = len(record.run.looked)
    return ngettext(
        "the gap is {n} piece long, and this word is not",
        "the gap is {n} pieces long, and this word is not",
        n,
    ).format(n=n)


def _product(spelling: WordSpelling) -> str:
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


# --- the likeliest pieces behind every [MASK] -----------------------------------------


N_COLUMNS = 5


class MaskedEachView(HiddenWordView):
    """Rows are hidden pieces; none when nothing is hidden."""

    name = "masked.each"

    def values(self, record: GapsInText) -> Mapping[str, Values]:
        masks = record.run.masks
        n = len(masks[0].tokens) if masks else 0
        position = Along("position", _("position"), [str(mask.position) for mask in masks])
        axes = (position, Along("rank", _("rank"), [str(rank) for rank in range(n)]))
        originals = [mask.original.label if mask.original else "" for mask in masks]
        ranks = [mask.rank if mask.original else np.nan for mask in masks]
        pieces = [token.label for mask in masks for token in mask.tokens]
        place = (_selected_row(record), 0) if masks else None
        return {
            "original": Values(_("hidden piece"), np.array(originals, object), (position,)),
            "original_probability": Values(
                _("its probability"), np.array([mask.prob for mask in masks]), (position,)
            ),
            "original_rank": Values(_("its rank"), np.array(ranks), (position,)),
            "piece": Values(_("piece"), np.array(pieces, object).reshape(len(masks), n), axes),
            "probability": Values(_("probability"), _probs(masks, n), axes, selected=place),
        }

    def absent(self, record: GapsInText) -> bool:
        return not record.run.masks

    def describe(self, record: GapsInText) -> Sentence:
        listing = "; ".join(
            _("position {at}: “{piece}” {share}").format(
                at=mask.position,
                piece=mask.tokens[0].spoken,
                share=percent(float(mask.probs[0])),
            )
            for mask in record.run.masks
        )
        return sentence(_("{list}."), list=listing or _("nothing is hidden"))

    def draw(self, record: GapsInText) -> Matrix:
        masks = record.run.masks
        title = _("What {model} predicts behind each {mask}").format(model=record.masked, mask=MASK)
        axes = _("rows: hidden pieces · columns: the five most likely · stronger colour = "
                 "more likely")  # fmt: skip
        sheet = Sheet(
            title=title,
            array="probs",
            texts=[[token.label for token in mask.tokens[:N_COLUMNS]] for mask in masks],
            rows=Axis(
                [_label(mask) for mask in masks], "token", "query",
                ids=[mask.position for mask in masks],
            ),
            cols=Axis([str(i + 1) for i in range(N_COLUMNS)], "guess", "accent", hide=True),
            scale=Scale("accent", 1.0),
            max_cell=92,
            row_height=26,
            alt="",
            axes=sentence(axes) if masks else self.describe(record),
        )  # fmt: skip
        return Matrix(
            selection=record.selection(),
            sheets=[sheet],
            arrays={"probs": as_shares(_probs(masks, N_COLUMNS))},
        )


def _label(mask: HiddenPiece) -> str:
    """A position and what stands there."""
    return f"{mask.position} {mask.original.label if mask.original else MASK}"


def _selected_row(record: GapsInText) -> int:
    """The row of the gap that is looked at."""
    position = record.run.looked[0]
    return next(n for n, mask in enumerate(record.run.masks) if mask.position == position)


def _probs(masks: Sequence[HiddenPiece], n: int) -> NDArray[np.float64]:
    """The probabilities of the likeliest ``n`` pieces, ``(masks, n)``."""
    return np.array([mask.probs[:n] for mask in masks], np.float64).reshape(len(masks), n)


# --- one word behind [MASK], behind [MASK] and a causal mask, and in sight ------------


class MaskedWhyView(HiddenWordView):
    """A bar for each condition."""

    name = "masked.why"

    def values(self, record: GapsInText) -> Mapping[str, Values]:
        axes = (Along("condition", _("condition"), [*_conditions(record).values()]),)
        label = _("probability of {word}").format(word=record.run.sight.word)
        return {"probability": Values(label, np.array(_shares(record)), axes, selected=(0,))}

    def describe(self, record: GapsInText) -> Sentence:
        sight, left = record.run.sight, _left(record)
        of_masked = sentence(
            _("Hidden behind {mask}, “{word}” gets {hidden}. A causal mask takes away the right "
              "side, too, and {masked} was never trained with one: then it gets {share}. "
              "Visible, it gets {visible}."),
            mask=MASK,
            word=Mark(visible(sight.word), "query"),
            hidden=Mark(percent(sight.hidden), "accent"),
            share=Mark(percent(sight.causal), "accent"),
            visible=Mark(percent(sight.visible), "accent"),
            **record.models,
        )  # fmt: skip
        if math.isnan(left):  # it is too long for the other model
            return of_masked
        of_causal = sentence(
            _("{causal} was trained with such a mask and gives it {left} from the left side "
              "alone."),
            left=Mark(percent(left), "accent"),
            **record.models,
        )  # fmt: skip
        return join([of_masked, of_causal])

    def draw(self, record: GapsInText) -> Bars:
        title = sentence(
            _("How likely “{word}” is, hidden and visible"),
            word=Mark(visible(record.run.sight.word), "query"),
        )
        rows = [
            BarRow(ident, label, chosen=ident == "hidden")
            for ident, label in _conditions(record).items()
        ]
        return Bars(
            title=str(title),
            frames=[BarFrame(rows, title=title)],
            values=np.array([[_shares(record)]]),
            wide=True,
            given=True,
        )


def _conditions(record: GapsInText) -> dict[str, str]:
    """Under which conditions the word was judged."""
    return {
        "hidden": _("hidden, both sides read"),
        "causal": _("hidden, and a causal mask as well"),
        "left": _("{model}, trained with that mask").format(model=record.causal),
        "visible": _("visible"),
    }


def _shares(record: GapsInText) -> list[float]:
    """The probability of the hidden word under each of the four masks."""
    sight = record.run.sight
    return [sight.hidden, sight.causal, _left(record), sight.visible]


def _left(record: GapsInText) -> float:
    """Its probability after what stands left of it, of the model that learned so."""
    run = record.run
    return next(candidate.left for candidate in run.candidates if candidate.text == run.sight.word)


# --- a text as the masked model reads it: its tokens, none of which is hidden ---------


@dataclass(frozen=True)
class GapReading:
    """A text as it is read.

    Attributes:
        tokens: as the model reads it.
        cut: what did not fit.
        model: that reads it, as it is called on screen.
    """

    tokens: Sequence[Token]
    cut: str
    model: str


class MaskedUnreadView(View[Hiding, GapReading]):
    """Chips that cannot be selected."""

    name, Params, needs = "masked.unread", Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return (TraceRequest(params.model, Text(params.text), sites=("@logits",)),)

    def compute(self, runs: Sequence[Run], params: Hiding) -> GapReading:
        """The tokens.

        Raises:
            AbilityError: the model does not fill in hidden words.
        """
        trace = runs[0].trace
        require(trace.model, [head.ability for head in trace.blueprint.heads], "masked_words")
        return GapReading(trace.tokens, runs[0].cut, name_of(params.model))

    def values(self, record: GapReading) -> Mapping[str, Values]:
        labels = tokens.labels(record.tokens)
        axes = (
            Along("position", _("position"), [str(position) for position in range(len(labels))]),
        )
        return {"token": Values(_("token"), np.array(labels, object), axes)}

    def describe(self, record: GapReading) -> Sentence:
        return sentence(
            _("{model} reads: {list}"),
            model=Mark(record.model, "strong"),
            list=Mark("  ".join(unit.label for unit in record.tokens), "strong"),
        )

    def draw(self, record: GapReading) -> Strip:
        title = _("The text as {model} reads it").format(model=record.model)
        return Strip(
            title=title,
            tokens=[tokens.chip(token) for token in record.tokens],
            cut=tokens.cut_text(record.cut),
            still=True,
            name=title,
        )


class MaskedWordlessView(MaskedUnreadView):
    """The same of a text in which the model knows no word; of another one it is left out."""

    name = "masked.wordless"

    def absent(self, record: GapReading) -> bool:
        return any(
            is_typed_mask(token) or not (token.special or token.unknown) for token in record.tokens
        )

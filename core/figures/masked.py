"""Views of hidden words: the gap from both sides and from the left, pairs of sentences, dice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.figures import svg, tokens
from core.figures.params import MAX_SEED, OnText, param
from core.figures.payload import Payload
from core.figures.text import (
    Mark,
    Sentence,
    join,
    number,
    percent,
    quoted,
    sentence,
    token_label,
    visible,
)
from core.figures.theme import PALETTES, Mode, styled
from core.figures.view import ComponentView, PlotView, Table, register
from core.gaps import Candidate, Corrupted, Filled, Spelling
from core.language import N_, _, ngettext
from core.requests import CorruptRequest, GapRequest, Request, TokenizeRequest, TraceRequest
from core.runs import Run, Tokenized
from core.text.tokenizer import MASK

FATES = {  # of a piece, in a training example
    "kept in sight": N_("kept in sight"),
    "masked": N_("masked"),
    "random": N_("random"),
    "unchanged": N_("unchanged"),
}


@dataclass(frozen=True, slots=True)
class Hiding(OnText):
    """Which words are hidden, and which gap is looked at.

    Attributes:
        model: the one that fills the gaps from both sides.
        partner: the one that reads only what stands left of the gap.
        hide: "auto" for one word, "none", or the words' numbers, "2,5".
        token: a position in the gap that is looked at; -1 for the first gap.
    """

    model: str = param("bert")
    partner: str = param("gpt")
    hide: str = param(
        "auto",
        pattern=r"auto|none|\d{1,4}(,\d{1,4}){0,127}",
        form=N_("auto, none or numbers of words, such as 2,5"),
    )
    token: int = param(-1, low=-1, high=100_000)

    def request(self) -> GapRequest:
        """The run that all views of the gap share."""
        return GapRequest(self.model, self.partner, self.text, self.hide, self.token)


@dataclass(frozen=True)
class Hidden:
    """The record of the views of a gap."""

    run: Filled
    params: Hiding

    @property
    def marked(self) -> list[int]:
        """The positions of all hidden pieces."""
        return [at for gap in self.run.gaps for at in gap]

    @property
    def open(self) -> bool:
        """Whether the word that is looked at is in sight: nothing is hidden."""
        return not self.run.gaps

    def best(self, of: str) -> Candidate:
        """The likeliest candidate of the masked ("both") or of the causal model ("left")."""

        def share(candidate: Candidate) -> float:
            value: float = getattr(candidate, of)
            return -1.0 if math.isnan(value) else value

        return max(self.run.candidates, key=share)

    @property
    def truth(self) -> Candidate | None:
        """The word that stands in the gap; None where [MASK] was typed."""
        return next((c for c in self.run.candidates if c.hidden), None)

    def hiding(self, said: Any) -> dict[str, Any]:
        """What changes after a click in the strip, as a browser tells it.

        Args:
            said: the positions that are marked now, and the last one that was clicked.
        """
        said = said if isinstance(said, dict) else {}
        marked, last = said.get("marked"), said.get("last")
        wanted = {at for at in marked if type(at) is int} if isinstance(marked, list) else set()
        words = [n for n, word in enumerate(self.run.words) if wanted & set(word)]
        return {
            "hide": ",".join(map(str, words)) or "none",
            "token": last if type(last) is int and 0 <= last < len(self.run.tokens) else None,
        }


class _OfGap(ComponentView[Hiding, Hidden]):
    """What the views of one gap have in common."""

    Params = Hiding
    needs = "masked"

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return (params.request(),)

    def compute(self, runs: Sequence[Filled], params: Hiding) -> Hidden:
        return Hidden(runs[0], params)


@register
class HiddenStrip(_OfGap):
    """The text as the masked model reads it; a click hides a word or shows it again."""

    name = "masked.strip"
    component = "token_strip"

    def title(self, record: Hidden) -> str:
        return _("The text with its hidden words")

    def describe(self, record: Hidden) -> Sentence:
        both, left = record.best("both"), record.best("left")
        models = {
            "masked": Mark(record.params.model.upper(), "strong"),
            "causal": Mark(record.params.partner.upper(), "strong"),
        }
        truth = record.truth
        if truth is None:
            return sentence(
                _("{masked} reads both sides and expects “{best}” with {share}. {causal} reads "
                  "only what stands left of the gap and expects “{other}” with {expected}."),
                best=Mark(_shown(both.text), "accent"),
                share=Mark(percent(both.both), "accent"),
                other=Mark(_shown(left.text), "accent"),
                expected=percent(left.left),
                **models,
            )  # fmt: skip
        if math.isnan(truth.left):
            return self._too_long(record, truth)
        word = Mark(_shown(truth.text), "query")
        if record.open:
            return sentence(
                _("Nothing is hidden: {masked} sees “{word}” itself and gives it {share}. {causal} "
                  "has to guess it from the left: {expected}."),
                word=word,
                share=Mark(percent(truth.both), "accent"),
                expected=percent(truth.left),
                **models,
            )  # fmt: skip
        return join(
            [
                sentence(
                    _("{masked} reads both sides: “{word}” has {share}.")
                    if both is truth
                    else _("{masked} reads both sides: “{word}” has {share}, “{best}” {most}."),
                    word=word,
                    share=Mark(percent(truth.both), "accent"),
                    best=Mark(_shown(both.text), "strong"),
                    most=percent(both.both),
                    **models,
                ),
                sentence(
                    _("{causal} reads only the left: “{word}” has {share}.")
                    if left is truth
                    else _("{causal} reads only the left: “{word}” has {share}, “{best}” {most}."),
                    word=word,
                    share=Mark(percent(truth.left), "accent"),
                    best=Mark(_shown(left.text), "strong"),
                    most=percent(left.left),
                    **models,
                ),
            ]
        )

    def _too_long(self, record: Hidden, truth: Candidate) -> Sentence:
        """The reading when the causal model would need too many pieces for the word."""
        word = Mark(_shown(truth.text), "query")
        both = sentence(
            _("Nothing is hidden: {masked} sees “{word}” itself and gives it {share}.")
            if record.open
            else _("{masked} reads both sides: “{word}” has {share}."),
            masked=Mark(record.params.model.upper(), "strong"),
            word=word,
            share=Mark(percent(truth.both), "accent"),
        )
        left = sentence(
            _("{causal} reads only the left. It needs {n} pieces for “{word}”: too many to "
              "compute a probability."),
            causal=Mark(record.params.partner.upper(), "strong"),
            word=word,
            n=str(max(len(one.pieces) for one in truth.spellings)),
        )  # fmt: skip
        return join([both, left])

    def payload(self, record: Hidden) -> Payload:
        run = record.run
        number_of = {at: n for n, word in enumerate(run.words) for at in word}
        chips = []
        for at, token in enumerate(run.tokens):
            chip = tokens.chip(token, group=number_of.get(at, -1))
            if at in number_of and run.text[token.start : token.end].encode() != token.data:
                chip["title"] = _("typed “{typed}” · {rest}").format(
                    typed=visible(run.text[token.start : token.end]), rest=chip["title"]
                )
            if token.special and token.end > token.start:
                chip["title"] = _("typed as {mask}: a word you hid yourself").format(mask=MASK)
            chips.append(chip | {"fixed": at not in number_of})
        return Payload(
            {
                "tokens": chips,
                "cut": tokens.cut_text(run.cut),
                "field": "token",
                "default": run.looked[0],
                "toggles": "group",
                "marked": [at for n in run.hidden for at in run.words[n]],
                "marked_label": MASK,
                "readings": [self.describe(record).as_data()],
                "selection": {"token": None if record.params.token < 0 else record.params.token},
                "heading": sentence(self.title(record)).as_data(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            }
        )

    def table(self, record: Hidden) -> Table:
        marked = set(record.marked)
        return Table(
            (_("position"), _("token"), _("hidden")),
            [(at, token_label(token), at in marked) for at, token in enumerate(record.run.tokens)],
        )

    def svg(self, record: Hidden, mode: Mode) -> str:
        marked = set(record.marked)
        labels = [token_label(token) for token in record.run.tokens]
        return svg.chips(
            self.title(record),
            [MASK if at in marked else label for at, label in enumerate(labels)],
            [label if at in marked else "" for at, label in enumerate(labels)],
            [float(at in marked) for at in range(len(labels))],
            mode,
            alt=str(self.describe(record)),
        )


@dataclass(frozen=True)
class Wordless:
    """The record of ``masked.unread``."""

    run: Tokenized
    params: Hiding


@register
class UnreadStrip(ComponentView[Hiding, Wordless]):
    """A text in which the masked model knows no word: its tokens, none of which can be hidden."""

    name = "masked.unread"
    component = "token_strip"
    Params = Hiding
    needs = "masked"

    def title(self, record: Wordless) -> str:
        return _("The text as {model} reads it").format(model=record.params.model.upper())

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return (TokenizeRequest(params.model, params.text, masks=True),)

    def compute(self, runs: Sequence[Tokenized], params: Hiding) -> Wordless:
        return Wordless(runs[0], params)

    def describe(self, record: Wordless) -> Sentence:
        return sentence(
            _("{model} reads: {list}"),
            model=Mark(record.params.model.upper(), "strong"),
            list=Mark("  ".join(map(token_label, record.run.tokens)), "strong"),
        )

    def payload(self, record: Wordless) -> Payload:
        return Payload(
            {
                "tokens": [tokens.chip(token) for token in record.run.tokens],
                "cut": tokens.cut_text(record.run.cut),
                "still": True,
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            }
        )

    def table(self, record: Wordless) -> Table:
        return Table(
            (_("position"), _("token")),
            [(at, token_label(token)) for at, token in enumerate(record.run.tokens)],
        )

    def svg(self, record: Wordless, mode: Mode) -> str:
        labels = [token_label(token) for token in record.run.tokens]
        none = [0.0] * len(labels)
        return svg.chips(self.title(record), labels, [""] * len(labels), none, mode,
                         alt=str(self.describe(record)))  # fmt: skip


def _shown(text: str) -> str:
    """A candidate on screen, nothing hidden in it."""
    return visible(text)


def _product(spelling: Spelling) -> str:
    """How the causal model's number for one way to write a word came about."""
    if math.isnan(spelling.prob):
        return _("“{word}” needs {n} pieces: too many to compute a probability").format(
            word=_shown(spelling.text), n=len(spelling.pieces)
        )
    if not spelling.pieces:
        return _("“{sign}” comes next: {share}").format(
            sign=_shown(spelling.text), share=percent(spelling.prob)
        )
    parts = [f"{token_label(token)} {percent(p)}" for token, p in spelling.pieces]
    parts.append(_("the word ends {share}").format(share=percent(spelling.ends)))
    return f"{' × '.join(parts)} = {percent(spelling.prob)}"


@register
class BothSides(_OfGap):
    """The gap seen from both sides beside the gap seen from the left."""

    name = "masked.beside"
    component = "bars"
    N_ROWS = 14

    def title(self, record: Hidden) -> str:
        return _("The same gap, read from both sides and from the left only")

    def describe(self, record: Hidden) -> Sentence:
        first, second = (
            ", ".join(
                f"“{_shown(c.text)}” {percent(getattr(c, of))}"
                for c in sorted(
                    (c for c in record.run.candidates if not math.isnan(getattr(c, of))),
                    key=lambda c: -float(getattr(c, of)),
                )[:5]
            )
            for of in ("both", "left")
        )
        return sentence(
            _("Likeliest words for {masked}: {first}. For {causal}: {second}."),
            masked=record.params.model.upper(),
            causal=record.params.partner.upper(),
            first=first or "–",
            second=second or "–",
        )

    def _rows(self, record: Hidden) -> list[Candidate]:
        """Likeliest first; the hidden word never below the fold."""
        rows = list(record.run.candidates)
        at = next((i for i, candidate in enumerate(rows) if candidate.hidden), 0)
        if at >= self.N_ROWS:
            rows.insert(self.N_ROWS - 1, rows.pop(at))
        return rows

    def payload(self, record: Hidden) -> Payload:
        run = record.run
        rows = self._rows(record)
        note = sentence(
            _("{n} words: the 20 likeliest of each. They hold {both} of what {masked} expects "
              "here, and {left} of what {causal} expects."),
            n=str(len(rows)),
            both=percent(run.covered[0]),
            left=percent(run.covered[1]),
            masked=record.params.model.upper(),
            causal=record.params.partner.upper(),
        )  # fmt: skip
        unsayable = ngettext(
            "the gap is {n} piece long, and this word is not",
            "the gap is {n} pieces long, and this word is not",
            len(run.looked),
        ).format(n=len(run.looked))
        why = [str(note)]
        if any(math.isnan(candidate.both) for candidate in rows):
            why.append(f"– : {unsayable}.")
        if any(math.isnan(candidate.left) for candidate in rows):
            too_long = _("{causal} needs too many pieces for this word").format(
                causal=record.params.partner.upper()
            )
            why.append(f"– : {too_long}.")
        return Payload(
            {
                "frames": [
                    {
                        "rows": [
                            {
                                "id": candidate.text,
                                "label": _shown(candidate.text),
                                "chosen": candidate.hidden,
                                "titles": [
                                    " · ".join(map(token_label, candidate.pieces)) or unsayable,
                                    "\n".join(map(_product, candidate.spellings)),
                                ],
                            }
                            for candidate in rows
                        ],
                        "title": [[self.title(record), "plain"]],
                        "alt": str(self.describe(record)),
                        "note": " ".join(why),
                    }
                ],
                "stages": [],
                "series": [
                    {"label": _("{model}, both sides").format(model=record.params.model.upper())},
                    {"label": _("{model}, left only").format(model=record.params.partner.upper())},
                ],
                "mirror": True,
                "limit": self.N_ROWS,
                "alt": self.title(record),
                "labels": {
                    "cut": _("cut"),
                    "more": _("Show all {n} words").format(n=len(rows)),
                    "less": _("Show fewer"),
                },
            },
            {
                "probs": np.array(
                    [[[c.both for c in rows], [c.left for c in rows]]], dtype=np.float32
                )
            },
        )

    def table(self, record: Hidden) -> Table:
        return Table(
            (_("word"), _("hidden word"), record.params.model, record.params.partner,
             _("spellings")),
            [
                (c.text, c.hidden, _plain(c.both), _plain(c.left),
                 " + ".join(f"{s.text}: {_digits(s.prob)}" for s in c.spellings))
                for c in record.run.candidates
            ],
        )  # fmt: skip

    def svg(self, record: Hidden, mode: Mode) -> str:
        rows = self._rows(record)
        return svg.mirrored_bars(
            self.title(record),
            [_shown(c.text) for c in rows],
            [[c.both for c in rows], [c.left for c in rows]],
            [record.params.model.upper(), record.params.partner.upper()],
            mode,
            alt=str(self.describe(record)),
        )


def _plain(value: float) -> float | str:
    """A number for the table, nothing where there is none."""
    return "" if math.isnan(value) else value


def _digits(value: float) -> str:
    """A number inside a cell of words; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.6g}"


@register
class EachMask(_OfGap):
    """The likeliest pieces behind every [MASK]."""

    name = "masked.each"
    component = "matrix"
    N_COLUMNS = 5

    def title(self, record: Hidden) -> str:
        return _("What {model} puts behind each {mask}").format(
            model=record.params.model.upper(), mask=MASK
        )

    def _labels(self, record: Hidden) -> list[str]:
        return [
            f"{mask.position} {token_label(mask.original) if mask.original else MASK}"
            for mask in record.run.masks
        ]

    def describe(self, record: Hidden) -> Sentence:
        return sentence(
            _("{list}."),
            list="; ".join(
                _("position {at}: “{piece}” {share}").format(
                    at=mask.position,
                    piece=quoted(mask.tokens[0]),
                    share=percent(float(mask.probs[0])),
                )
                for mask in record.run.masks
            ) or _("nothing is hidden"),
        )  # fmt: skip

    def payload(self, record: Hidden) -> Payload:
        masks, n = record.run.masks, self.N_COLUMNS
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "probs",
                        "texts": [[token_label(t) for t in mask.tokens[:n]] for mask in masks],
                        "rows": {
                            "labels": self._labels(record),
                            "ids": [mask.position for mask in masks],
                            "field": "token",
                            "role": "query",
                        },
                        "cols": {
                            "labels": [str(i + 1) for i in range(n)],
                            "field": "guess",
                            "hide": True,
                        },
                        "scale": {"kind": "accent", "limit": 1.0},
                        "max_cell": 92,
                        "row_height": 26,
                        "alt": str(self.describe(record)),
                        "axes": [[_("rows: hidden pieces · columns: the likeliest, first to "
                                    "fifth · stronger colour = likelier"), "plain"]],
                    }
                ],
                "labels": tokens.matrix_labels(),
            },
            {"probs": self._probs(record)},
        )  # fmt: skip

    def _probs(self, record: Hidden) -> NDArray[np.float32]:
        rows = [mask.probs[: self.N_COLUMNS] for mask in record.run.masks]
        return np.array(rows, np.float32).reshape(len(rows), self.N_COLUMNS)

    def table(self, record: Hidden) -> Table:
        return Table(
            (_("position"), _("hidden piece"), _("its probability"), _("its rank"), _("rank"),
             _("piece"), _("probability")),
            [
                (mask.position, token_label(mask.original) if mask.original else "",
                 _plain(mask.prob), mask.rank if mask.original else "", rank,
                 token_label(token), float(p))
                for mask in record.run.masks
                for rank, (token, p) in enumerate(zip(mask.tokens, mask.probs, strict=True))
            ],
        )  # fmt: skip

    def svg(self, record: Hidden, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            self._labels(record),
            [str(i + 1) for i in range(self.N_COLUMNS)],
            self._probs(record),
            mode,
            role="accent",
            texts=[
                [token_label(t) for t in mask.tokens[: self.N_COLUMNS]]
                for mask in record.run.masks
            ] or None,
            alt=str(self.describe(record)),
        )  # fmt: skip


@register
class WhyNoMask(_OfGap):
    """One word behind [MASK], behind [MASK] and a causal mask, and in sight."""

    name = "masked.why"
    component = "bars"

    def title(self, record: Hidden) -> str:
        return _("How likely “{word}” is, hidden and in sight").format(
            word=_shown(record.run.sight.word)
        )

    def _rows(self, record: Hidden) -> list[tuple[str, str, float]]:
        sight = record.run.sight
        return [
            ("hidden", _("hidden, both sides seen"), sight.hidden),
            ("causal", _("hidden, causal mask as well"), sight.causal),
            ("visible", _("in sight"), sight.visible),
        ]

    def describe(self, record: Hidden) -> Sentence:
        sight = record.run.sight
        return sentence(
            _("Behind {mask} “{word}” has {hidden}. With a causal mask as well, which takes the "
              "right side away, {causal}. In sight {visible}."),
            mask=MASK,
            word=Mark(_shown(sight.word), "query"),
            hidden=Mark(percent(sight.hidden), "accent"),
            causal=Mark(percent(sight.causal), "accent"),
            visible=Mark(percent(sight.visible), "accent"),
        )  # fmt: skip

    def payload(self, record: Hidden) -> Payload:
        rows = self._rows(record)
        return Payload(
            {
                "frames": [
                    {
                        "rows": [
                            {"id": ident, "label": label, "chosen": ident == "hidden"}
                            for ident, label, _share in rows
                        ],
                        "title": sentence(
                            _("How likely “{word}” is, hidden and in sight"),
                            word=Mark(_shown(record.run.sight.word), "query"),
                        ).as_data(),
                        "alt": str(self.describe(record)),
                    }
                ],
                "stages": [""],
                "wide": True,
                "full_scale": True,
                "zero": True,
                "alt": self.title(record),
                "labels": {"cut": ""},
            },
            {"probs": np.array([[[share for *_names, share in rows]]], np.float32)},
        )

    def table(self, record: Hidden) -> Table:
        return Table(
            (_("condition"), _("probability of {word}").format(word=record.run.sight.word)),
            [(label, share) for _id, label, share in self._rows(record)],
        )

    def svg(self, record: Hidden, mode: Mode) -> str:
        rows = self._rows(record)
        return svg.bars(
            self.title(record),
            [label for _id, label, _share in rows],
            [share for *_names, share in rows],
            mode,
            alt=str(self.describe(record)),
        )


# --- does the second sentence follow the first? ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences for a model that judges whether the second follows the first."""

    model: str = param("bert")
    first: str = param("The dog heard a knock at the door.")
    second: str = param("It ran to the hall and began to bark.")

    @property
    def whole(self) -> bool:
        """Whether there are two sentences to judge."""
        return bool(self.first.strip() and self.second.strip())


@dataclass(frozen=True, slots=True)
class PairExample:
    """Two sentences of an author; ``follows`` says whether the second was written to follow."""

    first: str
    second: str
    follows: bool


PAIR_EXAMPLES = (
    PairExample("The boy was very hungry.", "His mother gave him some bread and soup.", True),
    PairExample("Lily lost her red ball in the park.", "She looked for it under every tree.", True),
    PairExample("The boy was very hungry.", "The river is 90 km long and flows to the sea.", False),
    PairExample("Lily lost her red ball in the park.", "He was elected to the council in 1998.",
                False),
)  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """The record of ``masked.follows``: the learner's pair first, if whole, then the examples."""

    pairs: list[tuple[str, str, bool | None]]
    probs: list[float]
    cut: str
    params: Pair


@register
class Follows(ComponentView[Pair, Judged]):
    """The probability that the second of two sentences follows the first."""

    name = "masked.follows"
    component = "bars"
    Params = Pair
    needs = "masked"
    sites = ("nsp.logits",)

    def title(self, record: Judged) -> str:
        return _("Probability that the second sentence follows the first")

    def _pairs(self, params: Pair) -> list[tuple[str, str, bool | None]]:
        examples = [(e.first, e.second, e.follows) for e in PAIR_EXAMPLES]
        return [*([(params.first, params.second, None)] if params.whole else []), *examples]

    def requests(self, params: Pair) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, first, second=second, sites=self.sites)
            for first, second, _follows in self._pairs(params)
        )

    def compute(self, runs: Sequence[Run], params: Pair) -> Judged:
        return Judged(
            pairs=self._pairs(params),
            probs=[float(softmax(run.trace["nsp.logits"])[0]) for run in runs],
            cut=runs[0].cut,
            params=params,
        )

    def describe(self, record: Judged) -> Sentence:
        if not record.params.whole:
            return sentence(_("Type two sentences, and the model judges them too."))
        share = record.probs[0]
        return sentence(
            _("{model} gives {share} to “the second follows the first” and {other} to “it does "
              "not”."),
            model=Mark(record.params.model.upper(), "strong"),
            share=Mark(percent(share), "accent"),
            other=percent(1 - share),
        )  # fmt: skip

    def _label(self, pair: tuple[str, str, bool | None]) -> str:
        first, second, follows = pair
        kind = {None: _("yours"), True: _("follows"), False: _("does not follow")}[follows]
        return f"{kind}: {visible(first)[:120]} → {visible(second)[:120]}".replace("·", " ")

    def payload(self, record: Judged) -> Payload:
        return Payload(
            {
                "frames": [
                    {
                        "rows": [
                            {"id": str(i), "label": self._label(pair), "chosen": pair[2] is None}
                            for i, pair in enumerate(
                                record.pairs, start=-1 if record.params.whole else 0
                            )
                        ],
                        "title": [[self.title(record), "plain"]],
                        "alt": str(self.describe(record)),
                    }
                ],
                "stages": [""],
                "stacked": True,
                "full_scale": True,
                "zero": True,
                "pick": True,
                "alt": self.title(record),
                "labels": {"cut": ""},
            },
            {"probs": np.array([[record.probs]], np.float32)},
        )

    def table(self, record: Judged) -> Table:
        return Table(
            (_("first"), _("second"), _("written to follow"), _("probability that it follows")),
            [(first, second, "" if follows is None else follows, p)
             for (first, second, follows), p in zip(record.pairs, record.probs, strict=True)],
        )  # fmt: skip

    def svg(self, record: Judged, mode: Mode) -> str:
        return svg.bars(
            self.title(record),
            [self._label(pair) for pair in record.pairs],
            record.probs,
            mode,
            alt=str(self.describe(record)),
        )


# --- how the training examples are made -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rolling(OnText):
    """A text and a throw of the dice.

    Attributes:
        model: the one whose training example is made.
        dice_seed: of the dice.
    """

    model: str = param("bert")
    dice_seed: int = param(0, low=0, high=MAX_SEED)


@dataclass(frozen=True)
class Rolled:
    """The record of the views of a training example."""

    run: Corrupted
    params: Rolling

    @property
    def chosen(self) -> list[tuple[int, ...]]:
        """The chosen words' positions, in the order they were drawn."""
        words = [word for word in self.run.words if self.run.order[word[0]] >= 0]
        return sorted(words, key=lambda word: int(self.run.order[word[0]]))

    def word(self, positions: Sequence[int], *, shown: bool = False) -> str:
        """A word as it reads, the original or what the model reads in its place."""
        source = self.run.shown if shown else self.run.tokens
        if shown and source[positions[0]].piece == MASK:
            return " ".join([MASK] * len(positions))
        return visible("".join(source[at].data.decode(errors="replace") for at in positions))

    def outcome(self, positions: Sequence[int]) -> str:
        """What became of a chosen word, in words."""
        fate = self.run.fates[positions[0]]
        if fate == "masked":
            return _("becomes {mask}").format(mask=MASK)
        if fate == "random":
            return _("becomes “{word}”").format(word=self.word(positions, shown=True))
        return _("stays")


class _OfRoll:
    """What the views of a training example have in common."""

    Params = Rolling
    needs = "masked"

    def requests(self, params: Rolling) -> tuple[Request, ...]:
        return (CorruptRequest(params.model, params.text, params.dice_seed),)

    def compute(self, runs: Sequence[Corrupted], params: Rolling) -> Rolled:
        return Rolled(runs[0], params)


@register
class TrainingExample(_OfRoll, ComponentView[Rolling, Rolled]):
    """The text as the model would have read it in training."""

    name = "masked.example"
    component = "token_strip"

    def title(self, record: Rolled) -> str:
        return _("Your sentence as a training example")

    def describe(self, record: Rolled) -> Sentence:
        pieces = sum(map(len, record.run.words))
        n = int((record.run.order >= 0).sum())
        parts = [
            sentence(
                ngettext("{n} of {all} pieces is drawn, {share}.",
                         "{n} of {all} pieces are drawn, {share}.", n),
                n=Mark(str(n), "accent"), all=str(pieces), share=percent(n / pieces),
            )
        ]  # fmt: skip
        parts += [
            sentence(
                _("“{word}” rolls {dice} and {outcome}."),
                word=Mark(record.word(word), "query"),
                dice=Mark(_dice(float(record.run.dice[word[0]])), "accent"),
                outcome=record.outcome(word),
            )
            for word in record.chosen[:3]
        ]
        return join(parts)

    def _reading(self, record: Rolled, at: int) -> Sentence:
        run = record.run
        guess = run.guesses[at]
        if guess is None:
            return self.describe(record)
        return sentence(
            _("The model must say “{word}” here and gives it {share}; it would say “{guess}”."),
            word=Mark(quoted(run.tokens[at]), "query"),
            share=Mark(percent(float(run.probs[at])), "accent"),
            guess=Mark(quoted(guess), "strong"),
        )

    def _notes(self, record: Rolled) -> list[str]:
        """What a drawn piece rolled and what it was, under every token."""
        run = record.run
        notes = [""] * len(run.tokens)
        for word in record.chosen:
            for at in word:
                notes[at] = f"{_dice(float(run.dice[at]))} · {token_label(run.tokens[at])}"
        return notes

    def payload(self, record: Rolled) -> Payload:
        run = record.run
        return Payload(
            {
                "tokens": [tokens.chip(token) for token in run.shown],
                "cut": tokens.cut_text(run.cut),
                "field": "example_token",
                "heading": join(
                    [
                        sentence(self.title(record) + "."),
                        sentence(_("Under a drawn piece: its dice, from 0 to 1, and what it was.")),
                    ]
                ).as_data(),
                "notes": self._notes(record),
                "marked": [at for at in range(len(run.tokens)) if run.order[at] >= 0],
                "readings": [self._reading(record, at).as_data() for at in range(len(run.tokens))],
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            }
        )

    def table(self, record: Rolled) -> Table:
        run = record.run
        return Table(
            (_("position"), _("token"), _("drawn as"), _("dice"), _("fate"), _("the model reads"),
             _("probability of the original")),
            [
                (at, token_label(token), int(run.order[at]) if run.order[at] >= 0 else "",
                 _plain(float(run.dice[at])), _(FATES[run.fates[at]]), token_label(run.shown[at]),
                 _plain(float(run.probs[at])))
                for at, token in enumerate(run.tokens)
            ],
        )  # fmt: skip

    def svg(self, record: Rolled, mode: Mode) -> str:
        run = record.run
        return svg.chips(
            self.title(record),
            [token_label(token) for token in run.shown],
            self._notes(record),
            [float(order >= 0) for order in run.order],
            mode,
            alt=str(self.describe(record)),
        )


def _dice(value: float) -> str:
    """A number of the dice, always with two decimals and never rounded across a border."""
    return f"{math.floor(value * 100) / 100:.2f}"


@register
class Dice(_OfRoll, PlotView[Rolling, Rolled]):
    """What was thrown for each chosen word, on the line from 0 to 1 that decides its fate."""

    name = "masked.dice"
    ZONES = ((0.0, 0.8, "warning"), (0.8, 0.9, "residual"), (0.9, 1.0, "background"))

    def title(self, record: Rolled) -> str:
        return _("The dice of each drawn word")

    def describe(self, record: Rolled) -> Sentence:
        return sentence(
            "{list}.",
            list="; ".join(
                _("“{word}” rolls {dice} and {outcome}").format(
                    word=record.word(word),
                    dice=_dice(float(record.run.dice[word[0]])),
                    outcome=record.outcome(word),
                )
                for word in record.chosen
            ),
        )

    def table(self, record: Rolled) -> Table:
        return Table(
            (_("drawn as"), _("word"), _("dice"), _("fate")),
            [
                (
                    n,
                    record.word(word),
                    float(record.run.dice[word[0]]),
                    _(FATES[record.run.fates[word[0]]]),
                )
                for n, word in enumerate(record.chosen)
            ],
        )

    def figure(self, record: Rolled, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        words = record.chosen
        values = [float(record.run.dice[word[0]]) for word in words]
        names = [f"{n} {record.word(word)}" for n, word in enumerate(words)]
        figure = go.Figure(
            go.Scatter(
                x=values,
                y=names,
                mode="markers+text",
                marker={"size": 13, "color": palette.accent, "symbol": "diamond"},
                text=[_dice(v) for v in values],
                textposition=["middle left" if v > 0.5 else "middle right" for v in values],
                textfont={"color": palette.text},
                hovertext=[
                    f"{record.word(word)}: {number(value, 6)}, {record.outcome(word)}"
                    for word, value in zip(words, values, strict=True)
                ],
                hoverinfo="text",
                cliponaxis=False,
                showlegend=False,
            )
        )
        fates = (
            _("below 0.8: {mask}").format(mask=MASK),
            _("below 0.9: a random word"),
            _("from 0.9 on: stays"),
        )
        for (low, high, role), label in zip(self.ZONES, fates, strict=True):
            colour = getattr(palette, role)
            figure.add_vrect(
                x0=low, x1=high, fillcolor=colour, opacity=0.18, line_width=0, layer="below"
            )
            figure.add_vline(x=high, line={"color": palette.border, "width": 1})
            key = {"size": 13, "color": colour, "symbol": "square", "opacity": 0.4,
                   "line": {"color": palette.muted, "width": 2}}  # fmt: skip
            figure.add_scatter(x=[None], y=[None], mode="markers", marker=key, name=label)
        styled(figure, mode, title=self.title(record), x=_("the number thrown, from 0 to 1"),
               y=_("words, as they were drawn"))  # fmt: skip
        figure.update_xaxes(range=[0, 1], dtick=0.1, fixedrange=True)
        figure.update_yaxes(autorange="reversed", type="category", fixedrange=True)
        figure.update_layout(height=200 + 28 * len(words), legend={"y": -0.5, "yref": "paper"})
        figure.update_layout(legend={"yref": "container", "y": 0.0, "yanchor": "bottom"})
        return figure

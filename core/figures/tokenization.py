"""Views of tokenization: tokens and bytes, merges learnt and applied, bits per character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.codes import huffman_bits, smoothed_bits
from core.analysis.distributions import order_0_entropy, surprisal
from core.analysis.words import word_of_tokens
from core.errors import AbilityError
from core.figures import svg, tokens
from core.figures.params import OnText, param
from core.figures.payload import Payload
from core.figures.text import (
    Mark,
    Sentence,
    bytes_label,
    hexadecimal,
    join,
    number,
    sentence,
    token_label,
    visible,
)
from core.figures.theme import PALETTES, Mode, styled
from core.figures.view import ComponentView, PlotView, Table, register
from core.language import N_, _, ngettext
from core.requests import LearnRequest, Request, TokenizeRequest, TraceRequest
from core.runs import Run, Tokenized
from core.text.bpe import BPE, split_words
from core.text.learning import MAX_CORPUS, Learning, Symbol
from core.text.tokenizer import Token

CORPUS = (
    "A low wall stood by the river. A lower wall stood by the wider river, and the lowest wall "
    "of all stood by the widest river. The new miller said: my wall is newer than the old wall, "
    "and the newest wall is the slowest to fall. The old miller said: the slower the river, the "
    "longer the wall; the slowest river has the longest wall."
)
NEVER = 2**16 - 1  # a step that no lifetime reaches


@dataclass(frozen=True, slots=True)
class Tokenizing(OnText):
    """A text, a word of it, and a code learnt from another text.

    Attributes:
        word: number of the word that is looked at.
        join: merges that are shown of its encoding; -1 for all.
        code: whose merges encode it.
        corpus: the text that merges are learnt from.
        merges: how many are learnt.
        merge: how many of them are shown.
    """

    word: int = param(0, low=0, high=100_000)
    join: int = param(-1, low=-1, high=100_000)
    code: str = param("model", choices=("model", "learnt"))
    corpus: str = param(CORPUS)
    merges: int = param(60, low=1, high=200)
    merge: int = param(10, low=0, high=200)

    def learning(self) -> LearnRequest:
        """What all views of the learnt code share. An empty corpus is the example."""
        return LearnRequest(self.corpus if self.corpus.strip() else CORPUS, self.merges)

    def selection(self) -> dict[str, int | None]:
        """The part of the state that components share, as they read it."""
        return {
            "word": self.word,
            "join": None if self.join < 0 else self.join,
            "merge": self.merge,
        }


# --- the text as tokens -------------------------------------------------------------------------


@dataclass(frozen=True)
class Pieces:
    """The record of ``text.tokens``."""

    run: Tokenized
    params: Tokenizing

    @cached_property
    def words(self) -> list[str]:
        """The text in words, leading spaces kept; the same for every tokenizer."""
        return split_words(self.run.text)

    @cached_property
    def bounds(self) -> list[int]:
        """Where each word starts in the text, and where the last one ends."""
        return list(accumulate(map(len, self.words), initial=0))

    @cached_property
    def groups(self) -> list[int | None]:
        """For each token the number of its word."""
        return word_of_tokens(self.run.text, self.run.tokens)

    @property
    def body(self) -> list[Token]:
        """The tokens that come from the text."""
        return [token for token in self.run.tokens if not token.special]

    @property
    def n_words(self) -> int:
        """Words as people count them: what stands between spaces."""
        return len(self.run.text.split())

    @property
    def word(self) -> int:
        return max(0, min(self.params.word, len(self.words) - 1))


@register
class TextTokens(ComponentView[Tokenizing, Pieces]):
    """A text as one tokenizer cuts it: pieces, ids, bytes, and what the model reads of it."""

    name = "text.tokens"
    component = "token_strip"
    Params = Tokenizing
    SHOWN = 240  # characters of the text as it is read
    LISTED = 24  # tokens of one word

    def title(self, record: Pieces) -> str:
        return _("The text as {model} cuts it").format(model=record.params.model.upper())

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        return (TokenizeRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Tokenized], params: Tokenizing) -> Pieces:
        return Pieces(runs[0], params)

    def describe(self, record: Pieces) -> Sentence:
        n = len(record.body)
        return sentence(
            _("{model} cuts {words} words into {tokens} tokens, {mean} a word."),
            model=Mark(record.params.model.upper(), "strong"),
            words=f"{record.n_words:,}",
            tokens=Mark(f"{n:,}", "accent"),
            mean=Mark(number(n / max(1, record.n_words), 2), "accent"),
        )

    def reading(self, record: Pieces, word: int) -> Sentence:
        """What becomes of one word, and of its neighbours where a token reaches across."""
        start, end = record.bounds[word : word + 2]
        own = [token for token in record.body if token.start < end and token.end > start]
        if not own:
            name = Mark(_shown(record.words[word]), "query")
            return sentence(_("“{word}” is not read: no token comes from it."), word=name)
        # A tokenizer that drops what stands between two words makes them one.
        reach = slice(min(start, own[0].start), max(end, own[-1].end))
        name = Mark(_shown(record.run.text[reach]), "query")
        more = ["…"] if len(own) > self.LISTED else []
        return sentence(
            ngettext(
                "“{word}” is {n} token: {tokens}", "“{word}” is {n} tokens: {tokens}", len(own)
            ),
            word=name,
            n=Mark(str(len(own)), "accent"),
            tokens=Mark("  ".join([*map(token_label, own[: self.LISTED]), *more]), "strong"),
        )

    def _heading(self, record: Pieces) -> Sentence:
        n = len(record.body)
        family = {"byte_bpe": _("byte-level BPE"), "wordpiece": _("WordPiece")}
        return sentence(
            ngettext(
                "{model} · {family}, {size} entries · {tokens} token, {mean} a word",
                "{model} · {family}, {size} entries · {tokens} tokens, {mean} a word",
                n,
            ),
            model=Mark(record.params.model.upper(), "strong"),
            family=Mark(family[record.run.family], "muted"),
            size=Mark(f"{record.run.vocab_size:,}", "muted"),
            tokens=Mark(f"{n:,}", "accent"),
            mean=number(n / max(1, record.n_words), 2),
        )

    def read_line(self, record: Pieces) -> Sentence:
        """The text as the model reads it, what was changed marked."""
        model = record.params.model.upper()
        if all(part.kind == "same" for part in record.run.parts):
            n = len(record.run.text.encode())
            template = {
                "byte_bpe": _("{model} reads all {n} bytes as they were typed."),
                "wordpiece": _("{model} reads what was typed; spaces only separate words."),
            }[record.run.family]
            return sentence(template, model=model, n=f"{n:,}")
        marks: list[Mark] = []
        room = self.SHOWN
        for part in record.run.parts:
            words = " ".join(visible(piece) for piece in part.read.split(" "))
            marks.append(Mark(words[:room], "plain" if part.kind == "same" else "warning"))
            room -= len(words)
            if room < 0:
                marks.append(Mark("…", "muted"))
                break
        return Sentence((*sentence(_("{model} reads: "), model=model).parts, *marks))

    def payload(self, record: Pieces) -> Payload:
        chips: list[dict[str, Any]] = []
        before, words = None, 0
        for token, group in zip(record.run.tokens, record.groups, strict=True):
            chip = tokens.chip(token, group=group)
            # A split character's label is its bytes already.
            own = token.data if chip["kind"] == "word" else b""
            detail = hexadecimal(own[:12]) + ("…" if len(own) > 12 else "")
            words += group is None or group != before
            chips.append(chip | {"word": words, "detail": detail})
            before = group
        lines = [self.read_line(record), tokens.changes(record.run.parts)]
        return Payload(
            {
                "heading": self._heading(record).as_data(),
                "tokens": chips,
                "notes": [str(token.id) for token in record.run.tokens],
                "coloured": True,
                "grouped": True,
                "field": "word",
                "clears": ["join"],
                "default": record.word,
                "cut": tokens.cut_text(record.run.cut),
                "lines": [line.as_data() for line in lines if line is not None],
                "readings": [self.reading(record, w).as_data() for w in range(len(record.words))],
                "selection": record.params.selection() | {"word": record.word},
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            }
        )

    def table(self, record: Pieces) -> Table:
        return Table(
            (
                _("position"),
                _("token"),
                _("id"),
                _("bytes"),
                _("word"),
                _("first character"),
                _("last character"),
            ),
            [
                (
                    at,
                    token_label(token),
                    token.id,
                    "" if token.special else hexadecimal(token.data),
                    "" if group is None else group,
                    token.start,
                    token.end,
                )
                for at, (token, group) in enumerate(
                    zip(record.run.tokens, record.groups, strict=True)
                )
            ],
        )

    def svg(self, record: Pieces, mode: Mode) -> str:
        return svg.chips(
            self.title(record),
            [token_label(token) for token in record.run.tokens],
            [str(token.id) for token in record.run.tokens],
            [0.0 if group is None else 0.12 * (group % 3) for group in record.groups],
            mode,
            alt=str(self.describe(record)),
        )


def _shown(word: str) -> str:
    """A word inside a sentence, shortened when it is very long."""
    return visible(tokens.cut_text(word, tokens.SHOWN)).removeprefix("·") or "·"


# --- a word, put together ------------------------------------------------------------------------


@dataclass(frozen=True)
class Rung:
    """A word after some merges.

    Attributes:
        symbols: ids.
        ranks: for each neighbouring pair its place in the list of merges, None if it has none.
        rank, at: the merge that made this row, and where; None for the bytes.
    """

    symbols: tuple[int, ...]
    ranks: tuple[int | None, ...]
    rank: int | None
    at: int | None


@dataclass(frozen=True)
class Encoding:
    """The record of ``text.encode``: every distinct word of the text, row by row."""

    words: list[str]
    ladders: dict[str, list[Rung]]
    code: BPE
    params: Tokenizing

    @property
    def word(self) -> int:
        return max(0, min(self.params.word, len(self.words) - 1))

    @property
    def counts(self) -> list[int]:
        """Rows of each word's ladder."""
        return [len(self.ladders[word]) for word in self.words]


@register
class EncodeWord(ComponentView[Tokenizing, Encoding]):
    """A word from its bytes to its tokens: again and again the pair learnt earliest is joined."""

    name = "text.encode"
    component = "ladder"
    Params = Tokenizing
    needs = "causal"
    MAX_BYTES = 32  # that are drawn of a word

    def title(self, record: Encoding) -> str:
        return _("How “{word}” is put together").format(word=_shown(record.words[record.word]))

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        cut = TokenizeRequest(params.model, params.text)
        return (cut,) if params.code == "model" else (cut, params.learning())

    def compute(self, runs: Sequence[Any], params: Tokenizing) -> Encoding:
        run: Tokenized = runs[0]
        code = run.code if params.code == "model" else runs[1].code
        if code is None:
            raise AbilityError(params.model, N_("cutting words by byte-pair encoding"))
        words = split_words(run.text)
        return Encoding(words, {word: _rungs(code, self._drawn(word)) for word in words}, code,
                        params)  # fmt: skip

    def _drawn(self, word: str) -> str:
        """As many whole characters of a word as are drawn."""
        return word.encode()[: self.MAX_BYTES].decode(errors="ignore")

    def describe(self, record: Encoding) -> Sentence:
        return self._reading(record, record.words[record.word])

    def _reading(self, record: Encoding, word: str) -> Sentence:
        rungs = record.ladders[word]
        return sentence(
            _("“{word}” starts as {bytes} bytes; {merges} merges leave {n} of {total} entries: "
              "{tokens}"),
            word=Mark(_shown(word), "query"),
            bytes=str(len(rungs[0].symbols)),
            merges=Mark(str(len(rungs) - 1), "accent"),
            n=Mark(str(len(rungs[-1].symbols)), "accent"),
            total=f"{record.code.n_entries:,}",
            tokens=Mark(
                "  ".join(bytes_label(record.code.vocabulary[i]) for i in rungs[-1].symbols),
                "strong",
            ),
        )  # fmt: skip

    def payload(self, record: Encoding) -> Payload:
        unique = list(record.ladders)
        used = {i for rungs in record.ladders.values() for rung in rungs for i in rung.symbols}
        pieces = {
            str(i): {"label": bytes_label(record.code.vocabulary[i]), "bytes": _n_bytes(record, i)}
            for i in sorted(used)
        }
        ladders = []
        for word in unique:
            rungs = record.ladders[word]
            drawn = len(rungs[0].symbols)
            note = ""
            if drawn < len(word.encode()):
                note = _("Only its first {n} bytes are drawn, of {all}.").format(
                    n=drawn, all=len(word.encode())
                )
            ladders.append(
                {
                    "title": _("How “{word}” is put together").format(word=_shown(word)),
                    "alt": str(self._reading(record, word)),
                    "note": note,
                    "bytes": drawn,
                    "rows": [
                        {
                            "symbols": list(rung.symbols),
                            "ranks": list(rung.ranks),
                            "joined": None
                            if rung.rank is None
                            else {"rank": rung.rank, "at": rung.at},
                        }
                        for rung in rungs
                    ],
                }
            )
        place = {word: at for at, word in enumerate(unique)}
        return Payload(
            {
                "pieces": pieces,
                "ladders": ladders,
                "of": [place[word] for word in record.words],
                "first": record.word,
                "selection": record.params.selection() | {"word": record.word},
                "labels": {
                    "start": _("its bytes"),
                    "merge": _("merge {n}"),
                    "seam": _("place of this pair in the list of merges"),
                },
            }
        )

    def table(self, record: Encoding) -> Table:
        rungs = record.ladders[record.words[record.word]]
        return Table(
            (_("row"), _("merge"), _("symbols")),
            [
                (
                    row,
                    "" if rung.rank is None else rung.rank,
                    " | ".join(bytes_label(record.code.vocabulary[i]) for i in rung.symbols),
                )
                for row, rung in enumerate(rungs)
            ],
        )

    def svg(self, record: Encoding, mode: Mode) -> str:
        palette = PALETTES[mode]
        rungs = record.ladders[record.words[record.word]]
        body = []
        for row, rung in enumerate(rungs):
            x, y = 8.0, 36.0 + 34 * row
            for at, symbol in enumerate(rung.symbols):
                wide = 34.0 * _n_bytes(record, symbol)
                edge = palette.accent if at == rung.at else palette.border
                body.append(
                    f"<rect x='{x:.0f}' y='{y:.0f}' width='{wide - 3:.0f}' height='20' rx='4' "
                    f"fill='{palette.surface}' stroke='{edge}'/>"
                )
                label = bytes_label(record.code.vocabulary[symbol])
                body.append(svg.text(x + wide / 2 - 1, y + 14, label, palette.text, "middle"))
                x += wide
                if at < len(rung.ranks) and rung.ranks[at] is not None:
                    body.append(
                        svg.text(x - 1, y + 31, str(rung.ranks[at]), palette.muted, "middle")
                    )
            said = _("its bytes") if rung.rank is None else _("merge {n}").format(n=rung.rank)
            body.append(svg.text(34.0 * len(rungs[0].symbols) + 20, y + 14, said, palette.muted))
        width = 34.0 * len(rungs[0].symbols) + 130
        alt = str(self.describe(record))
        return svg.frame(max(width, 420), 44 + 34 * len(rungs), self.title(record), alt, body,
                         palette)  # fmt: skip


def _rungs(code: BPE, word: str) -> list[Rung]:
    return [
        Rung(
            step.symbols,
            tuple(code.rank(a, b) for a, b in zip(step.symbols, step.symbols[1:], strict=False)),
            step.merge,
            step.at,
        )
        for step in code.encode_word(word)
    ]


def _n_bytes(record: Encoding, symbol: int) -> int:
    return len(record.code.vocabulary[symbol])


# --- bits of the learner's text ------------------------------------------------------------------


@dataclass(frozen=True)
class Bits:
    """The record of ``text.bits``: bits a character of one text under three codes."""

    model: str
    n_characters: int
    characters: float
    learnt: float
    predicted: float

    def rows(self) -> list[tuple[str, float, str]]:
        """Name, bits a character, and what it is, of each code."""
        return [
            (_("characters"), self.characters,
             _("each character by how often it stands in this text (order-0 entropy)")),
            (_("learnt code"), self.learnt,
             _("each token by how often it stands in the training text below")),
            (self.model.upper(), self.predicted,
             _("each token as predicted from all tokens before it")),
        ]  # fmt: skip


@register
class BitsPerCharacter(PlotView[Tokenizing, Bits]):
    """What a character of the text costs: by its own frequencies, by a code, by a model."""

    name = "text.bits"
    Params = Tokenizing
    needs = "causal"
    sites = ("logits",)

    def title(self, record: Bits) -> str:
        return _("Bits per character of your text")

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text, sites=self.sites), params.learning())

    def compute(self, runs: Sequence[Any], params: Tokenizing) -> Bits:
        run: Run = runs[0]
        learning: Learning = runs[1]
        n = max(1, len(run.text))
        bits = surprisal(run.trace["logits"], run.trace.ids)
        ids = learning.code.encode(run.text)
        learnt = smoothed_bits(ids, learning.counts, len(learning.code.vocabulary))
        return Bits(
            model=params.model,
            n_characters=len(run.text),
            characters=order_0_entropy(run.text),
            learnt=learnt / n,
            predicted=float(bits.sum()) / n,
        )

    def describe(self, record: Bits) -> Sentence:
        less = record.predicted < record.characters
        return join(
            [
                sentence(
                    _("{model} needs {bits} bits for {n} characters, {each} each."),
                    model=Mark(record.model.upper(), "strong"),
                    bits=number(record.predicted * record.n_characters),
                    n=f"{record.n_characters:,}",
                    each=Mark(number(record.predicted), "accent"),
                ),
                sentence(
                    _("That is less than the {own} of single characters.")
                    if less
                    else _("Single characters, counted in this very text, need only {own}."),
                    own=Mark(number(record.characters), "residual"),
                ),
                sentence(
                    _("With the code learnt further down on this page it is {learnt}: its tokens "
                      "cost what they cost in the text it was learnt from."),
                    learnt=Mark(number(record.learnt), "residual"),
                ),
            ]
        )  # fmt: skip

    def table(self, record: Bits) -> Table:
        return Table(
            (_("code"), _("bits per character"), _("what it is")),
            [(name, bits, what) for name, bits, what in record.rows()],
        )

    def figure(self, record: Bits, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        rows = record.rows()[::-1]
        figure = go.Figure(
            go.Bar(
                x=[bits for _name, bits, _what in rows],
                y=[name for name, _bits, _what in rows],
                customdata=[what for _name, _bits, what in rows],
                orientation="h",
                marker_color=[palette.accent, palette.residual, palette.residual],
                text=[number(bits) for _name, bits, _what in rows],
                textposition="auto",
                hovertemplate="%{customdata}<br>%{x} "
                + _("bits per character")
                + "<extra></extra>",
            )
        )
        styled(figure, mode, title=self.title(record), x=_("bits per character"), y="")
        figure.update_yaxes(title=_("code"), showgrid=False)
        figure.update_layout(height=210, bargap=0.3)
        return figure


# --- learning the merges -------------------------------------------------------------------------


@dataclass(frozen=True)
class Trained:
    """The record of all views of the learnt code."""

    learning: Learning
    params: Tokenizing

    @property
    def n_merges(self) -> int:
        return len(self.learning.code.merges)

    @property
    def step(self) -> int:
        return min(self.params.merge, self.n_merges)

    def label(self, symbol: int) -> str:
        """A symbol as it is written."""
        return bytes_label(self.learning.code.vocabulary[symbol])

    def done(self, step: int) -> Sentence:
        """What the merge before a state did."""
        if not step:
            return sentence(_("Nothing is merged yet: every symbol is one byte."))
        merge = self.learning.code.merges[step - 1]
        return sentence(
            ngettext(
                "Merge {n}: “{a}” and “{b}” become “{new}”, {count} time.",
                "Merge {n}: “{a}” and “{b}” become “{new}”, {count} times.",
                merge.count,
            ),
            n=str(step - 1),
            a=Mark(self.label(merge.left), "strong"),
            b=Mark(self.label(merge.right), "strong"),
            new=Mark(self.label(merge.new), "accent"),
            count=Mark(str(merge.count), "accent"),
        )

    def selection(self) -> dict[str, int | None]:
        return self.params.selection() | {"merge": self.step}


class _OfTraining(ComponentView[Tokenizing, Trained]):
    """What the views of the learnt code share."""

    Params = Tokenizing
    needs = "none"

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        return (params.learning(),)

    def compute(self, runs: Sequence[Learning], params: Tokenizing) -> Trained:
        return Trained(runs[0], params)


@register
class PairCounts(_OfTraining):
    """How often each pair of neighbours stands in the corpus, before every merge."""

    name = "text.pairs"
    component = "bars"

    def title(self, record: Trained) -> str:
        return _("Pairs that stand side by side, most frequent first")

    def describe(self, record: Trained) -> Sentence:
        return self._reading(record, record.step)

    def _reading(self, record: Trained, step: int) -> Sentence:
        pairs = record.learning.pairs[step]
        if not pairs:
            return sentence(_("No pair is left to merge: every word is one symbol."))
        best = pairs[0]
        return sentence(
            ngettext(
                "“{a}” and “{b}” stand side by side {count} time, more often than or as often as "
                "any other pair: they are merged next.",
                "“{a}” and “{b}” stand side by side {count} times, more often than or as often as "
                "any other pair: they are merged next.",
                best.count,
            )
            if step < record.n_merges
            else _("“{a}” and “{b}”, {count} times, would be merged next."),
            a=Mark(record.label(best.left), "strong"),
            b=Mark(record.label(best.right), "strong"),
            count=Mark(str(best.count), "accent"),
        )

    def payload(self, record: Trained) -> Payload:
        steps = range(record.n_merges + 1)
        wide = max((len(pairs) for pairs in record.learning.pairs), default=0)
        counts = np.zeros((len(steps), 1, max(1, wide)), np.float32)
        frames = []
        for step in steps:
            pairs = record.learning.pairs[step]
            counts[step, 0, : len(pairs)] = [pair.count for pair in pairs]
            frames.append(
                {
                    "rows": [
                        {
                            "id": f"{pair.left} {pair.right}",
                            "label": f"{record.label(pair.left)} + {record.label(pair.right)}",
                            "chosen": not at and step < record.n_merges,
                        }
                        for at, pair in enumerate(pairs)
                    ],
                    "title": sentence(_("How often pairs stand side by side")).as_data(),
                    "alt": str(self._reading(record, step)),
                    "note": "" if pairs else str(self._reading(record, step)),
                }
            )
        return Payload(
            {
                "frames": frames,
                "stages": [""],
                "unit": "count",
                "follow": {"field": "merge", "first": record.step},
                "selection": record.selection(),
                "alt": self.title(record),
                "labels": {"cut": "0"},
            },
            {"probs": counts},
        )

    def table(self, record: Trained) -> Table:
        return Table(
            (_("state"), _("left"), _("right"), _("count")),
            [
                (step, record.label(pair.left), record.label(pair.right), pair.count)
                for step, pairs in enumerate(record.learning.pairs)
                for pair in pairs
            ],
        )

    def svg(self, record: Trained, mode: Mode) -> str:
        pairs = record.learning.pairs[record.step]
        return svg.bars(
            self.title(record),
            [f"{record.label(pair.left)} + {record.label(pair.right)}" for pair in pairs],
            [float(pair.count) for pair in pairs],
            mode,
            alt=str(self.describe(record)),
            show=lambda count: f"{count:.0f}",
        )


@register
class Corpus(_OfTraining):
    """The distinct words of the corpus as symbols, changing with every merge."""

    name = "text.corpus"
    component = "token_strip"
    SHOWN = 48  # words

    def title(self, record: Trained) -> str:
        return _("The training text, every distinct word once")

    def describe(self, record: Trained) -> Sentence:
        learning = record.learning
        return sentence(
            _("{words} distinct words, {characters} characters; now {tokens} symbols, at first "
              "{bytes}."),
            words=f"{len(learning.words):,}",
            characters=f"{len(learning.text):,}",
            tokens=Mark(f"{learning.n_tokens[record.step]:,}", "accent"),
            bytes=f"{learning.n_tokens[0]:,}",
        )  # fmt: skip

    def _lines(self, record: Trained) -> list[Sentence]:
        hidden = len(record.learning.words) - self.SHOWN
        lines = []
        if hidden > 0:
            lines.append(
                sentence(
                    ngettext(
                        "{n} rarer word is counted too, but not drawn.",
                        "{n} rarer words are counted too, but not drawn.",
                        hidden,
                    ),
                    n=f"{hidden:,}",
                )
            )
        if record.learning.cut:
            lines.append(
                sentence(
                    _("Only the first {n} characters are learnt from; {cut} were left out."),
                    n=Mark(f"{MAX_CORPUS:,}", "warning"),
                    cut=Mark(f"{len(record.learning.cut):,}", "warning"),
                )
            )
        return lines

    def payload(self, record: Trained) -> Payload:
        chips: list[dict[str, Any]] = []
        notes: list[str] = []
        life: list[tuple[int, int]] = []
        for n, word in enumerate(record.learning.words[: self.SHOWN]):
            size = len(word.text.encode())
            for symbol, end in _placed(record.learning.code, word.symbols):
                chips.append(
                    {
                        "label": record.label(symbol.id),
                        "kind": "word",
                        "title": _("id {id}").format(id=symbol.id),
                        "group": symbol.id if symbol.born else None,
                        "word": n,
                    }
                )
                notes.append(f"×{word.count}" if end == size and word.count > 1 else "")
                life.append((symbol.born, NEVER if symbol.gone is None else symbol.gone))
        return Payload(
            {
                "heading": sentence(self.title(record)).as_data(),
                "tokens": chips,
                "notes": notes,
                "coloured": True,
                "compact": True,
                "still": True,
                "long": len(chips) + 1,
                "follow": {"field": "merge", "first": record.step},
                "lines": [line.as_data() for line in self._lines(record)],
                "selection": record.selection(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            },
            {"life": np.array(life, np.uint16).reshape(-1, 2)},
        )

    def table(self, record: Trained) -> Table:
        return Table(
            (_("word"), _("count"), _("symbols")),
            [
                (
                    visible(word.text),
                    word.count,
                    " | ".join(record.label(s.id) for s in _alive(word.symbols, record.step)),
                )
                for word in record.learning.words
            ],
        )

    def svg(self, record: Trained, mode: Mode) -> str:
        labels, notes, heat = [], [], []
        for word in record.learning.words[: self.SHOWN]:
            alive = _alive(word.symbols, record.step)
            labels += [record.label(symbol.id) for symbol in alive]
            notes += [""] * (len(alive) - 1) + [f"×{word.count}"]
            heat += [0.2 if symbol.born else 0.0 for symbol in alive]
        return svg.chips(self.title(record), labels, notes, heat, mode,
                         alt=str(self.describe(record)), role="accent")  # fmt: skip


def _placed(code: BPE, symbols: Sequence[Symbol]) -> Iterator[tuple[Symbol, int]]:
    """Every symbol a word was ever made of, and where in the word it ends, in bytes."""
    end = 0
    for symbol in symbols:
        # A merged symbol stands right behind its parts, so it ends where they end.
        end += 0 if symbol.born else len(code.vocabulary[symbol.id])
        yield symbol, end


def _alive(symbols: Sequence[Symbol], step: int) -> list[Symbol]:
    """What a word is made of after some merges."""
    return [s for s in symbols if s.born <= step and (s.gone is None or step < s.gone)]


@register
class LearntEntries(_OfTraining):
    """The new entries of the vocabulary, in the order they were learnt."""

    name = "text.learnt"
    component = "token_strip"

    def title(self, record: Trained) -> str:
        return _("Entries learnt so far, and how often their pair stood there")

    def describe(self, record: Trained) -> Sentence:
        return record.done(record.step)

    def payload(self, record: Trained) -> Payload:
        merges = record.learning.code.merges
        return Payload(
            {
                "heading": sentence(self.title(record)).as_data(),
                "tokens": [
                    {
                        "label": record.label(merge.new),
                        "kind": "word",
                        "title": str(record.done(step + 1)),
                        "group": merge.new,
                    }
                    for step, merge in enumerate(merges)
                ],
                "notes": [str(merge.count) for merge in merges],
                "coloured": True,
                "still": True,
                "long": len(merges) + 1,
                "reveal": {"field": "merge", "base": 0, "first": record.step},
                "selection": record.selection(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            }
        )

    def table(self, record: Trained) -> Table:
        return Table(
            (_("merge"), _("left"), _("right"), _("new"), _("id"), _("count")),
            [
                (
                    n,
                    record.label(m.left),
                    record.label(m.right),
                    record.label(m.new),
                    m.new,
                    m.count,
                )
                for n, m in enumerate(record.learning.code.merges)
            ],
        )

    def svg(self, record: Trained, mode: Mode) -> str:
        merges = record.learning.code.merges[: record.step]
        return svg.chips(
            self.title(record),
            [record.label(merge.new) for merge in merges],
            [str(merge.count) for merge in merges],
            [0.15] * len(merges),
            mode,
            alt=str(self.describe(record)),
            role="accent",
        )


# --- what the code is worth ----------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """The record of ``text.code``: bits a character of the training text, after every merge.

    Attributes:
        fixed: ``(S + 1,)`` each token by a number of fixed length.
        ideal: ``(S + 1,)`` each token by -log2 of its share of all tokens.
        characters: each character by -log2 of its share of all characters.
        huffman: each character by its word in Huffman's code.
    """

    fixed: NDArray[np.float64]
    ideal: NDArray[np.float64]
    characters: float
    huffman: float
    tokens_per_word: float
    step: int


@register
class CodeCost(PlotView[Tokenizing, Costs]):
    """How short the training text becomes as merges are learnt, beside a code for characters."""

    name = "text.code"
    Params = Tokenizing
    needs = "none"

    def title(self, record: Costs) -> str:
        return _("Bits per character of the training text")

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        return (params.learning(),)

    def compute(self, runs: Sequence[Learning], params: Tokenizing) -> Costs:
        (learning,) = runs
        n = max(1, len(learning.text))
        per_character = learning.n_tokens / n
        newest = [255, *(merge.new for merge in learning.code.merges)]
        sizes = np.maximum.accumulate(newest) + 1  # entries of the vocabulary
        step = min(params.merge, len(learning.code.merges))
        return Costs(
            fixed=np.log2(sizes) * per_character,
            ideal=learning.entropy * per_character,
            characters=order_0_entropy(learning.text),
            huffman=huffman_bits(Counter(learning.text)),
            tokens_per_word=float(learning.n_tokens[step]) / max(1, len(learning.text.split())),
            step=step,
        )

    def describe(self, record: Costs) -> Sentence:
        step = record.step
        return join(
            [
                sentence(
                    ngettext(
                        "After {n} merge a word is {tokens} tokens, and a character costs "
                        "{fixed} bits by numbers of fixed length, {ideal} by an ideal code.",
                        "After {n} merges a word is {tokens} tokens, and a character costs "
                        "{fixed} bits by numbers of fixed length, {ideal} by an ideal code.",
                        step,
                    ),
                    n=str(step),
                    tokens=number(record.tokens_per_word),
                    fixed=Mark(number(float(record.fixed[step])), "key"),
                    ideal=Mark(number(float(record.ideal[step])), "accent"),
                ),
                sentence(
                    _("One character at a time costs {huffman} in Huffman's code, {own} at best."),
                    huffman=Mark(number(record.huffman), "position"),
                    own=Mark(number(record.characters), "residual"),
                ),
            ]
        )

    def table(self, record: Costs) -> Table:
        return Table(
            (
                _("merges"),
                _("fixed length"),
                _("ideal code"),
                _("characters, Huffman"),
                _("characters, entropy"),
            ),
            [
                (step, float(fixed), float(ideal), record.huffman, record.characters)
                for step, (fixed, ideal) in enumerate(zip(record.fixed, record.ideal, strict=True))
            ],
        )

    def figure(self, record: Costs, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        steps = list(range(len(record.fixed)))
        figure = go.Figure()
        flat = [0, max(1, steps[-1])]
        for name, x, y, colour, dash in (
            (_("tokens, fixed length"), steps, record.fixed, palette.key, "solid"),
            (_("tokens, ideal code"), steps, record.ideal, palette.accent, "solid"),
            (_("characters, Huffman"), flat, [record.huffman] * 2, palette.position, "dash"),
            (_("characters, entropy"), flat, [record.characters] * 2, palette.residual, "dot"),
        ):
            figure.add_scatter(
                x=x,
                y=y,
                name=name,
                mode="lines",
                line={"color": colour, "dash": dash, "width": 2},
                hovertemplate=_("after {merges} merges").format(merges="%{x}")
                + "<br>%{y:.4f} " + _("bits per character") + "<extra>%{fullData.name}</extra>",
            )  # fmt: skip
        figure.add_vline(x=record.step, line={"color": palette.muted, "width": 1})
        styled(figure, mode, title=self.title(record), x=_("merges"), y=_("bits per character"))
        figure.update_yaxes(rangemode="tozero")
        figure.update_layout(height=340)
        return figure

"""A text as one tokenizer cuts it: pieces, ids, bytes, and what the model reads of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from core.analysis.words import word_of_tokens
from core.figures import tokens
from core.figures.components import Chip, Strip
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _, name_of, ngettext
from core.locale import grouped
from core.models.needs import Needs
from core.runs.requests import Request, TokenizeRequest
from core.runs.results import Tokenized
from core.spelling import hexadecimal, visible
from core.text.bpe import split_words
from core.units import Token
from core.views.text.families import family_of
from core.views.text.tokenizing import ByMerges, word_shown
from core.views.view import View

SHOWN = 240  # characters of the text as it is read
LISTED = 24  # tokens of one word
BYTES = 12  # of a token, on its chip


@dataclass(frozen=True)
class Pieces:
    """A text, cut.

    Attributes:
        run: what the tokenizer made of it.
        params: what was asked for.
    """

    run: Tokenized
    params: ByMerges

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

    @cached_property
    def body(self) -> list[Token]:
        """The tokens that come from the text."""
        return [token for token in self.run.tokens if not token.special]

    @property
    def n_words(self) -> int:
        """Words as people count them: what stands between spaces."""
        return len(self.run.text.split())

    @property
    def mean(self) -> float:
        """Tokens of a word."""
        return len(self.body) / max(1, self.n_words)

    @property
    def word(self) -> int:
        """The word that is looked at."""
        return self.params.word_of(len(self.words))

    @property
    def model(self) -> str:
        """As it is called on screen."""
        return name_of(self.params.model)

    def tokens_of(self, word: int) -> list[Token]:
        """Those that a word has a part in."""
        start, end = self.bounds[word : word + 2]
        return [token for token in self.body if token.start < end and token.end > start]


class TextTokens(View[ByMerges, Pieces]):
    """Chips with an id and bytes each, and a reading for each word."""

    name, Params, needs = "text.tokens", ByMerges, Needs(parts=("tokens",))

    def requests(self, params: ByMerges) -> tuple[Request, ...]:
        return (TokenizeRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Tokenized], params: ByMerges) -> Pieces:
        return Pieces(runs[0], params)

    def texts(self, params: ByMerges) -> Sequence[str]:
        return ()  # it says itself what is changed

    def facts(self, record: Pieces) -> Sequence[str]:
        words, n = record.n_words, len(record.run.cut.split())
        counted = ngettext(
            "{words} word, {characters} characters · the same text for both models · point at it",
            "{words} words, {characters} characters · the same text for both models · point at a "
            "word",
            words,
        ).format(words=words, characters=len(record.run.text))
        left_out = ngettext(
            "{n} further word did not fit and is not counted",
            "{n} further words did not fit and are not counted",
            n,
        ).format(n=grouped(n))
        return [counted, left_out if n else ""]

    def values(self, record: Pieces) -> Mapping[str, Values]:
        found = record.run.tokens
        position = (Along("position", _("position"), [str(at) for at in range(len(found))]),)
        word = (Along("word", _("word"), [*map(visible, record.words)]),)
        of_token = {
            "token": (_("token"), tokens.labels(found)),
            "id": (_("id"), [token.id for token in found]),
            "bytes": (_("bytes"), ["" if t.special else hexadecimal(t.data) for t in found]),
            "word": (_("word"), record.groups),
            "from": (_("first character"), [token.start for token in found]),
            "to": (_("last character"), [token.end for token in found]),
        }
        counts = [len(record.tokens_of(n)) for n in range(len(record.words))]
        place = (record.word,) if counts else None
        return {
            **{
                name: Values(label, np.array(column, object), position)
                for name, (label, column) in of_token.items()
            },
            "n_tokens": Values(_("tokens"), np.array(counts, int), word, selected=place),
            "all_tokens": Values(_("tokens of the text"), np.array(len(record.body))),
            "all_words": Values(_("words of the text"), np.array(record.n_words)),
            "mean": Values(_("tokens per word"), np.array(record.mean)),
            "vocab_size": Values(_("entries of the vocabulary"), np.array(record.run.vocab_size)),
        }

    def describe(self, record: Pieces) -> Sentence:
        words, n = record.n_words, len(record.body)
        return sentence(
            _("{model} cuts {words} into {tokens}, {mean} per word."),
            model=Mark(record.model, "strong"),
            words=ngettext("{n} word", "{n} words", words).format(n=grouped(words)),
            tokens=Mark(ngettext("{n} token", "{n} tokens", n).format(n=grouped(n)), "accent"),
            mean=Mark(number(record.mean, 2), "accent"),
        )

    def draw(self, record: Pieces) -> Strip:
        title = _("The text as {model} cuts it").format(model=record.model)
        lines = [_read_line(record), tokens.changes(record.run.parts)]
        chosen = {} if record.params.word < 0 else {"word": record.word}
        return Strip(
            title=title,
            selection=record.params.selection(**chosen),
            name=title,
            heading=_heading(record),
            tokens=_chips(record),
            notes=[str(token.id) for token in record.run.tokens],
            coloured=True,
            grouped=True,
            field="word",
            clears=["join"],
            default=record.word,
            cut=tokens.cut_text(record.run.cut),
            lines=[line for line in lines if line is not None],
            readings=[_reading(record, word) for word in range(len(record.words))],
        )


def _chips(record: Pieces) -> list[Chip]:
    """A chip for each token; those of one word are numbered alike."""
    chips: list[Chip] = []
    before, words = None, 0
    for token, group in zip(record.run.tokens, record.groups, strict=True):
        chip = tokens.chip(token, group=group)
        # A split character's label is its bytes already.
        own = token.data if chip.kind == "word" else b""
        detail = hexadecimal(own[:BYTES]) + ("…" if len(own) > BYTES else "")
        words += group is None or group != before
        chips.append(replace(chip, word=words, detail=detail))
        before = group
    return chips


def _heading(record: Pieces) -> Sentence:
    return sentence(
        ngettext(
            "{model} · {family}, {size} entries · {tokens} token, {mean} per word",
            "{model} · {family}, {size} entries · {tokens} tokens, {mean} per word",
            len(record.body),
        ),
        model=Mark(record.model, "strong"),
        family=Mark(_(family_of(record.run.family).name), "muted"),
        size=Mark(grouped(record.run.vocab_size), "muted"),
        tokens=Mark(grouped(len(record.body)), "accent"),
        mean=number(record.mean, 2),
    )


def _read_line(record: Pieces) -> Sentence:
    """The text as the model reads it, what was changed marked."""
    if all(part.kind == "same" for part in record.run.parts):
        template = _(family_of(record.run.family).unchanged)
        return sentence(template, model=record.model, n=grouped(len(record.run.text.encode())))
    marks: list[Mark] = []
    room = SHOWN
    for part in record.run.parts:
        words = " ".join(visible(piece) for piece in part.read.split(" "))
        marks.append(Mark(words[:room], "plain" if part.kind == "same" else "warning"))
        room -= len(words)
        if room < 0:
            marks.append(Mark("…", "muted"))
            break
    return Sentence((*sentence(_("{model} reads: "), model=record.model).parts, *marks))


def _reading(record: Pieces, word: int) -> Sentence:
    """What becomes of one word, and of its neighbours where a token reaches across."""
    start, end = record.bounds[word : word + 2]
    own = record.tokens_of(word)
    if not own:
        name = Mark(word_shown(record.words[word]), "query")
        return sentence(_("“{word}” is not read: no token comes from it."), word=name)
    # A tokenizer that drops what stands between two words makes them one.
    reach = slice(min(start, own[0].start), max(end, own[-1].end))
    more = ["…"] if len(own) > LISTED else []
    return sentence(
        ngettext("“{word}” is {n} token: {tokens}", "“{word}” is {n} tokens: {tokens}", len(own)),
        word=Mark(word_shown(record.run.text[reach]), "query"),
        n=Mark(str(len(own)), "accent"),
        tokens=Mark("  ".join([*(unit.label for unit in own[:LISTED]), *more]), "strong"),
    )

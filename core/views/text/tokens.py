"""A text as a tokenizer cuts it: pieces, ids and bytes, and what a character costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal

import numpy as np

from core.analysis.codes import smoothed_bits
from core.analysis.distributions import order_0_entropy, surprisal
from core.analysis.words import word_of_tokens
from core.encoders import Encoders
from core.figures import tokens
from core.figures.components import Chip, Stepper, Strip
from core.figures.components.base import Selected
from core.figures.components.plot import BarSeries, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _, name_of, ngettext
from core.locale import grouped
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.kinds.tokens import LearnRequest, LearnUnigramRequest, Tokenized, TokenizeRequest
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.spelling import hexadecimal, visible
from core.text.bpe import split_words
from core.text.learning import BPETraining, MergeTraining
from core.text.unigram import Unigram
from core.text.unigram_learning import UnigramTraining
from core.text.wordpiece import WordPiece
from core.units import Token
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.view import Note, View

# --- a text, a word of it, and a code learnt from another text: what these views are asked with


CORPUS = (
    "A low wall stood by the river. A lower wall stood by the wider river, and the lowest wall "
    "of all stood by the widest river. The new miller said: my wall is newer than the old wall, "
    "and the newest wall is the slowest to fall. The old miller said: the slower the river, the "
    "longer the wall; the slowest river has the longest wall."
)

METHODS = {
    "": N_("as the model does"), "bpe": N_("Byte-pair encoding"), "wordpiece": N_("WordPiece"),
    "unigram": N_("Unigram"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tokenizing(OnText):
    """A text, a word of it, and a code learnt from another text.

    Attributes:
        word: number of the word that is looked at; -1 while none is chosen.
        join: steps that are shown of its encoding; -1 for all.
        code: whose entries encode it.
        corpus: the text that merges are learnt from.
        merges: how many are learnt.
        merge: how many of them are shown.
    """

    word: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Word"))
    join: int = param(
        -1, low=-1, high=100_000, lives="browser", label=N_("Steps shown of the word")
    )
    code: str = param(
        "model",
        choices={"model": N_("the model's own"), "learnt": N_("the code learned below")},
        label=N_("Vocabulary of"),
    )
    corpus: str = param(CORPUS, label=N_("Text to learn from"))
    merges: int = param(60, low=1, high=200, label=N_("Merges to learn"))
    merge: int = param(10, low=0, high=200, lives="browser", label=N_("Merges shown"))

    @property
    def so_far(self) -> int:
        """Of the merges those that are shown; the text may have given fewer."""
        return nearest("merge", self.merge, self.merges)

    def word_of(self, n: int, opens: int = 0) -> int:
        """The word that is looked at.

        Args:
            n: words of the text.
            opens: the one that is shown while none is chosen.
        """
        return opens if self.word < 0 else nearest("word", self.word, max(0, n - 1))

    def learning(self) -> LearnRequest:
        """What all views of the learnt code share."""
        return LearnRequest(self.text_to_learn, self.merges)

    @property
    def text_to_learn(self) -> str:
        """An empty corpus is the example."""
        return self.corpus if self.corpus.strip() else CORPUS

    def selection(self, **shown: int) -> dict[str, int | str | None]:
        """What components share, by the names of the parameters.

        Args:
            shown: what is shown in place of a number beyond what there is.
        """
        join = None if self.join < 0 else self.join
        return {"word": max(0, self.word), "join": join, "merge": self.merge, **shown}


@dataclass(frozen=True, slots=True)
class ByMerges(Tokenizing):
    """The same, by one of the methods.

    Attributes:
        cutting: by which method words are cut and pieces learned; empty for that of the model.
    """

    cutting: str = param("", choices=METHODS, label=N_("Method"))

    def learning(self) -> LearnRequest:
        """Merges as the method learns them; those of byte-pair encoding where it has none."""
        method: Literal["bpe", "wordpiece"] = "wordpiece" if self.cutting == "wordpiece" else "bpe"
        return LearnRequest(self.text_to_learn, self.merges, method)

    def selection(self, **shown: int) -> dict[str, int | str | None]:
        selection = Tokenizing.selection(self, **shown)
        # Which word Unigram opens on only its own lattices know.
        if self.word < 0 and self.cutting == "unigram" and "word" not in shown:
            del selection["word"]
        return selection


@dataclass(frozen=True, slots=True)
class ByPieces(ByMerges):
    """The same with a unigram vocabulary that is learned round by round.

    Attributes:
        pieces: entries it ends with.
        round: the round that is shown.
    """

    pieces: int = param(50, low=30, high=300, label=N_("Entries to keep"))
    round: int = param(0, low=0, high=100, lives="browser", label=N_("Round shown"))

    def unigram(self) -> LearnUnigramRequest:
        """What all views of the learned vocabulary share."""
        return LearnUnigramRequest(self.text_to_learn, self.pieces)

    def selection(self, **shown: int) -> dict[str, int | str | None]:
        return ByMerges.selection(self, **{"round": self.round, **shown})


def learned_from(params: Tokenizing, learning: MergeTraining[Any] | UnigramTraining) -> list[Note]:
    """Where a code is not learned from all that was typed."""
    notes = []
    if not params.corpus.strip():
        template = _("There is nothing to learn from: the example is used.")
        notes.append(Note("info", sentence("{said}", said=template)))
    if learning.cut:
        template = _("The merges are learned from the first {n} characters only.")
        notes.append(Note("warning", sentence(template, n=grouped(len(learning.text)))))
    return notes


def word_steps(
    title: str, alt: str, selection: Selected, counts: Sequence[int], word: int
) -> Stepper | None:
    """The steps of the word that is selected, of which each has its own number; None of one each.

    Args:
        title, alt, selection: as of the figure.
        counts: of each word.
        word: the selected one.
    """
    if max(counts) < 2:
        return None
    return Stepper(
        title=title,
        alt=alt,
        selection=selection,
        n=max(counts),
        first=max(counts),
        field="join",
        before=1,
        n_by={"field": "word", "first": word, "counts": counts},
    )


def word_shown(word: str) -> str:
    """A word inside a sentence, shortened when it is very long."""
    return visible(tokens.cut_text(word, tokens.SHOWN)).removeprefix("·") or "·"


# --- what families of tokenizers are called, and how each reads a text that it does not change


@dataclass(frozen=True, slots=True)
class FamilyWords:
    """How the pages speak of a family. Translate each with ``_``.

    Attributes:
        name: as it is called.
        unchanged: what is said where the model reads what was typed, with ``{model}`` and ``{n}``
            bytes.
        without_merges: how it cuts a word, where it does so without merges.
        method: by which it cuts words, of those that can be stepped through; empty for none.
    """

    name: str
    unchanged: str = N_("{model} reads the text as it was typed.")
    without_merges: str = N_("{model} has no merges, so {shown} is shown here.")
    method: str = ""


FAMILIES: Mapping[str, FamilyWords] = {
    "byte_bpe": FamilyWords(
        N_("byte-level BPE"),
        N_("{model} reads all {n} bytes as they were typed."),
        method="bpe",
    ),
    "wordpiece": FamilyWords(
        N_("WordPiece"),
        N_("{model} reads what was typed; spaces only separate words."),
        N_("{model} has no merges. It takes the longest entry of its vocabulary that the rest of "
           "the word begins with (WordPiece), so {shown} is shown here."),
        method="wordpiece",
    ),
    "words": FamilyWords(
        N_("whole words"),
        without_merges=N_("{model} has no merges. It looks up whole words and spells them with "
                          "their letters, so {shown} is shown here."),
    ),
    "unigram": FamilyWords(
        N_("Unigram"),
        without_merges=N_("{model} has no merges. It takes the pieces whose probabilities multiply "
                          "to the most (Unigram), so {shown} is shown here."),
        method="unigram",
    ),
}  # fmt: skip


def family_of(name: str) -> FamilyWords:
    """How the pages speak of a family; of one that is not known by the name it gives itself."""
    return FAMILIES.get(name, FamilyWords(name.replace("_", " ")))


def method_of(encoders: Encoders) -> str:
    """By which method a model cuts words, if it can be stepped through; else empty."""
    if encoders.text is None or (encoders.merges is None and encoders.pieces is None):
        return ""
    return family_of(encoders.text.family).method


# --- the words of a text as a model's own tokenizer looks them up, beside the words of all views


MAX_LETTERS = 24  # that are drawn of a word


@dataclass(frozen=True, slots=True)
class WordLookup:
    """What is looked up for one word of a text.

    Attributes:
        words: the tokenizer's own; none where it reads nothing there, several where it cuts
            further.
    """

    words: tuple[str, ...]

    @property
    def n_letters(self) -> int:
        """How many letters they have."""
        return sum(map(len, self.words))

    @property
    def drawn(self) -> tuple[str, ...]:
        """As many of the letters as are drawn."""
        words, room = [], MAX_LETTERS
        for word in self.words:
            if room > 0:
                words.append(word[:room])
                room -= len(word)
        return tuple(words)


def looked_up(run: Tokenized, pieces: WordPiece | Unigram) -> list[WordLookup]:
    """For each word of a text those that the tokenizer looks up, as far as they are in it."""
    words = split_words(run.text)
    bounds = list(accumulate(map(len, words), initial=0))
    spans = _spans(run, pieces)
    return [
        WordLookup(
            tuple(word for word, start, end in spans if start < bounds[n + 1] and end > bounds[n])
        )
        for n in range(len(words))
    ]


def _spans(run: Tokenized, pieces: WordPiece | Unigram) -> list[tuple[str, int, int]]:
    """The tokenizer's own words, and where its tokens say that they stand in the text."""
    tokens = [token for token in run.tokens if not token.special]
    spans, index = [], 0
    for word in run.words:
        n = len(pieces.encode_word(word))
        of_word = tokens[index : index + n]
        index += n
        if of_word:
            spans.append((word, of_word[0].start, of_word[-1].end))
    return spans


# --- a text as one tokenizer cuts it: pieces, ids, bytes, and what the model reads of it


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
        """How many tokens a word has on average."""
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


class TextTokensView(View[ByMerges, Pieces]):
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
        units = record.run.tokens
        position = (Along("position", _("position"), [str(i) for i in range(len(units))]),)
        word = (Along("word", _("word"), [*map(visible, record.words)]),)
        of_token = {
            "token": (_("token"), tokens.labels(units)),
            "id": (_("id"), [token.id for token in units]),
            "bytes": (_("bytes"), ["" if t.special else hexadecimal(t.data) for t in units]),
            "word": (_("word"), record.groups),
            "from": (_("first character"), [token.start for token in units]),
            "to": (_("last character"), [token.end for token in units]),
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
        data = token.data if chip.kind == "word" else b""
        detail = hexadecimal(data[:BYTES]) + ("…" if len(data) > BYTES else "")
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
    units = record.tokens_of(word)
    if not units:
        name = Mark(word_shown(record.words[word]), "query")
        return sentence(_("“{word}” is not read: no token comes from it."), word=name)
    # A tokenizer that drops what stands between two words makes them one.
    reach = slice(min(start, units[0].start), max(end, units[-1].end))
    more = ["…"] if len(units) > LISTED else []
    return sentence(
        ngettext("“{word}” is {n} token: {tokens}", "“{word}” is {n} tokens: {tokens}", len(units)),
        word=Mark(word_shown(record.run.text[reach]), "query"),
        n=Mark(str(len(units)), "accent"),
        tokens=Mark("  ".join([*(unit.label for unit in units[:LISTED]), *more]), "strong"),
    )


# --- what a character of the text costs: by its own frequencies, by a code, by a model


@dataclass(frozen=True)
class Bits:
    """Bits a character of one text under three codes.

    Attributes:
        model: as it is called on screen.
        n_characters: of the text.
        characters: each character by how often it stands in the text.
        learnt: each token of the learnt code by how often it stood in the text it learnt from.
        predicted: each token of the model by its probability.
    """

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
            (_("learned code"), self.learnt,
             _("each token of byte-pair encoding by how often it stands in the training text")),
            (self.model, self.predicted, _("each token as predicted from all tokens before it")),
        ]  # fmt: skip


class TextBitsView(View[Tokenizing, Bits]):
    """A bar for each code."""

    name, Params, needs = "text.bits", Tokenizing, Needs("next_token")

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        of_text = TraceRequest(params.model, Text(params.text), sites=("@logits",))
        return (of_text, params.learning())

    def compute(self, runs: Sequence[Any], params: Tokenizing) -> Bits:
        """The bits of each code.

        Raises:
            AbilityError: the model does not predict the next token.
        """
        run: Run = runs[0]
        learning: BPETraining = runs[1]
        trace = run.trace
        require(trace.model, [head.ability for head in trace.blueprint.heads], "next_token")
        n = max(1, len(run.text))
        ids = learning.code.encode(run.text)
        learnt = smoothed_bits(ids, learning.counts, len(learning.code.vocabulary))
        return Bits(
            model=name_of(params.model),
            n_characters=len(run.text),
            characters=order_0_entropy(run.text),
            learnt=learnt / n,
            predicted=float(surprisal(trace[trace.blueprint.head.site], trace.ids).sum()) / n,
        )

    def values(self, record: Bits) -> Mapping[str, Values]:
        rows = record.rows()
        codes = (Along("code", _("code"), [name for name, _bits, _what in rows]),)
        bits = np.array([bits for _name, bits, _what in rows])
        whats = np.array([what for _name, _bits, what in rows], object)
        return {
            "bits": Values(_("bits per character"), bits, codes, selected=(len(rows) - 1,)),
            "what": Values(_("what it measures"), whats, codes),
            "n_characters": Values(_("characters of the text"), np.array(record.n_characters)),
        }

    def describe(self, record: Bits) -> Sentence:
        less = record.predicted < record.characters
        return join(
            [
                sentence(
                    _("{model} predicts the {n} characters with a surprisal of {bits} bits, "
                      "{each} per character."),
                    model=Mark(record.model, "strong"),
                    bits=number(record.predicted * record.n_characters),
                    n=grouped(record.n_characters),
                    each=Mark(number(record.predicted), "accent"),
                ),
                sentence(
                    _("That is less than the {own} per character of the code that knows only "
                      "how often each character stands in this text.")
                    if less
                    else _("A code that knows only how often each character stands in this "
                           "text needs less, {own} per character: it was fitted to this very "
                           "text."),
                    own=Mark(number(record.characters), "residual"),
                ),
                sentence(
                    _("With a code that byte-pair encoding learns from the training text it is "
                      "{learnt}: its tokens cost what they cost in that text."),
                    learnt=Mark(number(record.learnt), "residual"),
                ),
            ]
        )  # fmt: skip

    def draw(self, record: Bits) -> Plot:
        rows = record.rows()[::-1]  # the first place is the lowest
        bits = [bits for _name, bits, _what in rows]
        return Plot(
            title=_("Bits per character of your text"),
            x=PlotAxis(title=_("bits per character")),
            y=PlotAxis(
                title=_("code"), categories=[name for name, _bits, _what in rows], grid=False
            ),
            series=[
                BarSeries(
                    x=bits,
                    y=range(len(rows)),
                    across=True,
                    role=["accent", "residual", "residual"],
                    labels=[*map(number, bits)],
                    text=[what for _name, _bits, what in rows],
                    hover="{text}\n" + _("bits per character: {x}"),
                )
            ],
            height=210,
            gap=0.3,
        )

"""What tokenizers do: a text cut into tokens, merges learned from a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.analysis.words import TextStretch, as_read
from core.runs.request import Context, OfModel, Request, answer
from core.sizes import held
from core.text.bpe import BPE
from core.text.families import Family
from core.text.learning import MergeTraining, learn
from core.text.unigram import Unigram
from core.text.unigram_learning import UnigramTraining, learn_unigram
from core.text.wordpiece import WordPiece
from core.text.wordpiece_learning import PieceMerges, learn_wordpiece
from core.units import Token


@dataclass(frozen=True, slots=True)
class TokenizeRequest(OfModel):
    """A text cut into tokens as a model's tokenizer does; nothing in it is a special token.

    Attributes:
        text: as it was typed.
        masks: but ``[MASK]`` hides a word, for a model that fills in hidden words.
    """

    text: str
    masks: bool = False


@dataclass(frozen=True, slots=True)
class LearnRequest(Request):
    """Merges learned from a text; needs no model.

    Attributes:
        corpus: what to learn from.
        merges: how many at most.
        method: byte-pair encoding, or WordPiece.
    """

    lasts = "a while"
    corpus: str
    merges: int
    method: Literal["bpe", "wordpiece"] = "bpe"


@dataclass(frozen=True, slots=True)
class LearnUnigramRequest(Request):
    """A unigram vocabulary of so many pieces, learned from a text; needs no model."""

    lasts = "a while"
    corpus: str
    pieces: int


@dataclass(frozen=True, eq=False)
class Tokenized:
    """A text as a model's tokenizer cuts it.

    Attributes:
        text: the part that fits the model's context.
        cut: the part that does not.
        tokens: with the model's own marks.
        normalized: what each character of the text becomes before it is cut.
        family: of the tokenizer.
        vocab_size: its entries.
        code: its merges; None when it has none.
        pieces: its entries, where it cuts words by them alone.
        words: of the text as they are looked up among them; none where there are no such entries.
    """

    text: str
    cut: str
    tokens: tuple[Token, ...]
    normalized: tuple[str, ...]
    family: Family
    vocab_size: int
    code: BPE | None
    pieces: WordPiece | Unigram | None
    words: tuple[str, ...]

    @cached_property
    def parts(self) -> tuple[TextStretch, ...]:
        """The text in stretches, with what the model reads in their place."""
        return tuple(as_read(self.text, self.normalized, self.tokens))

    @property
    def nbytes(self) -> int:
        return held(self.text, self.cut, self.tokens, self.normalized, self.parts, self.words)


@answer.register
def tokenized(request: TokenizeRequest, context: Context) -> Tokenized:
    """A text as a model's tokenizer cuts it."""
    model = context.model(request.model)
    text, cut = model.fit(request.text)
    tokenizer = model.tokenizer
    return Tokenized(
        text=text,
        cut=cut,
        tokens=tuple(tokenizer.tokens(text, masks=request.masks)),
        normalized=tuple(tokenizer.normalized(text)),
        family=tokenizer.family,
        vocab_size=tokenizer.vocab_size,
        code=model.encoders.merges,
        pieces=model.encoders.pieces,
        words=() if model.encoders.pieces is None else tuple(tokenizer.words(text)),
    )


@answer.register
def learned(
    request: LearnRequest, _context: Context
) -> MergeTraining[BPE] | MergeTraining[PieceMerges]:
    """Merges learned from a text, every state on the way."""
    if request.method == "wordpiece":
        return learn_wordpiece(request.corpus, request.merges)
    return learn(request.corpus, request.merges)


@answer.register
def learned_pieces(request: LearnUnigramRequest, _context: Context) -> UnigramTraining:
    """A unigram vocabulary learned from a text, every round on the way."""
    return learn_unigram(request.corpus, request.pieces)

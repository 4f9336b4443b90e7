"""What tokenizers do: a text cut into tokens, merges learned from a text."""

from __future__ import annotations

from core.runs.answering import Context, answer
from core.runs.requests import LearnRequest, LearnUnigramRequest, TokenizeRequest
from core.runs.results import Tokenized
from core.text.bpe import BPE
from core.text.learning import MergeTraining, learn
from core.text.unigram_learning import UnigramTraining, learn_unigram
from core.text.wordpiece_learning import PieceMerges, learn_wordpiece


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

"""What tokenizers do: a text cut into tokens, merges learned from a text."""

from __future__ import annotations

from core.runs.answering import Context, answer
from core.runs.requests import LearnRequest, TokenizeRequest
from core.runs.results import Tokenized
from core.text.learning import BPETraining, learn


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
    )


@answer.register
def learned(request: LearnRequest, _context: Context) -> BPETraining:
    """Merges learned from a text, every state on the way."""
    return learn(request.corpus, request.merges)

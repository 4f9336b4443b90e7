"""What works on each toy: a view is shown, or one sentence says which part the toy lacks."""

from __future__ import annotations

ATTENTION = "show attention, as nothing in it attends to anything"
DOTS = "show dot products of queries and keys, as it compares them in another way"
BLOCKS = "show layers of attention and feed-forward, as it has none"
POSITIONS = "show position vectors, as it has none: it reads one token after the other"
WORDS = "fill in hidden words"
NEXT = "predict the next token"
PAIRS = "judge whether one sentence follows another"

# View -> what a recurrent translator with attention, and one without, cannot do; "" where it is
# shown. A view that asks no model is not here.
LACKS = {
    "attention.heads": ("", ATTENTION),
    "attention.lines": ("", ATTENTION),
    "attention.row": ("", ATTENTION),
    "attention.steps": (DOTS, ATTENTION),
    "attention.unscaled": (DOTS, ATTENTION),
    "attention.weights": ("", ATTENTION),
    "embed.lookup": ("", ""),
    "embed.tokens": ("", ""),
    "ffn.curve": (BLOCKS, BLOCKS),
    "ffn.strip": (BLOCKS, BLOCKS),
    "ffn.units": (BLOCKS, BLOCKS),
    "ffn.words": (BLOCKS, BLOCKS),
    "map.run": ("", ""),
    "masked.beside": (WORDS, WORDS),
    "masked.dice": (WORDS, WORDS),
    "masked.each": (WORDS, WORDS),
    "masked.example": (WORDS, WORDS),
    "masked.follows": (PAIRS, PAIRS),
    "masked.strip": (WORDS, WORDS),
    "masked.unread": (WORDS, WORDS),
    "masked.why": (WORDS, WORDS),
    "masks.batch": ("", ATTENTION),
    "masks.grid": ("", ATTENTION),
    "masks.prediction": ("", ATTENTION),
    "masks.strip": ("", ATTENTION),
    "norm.rms": ("", ""),
    "norm.steps": ("", ""),
    "norm.strip": (BLOCKS, BLOCKS),
    "positions.beyond": (POSITIONS, POSITIONS),
    "positions.learned": (POSITIONS, POSITIONS),
    "positions.pairs": (POSITIONS, POSITIONS),
    "positions.shuffle": (BLOCKS, BLOCKS),
    "predict.cache": (NEXT, NEXT),
    "predict.layers": (NEXT, NEXT),
    "predict.next": (NEXT, NEXT),
    "predict.surprisal": (NEXT, NEXT),
    "stream.alike": (BLOCKS, BLOCKS),
    "stream.gradient": (BLOCKS, BLOCKS),
    "stream.sizes": (BLOCKS, BLOCKS),
    "text.bits": (NEXT, NEXT),
    "text.encode": (NEXT, NEXT),
    "text.tokens": ("", ""),
    "translate.next": ("", ATTENTION),
    "translate.source": ("", ATTENTION),
    "translate.target": ("", ATTENTION),
}

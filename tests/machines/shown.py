"""What works on each toy: it is shown, or one sentence says which part the toy lacks."""

from __future__ import annotations

ATTENTION = "show attention, as nothing in it attends to anything"
DOTS = "show dot products of queries and keys, as it compares them in another way"
SCALING = "show what scaling does to dot products, as it does not scale them"
BLOCKS = "show layers of attention and feed-forward, as it has none"
NORM = "show LayerNorm, as it has none"
STEPS = "show position vectors, as it has none: it reads one token after the other"
BIAS = (
    "show position vectors, as it has none: it adds a number to each score, by the distance of the "
    "two tokens"
)
NEXT = "predict the next token"
WORDS = "fill in hidden words"
PAIRS = "judge whether one sentence follows another"
TRANSLATE = "translate"

# What each toy cannot do; "" where it is shown. The toys stand in the order of ``TOYS``: GRUs with
# additive attention, GRUs with a fixed state, blocks with a relative bias. A view that asks no
# model is not here.
VIEWS = {
    "attention.heads": ("", ATTENTION, ""),
    "attention.lines": ("", ATTENTION, ""),
    "attention.row": ("", ATTENTION, ""),
    "attention.steps": (DOTS, ATTENTION, ""),
    "attention.unscaled": (DOTS, ATTENTION, SCALING),
    "attention.weights": ("", ATTENTION, ""),
    "embed.lookup": ("", "", ""),
    "embed.tokens": ("", "", ""),
    "ffn.curve": (BLOCKS, BLOCKS, ""),
    "ffn.strip": (BLOCKS, BLOCKS, ""),
    "ffn.units": (BLOCKS, BLOCKS, ""),
    "ffn.words": (BLOCKS, BLOCKS, ""),
    "map.run": ("", "", ""),
    "masked.beside": (WORDS, WORDS, WORDS),
    "masked.dice": (WORDS, WORDS, WORDS),
    "masked.each": (WORDS, WORDS, WORDS),
    "masked.example": (WORDS, WORDS, WORDS),
    "masked.follows": (PAIRS, PAIRS, PAIRS),
    "masked.strip": (WORDS, WORDS, WORDS),
    "masked.unread": (WORDS, WORDS, WORDS),
    "masked.why": (WORDS, WORDS, WORDS),
    "masks.batch": ("", ATTENTION, ""),
    "masks.grid": ("", ATTENTION, ""),
    "masks.prediction": ("", ATTENTION, ""),
    "masks.strip": ("", ATTENTION, ""),
    "norm.rms": ("", "", ""),
    "norm.steps": ("", "", ""),
    "norm.strip": (BLOCKS, BLOCKS, NORM),
    "positions.beyond": (STEPS, STEPS, BIAS),
    "positions.learned": (STEPS, STEPS, BIAS),
    "positions.pairs": (STEPS, STEPS, BIAS),
    "positions.shuffle": (BLOCKS, BLOCKS, ""),
    "predict.cache": (NEXT, NEXT, ""),
    "predict.layers": (NEXT, NEXT, ""),
    "predict.next": (NEXT, NEXT, ""),
    "predict.surprisal": (NEXT, NEXT, ""),
    "stream.alike": (BLOCKS, BLOCKS, ""),
    "stream.gradient": (BLOCKS, BLOCKS, ""),
    "stream.sizes": (BLOCKS, BLOCKS, ""),
    "text.bits": (NEXT, NEXT, ""),
    "text.encode": (NEXT, NEXT, ""),
    "text.tokens": ("", "", ""),
    "translate.next": ("", ATTENTION, TRANSLATE),
    "translate.source": ("", ATTENTION, TRANSLATE),
    "translate.target": ("", ATTENTION, TRANSLATE),
}
PAGES = {
    "home.py": ("", "", ""),
    "text/tokenization.py": ("", "", ""),
    "text/positions.py": (STEPS, STEPS, BIAS),
    "attention/step_by_step.py": (DOTS, ATTENTION, ""),
    "attention/all_heads.py": ("", ATTENTION, ""),
    "attention/masks.py": ("", ATTENTION, ""),
    "block/layernorm.py": (BLOCKS, BLOCKS, NORM),
    "block/feedforward.py": (BLOCKS, BLOCKS, ""),
    "predictions/next_token.py": (NEXT, NEXT, ""),
    "predictions/masked_word.py": (WORDS, WORDS, WORDS),
    "predictions/translate.py": ("", ATTENTION, TRANSLATE),
    "learn/lessons.py": ("", "", ""),
    "shelf.py": ("", "", ""),
    "glossary.py": ("", "", ""),
}

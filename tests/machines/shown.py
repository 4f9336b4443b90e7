"""What works on each toy: it is shown, or one sentence says which part the toy lacks."""

from __future__ import annotations

TOKENS = "show tokens, as it reads a text character by character"
ATTENTION = "show attention, as nothing in it attends to anything"
DOTS = "show dot products of queries and keys, as it compares them in another way"
SCALING = "show what scaling does to dot products, as it does not scale them"
BLOCKS = "show layers of attention and feed-forward, as it has none"
NORM = "show LayerNorm, as it has none"
STEPS = "show position vectors, as it has none: it reads one position after the other"
BIAS = (
    "show position vectors, as it has none: it adds a number to each score, by the distance of the "
    "two tokens"
)
STATE = "show a state and its gates, as it has none"
NEXT = "predict the next token"
WORDS = "fill in hidden words"
PAIRS = "judge whether one sentence follows another"
TRANSLATE = "translate"
SAYS = "predict words"

# What each toy cannot do; "" where it is shown. The toys stand in the order of ``TOYS``: GRUs with
# additive attention, GRUs with a fixed state, blocks with a relative bias, LSTMs over characters.
# A view that asks no model is not here.
VIEWS = {
    "attention.heads": ("", ATTENTION, "", ATTENTION),
    "attention.lines": ("", ATTENTION, "", ATTENTION),
    "attention.row": ("", ATTENTION, "", ATTENTION),
    "attention.steps": (DOTS, ATTENTION, "", ATTENTION),
    "attention.unscaled": (DOTS, ATTENTION, SCALING, ATTENTION),
    "attention.weights": ("", ATTENTION, "", ATTENTION),
    "embed.lookup": ("", "", "", ""),
    "embed.tokens": ("", "", "", ""),
    "ffn.curve": (BLOCKS, BLOCKS, "", BLOCKS),
    "ffn.strip": (BLOCKS, BLOCKS, "", BLOCKS),
    "ffn.units": (BLOCKS, BLOCKS, "", BLOCKS),
    "ffn.words": (BLOCKS, BLOCKS, "", BLOCKS),
    "map.run": ("", "", "", SAYS),
    "masked.beside": (WORDS, WORDS, WORDS, WORDS),
    "masked.dice": (WORDS, WORDS, WORDS, WORDS),
    "masked.each": (WORDS, WORDS, WORDS, WORDS),
    "masked.example": (WORDS, WORDS, WORDS, WORDS),
    "masked.follows": (PAIRS, PAIRS, PAIRS, PAIRS),
    "masked.strip": (WORDS, WORDS, WORDS, WORDS),
    "masked.unread": (WORDS, WORDS, WORDS, WORDS),
    "masked.why": (WORDS, WORDS, WORDS, WORDS),
    "masks.batch": ("", ATTENTION, "", SAYS),
    "masks.grid": ("", ATTENTION, "", SAYS),
    "masks.prediction": ("", ATTENTION, "", SAYS),
    "masks.strip": ("", ATTENTION, "", SAYS),
    "norm.rms": ("", "", "", ""),
    "norm.steps": ("", "", "", ""),
    "norm.strip": (BLOCKS, BLOCKS, NORM, BLOCKS),
    "positions.beyond": (STEPS, STEPS, BIAS, STEPS),
    "positions.learned": (STEPS, STEPS, BIAS, STEPS),
    "positions.pairs": (STEPS, STEPS, BIAS, STEPS),
    "positions.shuffle": (BLOCKS, BLOCKS, "", BLOCKS),
    "predict.cache": (NEXT, NEXT, "", NEXT),
    "predict.layers": (NEXT, NEXT, "", NEXT),
    "predict.next": (NEXT, NEXT, "", NEXT),
    "predict.surprisal": (NEXT, NEXT, "", NEXT),
    "recurrent.kept": ("", "", STATE, ""),
    "recurrent.states": ("", "", STATE, ""),
    "stream.alike": (BLOCKS, BLOCKS, "", BLOCKS),
    "stream.gradient": (BLOCKS, BLOCKS, "", BLOCKS),
    "stream.sizes": (BLOCKS, BLOCKS, "", BLOCKS),
    "text.bits": (NEXT, NEXT, "", NEXT),
    "text.encode": (NEXT, NEXT, "", NEXT),
    "text.tokens": ("", "", "", TOKENS),
    "translate.next": ("", "", TRANSLATE, TRANSLATE),
    "translate.source": ("", "", TRANSLATE, TRANSLATE),
    "translate.target": ("", "", TRANSLATE, TRANSLATE),
}
PAGES = {
    "home.py": ("", "", "", SAYS),
    "text/tokenization.py": ("", "", "", TOKENS),
    "text/positions.py": (STEPS, STEPS, BIAS, STEPS),
    "attention/step_by_step.py": (DOTS, ATTENTION, "", ATTENTION),
    "attention/all_heads.py": ("", ATTENTION, "", ATTENTION),
    "attention/masks.py": ("", ATTENTION, "", SAYS),
    "block/layernorm.py": (BLOCKS, BLOCKS, NORM, BLOCKS),
    "block/feedforward.py": (BLOCKS, BLOCKS, "", BLOCKS),
    "predictions/next_token.py": (NEXT, NEXT, "", NEXT),
    "predictions/masked_word.py": (WORDS, WORDS, WORDS, WORDS),
    "predictions/translate.py": ("", "", TRANSLATE, TRANSLATE),
    "learn/lessons.py": ("", "", "", ""),
    "shelf.py": ("", "", "", ""),
    "glossary.py": ("", "", "", ""),
}

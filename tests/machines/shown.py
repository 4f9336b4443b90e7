"""What works on each toy: it is shown or done, or one sentence says which part the toy lacks."""

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
ANY_WORDS = "predict words"
NEXT = "predict the next token"
WORDS = "fill in hidden words"
PAIRS = "judge whether one sentence follows another"
TRANSLATE = "translate"
FILL = "fill in spans"
MEND = "mend a damaged text"
DAMAGED = "fill in or mend a damaged text"
NO_BIAS = "show a bias for each distance, as it adds none to its scores"
SAYS = "predict words"
TEXT = "read a text"
NO_ROWS = "show a row of vectors from layer to layer, as it makes maps of a picture"
CONTEXT = "give each word a vector in its context, layer by layer"
PLACES = "show position vectors, as it has none"
CUT = "show patches, as it cuts no picture into any"
KERNELS = "show feature maps, as it has no convolution"
KIND = "say what kind of text it reads"
TOGETHER = "say how two texts go together"
SEES = "say what a picture shows"
MASK = "attend to anything, so no mask fits it"
LATER = "later positions are not computed yet, so there is no mean over them"

# What each toy cannot do; "" where it is shown. The toys stand in the order of ``TOYS``: GRUs with
# additive attention, GRUs with a fixed state, blocks with a relative bias, LSTMs over characters,
# squares of a picture, convolutions. A view that asks no model is not here.
VIEWS = {
    "attention.heads": ("", ATTENTION, "", ATTENTION, TEXT, TEXT),
    "attention.lines": ("", ATTENTION, "", ATTENTION, TEXT, TEXT),
    "attention.row": ("", ATTENTION, "", ATTENTION, TEXT, TEXT),
    "attention.steps": (DOTS, ATTENTION, "", ATTENTION, TEXT, TEXT),
    "attention.unscaled": (DOTS, ATTENTION, SCALING, ATTENTION, TEXT, TEXT),
    "attention.weights": ("", ATTENTION, "", ATTENTION, TEXT, TEXT),
    "bench.guesses": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "bench.sizes": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "bench.weights": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "beyond.after": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "beyond.before": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "beyond.best": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "beyond.frontier": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "beyond.learning": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "contexts.cosines": (CONTEXT, CONTEXT, "", CONTEXT, TEXT, TEXT),
    "contexts.distances": (CONTEXT, CONTEXT, "", CONTEXT, TEXT, TEXT),
    "contexts.layers": (CONTEXT, CONTEXT, "", CONTEXT, TEXT, TEXT),
    "contexts.plane": (CONTEXT, CONTEXT, "", CONTEXT, TEXT, TEXT),
    "cost.same": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "embed.lookup": ("", "", "", "", TEXT, TEXT),
    "embed.tokens": ("", "", "", "", TEXT, TEXT),
    "ffn.curve": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "ffn.strip": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "ffn.units": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "ffn.words": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "hunt.guesses": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "hunt.sizes": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "hunt.weights": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "map.flow": ("", "", "", "", "", NO_ROWS),
    "map.inside": ("", "", "", "", "", NO_ROWS),
    "map.line": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "masked.beside": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.dice": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.each": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.example": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.follows": (PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS),
    "masked.strip": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.unread": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.why": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masked.wordless": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "masks.batch": ("", ATTENTION, "", SAYS, SAYS, SAYS),
    "masks.grid": ("", ATTENTION, "", SAYS, SAYS, SAYS),
    "masks.prediction": ("", ATTENTION, "", SAYS, SAYS, SAYS),
    "masks.strip": ("", ATTENTION, "", SAYS, SAYS, SAYS),
    "noise.answer": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.damaged": (MEND, MEND, MEND, MEND, MEND, MEND),
    "noise.filled": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.fillings": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.own": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.rewritten": (MEND, MEND, MEND, MEND, MEND, MEND),
    "noise.source": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.target": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.text": (FILL, FILL, FILL, FILL, FILL, FILL),
    "noise.wanted": (MEND, MEND, MEND, MEND, MEND, MEND),
    "norm.rms": ("", "", "", "", TEXT, TEXT),
    "norm.steps": ("", "", "", "", TEXT, TEXT),
    "norm.strip": (BLOCKS, BLOCKS, NORM, BLOCKS, TEXT, TEXT),
    "objectives.losses": ("", "", "", SAYS, SAYS, SAYS),
    "objectives.pieces": ("", "", "", SAYS, SAYS, SAYS),
    "objectives.table": ("", "", "", SAYS, SAYS, SAYS),
    "objectives.word": ("", "", "", SAYS, SAYS, SAYS),
    "positions.added": (NO_BIAS, NO_BIAS, "", NO_BIAS, TEXT, TEXT),
    "positions.beyond": (STEPS, STEPS, BIAS, STEPS, TEXT, TEXT),
    "positions.bias": (NO_BIAS, NO_BIAS, "", NO_BIAS, TEXT, TEXT),
    "positions.learned": (STEPS, STEPS, BIAS, STEPS, TEXT, TEXT),
    "positions.pairs": (STEPS, STEPS, BIAS, STEPS, TEXT, TEXT),
    "positions.shuffle": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "positions.unbiased": (NO_BIAS, NO_BIAS, "", NO_BIAS, TEXT, TEXT),
    "predict.cache": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "predict.layers": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "predict.next": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "predict.surprisal": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "recurrent.gradient": ("", "", STATE, "", TEXT, TEXT),
    "recurrent.kept": ("", "", STATE, "", TEXT, TEXT),
    "recurrent.states": ("", "", STATE, "", TEXT, TEXT),
    "stops.new": ("", ATTENTION, TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "stops.pace": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "stops.scores": ("", ATTENTION, TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "stops.sentence": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "stops.target": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "stream.alike": (BLOCKS, BLOCKS, "", ANY_WORDS, ANY_WORDS, ANY_WORDS),
    "stream.gradient": (BLOCKS, BLOCKS, "", ANY_WORDS, ANY_WORDS, ANY_WORDS),
    "stream.sizes": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "text.bits": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "text.encode": ("", "", "", TOKENS, TEXT, TEXT),
    "text.lattice": ("", "", "", TOKENS, TEXT, TEXT),
    "text.tokens": ("", "", "", TOKENS, TEXT, TEXT),
    "text.tries": ("", "", "", TOKENS, TEXT, TEXT),
    "text.ways": ("", "", "", TOKENS, TEXT, TEXT),
    "translate.alignment": ("", ATTENTION, TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.chain": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.free": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.heads": ("", ATTENTION, TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.losses": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.next": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.second": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.source": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.target": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.taught": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.tree": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "translate.weights": ("", ATTENTION, TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "tune.asked": (PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS),
    "tune.layers": (PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS),
    "tune.learning": (PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS),
    "tune.pair": (TOGETHER, TOGETHER, TOGETHER, TOGETHER, TOGETHER, TOGETHER),
    "tune.said": (PAIRS, PAIRS, PAIRS, PAIRS, PAIRS, PAIRS),
    "tune.text": (KIND, KIND, KIND, "", KIND, KIND),
    "vision.answer": (SEES, SEES, SEES, SEES, "", ""),
    "vision.attention": (SEES, SEES, SEES, SEES, "", CUT),
    "vision.beside": (SEES, SEES, SEES, SEES, "", ""),
    "vision.distance": (SEES, SEES, SEES, SEES, "", CUT),
    "vision.looks": (SEES, SEES, SEES, SEES, "", CUT),
    "vision.maps": (SEES, SEES, SEES, SEES, KERNELS, ""),
    "vision.picture": (SEES, SEES, SEES, SEES, "", ""),
    "vision.places": (SEES, SEES, SEES, SEES, PLACES, CUT),
    "vision.rollout": (SEES, SEES, SEES, SEES, "", CUT),
    "vision.shuffled": (SEES, SEES, SEES, SEES, PLACES, CUT),
    "which.probe": ("", "", "", SAYS, SAYS, SAYS),
    "which.table": ("", "", "", SAYS, SAYS, SAYS),
}
PAGES = {
    "home.py": ("", "", "", "", "", NO_ROWS),
    "text/tokenization.py": ("", "", "", TOKENS, TEXT, TEXT),
    "text/positions.py": (STEPS, STEPS, BIAS, STEPS, TEXT, TEXT),
    "text/contexts.py": (CONTEXT, CONTEXT, "", CONTEXT, TEXT, TEXT),
    "attention/step_by_step.py": (DOTS, ATTENTION, "", ATTENTION, TEXT, TEXT),
    "attention/all_heads.py": ("", ATTENTION, "", ATTENTION, TEXT, TEXT),
    "attention/masks.py": ("", ATTENTION, "", SAYS, SAYS, SAYS),
    "block/layernorm.py": (BLOCKS, BLOCKS, NORM, BLOCKS, TEXT, TEXT),
    "block/feedforward.py": (BLOCKS, BLOCKS, "", BLOCKS, TEXT, TEXT),
    "block/shapes.py": ("", "", "", "", "", ""),
    "predictions/next_token.py": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "predictions/masked_word.py": (WORDS, WORDS, WORDS, WORDS, WORDS, WORDS),
    "predictions/objectives.py": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "predictions/translate.py": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "machines/from_rnn.py": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "machines/which.py": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "predictions/spans.py": (DAMAGED, DAMAGED, DAMAGED, DAMAGED, DAMAGED, DAMAGED),
    "predictions/vision.py": (SEES, SEES, SEES, SEES, "", ""),
    "shelf.py": ("", "", "", "", "", ""),
    "predictions/fine_tune.py": (KIND, KIND, KIND, "", KIND, KIND),
    "labs/training.py": ("", "", "", "", "", ""),
    "labs/film.py": ("", "", "", "", "", ""),
    "labs/bench.py": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "labs/hunt.py": (BLOCKS, ATTENTION, "", SAYS, SAYS, SAYS),
    "labs/cost.py": ("", "", "", "", "", ""),
    "labs/beyond.py": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "learn/lessons.py": ("", "", "", "", "", ""),
    "glossary.py": ("", "", "", "", "", ""),
}
# What is done with a machine besides looking at it (test_deeds.py, test_taught.py).
DEEDS = {
    "kept": ("", "", "", "", "", ""),
    "traced": ("", "", "", "", "", ""),
    "edited": ("", "", "", "", "", ""),
    "averaged": (LATER, LATER, "", LATER, "", ""),
    "masked": ("", MASK, "", MASK, "", MASK),
    "written": (NEXT, NEXT, "", NEXT, NEXT, NEXT),
    "translated": ("", "", TRANSLATE, TRANSLATE, TRANSLATE, TRANSLATE),
    "trained": ("", "", "", "", "", ""),
    "card": ("", "", "", "", "", ""),
    "strip": ("", "", "", "", "", ""),
    "map": ("", "", "", "", "", NO_ROWS),
    "live": ("", "", "", "", "", ""),
    "shown": ("", "", "", "", "", ""),
}
# The places on the strip of each, a line for each tower.
STRIPS = {
    "looks": [
        "text tokens embeddings recurrent",
        "tokens embeddings mask weights recurrent logits prediction",
    ],
    "summary": [
        "text tokens embeddings recurrent",
        "tokens embeddings recurrent logits prediction",
    ],
    "relative": [
        "text tokens embeddings norm_1 qkv scores mask weights mix add_1 norm_2 ffn add_2 "
        "final_norm logits prediction"
    ],
    "letters": ["text tokens embeddings recurrent labels"],
    "seer": ["picture patches qkv scores mask weights mix add_1 norm_1 ffn add_2 norm_2 labels"],
    "eyes": ["picture maps labels"],
}

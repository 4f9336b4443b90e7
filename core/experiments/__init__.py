"""Experiments: one click each, with the number that it promises to move, as data."""

from core.experiments.attention import ATTENTION, HEADS, MASKS
from core.experiments.bench import BENCH
from core.experiments.beyond import BEYOND
from core.experiments.block import FEEDFORWARD, LAYERNORM
from core.experiments.contexts import CONTEXTS
from core.experiments.cost import COST
from core.experiments.experiment import Experiment, Outcome
from core.experiments.film import FILM
from core.experiments.fine_tune import FINE_TUNE
from core.experiments.objectives import OBJECTIVES
from core.experiments.predictions import HOME, MASKED_WORD, NEXT_TOKEN
from core.experiments.shapes import SHAPES
from core.experiments.spans import NOISE, SPANS
from core.experiments.stops import STOPS
from core.experiments.text import PIECES, POSITIONS, TOKENIZATION
from core.experiments.training import TRAINING
from core.experiments.translating import TRANSLATE, WRITING
from core.experiments.vision import VISION
from core.experiments.which import WHICH

EVERY = (*HOME, *TOKENIZATION, *PIECES, *POSITIONS, *ATTENTION, *HEADS, *MASKS, *LAYERNORM,
         *FEEDFORWARD, *NEXT_TOKEN, *MASKED_WORD, *TRANSLATE, *WRITING, *VISION, *CONTEXTS,
         *FINE_TUNE, *TRAINING, *FILM, *BENCH, *COST, *BEYOND, *SHAPES, *STOPS, *OBJECTIVES, *WHICH,
         *SPANS, *NOISE)  # fmt: skip

BY_ID = {one.id: one for one in EVERY}

__all__ = [
    "ATTENTION",
    "BENCH",
    "BEYOND",
    "BY_ID",
    "CONTEXTS",
    "COST",
    "EVERY",
    "FEEDFORWARD",
    "FILM",
    "FINE_TUNE",
    "HEADS",
    "HOME",
    "LAYERNORM",
    "MASKED_WORD",
    "MASKS",
    "NEXT_TOKEN",
    "NOISE",
    "OBJECTIVES",
    "PIECES",
    "POSITIONS",
    "SHAPES",
    "SPANS",
    "STOPS",
    "TOKENIZATION",
    "TRAINING",
    "TRANSLATE",
    "VISION",
    "WHICH",
    "WRITING",
    "Experiment",
    "Outcome",
]

"""What a view asks for: runs as frozen data, so they can be cached, linked to and sent away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.decoding.settings import Sampling
from core.inputs import Input
from core.language import N_
from core.runs.mask_spec import OWN_MASK, MaskSpec
from core.runs.refs import ModelRef
from core.text.noise import Noise
from core.tracing.edits import Edit


@dataclass(frozen=True, slots=True)
class Request:
    """Something that can be worked out.

    Attributes:
        lasts: how long, and so where: what takes "a moment" is worked out by whoever asks, what
            takes "a while", some 50 ms, and has a small answer, in a second process
            (core/runs/beside.py), and what is "long", a second and more, is a ``Job``.
    """

    lasts: ClassVar[Literal["a moment", "a while", "long"]] = "a moment"

    @property
    def models(self) -> tuple[ModelRef, ...]:
        """The models that decide its result."""
        return ()


@dataclass(frozen=True, slots=True)
class OfModel(Request):
    """Something that one model is asked.

    Attributes:
        model: id on the shelf, or a copy of one that is learning.
    """

    model: ModelRef

    @property
    def models(self) -> tuple[ModelRef, ...]:
        return (self.model,)


@dataclass(frozen=True, slots=True)
class Job(Request):
    """Something whose answer grows while it is worked out, one record after the other.

    Its file in core/runs/answers registers a generator of ``Step``s with ``tell``. What it gives
    is ``Told``: the finished one to whoever asks ``Runs.get``, the records so far to whoever
    watches (``Runs.watch``).

    Attributes:
        says: what is being done, to a learner who waits.
    """

    lasts = "long"
    says: ClassVar[str]


ATTENTION = "@attention"  # of a run, whatever its model calls the sites (core/models/blueprint.py)


@dataclass(frozen=True, slots=True)
class TraceRequest(OfModel):
    """One traced run; of a batch one a row.

    Attributes:
        given: what to run it on; cut to the model's context.
        mask: in place of the model's own, in one kind of attention.
        attention: which kind; the main stack's own when empty.
        edits: activations to change.
        sites: patterns of the sites to record; all when empty.
        target_of: the run whose target this one reads, where the model writes it: two runs that
            are compared must read the same. Its own, written under its mask and edits, when None.
    """

    given: Input
    mask: MaskSpec = OWN_MASK
    attention: str = ""
    edits: tuple[Edit, ...] = ()
    sites: tuple[str, ...] = ()
    target_of: TraceRequest | None = None


@dataclass(frozen=True, slots=True)
class OnwardRequest(OfModel):
    """A traced run of a text with the likeliest tokens behind it, as the model itself goes on.

    What continues no text (it writes a target, fills in, judges) is run on its input alone.

    Attributes:
        given: what to run it on; cut to the model's context.
        n: how many tokens it puts behind the text; fewer where it ends the text, or has no room.
        off: what is changed in it (``core.models.what_if``): places whose output is set to zero,
            sums, weights, scores; those that the model does not have are left out. A target is
            that of the run in which nothing is off.
        first: what was given before words of it were swapped: positions in ``off`` are counted
            there (``core.analysis.aligned.standing``), and a target is that of its run. None where
            none were.
    """

    given: Input
    n: int = 1
    off: tuple[str, ...] = ()
    first: Input | None = None


@dataclass(frozen=True, slots=True)
class PrefillRequest(OfModel):
    """A text as a model reads it before it goes on with it, however that is chosen."""

    text: str


@dataclass(frozen=True, slots=True)
class GenerateRequest(OfModel):
    """A text being continued, token by token."""

    lasts = "a while"
    text: str
    max_new: int
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class GenerationTraceRequest(Request):
    """A traced run of a text and of what its model has put behind it.

    Attributes:
        generation: the text, and how it goes on.
        sites: patterns of the sites to record; all when empty.
    """

    generation: GenerateRequest
    sites: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[ModelRef, ...]:
        return self.generation.models


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
class TypedRequest(OfModel):
    """What somebody who reads tokens should know of a text that was typed for a model.

    Attributes:
        text: as it was typed: its letters may not be composed yet.
    """

    text: str


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


@dataclass(frozen=True, slots=True)
class PositionsRequest(Request):
    """A way to tell a model the order of its tokens, worked out; needs no model.

    Attributes:
        kind: "sinusoidal" and "binary" give a vector for each position, "rotary" what
            it turns a vector of ones into, "relative" the bucket of each distance.
        n: positions; for "relative" distances from 1 - n to n - 1.
        width: of a vector; for "relative" the number of buckets.
    """

    kind: Literal["sinusoidal", "binary", "rotary", "relative"]
    n: int
    width: int


@dataclass(frozen=True, slots=True)
class GapRequest(OfModel):
    """Words of a text hidden behind [MASK], and one gap seen from both sides and from the left.

    Attributes:
        partner: the causal model that is asked about the same gap.
        text: what to hide words in; a ``[MASK]`` in it is a hidden word too.
        hide: numbers of the hidden words, "none" or "auto" (``chosen_words``).
        token: a position of the gap that is looked at; -1 for the first gap.
    """

    lasts = "a while"
    partner: ModelRef
    text: str
    hide: str = "auto"
    token: int = -1

    @property
    def models(self) -> tuple[ModelRef, ...]:
        return (self.model, self.partner)


@dataclass(frozen=True, slots=True)
class WordsRequest(OfModel):
    """How likely whole words come next after a text.

    Attributes:
        text: what stands to the left; a space at its end belongs to the word.
        words: each as the ways it may be spelt.
        n: how many of the likeliest words to find besides.
    """

    lasts = "a while"
    text: str
    words: tuple[tuple[str, ...], ...]
    n: int = 30


@dataclass(frozen=True, slots=True)
class CorruptRequest(OfModel):
    """A text as a training example of masked words, drawn from a seed.

    Attributes:
        text: whose words are hidden.
        seed: of the draws.
        rate: share of the pieces that is chosen.
    """

    text: str
    seed: int
    rate: float = 0.15


@dataclass(frozen=True, slots=True)
class MendRequest(OfModel):
    """A text that is damaged, and mended by a model that learned it.

    Attributes:
        text: as it was typed; nothing in it is a mark.
        noise: how: "spans" as T5 learns, else one of BART's ways.
        seed: of the draws.
        rate: share of the tokens that is hidden, at most one half.
        mean: tokens of a span on average.
    """

    lasts = "a while"
    text: str
    noise: Literal["spans"] | Noise
    seed: int
    rate: float = 0.15
    mean: float = 3.0


@dataclass(frozen=True, slots=True)
class BiasRequest(OfModel):
    """What a kind of attention adds to its scores by the distance of query and key.

    Attributes:
        attention: its name; empty for the main one.
    """

    attention: str = ""


@dataclass(frozen=True, slots=True)
class GradientRequest(OfModel, Job):
    """How much of the loss's gradient reaches each block, with and without sums and norms.

    Attributes:
        text: whose loss it is.
        depth: freshly initialised blocks of the model's shape; 0 for its own, trained ones.
        seed: of the fresh blocks.
        spread: of the fresh blocks' weights: "fixed", "fan_in" or "larger".
    """

    says = N_("Sending gradients back through four stacks of layers")
    text: str
    depth: int = 0
    seed: int = 0
    spread: str = "fixed"


@dataclass(frozen=True, slots=True)
class AtInitRequest(Request):
    """A fresh stack of one block shape: the signal on its way up, the gradient on its way down.

    Attributes:
        shape: of ``core.shaped.shapes.SHAPES``.
        depth: layers.
        width: d_model.
        seed: of the weights and of the tokens.
        spread: of the weights: "fan_in", "larger" or "fixed".
    """

    lasts = "a while"
    shape: str
    depth: int
    width: int
    seed: int = 0
    spread: str = "fan_in"


@dataclass(frozen=True, slots=True)
class CutsRequest(OfModel):
    """Linear heads on what each layer of a body makes of labelled sentences.

    Attributes:
        lines: the sentences as they are typed (``core.data.labelled_lines``); empty for our own.
        pooled: what a head reads of a layer: "mean" of all tokens, or the "first" one.
        text: that every head is asked about.
    """

    lasts = "a while"
    lines: str
    pooled: str
    text: str


@dataclass(frozen=True, slots=True)
class FineTuneRequest(OfModel, Job):
    """A new head, trained on a frozen body, with the whole body, or with one from scratch.

    Attributes:
        lines, pooled: as of ``CutsRequest``.
        ways: of ``core.live_training.records.WAYS``, one after the other.
        seed: of the weights that are drawn.
    """

    says = N_("Training on the labelled sentences")
    lines: str
    pooled: str
    ways: tuple[str, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class LookAheadRequest(Job):
    """Two tiny models learn to predict the next token, one of them without a mask.

    Attributes:
        steps: of training.
        seed: of the weights and the texts.
    """

    says = N_("Training two tiny models")
    steps: int = 300
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """How a small Transformer is trained.

    Attributes:
        rate: of learning, the largest.
        warmup: steps of its rise.
        smoothing: of the targets.
        seed: of weights and sequences.
    """

    rate: float = 5e-3
    warmup: int = 100
    smoothing: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PracticeRequest(Job):
    """A small Transformer learns an exercise, in one way or in several beside each other.

    Attributes:
        exercise: of ``core.live_training.exercises.EXERCISES``, or "text".
        ways: how; they take turns.
        steps: of each training; none for the model before the first one.
        text: that is to be continued, for the exercise "text".
    """

    says = N_("Training a small Transformer")
    exercise: str
    ways: tuple[Way, ...] = (Way(),)
    steps: int = 1200
    text: str = ""


@dataclass(frozen=True, slots=True)
class Leash:
    """How a model is held while it learns what is liked.

    Attributes:
        beta: how much reward a nat of KL divergence from the start costs.
        seed: of all that is drawn.
    """

    beta: float = 0.3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class LikeRequest(OfModel, Job):
    """A copy of a model learns what a rule likes, in one way or in several beside each other.

    Attributes:
        preference: of ``core.data.preferences.PREFERENCES``.
        leashes: how it is held; they take turns.
        steps: of each training; none for the model before the first one.
    """

    says = N_("Training on a preference")
    preference: str
    leashes: tuple[Leash, ...] = (Leash(),)
    steps: int = 24


@dataclass(frozen=True, slots=True)
class DrawnRequest(OfModel):
    """Several continuations of one text, drawn from the model's own distribution.

    Attributes:
        text: as it was typed; of a long one the end.
        n: continuations.
        new: tokens of each.
        seed: of the draws.
    """

    lasts = "a while"
    text: str
    n: int = 48
    new: int = 12
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FilmRequest(Request):
    """One text, read and continued by every frame of the film of learning.

    Attributes:
        text: as it was typed; cut to a few dozen tokens.
        seed: of what is drawn, the same for every frame.
    """

    lasts = "a while"
    text: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class DigitsRequest(Request):
    """Pictures of digits, drawn for a text from noise, step by step.

    Attributes:
        text: as it was typed; cut to a few dozen tokens.
        seed: of the noise.
        guidance: how much the text counts (``core.digits.drawing.guided``).
    """

    lasts = "a while"
    text: str
    seed: int = 0
    guidance: float = 3.0


@dataclass(frozen=True, slots=True)
class FaultRequest(OfModel):
    """One text through a model as it is, and with a fault put into it.

    Attributes:
        given: what to run it on; cut to the model's context.
        fault: by its id (``core.faults.table``); empty for the one that the seed draws.
        seed: of that draw.
    """

    given: Input
    fault: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ShelfCostsRequest(Request):
    """The Transformers of the shelf: their shapes, and how many numbers each holds.

    Attributes:
        names: ids; all there are when empty.
    """

    lasts = "a while"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimesRequest(Request):
    """How long attention takes, by length: measured here and now, on numbers that are drawn.

    Attributes:
        n_source: positions that cross-attention reads.
    """

    lasts = "a while"
    n_source: int


@dataclass(frozen=True, slots=True)
class CachedRequest(OfModel):
    """A text read token after token, with the key-value cache and without it.

    Attributes:
        text: of which the first tokens are read.
    """

    lasts = "a while"
    text: str


@dataclass(frozen=True, slots=True)
class AdamRequest(Request):
    """One weight that Adam moves; needs no model.

    Attributes:
        gradients: one for each step.
        rate: of learning.
        betas: how much of the average of the gradients and of their squares is kept.
        eps: added to the root.
    """

    gradients: tuple[float, ...]
    rate: float
    betas: tuple[float, float]
    eps: float


@dataclass(frozen=True, slots=True)
class SmoothingRequest(Request):
    """A prediction judged by a smoothed target; needs no model.

    Attributes:
        logits: of all words.
        right: the word that came.
        smoothing: the share of the target that is spread.
        others_only: over the other words alone, not over all.
    """

    logits: tuple[float, ...]
    right: int
    smoothing: float
    others_only: bool = False

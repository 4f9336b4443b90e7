"""What a view asks for: runs as frozen data, so they can be cached, linked to and sent away."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.decoding.sampling import Sampling
from core.errors import ParameterError
from core.language import N_
from core.tracing.run import Edit

MaskKind = Literal["own", "none", "causal", "padding", "prefix", "window", "painted"]
_PLAIN = ("own", "none", "causal", "padding")


@dataclass(frozen=True, slots=True)
class MaskSpec:
    """An attention mask as a few characters of a link.

    Written "own" (the model's), "none", "causal", "padding" (the model's own, and
    nobody sees what fills the row up), "prefix:3", "window:2" or "painted:5:..."
    (size, then the rows' bits in base64url).

    Attributes:
        kind: which mask.
        size: of the prefix or window; side of a painted mask.
        bits: the cells of a painted mask.
    """

    kind: MaskKind = "own"
    size: int = 0
    bits: str = ""

    @classmethod
    def parse(cls, text: str) -> MaskSpec:
        """Read the written form.

        Raises:
            ParameterError: it is none.
        """
        kind, _, rest = text.partition(":")
        size, _, bits = rest.partition(":")
        wrong = ParameterError(
            "mask", text[:40], N_("own, none, causal, padding, prefix:N, window:N or painted")
        )
        if kind in _PLAIN and not rest:
            return cls(kind)  # type: ignore[arg-type]
        if kind in ("prefix", "window", "painted") and re.fullmatch("[0-9]{1,6}", size):
            spec = cls(kind, int(size), bits)  # type: ignore[arg-type]
            if kind != "painted" and not bits:
                return spec
            if kind == "painted" and spec.cells() is not None:
                return spec
        raise wrong

    def __str__(self) -> str:
        if self.kind in _PLAIN:
            return self.kind
        return f"{self.kind}:{self.size}" + (f":{self.bits}" if self.kind == "painted" else "")

    @classmethod
    def painted(cls, may_attend: NDArray[np.bool_]) -> MaskSpec:
        """The written form of a hand-made mask ``(T, T)``."""
        packed = np.packbits(may_attend.reshape(-1)).tobytes()
        bits = base64.urlsafe_b64encode(packed).decode().rstrip("=")
        return cls("painted", may_attend.shape[0], bits)

    def cells(self) -> NDArray[np.bool_] | None:
        """The cells of a painted mask; None when the bits do not fill a square."""
        try:
            padded = self.bits + "=" * (-len(self.bits) % 4)
            packed = np.frombuffer(base64.urlsafe_b64decode(padded), np.uint8)
        except (binascii.Error, ValueError):
            return None
        n = self.size * self.size
        if not n or len(packed) != -(-n // 8):
            return None
        return np.unpackbits(packed)[:n].reshape(self.size, self.size).astype(bool)


OWN_MASK = MaskSpec()


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """One traced run.

    Attributes:
        model: id on the shelf.
        text: what to run it on; cut to the model's context.
        second: a second segment, for models that take two.
        mask: in place of the model's own.
        edits: activations to change.
        sites: patterns of the sites to record; all when empty.
        shuffle: run the tokens in another order, drawn from this seed; the
            model's own marks stay where they are.
        beside: other texts of the same batch: the row is filled up with padding
            to the longest of them, and the padding is traced too.
        ids: tokens to run in place of the text's own. A text that a model made may be cut
            otherwise when it is read anew.
    """

    model: str
    text: str
    second: str | None = None
    mask: MaskSpec = OWN_MASK
    edits: tuple[Edit, ...] = ()
    sites: tuple[str, ...] = ()
    shuffle: int | None = None
    beside: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Texts of different lengths in one padded batch; the result is a run a text."""

    model: str
    texts: tuple[str, ...]
    sites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """A text going on, token by token."""

    model: str
    text: str
    max_new: int
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class TokenizeRequest:
    """A text cut into tokens as a model's tokenizer does; nothing in it is a special token.

    Attributes:
        masks: but ``[MASK]`` hides a word, for a model that fills in hidden words.
    """

    model: str
    text: str
    masks: bool = False


@dataclass(frozen=True, slots=True)
class LearnRequest:
    """Byte-pair encoding learnt from a text; needs no model.

    Attributes:
        corpus: what to learn from.
        merges: how many at most.
    """

    corpus: str
    merges: int


@dataclass(frozen=True, slots=True)
class PositionsRequest:
    """A way to tell a model the order of its tokens, worked out; needs no model.

    Attributes:
        kind: "sinusoidal" and "binary" give a vector a position, "rotary" what
            it turns a vector of ones into, "t5" the bucket of each distance.
        n: positions; for "t5" distances from 1 - n to n - 1.
        width: of a vector; for "t5" the number of buckets.
    """

    kind: Literal["sinusoidal", "binary", "rotary", "t5"]
    n: int
    width: int


@dataclass(frozen=True, slots=True)
class GapRequest:
    """Words of a text hidden behind [MASK], and one gap seen from both sides and from the left.

    Attributes:
        model: the masked model.
        partner: the causal model that is asked about the same gap.
        text: what to hide words in; a ``[MASK]`` in it is a hidden word too.
        hide: numbers of the hidden words, "none" or "auto" (``core.gaps.chosen_words``).
        token: a position of the gap that is looked at; -1 for the first gap.
    """

    model: str
    partner: str
    text: str
    hide: str = "auto"
    token: int = -1


@dataclass(frozen=True, slots=True)
class WordsRequest:
    """How likely whole words come next after a text.

    Attributes:
        model: a causal model.
        text: what stands to the left; a space at its end belongs to the word.
        words: each as the ways it may be spelt.
        n: how many of the likeliest words to find besides.
    """

    model: str
    text: str
    words: tuple[tuple[str, ...], ...]
    n: int = 30


@dataclass(frozen=True, slots=True)
class CorruptRequest:
    """A text as a training example of masked words, drawn from a seed.

    Attributes:
        model: the masked model, which is also asked what it makes of it.
        rate: share of the pieces that is chosen.
    """

    model: str
    text: str
    seed: int
    rate: float = 0.15


@dataclass(frozen=True, slots=True)
class GradientRequest:
    """How much of the loss's gradient reaches each block, with and without sums and norms.

    Attributes:
        model: id on the shelf.
        text: whose loss it is.
        depth: freshly initialised blocks of the model's shape; 0 for its own, trained ones.
        seed: of the fresh blocks.
    """

    model: str
    text: str
    depth: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class LookAheadRequest:
    """Two tiny models learn to predict the next token, one of them without a mask.

    Attributes:
        steps: of training.
        seed: of the weights and the texts.
    """

    steps: int = 300
    seed: int = 0


WordRequest = GapRequest | WordsRequest | CorruptRequest
TextRequest = TraceRequest | BatchRequest | GenerateRequest | TokenizeRequest | GradientRequest
WithModel = TextRequest | WordRequest
WithoutModel = LearnRequest | PositionsRequest | LookAheadRequest
Request = WithModel | WithoutModel

"""A text that is damaged as in training, what the model gives to what was hidden, what it writes.

The model is asked twice. Told all that stands before (teacher forcing), it gives every token of
the right answer a probability. Left alone, it writes the likeliest token after the other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from core.decoding.greedy import greedy
from core.errors import EmptyInputError, NoRoomError, ParameterError
from core.language import N_, Phrase
from core.models.calls import Translates
from core.runs.request import Context, OfModel, answer
from core.seeds import checked_seed
from core.text.noise import NOISES, CorruptedSpans, Damaged, Noise, corrupt_spans, cut_out
from core.text.sentences import marks_of
from core.text.tokenizer import Tokenizer
from core.units import Token
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class DenoiseRequest(OfModel):
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


@dataclass(frozen=True, eq=False)
class Target:
    """A target, and what the model says of each of its tokens after all those before it.

    Attributes:
        tokens: its ``n`` tokens, the end mark last if it has ended.
        probs: ``(n,)``, their probabilities.
        best: what the model finds likeliest at each place.
        best_probs: ``(n,)``, the probabilities of that.
    """

    tokens: tuple[Token, ...]
    probs: NDArray[np.float64]
    best: tuple[Token, ...]
    best_probs: NDArray[np.float64]

    @property
    def ids(self) -> tuple[int, ...]:
        """Of its tokens."""
        return tuple(token.id for token in self.tokens)

    @property
    def found(self) -> NDArray[np.bool_]:
        """``(n,)``: no other token is likelier there."""
        return np.array(self.ids) == np.array([token.id for token in self.best])


@dataclass(frozen=True, eq=False)
class Denoised:
    """A text that was damaged, and how the model mends it.

    Attributes:
        text, cut: what was damaged, and what did not fit the context.
        tokens: of the text, without the model's marks.
        shown: what the encoder reads, its end mark last.
        origin: ``(S,)``, where each of ``shown`` stood in the text; -1 for a mark.
        hidden: ``(T,)``, for each token of the text whether ``shown`` lacks it.
        spans: first and last place, not included, of each span that was cut out; none where
            damage does not cut out spans.
        marks: what may stand for what is hidden: one for all, or one after the other.
        wanted: what is to be written.
        written: what the model writes by itself, greedily.
        seconds: what it took to write.
        site: of the scores that it was written from.
    """

    text: str
    cut: str
    tokens: tuple[Token, ...]
    shown: tuple[Token, ...]
    origin: NDArray[np.int64]
    hidden: NDArray[np.bool_]
    spans: tuple[tuple[int, int], ...]
    marks: tuple[int, ...]
    wanted: Target
    written: Target
    seconds: float
    site: str


MOST = 0.5  # of a text may be hidden: with more, what is to be written may not fit


ROOM = 8  # positions of a source for marks that hide nothing, as in training


Ints = NDArray[np.int64]


@answer.register
def mended(request: DenoiseRequest, context: Context) -> Denoised:
    """The damaged text, what belongs where it was damaged, and what the model writes.

    Raises:
        AbilityError: the model learned no such damage.
        EmptyInputError: there is no token to hide.
        NoRoomError: its context holds no text besides the marks.
        ParameterError: the seed, the rate or the mean is out of its range.
    """
    _check(request)
    model, spans = context.model(request.model), request.noise == "spans"
    network = model.as_translator("fill_spans" if spans else "denoise")
    tokens, cut = _read(request.text, model, 3 if spans else ROOM + 1)
    ids = np.array([token.id for token in tokens], np.int64)
    rng = np.random.default_rng(request.seed)
    if spans:
        hiding = model.tokenizer.hiding
        found = cut_spans(ids, hiding, rng, rate=request.rate, mean=request.mean)
        damaged, targets = found.source, found.target.tolist()
        places = tuple(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    else:
        damaged = _damaged(ids, model.tokenizer, rng, request, network.config.n_ctx)
        targets, places = ids.tolist(), ()
    shown = [*damaged.ids.tolist(), network.config.end_id]
    began = time.perf_counter()
    truth, written = _targets(network, model, shown, [*targets, network.config.end_id])
    return Denoised(
        text=request.text[: len(request.text) - len(cut)],
        cut=cut,
        tokens=tuple(tokens),
        shown=tuple(
            tokens[origin] if origin >= 0 else model.tokenizer.token(token_id)
            for token_id, origin in zip(shown, [*damaged.origin.tolist(), -1], strict=True)
        ),
        origin=np.append(damaged.origin, -1),
        hidden=damaged.hidden,
        spans=places,
        marks=model.tokenizer.hiding,
        wanted=truth,
        written=written,
        seconds=time.perf_counter() - began,
        site=model.blueprint.head.site,
    )


def _check(request: DenoiseRequest) -> None:
    checked_seed(request.seed)
    for name, value, low, high in (
        ("rate", request.rate, 0, MOST), ("mean", request.mean, 1, 100)
    ):  # fmt: skip
        if not low <= value <= high:
            raise ParameterError(
                name, value, Phrase(N_("between {low} and {high}"), low=low, high=high)
            )


def _read(text: str, model: LoadedModel, room: int) -> tuple[list[Token], str]:
    """The tokens of what fits of a text, which is read letter by letter, and what was cut off.

    Args:
        text: as it was typed.
        model: whose tokenizer reads it.
        room: positions that are left free.
    """
    n, end = model.model.config.n_ctx - room, len(text)
    if n < 1:
        raise NoRoomError(model.model.config.n_ctx, room + 1)
    while True:
        # What is cut inside a word may be more tokens than before.
        every = model.tokenizer.tokens(text[:end])
        tokens = [token for token in every if not token.special]
        if not tokens:
            raise EmptyInputError
        if len(tokens) <= n:
            return tokens, text[end:]
        end = min(tokens[n - 1].end, end - 1)


def cut_spans(
    text: Ints, hiding: Sequence[int], rng: np.random.Generator, *, rate: float, mean: float
) -> CorruptedSpans:
    """The text with spans cut out, see ``corrupt_spans``; of a single token that one.

    Args:
        text: ids ``(n,)``.
        hiding: what may stand for a span: one mark for all, or one after the other.
        rng, rate, mean: of the draws.
    """
    marks = [*hiding] * (len(text) + 1) if len(hiding) == 1 else hiding
    if len(text) == 1:
        return cut_out(text, marks, np.array([0]), np.array([1]))
    return corrupt_spans(text, marks, rng, rate=rate, mean=mean)


def _damaged(
    text: Ints, tokenizer: Tokenizer, rng: np.random.Generator, request: DenoiseRequest, n_ctx: int
) -> Damaged:
    """The text damaged in one of BART's ways; of marks that hide nothing as many as fit."""
    assert request.noise != "spans"
    damaged = NOISES[request.noise](text, marks_of(tokenizer), rng, request.rate)
    return Damaged(damaged.ids[: n_ctx - 1], damaged.origin[: n_ctx - 1], damaged.hidden)


def _targets(
    network: Translates, model: LoadedModel, shown: Sequence[int], wanted: Sequence[int]
) -> tuple[Target, Target]:
    """What is to be written, and what the model writes, each with what it says of it."""
    start, end, n_ctx = network.config.start_id, network.config.end_id, network.config.n_ctx
    with torch.inference_mode():
        source = torch.tensor([list(shown)], device=model.device)
        truth = network(source, torch.tensor([[start, *wanted[:-1]]], device=model.device))[0]
        written = greedy(network.begin(source), start, end, n_ctx)
        logits = network(source, torch.tensor([written], device=model.device))[0]
    ids = written[1:] + ([end] if len(written) < n_ctx else [])
    return _target(model, truth, wanted), _target(model, logits[: len(ids)], ids)


def _target(model: LoadedModel, logits: torch.Tensor, ids: Sequence[int]) -> Target:
    """Tokens with the model's logits at each place, ``(n, V)``."""
    probs = torch.softmax(logits.cpu().double(), dim=-1).numpy()
    best = probs.argmax(axis=-1)
    places = np.arange(len(ids))
    token = model.tokenizer.token
    return Target(
        tokens=tuple(map(token, ids)),
        probs=probs[places, np.array(ids, np.int64)],
        best=tuple(token(int(token_id)) for token_id in best),
        best_probs=probs[places, best],
    )

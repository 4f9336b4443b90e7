"""A text through every frame of the film: read, guessed on, continued, and its words in a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray

from core.analysis.contexts import same_sense
from core.analysis.positions import cosines
from core.decoding.generate import stream
from core.decoding.settings import Sampling
from core.film import models
from core.film.words import GROUPS
from core.inputs import Ids
from core.runs.kinds.trace import ATTENTION
from core.runs.request import Context, Request, answer
from core.seeds import checked_seed
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.units import Token
from core.zoo import LoadedModel


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


Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class EmbeddingPlane:
    """Rows of the token table in one plane, which is the same for every frame.

    The plane is spanned by the two directions in which the rows of the last frame differ most.

    Attributes:
        words: the common words, each a token.
        groups: of each of them, by its place in ``core.film.words.GROUPS``.
        places: ``(F, W, 2)`` of their rows.
        own: words of the text that are none of them.
        own_places: ``(F, O, 2)`` of their rows.
        near: ``(F,)`` share of the common words whose nearest other one is of their group.
        left: ``(F,)`` share of how their rows differ that is in the plane.
    """

    words: tuple[str, ...]
    groups: tuple[int, ...]
    places: Floats
    own: tuple[str, ...]
    own_places: Floats
    near: Floats
    left: Floats


@dataclass(frozen=True, eq=False)
class FilmReadings:
    """One text through every frame. F frames, L layers, H heads, T tokens, K guesses.

    Attributes:
        tokens: of the text, the model's mark first.
        cut: what did not fit.
        weights: attention ``(F, L, H, T, T)``.
        losses: ``(F,)`` mean over the text's tokens, in nats; NaN of a text without any.
        guesses: of each frame the likeliest next tokens, the likeliest first.
        probs: ``(F, K)`` of them.
        written: of each frame what it wrote behind the text, drawn with one seed.
        pictured: the token table in a plane.
    """

    tokens: tuple[Token, ...]
    cut: str
    weights: NDArray[np.float32]
    losses: Floats
    guesses: tuple[tuple[Token, ...], ...]
    probs: Floats
    written: tuple[tuple[Token, ...], ...]
    pictured: EmbeddingPlane


MOST = 40  # tokens of a text: every frame sends its attention


GUESSES, WRITTEN, OWN = 8, 24, 8


Table = NDArray[np.float32]


@answer.register
def filmed(request: FilmRequest, _context: Context) -> FilmReadings:
    """What every frame makes of the text; models of the film are on no shelf.

    Raises:
        CheckpointError: the film is missing or damaged.
        ParameterError: the seed is out of its range.
    """
    checked_seed(request.seed)
    frames = _frames()
    tokens, cut = _read(request.text, frames[-1])
    ids = tuple(token.id for token in tokens)
    traces = [_traced(model, ids) for model in frames]
    logits = [torch.tensor(trace[trace.blueprint.site("@logits")]) for trace in traces]
    best = [row[-1].softmax(-1).topk(GUESSES) for row in logits]
    return FilmReadings(
        tokens=tokens,
        cut=cut,
        weights=np.stack([_weights(trace) for trace in traces]),
        losses=np.array([_loss(row, ids) for row in logits]),
        guesses=tuple(_tokens(frames[-1], top.indices.tolist()) for top in best),
        probs=np.stack([top.values.numpy() for top in best]),
        written=tuple(_written(model, ids, request.seed) for model in frames),
        pictured=_pictured(frames, tokens),
    )


@lru_cache(maxsize=1)
def _frames() -> tuple[LoadedModel, ...]:
    """The models of all frames, 37 MB of weights; loaded once in a process."""
    return tuple(models.load(name, "cpu") for name in models.names())


def _read(text: str, model: LoadedModel) -> tuple[tuple[Token, ...], str]:
    """The tokens of a text that are shown, and the part that was cut off."""
    fits, cut = model.fit(text)
    tokens = model.tokenizer.tokens(fits)
    rest = model.decode([token.id for token in tokens[MOST:]])
    return tuple(tokens[:MOST]), rest + cut


def _traced(model: LoadedModel, ids: tuple[int, ...]) -> Trace:
    sites = [
        site
        for wanted_site in (ATTENTION, "@logits")
        for site in model.blueprint.sites(wanted_site)
    ]
    (trace,) = run_prepared(model, model.prepare(Ids(ids)), sites)
    return trace


def _weights(trace: Trace) -> NDArray[np.float32]:
    """Attention of all layers, ``(L, H, T, T)``."""
    attention = trace.attention("")
    layers = [trace[f"{prefix}.weights"] for prefix in attention.prefixes]
    return np.stack(layers).astype(np.float32)


def _loss(logits: torch.Tensor, ids: Sequence[int]) -> float:
    if len(ids) < 2:
        return float("nan")
    return float(torch.nn.functional.cross_entropy(logits[:-1], torch.tensor(ids[1:])))


def _tokens(model: LoadedModel, ids: Sequence[int]) -> tuple[Token, ...]:
    return tuple(model.tokenizer.token(token_id) for token_id in ids)


def _written(model: LoadedModel, ids: Sequence[int], seed: int) -> tuple[Token, ...]:
    """What a frame draws behind the text; its end mark is left out."""
    decoder = model.as_writer().begin(len(ids) + WRITTEN)
    end = model.tokenizer.end_of_text_id
    with torch.inference_mode():
        steps = stream(decoder, ids, max_new=WRITTEN, sampling=Sampling(seed=seed), end_of_text=end)
        drawn = [step.token for step in steps]
    return _tokens(model, [token_id for token_id in drawn if token_id != end])


# --- words in a plane ----------------------------------------------------------------------------


def _pictured(frames: Sequence[LoadedModel], tokens: Sequence[Token]) -> EmbeddingPlane:
    """The common words and those of the text, in the plane of the last frame."""
    group_words = [(word, group, _id_of(frames[-1], word))
             for group, words in enumerate(GROUPS.values()) for word in words]  # fmt: skip
    known_words = [
        (word, group, token_id) for word, group, token_id in group_words if token_id is not None
    ]
    ids = [token_id for _word, _group, token_id in known_words]
    text_words = _own(tokens, set(ids))
    tables = [_table(model) for model in frames]
    rows, own_rows = (np.stack([table[some] for table in tables])
                      for some in (ids, [token.id for token in text_words]))  # fmt: skip
    middles = rows.mean(axis=1, keepdims=True)
    centred = (rows - middles).astype(np.float64)
    plane = np.linalg.svd(centred[-1], full_matrices=False)[2][:2].T
    places = centred @ plane
    groups = tuple(group for _word, group, _at in known_words)
    return EmbeddingPlane(
        words=tuple(word for word, _group, _at in known_words),
        groups=groups,
        places=places,
        own=tuple(token.spoken for token in text_words),
        own_places=(own_rows - middles).astype(np.float64) @ plane,
        near=np.array([same_sense(cosines(vectors), groups).mean() for vectors in centred]),
        left=(places**2).sum(axis=(1, 2)) / (centred**2).sum(axis=(1, 2)),
    )


def _id_of(model: LoadedModel, word: str) -> int | None:
    """The token of a word with the space before it; None where it is cut into several."""
    before, after = (model.encode(text) for text in ("the", f"the {word}"))
    return after[-1] if len(after) == len(before) + 1 else None


def _own(tokens: Sequence[Token], common: set[int]) -> list[Token]:
    """Words of the text that are one token each and no common ones, each once."""
    after = [*tokens[1:], None]
    several = {
        token.id: token
        for token, following in zip(tokens, after, strict=True)
        if token.data.startswith(b" ") and token.spoken.isalpha() and token.id not in common
        and (following is None or not following.data[:1].isalpha())
    }  # fmt: skip
    return list(several.values())[:OWN]


def _table(model: LoadedModel) -> Table:
    name = model.blueprint.embeddings[0].table
    return np.asarray(model.weights[name], np.float32)

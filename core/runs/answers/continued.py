"""A text continued by a machine that may never have learned to: the likeliest token, ever again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.inputs import Text
from core.models.abilities import Ability
from core.zoo import LoadedModel

Written = tuple[str, ...]


def written(model: LoadedModel, text: str, n: int) -> Written:
    """The tokens that it puts behind a text, each as it reads.

    Args:
        model: with one of the abilities of ``WRITES``.
        text: to be continued.
        n: how many tokens at most; fewer where the machine ends the text, or has no room.
    """
    way = next(one for one in WRITES if one in model.abilities)
    with torch.inference_mode():
        return WRITES[way](model, text, n)


def _labels(model: LoadedModel, ids: list[int]) -> Written:
    return tuple(model.tokenizer.token(one).label for one in ids)


def _next(model: LoadedModel, text: str, n: int) -> Written:
    """One token after the other, as it learned to."""
    tokens = model.tokens(text)[: model.config.n_ctx - 1]
    return _labels(model, behind(model, [token.id for token in tokens], n))


def behind(model: LoadedModel, ids: list[int], n: int) -> list[int]:
    """The tokens that a model which says what comes next puts behind others, by their ids.

    Args:
        model: that continues a text.
        ids: what stands there.
        n: how many at most; fewer where it ends the text, or has no room.
    """
    n = min(n, model.config.n_ctx - len(ids))
    if n <= 0:
        return []
    with torch.inference_mode():
        decoder = model.as_writer().begin(len(ids) + n)
        logits = decoder.push(torch.tensor([ids], device=model.device))[0, -1]
        return _pushed(decoder, logits, n, {model.tokenizer.end_of_text_id}, model)


def _pushed(
    decoder: Decoder, logits: Tensor, n: int, ends: set[int | None], model: LoadedModel
) -> list[int]:
    """The likeliest tokens, until one of the ends."""
    found: list[int] = []
    while len(found) < n:
        best = int(logits[: model.tokenizer.vocab_size].argmax())
        if best in ends:
            break
        found.append(best)
        if len(found) < n:
            logits = decoder.push(torch.tensor([[best]], device=model.device))[0, -1]
    return found


def _masked(model: LoadedModel, text: str, n: int) -> Written:
    """A [MASK] behind the text, filled, and the next one behind that."""
    tokens = model.tokens(text)
    ends = [token.id for token in tokens[-1:] if token.special]
    ids = [token.id for token in tokens][: len(tokens) - len(ends)]
    mark, score = model.tokenizer.hiding[0], model.as_scorer("masked_words")
    found: list[int] = []
    for _step in range(min(n, model.config.n_ctx - len(ids) - 1 - len(ends))):
        given = torch.tensor([[*ids, *found, mark, *ends]], device=model.device)
        logits = score(given)[0, len(ids) + len(found)]
        found.append(int(logits[: model.tokenizer.vocab_size].argmax()))
    return _labels(model, found)


def _both_ways(model: LoadedModel, text: str, n: int) -> Written:
    """By the half that reads forwards, which predicts the word after the last one."""
    found: list[str] = []
    while len(found) < n:
        prepared = model.prepare(Text(model.fit(" ".join([text, *found]))[0]))
        (letters,) = prepared.tensors.values()
        tokens = next(iter(prepared.streams[0].values())).tokens
        at = len(tokens) - 1 - int(tokens[-1].special)
        ahead, _back = model.as_both_ways()(letters)
        likeliest = map(model.tokenizer.token, ahead[0, at].argsort(descending=True).tolist())
        best = next(one for one in likeliest if not one.unknown)  # "unknown" cannot be written
        if best.special:
            break
        found.append(best.label)
    return tuple(found)


def _spans(model: LoadedModel, text: str, n: int) -> Written:
    """As if the last span of the text were missing."""
    mark = model.tokenizer.hiding[0]
    return _filled(model, text, n, "fill_spans", lambda _ids: [mark])


def _noise(model: LoadedModel, text: str, n: int) -> Written:
    """As if the end of the text were hidden: what it has read is written first."""
    return _filled(model, text, n, "denoise", lambda ids: ids)


def _filled(
    model: LoadedModel, text: str, n: int, ability: Ability, first: Callable[[list[int]], list[int]]
) -> Written:
    network = model.as_translator(ability)
    start, end, n_ctx = network.config.start_id, network.config.end_id, network.config.n_ctx
    tokens = [token for token in model.tokenizer.tokens(text) if not token.special]
    ids = [token.id for token in tokens][: n_ctx - n - 2]
    source = torch.tensor([[*ids, model.tokenizer.hiding[0], end]], device=model.device)
    decoder = network.begin(source)
    given = torch.tensor([[start, *first(ids)]], device=model.device)
    logits = decoder.push(given)[0, -1]
    ends: set[int | None] = {end, *model.tokenizer.hiding}
    return _labels(model, _pushed(decoder, logits, n, ends, model))


WRITES: Mapping[Ability, Callable[[LoadedModel, str, int], Written]] = {
    "next_token": _next,
    "masked_words": _masked,
    "both_ways": _both_ways,
    "fill_spans": _spans,
    "denoise": _noise,
}

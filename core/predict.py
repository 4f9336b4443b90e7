"""Ask a model something: next tokens, hidden words, a translation, word vectors, a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.decoding.beam import beam_search
from core.decoding.generate import GenerationStep, stream
from core.decoding.settings import Sampling
from core.errors import ParameterError
from core.inputs import Input, Pair, Picture, Text
from core.language import N_, Phrase
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM
from core.models.prepared import read
from core.nn.mix import mixed
from core.text.marks import MASK
from core.tracing.tap import Recorder
from core.zoo import LoadedModel

# What a model must be able to do with an input to say its label.
_SORTING: Mapping[type[Input], Ability] = {
    Picture: "classify_image",
    Text: "classify_text",
    Pair: "classify_pair",
}


@dataclass(frozen=True, slots=True)
class TokenProb:
    """A token and its probability.

    Attributes:
        token: as it reads in a text, a leading space kept.
        id: its row in the vocabulary.
        prob: between 0 and 1.
    """

    token: str
    id: int
    prob: float


@dataclass(frozen=True, slots=True)
class Translated:
    """One translation that a beam search found.

    Attributes:
        text: it reads.
        tokens: as they read in it, the end mark last if the model ended it.
        log_prob: of all of them.
        score: what it is ranked by: ``log_prob`` over the length penalty.
    """

    text: str
    tokens: tuple[str, ...]
    log_prob: float
    score: float


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation, and what else the search found.

    Attributes:
        best: all that it found, the best first.
    """

    best: tuple[Translated, ...]

    @property
    def text(self) -> str:
        return self.best[0].text

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.best[0].tokens

    @property
    def log_prob(self) -> float:
        return self.best[0].log_prob


@dataclass(frozen=True, eq=False)
class WordVector:
    """A word of a text and what stands for it.

    Attributes:
        word: as it was read.
        start, end: its characters in the text.
        vector: float32.
    """

    word: str
    start: int
    end: int
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LabelProb:
    """A label and its probability.

    Attributes:
        label: what a picture may show, a text may be, or how two texts may go together.
        prob: between 0 and 1.
    """

    label: str
    prob: float


Layer = int | Literal["static", "mix"]


def word_vectors(model: LoadedModel, text: str, layer: Layer = -1) -> list[WordVector]:
    """A vector for each word of a text, its pieces averaged; marks have none.

    Args:
        model: reads a text.
        text: of which no word may be beyond the context.
        layer: 0 is what the first layer is given, 1 what it hands on, and so on, -1 the last one;
            "static" what a word is whatever stands around it, of BERT its row of the table, of
            ELMo what its letters say; "mix" the mean of all layers, which is the paper's weighted
            sum before a task has learned weights (Peters et al. 2018, equation (1)).

    Raises:
        AbilityError: the model reads no text.
        NoPartError: no layers of it give each word a vector.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
        ParameterError: it has no such layer.
    """
    prepared = model.prepare(Text(text))
    sites = _layer_sites(model, layer)
    tap = Recorder(wanted=frozenset(sites).__contains__)
    with torch.inference_mode():
        model.model.observe(prepared, tap)
        layers = [tap.values[site][0].float() for site in sites]
        vectors = mixed(layers, torch.zeros(len(layers), device=layers[0].device)).cpu().numpy()
    words: list[list[int]] = []
    tokens = prepared.streams[0][model.blueprint.streams[0]].tokens
    for index, token in enumerate(tokens):
        if token.special:
            continue
        if words and token.continues and words[-1][-1] == index - 1:
            words[-1].append(index)
        else:
            words.append([index])
    return [
        WordVector(
            "".join(tokens[place].data.decode(errors="replace") for place in places).strip(),
            tokens[places[0]].start,
            tokens[places[-1]].end,
            vectors[places].mean(axis=0),
        )
        for places in words
    ]


def _layer_sites(model: LoadedModel, layer: Layer) -> tuple[str, ...]:
    """The sites that a choice of layer means; several are mixed."""
    blueprint = model.blueprint
    if layer == "static":
        return (blueprint.embedding(blueprint.streams[0]).terms[0],)
    every = blueprint.sites("@layers")
    if layer == "mix":
        return every
    whole = isinstance(layer, int | np.integer) and not isinstance(layer, bool)
    if not whole or not -len(every) <= layer < len(every):
        raise ParameterError(
            "layer", layer, Phrase(N_("between {low} and {high}"), low=0, high=len(every) - 1)
        )
    return (every[layer],)


def classify(model: LoadedModel, given: Picture | Text | Pair) -> list[LabelProb]:
    """Every label with its probability, the likeliest first; see the two functions below.

    Raises:
        TypeError: ``given`` is none of the three, as a bare ``str`` is.
    """
    if type(given) not in _SORTING:
        raise TypeError(f"given must be a Text, a Pair or a Picture, not {type(given).__name__}")
    sort = model.as_classifier(_SORTING[type(given)])
    head, prepared = model.blueprint.classifier, model.prepare(given)
    # A model that reads one segment need not know that there can be two.
    segments = {} if prepared.types is None else {"types": prepared.types}
    with torch.inference_mode():
        logits = sort(prepared.tensors[head.stream], **segments)[0]
    probs = torch.softmax(logits.float(), dim=-1).tolist()
    labels = [LabelProb(*pair) for pair in zip(head.labels, probs, strict=True)]
    return sorted(labels, key=lambda label: -label.prob)


def classify_image(model: LoadedModel, picture: Picture) -> list[LabelProb]:
    """What a picture shows: every label, the likeliest first.

    Raises:
        AbilityError: the model classifies no pictures.
        ParameterError: the picture has another size than those it was trained on.
    """
    return classify(model, picture)


def classify_text(model: LoadedModel, text: str, second: str | None = None) -> list[LabelProb]:
    """What kind of text a text is, or how a second one relates to it: the likeliest label first.

    Args:
        model: one that sorts texts, or, with a second text, pairs of texts.
        text: the text, or the first of two.
        second: the other one.

    Raises:
        AbilityError: the model sorts no texts, or no pairs.
        EmptyInputError: there is nothing to read.
        InputTooLongError, NoRoomError: they do not fit the context.
    """
    return classify(model, Text(text) if second is None else Pair(text, second))


def _top(model: LoadedModel, logits: Tensor, k: int) -> list[TokenProb]:
    if k < 1:
        raise ParameterError("k", k, N_("at least 1"))
    best = torch.softmax(logits.float(), dim=-1).topk(min(k, logits.shape[-1]))
    return [
        TokenProb(model.tokenizer.word(int(i)), int(i), float(p))
        for p, i in zip(best.values, best.indices, strict=True)
    ]


def _read(model: LoadedModel, text: str) -> tuple[tuple[int, ...], Tensor]:
    """A text's ids, which fit the context, and the same as ``(1, T)``."""
    prepared = model.prepare(Text(text))
    return prepared.streams[0][ONE_STREAM].ids, prepared.tensors[ONE_STREAM]


def next_tokens(model: LoadedModel, text: str, k: int = 10) -> list[TokenProb]:
    """The k likeliest next tokens, likeliest first.

    Raises:
        AbilityError: the model does not predict next tokens.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
        ParameterError: k is below 1.
    """
    score = model.as_scorer("next_token")
    _, batch = _read(model, text)
    with torch.inference_mode():
        logits = score(batch)[0, -1]
    return _top(model, logits, k)


def fill_masks(model: LoadedModel, text: str, k: int = 10) -> list[list[TokenProb]]:
    """For each ``[MASK]`` in the text the k likeliest words, likeliest first.

    Raises:
        AbilityError: the model does not fill in hidden words.
        ParameterError: the text hides no word, or k is below 1.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
    """
    score = model.as_scorer("masked_words")
    ids, batch = _read(model, text)
    hidden = [index for index, token_id in enumerate(ids) if token_id == model.tokenizer.mask_id]
    if not hidden:
        raise ParameterError(
            "text", text[:40], Phrase(N_("a text with at least one {mask} in it"), mask=MASK)
        )
    with torch.inference_mode():
        logits = score(batch)[0]
    return [_top(model, logits[index], k) for index in hidden]


def next_sentence(model: LoadedModel, first: str, second: str) -> float:
    """The probability that the second sentence follows the first.

    Raises:
        AbilityError: the model was not trained for it, or takes one segment only.
        InputTooLongError, NoRoomError: together they do not fit the context.
    """
    judge = model.as_judge()
    prepared = model.prepare(Pair(first, second))
    with torch.inference_mode():
        hidden = judge.hidden(prepared.tensors[ONE_STREAM], types=prepared.types)
        logits = judge.next_sentence(hidden)
    return float(torch.softmax(logits[0].float(), dim=-1)[0])


def generate(
    model: LoadedModel, text: str, *, max_new: int = 40, sampling: Sampling | None = None
) -> Iterator[GenerationStep]:
    """Continue a text, token by token.

    Raises:
        AbilityError: the model does not predict next tokens.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
        ParameterError: ``max_new`` is negative.
    """
    writer = model.as_writer()
    ids, _ = _read(model, text)
    return stream(
        writer.begin(len(ids) + max(0, max_new)),
        ids,
        max_new=max_new,
        sampling=Sampling() if sampling is None else sampling,
        end_of_text=model.tokenizer.end_of_text_id,
        device=model.device,
    )


def translate(model: LoadedModel, text: str, beams: int = 4, *, alpha: float = 0.6) -> Translation:
    """Translate a sentence by beam search; a model of many tasks is told which by its prefix.

    Args:
        model: an encoder with a decoder.
        text: in the language of its sources.
        beams: how many texts are kept at each length; 1 is greedy decoding.
        alpha: of the length penalty (Wu et al. 2016, equation (14)).

    Raises:
        AbilityError: the model does not translate.
        InputTooLongError, NoRoomError: the text does not fit the context.
        ParameterError: ``beams`` is not from 1 to ``MAX_BEAMS``, or ``alpha`` below 0.
    """
    prefix = model.prefixes.get("translate", "")
    is_prefixed = prefix and "translate" not in model.abilities
    return _written(
        model, "fill_spans" if is_prefixed else "translate", prefix + text, beams, alpha
    )


def fill_spans(model: LoadedModel, text: str, beams: int = 4) -> list[str]:
    """What a model puts in place of each ``[MASK]`` of a text, one or more words each.

    Args:
        model: fills in spans.
        text: with ``[MASK]`` where words are missing.
        beams: see ``translate``.

    Raises:
        AbilityError: the model does not fill in spans.
        InputTooLongError, NoRoomError: the text does not fit the context.
    """
    marks = {model.tokenizer.word(mark) for mark in model.tokenizer.hiding}
    pieces: list[str] = []
    for word in _written(model, "fill_spans", text, beams, 0.6).tokens:
        if word in marks:
            pieces.append("")
        elif pieces:
            pieces[-1] += word
    return [piece.strip() for piece in pieces[: text.count(MASK)]]


def answer(model: LoadedModel, text: str, beams: int = 1) -> Translation:
    """What a model that is told its task by the beginning of its text answers to it.

    Raises:
        AbilityError: the model is not one of text to text.
        InputTooLongError, NoRoomError, ParameterError: see ``translate``.
    """
    return _written(model, "fill_spans", text, beams, 0.0)


def denoise(model: LoadedModel, text: str, beams: int = 4, *, alpha: float = 0.6) -> Translation:
    """A damaged text as a model mends it; ``[MASK]`` in it stands for any number of words.

    Raises:
        AbilityError: the model does not mend texts.
        InputTooLongError, NoRoomError, ParameterError: see ``translate``.
    """
    return _written(model, "denoise", text, beams, alpha)


def _written(
    model: LoadedModel, ability: Ability, text: str, beams: int, alpha: float
) -> Translation:
    """The targets that beam search finds to a source."""
    translator = model.as_translator(ability)
    config = translator.config
    (source,) = read(Text(text), model.encoders, config.n_ctx, config.vocab_size)
    with torch.inference_mode():
        decoder = translator.begin(torch.tensor([source.stream.ids], device=model.device))
    start, end = config.start_id, config.end_id
    never = () if start == end else (start,)
    hypotheses = beam_search(
        decoder, start, end, beams=beams, alpha=alpha, never=never, device=model.device
    )
    return Translation(
        tuple(
            Translated(
                text=model.decode(hypothesis.ids),
                tokens=tuple(map(model.tokenizer.word, hypothesis.ids)),
                log_prob=hypothesis.log_prob,
                score=hypothesis.score,
            )
            for hypothesis in hypotheses
        )
    )

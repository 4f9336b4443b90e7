"""The probes: what a machine can and cannot do, measured on it as it is."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from core.analysis.contexts import same_sense
from core.analysis.positions import cosines
from core.data.labelled_lines import LabelledLine, read_lines
from core.data.senses import SENSES
from core.inputs import Batch, Ids, SourceTarget, Text
from core.language import N_
from core.models.needs import Needs
from core.runs.kinds.continuation import written
from core.runs.kinds.holes import Hole, chances, way_of
from core.runs.kinds.objectives import OBJECTIVES, ExerciseRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.request import Context, OfModel, answer
from core.zoo import LoadedModel

# Each measures one thing that a machine may be wanted for.
Probe = Literal[
    "later", "together", "senses", "gap", "writes", "chain", "answers", "learns",
]  # fmt: skip


# They have sentences of their own.
WITHOUT_TEXT: frozenset[Probe] = frozenset({"senses", "answers"})


N_WRITTEN = 10  # tokens of a continuation


ASKS = " She felt"  # what stands between a sentence and the word that answers


FEELS = ("happy", "sad")


@dataclass(frozen=True, slots=True)
class ProbeRequest(OfModel):
    """One probe of one machine.

    Attributes:
        probe: which.
        text: as it was typed; empty for a probe that has sentences of its own.
    """

    lasts = "a while"
    probe: Probe
    text: str = ""


@dataclass(frozen=True, eq=False)
class ProbeResult:
    """What a probe has found.

    Attributes:
        number: what was measured, a share or a count; NaN where nothing could be.
        beside: a second number to compare it with; NaN where there is none.
        said: what the machine was given or has written, as the probe shows it.
        lacks: what the machine has no part for, as "{model} cannot …" goes on; empty for nothing.
        seconds: what it took.
    """

    number: float
    beside: float = float("nan")
    said: tuple[str, ...] = ()
    lacks: str = ""
    seconds: float = 0.0


LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


MOST_HOLES = 12  # words of a text that are hidden, one after the other


SWAPS = ("boy", "hat", "tree")  # what stands in place of a word before, and of one behind


SENSE, OF_EACH = "left", 4  # the word of two senses, and sentences of each


SAME = 1e-4  # of a log-probability: more is no rounding


NOTHING = ProbeResult(math.nan)


Vector = NDArray[np.float64]


@answer.register
def probed(request: ProbeRequest, context: Context) -> ProbeResult:
    """What a probe finds; a machine that has no part for it says which.

    Raises:
        EmptyInputError, InputError: the text cannot be read.
    """
    model = context.model(request.model)
    lacks = lacking(request.probe, model)
    if lacks:
        return ProbeResult(math.nan, lacks=lacks)
    text = request.text if request.probe in WITHOUT_TEXT else model.fit(request.text)[0]
    began = time.perf_counter()
    result = _PROBES[request.probe](text, request, model, context)
    return replace(result, seconds=time.perf_counter() - began)


def lacking(probe: Probe, model: LoadedModel) -> str:
    """What a machine has no part for, as "{model} cannot …" goes on; empty where it has it."""
    if probe in ("later", "together", "senses"):
        needs = Needs(parts=("contextual",))
        return needs.unmet(model.abilities, model.blueprint) or ""
    if probe == "learns":
        able = model.abilities & set(OBJECTIVES)
        return "" if able else N_("learn from a text to which nobody has added an answer")
    return "" if way_of(model) else N_("predict a word of the text that it reads")


# --- vectors -------------------------------------------------------------------------------------


def _vectors(
    texts: Sequence[str], places: Sequence[tuple[int, int]], request: ProbeRequest, context: Context
) -> list[Vector]:
    """Of a word in each text, after the last layer, its pieces averaged; none for what is cut."""
    model = context.model(request.model)
    rows: list[Text | SourceTarget] = [Text(text) for text in texts]
    if SourceTarget in model.model.takes:  # what it would write does not matter: the start alone
        start = Ids((model.config.start_id,))
        rows = [SourceTarget(text, start) for text in texts]
    runs = context.ask(TraceRequest(request.model, Batch(tuple(rows)), sites=("@layers",)))
    vectors = []
    for run, (start_at, end_at) in zip(runs, places, strict=True):
        blueprint = run.trace.blueprint
        tokens = run.trace.streams[blueprint.streams[0]].tokens
        positions = [n for n, token in enumerate(tokens)
              if not token.special and token.start < end_at and token.end > start_at]  # fmt: skip
        if positions:
            vectors.append(
                run.trace[blueprint.sites("@layers")[-1]][positions].mean(axis=0, dtype=float)
            )
    return vectors


def _swapped(text: str) -> tuple[list[str], list[tuple[int, int]]] | None:
    """A text, the same with a word before, one behind, and both swapped; where its middle word is.

    None for a text with less than three words.
    """
    words = list(LETTERS.finditer(text))
    if len(words) < 3:
        return None
    middle = len(words) // 2
    before, behind = words[min(1, middle - 1)], words[-1]
    other = [next(substitute for substitute in SWAPS[n:] if substitute != word.group().lower())
             for n, word in enumerate((before, behind))]  # fmt: skip
    texts, places = [], []
    for first, last in ((False, False), (True, False), (False, True), (True, True)):
        start = other[0] if first else before.group()
        end = other[1] if last else behind.group()
        head = text[: before.start()] + start + text[before.end() : words[middle].start()]
        tail = text[words[middle].end() : behind.start()] + end + text[behind.end() :]
        texts.append(head + words[middle].group() + tail)
        places.append((len(head), len(head) + len(words[middle].group())))
    return texts, places


def _later(text: str, request: ProbeRequest, _model: LoadedModel, context: Context) -> ProbeResult:
    """How far the vector of the middle word moves when the last word is swapped."""
    swapped = _swapped(text)
    vectors = [] if swapped is None else _vectors(*swapped, request, context)
    if swapped is None or len(vectors) < 4:
        return NOTHING
    plain, before, behind, _both = vectors
    size = np.linalg.norm(plain)
    moved = [float(np.linalg.norm(vector - plain) / size) for vector in (behind, before)]
    word = text[slice(*swapped[1][0])]
    return ProbeResult(moved[0], moved[1], (word, swapped[0][0], swapped[0][2]))


def _together(
    text: str, request: ProbeRequest, _model: LoadedModel, context: Context
) -> ProbeResult:
    """What two swaps do together, less what each does alone, as a share of what they do."""
    swapped = _swapped(text)
    vectors = [] if swapped is None else _vectors(*swapped, request, context)
    if swapped is None or len(vectors) < 4:
        return NOTHING
    plain, before, behind, both = vectors
    whole = float(np.linalg.norm(both - plain))
    alone = float(np.linalg.norm(both - before - behind + plain))
    word = text[slice(*swapped[1][0])]
    return ProbeResult(alone / whole if whole else 0.0, whole, (word, swapped[0][0], swapped[0][3]))


def _senses(
    _text: str, request: ProbeRequest, _model: LoadedModel, context: Context
) -> ProbeResult:
    """In how many sentences the nearest vector of the word is one of the same sense."""
    groups = [list(of[:OF_EACH]) for of in SENSES[SENSE].values()]
    texts = [sentence for of in groups for sentence in of]
    senses = [n for n, of in enumerate(groups) for _one in of]
    matches = [re.search(rf"\b{SENSE}\b", sentence, re.IGNORECASE) for sentence in texts]
    spans = [match.span() for match in matches if match is not None]
    vectors = _vectors(texts, spans, request, context)
    if len(vectors) < len(texts):
        return NOTHING
    share = float(same_sense(cosines(np.stack(vectors)), senses).mean())
    return ProbeResult(share, (OF_EACH - 1) / (len(texts) - 1), (SENSE, texts[0], texts[OF_EACH]))


# --- words ---------------------------------------------------------------------------------------


def _gap(text: str, _request: ProbeRequest, model: LoadedModel, _context: Context) -> ProbeResult:
    """The probability of each word of the text when it is hidden, geometric mean."""
    words = list(LETTERS.finditer(text))
    chosen = np.unique(np.linspace(0, len(words) - 1, MOST_HOLES).round().astype(int))
    holes = [
        Hole(text[: words[n].start()], words[n].group(), text[words[n].end() :])
        for n in chosen.tolist() if words
    ]  # fmt: skip
    logs = chances(model, [*holes, *(hole.from_left() for hole in holes)]) if holes else np.zeros(0)
    both, left_logs = logs[: len(holes)], logs[len(holes) :]
    if not np.isfinite(both).any():
        return NOTHING
    best = holes[int(np.nanargmax(both - left_logs))]
    shown = f"{best.before}[…]{best.after}"
    return ProbeResult(_mean(both), _mean(left_logs), (best.word, shown))


def _mean(logs: NDArray[np.float64]) -> float:
    return float(np.exp(np.nanmean(logs)))


def _writes(
    text: str, _request: ProbeRequest, model: LoadedModel, _context: Context
) -> ProbeResult:
    """How many different tokens are among those that it writes."""
    labels = written(model, text, N_WRITTEN)
    return ProbeResult(float(len(set(labels))), float(len(labels)), ("".join(_spaced(labels)),))


def _spaced(labels: Sequence[str]) -> list[str]:
    """Tokens as they read one after the other: those of words have a space between them."""
    if any("·" in label for label in labels):
        return [label.replace("·", " ") for label in labels]
    return [label.removeprefix("##") if label.startswith("##") else f" {label}" for label in labels]


def _answers(
    _text: str, _request: ProbeRequest, model: LoadedModel, _context: Context
) -> ProbeResult:
    """How often the likelier of two words is the label of a sentence."""
    halves = read_lines()
    lines = (*halves.train, *halves.held)
    prefix = model.prefixes.get("classify_text", "")
    words = ("positive", "negative") if prefix else FEELS
    holes = [
        Hole(prefix + line.text if prefix else line.text + ASKS, word if prefix else f" {word}",
             "" if prefix else ".")
        for line in lines for word in words
    ]  # fmt: skip
    logs = chances(model, holes).reshape(len(lines), 2)
    finite = np.isfinite(logs).all(axis=1)
    if not finite.any():
        return NOTHING
    glad = np.array([line.label == FEELS[0] for line in lines])
    right = ((logs[:, 0] > logs[:, 1]) == glad)[finite]
    return ProbeResult(float(right.mean()), 0.5, _asked(lines[0], holes[0]))


def _asked(line: LabelledLine, hole: Hole) -> tuple[str, ...]:
    return (f"{hole.before} […]{hole.after}", line.label)


def _chain(text: str, _request: ProbeRequest, model: LoadedModel, _context: Context) -> ProbeResult:
    """The share of its predictions that stay when the last word is swapped for another."""
    way = way_of(model)
    logs = _in_one_pass(text, model)
    if way is None or logs is None:
        return NOTHING
    stay = np.abs(logs[0] - logs[1]).max(axis=-1) < SAME
    return ProbeResult(float(stay.mean()), float(len(stay)))


def _in_one_pass(text: str, model: LoadedModel) -> NDArray[np.float64] | None:
    """What is predicted for each token before the last, of a text and of one that ends otherwise.

    ``(2, n, V)`` log-probabilities; None for a text that is too short.
    """
    way = way_of(model)
    tokens = [token for token in model.tokenizer.tokens(text) if not token.special]
    if way in ("fill_spans", "denoise"):
        network = model.as_translator(way)
        ids = [token.id for token in tokens][: network.config.n_ctx - 1]
        last, first = len(ids), 1
        batch = torch.tensor([[network.config.start_id, *ids]] * 2, device=model.device)
    else:
        (batch,) = model.prepare(Text(text)).tensors.values()
        batch = torch.cat([batch, batch])
        word_positions = [n for n, token in enumerate(model.tokens(text)) if not token.special]
        first, last = (word_positions[0], word_positions[-1]) if word_positions else (0, 0)
    if last - first < 1:
        return None
    batch[1, last] = batch[1, first]
    if bool((batch[0, last] == batch[1, last]).all()):
        batch[1, last] = batch[1, first + 1]
    with torch.inference_mode():
        if way in ("fill_spans", "denoise"):
            source = [model.tokenizer.hiding[0], network.config.end_id]
            logits = network(torch.tensor([source] * 2, device=model.device), batch)
        elif way == "both_ways":
            logits = model.as_both_ways()(batch)[0]
        else:
            logits = model.as_scorer(way or "next_token")(batch)
    logs: NDArray[np.float64] = logits[:, first:last].cpu().double().log_softmax(-1).numpy()
    return logs


def _learns(_text: str, request: ProbeRequest, model: LoadedModel, context: Context) -> ProbeResult:
    """The tokens of the text that count in one step of its training, as a share of them."""
    objective = next(
        objective_name for objective_name in OBJECTIVES if objective_name in model.abilities
    )
    exercise = context.ask(ExerciseRequest(request.model, objective, request.text, 0))
    if not exercise.lanes or not exercise.n_tokens:
        return NOTHING
    counted = sum(not token.special for lane in exercise.lanes for token in lane.example.wanted)
    return ProbeResult(counted / exercise.n_tokens, float(counted))


_Found = Callable[[str, ProbeRequest, LoadedModel, Context], ProbeResult]


_PROBES: Mapping[Probe, _Found] = {
    "later": _later,
    "together": _together,
    "senses": _senses,
    "gap": _gap,
    "writes": _writes,
    "chain": _chain,
    "answers": _answers,
    "learns": _learns,
}

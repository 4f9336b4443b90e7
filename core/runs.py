"""Carries out what views ask for, once for all learners: models kept warm, results cached."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core import zoo
from core.analysis.words import Part, as_read
from core.decoding.generate import stream
from core.decoding.sampling import Filtered, filtered
from core.device import resolve_device
from core.errors import AbilityError, ParameterError
from core.gaps import corrupt, fill, next_words
from core.language import N_
from core.models.protocols import CausalLM
from core.nn.masks import causal_mask, full_mask, prefix_mask, sliding_window_mask
from core.nn.positions import (
    binary_positions,
    relative_buckets,
    rotary_angles,
    rotate,
    sinusoidal_positions,
)
from core.requests import (
    BatchRequest,
    CorruptRequest,
    GapRequest,
    GenerateRequest,
    GradientRequest,
    LearnRequest,
    LookAheadRequest,
    MaskSpec,
    PositionsRequest,
    Request,
    TokenizeRequest,
    TraceRequest,
    WithModel,
    WithoutModel,
    WordsRequest,
)
from core.seeds import checked_seed
from core.text.bpe import BPE
from core.text.learning import learn
from core.text.tokenizer import Family, Token
from core.tracing.run import trace_run
from core.tracing.trace import Trace
from core.training.gradients import gradient_flow
from core.training.lookahead import look_ahead

TOP = 40  # tokens a generation step keeps of its distribution


@dataclass(frozen=True, eq=False)
class Run:
    """A traced run and what became of its text.

    Attributes:
        trace: every tensor.
        text: the part of the text that was run.
        cut: the part that did not fit the context.
        words: from an id of the vocabulary to its token.
        order: for each position that was run, the token of the text that stood there.
        n_padding: positions at the end that are padding.
    """

    trace: Trace
    text: str
    cut: str
    words: Callable[[int], Token]
    order: tuple[int, ...] = ()
    n_padding: int = 0

    @property
    def nbytes(self) -> int:
        return self.trace.nbytes


@dataclass(frozen=True, eq=False)
class Candidates:
    """The likeliest tokens of one distribution, through every filter. Arrays are ``(K,)``.

    Attributes:
        tokens: likeliest first; the one that was taken is always among them.
        raw: as the model says it.
        after_temperature, after_top_k, after_top_p: after each filter; a penalty on
            repetition works before the temperature.
        kept: how many tokens of the whole vocabulary the filters leave.
    """

    tokens: tuple[Token, ...]
    raw: NDArray[np.float32]
    after_temperature: NDArray[np.float32]
    after_top_k: NDArray[np.float32]
    after_top_p: NDArray[np.float32]
    kept: int

    @property
    def nbytes(self) -> int:
        return 4 * self.raw.nbytes


@dataclass(frozen=True, eq=False)
class GeneratedToken:
    """One step of a generation, as numpy.

    Attributes:
        token: what was chosen.
        candidates: what it was drawn from.
        computed, reused: positions computed in this step, and taken from the cache.
        cache_bytes: what the cache's filled part holds after the step.
        seconds: what the step took.
    """

    token: Token
    candidates: Candidates
    computed: int
    reused: int
    cache_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CacheSize:
    """What the key-value cache holds for each position: a key and a value in every block.

    Attributes:
        n_layers: blocks.
        d_model: numbers in a key, or in a value, of all heads.
        itemsize: bytes of a number.
    """

    n_layers: int
    d_model: int
    itemsize: int

    @property
    def nbytes(self) -> int:
        """Of one position."""
        return 2 * self.n_layers * self.d_model * self.itemsize


@dataclass(frozen=True, eq=False)
class Generation:
    """A text and how it went on.

    Attributes:
        prompt: its tokens.
        following: for each token of the prompt, what the model expected after it.
        steps: one a new token.
        ended: the model ended the text itself.
        cut: the part of the prompt that did not fit.
        a_position: what the cache holds for each.
    """

    prompt: tuple[Token, ...]
    following: tuple[Candidates, ...]
    steps: tuple[GeneratedToken, ...]
    ended: bool
    cut: str
    a_position: CacheSize

    @property
    def nbytes(self) -> int:
        return sum(c.nbytes for c in (*self.following, *(s.candidates for s in self.steps)))


@dataclass(frozen=True, eq=False)
class Tokenized:
    """A text as a model's tokenizer cuts it.

    Attributes:
        text: the part that fits the model's context.
        cut: the part that does not.
        tokens: with the model's own marks.
        normalized: what each character of the text becomes before it is cut.
        family: of the tokenizer.
        vocab_size: its entries.
        code: its merges; None when it has none.
    """

    text: str
    cut: str
    tokens: tuple[Token, ...]
    normalized: tuple[str, ...]
    family: Family
    vocab_size: int
    code: BPE | None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The text in stretches, with what the model reads in their place."""
        return tuple(as_read(self.text, self.normalized, self.tokens))

    @property
    def nbytes(self) -> int:
        return 300 * len(self.tokens) + 100 * len(self.text)


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What ``PositionsRequest`` gives: ``(n, width)``, for "t5" ``(2 n - 1,)``."""

    values: NDArray[np.float32]

    @property
    def nbytes(self) -> int:
        return self.values.nbytes


def mask_matrix(
    spec: MaskSpec, n: int, *, causal: bool, n_padding: int = 0
) -> NDArray[np.bool_] | None:
    """The mask ``(n, n)`` of a spec; None for the model's own.

    A painted mask of another size is laid over the model's own, corner on corner.

    Args:
        spec: which mask.
        n: positions, padding included.
        causal: the model's own mask is.
        n_padding: how many of them, at the end, are padding.
    """
    if spec.kind == "own":
        return None
    if spec.kind == "none":
        return full_mask(n, n).numpy()
    if spec.kind == "prefix":
        return prefix_mask(n, min(spec.size, n)).numpy()
    if spec.kind == "window":
        return sliding_window_mask(n, max(1, spec.size)).numpy()
    matrix = (causal_mask if causal or spec.kind == "causal" else full_mask)(n, n).numpy().copy()
    cells = spec.cells() if spec.kind == "painted" else None
    if cells is not None:
        side = min(n, len(cells))
        matrix[:side, :side] = cells[:side, :side]
    if spec.kind == "padding":
        matrix[:, n - n_padding :] = False
    return matrix


class Runs:
    """Models and results, shared by all learners of a process.

    Results are kept by the models' fingerprints and everything that was asked
    for, within ``max_bytes``; what was used longest ago goes first.

    Args:
        max_bytes: of results.
        max_models: models kept in memory.
        load: name and device to a model; ``zoo.load`` but in tests.
    """

    def __init__(
        self,
        max_bytes: int = 512 * 1024 * 1024,
        max_models: int = 4,
        load: Callable[[str, str], zoo.LoadedModel] = zoo.load,
    ) -> None:
        self._max_bytes, self._max_models = max_bytes, max_models
        self._load = load
        self._lock = threading.Lock()
        self._models: OrderedDict[tuple[str, str], zoo.LoadedModel] = OrderedDict()
        self._results: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._bytes = 0
        self._under_way: dict[tuple[Any, ...], Future[Any]] = {}

    def model(self, name: str, device: str = "auto") -> zoo.LoadedModel:
        """A model, loaded once.

        Raises:
            CoreError: it cannot be loaded; see ``zoo.load``.
        """
        key = (name, str(resolve_device(device)))

        def keep(loaded: zoo.LoadedModel) -> None:
            self._models[key] = loaded
            while len(self._models) > self._max_models:
                self._models.popitem(last=False)

        model: zoo.LoadedModel = self._once(key, self._models, lambda: self._load(*key), keep)
        return model

    def has_model(self, name: str, device: str = "auto") -> bool:
        """Whether a model is in memory, so that a run need not wait for it."""
        return (name, str(resolve_device(device))) in self._models

    def get(self, request: Request, device: str = "auto") -> Any:
        """The result of a request: ``Run``, a tuple of them, or what its kind says.

        Raises:
            CoreError: the request cannot be carried out.
        """
        if isinstance(request, WithoutModel):
            return self.keep((request,), lambda: _work_out(request))
        model = self.model(request.model, device)
        asked = [model]
        if isinstance(request, GapRequest):
            asked.append(self.model(request.partner, device))
        key = (*(one.fingerprint for one in asked), str(model.device), request)
        return self.keep(
            key, lambda: _carry_out(request, model, lambda further: self.get(further, device))
        )

    def keep(self, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """What is kept under a key, made when it is not there; results, and what is made of them.

        Args:
            key: everything that decides it.
            make: called once, however many ask; gives something that knows its ``nbytes``.
        """

        def keep(result: Any) -> None:
            if _size(result) <= self._max_bytes:
                self._results[key] = result
                self._bytes += _size(result)
                while self._bytes > self._max_bytes:
                    _, old = self._results.popitem(last=False)
                    self._bytes -= _size(old)

        return self._once(key, self._results, make, keep)

    def _once(
        self,
        key: Any,
        store: OrderedDict[Any, Any],
        make: Callable[[], Any],
        keep: Callable[[Any], None],
    ) -> Any:
        """What a store holds under a key; whoever asks while it is being made waits for it."""
        with self._lock:
            if key in store:
                store.move_to_end(key)
                return store[key]
            others = self._under_way.get(key)
            mine: Future[Any] = Future()
            if others is None:
                self._under_way[key] = mine
        if others is not None:
            return others.result()
        try:
            made = make()
        except BaseException as problem:
            with self._lock:
                del self._under_way[key]
            mine.set_exception(problem)
            raise
        with self._lock:
            keep(made)
            del self._under_way[key]
        mine.set_result(made)
        return made

    @property
    def nbytes(self) -> int:
        """What the kept results take."""
        return self._bytes


def _size(result: Any) -> int:
    return sum(one.nbytes for one in result) if isinstance(result, tuple) else int(result.nbytes)


def _carry_out(request: WithModel, model: zoo.LoadedModel, ask: Callable[[Request], Any]) -> Any:
    """The result of a request; ``ask`` gives that of a further one."""
    if isinstance(request, TraceRequest):
        return _trace(request, model)
    if isinstance(request, BatchRequest):
        return _batch(request, model)
    if isinstance(request, GradientRequest):
        return gradient_flow(model, model.fit(request.text)[0], request.depth, request.seed)
    if isinstance(request, TokenizeRequest):
        return _tokenize(request, model)
    if isinstance(request, GapRequest):
        return fill(request, model, ask)
    if isinstance(request, WordsRequest):
        return next_words(request, model)
    if isinstance(request, CorruptRequest):
        return corrupt(request, model)
    return _generate(request, model)


def _work_out(request: WithoutModel) -> Any:
    if isinstance(request, LookAheadRequest):
        return look_ahead(request.steps, request.seed)
    if isinstance(request, LearnRequest):
        return learn(request.corpus, request.merges)
    return PositionTable(_positions(request).numpy())


def _positions(request: PositionsRequest) -> torch.Tensor:
    n, width = request.n, request.width
    if n < 1:
        raise ParameterError("n", n, N_("at least 1"))
    if request.kind == "sinusoidal":
        return sinusoidal_positions(n, width)
    if request.kind == "binary":
        return binary_positions(n, width)
    if request.kind == "rotary":
        angles = rotary_angles(torch.arange(n), width)
        return rotate(torch.ones(n, width), angles)
    return relative_buckets(torch.arange(1 - n, n), width).float()


def _tokenize(request: TokenizeRequest, model: zoo.LoadedModel) -> Tokenized:
    text, cut = model.fit(request.text)
    tokenizer = model.tokenizer
    return Tokenized(
        text=text,
        cut=cut,
        tokens=tuple(tokenizer.tokens(text, masks=request.masks)),
        normalized=tuple(tokenizer.normalized(text)),
        family=tokenizer.family,
        vocab_size=tokenizer.vocab_size,
        code=model.code,
    )


def _trace(request: TraceRequest, model: zoo.LoadedModel) -> Run:
    text, cut = model.fit(request.text)
    inputs: str | tuple[str, str] | list[int] = text
    order: tuple[int, ...] = ()
    n_padding = 0
    if request.ids:
        inputs, cut = list(request.ids), ""
        text, n = model.decode(inputs), len(inputs)
    elif request.second is not None:
        inputs, cut = model.fit_pair(request.text, request.second)
        text = inputs[0]
        n = len(model.pair_tokens(*inputs)[0])
    else:
        tokens = model.tokens(text)
        n = len(tokens)
        if request.shuffle is not None:
            order = shuffled(tokens, request.shuffle)
            inputs = [tokens[at].id for at in order]
        longest = max((len(model.tokens(model.fit(t)[0])) for t in request.beside), default=0)
        n_padding = max(0, longest - n)
        if n_padding:
            own = [tokens[at].id for at in order or range(n)]
            inputs = own + [model.tokenizer.pad_id] * n_padding
            n += n_padding
    causal = model.model.topology.causal
    trace = trace_run(
        model,
        inputs,
        mask=mask_matrix(request.mask, n, causal=causal, n_padding=n_padding),
        sites=request.sites or None,
        edits=request.edits,
        n_padding=n_padding,
    )
    assert isinstance(trace, Trace)
    return Run(trace, text, cut, model.tokenizer.token, order, n_padding)


def shuffled(tokens: Sequence[Token], seed: int) -> tuple[int, ...]:
    """Which token stands at each position after a shuffle; the model's marks keep their place.

    Raises:
        ParameterError: the seed is none.
    """
    rng = np.random.default_rng(checked_seed(seed, "shuffle"))
    places = [at for at, token in enumerate(tokens) if not token.special]
    order = list(range(len(tokens)))
    for place, at in zip(places, rng.permutation(places), strict=True):
        order[place] = int(at)
    return tuple(order)


def _batch(request: BatchRequest, model: zoo.LoadedModel) -> tuple[Run, ...]:
    fitted = [model.fit(text) for text in request.texts]
    traces = trace_run(model, [text for text, _ in fitted], sites=request.sites or None)
    assert isinstance(traces, list)
    return tuple(
        Run(t, *parts, model.tokenizer.token) for t, parts in zip(traces, fitted, strict=True)
    )


def _generate(request: GenerateRequest, model: zoo.LoadedModel) -> Generation:
    if not isinstance(model.model, CausalLM):
        raise AbilityError(model.id, N_("going on with a text"))
    text, cut = model.fit(request.text)
    prompt = model.tokens(text)
    end = model.tokenizer.end_of_text_id
    config = model.config
    a_position = CacheSize(config.n_layers, config.d_model, model.dtype.itemsize)
    ids = [token.id for token in prompt]
    model.check_length(len(ids), len(model.tokens("")))
    with torch.inference_mode():
        logits = model.model(torch.tensor([ids], device=model.device))[0]
        following = tuple(
            _candidates(model, filtered(row, ids[: at + 1], request.sampling), ids[at + 1 : at + 2])
            for at, row in enumerate(logits)
        )
    steps: list[GeneratedToken] = []
    began = time.perf_counter()
    for step in stream(
        model.model,
        ids,
        max_new=request.max_new,
        sampling=request.sampling,
        record=True,
        end_of_text=end,
        device=model.device,
    ):
        assert step.filtered is not None
        now = time.perf_counter()
        steps.append(
            GeneratedToken(
                token=model.tokenizer.token(step.token),
                candidates=_candidates(model, step.filtered, [step.token]),
                computed=step.computed,
                reused=step.reused,
                cache_bytes=(step.reused + step.computed) * a_position.nbytes,
                seconds=now - began,
            )
        )
        began = now
    ended = bool(steps) and steps[-1].token.id == end
    return Generation(tuple(prompt), following, tuple(steps), ended, cut, a_position)


def _candidates(model: zoo.LoadedModel, passed: Filtered, taken: Sequence[int]) -> Candidates:
    """The likeliest tokens of a distribution, those ``taken`` always among them."""
    order = torch.topk(passed.raw, min(TOP, len(passed.raw))).indices
    missing = [token for token in taken if token not in order]
    if missing:
        order = torch.cat([order[: -len(missing)], order.new_tensor(missing)])
    return Candidates(
        tokens=tuple(model.tokenizer.token(int(i)) for i in order),
        raw=passed.raw[order].cpu().numpy(),
        after_temperature=passed.after_temperature[order].cpu().numpy(),
        after_top_k=passed.after_top_k[order].cpu().numpy(),
        after_top_p=passed.after_top_p[order].cpu().numpy(),
        kept=int((passed.after_top_p > 0).sum()),
    )

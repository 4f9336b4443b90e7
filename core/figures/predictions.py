"""Views of what comes next: the distribution and its cuts, surprise, layers, generation, cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax, surprisal
from core.analysis.lens import layer_logits
from core.decoding.sampling import Sampling
from core.figures import svg, tokens
from core.figures.params import MAX_SEED, OnText, param
from core.figures.payload import Payload
from core.figures.text import (
    Mark,
    Sentence,
    join,
    number,
    percent,
    quoted,
    sentence,
    token_label,
    visible,
)
from core.figures.theme import Mode
from core.figures.view import ComponentView, Table, register
from core.language import N_, _, ngettext
from core.requests import GenerateRequest, Request, TraceRequest
from core.runs import CacheSize, Candidates, Generation, Run
from core.text.tokenizer import Token


@dataclass(frozen=True, slots=True)
class Choosing(OnText):
    """How the next token is chosen, and how far the text goes on.

    Attributes:
        temperature: divides the logits; below 1 sharper, 0 always the likeliest.
        top_k: only the k likeliest may be drawn; 0 = no limit.
        top_p: only the fewest that reach this probability; 1 = no limit.
        repetition: makes tokens that already stand there less likely; 1 = off.
        seed: of the draws.
        new: tokens to go on with.
        made: how many of them are shown.
        token: the position that is looked at; None for the newest.
        cut: which filter's result the bars show; 0 for the model's own.
    """

    temperature: float = param(0.8, low=0.0, high=2.0)
    top_k: int = param(50, low=0, high=200)
    top_p: float = param(0.95, low=0.05, high=1.0)
    repetition: float = param(1.0, low=0.5, high=3.0)
    seed: int = param(0, low=0, high=MAX_SEED)
    new: int = param(16, low=1, high=200)
    made: int = param(0, low=0, high=200)
    token: int = param(-1, low=-1, high=100_000)
    cut: int = param(3, low=0, high=3)

    def generation(self) -> GenerateRequest:
        """The run that all views of this page share."""
        return GenerateRequest(
            self.model,
            self.text,
            self.new,
            Sampling(self.temperature, self.top_k, self.top_p, self.repetition, self.seed),
        )


def _all_tokens(run: Generation) -> list[Token]:
    return [*run.prompt, *(step.token for step in run.steps)]


@dataclass(frozen=True)
class Distribution:
    """The record of ``predict.next``: one frame a position, prompt and generated.

    Attributes:
        seconds: what all new tokens took.
    """

    tokens: list[Token]
    frames: list[Candidates]
    n_prompt: int
    seconds: float
    params: Choosing

    def taken(self, frame: int) -> int | None:
        """The id that follows position ``frame``, if the text goes on there."""
        return self.tokens[frame + 1].id if frame + 1 < len(self.tokens) else None

    @property
    def shown(self) -> int:
        """The position that is looked at; nothing was worked out after the very last token."""
        newest = min(self.n_prompt - 1 + self.params.made, len(self.frames) - 1)
        return newest if self.params.token < 0 else min(self.params.token, newest)

    def looked_at(self) -> AtPosition:
        """The same position for views of a trace: in the text, or in its tokens and the new ones.

        What was made is passed on as ids: its text may be cut into other tokens.
        """
        made = self.shown >= self.n_prompt
        ids = ",".join(str(token.id) for token in self.tokens[: self.shown + 1]) if made else ""
        return AtPosition(self.params.text, self.params.model, self.shown, ids)

    def full(self, n_ctx: int) -> str:
        """Why the text goes on no further than it does; empty when it goes as far as asked."""
        new = len(self.tokens) - self.n_prompt
        if new >= self.params.new or self.n_prompt + new <= n_ctx:
            return ""
        return ngettext(
            "The model's context is full: it holds {most} tokens, so only {n} could be added.",
            "The model's context is full: it holds {most} tokens, so only {n} could be added.",
            new,
        ).format(most=n_ctx, n=new)


@register
class NextToken(ComponentView[Choosing, Distribution]):
    """What the model expects after a position, through every filter."""

    name = "predict.next"
    component = "bars"
    Params = Choosing
    needs = "causal"
    N_ROWS = 12

    def title(self, record: Distribution) -> str:
        return _("What comes after “{token}”").format(token=quoted(record.tokens[record.shown]))

    def requests(self, params: Choosing) -> tuple[Request, ...]:
        return (params.generation(),)

    def compute(self, runs: Sequence[Generation], params: Choosing) -> Distribution:
        (run,) = runs
        frames = [*run.following, *(step.candidates for step in run.steps[1:])]
        return Distribution(
            tokens=_all_tokens(run)[: len(frames) + 1],
            frames=frames,
            n_prompt=len(run.prompt),
            seconds=sum(step.seconds for step in run.steps),
            params=params,
        )

    def describe(self, record: Distribution) -> Sentence:
        best = record.frames[record.shown]
        runner_up = sentence(
            _("“{second}” has {share}."),
            second=Mark(quoted(best.tokens[1]), "strong"),
            share=percent(float(best.raw[1])),
        )
        return join(
            [
                sentence(
                    _("After “{token}” the model expects “{best}” with {share}."),
                    token=Mark(quoted(record.tokens[record.shown]), "query"),
                    best=Mark(quoted(best.tokens[0]), "accent"),
                    share=Mark(percent(float(best.raw[0])), "accent"),
                ),
                runner_up,
            ]
        )

    def _rows(self, record: Distribution, frame: int) -> list[int]:
        """Places of the shown candidates: the likeliest, and the one taken if it is not there."""
        candidates, taken = record.frames[frame], record.taken(frame)
        places = list(range(min(self.N_ROWS, len(candidates.tokens))))
        ids = [token.id for token in candidates.tokens]
        if taken is not None and taken in ids and ids.index(taken) not in places:
            places[-1] = ids.index(taken)
        return places

    def payload(self, record: Distribution) -> Payload:
        frames, probs = [], []
        for at, candidates in enumerate(record.frames):
            places = self._rows(record, at)
            taken = record.taken(at)
            born = at + 1 >= record.n_prompt
            rows = [
                {
                    "id": str(candidates.tokens[i].id),
                    "label": token_label(candidates.tokens[i]),
                    "chosen": candidates.tokens[i].id == taken,
                }
                for i in places
            ]
            title = sentence(
                _("What comes after “{token}”"), token=Mark(quoted(record.tokens[at]), "query")
            )
            kept = ngettext(
                "{n} token may be drawn.", "{n} tokens may be drawn.", candidates.kept
            ).format(n=f"{candidates.kept:,}")
            alt = _("Likeliest next tokens: {list}.").format(
                list=", ".join(
                    f"{quoted(candidates.tokens[i])} {percent(float(candidates.raw[i]))}"
                    for i in places[:5]
                )
            )
            frames.append({"rows": rows, "title": title.as_data(), "alt": alt, "note": kept})
            if taken is not None:
                word = quoted(record.tokens[at + 1])
                frames[-1]["note"] = (
                    _("{kept} “{word}” was drawn.") if born else _("{kept} The text has “{word}”.")
                ).format(kept=kept, word=word)
            stages = (
                candidates.raw,
                candidates.after_temperature,
                candidates.after_top_k,
                candidates.after_top_p,
            )
            probs.append([[float(stage[i]) for i in places] for stage in stages])
        p = record.params
        # The penalty works before the temperature, and on the same bars.
        first = _("temperature {t}") if p.repetition == 1 else _("penalty {r}, temperature {t}")
        return Payload(
            {
                "frames": frames,
                "stages": [
                    _("model"),
                    first.format(r=number(p.repetition), t=number(p.temperature)),
                    _("top-k {k}").format(k=p.top_k or "∞"),
                    _("top-p {p}").format(p=number(p.top_p)),
                ],
                "stage_field": "cut",
                "follow": {
                    "field": "token",
                    "steps": {"field": "made", "base": record.n_prompt, "first": p.made},
                },
                "selection": selection_of(p),
                "alt": _("Probabilities of the next token"),
                "labels": {"cut": _("cut")},
            },
            {"probs": np.array(probs, np.float32)},
        )

    def table(self, record: Distribution) -> Table:
        candidates = record.frames[record.shown]
        plain = record.params.repetition == 1
        first = _("after temperature") if plain else _("after penalty and temperature")
        return Table(
            (_("token"), _("id"), _("model"), first, _("after top-k"), _("after top-p")),
            [
                (visible(token.data.decode(errors="backslashreplace")), token.id, *map(float, row))
                for token, *row in zip(
                    candidates.tokens,
                    candidates.raw,
                    candidates.after_temperature,
                    candidates.after_top_k,
                    candidates.after_top_p,
                    strict=True,
                )
            ],
        )

    def svg(self, record: Distribution, mode: Mode) -> str:
        candidates = record.frames[record.shown]
        stage = (
            candidates.raw,
            candidates.after_temperature,
            candidates.after_top_k,
            candidates.after_top_p,
        )[record.params.cut]
        rows = self._rows(record, record.shown)
        return svg.bars(
            self.title(record),
            [token_label(candidates.tokens[i]) for i in rows],
            [float(stage[i]) for i in rows],
            mode,
            alt=str(self.describe(record)),
        )


def selection_of(params: Choosing) -> dict[str, int | None]:
    """The part of the state that components share, as they read it."""
    token = None if params.token < 0 else params.token
    return {"token": token, "made": params.made, "cut": params.cut}


@dataclass(frozen=True)
class Surprise:
    """The record of ``predict.surprisal``."""

    tokens: list[Token]
    n_prompt: int
    bits: NDArray[np.float64]
    expected: list[tuple[Token, float]]
    cut: str
    params: Choosing

    @property
    def n_shown(self) -> int:
        """Tokens of the text and, after them, those that were made so far."""
        return min(len(self.tokens), self.n_prompt + self.params.made)


@register
class Surprisal(ComponentView[Choosing, Surprise]):
    """The text coloured by how little the model expected each token."""

    name = "predict.surprisal"
    component = "token_strip"
    Params = Choosing
    needs = "causal"
    LIMIT = 12.0  # bits at which the colour is full

    def title(self, record: Surprise) -> str:
        return _("How surprising each token is, in bits")

    def requests(self, params: Choosing) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text, sites=("logits",)), params.generation())

    def compute(self, runs: Sequence[Run | Generation], params: Choosing) -> Surprise:
        traced, generation = runs
        assert isinstance(traced, Run)
        assert isinstance(generation, Generation)
        logits, ids = traced.trace["logits"], traced.trace.ids
        bits = np.concatenate([[np.nan], surprisal(logits, ids)])
        of_new = [
            -np.log2(max(1e-12, float(step.candidates.raw[_place(step.candidates, step.token.id)])))
            for step in generation.steps
        ]
        following = [*generation.following, *(s.candidates for s in generation.steps[1:])]
        expected = [(c.tokens[0], float(c.raw[0])) for c in following]
        return Surprise(
            tokens=_all_tokens(generation),
            n_prompt=len(generation.prompt),
            bits=np.concatenate([bits, of_new]),
            expected=expected,
            cut=generation.cut,
            params=params,
        )

    def _reading(self, record: Surprise, at: int) -> Sentence:
        token = record.tokens[at]
        if at == 0:
            return sentence(
                _("“{token}” is the mark every text starts with: nothing stands before it."),
                token=Mark(quoted(token), "query"),
            )
        best, share = record.expected[at - 1]
        bits = float(record.bits[at])
        if best.id == token.id:
            return sentence(
                _("“{token}” is what the model expected most, with {share}: {bits} bits."),
                token=Mark(quoted(token), "query"),
                share=Mark(percent(share), "accent"),
                bits=Mark(number(bits), "weight"),
            )
        return sentence(
            _("“{token}” had {own} here, a surprise of {bits} bits; “{best}” had {share}."),
            token=Mark(quoted(token), "query"),
            own=Mark(percent(2.0**-bits), "query"),
            bits=Mark(number(bits), "weight"),
            best=Mark(quoted(best), "accent"),
            share=Mark(percent(share), "accent"),
        )

    def describe(self, record: Surprise) -> Sentence:
        seen = record.bits[1 : record.n_prompt]
        if not len(seen):
            return sentence(_("There is only one token: nothing was predicted yet."))
        worst = 1 + int(np.argmax(seen))
        return sentence(
            _("The text has {mean} bits a token on average; “{token}” is its most surprising one "
              "with {bits}."),
            mean=Mark(number(float(seen.mean())), "weight"),
            token=Mark(quoted(record.tokens[worst]), "query"),
            bits=Mark(number(float(seen.max())), "weight"),
        )  # fmt: skip

    def payload(self, record: Surprise) -> Payload:
        chips = [
            tokens.chip(token, born=at >= record.n_prompt) for at, token in enumerate(record.tokens)
        ]
        return Payload(
            {
                "tokens": chips,
                "cut": tokens.cut_text(record.cut),
                "field": "token",
                "reveal": {"field": "made", "base": record.n_prompt, "first": record.params.made},
                "heat_role": "weight",
                "heat_limit": self.LIMIT,
                "heat_unit": "",
                "readings": [self._reading(record, at).as_data() for at in range(len(chips))],
                "selection": selection_of(record.params),
                "heading": sentence(self.title(record)).as_data(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            },
            {"heat": record.bits.astype(np.float32)},
        )

    def table(self, record: Surprise) -> Table:
        return Table(
            (_("position"), _("token"), _("from"), _("bits")),
            [(at, token_label(token), _("text") if at < record.n_prompt else _("model"),
              float(record.bits[at]) if at else "")
             for at, token in enumerate(record.tokens[: record.n_shown])],
        )  # fmt: skip

    def svg(self, record: Surprise, mode: Mode) -> str:
        n = record.n_shown
        return svg.chips(
            self.title(record),
            [token_label(token) for token in record.tokens[:n]],
            [number(float(b), 2) if not np.isnan(b) else "" for b in record.bits[:n]],
            [0.0 if np.isnan(b) else min(1.0, float(b) / self.LIMIT) for b in record.bits[:n]],
            mode,
            alt=str(self.describe(record)),
        )


def _place(candidates: Candidates, token_id: int) -> int:
    return next(i for i, token in enumerate(candidates.tokens) if token.id == token_id)


@dataclass(frozen=True, slots=True)
class AtPosition(OnText):
    """A position of the text, or of tokens in its place.

    Attributes:
        token: counted from 0; -1 for the last.
        ids: the tokens, "1,517,42", when a model made some of them; empty for the text's own.
    """

    token: int = param(-1, low=-1, high=100_000)
    ids: str = param(
        "",
        pattern=r"([0-9]{1,7}(,[0-9]{1,7})*)?",
        form=N_("numbers of tokens, such as 1,517,42"),
    )


@dataclass(frozen=True)
class Layers:
    """The record of ``predict.layers``: rows are places in the stream, columns ranks."""

    position: int
    token: Token
    places: list[str]
    words: list[list[str]]
    probs: NDArray[np.float32]
    final_rank: list[int]


@register
class LayerPredictions(ComponentView[AtPosition, Layers]):
    """What the model would say if it stopped after each block (the "logit lens").

    nostalgebraist 2020, "interpreting GPT: the logit lens": the stream after
    each block goes through the final norm and the output matrix.
    """

    name = "predict.layers"
    component = "matrix"
    Params = AtPosition
    needs = "causal"
    sites = ("blocks.*.resid_pre", "blocks.*.resid_post", "logits")
    N_COLUMNS = 5
    ROOM = 100  # pixels: the names of the places are whole on a phone, too

    def title(self, record: Layers) -> str:
        return _("What it would say after “{token}” if it stopped after each block").format(
            token=quoted(record.token)
        )

    def requests(self, params: AtPosition) -> tuple[Request, ...]:
        ids = tuple(map(int, params.ids.split(","))) if params.ids else ()
        return (TraceRequest(params.model, params.text, sites=self.sites, ids=ids),)

    def compute(self, runs: Sequence[Run], params: AtPosition) -> Layers:
        trace = runs[0].trace
        n = len(trace.tokens)
        at = n - 1 if params.token < 0 else min(params.token, n - 1)
        rows = layer_logits(trace, at)
        probs = softmax(rows)
        best = np.argsort(-probs, axis=1)[:, : self.N_COLUMNS]
        final = int(best[-1, 0])
        words = runs[0].words
        return Layers(
            position=at,
            token=trace.tokens[at],
            places=[_("embeddings"), *(_("block {i}").format(i=i) for i in range(len(rows) - 1))],
            words=[[token_label(words(int(i))) for i in row] for row in best],
            probs=np.take_along_axis(probs, best, axis=1).astype(np.float32),
            final_rank=[int((row > row[final]).sum()) for row in rows],
        )

    def describe(self, record: Layers) -> Sentence:
        first = next(i for i in range(len(record.final_rank)) if not any(record.final_rank[i:]))
        return sentence(
            _("“{word}” comes first from {place} on."),
            word=Mark(record.words[-1][0].removeprefix("·"), "accent"),
            place=Mark(record.places[first], "residual"),
        )

    def payload(self, record: Layers) -> Payload:
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "probs",
                        "texts": [
                            [f"{word}" for word in row] for row in record.words
                        ],
                        "rows": {
                            "labels": record.places,
                            "field": "row",
                            "role": "residual",
                            "room": self.ROOM,
                        },
                        "cols": {
                            "labels": [str(i + 1) for i in range(self.N_COLUMNS)],
                            "field": "col",
                            "hide": True,
                        },
                        "scale": {"kind": "accent", "limit": 1.0},
                        "max_cell": 130,
                        "row_height": 26,
                        "alt": str(self.describe(record)),
                        "axes": [[_("rows: after which block · columns: the five likeliest · "
                                    "stronger colour = likelier"), "plain"]],
                    }
                ],
                "labels": tokens.matrix_labels(),
            },
            {"probs": record.probs},
        )  # fmt: skip

    def table(self, record: Layers) -> Table:
        return Table(
            (_("after"), _("rank"), _("token"), _("probability")),
            [
                (place, rank, record.words[i][rank], float(record.probs[i, rank]))
                for i, place in enumerate(record.places)
                for rank in range(self.N_COLUMNS)
            ],
        )

    def svg(self, record: Layers, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            record.places,
            [str(i + 1) for i in range(self.N_COLUMNS)],
            record.probs,
            mode,
            role="accent",
            texts=record.words,
            alt=str(self.describe(record)),
        )


@dataclass(frozen=True)
class Ledger:
    """The record of ``predict.cache``: what each step computes and what it takes from the cache."""

    state: NDArray[np.uint8]  # (steps, positions): 0 not there, 1 reused, 2 computed
    labels: list[str]
    computed: list[int]
    reused: list[int]
    bytes: list[int]
    a_position: CacheSize


@register
class CacheLedger(ComponentView[Choosing, Ledger]):
    """The key-value cache as it fills."""

    name = "predict.cache"
    component = "matrix"
    Params = Choosing
    needs = "causal"
    ROOM = 100  # pixels: no step's number is cut, on a phone either

    def title(self, record: Ledger) -> str:
        return _("What each step computes and stores, and what it takes from the cache")

    def requests(self, params: Choosing) -> tuple[Request, ...]:
        return (params.generation(),)

    def compute(self, runs: Sequence[Generation], params: Choosing) -> Ledger:
        (run,) = runs
        n = len(run.prompt) + len(run.steps) - 1
        state = np.zeros((len(run.steps), n), np.uint8)
        for row, step in enumerate(run.steps):
            state[row, : step.reused] = 1
            state[row, step.reused : step.reused + step.computed] = 2
        return Ledger(
            state=state,
            labels=tokens.labels(_all_tokens(run)[:n]),
            computed=[step.computed for step in run.steps],
            reused=[step.reused for step in run.steps],
            bytes=[step.cache_bytes for step in run.steps],
            a_position=run.a_position,
        )

    def describe(self, record: Ledger) -> Sentence:
        a_position = record.a_position
        stored = sentence(
            _("Each step stores the keys and values of the positions it computes: 2 · {layers} "
              "layers · d_model {width} · {size} bytes = {kib} KiB a position, {all} KiB in the "
              "end."),
            layers=str(a_position.n_layers), width=str(a_position.d_model),
            size=str(a_position.itemsize), kib=number(a_position.nbytes / 1024),
            all=number(record.bytes[-1] / 1024),
        )  # fmt: skip
        if len(record.computed) == 1:
            first = Mark(str(record.computed[0]), "accent")
            return join(
                [sentence(_("The only step computes all {first} positions."), first=first), stored]
            )
        without = sum(c + r for c, r in zip(record.computed, record.reused, strict=True))
        computed = sentence(
            _(
                "The first step computes {first} positions, every later one only the newest. "
                "{steps} steps computed {done} positions; without the cache it would be {without}."
            ),
            first=Mark(str(record.computed[0]), "accent"),
            steps=str(len(record.computed)),
            done=Mark(f"{sum(record.computed):,}", "accent"),
            without=Mark(f"{without:,}", "residual"),
        )
        return join([computed, stored])

    @staticmethod
    def _steps(record: Ledger) -> list[str]:
        """The steps' names, with all that is stored after each, in KiB."""
        return [f"{i} · {number(stored / 1024)}" for i, stored in enumerate(record.bytes)]

    @staticmethod
    def _axes() -> str:
        """What rows, columns and colours are."""
        return _("rows: steps, and KiB stored after each · columns: positions · "
                 "blue: computed and stored · grey: reused")  # fmt: skip

    def payload(self, record: Ledger) -> Payload:
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "state",
                        "rows": {
                            "labels": self._steps(record),
                            "field": "made",
                            "room": self.ROOM,
                        },
                        "cols": {"labels": record.labels, "field": "token", "role": "query"},
                        "scale": {"kind": "category"},
                        "categories": [
                            {"label": _("not there yet"), "role": "surface"},
                            {"label": _("reused from the cache"), "role": "border"},
                            {"label": _("computed and stored in this step"), "role": "accent"},
                        ],
                        "max_cell": 22,
                        "row_height": 16,  # many steps make it taller, not its labels smaller
                        "alt": str(self.describe(record)),
                        "axes": [[self._axes(), "plain"]],
                    }
                ],
                "labels": tokens.matrix_labels(),
            },
            {"state": record.state},
        )  # fmt: skip

    def table(self, record: Ledger) -> Table:
        return Table(
            (_("step"), _("positions computed"), _("positions reused"), _("cache bytes")),
            [
                (i, *row)
                for i, row in enumerate(
                    zip(record.computed, record.reused, record.bytes, strict=True)
                )
            ],
        )

    def svg(self, record: Ledger, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            self._steps(record),
            record.labels,
            record.state / 2,
            mode,
            role="accent",
            note=self._axes(),
            alt=str(self.describe(record)),
        )

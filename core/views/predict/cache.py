"""What a model keeps of a text while it writes: a key-value cache that fills, or a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.runs.kinds.generation import CacheSize, Generation
from core.views.predict.next import GenerationView, SamplingChoice, all_tokens

ROOM = 100  # pixels: no step's number is cut, on a phone either
NOT_YET, REUSED, COMPUTED = range(3)


@dataclass(frozen=True)
class Ledger:
    """What each step computes and what it takes from the cache.

    Attributes:
        state: ``(steps, positions)`` of NOT_YET, REUSED and COMPUTED.
        labels: of the positions.
        computed, reused: positions of each step.
        bytes: that are stored after each step.
        a_position: what is stored for one; None where what is kept does not grow with them.
        n_prompt: tokens of the text.
        params: what was asked for.
    """

    state: NDArray[np.uint8]
    labels: list[str]
    computed: list[int]
    reused: list[int]
    bytes: list[int]
    a_position: CacheSize | None
    n_prompt: int
    params: SamplingChoice


class PredictCacheView(GenerationView[Ledger]):
    """Rows are steps, columns positions."""

    name = "predict.cache"

    def compute(self, runs: Sequence[Generation], params: SamplingChoice) -> Ledger:
        (run,) = runs
        n = len(run.prompt) + len(run.steps) - 1
        state = np.full((len(run.steps), n), NOT_YET, np.uint8)
        for row, step in enumerate(run.steps):
            state[row, : step.reused] = REUSED
            state[row, step.reused : step.reused + step.computed] = COMPUTED
        return Ledger(
            state=state,
            labels=tokens.labels(all_tokens(run)[:n]),
            computed=[step.computed for step in run.steps],
            reused=[step.reused for step in run.steps],
            bytes=[step.cache_bytes for step in run.steps],
            a_position=run.a_position,
            n_prompt=len(run.prompt),
            params=params,
        )

    def values(self, record: Ledger) -> Mapping[str, Values]:
        step = Along("step", _("step"), [str(i) for i in range(len(record.computed))])
        position = Along("position", _("position"), record.labels)
        return {
            "computed": Values(_("positions computed"), np.array(record.computed), (step,)),
            "reused": Values(_("positions reused"), np.array(record.reused), (step,)),
            "bytes": Values(_("cache bytes"), np.array(record.bytes), (step,)),
            **_sizes(record.a_position),
            "state": Values(
                _("0 not there yet, 1 reused, 2 computed"), record.state, (step, position)
            ),
        }

    def describe(self, record: Ledger) -> Sentence:
        stored = _cache_sentence(record.a_position, record.bytes[-1])
        first = Mark(str(record.computed[0]), "accent")
        if len(record.computed) == 1:
            only = sentence(_("The only step computes all {first} positions."), first=first)
            return join([only, stored])
        without = sum(record.computed) + sum(record.reused)
        computed = sentence(
            _("The first step computes {first} positions, every later step only the newest. "
              "{steps} steps computed {done} positions. Without the cache it would be {without}.")
            if record.a_position is not None
            else _("The first step computes {first} positions, every later step only the newest. "
                   "{steps} steps computed {done} positions. If nothing were kept, it would be "
                   "{without}."),
            first=first, steps=str(len(record.computed)),
            done=Mark(grouped(sum(record.computed)), "accent"),
            without=Mark(grouped(without), "residual"),
        )  # fmt: skip
        return join([computed, stored])

    def draw(self, record: Ledger) -> Matrix:
        title, axes, reused, computed = _words(grows=record.a_position is not None)
        # The steps' names, with all that is stored after each, in KiB.
        steps = [f"{i} · {number(stored / 1024)}" for i, stored in enumerate(record.bytes)]
        sheet = Sheet(
            title=title,
            array="state",
            rows=Axis(steps, "made", "accent", room=ROOM, found=True),
            cols=Axis(record.labels, "token", "query", found=True),
            scale=Scale("category"),
            categories=[
                Category(_("not there yet"), "surface"),
                Category(reused, "border"),
                Category(computed, "accent"),
            ],
            max_cell=22,
            row_height=16,  # many steps make it taller, not its labels smaller
            alt="",
            axes=sentence(axes),
        )
        return Matrix(
            selection=record.params.selection(record.n_prompt, record.n_prompt + len(steps)),
            sheets=[sheet],
            arrays={"state": record.state},
        )


def _words(*, grows: bool) -> tuple[str, str, str, str]:
    """The title, the axes, and the names of what was reused and of what was computed.

    Args:
        grows: what is kept grows with the positions.
    """
    if grows:
        return (
            _("What each step computes and stores, and what it takes from the cache"),
            _("rows: steps, and KiB stored after each · columns: positions · blue: computed "
              "and stored · grey: reused"),
            _("reused from the cache"),
            _("computed and stored in this step"),
        )  # fmt: skip
    return (
        _("What each step computes, and what was computed before it"),
        _("rows: steps, and KiB kept after each · columns: positions · blue: computed in this "
          "step · grey: computed before"),
        _("computed before"),
        _("computed in this step"),
    )  # fmt: skip


def _sizes(size: CacheSize | None) -> dict[str, Values]:
    """What a position takes, as numbers; none where nothing is kept of it by itself."""
    if size is None:
        return {}
    return {
        "layers": Values(_("layers"), np.array(size.n_layers)),
        "d_model": Values(_("d_model"), np.array(size.d_model)),
        "itemsize": Values(_("bytes of a number"), np.array(size.itemsize)),
        "position_bytes": Values(_("bytes of a position"), np.array(size.nbytes)),
    }


def _cache_sentence(size: CacheSize | None, at_the_end: int) -> Sentence:
    """What is kept, and how much that is."""
    if size is None:
        template = _("The model keeps {all} KiB, however long the text is.")
        return sentence(template, all=number(at_the_end / 1024))
    return sentence(
        _("Each step stores the keys and values of the positions it computes: 2 · "
          "{layers} layers · d_model {width} · {size} bytes = {kib} KiB per position, "
          "{all} KiB at the end."),
        layers=str(size.n_layers), width=str(size.d_model), size=str(size.itemsize),
        kib=number(size.nbytes / 1024), all=number(at_the_end / 1024),
    )  # fmt: skip

"""How much memory a value keeps in use: by hand, and against what Python hands out."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.memory import memory_of

LARGE = np.zeros(1_000_000, np.float32)  # 4 MB


@dataclass
class Holder:
    what: Any
    more: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def made(self) -> np.ndarray:
        return np.ones(500_000, np.float64)


@dataclass(frozen=True, slots=True)
class Slotted:
    what: Any


@pytest.mark.parametrize(
    "value",
    [
        LARGE,
        [LARGE],
        (1, {"a": {"b": LARGE}}),
        {LARGE.tobytes()},
        Holder(LARGE),
        Slotted(Slotted(LARGE)),
        Holder(None, {"x": [Holder(LARGE)]}),
        LARGE[:10],
        LARGE.reshape(1000, 1000)[::2, 3],
        [LARGE, LARGE, LARGE[5:], Holder(LARGE)],
    ],
    ids=range(10),
)
def test_arrays_are_found_wherever_they_are_and_counted_once(value):
    assert memory_of(value) == pytest.approx(4_000_000, rel=0.002)


def test_what_is_computed_later_counts_from_then_on():
    holder = Holder(None)
    before = memory_of(holder)
    assert holder.made.nbytes == 4_000_000
    assert memory_of(holder) - before == pytest.approx(4_000_000, rel=0.01)


def test_an_array_made_larger_by_repeating_takes_what_it_repeats():
    wide = np.broadcast_to(np.zeros(100), (100_000, 100))
    assert memory_of(wide) < 2_000


def test_code_and_whole_modules_are_not_counted():
    assert memory_of([np, memory_of, Holder, len, "a".join]) < 1_000


def test_what_refers_to_itself_ends():
    ring: list[Any] = []
    ring += [ring, {"ring": ring}]
    assert memory_of(ring) < 1_000


@pytest.mark.parametrize(
    "make",
    [
        lambda: [str(n) * 20 for n in range(20_000)],
        lambda: {n: float(n) for n in range(1000, 30_000)},
        lambda: [Slotted((n, n + 0.5)) for n in range(10_000)],
        lambda: go.Figure(go.Heatmap(z=np.zeros((300, 300), np.float32))),
        lambda: go.Figure(go.Bar(x=[f"word {n}" for n in range(5000)], y=list(range(5000)))),
    ],
    ids=["texts", "numbers", "records", "heat map", "bars"],
)
def test_it_is_about_what_python_hands_out(make):
    make()  # what is made once for all
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        value = make()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert memory_of(value) == pytest.approx(after - before, rel=0.35)

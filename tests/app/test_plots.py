"""Plots are kept for all learners, and take their place in the memory that results may take."""

from __future__ import annotations

import gc

import pytest

from core import zoo
from core.figures.positions import Positional
from core.figures.stream import StreamAt
from core.figures.tokenization import Tokenizing
from core.memory import memory_of
from core.runs import Runs
from core.tracing.trace import Trace
from pages.parts import page
from tests.app.test_pages import check, opened

LONG = "The little dog saw the sea and the cat sat on the mat. " * 50


@pytest.fixture
def runs(monkeypatch) -> Runs:
    """A store that holds about two traces of a long text, of the shipped models."""
    loaded = {name: zoo.load(name) for name in ("gpt", "bert")}
    store = Runs(max_bytes=300_000_000, load=lambda name, device: loaded[name])
    monkeypatch.setattr(page, "shared_runs", lambda: store)
    return store


def draw(name: str, params) -> page._Plot:
    view = page.views.get(name)
    return page._plotted(view, params)


def test_many_plots_of_long_texts_stay_within_the_bytes(runs):
    for n in range(12):
        text = f"{n} {LONG}"
        draw("stream.sizes", StreamAt(text=text))
        draw("text.bits", Tokenizing(text=text))
        draw("positions.pairs", Positional(text=text, d_model=2 + 2 * n))
        held = list(runs._results.values())
        assert runs.nbytes <= 300_000_000
        assert memory_of(held) <= 1.05 * 300_000_000
    # Nothing besides keeps a run alive.
    gc.collect()
    alive = [one for one in gc.get_objects() if type(one) is Trace and len(one.tokens) > 400]
    assert sum(trace.nbytes for trace in alive) <= 300_000_000


def test_a_kept_plot_holds_no_trace(runs):
    for name, params in (
        ("stream.sizes", StreamAt(text=LONG)),
        ("text.bits", Tokenizing(text=LONG)),
        ("positions.pairs", Positional(text=LONG)),
        ("positions.learned", Positional(text=LONG)),
    ):
        plot = draw(name, params)
        assert plot.nbytes < 12_000_000, name
        assert memory_of(plot) == pytest.approx(plot.nbytes, rel=0.2), name


def test_a_plot_is_drawn_once_and_again_when_it_had_to_go(runs):
    first = draw("stream.sizes", StreamAt(text="a cat"))
    assert draw("stream.sizes", StreamAt(text="a cat")) is first
    assert draw("stream.sizes", StreamAt(text="a dog")) is not first
    assert runs.nbytes >= first.nbytes
    for n in range(4):
        draw("stream.sizes", StreamAt(text=f"{n} {LONG}"))
    assert draw("stream.sizes", StreamAt(text="a cat")) is not first


def test_a_page_says_of_a_kept_plot_what_it_said_of_a_new_one():
    """The text was too long for the model: also what was cut is said again."""
    said = []
    for _ in range(2):
        app = opened("block/layernorm.py", text=LONG)
        check(app)
        said.append([one.proto.body for one in app.get("html") if "glass-" in one.proto.body])
    assert said[0] == said[1]
    assert sum("<s>" in one for one in said[0]) >= 2

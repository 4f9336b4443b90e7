"""The stream's size, with the model and the stack that it is of."""

from __future__ import annotations

import numpy as np
import pytest

from core.live_training.records import KEPT
from core.views.stream import stack_name
from tests.views.records import rows, shown

MODELS = ["gpt", "bert", "transformer"]


def named(plot, name):
    """The series of that name."""
    return next(series for series in plot.series if name in series.name)


def test_the_streams_size_is_said_with_the_model_it_is_of(runs):
    for model, said in (
        ("gpt", "the norms stand in the branches, so nothing brings it back"),
        ("bert", "every norm brings it back to one size"),
    ):
        view, record = shown(runs, "stream.sizes", model=model, token="1")
        assert said in str(view.describe(record))
        stream = named(view.show(record), "residual vector of")
        np.testing.assert_allclose(stream.y, [p.size[1] for p in record.places])
        figure = view.show(record).figure("light")
        stream = next(t for t in figure.data if "residual vector of" in (t.name or ""))
        np.testing.assert_allclose(stream.y, [p.size[1] for p in record.places])


@pytest.mark.parametrize("model", MODELS)
def test_every_place_of_the_stream_has_a_name_of_its_own_and_is_inside_the_picture(runs, model):
    view, record = shown(runs, "stream.sizes", model=model, token="0")
    names = record.labels
    assert len(set(names)) == len(names) == len(record.places)
    # One row a place and token in the data too.
    lines = rows(view, record)[1:]
    assert len({(after, position) for after, _token, position, *_ in lines}) == len(lines)
    assert len(lines) == len(names) * len(record.tokens)
    plot = view.show(record)
    assert list(plot.x.categories) == names
    assert plot.y.range[1] > max(float(np.nanmax(series.y)) for series in plot.series)


@pytest.mark.parametrize("model", MODELS)
def test_what_was_added_stands_where_it_was_added(runs, model):
    view, record = shown(runs, "stream.sizes", model=model, token="1")
    plot, trace, stack = view.show(record), record.run.trace, record.stack
    added = {"added by attention": "attn", "added by feed-forward": "ffn"}
    if stack.cross:
        added["added by the cross-attention"] = "cross_attn"
    for name, part in added.items():
        bars = next(series for series in plot.series if series.name == name)
        assert len(bars.x) == stack.n_layers
        for layer, (at, length) in enumerate(zip(bars.x, bars.y, strict=True)):
            assert record.labels[int(at)].startswith(f"{layer} + ")
            out = trace[f"{stack.block(layer)}.{part}.out"][record.token]
            assert length == pytest.approx(np.linalg.norm(out), rel=1e-5)
    known = {"added by attention", "added by feed-forward", "added by the cross-attention"}
    assert {series.name for series in plot.series} & known == set(added)


def test_every_token_is_drawn_faintly_but_in_long_texts(runs):
    view, record = shown(runs, "stream.sizes", token="1")
    plot = view.show(record)
    faint = [series for series in plot.series if series.role == "border"]
    assert len(faint) == len(record.tokens) - 1
    assert not any(series.legend for series in faint)
    assert [entry.name for entry in plot.entries] == [
        "added by attention", "added by feed-forward", f"residual vector of “{record.name}”",
    ]  # fmt: skip


def test_each_stack_has_a_stream_of_its_own(runs):
    asked = {"model": "transformer", "target": "a dog", "token": "1"}
    _view, encoder = shown(runs, "stream.sizes", **asked, stack="encoder")
    view, decoder = shown(runs, "stream.sizes", **asked)
    parts = ["attention", "norm", "ffn", "norm"] * 2
    assert [p.part for p in encoder.places] == ["embeddings", *parts]
    parts = ["attention", "norm", "cross", "norm", "ffn", "norm"] * 2
    assert [p.part for p in decoder.places] == ["embeddings", *parts]
    assert encoder.tokens == encoder.run.trace.streams["source"].tokens
    assert decoder.tokens == decoder.run.trace.streams["target"].tokens
    assert "0 + cross-attention" in view.show(decoder).x.categories
    assert "norm after each sum" in view.show(decoder).title


def test_the_numbers_are_saved_with_a_gap_where_nothing_was_added(runs):
    view, record = shown(runs, "stream.sizes", model="bert")
    head, *lines = rows(view, record)
    assert head == [
        "after",
        "token",
        "position",
        ("length of the residual vector"),
        "length of the update",
    ]
    empty = {after for after, *_rest, update in lines if not update}
    assert empty == {"embeddings", "0 norm 1", "0 norm 2", "1 norm 1", "1 norm 2"}


def test_two_models_show_one_word(runs):
    text, at = "Unbelievably, the dog slept", "4"
    _view, counted = shown(runs, "stream.sizes", model="bert", text=text, token=at)
    _view, other = shown(runs, "stream.sizes", model="gpt", text=text, token=at, counts="bert")
    here, there = counted.tokens[counted.token], other.tokens[other.token]
    own = text[here.start : here.end]
    assert there.start <= here.start + len(own) - len(own.lstrip()) < there.end


def test_four_stacks_are_drawn_each_from_its_top(runs):
    view, record = shown(runs, "stream.gradient", depth="3")
    plot = view.show(record)
    assert [one.name for one in plot.series] == [stack_name(s) for s in KEPT]
    assert plot.y.log
    figure = plot.figure("dark")
    assert [t.name for t in figure.data] == [stack_name(s) for s in KEPT]
    assert figure.layout.yaxis.type == "log"
    for line in plot.series:
        assert len(line.y) == 4
        assert line.y[-1] == 1
    view, record = shown(runs, "stream.alike", depth="3")
    assert all(-1.001 <= v <= 1.001 for line in view.show(record).series for v in line.y)


def test_own_blocks_are_the_models(runs):
    view, record = shown(runs, "stream.gradient", blocks="own", depth="9")
    assert not record.stacks.fresh
    assert record.stacks.depth == 2
    assert "the model's own 2 layers" in view.show(record).title


def test_a_title_says_how_large_the_fresh_weights_are(runs):
    for spread, said in (("fixed", "0.02"), ("fan_in", "1/√n"), ("larger", "1.5/√n"),
                         ("by_depth", "by depth (GPT-2)")):  # fmt: skip
        view, record = shown(runs, "stream.gradient", depth="2", spread=spread)
        assert view.show(record).title.endswith(f"2 fresh layers, weights of spread {said}")


def test_the_four_numbers_of_each_place_are_saved(runs):
    for name, drawn in (
        ("stream.gradient", lambda flow: flow.gradient / flow.gradient[-1]),
        ("stream.alike", lambda flow: flow.alike),
    ):
        view, record = shown(runs, name, depth="3")
        values = view.values(record)
        assert list(values) == ["both", "sums", "norms", "neither"]
        head, *lines = rows(view, record)
        assert head == ["place", *(stack_name(kept) for kept in KEPT)]
        assert [line[0] for line in lines] == ["0", "1", "2", "3"]
        for one, flow in zip(values.values(), record.flows, strict=True):
            np.testing.assert_array_equal(one.array, drawn(flow))

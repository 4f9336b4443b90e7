"""Views of the input: rows of tables and their sum, as the run had them."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from core import views
from core.errors import NoPartError
from core.figures.components.arithmetic import ScaleBy, Sum, Value
from core.figures.values import to_csv
from core.runs.store import Runs
from core.show import figure
from core.views.embed import AtComponent
from tests.conftest import loaded, tiny_gpt

TEXT = "The cat told the cat a story."
MODELS = ["gpt", "bert", "transformer"]


@pytest.fixture
def record_of(runs):
    def record(name: str, **values):
        params = AtComponent(**{"text": TEXT} | values)
        view = views.get(name)
        return view, view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_rows_are_rows_of_the_tables_and_the_sum_is_what_enters_the_block(record_of, model):
    view, record = record_of("embed.lookup", model=model)
    weights, ids = record.trace.weights, record.trace.ids
    payload = view.show(record).payload()
    tokens, positions = payload.arrays["tokens"], payload.arrays["positions"]
    for at, token in enumerate(ids):
        assert np.array_equal(tokens[at], weights["embed.tokens.weight"][token])
        assert np.array_equal(positions[at], weights["embed.positions.weight"][at])
    sheets = payload.header["sheets"]
    entered = record.run.trace["embed.ln.out"] if model == "bert" else payload.arrays["total"]
    assert np.allclose(payload.arrays[sheets[-1]["array"]], entered, atol=1e-6)
    expected = tokens + positions
    if model == "bert":
        expected = expected + weights["embed.types.weight"][0]
    assert np.allclose(payload.arrays["total"], expected, atol=1e-6)


@pytest.mark.parametrize("stream", ["", "source", "target"])
def test_each_stream_of_two_towers_is_looked_up(record_of, stream):
    view, record = record_of("embed.lookup", model="transformer", stream=stream)
    trace, prefix = (
        record.trace,
        ("decoder") if stream == "target" else "encoder",
    )
    own = trace.streams[stream or "source"]
    payload = view.show(record).payload()
    table = trace.weights["embed.tokens.weight"]
    for at, token in enumerate(own.ids):
        assert np.array_equal(payload.arrays["tokens"][at], table[token])
    # Rows count sqrt(16) times, and what is added is fixed: no row of it is a weight.
    assert np.allclose(payload.arrays["scaled"], 4 * payload.arrays["tokens"], atol=1e-6)
    assert "embed.positions.weight" not in trace.weights
    entered = payload.arrays["scaled"] + payload.arrays["positions"]
    assert np.allclose(payload.arrays["total"], entered, atol=1e-6)
    assert [s["array"] for s in payload.header["sheets"]] == ["table", "positions", "total"]
    assert payload.header["sheets"][1]["rows"]["labels"] == record_labels(view, record)
    said = str(view.describe(record))
    assert "multiplied by √d_model = 4" in said
    assert view.values(record)["scaled"].site == f"{prefix}.embed.scaled"
    assert view.values(record)["total"].site is None


def record_labels(view, record) -> list[str]:
    """The tokens that the values are named by."""
    return list(view.values(record)["tokens"].axes[0].labels)


def test_whose_tokens_they_are_is_said_where_there_are_several_streams(record_of):
    for model in ("gpt", "bert"):
        view, record = record_of("embed.tokens", model=model)
        assert "heading" not in view.show(record).payload().header
    view, record = record_of("embed.tokens", model="transformer")
    assert str(view.show(record).heading) == "Tokens of the source"
    view, record = record_of("embed.tokens", model="transformer", stream="target")
    assert str(view.show(record).heading) == "Tokens of the target, written by the model itself"


def test_a_target_of_ones_own_is_looked_up(record_of):
    view, record = record_of(
        "embed.tokens", model="transformer", text="the cat", target="the dog", stream="target"
    )
    assert [token.label for token in view.show(record).tokens] == ["[CLS]", "the", "dog"]
    assert str(view.show(record).heading) == "Tokens of the target"


def test_what_was_cut_off_is_the_sources(record_of):
    long = "cat " * 60
    view, record = record_of("embed.tokens", model="transformer", text=long)
    assert view.show(record).cut
    view, record = record_of("embed.tokens", model="transformer", text=long, stream="target")
    assert view.show(record).cut is None


@pytest.mark.parametrize("stream", ["source", "target"])
def test_where_no_row_tells_the_place_the_tokens_are_all(rnn, stream):
    one = Runs(load=lambda *_: rnn)
    params = AtComponent(TEXT, "rnn", stream=stream)
    lookup = figure("embed.lookup", params, one)
    assert [sheet.array for sheet in lookup.component.sheets] == ["table"]
    assert [type(step) for step in lookup.component.sheets[0].how.steps] == [Value]
    strip = figure("embed.tokens", params, one)
    assert "It says nothing about where “" in str(strip)
    assert set(strip.values) == {"tokens", "ids", "length_tokens"}
    for made in (lookup, strip):
        ElementTree.fromstring(made.svg())
        assert made.csv()


def test_a_stream_that_a_model_has_not_is_an_error(record_of):
    with pytest.raises(NoPartError, match="no token table"):
        record_of("embed.tokens", stream="target")


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_what_is_saved_is_the_sheet_that_is_shown(runs, record_of, model):
    view, record = record_of("embed.lookup", model=model)
    for table, sheet in enumerate(view.show(record).payload().header["sheets"]):
        view, record = record_of("embed.lookup", model=model, table=table)
        values = record.arrays[sheet["array"]]
        component = view.show(record)
        assert component.title == sheet["title"]
        assert component.shown.array == sheet["array"]
        assert sheet["title"] in component.drawing("light")
        saved = view.values(record)[sheet["array"]]
        assert list(saved.axes[0].labels) == sheet["rows"]["labels"]
        assert np.allclose(saved.array, values)
        made = figure("embed.lookup", record.params, runs)
        assert sheet["title"] in made.svg()
        assert made.component.shown.source.code == sheet["source"]["code"]


def test_all_rows_of_a_long_text_are_saved(record_of):
    view, record = record_of("embed.lookup", text="dog " * 50)
    rows = list(csv.reader(io.StringIO(to_csv(view.values(record)))))
    assert len(record.tokens) == 32
    for i in (0, 15):
        assert sum(row[1:2] == [f"component {i}"] for row in rows[1:]) == 32


def test_the_window_that_is_shown_is_drawn(byte_bpe):
    wide = loaded(tiny_gpt(d_model=64), byte_bpe)
    made = figure("embed.lookup", AtComponent(TEXT, col=60), Runs(load=lambda *_: wide))
    assert ">60</text>" in made.svg()
    assert ">2</text>" not in made.svg()
    first = replace(made.component, window=(0, 2)).drawing("light")
    assert ">2</text>" in first
    assert ">60</text>" not in first


def test_equal_tokens_share_a_row_of_the_table(record_of):
    view, record = record_of("embed.lookup")
    rows = view.show(record).payload().header["sheets"][0]["rows"]
    names = [row.split(" ")[1] for row in rows["labels"]]
    ids = record.trace.ids
    twins = [at for at, token in enumerate(ids) if ids.count(token) > 1]
    assert twins
    for at in twins:
        assert rows["of"][at] == rows["of"][ids.index(ids[at])]
    assert len(rows["labels"]) == len(set(ids)) == len(names)
    # The reading says where the twin stands.
    first = twins[0]
    later = next(at for at in twins if at != first and ids[at] == ids[first])
    strip, record = record_of("embed.tokens", token=first)
    assert re.search(rf"Positions? .*\b{later}\b", str(strip.describe(record)))


@pytest.mark.parametrize(("model", "steps"), [("gpt", 3), ("bert", 6), ("transformer", 4)])
def test_the_arithmetic_adds_up(record_of, model, steps):
    view, record = record_of("embed.lookup", model=model)
    arrays = view.show(record).arrays
    for sheet in view.show(record).sheets:
        assert len(sheet.how.steps) == steps
        assert sum(bool(step.now) for step in sheet.how.steps) == 1
    for step in view.show(record).sheets[0].how.steps:
        if isinstance(step, Sum):
            total = sum(arrays[term.array] for term in step.terms)
            assert np.allclose(total, arrays[step.result.array], atol=1e-6)
        if isinstance(step, ScaleBy):
            assert step.by == "· √16"
            scaled = arrays[step.from_.array] * 4
            assert np.allclose(scaled, arrays[step.result.array], atol=1e-6)


def test_the_first_word_is_looked_at_and_wild_numbers_are_brought_in(record_of):
    _, record = record_of("embed.tokens")
    assert record.token == 1  # after the start mark
    view, record = record_of("embed.lookup", token=10**5, col=10**5, table=4)
    selection = view.show(record).payload().header["selection"]
    assert selection["token"] == len(record.trace.ids) - 1
    assert selection["col"] == 15

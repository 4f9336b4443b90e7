"""Views of the input: rows of tables and their sum, as the run had them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures.embeddings import AtComponent
from core.figures.payload import unpack
from core.figures.view import get
from core.runs import Runs

TEXT = "The cat told the cat a story."


@pytest.fixture(scope="module")
def record_of(gpt, bert):
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])

    def record(name: str, **values):
        params = AtComponent(**{"text": TEXT} | values)
        view = get(name)
        return view, view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize("text", [TEXT, "a", "<b>&'\" 🙂", "dog " * 50])
@pytest.mark.parametrize("name", ["embed.tokens", "embed.lookup"])
def test_every_view_says_and_draws_something(record_of, name, text, model, mode):
    view, record = record_of(name, text=text, model=model)
    assert unpack(view.payload(record).pack()).header["labels"]
    said = str(view.describe(record))
    assert said.strip()
    assert not re.search(r"\{\w+\}", said)
    ElementTree.fromstring(view.svg(record, mode))
    table = view.table(record)
    assert all(len(row) == len(table.columns) for row in table.rows)


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_rows_are_rows_of_the_tables_and_the_sum_is_what_enters_the_block(record_of, model):
    view, record = record_of("embed.lookup", model=model)
    weights, ids = record.trace.weights, record.trace.ids
    payload = view.payload(record)
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


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_what_is_saved_is_the_sheet_that_is_shown(record_of, model, monkeypatch):
    view, record = record_of("embed.lookup", model=model)
    for table, sheet in enumerate(view.payload(record).header["sheets"]):
        view, record = record_of("embed.lookup", model=model, table=table)
        values = record.arrays[sheet["array"]]
        assert view.title(record) == sheet["title"]
        assert sheet["title"] in view.svg(record, "light")
        saved = view.table(record).rows
        assert [row[0] for row in saved] == sheet["rows"]["labels"]
        assert np.allclose([row[1:] for row in saved], values)
    monkeypatch.setattr("core.figures.embeddings.WHOLE_TABLE", 3)  # a long text
    for table, array in enumerate(("tokens", "positions", "total")):
        view, record = record_of("embed.lookup", model=model, token=2, table=table)
        (row,) = view.table(record).rows
        assert np.allclose(row[1:], record.arrays[array][2])


def test_equal_tokens_share_a_row_of_the_table(record_of):
    view, record = record_of("embed.lookup")
    rows = view.payload(record).header["sheets"][0]["rows"]
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


def test_the_arithmetic_adds_up(record_of):
    for model, steps in (("gpt", 3), ("bert", 6)):
        view, record = record_of("embed.lookup", model=model)
        payload = view.payload(record)
        for sheet in payload.header["sheets"]:
            assert len(sheet["how"]["steps"]) == steps
            assert sum(step["now"] for step in sheet["how"]["steps"]) == 1
        added = next(s for s in payload.header["sheets"][0]["how"]["steps"] if s["kind"] == "sum")
        total = sum(payload.arrays[term["array"]] for term in added["terms"])
        assert np.allclose(total, payload.arrays[added["result"]["array"]], atol=1e-6)


def test_the_first_word_is_looked_at_and_wild_numbers_are_brought_in(record_of):
    _, record = record_of("embed.tokens")
    assert record.token == 1  # after the start mark
    view, record = record_of("embed.lookup", token=10**5, col=10**5, table=4)
    selection = view.payload(record).header["selection"]
    assert selection["token"] == len(record.trace.ids) - 1
    assert selection["col"] == 15

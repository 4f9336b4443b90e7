"""Views of norms and the stream: the lecture's vector, what is typed in, the model's numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.errors import ParameterError
from core.figures.norms import (
    MAX_COMPONENTS,
    N_STEPS,
    OneVector,
    available,
    errata,
    read_eps,
    read_parameter,
    read_vector,
    texts,
    titles,
)
from core.figures.stream import Depth, StreamAt, stack_name
from core.figures.view import get
from core.runs import Runs
from core.training.gradients import STACKS

TEXT = "The cat sat on the mat"
WORKED = OneVector()


@pytest.fixture(scope="module")
def record_of(gpt, bert):
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])

    def record(name: str, params):
        view = get(name)
        return view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


# --- what is typed in ----


@pytest.mark.parametrize(
    "text",
    [
        "100, 200, 100, 0",
        "[100, 200, 100, 0]",
        "100 200 100 0",
        "1e2;2e2;100.;0",
        "+100,200,100,.0",
    ],
)
def test_a_vector_can_be_written_in_many_ways(text):
    assert read_vector(text).tolist() == [100, 200, 100, 0]


def test_a_minus_may_be_typographic():
    assert read_vector("−1, -2").tolist() == [-1, -2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "numbers with commas"),
        ("100, abc", "numbers with commas"),
        ("100", "between 2 and"),
        (", ".join("1" for _ in range(MAX_COMPONENTS + 1)), "between 2 and"),
        ("nan, 1", "numbers with commas"),
        ("inf, 1", "numbers with commas"),
        ("1_000, 2", "numbers with commas"),
        ("1e12, 0", "at most"),
        ("1e999, 0", "at most"),
        ("<script>", "numbers with commas"),
    ],
)
def test_what_is_no_vector_is_said(text, said):
    with pytest.raises(ParameterError, match=said):
        read_vector(text)


def test_gain_and_shift_are_a_number_each_or_one_for_all():
    assert read_parameter("a", "2", 3).tolist() == [2, 2, 2]
    assert read_parameter("a", "1, 2, 3", 3).tolist() == [1, 2, 3]
    with pytest.raises(ParameterError, match=r"a is .*3 numbers"):
        read_parameter("a", "1, 2", 3)


@pytest.mark.parametrize("text", ["-1", "1, 2", "x", ""])
def test_eps_is_one_number_from_zero_up(text):
    with pytest.raises(ParameterError, match="ε is"):
        read_eps(text)
    assert read_eps("1e-5") == 1e-5


# --- step by step ----


def test_the_worked_vector_shows_the_lectures_numbers(record_of):
    record = record_of("norm.steps", WORKED)
    rows = dict(get("norm.steps").rows(record))
    assert rows["x"].tolist() == [100, 200, 100, 0]
    assert rows["μ"].tolist() == [100] * 4
    assert rows["x − μ"].tolist() == [0, 100, 0, -100]
    assert record.steps.var == 5000
    np.testing.assert_allclose(rows["x̂"], [0, 1.4142, 0, -1.4142], atol=1e-4)
    said = [str(text) for text in texts(record)]
    assert len(said) == len(titles()) == N_STEPS
    assert "100" in said[1]
    assert "over 4, not 3: 5,000" in said[3]


def test_equal_components_say_what_eps_is_for(record_of):
    record = record_of("norm.steps", replace(WORKED, vector="7, 7, 7", eps="0"))
    assert np.isnan(record.steps.normalized).all()
    assert "0 / 0" in str(texts(record)[4])
    get("norm.steps").payload(record).pack()
    assert "nan" not in get("norm.steps").svg(record, "light")


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize("norm", ["ln_1", "ln_2", "final_norm", "embed.ln"])
def test_a_tokens_norm_shows_the_numbers_the_model_computed(record_of, model, norm):
    params = OneVector(text=TEXT, model=model, source="text", norm=norm, layer=1, token=2)
    record = record_of("norm.steps", params)
    trace, site, s = record.trace, record.site, record.steps
    assert norm == record.norm or norm not in available(trace.topology)
    assert s.mean == trace[f"{site}.mean"][2, 0]
    assert s.var == trace[f"{site}.var"][2, 0]
    np.testing.assert_array_equal(s.out, trace[f"{site}.out"][2])
    # And the arithmetic that is shown leads to them.
    assert s.x.mean() == pytest.approx(s.mean, abs=1e-6)
    np.testing.assert_allclose(s.centred / math.sqrt(s.var + s.eps), s.normalized, atol=1e-4)
    np.testing.assert_allclose(s.gain * s.normalized + s.shift, s.out, atol=1e-5)


def test_the_numbers_under_the_tokens_say_what_they_are(record_of):
    view = get("norm.strip")
    record = record_of("norm.strip", OneVector(text=TEXT, source="text", norm="ln_2", layer=1))
    payload = view.payload(record)
    heading = "".join(text for text, _role in payload.header["heading"])
    assert heading == (
        "Spread √σ² (standard deviation) of each token's vector before the norm at the feed-forward"
    )
    spread = record.trace["blocks.1.resid_mid"].astype(float).std(axis=1)
    np.testing.assert_allclose(payload.arrays["heat"], spread, rtol=1e-5)
    table = view.table(record)
    exported = [row[table.columns.index("standard deviation")] for row in table.rows]
    np.testing.assert_allclose(exported, spread, rtol=1e-5)


def test_every_row_of_the_payload_has_its_arithmetic_and_its_line(record_of):
    for params in (WORKED, OneVector(text=TEXT, source="text", token=1)):
        payload = get("norm.steps").payload(record_of("norm.steps", params))
        (sheet,) = payload.header["sheets"]
        assert len(sheet["how"]["per_row"]) == len(sheet["how"]["sources"]) == N_STEPS
        assert payload.arrays["rows"].shape[0] == N_STEPS == len(sheet["scale"]["limits"])
        for steps in sheet["how"]["per_row"]:
            for step in steps:
                for part in step.values():
                    if isinstance(part, dict):
                        assert part["array"] in payload.arrays


def test_rms_norm_differs_by_the_mean(record_of):
    record = record_of("norm.rms", WORKED)
    said = str(get("norm.rms").describe(record))
    assert "122" in said  # the root of 15,000
    rows = get("norm.rms").table(record).rows
    assert rows[1][3] == pytest.approx(200 / math.sqrt(15_000), rel=1e-4)
    centred = record_of("norm.rms", replace(WORKED, vector="1, -1, 2, -2"))
    assert np.abs([row[4] for row in get("norm.rms").table(centred).rows]).max() < 1e-9


@pytest.mark.parametrize(
    ("vector", "eps", "said"),
    [
        ("7, 7, 7, 7", "0.00001", "LayerNorm leaves 0 in each, a vector without a direction"),
        ("0, 0", "0.00001", "RMSNorm leaves 0 in each"),
        ("7, 7, 7, 7", "0", "0 / 0"),
        ("0, 0", "0", "0 / 0"),
        ("0.1, 0.1, 0.1", "0", ""),
    ],
)
def test_no_sentence_has_a_hole_where_components_are_equal(record_of, vector, eps, said):
    asked = replace(WORKED, vector=vector, eps=eps)
    compared = str(get("norm.rms").describe(record_of("norm.rms", asked)))
    assert said in compared
    record = record_of("norm.steps", asked)
    for text in (compared, *map(str, texts(record)), *errata(record)):
        assert "–" not in text


def test_a_norms_place_names_its_block_where_it_has_one(record_of):
    asked = OneVector(source="text", text=TEXT, layer=1)
    assert record_of("norm.steps", asked).place == "norm at the attention of block 1"
    assert record_of("norm.steps", replace(asked, norm="final_norm")).place == "last norm"


def test_errata_are_computed(record_of):
    scalars, variance = errata(record_of("norm.steps", WORKED))
    assert "vectors" in scalars
    assert "4 numbers" in scalars
    assert "6,667" in variance  # 20,000 / 3
    assert "1.22" in variance


# --- the stream ----


def test_the_streams_size_is_said_with_the_model_it_is_of(record_of):
    for model, said in (("gpt", "beside"), ("bert", "brings it back")):
        record = record_of("stream.sizes", StreamAt(text=TEXT, model=model, token=1))
        assert said in str(get("stream.sizes").describe(record))
        figure = get("stream.sizes").figure(record, "light")
        stream = next(t for t in figure.data if "stream of" in (t.name or ""))
        np.testing.assert_allclose(stream.y, [p.size[1] for p in record.places])


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_every_place_of_the_stream_has_a_name_of_its_own_and_is_inside_the_picture(
    record_of, model
):
    view = get("stream.sizes")
    record = record_of("stream.sizes", StreamAt(text=TEXT, model=model, token=1))
    names = view.labels(record)
    assert len(set(names)) == len(names) == len(record.places)
    # One row a place and token in the data too.
    assert len({row[:2] for row in view.table(record).rows}) == len(view.table(record).rows)
    figure = view.figure(record, "light")
    highest = max(float(np.max(trace.y)) for trace in figure.data)
    assert figure.layout.yaxis.range[1] > highest


def test_four_stacks_are_drawn_each_from_its_top(record_of):
    record = record_of("stream.gradient", Depth(text=TEXT, depth=3))
    figure = get("stream.gradient").figure(record, "dark")
    assert [t.name for t in figure.data] == [stack_name(s) for s in STACKS]
    assert figure.layout.yaxis.type == "log"
    for trace in figure.data:
        assert len(trace.y) == 4
        assert trace.y[-1] == 1
    alike = get("stream.alike").figure(record, "dark")
    assert all(-1.001 <= v <= 1.001 for trace in alike.data for v in trace.y)


def test_own_blocks_are_the_models(record_of):
    record = record_of("stream.gradient", Depth(text=TEXT, blocks="own", depth=9))
    assert not record.fresh
    assert record.depth == 2

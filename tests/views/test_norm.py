"""RMSNorm beside LayerNorm: what the mean makes of the difference, and equal components."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.norms import layer_norm_steps
from core.errors import ParameterError
from core.figures.theme import PALETTES
from core.views.norm import (
    MAX_COMPONENTS,
    N_STEPS,
    ROWS,
    OneVector,
    errata,
    read_eps,
    read_parameter,
    read_vector,
    step_rows,
    texts,
    titles,
)
from core.views.parts import names
from tests.views.records import drawn, header, rows, shown, written


def test_rms_norm_differs_by_the_mean(runs):
    view, record = shown(runs, "norm.rms")
    assert "122" in str(view.describe(record))  # the root of 15,000
    values = view.values(record)
    assert values["root_mean_square"].value == pytest.approx(math.sqrt(15_000))
    assert values["rms"].array[1] == pytest.approx(200 / math.sqrt(15_000), rel=1e-4)
    head, *lines = rows(view, record)
    assert head == ["component", "x", "LayerNorm", "RMSNorm", "difference"]
    assert float(lines[1][3]) == pytest.approx(200 / math.sqrt(15_000), rel=1e-4)
    view, centred = shown(runs, "norm.rms", vector="1, -1, 2, -2")
    assert np.abs(view.values(centred)["difference"].array).max() < 1e-9


@pytest.mark.parametrize(
    ("vector", "eps", "said"),
    [
        ("7, 7, 7, 7", "0.00001", "LayerNorm turns them all into 0, a vector without a direction"),
        ("0, 0", "0.00001", "RMSNorm turns them all into 0."),
        ("7, 7, 7, 7", "0", "0 / 0"),
        ("0, 0", "0", "0 / 0"),
        ("0.1, 0.1, 0.1", "0", ""),
    ],
)
def test_no_sentence_has_a_hole_where_components_are_equal(runs, vector, eps, said):
    view, record = shown(runs, "norm.rms", vector=vector, eps=eps)
    compared = str(view.describe(record))
    assert said in compared
    _view, record = shown(runs, "norm.steps", vector=vector, eps=eps)
    for text in (compared, *map(str, texts(record)), *errata(record)):
        assert "–" not in text


def test_both_results_and_their_difference_share_a_scale(runs):
    """On the screen and in the file: a bar of half the number is half as tall."""
    (sheet,) = header(runs, "norm.rms")["sheets"]
    first, *others = sheet["scale"]["limits"]
    assert first == 200
    assert len(set(others)) == 1
    view, record = shown(runs, "norm.rms")
    signs = (PALETTES["light"].positive, PALETTES["light"].negative)
    found = drawn(view, record, "rect")
    bars = [float(one.get("height")) for one in found if one.get("fill") in signs]
    # x: 100, 200, 100; LayerNorm: 1.41, −1.41; RMSNorm: 0.816, 1.63, 0.816; then the difference.
    assert bars[3] / bars[6] == pytest.approx(1.4142 / 1.633, rel=0.01)
    assert bars[8] / bars[6] == pytest.approx(0.8165 / 1.633, rel=0.01)
    assert {"1.41", "−1.41", "0.816", "1.63", "−0.816"} <= set(written(view, record))


def test_a_figure_alone_knows_what_is_selected(runs):
    assert (
        header(runs, "norm.rms", row="3", col="2")["selection"] | {"row": 3, "col": 2}
        == header(runs, "norm.rms", row="99", col="2")["selection"]
    )


# What each model has, in the order of computation, on the stack that predicts.
HAS = {
    "gpt": ["ln_1", "ln_2", "final_norm"],
    "bert": ["embed.ln", "ln_1", "ln_2"],
    "transformer": ["ln_1", "ln_cross", "ln_2"],
}


def test_the_worked_vector_shows_the_lectures_numbers(runs):
    _view, record = shown(runs, "norm.steps")
    row = {label: one for (_n, label, _s), one in zip(ROWS, step_rows(record), strict=True)}
    assert row["x"].tolist() == [100, 200, 100, 0]
    assert row["μ"].tolist() == [100] * 4
    assert row["x − μ"].tolist() == [0, 100, 0, -100]
    assert row["(x − μ)²"].tolist() == [0, 10_000, 0, 10_000]
    assert row["σ²"].tolist() == [5000] * 4
    np.testing.assert_allclose(row["x̂"], [0, 1.4142, 0, -1.4142], atol=1e-4)
    said = [str(text) for text in texts(record)]
    assert len(said) == len(titles()) == N_STEPS
    assert "100" in said[1]
    assert "5,000. Divide the sum by 4, not by 3." in said[4]


def test_the_stepper_says_what_each_step_does(runs):
    view, record = shown(runs, "norm.steps", norm_step="3")
    stepper = view.steps(record)
    assert (stepper.n, stepper.first, stepper.field) == (N_STEPS, 3, "norm_step")
    assert (list(stepper.titles), list(stepper.texts)) == (titles(), texts(record))


def test_every_number_is_saved_and_named(runs):
    view, record = shown(runs, "norm.steps", gain="1, 2, 3, 4", shift="5", col="3", eps="0")
    values = view.values(record)
    s = record.steps
    for name in ("x", "centred", "squares", "normalized", "scaled", "out", "gain", "shift"):
        np.testing.assert_array_equal(values[name].array, getattr(s, name))
        assert values[name].value == getattr(s, name)[3]
    assert (values["mean"].value, values["var"].value, values["eps"].value) == (100, 5000, 0)
    head, *lines = rows(view, record)
    assert head == ["component", *(label for _n, label, _s in ROWS), "a", "b"]
    root = math.sqrt(2)
    assert [float(cell) for cell in lines[3]] == pytest.approx(
        [3, 0, 100, -100, 10_000, 5000, -root, -4 * root, 5 - 4 * root, 4, 5]
    )


def test_equal_components_say_what_eps_is_for(runs):
    view, record = shown(runs, "norm.steps", vector="7, 7, 7", eps="0")
    assert np.isnan(record.steps.normalized).all()
    assert "0 / 0" in str(texts(record)[5])
    view.show(record).payload().pack()
    assert "nan" not in view.show(record).drawing("light")


@pytest.mark.parametrize(
    ("model", "norm"), [(model, norm) for model, own in HAS.items() for norm in own]
)
def test_a_tokens_norm_shows_the_numbers_the_model_computed(runs, model, norm):
    asked = {"model": model, "source": "text", "norm": norm, "layer": "1", "token": "1"}
    _view, record = shown(runs, "norm.steps", **asked)
    trace, site, s = record.trace, record.norm_at.site, record.steps
    assert norm == record.norm
    at = record.token
    assert s.mean == trace[f"{site}.mean"][at, 0]
    assert s.var == trace[f"{site}.var"][at, 0]
    np.testing.assert_array_equal(s.out, trace[f"{site}.out"][at])
    # And the arithmetic that is shown leads to them.
    assert s.x.mean() == pytest.approx(s.mean, abs=1e-6)
    np.testing.assert_allclose(s.centred / math.sqrt(s.var + s.eps), s.normalized, atol=1e-4)
    np.testing.assert_allclose(s.gain * s.normalized + s.shift, s.out, atol=1e-5)


@pytest.mark.parametrize("model", HAS)
def test_the_norms_offered_are_those_the_model_has(runs, model):
    blueprint = runs.model(model).blueprint
    assert list(names(OneVector(), blueprint, "norm")) == HAS[model]
    _view, record = shown(runs, "norm.steps", model=model, source="text")
    assert record.norm == "ln_1"
    for norm in {one for own in HAS.values() for one in own} - set(HAS[model]):
        with pytest.raises(ParameterError, match=f"norm is '{norm}'; it must be one of .*ln_1"):
            shown(runs, "norm.steps", model=model, source="text", norm=norm)


def test_each_stack_of_a_model_has_its_own_norms_and_tokens(runs):
    blueprint = runs.model("transformer").blueprint
    assert list(names(OneVector(stack="encoder"), blueprint, "norm")) == ["ln_1", "ln_2"]
    decoder = names(OneVector(stack="decoder"), blueprint, "norm")
    assert decoder == names(OneVector(), blueprint, "norm")
    for stack, stream in (
        (("encoder"), "source"),
        (("decoder"), "target"),
        ("", "target"),
    ):
        asked = {"model": "transformer", "source": "text", "stack": stack, "target": "a dog"}
        view, record = shown(runs, "norm.strip", **asked, layer="9")
        assert record.norm_at.site == f"{stack or 'decoder'}.blocks.1.ln_1"
        assert record.tokens == record.trace.streams[stream].tokens
        assert len(view.show(record).tokens) == len(record.tokens)
        # A post-norm block: what is normed is the sum after the attention.
        x = record.trace[f"{stack or 'decoder'}.blocks.1.resid_mid"][record.token]
        np.testing.assert_array_equal(record.steps.x, x)


def test_where_the_norm_stands_decides_what_it_reads(runs):
    """Before the attention in GPT, after its sum in BERT."""
    for model, read in (("gpt", "resid_pre"), ("bert", "resid_mid")):
        _view, record = shown(runs, "norm.steps", model=model, source="text", layer="1", token="2")
        np.testing.assert_array_equal(record.steps.x, record.trace[f"blocks.1.{read}"][2])
    _view, record = shown(runs, "norm.steps", model="bert", source="text", norm="embed.ln")
    parts = (record.trace[f"embed.{table}"] for table in ("tokens", "positions", "types"))
    np.testing.assert_allclose(record.steps.x, sum(parts)[record.token], atol=1e-6)


def test_every_row_of_the_payload_has_its_arithmetic_and_its_line(runs):
    for asked in ({}, {"source": "text", "token": "1"}):
        view, record = shown(runs, "norm.steps", **asked)
        payload = view.show(record).payload()
        (sheet,) = payload.header["sheets"]
        assert len(sheet["how"]["per_row"]) == len(sheet["how"]["sources"]) == N_STEPS
        assert payload.arrays["rows"].shape[0] == N_STEPS == len(sheet["scale"]["limits"])
        for steps in sheet["how"]["per_row"]:
            for step in steps:
                for part in step.values():
                    if isinstance(part, dict):
                        assert part["array"] in payload.arrays


def test_the_lines_are_those_of_our_own_steps_or_of_the_models_layer(runs):
    (sheet,) = header(runs, "norm.steps")["sheets"]
    first, *others = sheet["how"]["sources"]
    assert first is None
    assert {one["path"] for one in others} == {"core/analysis/norms.py"}
    assert [one["code"].split(" = ")[0] for one in others] == [
        "mean", "centred", "squares", "var", "normalized", "scaled", "out",
    ]  # fmt: skip
    (sheet,) = header(runs, "norm.steps", source="text", norm="final_norm")["sheets"]
    first, *others = sheet["how"]["sources"]
    assert first["path"] == "core/nn/blocks.py"
    assert {one["path"] for one in others} == {"core/nn/norms.py"}


def test_a_norms_place_names_its_block_where_it_has_one(runs):
    _view, record = shown(runs, "norm.steps", source="text", layer="1")
    assert record.place == "LayerNorm at the attention of layer 1"
    _view, record = shown(runs, "norm.steps", source="text", layer="1", norm="final_norm")
    assert record.place == "last LayerNorm"
    asked = {"model": "transformer", "source": "text", "layer": "0", "norm": "ln_cross"}
    _view, record = shown(runs, "norm.steps", **asked)
    assert record.place == "LayerNorm at the cross-attention of layer 0"


def test_errata_are_computed(runs):
    view, record = shown(runs, "norm.steps")
    scalars, variance = errata(record)
    assert "vectors" in scalars
    assert "4 numbers" in scalars
    assert "6,667" in variance  # 20,000 / 3
    assert "1.22" in variance
    notes = [(note.kind, str(note.text)) for note in view.notes(record)]
    assert notes == [("erratum", scalars), ("erratum", variance)]


# --- the drawing is what the screen shows ----


def coloured(view, record):
    """The bars of a drawing: their colours and heights."""
    found = drawn(view, record, "rect")
    signs = (PALETTES["light"].positive, PALETTES["light"].negative)
    bars = [one for one in found if one.get("fill") in signs]
    return [(one.get("fill"), float(one.get("height"))) for one in bars]


def test_a_saved_drawing_has_the_bars_of_the_screen_with_their_numbers(runs):
    view, record = shown(runs, "norm.steps", norm_step="2", col="3")
    sheet = view.show(record).shown
    assert (sheet.glyph, sheet.numbers) == ("bars", True)
    bars = coloured(view, record)
    assert len(bars) == 3 + 4 + 2  # no bar for a 0
    assert len({colour for colour, _tall in bars}) == 2  # x − μ has a negative one
    tall = [height for _colour, height in bars]
    assert tall[1] == pytest.approx(2 * tall[0])  # 200 and 100
    words = written(view, record)
    assert {"200", "−100"} <= set(words)
    assert "10,000" not in words, "a row that is still to come"
    assert "1.41" not in words
    view, record = shown(runs, "norm.steps", norm_step="5")
    assert {"10,000", "5,000", "1.41", "−1.41"} <= set(written(view, record))


def test_a_drawing_of_many_components_has_bars_alone_and_the_window_that_is_shown(runs):
    vector = ", ".join(str(n) for n in range(1, 41))
    view, record = shown(runs, "norm.steps", vector=vector)
    assert not {"1.00", "40.0", "20.5"} & set(written(view, record))
    assert len(coloured(view, record)) == 8 * 40
    x, ones = np.arange(1.0, 201.0), np.ones(200)
    long = replace(record, params=OneVector(col=150), steps=layer_norm_steps(x, ones, ones, 0.0))
    assert len(coloured(view, long)) == 8 * 96
    assert "Drawn: rows 0 to 7 of 8, columns 55 to 150 of 200." in written(view, long)
    dragged = replace(view.show(long), window=(0, 20)).drawing("light")
    assert "columns 20 to 115 of 200." in dragged


def test_what_is_no_number_is_drawn_as_nothing(runs):
    view, record = shown(runs, "norm.steps", vector="7, 7, 7", eps="0")
    assert len(coloured(view, record)) == 6  # x and μ; the rest is 0 or no number
    assert "–" not in written(view, record)


def test_the_default_parameters_are_those_of_old_links():
    params = OneVector()
    assert (params.source, params.vector, params.gain, params.shift, params.eps) == (
        "worked", "100, 200, 100, 0", "1", "0", "0.00001",
    )  # fmt: skip
    assert (params.layer, params.norm, params.token) == (5, "", -1)
    assert (params.norm_step, params.col, params.row) == (7, 1, 2)


ASKED = {"source": "text", "norm": "ln_2", "layer": "1"}


def test_the_numbers_under_the_tokens_say_what_they_are(runs):
    view, record = shown(runs, "norm.strip", **ASKED)
    payload = view.show(record).payload()
    heading = "".join(text for text, _role in payload.header["heading"])
    assert heading == (
        "Spread √σ² (standard deviation) of each token's vector before the LayerNorm at the "
        "feed-forward network"
    )
    spread = record.trace["blocks.1.resid_mid"].astype(float).std(axis=1)
    np.testing.assert_allclose(payload.arrays["heat"], spread, rtol=1e-5)
    head, *lines = rows(view, record)
    assert head == ["token", "position", "mean", "variance", "standard deviation"]
    exported = [float(line[head.index("standard deviation")]) for line in lines]
    np.testing.assert_allclose(exported, spread, rtol=1e-5)
    assert [line[1] for line in lines] == [str(at) for at in range(len(lines))]


def test_it_shows_the_text_though_a_vector_was_typed_in(runs):
    view, record = shown(runs, "norm.strip", source="worked")
    assert record.run is not None
    assert len(view.show(record).tokens) == len(record.trace.tokens)


def test_every_token_has_its_reading(runs):
    view, record = shown(runs, "norm.strip", **ASKED, token="2")
    strip = view.show(record)
    assert len(strip.readings) == len(strip.tokens)
    assert str(strip.readings[2]) == strip.alt == str(view.describe(record))
    mean = record.trace["blocks.1.ln_2.mean"][2, 0]
    assert view.values(record)["mean"].value == mean


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


@pytest.mark.parametrize("text", ["1,5, 2,5, 4, 0", "1,5 2,5 4 0", "1,5; 2,5; 4; 0", "1.5,2.5,4,0"])
def test_a_comma_between_digits_is_a_decimal_sign_where_something_else_parts_them(text):
    assert read_vector(text).tolist() == [1.5, 2.5, 4, 0]


def test_a_single_number_may_have_a_decimal_comma():
    assert read_parameter("a", "1,5", 4).tolist() == [1.5] * 4
    assert read_eps("0,001") == 0.001


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "numbers separated by commas"),
        ("100, abc", "numbers separated by commas"),
        ("100", "between 2 and"),
        (", ".join("1" for _ in range(MAX_COMPONENTS + 1)), "between 2 and"),
        ("nan, 1", "numbers separated by commas"),
        ("inf, 1", "numbers separated by commas"),
        ("1_000, 2", "numbers separated by commas"),
        ("1e12, 0", "at most"),
        ("1e999, 0", "at most"),
        ("<script>", "numbers separated by commas"),
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
    with pytest.raises(ParameterError, match="one number for all components, or numbers sep"):
        read_parameter("a", "abc", 3)


@pytest.mark.parametrize("text", ["-1", "1, 2", "x", ""])
def test_eps_is_one_number_from_zero_up(text):
    with pytest.raises(ParameterError, match=r"ε is .*; it must be one number, 0 or more"):
        read_eps(text)
    assert read_eps("1e-5") == 1e-5

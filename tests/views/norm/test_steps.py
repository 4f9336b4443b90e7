"""One vector step by step: the lecture's, what is typed in, and what models computed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.norms import layer_norm_steps
from core.errors import ParameterError
from core.figures.theme import PALETTES
from core.views.norm.sentences import errata, texts, titles
from core.views.norm.steps import ROWS, rows
from core.views.norm.vector import N_STEPS, OneVector
from core.views.parts import names
from tests.views import records
from tests.views.records import drawn, header, shown, written

# What each model has, in the order of computation, on the stack that predicts.
HAS = {
    "gpt": ["ln_1", "ln_2", "final_norm"],
    "bert": ["embed.ln", "ln_1", "ln_2"],
    "transformer": ["ln_1", "ln_cross", "ln_2"],
}


def test_the_worked_vector_shows_the_lectures_numbers(runs):
    _view, record = shown(runs, "norm.steps")
    row = {label: one for (_n, label, _s), one in zip(ROWS, rows(record), strict=True)}
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
    head, *lines = records.rows(view, record)
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
    trace, site, s = record.trace, record.at.site, record.steps
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
        assert record.at.site == f"{stack or 'decoder'}.blocks.1.ln_1"
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

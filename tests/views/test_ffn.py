"""The non-linearity: every function, with the token's own values on it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.analysis.units import FUNCTIONS
from core.errors import ParameterError
from core.figures.drawing import cell_colour
from core.figures.text import number
from core.figures.theme import PALETTES
from core.views.ffn import FORMULAS, N_WORDS, NAMES, Units, entering
from tests.views.records import drawn, header, rows, shown, written

TEXT = "The cat sat on the mat"


def curve_of(runs, **values):
    asked = {"text": TEXT, "layer": "1", **{n: str(value) for n, value in values.items()}}
    return shown(runs, "ffn.curve", **asked)


@pytest.mark.parametrize("function", NAMES)
def test_every_function_is_drawn_with_the_tokens_values_on_it(runs, function):
    view, record = curve_of(runs, function=function, token=2)
    figure = view.show(record).figure("light")
    dots = next(t for t in figure.data if t.name == "units")
    pre = record.trace["blocks.1.ffn.pre"][2]
    np.testing.assert_allclose(np.asarray(dots.x, float), pre)
    expected = FUNCTIONS["silu" if function == "gated" else function](pre)
    np.testing.assert_allclose(np.asarray(dots.y, float), expected, atol=1e-5)
    curves = [t for t in figure.data if getattr(t, "mode", None) == "lines"]
    assert len(curves) == (4 if function == "gated" else 1)
    # Each says its name where it is pointed at.
    assert all("%{fullData.name}" in t.hovertemplate or t.name in t.hovertemplate for t in curves)


def test_every_function_has_its_formula():
    assert set(FORMULAS) == set(NAMES) == {*FUNCTIONS, "gated"}


def test_it_says_when_the_function_is_not_the_models(runs):
    own, other = (
        str(view.describe(record))
        for view, record in (curve_of(runs), curve_of(runs, function="relu"))
    )
    assert "another function" not in own
    assert "another function" in other
    assert "never more than" in own  # the two GELUs


def test_the_units_are_counted_in_a_plot_of_their_own_under_the_curve(runs):
    view, record = curve_of(runs)
    plot = view.show(record)
    (panel,) = plot.below
    (counted,) = panel.series
    assert sum(counted.y) == record.n
    assert panel.y.title == "units"
    assert panel.y.ticks[0] == 0
    assert panel.y.ticks[-1] == max(counted.y) < panel.y.range[1]
    axes = plot.figure("light").layout
    assert axes.yaxis2.domain[1] < axes.yaxis.domain[0]


def test_the_selected_unit_is_marked_by_its_number_on_page_and_file(runs):
    view, record = curve_of(runs, unit=7, token=2)
    (dot,) = (t for t in view.show(record).figure("light").data if t.name == "unit 7")
    pre, post = (record.trace[f"blocks.1.ffn.{name}"][2, 7] for name in ("pre", "post"))
    assert [float(dot.x[0]), float(dot.y[0])] == pytest.approx([float(pre), float(post)])
    texts = written(view, record)
    assert "7" in texts
    assert {"before the activation function, h", "after it", "units"} <= set(texts)


def test_every_unit_is_saved_before_and_after(runs):
    for model, stack in (("gpt", ""), ("transformer", "encoder")):
        view, record = curve_of(runs, model=model, stack=stack, token=2)
        table = rows(view, record)
        assert table[0] == ["unit", entering(record), f"after {record.activation}"]
        assert len(table) == 1 + record.n
        assert float(table[6][1]) == record.site("pre")[2, 5]
        assert float(table[6][2]) == record.site("post")[2, 5]


LONG = "the cat sat on the mat and " * 4
VIEWS = ("ffn.strip", "ffn.units", "ffn.words")
# Every stack of every machine.
STACKS = [
    ("gpt", ""),
    ("bert", ""),
    ("transformer", ("encoder")),
    ("transformer", ("decoder")),
]


@pytest.fixture
def record_of(runs):
    def record(name: str, **values) -> Units:
        asked = {"text": TEXT, "layer": "1", **{n: str(value) for n, value in values.items()}}
        return shown(runs, name, **asked)[1]

    return record


def view_of(runs, name: str, **values: str):
    return shown(runs, name, **{"text": TEXT, "layer": "1", **values})


# --- which units -------------------------------------------------------------------------


def test_the_listed_units_are_the_strongest_on_the_token(record_of):
    record = record_of("ffn.units", token=3)
    post = np.abs(record.trace["blocks.1.ffn.post"][3])
    assert record.listed == sorted(range(32), key=lambda u: -post[u])[:12]
    assert record.unit == int(post.argmax())


def test_or_the_strongest_anywhere_in_the_text(record_of):
    record = record_of("ffn.units", rank="text")
    most = np.abs(record.trace["blocks.1.ffn.post"]).max(axis=0)
    assert record.listed[0] == int(most.argmax())


def test_a_chosen_unit_is_always_listed(record_of):
    quiet = int(np.abs(record_of("ffn.units", token=3).trace["blocks.1.ffn.post"][3]).argmin())
    record = record_of("ffn.units", token=3, unit=quiet)
    assert record.unit == quiet
    assert quiet in record.listed
    assert len(record.listed) == 12
    assert record_of("ffn.units", token=3, unit=10_000).unit < 32


def test_the_network_is_that_of_the_chosen_stack(record_of):
    for model, stack in STACKS:
        record = record_of("ffn.units", model=model, stack=stack)
        prefix = f"{stack}.blocks.1.ffn." if stack else "blocks.1.ffn."
        assert record.prefix == prefix
        assert record.site("post").shape == (len(record.tokens), record.n)
        assert record.place == (f"1 ({stack})" if stack else "1")
    assert record_of("ffn.units", model="transformer").stack.name == "decoder"
    with pytest.raises(ParameterError, match="stack is 'encoder'; it must be one of blocks"):
        _ = record_of("ffn.units", model="gpt", stack="encoder").prefix


# --- what is shown of them ---------------------------------------------------------------


@pytest.mark.parametrize(("model", "stack"), STACKS)
def test_the_arithmetic_that_is_shown_gives_the_numbers_of_the_run(runs, model, stack):
    view, record = view_of(runs, "ffn.units", model=model, stack=stack, token="2")
    payload = view.show(record).payload()
    arrays = payload.arrays
    (sheet,) = payload.header["sheets"]
    assert sheet["rows"]["ids"] == record.listed
    for row in range(len(record.listed)):
        for at in range(len(record.tokens)):
            total = float(arrays["w_1"][row] @ arrays["x"][at]) + float(arrays["b_1"][row])
            assert arrays["pre"][row, at] == pytest.approx(total, abs=1e-4)
    after = FUNCTIONS[record.activation](arrays["pre"])
    np.testing.assert_allclose(arrays["post"], after, atol=1e-5)


@pytest.mark.parametrize(("model", "stack"), STACKS)
def test_words_are_those_with_the_largest_and_the_smallest_numbers(runs, model, stack):
    values = {"model": model, "stack": stack, "token": "2"}
    view, record = view_of(runs, "ffn.units", **values)
    lists = view.show(record).payload().header["lists"]["words"]
    assert len(lists) == len(record.listed)
    amounts = [value for _word, value in lists[0]]
    own = np.sort(record.per_word[0])
    np.testing.assert_allclose(amounts[:N_WORDS], own[::-1][:N_WORDS], rtol=1e-6)
    np.testing.assert_allclose(sorted(amounts[N_WORDS:]), own[:N_WORDS], rtol=1e-6)
    table = rows(*view_of(runs, "ffn.words", **values))
    assert float(table[1][3]) == pytest.approx(own[-1], rel=1e-5)


def said(runs, **values) -> str:
    """All that is said of the words of the selected unit."""
    asked = {name: str(value) for name, value in values.items()}
    (units, of_units), (words, of_words) = (
        view_of(runs, name, **asked) for name in ("ffn.units", "ffn.words")
    )
    (sheet,) = units.show(of_units).payload().header["sheets"]
    (listed,) = words.show(of_words).payload().header["sheets"]
    return " ".join(
        [str(units.describe(of_units)), str(words.describe(of_words)),
         sheet["how"]["steps"][-1]["title"], listed["axes"][0][0],
         rows(words, of_words)[0][3]]
    )  # fmt: skip


def test_a_logit_is_said_with_the_token_it_holds_for(runs, record_of):
    last, first = said(runs, layer=1, token=2), said(runs, layer=0, token=2)
    assert "adds to the logits after “cat” (scale of the final norm held fixed)" in last
    assert "scale held fixed as on “cat”" in last
    assert "direct path alone" not in last
    assert first.count("direct path alone: later layers read it too") == 2
    # Another token, another divisor.
    one, other = (record_of("ffn.words", layer=1, token=at, unit=3) for at in (2, 3))
    row, row_of_other = (r.per_word[r.listed.index(3)] for r in (one, other))
    var = one.trace["final_norm.var"] + one.trace.config.eps
    np.testing.assert_allclose(row, row_of_other * np.sqrt(var[3] / var[2]), rtol=1e-4)


@pytest.mark.parametrize(("model", "stack"), STACKS[1:])
def test_of_a_model_with_norms_after_the_sums_no_logit_is_said(runs, model, stack):
    for layer in (0, 1):
        words = said(runs, model=model, stack=stack, layer=layer, token=2)
        assert "logit" not in words
        assert "direct path" not in words
        assert "cosine" in words


def test_the_strip_follows_the_selected_unit(runs):
    view, record = view_of(runs, "ffn.strip", token="2")
    payload = view.show(record).payload()
    assert payload.header["heat_ids"] == record.listed
    assert payload.header["heat_field"] == "unit"
    post = record.trace["blocks.1.ffn.post"]
    np.testing.assert_array_equal(payload.arrays["heat"], post[:, record.listed].T)


# --- what is saved -----------------------------------------------------------------------


def test_the_saved_strip_shows_the_unit_as_the_screen_does(runs):
    """Negative numbers too, which were drawn like 0, and the reading of the token."""
    view, record = view_of(runs, "ffn.strip", token="2")
    post = record.site("post")[:, record.unit]
    assert post.min() < 0 < post.max()
    texts = written(view, record)
    assert {number(float(value), 2) for value in post} <= set(texts)
    assert str(view.describe(record)).split(";")[0] in " ".join(texts)
    grounds = [one.attrib["fill"] for one in drawn(view, record, "rect")][1 : 1 + len(post)]
    limit = view.show(record).heat_limit
    wanted = [cell_colour(PALETTES["light"], "signed", float(value), limit) for value in post]
    assert grounds == wanted


def test_a_saved_matrix_of_a_long_text_holds_the_selected_token(runs):
    """It was always the first 48 columns."""
    view, record = view_of(runs, "ffn.units", text=LONG)
    figure, n = view.show(record), 60
    (sheet,) = figure.sheets
    long = dataclasses.replace(
        figure,
        sheets=[dataclasses.replace(sheet, cols=dataclasses.replace(sheet.cols, labels=["a"] * n))],
        arrays={"post": np.tile(figure.arrays["post"], (1, n))[:, :n]},
        selection={"token": n - 1},
    )
    assert f"columns {n - 48} to {n - 1} of {n}" in long.drawing("light")


def test_all_numbers_of_the_listed_units_are_saved(runs):
    view, record = view_of(runs, "ffn.units", token="2")
    table = rows(view, record)
    end = table.index([])
    assert table[0] == ["unit", "token", "position", entering(record), "after"]
    assert end == 1 + len(record.listed) * len(record.tokens)
    for line in table[1:end]:
        unit, at = int(line[0]), int(line[2])
        assert float(line[4]) == record.site("post")[at, unit]
    table = rows(*view_of(runs, "ffn.strip", token="2", unit="5"))
    assert [float(line[3]) for line in table[1:]] == record.site("post")[:, 5].tolist()


def test_the_title_names_the_block_and_its_stack(runs):
    assert header(runs, "ffn.strip", text=TEXT, unit="3")["labels"]["strip"] == (
        "Activation of unit 3 in layer 1, for each token"
    )
    two = {"model": "transformer", "stack": "encoder"}
    assert header(runs, "ffn.strip", text=TEXT, unit="3", **two)["labels"]["strip"] == (
        "Activation of unit 3 in layer 1 (encoder), for each token"
    )

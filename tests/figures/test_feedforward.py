"""Views of the feed-forward network: strongest units, curve and words are those of the run."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.units import FUNCTIONS
from core.figures.feedforward import N_WORDS, NAMES, AtUnit
from core.figures.view import get
from core.runs import Runs

TEXT = "The cat sat on the mat"
VIEWS = ("ffn.strip", "ffn.units", "ffn.words")


@pytest.fixture(scope="module")
def record_of(gpt, bert):
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])

    def record(name: str, **values):
        view, params = get(name), AtUnit(**{"text": TEXT, "layer": 1, **values})
        return view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


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


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_arithmetic_that_is_shown_gives_the_numbers_of_the_run(record_of, model):
    record = record_of("ffn.units", model=model, token=2)
    payload = get("ffn.units").payload(record)
    arrays = payload.arrays
    (sheet,) = payload.header["sheets"]
    assert sheet["rows"]["ids"] == record.listed
    for row in range(len(record.listed)):
        for at in range(len(record.trace.tokens)):
            total = float(arrays["w_1"][row] @ arrays["x"][at]) + float(arrays["b_1"][row])
            assert arrays["pre"][row, at] == pytest.approx(total, abs=1e-4)
    after = FUNCTIONS[record.activation](arrays["pre"])
    np.testing.assert_allclose(arrays["post"], after, atol=1e-5)


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_words_are_those_with_the_largest_and_the_smallest_numbers(record_of, model):
    record = record_of("ffn.units", model=model, token=2)
    lists = get("ffn.units").payload(record).header["lists"]["words"]
    assert len(lists) == len(record.listed)
    values = [value for _word, value in lists[0]]
    own = np.sort(record.per_word[0])
    np.testing.assert_allclose(values[:N_WORDS], own[::-1][:N_WORDS], rtol=1e-6)
    np.testing.assert_allclose(sorted(values[N_WORDS:]), own[:N_WORDS], rtol=1e-6)
    table = get("ffn.words").table(record_of("ffn.words", model=model, token=2))
    assert table.rows[0][3] == pytest.approx(own[-1], rel=1e-5)


def said(record_of, **values) -> str:
    """All that is said of the words of the selected unit."""
    units, words = (record_of(name, **values) for name in ("ffn.units", "ffn.words"))
    (sheet,) = get("ffn.units").payload(units).header["sheets"]
    (listed,) = get("ffn.words").payload(words).header["sheets"]
    return " ".join(
        [str(get("ffn.units").describe(units)), str(get("ffn.words").describe(words)),
         sheet["how"]["steps"][-1]["title"], listed["axes"][0][0],
         get("ffn.words").table(words).columns[3]]
    )  # fmt: skip


def test_a_logit_is_said_with_the_token_it_holds_for(record_of):
    last, first = said(record_of, layer=1, token=2), said(record_of, layer=0, token=2)
    assert "directly to the logits after “cat”, the final norm's divisor held fixed" in last
    assert "its divisor as on “cat”" in last
    assert "direct path alone" not in last
    assert first.count("direct path alone: the later blocks read it too") == 2
    # Another token, another divisor.
    one, other = (record_of("ffn.words", layer=1, token=at, unit=3) for at in (2, 3))
    row, row_of_other = (r.per_word[r.listed.index(3)] for r in (one, other))
    var = one.trace["final_norm.var"] + one.trace.config.eps
    np.testing.assert_allclose(row, row_of_other * np.sqrt(var[3] / var[2]), rtol=1e-4)


def test_of_a_model_with_norms_after_the_sums_no_logit_is_said(record_of):
    for layer in (0, 1):
        words = said(record_of, model="bert", layer=layer, token=2)
        assert "logit" not in words
        assert "direct path" not in words
        assert "cosine" in words


def test_the_strip_follows_the_selected_unit(record_of):
    record = record_of("ffn.strip", token=2)
    payload = get("ffn.strip").payload(record)
    assert payload.header["heat_ids"] == record.listed
    assert payload.header["heat_field"] == "unit"
    post = record.trace["blocks.1.ffn.post"]
    np.testing.assert_array_equal(payload.arrays["heat"], post[:, record.listed].T)


@pytest.mark.parametrize("function", NAMES)
def test_every_function_is_drawn_with_the_tokens_values_on_it(record_of, function):
    view = get("ffn.curve")
    record = record_of("ffn.curve", function=function, token=2)
    figure = view.figure(record, "light")
    dots = next(t for t in figure.data if t.name == "units")
    pre = record.trace["blocks.1.ffn.pre"][2]
    np.testing.assert_allclose(np.asarray(dots.x, float), pre)
    expected = FUNCTIONS["silu" if function == "gated" else function](pre)
    np.testing.assert_allclose(np.asarray(dots.y, float), expected, atol=1e-5)
    curves = [t for t in figure.data if getattr(t, "mode", None) == "lines"]
    assert len(curves) == (4 if function == "gated" else 1)


def test_it_says_when_the_function_is_not_the_models(record_of):
    view = get("ffn.curve")
    own = str(view.describe(record_of("ffn.curve")))
    other = str(view.describe(record_of("ffn.curve", function="relu")))
    assert "another function" not in own
    assert "another function" in other
    assert "never more than" in own  # the two GELUs


@pytest.mark.parametrize("text", ["a", "<script>", "🙂 ‮x"])
@pytest.mark.parametrize("name", [*VIEWS, "ffn.curve"])
def test_any_text(record_of, name, text):
    view = get(name)
    record = record_of(name, text=text, token=99, layer=99)
    assert str(view.describe(record))
    assert view.table(record).rows


def test_the_units_are_counted_on_an_axis_with_numbers(record_of):
    view = get("ffn.curve")
    figure = view.figure(record_of("ffn.curve"), "light")
    axis = figure.layout.yaxis2
    assert axis.title.text == "how many units"
    assert axis.showticklabels is not False
    assert axis.tickvals[0] == 0
    assert 0 < axis.tickvals[-1] < axis.range[1]

"""RMSNorm beside LayerNorm: what the mean makes of the difference, and equal components."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.figures.theme import PALETTES
from core.views.norm.sentences import errata, texts
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

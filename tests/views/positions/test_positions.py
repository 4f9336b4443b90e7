"""What all views of order have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core import views
from core.figures.components.plot import Heat
from core.views.positions.sinusoidal import SPAN
from tests.views.test_views import check

PLOTS = [
    "positions.sinusoidal", "positions.curves", "positions.similarity", "positions.learned",
    "positions.pairs", "positions.beyond",
]  # fmt: skip
ALL = [*PLOTS, "positions.binary", "positions.shuffle"]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"d_model": 2, "positions": 2, "pair": 511},
        {"d_model": 17, "positions": SPAN, "apart": True},
        {"kind": "sinusoidal", "model": "bert"},
        {"kind": "rotary", "text": "a"},
        {"kind": "relative", "shuffle_seed": 7, "text": "<b>&'\" 🙂 " * 9},
        {"model": "transformer"},
        {"model": "transformer", "text": "a", "kind": "rotary"},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ALL)
def test_the_contract_holds_for_few_and_odd_numbers(record_of, name, values):
    view, record = record_of(name, **values)
    check(view, record)
    if name in PLOTS:
        figure = view.show(record).figure("light")
        assert figure.layout.xaxis.title.text
        assert figure.layout.yaxis.title.text


def test_what_is_pointed_at_in_a_table_stays_there(record_of):
    """Its rows and columns are nobody else's: not the units of a network, not another's rows."""
    for name in ("positions.binary", "positions.shuffle"):
        view, record = record_of(name)
        (sheet,) = view.show(record).payload().header["sheets"]
        fields = {sheet["rows"]["field"], sheet["cols"]["field"]}
        others = {
            field
            for other in views.all_views().values()
            if not other.name.startswith("positions.")
            for field in other.Params.__dataclass_fields__
        }
        assert not fields & (others - {"token"}), name


@pytest.mark.parametrize("name", PLOTS)
def test_no_number_is_left_out_of_what_is_saved(record_of, name):
    """Every series of a plot is among the named values, whole."""
    view, record = record_of(name)
    saved = [known(one.array) for one in view.values(record).values()]
    for series in view.show(record).all:
        drawn = known(series.z if isinstance(series, Heat) else series.y)
        assert any(len(one) == len(drawn) and np.allclose(one, drawn) for one in saved)


def known(values: Any) -> np.ndarray:
    """The numbers of an array, in order of size; NaN is none."""
    flat = np.asarray(values, np.float64).ravel()
    return np.sort(flat[~np.isnan(flat)])

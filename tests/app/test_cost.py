"""The page on costs: a published machine has no form, one's own has, and both have a bill."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.views.cost.plan import SIZES
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, opened

COST_PAGE = "labs/cost.py"


def offered(app: AppTest) -> list[str]:
    """The names of what can be changed."""
    return [one["name"] for found in figures(app) for one in found.controls]


def warnings(app: AppTest) -> list[str]:
    """What the page warns of."""
    return [words(said) for one in figures(app) for kind, said in one.said["notes"]
            if kind == "warning" and kind in one.spec["notes"]]  # fmt: skip


def test_a_machine_of_ones_own_has_a_form_and_a_bill():
    app = opened(COST_PAGE, cost_plan="gpt3")
    check(app)
    assert offered(app) == ["cost_plan", "cost_length", "cost_source"]
    assert not warnings(app)
    app = opened(COST_PAGE, cost_plan="own", cost_width="512", cost_heads="5")
    check(app)
    assert offered(app) == ["cost_plan", "cost_kind", *SIZES, "cost_length", "cost_source"]
    found = figure(app, "cost.sizes")
    assert found.answer is not None
    assert ["512 is no multiple of 5 heads" in one for one in warnings(app)] == [True]
    assert "= 4,194,304" in str(found.answer.header)  # 8,192 entries of 512 numbers

"""The page on costs: a published machine has no form, one's own has, and both have a bill."""

from __future__ import annotations

from tests.app.test_labs import texts
from tests.app.test_pages import check, opened

COST_PAGE = "labs/cost.py"


def test_a_machine_of_ones_own_has_a_form_and_a_bill():
    app = opened(COST_PAGE, cost_plan="gpt3")
    check(app)
    assert "Width d_model" not in {one.label for one in app.number_input}
    app = opened(COST_PAGE, cost_plan="own", cost_width="512", cost_heads="5")
    check(app)
    assert "Width d_model" in {one.label for one in app.number_input}
    assert "512 is no multiple of 5 heads" in " ".join(one.value for one in app.warning)
    assert "= 4,194,304" in texts(app)  # 8,192 entries of 512 numbers

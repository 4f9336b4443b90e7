"""The second half of the page of what came after: a text is drawn, and the numbers are live."""

from __future__ import annotations

import re

from core.digits import index
from core.locale import grouped
from tests.app.test_beyond import PAGE, said
from tests.app.test_pages import check, headers, opened


def test_a_text_is_drawn_and_an_empty_one_too():
    app = opened(PAGE, draw_text="write a three, please")
    check(app)
    plain = re.sub(r"<[^>]*>", "", said(app))
    assert "for “write a three, please”, the CNN reads “" in plain
    assert grouped(index.read().parameters) in said(app)
    pictures, looks = (one for one in headers(app, "tiles"))
    assert (pictures["frames"], pictures["frame_field"]) == (25, "drawing_step")
    assert looks["frame_field"] == "drawing_step"
    app = opened(PAGE, draw_text="")
    check(app)
    assert "without a text" in said(app)

"""The second half of the page of what came after: a text is drawn, and the numbers are live."""

from __future__ import annotations

from core.digits import index
from core.locale import grouped
from tests.app.answered import figure, figures, words
from tests.app.test_beyond import PAGE
from tests.app.test_pages import check, opened


def test_a_text_is_drawn_and_an_empty_one_too():
    app = opened(PAGE, draw_text="write a three, please")
    check(app)
    pictures = figure(app, "digits.pictures")
    said = words(pictures.said["reading"])
    assert "for “write a three, please”, the CNN reads “" in said
    assert any(grouped(index.read().parameters) in one.value for one in app.markdown)
    assert pictures.answer.header["frames"] == 25
    assert pictures.answer.header["frame_field"] == "drawing_step"
    assert pictures.said["steps"]["n"] == 25
    assert not pictures.said["steps"]["keys"]
    assert figure(app, "digits.looks").answer.header["frame_field"] == "drawing_step"
    (how,) = [words(text) for one in figures(app) if one.spec["view"] == "digits.pictures"
              for kind, text in one.said["notes"] if kind in one.spec["notes"]]  # fmt: skip
    assert how.startswith("It takes 24 equal steps.")
    app = opened(PAGE, draw_text="")
    check(app)
    assert "without a text" in words(figure(app, "digits.pictures").said["reading"])

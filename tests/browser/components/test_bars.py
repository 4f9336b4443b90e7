"""Bars: stages with their cuts, frames that follow the selection, two sides, picking."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.payload import Payload
from core.figures.text import percent
from core.language import use_language


def bars(probs, words="a b c", **more) -> Payload:
    """Frames of rows; ``probs`` is ``(frames, stages or series, rows)``."""
    probs = np.array(probs, np.float32)
    rows = [{"id": word, "label": word} for word in words.split()]
    frames = [{"rows": rows, "title": [[f"frame {n}", "plain"]]} for n in range(len(probs))]
    return Payload(
        {"frames": frames, "stages": [""], "alt": "a distribution", "labels": {"cut": "cut"}}
        | more,
        {"probs": probs},
    )


def shares(one) -> list[str]:
    return [text.strip() for text in one.locator(".share").all_inner_texts()]


def widths(one) -> list[float]:
    return one.locator(".bar").evaluate_all(
        "(nodes) => nodes.map((n) => parseFloat(n.style.width))"
    )


def test_each_bar_is_as_long_as_its_number(bare):
    one = bare.show("bars", bars([[[0.6, 0.3, 0.1]]]))
    bare.settle()
    assert shares(one) == [percent(v) for v in np.float32([0.6, 0.3, 0.1])]
    assert widths(one) == pytest.approx([60, 30, 10], abs=0.01)
    title = one.locator(".row").first.get_attribute("title")
    assert np.float32(title.split()[-1]) == np.float32(0.6)  # the whole number


def test_numbers_have_the_signs_of_the_learners_language(bare):
    use_language("fr")
    try:
        one = bare.show("bars", bars([[[0.961, 0.039, 0.0005]]]))
        assert shares(one) == ["96\u202f%", "3,9\u202f%", "0,050\u202f%"]
        one = bare.show("bars", bars([[[1234, 5, 1]]], unit="count"))
        assert shares(one) == ["1\u202f234", "5", "1"]
        assert bare.page.evaluate("document.documentElement.lang") == "fr"
    finally:
        use_language("en")
    one = bare.show("bars", bars([[[1234, 5, 1]]], unit="count"))
    assert shares(one) == ["1,234", "5", "1"]
    assert bare.page.evaluate("document.documentElement.lang") == "en"


def test_stages_are_tabs_and_what_a_filter_cuts_is_hatched(bare):
    one = bare.show("bars", bars([[[0.5, 0.3, 0.2], [0.625, 0.375, 0]]], stages=["model", "top-2"]))
    assert shares(one)[2] == "cut · 20 %"
    bare.settle()
    # The hatch is as long as the probability was before the cut, of 100 %.
    assert widths(one) == pytest.approx([62.5, 37.5, 20], abs=0.01)
    track, bar = (one.locator(f".row:nth-child(3) .{name}").bounding_box()["width"]
                  for name in ("track", "bar"))  # fmt: skip
    assert bar == pytest.approx(0.2 * track, abs=1)
    assert "out" in one.locator(".row").nth(2).get_attribute("class")
    assert "edge" in one.locator(".row").nth(1).get_attribute("class")
    one.get_by_role("tab", name="model").click()
    assert shares(one) == ["50 %", "30 %", "20 %"]
    bare.page.keyboard.press("ArrowRight")
    assert shares(one)[2] == "cut · 20 %"
    bare.settle()
    assert bare.reported()[-1] == {"stage": 1}


def test_frames_follow_the_selection(bare):
    one = bare.show(
        "bars",
        bars(
            [[[0.9, 0.1, 0]], [[0.2, 0.7, 0.1]]], follow={"field": "token"}, selection={"token": 0}
        ),
    )
    assert one.locator(".title").inner_text() == "frame 0"
    bare.show("bars", bars([[[1, 0, 0]]], pick=True), key="other")
    bare.page.evaluate(
        "() => { window.__glassformer.hover.token = 1; document.dispatchEvent("
        "new CustomEvent('glassformer:select', { detail: "
        "{ changed: ['token'], hover: true } })); }"
    )
    assert one.locator(".title").inner_text() == "frame 1"
    assert shares(one)[1] == "70 %"


def test_a_word_keeps_its_bar_from_frame_to_frame(still):
    """It grows from where it was, whatever its new place in the list."""
    still.show("bars", bars([[[0.9, 0.1]]], "cat dog"))
    still.settle()
    one = still.show("bars", bars([[[0.6, 0.4]]], "dog cat"))
    still.pass_time(20)
    first = widths(one)
    assert first[0] < 40  # dog starts from its 10
    assert first[1] > 60  # cat from its 90
    still.settle()
    assert widths(one) == pytest.approx([60, 40], abs=0.01)


def test_two_sides_share_one_scale_and_what_is_not_there_has_no_bar(bare):
    one = bare.show(
        "bars",
        bars(
            [[[0.5, np.nan, 0.1], [0.25, 0.2, 0.05]]],
            mirror=True,
            limit=2,
            series=[{"label": "left"}, {"label": "right"}],
            labels={"cut": "", "more": "all 3", "less": "fewer"},
        ),
    )
    bare.settle()
    assert shares(one) == ["50 %", "25 %", "–", "20 %", "10 %", "5.0 %"]
    assert widths(one) == pytest.approx([50, 25, 0.15, 20, 10, 5], abs=0.01)
    assert not one.locator(".bar").nth(2).is_visible()
    # The first series grows to the left, the second to the right of the word.
    word = one.locator(".word").first.bounding_box()
    left, right = (one.locator(".bar").nth(n).bounding_box() for n in (0, 1))
    assert left["x"] + left["width"] <= word["x"]
    assert right["x"] >= word["x"] + word["width"]
    assert one.locator(".row:visible").count() == 2
    one.get_by_role("button", name="all 3").click()
    assert one.locator(".row:visible").count() == 3
    # A rerun keeps what was unfolded.
    bare.show(
        "bars",
        bars(
            [[[0.5, 0.1, 0.1], [0.2, 0.2, 0.1]]],
            mirror=True,
            limit=2,
            series=[{"label": "left"}, {"label": "right"}],
            labels={"cut": "", "more": "all 3", "less": "fewer"},
        ),
    )
    assert one.locator(".row:visible").count() == 3


def test_a_picked_row_is_told_by_its_id(bare):
    one = bare.show("bars", bars([[[0.5, 0.5, 0]]], pick=True))
    one.locator(".row").nth(1).focus()
    bare.page.keyboard.press("Enter")
    assert bare.said("bars") == ["b"]
    bare.show("bars", bars([[[0.4, 0.6, 0]]], pick=True))
    bare.page.keyboard.press("Enter")  # the same row still has the keyboard
    assert bare.said("bars") == ["b", "b"]

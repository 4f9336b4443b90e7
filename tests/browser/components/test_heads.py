"""All heads at a glance, and attention as lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

TEXT = "The cat sat on the mat"


def test_a_head_is_selected_by_click_and_key(bare, payload_of):
    one = bare.show("head_grid", payload_of("attention.heads", text=TEXT, layer=0, head=0))
    canvas = one.locator("canvas")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] - 8, "y": box["height"] - 8})
    assert {k: bare.selection()[k] for k in ("layer", "head")} == {"layer": 1, "head": 1}
    canvas.focus()
    bare.page.keyboard.press("ArrowUp")
    bare.page.keyboard.press("ArrowUp")
    bare.page.keyboard.press("ArrowLeft")
    assert {k: bare.selection()[k] for k in ("layer", "head")} == {"layer": 0, "head": 0}
    bare.settle()
    assert bare.reported()[-1] == {"layer": 0, "head": 0}


def test_pointing_at_a_head_gives_its_scores(bare, payload_of):
    one = bare.show("head_grid", payload_of("attention.heads", text=TEXT))
    box = one.locator("canvas").bounding_box()
    one.locator("canvas").hover(position={"x": box["width"] - 8, "y": box["height"] - 8})
    lines = one.locator(".tip").inner_text().split("\n")
    assert len(lines) > 1
    for tab in one.get_by_role("tab").all():
        tab.click()
        assert tab.get_attribute("aria-selected") == "true"
        assert one.locator("[aria-selected=true]").count() == 1
    bare.settle()
    assert bare.reported()[-1] == {"score": "induction"}


def test_the_overview_opens_on_the_score_of_the_link(bare, payload_of):
    one = bare.show("head_grid", payload_of("attention.heads", text=TEXT, score="first"))
    assert one.locator("[aria-selected=true]").inner_text() == "first token"
    assert "first token" in one.locator("p").inner_text()


def test_lines_of_one_token_or_of_all(bare, payload_of):
    one = bare.show("arcs", payload_of("attention.lines", text=TEXT, layer=0, head=0, every=True))
    everything = one.locator("path").count()
    word = one.locator("text.word[role=button]").nth(3)
    word.focus()
    bare.page.keyboard.press("Enter")
    bare.settle()
    assert bare.reported()[-1] == {"token": 3, "every": 0}
    assert 0 < one.locator("path").count() < everything
    bare.page.keyboard.press("Enter")  # it still has the keyboard; once more shows all again
    bare.settle()
    assert bare.reported()[-1] == {"every": 1}
    assert one.locator("path").count() == everything
    switch = one.get_by_role("button", name="all queries")
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    assert 0 < one.locator("path").count() < everything
    bare.settle()
    assert bare.reported()[-1] == {"every": 0}


def test_heads_are_switched_on_and_off_but_never_all_off(bare, payload_of):
    one = bare.show("arcs", payload_of("attention.lines", text=TEXT, layer=0, head=0))
    first, second = (one.locator(".heads button").nth(n) for n in range(2))
    second.click()
    pressed = ".heads button[aria-pressed=true]"
    assert one.locator(pressed).count() == 2
    bare.settle()
    assert bare.reported()[-1] == {"heads": "0:0,1"}
    first.click()
    second.click()
    assert one.locator(pressed).count() == 1
    bare.settle()
    assert bare.reported()[-1] == {"heads": "0:1"}
    first.click()
    second.click()
    bare.settle()
    assert bare.reported()[-1] == {"heads": ""}  # its own, as at the start


@pytest.mark.parametrize(
    ("heads", "on"), [("0:1", [1]), ("0:0,1", [0, 1]), ("1:1", [0]), ("0:99", [0]), ("", [0])]
)
def test_lines_are_drawn_of_the_heads_of_the_link(bare, payload_of, heads, on):
    one = bare.show("arcs", payload_of("attention.lines", text=TEXT, layer=0, head=0, heads=heads))
    chips = one.locator(".heads button").all()
    pressed = [chip.get_attribute("aria-pressed") == "true" for chip in chips]
    assert [at for at, down in enumerate(pressed) if down] == on


def test_lines_of_a_longer_text_stay_on_the_screen(bare, payload_of):
    short = bare.show("arcs", payload_of("attention.lines", text="the cat", layer=0), key="short")
    long = bare.show("arcs", payload_of("attention.lines", text="the cat sat " * 9, layer=0))

    def gaps(one) -> list[float]:
        tops = [word.bounding_box()["y"] for word in one.locator("text.word[role=button]").all()]
        return [b - a for a, b in pairwise(tops)]

    assert len(gaps(long)) > 20
    assert gaps(short) == pytest.approx([24] * len(gaps(short)), abs=1)
    assert min(gaps(long)) >= 11.5
    assert long.locator("svg").bounding_box()["height"] <= 0.45 * 900
    size = long.locator("text.word").first.evaluate("(word) => getComputedStyle(word).fontSize")
    assert 11 <= float(size.removesuffix("px")) <= min(gaps(long))


@pytest.mark.parametrize("heads", ["", "1:0,1"])
def test_lines_have_the_colour_of_their_heads_button(bare, payload_of, heads):
    one = bare.show("arcs", payload_of("attention.lines", text=TEXT, layer=0, head=1, heads=heads))
    buttons = one.locator(".chips button[aria-pressed=true]")
    expected = buttons.evaluate_all(
        "(found) => found.map((one) => one.style.getPropertyValue('--line'))"
    )
    drawn = one.locator("path").evaluate_all(
        "(found) => found.map((p) => p.getAttribute('stroke'))"
    )
    assert len(expected) == (2 if heads else 1)
    assert set(drawn) == set(expected)

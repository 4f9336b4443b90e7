"""All heads at a glance, and attention as lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

TEXT = "The cat sat on the mat"


def test_a_head_is_selected_by_click_and_key_and_its_scores_are_said(bare, payload_of):
    payload = payload_of("attention.heads", text=TEXT, layer=0, head=0, score="first")
    one = bare.show("head_grid", payload)
    assert one.locator("[aria-selected=true]").inner_text() == "first token"  # as the link says
    assert "first token" in one.locator("p").inner_text()
    canvas = one.get_by_role("application", name=payload.header["title"])
    box = canvas.bounding_box()
    last = {"x": box["width"] - 8, "y": box["height"] - 8}
    canvas.hover(position=last)
    assert len(one.locator(".tip").inner_text().split("\n")) > 1
    canvas.click(position=last)
    assert {k: bare.selection()[k] for k in ("layer", "head")} == {"layer": 1, "head": 1}
    canvas.focus()
    bare.page.keyboard.press("ArrowUp")
    bare.page.keyboard.press("ArrowUp")
    bare.page.keyboard.press("ArrowLeft")
    bare.settle()
    assert bare.reported()[-1] == {"layer": 0, "head": 0}
    for tab in one.get_by_role("tab").all():
        tab.click()
        assert tab.get_attribute("aria-selected") == "true"
        assert one.locator("[aria-selected=true]").count() == 1
    bare.settle()
    assert bare.reported()[-1] == {"score": "induction"}


def test_lines_of_one_token_or_of_all(bare, payload_of):
    one = bare.show("arcs", payload_of("attention.lines", text=TEXT, layer=0, head=0, every=True))
    everything = one.locator("path").count()
    word = one.locator("text.word[role=button]").nth(3)
    word.focus()
    bare.page.keyboard.press("Enter")
    pressed = one.locator("text.word[aria-pressed=true]")
    assert pressed.all_text_contents() == [word.text_content()]
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
    def arcs(heads: str):
        values = {"text": TEXT, "layer": 0, "head": 0, "heads": heads}
        return bare.show("arcs", payload_of("attention.lines", **values), key=f"of{len(heads)}")

    one = arcs("0:0,1")
    first, second = (one.locator(".heads button").nth(n) for n in range(2))
    on = one.locator(".heads button[aria-pressed=true]")
    assert on.count() == 2
    colours = on.evaluate_all("(all) => all.map((one) => one.style.getPropertyValue('--line'))")
    drawn = one.locator("path").evaluate_all("(all) => all.map((p) => p.getAttribute('stroke'))")
    assert len(set(colours)) == 2
    assert set(drawn) == set(colours)  # lines have the colour of their head's button
    for click, reported in (((first, second), "0:1"), ((first, second), ""), ((second,), "0:0,1")):
        for one_ in click:
            one_.click()
        assert on.count() == (2 if "," in reported else 1)
        bare.settle()
        assert bare.reported()[-1] == {"heads": reported}  # "" is its own, as at the start
    for heads, pressed in (("0:1", ["false", "true"]), ("0:99", ["true", "false"])):
        bare.hear(address=heads)  # another page
        chips = arcs(heads).locator(".heads button").all()
        assert [chip.get_attribute("aria-pressed") for chip in chips] == pressed


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

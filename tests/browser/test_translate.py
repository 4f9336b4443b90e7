"""The Translate page in a browser: one selection moves both streams, the words and the matrix."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import draw_all, settle


def strips(page):
    return page.locator(".strip")


def share(page, word: str) -> float:
    """How much of its attention the selected target word gives to a source token, in per cent."""
    chip = strips(page).nth(0).locator(".chip").filter(has_text=re.compile(rf"^·?{word}"))
    return float(chip.first.inner_text().split()[-2].lstrip("·"))


def test_a_target_word_is_selected_in_every_figure_of_each_machine(server, watched):
    page, _ = watched
    page.goto(f"{server}/translate")
    settle(page)
    source, target = strips(page).nth(0), strips(page).nth(1)
    expect(source.locator(".chip").last).to_contain_text("</s>")

    def places() -> list:
        return [chip.bounding_box() for chip in source.locator(".chip").all()]

    before = places()
    for chip in target.locator(".chip").all():  # nothing slips away from under the pointer
        chip.hover()
        assert places() == before
    target.locator(".chip").filter(has_text="black").click()
    settle(page)
    expect(page.get_by_text("After “black”").first).to_be_visible()
    assert share(page, "noir") > 85
    target.locator(".chip").filter(has_text="cat").click()
    settle(page)
    assert share(page, "chat") > 85
    expect(page).to_have_url(re.compile("token=3"))
    other = strips(page).nth(3)  # the target of the machine beside it
    other.locator(".chip").filter(has_text="table").click()
    settle(page)
    expect(page.get_by_text("After “table”").first).to_be_visible()
    expect(page.get_by_text("After “cat”").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"b\.token=7"))
    axes = page.locator(".axes, .axes-note, .note").filter(has_text="rows:").first
    for side in ("target", "source"):
        expect(axes).to_contain_text(side)
    page.get_by_role("radio", name="encoder self-attention", exact=True).click()
    settle(page)
    expect(page).to_have_url(re.compile("attention=encoder"))
    target.locator(".chip").filter(has_text="black").click()
    settle(page)
    page.get_by_role("textbox", name="Target").fill("My black dog")
    page.keyboard.press("Enter")
    settle(page)
    expect(page).to_have_url(re.compile(r"target=My(\+|%20)black(\+|%20)dog"))
    expect(page.locator(".chart").first).to_contain_text("cat")
    assert strips(page).nth(1).locator(".chip").count() == 4
    page.get_by_role("button", name="RNN + attention", exact=True).first.click()
    settle(page)
    expect(page).to_have_url(re.compile("model=rnn_attention"))
    expect(page.get_by_text(re.compile("cross-attention, .*, layer 0, head 0"))).to_be_visible()
    page.go_back()
    settle(page)
    expect(page).not_to_have_url(re.compile("model=rnn_attention"))


def test_both_machines_are_on_the_first_screen(server, watched):
    """What is translated stands high, and who attends to whom begins on a laptop's screen."""
    page, _ = watched
    for language in ("en", "fr"):
        page.goto(f"{server}/translate?language={language}")
        settle(page)
        tops = [strips(page).nth(n).bounding_box()["y"] for n in (0, 2)]
        assert max(tops) < 460
        for key in ("translate-weights", "b-translate-weights-rnn_attention"):
            matrix = page.locator(f".st-key-{key}").bounding_box()
            assert matrix["y"] < 780


def test_the_state_of_a_step_is_opened_with_keys_alone(server, watched):
    """A number of the state, and what it is made of."""
    page, _ = watched
    page.goto(f"{server}/translate?model=rnn_attention&b.model=none&s.token=2&s.col=3")
    settle(page)
    draw_all(page)
    expect(page.get_by_text(re.compile("How unit 3 after .* is computed"))).to_be_visible()
    page.get_by_role("tab", name="update").focus()
    page.keyboard.press("Enter")
    title = re.compile("The update gate: how much of the old")
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_the_tree_is_walked_by_clicks_and_the_walk_stands_in_the_link(server, watched):
    """One page: by hand from the start, a token opened, its sum, and closed with a second click."""
    page, _ = watched
    page.goto(f"{server}/translate?method=hand&token=2")
    settle(page)
    draw_all(page)
    tree = page.get_by_role("tree")
    items = tree.get_by_role("treeitem")
    expect(items).to_have_count(2)
    items.nth(0).click()
    expect(items).to_have_count(4)
    settle(page)
    expect(page).to_have_url(re.compile("walk=0"))
    tree.get_by_role("treeitem", name=re.compile("^black,")).click()
    expect(items).to_have_count(6)
    expect(page.get_by_text(re.compile("“The black”: −0"))).to_be_visible()
    settle(page)
    expect(page).to_have_url(re.compile(r"walk=0\.0"))
    items.nth(0).click()  # selects it; what is open stays so
    settle(page)
    items.nth(0).click()
    expect(items).to_have_count(2)
    settle(page)
    expect(page).not_to_have_url(re.compile("walk="))
    # The rows of the alignment follow the tokens of the target.
    expect(page.get_by_text(re.compile("the step that writes “black”"))).to_be_visible()

"""The run bar: typing, choices, tools, shortcuts, the clipboard."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from core.figures.payload import Payload
from tests.browser.components.test_matrix import matrix

LABELS = {
    name: name.capitalize() for name in (
        "text", "model", "device", "placeholder", "copy", "copied", "copy_by_hand", "undo", "reset",
        "lecture", "shortcuts", "close", "leave", "menu", "scene_back", "scene_next",
    )
} | {f"{name}_without": f"{name} but {{what}}" for name in ("copied", "copy_by_hand")}  # fmt: skip


def bar(text: str = "The cat", **more) -> Payload:
    return Payload(
        {
            "text": text, "model": "gpt", "models": [["bert", "BERT"], ["gpt", "GPT"]],
            "device": "auto", "devices": [["auto", "auto (CPU)"], ["cpu", "CPU"]],
            "example": "", "asks": "/remarks", "speaks": "en", "languages": [["en", "English"]],
            "note": "", "remarks": [], "machine": {}, "lecture": False, "labels": LABELS,
            "shortcuts": [["/", "go to the text"]],
        }
        | more
    )  # fmt: skip


def test_typing_is_told_after_a_pause_and_at_once_by_enter(still):
    one = still.show("runbar", bar())
    field = one.locator("textarea")
    field.press("End")
    field.press_sequentially(" sat")
    assert still.told() == []
    still.settle()
    assert still.told() == [{"text": "The cat sat", "hers": None}]
    field.press_sequentially("!")
    field.press("Enter")
    assert still.told()[-1]["text"] == "The cat sat!"
    assert "\n" not in field.input_value()


def test_the_first_stop_of_a_page_leads_to_its_figure(bare):
    bare.show("runbar", bar(labels={**LABELS, "to_figure": "To the figure"}))
    way = bare.page.get_by_role("button", name="To the figure")
    expect(way).to_be_hidden()  # there is no figure yet
    one = bare.show("matrix", matrix(np.eye(3), figure="fig", selection={"row": 0, "col": 0}))
    bare.page.keyboard.press("Tab")
    expect(way).to_be_focused()
    bare.page.keyboard.press("Enter")
    expect(one.get_by_role("application")).to_be_focused()


def test_a_sentence_that_nothing_typed_would_change_can_only_be_read(still):
    one = still.show("runbar", bar(note="The sentence of the lesson.", fixed=True))
    field = one.locator("textarea")
    expect(one.locator(".whose")).to_have_text("The sentence of the lesson.")
    expect(field).to_have_accessible_description("The sentence of the lesson.")
    field.press("End")
    field.press("x")
    still.settle()
    assert field.input_value() == "The cat"
    assert still.told() == []
    still.show("runbar", bar())
    expect(one.locator(".whose")).to_be_hidden()
    expect(field).to_be_editable()


def test_what_is_being_typed_wins_over_an_echo_and_not_over_a_change_from_elsewhere(bare):
    one = bare.show("runbar", bar())
    field = one.locator("textarea")
    field.focus()
    bare.show("runbar", bar("From an experiment"))
    assert field.input_value() == "From an experiment"
    bare.show("runbar", bar())
    field.press("End")
    field.press_sequentially(" sat")
    bare.settle()
    field.press_sequentially(" on")
    bare.show("runbar", bar("The cat sat"))  # the run that was under way
    assert field.input_value() == "The cat sat on"
    caret = "(node) => [node.selectionStart, node.getRootNode().activeElement === node]"
    assert field.evaluate(caret) == [14, True]


def test_a_long_text_takes_its_room_only_while_it_is_written(bare):
    one = bare.show("runbar", bar())
    field = one.locator("textarea")
    low = field.bounding_box()["height"]
    bare.show("runbar", bar("The dog was hungry, so he ate all of his food. " * 60, changed=True))
    tall = "(node) => node.offsetHeight / parseFloat(getComputedStyle(node).lineHeight)"
    assert field.evaluate(tall) < 3
    field.focus()
    assert field.evaluate(tall) > 5
    assert low < field.bounding_box()["height"] <= 170  # and not over the page
    field.blur()
    bare.settle()  # a tap that takes the keyboard away hits what it was meant for first
    assert field.evaluate(tall) < 3


def test_choices_are_told_and_an_open_list_is_left_alone(bare):
    one = bare.show("runbar", bar())
    one.locator("select.model").select_option("bert")
    assert bare.told()[-1] == {"model": "bert"}
    one.locator("select.model option").first.evaluate("(node) => { node.mine = true; }")
    bare.show("runbar", bar(model="bert"))
    assert one.locator("select.model option").first.evaluate("(node) => node.mine") is True
    assert one.locator("select.model").input_value() == "bert"


def actions(bare) -> list[str]:
    """What was done with the whole page."""
    return [
        "lecture" if what == "set" else what
        for what, patch, _how in bare.page.evaluate("() => window.told")
        if what != "set" or "view" in patch
    ]


def change(bare) -> None:
    """Something that can be undone."""
    bare.page.evaluate("() => __glassformer.live.set({ token: 1 })")


def alone(bare, key: str) -> None:
    """Press a letter with no other one near."""
    bare.page.wait_for_timeout(320)  # which the browser measures itself
    bare.page.keyboard.press(key)
    bare.settle()


def test_tools_and_their_keys(bare):
    one = bare.show("runbar", bar())
    change(bare)
    one.get_by_role("button", name="Reset").click()
    bare.page.evaluate("() => document.activeElement.blur()")
    for key in ("u", "l"):
        alone(bare, key)
    assert actions(bare) == ["reset", "undo", "lecture"]
    bare.page.keyboard.press("/")
    assert one.locator("textarea").evaluate("(n) => n.getRootNode().activeElement === n")
    bare.page.keyboard.press("u")  # now it is a letter
    assert one.locator("textarea").input_value() == "u"
    bare.page.evaluate("() => __glassformer.live.set({ token: 1 })")
    bare.page.keyboard.press("Escape")
    bare.page.keyboard.type("lull")  # a word that is typed past all fields
    bare.settle()
    assert actions(bare) == ["reset", "undo", "lecture"]
    bare.remove("runbar")
    bare.pass_time(1200)
    alone(bare, "l")  # gone means gone
    assert actions(bare) == ["reset", "undo", "lecture"]


def test_nothing_to_undo(bare):
    one = bare.show("runbar", bar())
    undo = one.get_by_role("button", name="Undo")
    assert undo.is_disabled()
    alone(bare, "u")
    assert actions(bare) == []
    change(bare)
    assert undo.is_enabled()
    undo.click()
    assert undo.is_disabled()
    change(bare)
    undo.press("Enter")  # the keyboard stays in the bar, and not at what resets all
    expect(one.get_by_role("button", name="Copy")).to_be_focused()
    change(bare)
    bare.show("runbar", bar("another text"))  # which says nothing of it
    assert undo.is_enabled()


def test_the_list_of_shortcuts_opens_closes_and_takes_the_keys(bare):
    one = bare.show("runbar", bar())
    bare.page.keyboard.press("?")
    dialog = one.locator("dialog")
    assert dialog.is_visible()
    assert "go to the text" in dialog.inner_text()
    bare.page.keyboard.press("?")
    bare.page.keyboard.press("l")
    assert bare.told() == []
    bare.page.keyboard.press("Escape")
    assert not dialog.is_visible()
    alone(bare, "l")
    assert actions(bare) == ["lecture"]


def test_a_lecture_has_a_way_out_that_is_seen_and_escape_takes_it(bare):
    one = bare.show("runbar", bar(lecture=True))
    expect(one.get_by_role("button", name="Leave Esc")).to_be_visible()
    one.get_by_role("button", name="Leave Esc").click()
    assert actions(bare) == ["lecture"]
    bare.page.mouse.move(0, 600)  # what is explained under the pointer would take an Escape first
    one.locator("textarea").focus()
    bare.page.keyboard.press("Escape")  # leaves the text, no more
    bare.page.keyboard.press("?")
    bare.page.keyboard.press("Escape")  # closes the list
    expect(one.locator("dialog")).to_be_hidden()
    assert actions(bare) == ["lecture"]
    bare.page.wait_for_timeout(100)  # until the browser has given the focus back
    bare.page.keyboard.press("Escape")
    bare.page.wait_for_timeout(100)
    assert actions(bare) == ["lecture", "lecture"]
    bare.show("runbar", bar())
    expect(one.locator(".leave")).to_be_hidden()
    bare.page.keyboard.press("Escape")
    assert actions(bare) == ["lecture", "lecture"]


def test_the_link_is_copied_or_shown_where_there_is_no_clipboard(bare_page):
    bare = bare_page(permissions=["clipboard-read", "clipboard-write"])
    one = bare.show("runbar", bar())
    copy = one.get_by_role("button", name="Copy")
    copy.click()
    expect(one.locator("[role=status].said")).to_have_text("Copied")  # the clipboard takes its time
    bare.hear(values={"text": "猫" * 9000})
    copy.click()
    expect(one.locator("[role=status].said")).to_have_text("copied but “Text”")
    assert bare.page.evaluate("() => navigator.clipboard.readText()") == bare.address
    bare.page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    bare.page.evaluate("() => document.activeElement.blur()")
    alone(bare, "c")
    field = one.get_by_role("textbox", name="copy_by_hand but “Text”")
    assert field.input_value() == bare.address
    assert one.locator("dialog p").inner_text() == "copy_by_hand but “Text”"

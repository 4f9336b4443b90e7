"""Keys of one character can be switched off, and stay so from visit to visit."""

from __future__ import annotations

from core.figures.payload import Payload
from tests.browser.components.conftest import stepper
from tests.browser.components.test_runbar import LABELS, actions, bar

LISTED = [["/", "go to the text"], ["Enter", "run now"], ["← →", "next step", "walks"],
          ["Space", "play", "plays"], ["l", "lecture view"], ["?", "this list"]]  # fmt: skip


def shown() -> Payload:
    labels = LABELS | {"characters": "One character"}
    return bar(shortcuts=LISTED, labels=labels)


def typing(bare) -> bool:
    """The text field has the keyboard."""
    return bool(bare.page.evaluate(
        "() => document.activeElement?.shadowRoot?.activeElement?.matches('textarea') ?? false"
    ))  # fmt: skip


def rest(bare) -> None:
    bare.page.evaluate("() => document.activeElement?.blur()")


def test_they_can_be_switched_off_from_visit_to_visit_and_on_again(bare):
    one = bare.show("runbar", shown())
    bare.page.keyboard.press("/")
    assert typing(bare)
    rest(bare)
    bare.page.keyboard.press("?")
    switch = one.get_by_label("One character")
    assert switch.is_checked()
    assert one.locator("dialog tr.off").count() == 0
    switch.uncheck()
    assert one.locator("dialog tr.off kbd").all_inner_texts() == ["/", "l", "?"]
    bare.page.keyboard.press("Escape")
    rest(bare)
    for key in ("/", "?", "l", "u", "c"):
        bare.page.keyboard.press(key)
        bare.settle()
    assert not typing(bare)
    assert not one.locator("dialog").is_visible()
    assert actions(bare) == []
    bare.page.reload()  # the next visit knows
    bare.hear()
    bare.show("runbar", shown())
    bare.page.keyboard.press("/")
    assert not typing(bare)
    one.get_by_role("button", name="Shortcuts").click()
    assert not one.get_by_label("One character").is_checked()
    one.get_by_label("One character").check()
    bare.page.keyboard.press("Escape")
    rest(bare)
    bare.page.keyboard.press("l")
    bare.settle()
    assert actions(bare) == ["lecture"]


def test_what_nothing_on_the_page_hears_is_not_listed(bare):
    one = bare.show("runbar", shown())

    def keys() -> list[str]:
        bare.page.keyboard.press("?")
        listed = one.locator("dialog kbd").all_inner_texts()
        bare.page.keyboard.press("Escape")
        rest(bare)
        return listed

    assert keys() == ["/", "Enter", "l", "?"]
    bare.show("stepper", stepper(4, first=0))
    assert keys() == ["/", "Enter", "← →", "Space", "l", "?"]

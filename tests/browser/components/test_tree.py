"""A tree is pointed at, walked with keys, and opened where the page lets it be."""

from __future__ import annotations

from base64 import b64encode

from playwright.sync_api import expect

from core.figures.payload import Payload


def test_a_tree_is_read_selected_and_opened(bare, payload_of):
    payload = payload_of("translate.tree", model="transformer", text="the cat sat", method="hand",
                         walk="1", length=4)  # fmt: skip
    one = bare.show("tree", payload)
    items = one.get_by_role("treeitem")
    assert items.count() == len(payload.header["nodes"])
    says = one.locator(".reading")
    before = says.inner_text()
    items.nth(0).hover()
    assert says.inner_text() != before
    assert one.locator(".edges path.way").count() == 1
    items.nth(0).click()
    bare.settle()
    assert bare.reported()[-1] == {"branch": "0"}
    assert bare.said("tree", "walk") == []  # a file opens nothing
    acts = {"walk": {"*": {"walk": "{}", "branch": "{}"}}}
    opening = Payload({**payload.header, "key": "tree", "acts": acts}, payload.arrays)
    n = len(bare.reported())
    again = b64encode(opening.pack()).decode()
    gone = "(data) => { show('tree', data); return __glassformer.pointing === null; }"
    assert bare.page.evaluate(gone, again)  # the node that was pointed at never hears of a leave
    bare.page.mouse.move(0, 0)
    items.nth(0).focus()
    bare.page.keyboard.press("Enter")
    bare.page.keyboard.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    expect(items.nth(1)).to_have_attribute("aria-selected", "true")
    bare.page.keyboard.press("Enter")  # selected already, and open: closes
    bare.page.keyboard.press("ArrowRight")
    bare.settle()
    assert bare.reported()[n:] == [
        {"walk": "0", "branch": "0"}, {"walk": "1", "branch": "1"}, {"branch": "1"},
        {"branch": "1.0"},
    ]  # fmt: skip
    assert one.locator(".edges path.way").count() == 2

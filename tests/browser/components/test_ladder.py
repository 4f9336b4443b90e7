"""The ladder: how a word is put together, one row a merge, as far as the step has come."""

from __future__ import annotations


def test_rows_come_with_the_steps_and_words_with_the_selection(bare, payload_of):
    payload = payload_of("text.encode", text="the story told")
    one = bare.show("ladder", payload)
    rows = one.locator(".rows > .row")
    whole = rows.count()
    assert whole == len(
        payload.header["ladders"][payload.header["of"][payload.header["first"]]]["rows"]
    )
    bare.page.evaluate(
        "() => { window.__glassformer.selection.join = 0; document.dispatchEvent(new CustomEvent("
        "'glassformer:select', { detail: { changed: ['join'], hover: false } })); }"
    )
    assert rows.count() == 1
    # The first row is bytes: as many symbols as it has cells.
    assert rows.first.locator(".symbol").count() == int(
        rows.first.evaluate("(row) => getComputedStyle(row).getPropertyValue('--cells')")
    )
    title = one.locator(".title").inner_text()
    bare.page.evaluate(
        "() => { window.__glassformer.selection.word = 1; document.dispatchEvent(new CustomEvent("
        "'glassformer:select', { detail: { changed: ['word'], hover: false } })); }"
    )
    assert one.locator(".title").inner_text() != title

"""Every page in a real browser: it draws, says nothing wrong, and stays on this machine."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from pages.parts.table import of_text, offered
from tests.browser.axe import STREAMLITS, ours, severe
from tests.browser.conftest import PHONE, WIDE, draw_all, keep, settle

TABLE = offered()
HOSTILE = '<img src=x onerror="window.hit=1">'
LOOKS = {"wide": ("light", WIDE), "phone": ("dark", PHONE)}
NAME = {row.file: row.file.removesuffix(".py").replace("/", "-") for row in TABLE}

# The figure that begins high on a wide screen.
FIRST = {
    "attention": "attention-row",
    "masks": "masks-strip",
    "heads": "attention-row",
    "next-token": "predict-next",
    "positions": "embed-tokens",
    "feed-forward": "ffn-strip",
    "masked-word": "masked-strip",
    "vision": "vision-picture",
    "words-in-context": "contexts-distances",
}
# The figure that a page is about, which begins on the first screen of a phone.
ON_A_PHONE = {
    "attention": "attention-steps",
    "words-in-context": "contexts-distances",
    "break-it": "bench-weights",
    "": "flow",
    "tokenization": "text-tokens-gpt",
    "positions": "embed-lookup",
    "heads": "attention-heads",
    "masks": "masks-grid",
    "layernorm": "norm-steps",
    "feed-forward": "ffn-curve",
    "block-shapes": "shapes-circuit",
    "next-token": "predict-next",
    "masked-word": "masked-beside",
    "objectives": "objectives-table",
    "translate": "translate-source",
    "rnn-to-transformer": "stops-new",
    "which-machine": "which-table",
    "spans": "noise-text",
    "vision": "vision-picture",
    "fine-tune": "tune-pair-bert_nli",
    "training": "learning-practice",
    "film": "film-written",
    "bug-hunt": "hunt-weights",
    "cost": "cost-sizes",
}
# What stands above a height and is lower than a finger needs it.
SMALL = """(until) => [...document.querySelectorAll('[data-testid="stMain"] *')]
  .flatMap((one) => one.shadowRoot ? [...one.shadowRoot.querySelectorAll('*')] : [one])
  .filter((one) => one.matches('button, select, textarea, summary') && one.checkVisibility()
    && !one.closest('[data-testid="stSelectbox"]')) // a tap on any of it opens it
  .map((one) => [one.getBoundingClientRect(), one])
  .filter(([box]) => box.height > 1 && box.height < 39.5 && box.bottom < until)
  .map(([box, one]) => `${one.className} ${one.textContent.slice(0, 20)}: ${box.height}`)"""

# Those with a text that is typed: a page of pictures, say, has none.
WITH_TEXT = [row for row in TABLE if of_text(row)]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
@pytest.mark.parametrize(("scheme", "size"), LOOKS.values(), ids=LOOKS)
def test_draws_for_all_and_never_runs_what_is_typed(row, scheme, size, server, watched):
    page, _ = watched
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)
    said = quote(HOSTILE)
    hostile = f"text={said}&picture={said}&sought={said}&sentences={said}"
    typed = row in WITH_TEXT  # else it stands in the link
    page.goto(f"{server}/{row.address}" + ("" if typed else f"?{hostile}"))
    settle(page)
    if of := (ON_A_PHONE if size == PHONE else FIRST).get(row.address):
        figure = page.locator(f".st-key-{of}").bounding_box()
        assert figure["y"] < (PHONE["height"] - 250 if size == PHONE else 300)
        # What a finger is to hit between the menu and the figure is large enough for it.
        assert size == WIDE or page.evaluate(SMALL, figure["y"]) == []
    draw_all(page)
    keep(page, f"{NAME[row.file]}-{size['width']}-{scheme}")
    # Nothing is wider than the screen.
    wide = page.evaluate(
        "() => { const main = document.querySelector('[data-testid=\"stMain\"]');"
        " return main.scrollWidth - main.clientWidth; }"
    )
    assert wide <= 1
    found = severe(page)
    assert ours(found) == []
    if size == PHONE:
        # What is forgiven Streamlit is still there: else it is forgiven no more.
        assert {one["rule"] for one in found} == set(STREAMLITS)
    assert page.locator("h1").count() == 1
    if typed:
        page.locator("textarea.text").fill(HOSTILE)
        expect(page).to_have_url(re.compile("onerror"))
        settle(page)
    assert page.evaluate("() => window.hit") is None

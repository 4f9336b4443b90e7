"""Every page in a real browser: it draws, says nothing wrong, and stays on this machine."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from pages.parts.table import of_text, offered
from tests.browser.axe import STREAMLITS, ours, severe
from tests.browser.conftest import PHONE, WIDE, draw_all, keep, settle, start_server, stop

TABLE = offered()
HOSTILE = '<img src=x onerror="window.hit=1">'
LOOKS = {"wide": ("light", WIDE), "phone": ("dark", PHONE)}
NAME = {row.file: row.file.removesuffix(".py").replace("/", "-") for row in TABLE}


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
    typed = row in WITH_TEXT and size == WIDE  # else it stands in the link
    page.goto(f"{server}/{row.address}" + ("" if typed else f"?{hostile}"))
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


@pytest.mark.slow
@pytest.mark.parametrize("row", WITH_TEXT[1:], ids=lambda row: row.file)
def test_first_request_of_a_fresh_server_may_be_a_deep_link(row, watched):
    page, _ = watched
    process, address = start_server()
    try:
        page.goto(f"{address}/{row.address}?text=A%20deep%20link")
        settle(page)
        assert page.locator("textarea.text").input_value() == "A deep link"
    finally:
        page.goto("about:blank")  # which misses no server
        stop(process)


def test_an_empty_text_dims_the_last_run_and_nothing_else(server, watched):
    page, _ = watched
    page.goto(f"{server}/attention?text=A+small+dog")
    settle(page)
    figures = [page.locator(f".st-key-attention-{name}") for name in ("row", "steps")]

    def dimmed(opacity: str) -> None:
        for figure in figures:
            expect(figure).to_have_css("opacity", opacity)

    dimmed("1")
    text = page.locator("textarea.text")
    text.fill("")
    expect(page.get_by_text("Type a word or two above")).to_be_visible()
    settle(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        dimmed("0.45")
        expect(page.locator(".st-key-steps").first).to_have_css("opacity", "1")
    # What is dimmed still answers.
    figures[0].locator(".chip", has_text="small").click()
    expect(page).to_have_url(re.compile("token=2"))
    text.fill("A dog")
    expect(page.get_by_text("Type a word or two above")).to_be_hidden()
    settle(page)
    dimmed("1")


def test_what_is_second_is_behind_details_which_stay_as_they_were_left(server, watched):
    page, _ = watched
    page.goto(f"{server}/attention")
    settle(page)
    facts, code = page.locator(".glass-details .glass-what"), page.locator("p.glass-detail").first
    within = page.locator(".st-key-attention-steps .source")
    for one in (facts, code, within):
        expect(one).to_be_hidden()
    page.get_by_text("Details", exact=True).click()
    expect(facts).to_be_visible()
    expect(within).to_be_visible()
    page.locator(".st-key-attention-row .chip", has_text="dog").click()  # it is drawn anew
    expect(facts).to_be_visible()
    page.goto(f"{server}/next-token")
    settle(page)
    expect(facts).to_be_visible()
    expect(code).to_be_visible()
    page.get_by_text("Details", exact=True).click()
    page.reload()
    settle(page)
    expect(facts).to_be_hidden()


FIRST = {
    "attention": "attention-row",
    "masks": "masks-strip",
    "heads": "attention-row",
    "next-token": "predict-surprisal",
    "positions": "embed-tokens",
    "feed-forward": "ffn-strip",
    "masked-word": "masked-strip",
    "vision": "vision-picture",
    "translate": "translate-source",
    "words-in-context": "contexts-distances",
}


@pytest.mark.parametrize("address", FIRST)
def test_the_main_figure_begins_high_on_the_screen(server, watched, address):
    page, _ = watched
    page.goto(f"{server}/{address}")
    settle(page)
    figure = page.locator(f".st-key-{FIRST[address]}").bounding_box()
    assert figure is not None
    assert figure["y"] < 300


# The figure that a page is about; of the others some are looked at with the slow tests.
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
QUICK = list(ON_A_PHONE)[:3]


@pytest.mark.parametrize(
    "address",
    [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in ON_A_PHONE],
)
def test_on_a_phone_the_figure_begins_on_the_first_screen(server, watched, address):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/{address}")
    settle(page)
    figure = page.locator(f".st-key-{ON_A_PHONE[address]}").bounding_box()
    assert figure is not None
    assert figure["y"] <= PHONE["height"] - 250
    # What a finger is to hit between the menu and the figure is large enough for it.
    small = page.evaluate(SMALL, figure["y"])
    assert small == []


# What stands above a height and is lower than a finger needs it.
SMALL = """(until) => [...document.querySelectorAll('[data-testid="stMain"] *')]
  .flatMap((one) => one.shadowRoot ? [...one.shadowRoot.querySelectorAll('*')] : [one])
  .filter((one) => one.matches('button, select, textarea, summary') && one.checkVisibility()
    && !one.closest('[data-testid="stSelectbox"]')) // a tap on any of it opens it
  .map((one) => [one.getBoundingClientRect(), one])
  .filter(([box]) => box.height > 1 && box.height < 39.5 && box.bottom < until)
  .map(([box, one]) => `${one.className} ${one.textContent.slice(0, 20)}: ${box.height}`)"""

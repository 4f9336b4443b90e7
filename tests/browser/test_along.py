"""What goes along from page to page within a tab, and what stays where it belongs."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_state import FIELD, TITLE, opened, query

HERS = "My own sentence"


def go_to(page: Page, address: str) -> None:
    """To a page by the menu, and until it is drawn."""
    link = page.locator(f'a[data-testid^="stTopNav"][href$="/{address}"]')
    if not link.count():
        for section in page.get_by_test_id("stTopNavSection").all():
            section.click()
            if link.count():
                break
            page.keyboard.press("Escape")
    link.first.click()
    expect(page).to_have_url(re.compile(f"/{address}(\\?|$)"))
    settle(page)


def text(page: Page) -> str:
    return page.locator(FIELD).input_value()


def test_the_text_of_an_experiment_stays_on_its_page_and_hers_is_kept(server, watched):
    page = opened(watched, f"{server}/attention?text={HERS.replace(' ', '+')}")
    page.get_by_role("button", name="Repeat a word").click()
    expect(page.locator(".whose")).to_contain_text("Yours is kept for the other pages")
    settle(page)
    lent = text(page)
    assert lent != HERS
    assert query(page)["hers"] == HERS
    go_to(page, "heads")
    assert text(page) == HERS
    assert "experiment" not in query(page)
    page.go_back()
    expect(page).to_have_url(re.compile("/attention"))
    settle(page)
    assert text(page) == lent
    page.reload()
    settle(page)
    assert text(page) == lent
    expect(page.locator(".whose")).to_contain_text("Yours is kept for the other pages")
    page.locator(FIELD).fill("Typed over it")
    settle(page)
    assert "hers" not in query(page)
    go_to(page, "heads")
    assert text(page) == "Typed over it"


def test_what_an_experiment_has_set_is_given_back_when_its_page_is_left(server, watched):
    page = opened(watched, f"{server}/masks?text={HERS.replace(' ', '+')}&mask=causal")
    page.locator("[data-experiment='masks.window']").click()
    settle(page)
    set_by_it = query(page)
    assert set_by_it["mask"] == "window:2"
    go_to(page, "heads")
    go_to(page, "masks")
    assert query(page).get("mask") in (None, "causal")
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile("window"))
    settle(page)
    assert query(page) == set_by_it


def test_what_was_changed_after_an_experiment_goes_along(server, watched):
    page = opened(watched, f"{server}/masks?text={HERS.replace(' ', '+')}")
    page.locator("[data-experiment='masks.window']").click()
    settle(page)
    page.get_by_role("radiogroup", name="Head").get_by_role("radio").nth(2).click()
    settle(page)
    go_to(page, "heads")
    assert query(page)["head"] == "2"


def test_what_is_typed_for_a_translator_stays_with_translators(server, watched):
    page = opened(watched, f"{server}/attention?text={HERS.replace(' ', '+')}")
    go_to(page, "translate")
    french = text(page)
    assert french != HERS  # she has typed none for it
    page.locator(FIELD).fill("Le chat dort")
    settle(page)
    go_to(page, "heads")
    assert text(page) == HERS
    go_to(page, "rnn-to-transformer")
    assert text(page) == "Le chat dort"
    page.reload()
    settle(page)
    assert text(page) == "Le chat dort"
    page.locator(FIELD).fill("Le chien dort")
    settle(page)
    go_to(page, "translate")
    assert text(page) == "Le chien dort"
    go_to(page, "attention")
    assert text(page) == HERS


def test_home_gives_back_the_model_of_the_bar(server, watched):
    page = opened(watched, f"{server}/?text={HERS.replace(' ', '+')}")
    page.locator("select.model").select_option("bert")
    expect(page).to_have_url(re.compile("model=bert"))
    settle(page)
    go_to(page, "translate")
    page.get_by_role("button", name="RNN + attention", exact=True).first.click()
    expect(page).to_have_url(re.compile("model=rnn_attention"))
    settle(page)
    page.get_by_role("link", name="Glassformer").first.click()
    expect(page).to_have_url(re.compile(r"/\?"))
    settle(page)
    assert page.locator("select.model").input_value() == "bert"
    assert text(page) == HERS


def test_a_click_in_a_figure_leads_to_its_text(server, watched):
    page = opened(
        watched, f"{server}/?text=Not+hers&hers={HERS.replace(' ', '+')}&place=layer5.head3"
    )
    page.get_by_role("link", name=re.compile("Attention, step by step$")).first.click()
    expect(page).to_have_url(re.compile("/heads|/attention"))
    settle(page)
    assert text(page) == "Not hers"
    assert query(page)["hers"] == HERS
    assert "stays" not in query(page)
    go_to(page, "masks")
    assert text(page) == HERS


def test_the_sentence_of_a_lesson_stays_in_it(server, watched):
    page = opened(watched, f"{server}/attention?text={HERS.replace(' ', '+')}")
    go_to(page, "lessons")
    assert text(page) == HERS
    page.goto(f"{server}/lessons?lesson=attention&lesson_at=3&text={HERS.replace(' ', '+')}")
    settle(page)
    assert text(page) == HERS
    go_to(page, "heads")
    assert text(page) == HERS
    assert "lesson" not in query(page)


def test_a_link_in_a_text_takes_along_what_was_chosen(server, watched):
    page = opened(watched, f"{server}/attention?text={HERS.replace(' ', '+')}&layer=2&head=1")
    page.locator(".st-key-attention-row .chip").nth(2).click()
    expect(page).to_have_url(re.compile("token=2"))
    go_to(page, "glossary")
    page.get_by_role("searchbox", name="Search the terms").fill("causal mask")
    page.locator("a.term").first.click()
    expect(page).to_have_url(re.compile("term=causal-mask"))
    page.locator(".entry.chosen .pages a", has_text="Masks").click()
    expect(page).to_have_url(re.compile("/masks"))
    settle(page)
    expect(page.locator(TITLE)).to_be_visible()
    said = query(page)
    assert text(page) == HERS
    assert (said["layer"], said["head"], said["token"]) == ("2", "1", "2")
    assert "term" not in said


def test_two_tabs_go_their_own_ways(server, watched):
    page = opened(watched, f"{server}/attention?text=One&layer=1")
    other = page.context.new_page()
    other.add_init_script(path="tests/browser/under_way.js")
    other.goto(f"{server}/attention?text=Two&layer=3")
    settle(other)
    go_to(page, "heads")
    go_to(other, "heads")
    assert (text(page), query(page)["layer"]) == ("One", "1")
    assert (text(other), query(other)["layer"]) == ("Two", "3")
    other.close()

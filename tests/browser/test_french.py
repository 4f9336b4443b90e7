"""The app in French, in a real browser: the link, the bar, the phone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, new_page, settle

TITLE = "h1.glass-title"
FRENCH = re.compile("Que se passe-t-il entre une phrase et son mot suivant")


def test_a_french_browser_needs_no_link_and_the_bar_and_undo_change_the_language(server, browser):
    page = new_page(browser, locale="fr-CA")
    page.goto(server)
    settle(page)
    expect(page.locator(TITLE)).to_have_text(FRENCH)
    language = page.locator("select.language")
    assert language.input_value() == page.evaluate("document.documentElement.lang") == "fr"
    assert "language" not in page.url
    expect(page.get_by_text("Prédictions", exact=True)).to_be_visible()  # the menu
    expect(page.get_by_role("button", name="Copier le lien")).to_be_visible()
    page.goto(f"{server}/next-token?temperature=0.333&text=The+cat&language=en")
    settle(page)
    language.select_option("fr")
    expect(page.locator(TITLE)).to_have_text(re.compile("Qu’est-ce qui vient ensuite"))
    settle(page)
    assert page.evaluate("document.documentElement.lang") == "fr"
    said = page.locator(".control[data-name=temperature] output")
    expect(said).to_have_text("0,333")  # as the link says
    expect(page.locator(".control[data-name=top_k] .label")).to_have_text(
        "Top-k (0 = aucune limite)"
    )
    page.get_by_role("button", name="Annuler").click()
    expect(page.locator(TITLE)).to_have_text("What comes next?")
    settle(page)
    assert page.evaluate("document.documentElement.lang") == "en"
    page.go_back()
    settle(page)
    top_p = page.get_by_role("slider", name="Top-p")
    top_p.press("Home")
    expect(top_p).to_have_attribute("aria-valuetext", "0,05")
    top_p.press("ArrowRight")
    expect(top_p).to_have_attribute("aria-valuetext", "0,10")
    expect(page).to_have_url(re.compile("top_p=0.1"))
    page.context.close()


def test_the_bar_fits_in_both_languages(server, watched):
    """Nothing stands out of a phone, no control lies on another, and a wide page has one row.

    The sentences that are offered have a line of their own.
    """
    page, _ = watched
    for code in ("en", "fr"):
        page.goto(f"{server}/next-token?language={code}")
        for viewport in (PHONE, WIDE):
            page.set_viewport_size(viewport)
            settle(page)
            found = page.locator(".bar:has(textarea)").evaluate(
                "(bar) => [...bar.querySelectorAll('select, button, textarea')]"
                ".filter((one) => one.checkVisibility() && !one.closest('.tries')).map((one) => {"
                " const at = one.getBoundingClientRect();"
                " return [at.left, at.right, at.top, at.bottom]; })"
            )
            assert all(left >= 0 and right <= viewport["width"] for left, right, *_ in found)
            apart = all(
                a[1] <= b[0] + 1 or b[1] <= a[0] + 1 or a[3] <= b[2] + 1 or b[3] <= a[2] + 1
                for i, a in enumerate(found) for b in found[:i]
            )  # fmt: skip
            assert apart, (viewport, code, found)
            rows = len({round(top / 20) for _l, _r, top, *_ in found})
            assert rows <= (2 if viewport is PHONE else 1), (viewport, code, found)


def test_the_strip_of_two_towers_fits_and_says_of_whom_a_line_is(server, watched):
    page, _ = watched
    page.goto(f"{server}/translate?language=fr")
    for viewport in (WIDE, PHONE):
        page.set_viewport_size(viewport)
        settle(page)
        flat = page.locator(".flat.towers")
        names = flat.locator(".tower-name")
        left = flat.bounding_box()["x"]
        for name in names.all():
            if name.is_visible():  # scrolled or not
                assert name.bounding_box()["x"] >= left - 1
        if viewport is WIDE:
            expect(names).to_have_text(["encodeur", "décodeur"])
            assert flat.evaluate("one => one.scrollWidth - one.clientWidth") <= 0

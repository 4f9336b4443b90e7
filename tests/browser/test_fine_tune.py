"""The page on fine-tuning in a browser: pairs, the learner's own sentences, and experiments."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle

OWN = "My+own+words."
MOVED = {  # where an experiment says what it moved, and what
    "negation": ("tune-text", "not a bad film"),
    "first": ("tune-layers-bert", "[CLS] alone"),
    "cut": ("tune-layers-bert", "one layer"),
}


def state(page: Page) -> dict[str, str]:
    """What the address says, with what is empty."""
    found = parse_qs(urlparse(page.url).query, keep_blank_values=True)
    return {name: value for name, (value,) in found.items()}


def tried(page: Page, ident: str) -> dict[str, str]:
    """Carry an experiment out, and wait until it is said what it moved."""
    place, said = MOVED[ident]
    page.locator(f"[data-experiment='fine-tune.{ident}']").click()
    expect(page.locator(f".st-key-{place} .outcome")).to_contain_text(said, timeout=60_000)
    settle(page)
    return state(page)


def test_a_pair_is_a_click_and_undone_by_another_and_her_own_sentences_are_mended(server, watched):
    page, _ = watched
    page.goto(f"{server}/fine-tune")
    settle(page)
    said = page.locator(".st-key-tune-pair-bert_nli .told")
    expect(said).to_contain_text("“contradiction”")
    page.get_by_role("button", name="Two boys play football. Two boys are outside.").click()
    expect(said).to_contain_text("“entailment”")
    assert state(page)["hypothesis"] == "Two boys are outside."
    assert page.get_by_label("Hypothesis").input_value() == "Two boys are outside."
    page.get_by_role("button", name="Undo").click()
    expect(said).to_contain_text("“contradiction”")
    page.goto(f"{server}/fine-tune?lines=bad")
    settle(page)
    box, beside = (
        page.get_by_label("Your labelled sentences"),
        page.locator(".st-key-tune-sentences .problem"),
    )
    box.scroll_into_view_if_needed()
    expect(beside).to_contain_text("Line 1 is not a label")
    expect(box).to_have_value("bad")
    page.get_by_role("button", name="Edit our sentences").click()
    expect(box).to_have_value(re.compile("^happy: "))
    expect(beside).to_have_text("")
    page.get_by_role("button", name="Use our sentences").click()
    expect(box).to_have_value("")
    assert "lines" not in state(page)


def test_an_experiment_takes_back_what_another_one_of_the_page_had_changed(server, watched):
    page, _ = watched
    page.goto(f"{server}/fine-tune?text={OWN}")
    settle(page)
    assert tried(page, "negation")["text"] == "It is not a bad film."
    assert tried(page, "first")["text"] == "My own words."
    after = tried(page, "cut")
    assert (after["cut_layers"], after["pooled"]) == ("1", "mean")
    after = tried(page, "negation")
    assert after["text"] == "It is not a bad film."
    assert not {"cut_layers", "pooled"} & after.keys()
    page.locator("textarea.text").fill("Other words.")  # what was changed since is not taken back
    settle(page)
    assert tried(page, "cut")["text"] == "Other words."

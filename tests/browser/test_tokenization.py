"""The tokenization page in a browser: words are pointed at, merges are stepped through."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def chips(page, key: str):
    return page.locator(f".st-key-{key} .chip:visible")


def test_a_word_is_selected_in_both_strips_and_put_together(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization")
    settle(page)
    assert page.locator("textarea.text").input_value() == "Aragorn told Frodo to mind Lothlorien"
    ladder = page.locator(".st-key-text-encode")
    expect(ladder.locator("h2")).to_have_text("How “Aragorn” is put together")
    # Pointing at a chip of one tokenizer shows the word in the other, and its merges, at once.
    chips(page, "tokens-masked").filter(has_text="mind").hover()
    expect(ladder.locator("h2")).to_have_text("How “mind” is put together")
    chips(page, "tokens-masked").filter(has_text="mind").click()
    expect(page).to_have_url(re.compile(r"word=4"))
    settle(page)
    for key in ("tokens-causal", "tokens-masked"):
        chosen = page.locator(f".st-key-{key} .chip[aria-selected='true'] .label")
        assert "mind" in "".join(chosen.all_inner_texts())
    # One step back there is one symbol more.
    rows = ladder.locator(".row")
    n = rows.count()
    page.locator(".st-key-join-steps").get_by_role("button", name="Previous step").click()
    expect(rows).to_have_count(n - 1)
    expect(page).to_have_url(re.compile(rf"join={n - 2}"))
    page.goto(page.url)
    settle(page)
    expect(ladder.locator("h2")).to_have_text("How “mind” is put together")
    expect(rows).to_have_count(n - 1)


def test_merges_change_counts_corpus_and_entries_together(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization?corpus=low+low+lower+lowest&merges=4&merge=0")
    settle(page)
    steps = page.locator(".st-key-merge-steps")
    expect(page.locator(".st-key-join-steps input")).to_be_visible()
    steps.get_by_role("button", name="Step through").click()
    expect(page.locator(".st-key-join-steps input")).to_be_hidden()  # one at a time
    corpus = chips(page, "text-corpus")
    before = corpus.count()
    assert chips(page, "text-learnt").count() == 0
    best = page.locator(".st-key-text-pairs .row.chosen .share").inner_text()
    steps.get_by_role("button", name="Next step").click()
    expect(chips(page, "text-learnt")).to_have_count(1)
    assert corpus.count() < before
    expect(steps.locator(".step-text")).to_contain_text(f"{best} times")
    expect(page).to_have_url(re.compile("merge=1"))
    # Play goes to the end and stops there.
    steps.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("merge=4"), timeout=10_000)
    expect(steps.get_by_role("button", name="Play")).to_be_visible()
    settle(page)
    assert chips(page, "text-learnt").count() == 4


def test_a_training_text_of_ones_own(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization")
    settle(page)
    field = page.get_by_role("textbox", name="Text to learn from")
    field.fill("zig zag zig zag zig")
    field.press("Control+Enter")
    expect(page).to_have_url(re.compile("corpus=zig"))
    settle(page)
    words = page.locator(".st-key-text-corpus .together")
    assert {re.sub(r"\s", "", word) for word in words.all_inner_texts()} == {
        "zig", "·zag×2", "·zig×2",
    }  # fmt: skip


def test_what_a_tokenizer_changes_is_shown(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization?text=Na%C3%AFve+%F0%9F%99%82+a%E2%80%8Bb")
    settle(page)
    own = page.locator(".st-key-tokens-causal .glass").inner_text()
    assert "F0" in own
    assert "�" not in own
    assert "as they were typed" in own
    other = page.locator(".st-key-tokens-masked .glass").inner_text()
    for words in ("N → n", "ï → i", "‹U+200B›", "[UNK]: 🙂"):
        assert words in other

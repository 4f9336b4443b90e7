"""The tokenization page in a browser: words are pointed at, merges are stepped through."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

STEPS = ".st-key-text-learnt-bpe-steps-info-warning"


def chips(page, key: str):
    return page.locator(f".st-key-{key} .chip:visible")


def test_a_word_is_selected_in_both_strips_and_put_together(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization")
    settle(page)
    assert page.locator("textarea.text").input_value() == "Aragorn told Frodo to mind Lothlorien"
    ladder = page.locator(".st-key-text-encode-gpt-bpe")
    expect(ladder.locator("h2.title")).to_have_text("How “Aragorn” is put together")
    # Pointing at a chip of one tokenizer shows the word in the other, and its merges, at once.
    chips(page, "text-tokens-bert").filter(has_text="mind").hover()
    expect(ladder.locator("h2.title")).to_have_text("How “mind” is put together")
    chips(page, "text-tokens-bert").filter(has_text="mind").click()
    expect(page).to_have_url(re.compile(r"word=4"))
    settle(page)
    for key in ("text-tokens-gpt", "text-tokens-bert"):
        chosen = page.locator(f".st-key-{key} .chip[aria-selected='true'] .label")
        assert "mind" in "".join(chosen.all_inner_texts())
    # One step back there is one symbol more.
    rows = ladder.locator(".rows > .row")
    n = rows.count()
    ladder.get_by_role("button", name="Previous step").click()
    expect(rows).to_have_count(n - 1)
    expect(page).to_have_url(re.compile(rf"join={n - 2}"))
    page.goto(page.url)
    settle(page)
    expect(ladder.locator("h2.title")).to_have_text("How “mind” is put together")
    expect(rows).to_have_count(n - 1)
    # What stands far below is asked for once one goes there.
    vocabulary = page.get_by_role("heading", name="Where does the vocabulary come from?")
    vocabulary.scroll_into_view_if_needed()
    field = page.get_by_role("textbox", name="Text to learn from")
    field.fill("zig zag zig zag zig")
    field.press("Control+Enter")
    expect(page).to_have_url(re.compile("corpus=zig"))
    settle(page)
    words = page.locator(".st-key-text-corpus-bpe .together")
    assert {re.sub(r"\s", "", word) for word in words.all_inner_texts()} == {
        "zig", "·zag×2", "·zig×2",
    }  # fmt: skip


def test_a_method_is_chosen_for_the_whole_page(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization?text=z+z+owes&code=learnt&pieces=150")
    settle(page)
    word, vocabulary = page.get_by_role("radiogroup", name="Method").all()
    word.get_by_role("radio", name="Byte-pair encoding").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-text-tries-bert-wordpiece h2.title")).to_be_visible()
    page.keyboard.press("ArrowRight")  # what is pressed is still there
    expect(page).to_have_url(re.compile("cutting=unigram"))
    lattice = page.locator(".st-key-text-lattice-t5-unigram")
    expect(lattice.locator("h2.title")).to_have_text("Segmentations of “owes”")
    chosen = page.locator(".st-key-text-tokens-gpt .chip[aria-selected='true'] .label")
    expect(chosen.first).to_have_text("·ow")
    for key in ("text-encode-gpt-bpe", "text-tries-bert-wordpiece"):
        expect(page.locator(f".st-key-{key}")).to_be_hidden()
    expect(vocabulary.get_by_role("radio", name="Unigram")).to_be_checked()
    page.locator(".st-key-text-losses-unigram").scroll_into_view_if_needed()
    expect(page.locator(".st-key-text-losses-unigram h2.title")).to_be_visible()
    # The arrow keys step through the word, which stands first.
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("join="))
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator(".st-key-text-encode-gpt-bpe h2.title")).to_have_text(
        "How “z” is put together"
    )
    expect(lattice).to_be_hidden()


def test_merges_change_counts_corpus_and_entries_together(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization?corpus=low+low+lower+lowest&merges=4&merge=0")
    settle(page)
    steps, word = page.locator(STEPS), page.locator(".st-key-text-encode-gpt-bpe")
    expect(word.get_by_role("slider")).to_be_visible()
    steps.get_by_role("button", name="Step through").click()
    expect(word.get_by_role("slider")).to_be_hidden()  # one at a time
    corpus = chips(page, "text-corpus-bpe")
    before = corpus.count()
    assert chips(page, "text-learnt-bpe").count() == 0
    best = page.locator(".st-key-text-pairs-bpe .row.chosen .share").inner_text()
    steps.get_by_role("button", name="Next step").click()
    expect(chips(page, "text-learnt-bpe")).to_have_count(1)
    assert corpus.count() < before
    expect(steps.locator(".step-text")).to_contain_text(f"{best} times")
    expect(page).to_have_url(re.compile("merge=1"))
    # Play goes to the end and stops there.
    steps.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("merge=4"), timeout=10_000)
    expect(steps.get_by_role("button", name="Play")).to_be_visible()
    settle(page)
    assert chips(page, "text-learnt-bpe").count() == 4


def test_what_a_tokenizer_changes_is_shown(server, watched):
    page, _ = watched
    page.goto(f"{server}/tokenization?text=Na%C3%AFve+%F0%9F%99%82+a%E2%80%8Bb")
    settle(page)
    own = page.locator(".st-key-text-tokens-gpt .glass .glass").inner_text()
    assert "F0" in own
    assert "�" not in own
    assert "as they were typed" in own
    other = page.locator(".st-key-text-tokens-bert .glass .glass").inner_text()
    for words in ("N → n", "ï → i", "‹U+200B›", "[UNK]: 🙂"):
        assert words in other

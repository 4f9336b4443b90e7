"""State in a real browser: typing, keys, links, back and forth, lecture view."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.answers.link import pack
from tests.browser.conftest import PHONE, new_page, settle

TITLE = "h1.glass-title"
FIELD = "textarea.text"


def query(page: Page) -> dict[str, str]:
    return {name: value[0] for name, value in parse_qs(urlsplit(page.url).query).items()}


def opened(watched, address: str) -> Page:
    page, _ = watched
    page.goto(address)
    settle(page)
    return page


def blur(page: Page) -> None:
    page.evaluate("() => { let a = document.activeElement; while (a?.shadowRoot?.activeElement)"
                  " a = a.shadowRoot.activeElement; a?.blur(); }")  # fmt: skip


# --- typing --------------------------------------------------------------------------------------


def test_typing_changes_the_figures_and_keeps_focus_and_caret(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat")
    field = page.locator(FIELD)
    field.focus()
    page.keyboard.press("End")
    for word in (" sat", " on", " the"):
        page.keyboard.type(word, delay=30)
        page.wait_for_timeout(350)  # the figures are asked while more is typed
    expect(page).to_have_url(re.compile("text=The\\+cat\\+sat\\+on\\+the|The%20cat"))
    settle(page)
    assert field.input_value() == "The cat sat on the"
    chips = page.locator(".strip").first.locator(".chip .label").all_inner_texts()
    assert "".join(chips[1:6]).replace("·", " ").startswith("The cat sat on the")
    at, focused = field.evaluate("(n) => [n.selectionStart, n.getRootNode().activeElement === n]")
    assert (at, focused) == (18, True)
    # In the middle of the text, too.
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.keyboard.type("!", delay=30)
    settle(page)
    assert field.input_value() == "The cat sat on! the"
    assert field.evaluate("(n) => n.selectionStart") == 15


def test_an_empty_text_keeps_the_last_run_and_says_what_to_do(server, watched):
    page = opened(watched, f"{server}/attention?text=The+cat")
    page.locator(FIELD).fill("")
    expect(page.get_by_text("Type a word or two")).to_be_visible()
    settle(page)
    assert page.locator(".strip").first.locator(".chip").count() >= 3


# --- experiments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("address", "experiment", "says"), [
    ("attention", "attention.previous", {"layer": "2", "head": "1", "token": "4"}),
    ("masks", "masks.window", {"mask": "window:2", "token": "15"}),
    ("tokenization", "tokenization.typo", {"word": "1"}),
])  # fmt: skip
def test_an_experiment_holds_on_a_phone_whose_figures_ask(
    server, watched, address, experiment, says
):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/{address}")
    page.locator(f"[data-experiment='{experiment}']").click()
    expect(page.locator(".outcome:not(:empty)")).to_be_in_viewport(ratio=1)
    settle(page)
    assert says.items() <= query(page).items()


# --- keys ----------------------------------------------------------------------------------------


def test_the_shortcuts_of_the_whole_page(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat&temperature=1.5")
    page.keyboard.press("/")
    field = page.locator(FIELD)
    assert field.evaluate("(n) => n.getRootNode().activeElement === n")
    page.keyboard.type("A new text")  # the old one was selected
    expect(page).to_have_url(re.compile("text=A(\\+|%20)new"))
    settle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile("text=The(\\+|%20)cat"))
    settle(page)
    assert field.input_value() == "The cat"
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("undo the last change")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    # Streamlit has shortcuts of its own for some of these; none may open anything.
    page.keyboard.press("c")
    settle(page)
    assert page.locator('[data-testid="stDialog"]').count() == 0


def test_lecture_view_shows_one_large_stage_and_comes_back(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat")
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    small = page.evaluate(size)
    blur(page)
    page.keyboard.press("l")
    expect(page).to_have_url(re.compile("view=lecture"))
    settle(page)
    assert page.evaluate(size) >= 20 > small
    assert not page.get_by_text("Try this").is_visible()
    assert (
        page.get_by_role("button", name="Lecture view", exact=True).get_attribute("aria-pressed")
        == "true"
    )
    # Arrow keys step, with nothing focused.
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("made=1"))
    page.keyboard.press("l")
    expect(page).not_to_have_url(re.compile("view=lecture"))
    settle(page)
    assert page.get_by_text("Try this").is_visible()


def test_a_lecture_turns_the_sections_of_a_page(server, watched):
    page = opened(watched, f"{server}/tokenization?text=Lothlorien&view=lecture")
    title = page.locator(".st-key-sections .step-title")
    expect(title).to_have_text("The same text, cut by two models")
    ladder, merges = (
        page.locator(".st-key-text-encode-gpt-bpe"),
        page.locator(".st-key-text-pairs-bpe"),
    )
    expect(ladder).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("text_part=1"))
    expect(ladder).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowLeft")  # the word's own steps come first
    expect(page).to_have_url(re.compile("join="))
    assert "text_part=1" in page.url
    last = page.url.replace("join=5", "join=6")
    page.keyboard.press("PageDown")  # a remote goes through them, and on
    expect(page).to_have_url(last)
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("text_part=2"))
    expect(merges).to_have_count(1)  # it may be in a further scene
    expect(ladder).to_have_count(0)
    settle(page)
    page.goto(page.url)
    settle(page)
    expect(merges).to_have_count(1)
    expect(title).to_have_text("Where does the vocabulary come from?")
    page.keyboard.press("l")
    expect(page).not_to_have_url(re.compile("view=lecture"))
    settle(page)
    expect(ladder).to_be_visible()
    expect(merges).to_be_visible()
    assert "text_part" not in query(page)
    page.keyboard.press("l")
    expect(title).to_have_text("Where does the vocabulary come from?")
    assert query(page)["text_part"] == "2"


# --- links ---------------------------------------------------------------------------------------


def test_a_copied_link_opens_the_same_view_elsewhere(server, watched, browser):
    page = opened(watched, f"{server}/next-token?text=Once+upon+a+time&temperature=1.3")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".strip").first.locator(".chip").nth(2).click()
    expect(page).to_have_url(re.compile("token=2"))
    settle(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("[role=status].said")).to_have_text("Link copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    reading = page.locator(".reading").first.inner_text()
    other = new_page(browser)
    other.goto(copied)
    settle(other)
    assert other.locator(".reading").first.inner_text() == reading
    assert other.locator(FIELD).input_value() == "Once upon a time"
    assert query(other) == {"text": "Once upon a time", "temperature": "1.3", "token": "2"}
    other.context.close()


def test_a_link_to_the_heads_opens_the_same_view(server, watched):
    page = opened(watched, f"{server}/heads?text=The+cat+sat+on+the+mat&layer=2&head=0")
    page.get_by_role("tab", name="induction").click()
    expect(page).to_have_url(re.compile("score=induction"))
    page.get_by_role("radio", name="Lines").click()
    expect(page).to_have_url(re.compile("drawn=lines"))
    chips = page.locator(".st-key-attention-lines .heads button")
    chips.nth(2).click()
    expect(page).to_have_url(re.compile("heads=0(%3A|:)0(%2C|,)2"))
    settle(page)
    lines = page.locator(".st-key-attention-lines path").count()
    page.goto(page.url)
    settle(page)
    tab = page.get_by_role("tab", name="induction")
    assert tab.get_attribute("aria-selected") == "true"
    expect(page.get_by_role("radio", name="Lines")).to_be_checked()
    pressed = [chip.get_attribute("aria-pressed") for chip in chips.all()]
    assert [at for at, down in enumerate(pressed) if down == "true"] == [0, 2]
    assert page.locator(".st-key-attention-lines path").count() == lines
    # The lines of another head are its own.
    page.locator(".st-key-attention-heads canvas").press("ArrowRight")
    expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".heads button[aria-pressed=true]")).to_have_count(1)


def test_a_long_text_is_in_the_link_and_comes_back(server, watched):
    text = " ".join(f"word{n}" for n in range(420))
    page = opened(watched, f"{server}/attention")
    page.locator(FIELD).fill(text)
    expect(page).to_have_url(re.compile("word419"))
    settle(page)
    page.goto(page.url)
    settle(page)
    assert page.locator(FIELD).input_value() == text
    assert page.locator(".cut s").first.is_visible()


def test_a_link_that_was_packed_once_still_opens(server, watched):
    packed, _out = pack({"text": " ".join(f"word{n}" for n in range(420)), "token": "3"})
    assert packed.keys() == {"z"}
    page = opened(watched, f"{server}/attention?{urlencode(packed)}")
    assert page.locator(FIELD).input_value().endswith("word418 word419")
    assert query(page)["token"] == "3"
    assert "z" not in query(page)


def test_what_is_too_long_for_a_link_is_named_and_stays_in_the_tab(server, watched):
    page = opened(watched, f"{server}/attention?layer=2")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = type_what_no_address_can_say(page)
    assert query(page) == {"layer": "2"}
    page.get_by_role("button", name="Copy link").click()
    said = "Link copied, but without “Text”: too long for a link"
    expect(page.locator("[role=status].said")).to_have_text(said)
    page.reload()
    settle(page)
    assert page.locator(FIELD).input_value() == text
    assert query(page) == {"layer": "2"}
    by_menu(page)
    expect(page).to_have_url(re.compile("/heads"))
    settle(page)
    assert page.locator(FIELD).input_value() == text
    assert query(page) == {"layer": "2"}
    page.go_back()
    expect(page).to_have_url(re.compile("/attention"))
    settle(page)
    assert page.locator(FIELD).input_value() == text


def type_what_no_address_can_say(page: Page) -> str:
    """A text of 9000 random signs; each is nine characters of an address."""
    text: str = page.locator(FIELD).evaluate(
        """(field) => {
          const codes = Array.from({ length: 9000 }, () => 0x4e00 + Math.random() * 20000);
          field.value = String.fromCharCode(...codes);
          field.dispatchEvent(new Event("input"));
          return field.value;
        }"""
    )
    settle(page)
    return text


# --- back and forth ------------------------------------------------------------------------------


def test_the_back_button_brings_back_each_view(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat")
    chips = page.locator(".strip").first.locator(".chip")
    for at in (1, 2):
        chips.nth(at).click()
        expect(page).to_have_url(re.compile(f"token={at}"))
        settle(page)
    page.mouse.move(700, 890)  # what is pointed at would be shown instead
    page.go_back()
    expect(page).to_have_url(re.compile("token=1"))
    settle(page)
    assert chips.nth(1).get_attribute("aria-selected") == "true"
    page.go_back()
    expect(page).not_to_have_url(re.compile("token="))
    page.go_forward()
    expect(page).to_have_url(re.compile("token=1"))
    settle(page)
    assert query(page) == {"text": "The cat", "token": "1"}
    assert chips.nth(1).get_attribute("aria-selected") == "true"


def test_back_over_pages_brings_back_text_and_page(server, watched):
    page = opened(watched, f"{server}/next-token?text=First&temperature=1.5")
    page.get_by_role("link", name="weights").click()
    expect(page.locator(TITLE)).not_to_have_text("What comes next?")
    settle(page)
    assert page.locator(FIELD).input_value() == "First"
    page.locator(FIELD).fill("Second")
    expect(page).to_have_url(re.compile("text=Second"))
    settle(page)
    page.go_back()
    expect(page).to_have_url(re.compile("text=First"))
    settle(page)
    assert page.locator(FIELD).input_value() == "First"


def by_strip(page: Page) -> None:
    page.get_by_role("link", name="weights").click()


def by_menu(page: Page) -> None:
    page.get_by_test_id("stTopNavSection").filter(has_text="Inside a layer").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Attention, all heads").click()
    expect(page.get_by_test_id("stTopNavPopover")).to_have_count(0)


def by_search(page: Page) -> None:
    page.keyboard.press("Control+k")
    what = "Search for a page, a lesson or a word"
    search = page.get_by_role("combobox", name=what)
    expect(search).to_be_focused()
    search.press_sequentially("all heads")
    chosen = page.get_by_role("listbox", name=what).get_by_role("option", selected=True)
    expect(chosen).to_contain_text("Attention, all heads")
    search.press("Enter")
    expect(search).not_to_be_visible()


def by_place(page: Page) -> None:
    page.get_by_role("link", name="More about this: Attention, step by step").click()


@pytest.mark.parametrize(
    ("start", "follow"),
    [("/next-token?text=First&temperature=1.5", by_strip), ("/next-token?text=First", by_menu),
     ("/next-token?text=First", by_search), ("/?text=First&place=layer5.head3", by_place)],
    ids=["strip", "menu", "search", "place"],
)  # fmt: skip
def test_one_press_of_back_returns_and_one_of_forward_goes_again(server, watched, start, follow):
    page = opened(watched, server + start)
    title, length = page.locator(TITLE).inner_text(), page.evaluate("history.length")
    follow(page)
    expect(page.locator(TITLE)).not_to_have_text(title)
    expect(page).not_to_have_url(re.compile("visit="))
    settle(page)
    there, address = page.locator(TITLE).inner_text(), page.url
    assert page.evaluate("history.length") == length + 1
    page.go_back()
    expect(page.locator(TITLE)).to_have_text(title)
    settle(page)
    assert page.url == server + start
    if "temperature" in start:
        expect(page.get_by_role("slider", name="Temperature")).to_have_value("1.5")
    page.go_forward()
    expect(page.locator(TITLE)).to_have_text(there)
    settle(page)
    assert page.url == address


def test_back_to_a_link_that_says_nothing_brings_back_the_defaults(server, watched):
    page = opened(watched, f"{server}/next-token")
    by_strip(page)
    expect(page.locator(TITLE)).not_to_have_text("What comes next?")
    settle(page)
    page.locator(FIELD).fill("Second")
    expect(page).to_have_url(re.compile("text=Second"))
    settle(page)
    for _ in range(2):  # the text, then the page
        page.go_back()
        settle(page)
    assert page.url == f"{server}/next-token"
    assert page.locator(FIELD).input_value().startswith("The dog")


def test_the_example_of_a_page_is_not_in_its_address_and_stays_there(server, watched):
    page = opened(watched, f"{server}/tokenization")
    length = page.evaluate("history.length")
    assert page.url == f"{server}/tokenization"
    by_menu(page)
    expect(page).to_have_url(re.compile("/heads"))
    settle(page)
    assert page.evaluate("history.length") == length + 1
    assert page.locator(FIELD).input_value().startswith("The dog")  # what all pages begin with
    page.go_back()
    settle(page)
    assert page.url == f"{server}/tokenization"
    assert page.locator(FIELD).input_value().startswith("Aragorn")


def test_a_choice_made_just_before_a_page_change_goes_along(server, watched):
    page = opened(watched, f"{server}/heads?text=The+cat+sat")
    page.locator(".strip").first.locator(".chip").nth(2).click()
    page.get_by_role("link", name="q k v").click()
    expect(page).to_have_url(re.compile(r"/attention\?.*token=2"))
    settle(page)


def test_a_page_change_by_strip_or_menu_keeps_text_model_and_block(server, watched):
    page = opened(watched, f"{server}/heads?text=One+sentence+travels&model=bert&layer=4")
    page.get_by_role("link", name="hidden word").click()
    expect(page.locator(TITLE)).to_have_text("Which word is hidden?")
    settle(page)
    assert query(page).items() >= {
        "text": "One sentence travels", "model": "bert", "layer": "4"}.items()  # fmt: skip
    page.get_by_role("link", name="Glassformer").first.click()
    settle(page)
    assert page.locator(FIELD).input_value() == "One sentence travels"
    assert page.locator("select.model").input_value() == "bert"
    assert query(page)["layer"] == "4"


def test_undo_and_reset(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat")
    undo = page.get_by_role("button", name="Undo")
    assert undo.is_disabled()
    page.get_by_role("button", name="Meet a made-up name again").click()
    expect(page).to_have_url(re.compile("Zorvik"))
    settle(page)
    undo.click()
    expect(page).to_have_url(re.compile("text=The(\\+|%20)cat"))
    settle(page)
    assert page.locator(FIELD).input_value() == "The cat"
    page.get_by_role("button", name="Reset").click()
    expect(page).to_have_url(re.compile(r"/next-token$"))
    settle(page)
    assert page.locator(FIELD).input_value().startswith("The dog")
    undo.click()  # of the reset
    expect(page).to_have_url(re.compile("text=The(\\+|%20)cat"))


def test_undo_takes_back_what_was_done_before_a_reload_and_before_another_page(server, watched):
    page = opened(watched, f"{server}/attention?text=The+cat")
    undo = page.get_by_role("button", name="Undo")
    page.get_by_role("radiogroup", name="Layer").get_by_role("radio").nth(3).click()
    expect(page).to_have_url(re.compile("layer=3"))
    page.locator(FIELD).fill("A dog")
    expect(page).to_have_url(re.compile("text=A"))
    settle(page)
    by_menu(page)
    expect(page).to_have_url(re.compile("/heads"))
    settle(page)
    assert undo.is_disabled()  # what was done elsewhere is not undone here
    page.go_back()
    expect(page).to_have_url(re.compile("/attention"))
    settle(page)
    page.reload()
    settle(page)
    undo.click()
    settle(page)
    assert query(page) == {"text": "The cat", "layer": "3"}
    assert page.locator(FIELD).input_value() == "The cat"
    undo.click()
    settle(page)
    assert query(page) == {"text": "The cat"}
    expect(undo).to_be_disabled()


def test_a_hostile_link_is_set_right_and_said_once(server, watched):
    page = opened(watched, f"{server}/attention?head=nan&layer=-7&text=%3Cscript%3E&z=%25")
    for wrong in ("“Head” = “nan”", "“Layer” = “-7”"):
        expect(page.get_by_text(f"The link asks for {wrong}.")).to_have_count(1)
    expect(page.get_by_text("This link is incomplete.")).to_have_count(1)
    assert set(query(page)) <= {"text", "layer"}
    page.locator(".strip").first.locator(".chip").nth(1).click()
    expect(page).to_have_url(re.compile("token=1"))
    settle(page)
    for words in ("The link asks for", "This link is incomplete."):
        expect(page.get_by_text(words).filter(visible=True)).to_have_count(0)


def test_an_unknown_model_is_said_and_another_shown(server, watched):
    page = opened(watched, f"{server}/next-token?model=..%2F..%2Fetc")
    expect(page.get_by_text("There is no model called")).to_be_visible()
    assert page.locator("select.model").input_value() == "gpt"
    page.locator(FIELD).fill("Still works")
    expect(page).to_have_url(re.compile("Still"))

"""The state of a page: its address, Back, undo, keys, tabs, and what goes along to other pages."""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

from core.answers.link import pack
from tests.browser.axe import ours, severe
from tests.browser.conftest import PHONE, Watch, new_page, settle

TITLE = "h1.glass-title"
FIELD = "textarea.text"
ANSWERS = re.compile(r"/figure/[a-z.]+\.bin")
HERS = "My own sentence"


def query(page: Page) -> dict[str, str]:
    return {name: value[0] for name, value in parse_qs(urlsplit(page.url).query).items()}


def opened(watched, address: str) -> Page:
    page, _ = watched
    page.goto(address)
    settle(page)
    return page


def attention(page: Page, server: str, text: str = "The cat sat on the mat", **more: str) -> Page:
    page.goto(f"{server}/attention?{urlencode({'text': text, **more})}")
    settle(page)
    return page


def chip(page: Page, at: int) -> Locator:
    return page.locator(".st-key-attention-row .chip").nth(at)


def choose(page: Page, at: int) -> None:
    """Select a token, and point elsewhere: what is pointed at would be shown instead."""
    chip(page, at).click()
    page.mouse.move(720, 895)
    expect(page).to_have_url(re.compile(f"token={at}"))


def control(page: Page, label: str, value: str) -> Locator:
    return page.get_by_role("radiogroup", name=label).get_by_role("radio", name=value, exact=True)


def blur(page: Page) -> None:
    page.evaluate("() => { let a = document.activeElement; while (a?.shadowRoot?.activeElement)"
                  " a = a.shadowRoot.activeElement; a?.blur(); }")  # fmt: skip


def shown(page: Page) -> tuple[object, ...]:
    """What the address, the controls, the strip and the arithmetic say."""
    page.mouse.move(720, 895)
    settle(page)
    checked = page.locator("[role=radiogroup] [aria-checked=true]")
    own = page.locator(".st-key-attention-row .chip[aria-selected=true] .label").first
    how = page.locator(".st-key-attention-steps .how h2, .st-key-attention-steps .how .title")
    return (query(page), checked.all_inner_texts(), own.inner_text(), how.first.inner_text(),
            page.locator(".st-key-attention-row .chip").all_inner_texts(),
            page.locator(FIELD).input_value())  # fmt: skip


def by_menu(page: Page) -> None:
    page.get_by_test_id("stTopNavSection").filter(has_text="Inside a layer").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Attention, all heads").click()
    expect(page.get_by_test_id("stTopNavPopover")).to_have_count(0)


# --- one page ------------------------------------------------------------------------------------


def test_every_change_is_in_the_address_and_back_forward_and_a_copied_link_show_it_again(
    server, watched, browser
):
    page, _ = watched
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sent: list[object] = []
    page.on("websocket", lambda one: one.on("framesent", lambda frame: sent.append(frame)))
    attention(page, server, "The cat sat")
    n, seen = len(sent), [shown(page)]
    for label, value in (("Layer", "2"), ("Head", "1")):
        control(page, label, value).click()
        expect(control(page, label, value)).to_have_attribute("aria-checked", "true")
        assert query(page)[label.lower()] == value
        seen.append(shown(page))
    choose(page, 2)
    seen.append(shown(page))
    page.locator(FIELD).fill("All day the cat sat")  # what is looked at follows its word
    expect(page).to_have_url(re.compile("token=4"))
    seen.append(shown(page))
    assert query(page) == {"text": "All day the cat sat", "layer": "2", "head": "1", "token": "4"}
    assert chip(page, 4).get_attribute("aria-selected") == "true"
    assert "cat" in chip(page, 4).inner_text()
    for before, after in pairwise(seen):
        assert before[0] != after[0]
        assert before[4] != after[4]  # the shares
    for steps, way in ((seen[-2::-1], page.go_back), (seen[1:], page.go_forward)):
        for expected in steps:
            way()
            page.wait_for_function(
                "(said) => location.search === said", arg=f"?{urlencode(expected[0])}"
            )
            assert shown(page) == expected
    assert len(sent) == n  # the script has heard nothing of it
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("[role=status].said")).to_have_text("Link copied")
    other = new_page(browser)
    other.goto(page.evaluate("() => navigator.clipboard.readText()"))
    assert shown(other) == seen[-1]
    other.context.close()


def test_a_page_is_worked_with_keys_alone(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat&temperature=1.5")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("/")
    field = page.locator(FIELD)
    page.keyboard.type("A new")  # the old one was selected
    expect(page).to_have_url(re.compile("text=A(\\+|%20)new"))
    page.keyboard.type(" text", delay=30)  # the figures are asked while more is typed
    expect(page).to_have_url(re.compile("new(\\+|%20)text"))
    settle(page)
    caret = "(n) => [n.value, n.selectionStart, n.getRootNode().activeElement === n]"
    assert field.evaluate(caret) == ["A new text", 10, True]
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.keyboard.type("!", delay=30)
    settle(page)
    assert field.evaluate(caret) == ["A new! text", 6, True]
    labels = page.locator(".strip").first.locator(".chip .label").all_inner_texts()
    assert "".join(labels[1:]).replace("·", " ").startswith("A new! text")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile("text=The(\\+|%20)cat"))
    settle(page)
    assert field.input_value() == "The cat"
    page.keyboard.press("c")  # a shortcut of Streamlit's, too, which may open nothing
    expect(page.locator("[role=status].said")).to_have_text("Link copied")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("undo the last change")
    assert ours(severe(page)) == []
    assert page.locator('[data-testid="stDialog"]').count() == 0
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    small = page.evaluate(size)
    blur(page)
    page.keyboard.press("l")
    expect(page).to_have_url(re.compile("view=lecture"))
    settle(page)
    assert page.evaluate(size) >= 20 > small
    assert not page.get_by_text("Try this").is_visible()
    lecture = page.get_by_role("button", name="Lecture view", exact=True)
    assert lecture.get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowRight")  # steps, with nothing focused
    expect(page).to_have_url(re.compile("made=1"))
    page.keyboard.press("l")
    expect(page).not_to_have_url(re.compile("view=lecture"))
    settle(page)
    assert page.get_by_text("Try this").is_visible()


def test_controls_and_steps_are_worked_with_keys_alone(server, watched):
    page = attention(watched[0], server, layer="1", step="6")
    control(page, "Layer", "1").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    expect(control(page, "Layer", "2")).to_be_focused()
    assert query(page)["layer"] == "2"
    page.keyboard.press("Tab")
    expect(control(page, "Head", "3")).to_be_focused()
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("Queries: what each token looks for", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("step=0"))
    # The weights that this step's sums need come now.
    expect(page.get_by_text("Multiply the token's vector by a row of the matrix")).to_be_visible()


def test_a_lecture_turns_the_sections_of_a_page(server, watched):
    page = opened(watched, f"{server}/tokenization?text=Lothlorien&view=lecture")
    title = page.locator(".st-key-sections .step-title")
    expect(title).to_have_text("The same text, cut by two models")
    ladder = page.locator(".st-key-text-encode-gpt-bpe")
    merges = page.locator(".st-key-text-pairs-bpe")
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
    page.keyboard.press("l")
    expect(page).not_to_have_url(re.compile("view=lecture"))
    settle(page)
    expect(ladder).to_be_visible()
    expect(merges).to_be_visible()
    assert "text_part" not in query(page)
    page.keyboard.press("l")
    expect(title).to_have_text("Where does the vocabulary come from?")
    assert query(page)["text_part"] == "2"


def test_another_model_is_a_page_of_its_own_and_undo_brings_back_the_first(server, watched):
    page = attention(watched[0], server, "The cat sat", layer="1")
    model = page.locator("select.model")
    first = [re.compile(r"^GPT, 6"), re.compile(r"^BERT, "), re.compile(r"^Transformer")]
    expect(model.locator("option")).to_have_text([*first, "More models …"])
    model.select_option("More models …")
    assert model.locator("option").count() > 10
    model.select_option("t5")
    expect(page.get_by_role("heading", name="Why do other models divide")).to_be_visible()
    settle(page)
    assert query(page) == {"text": "The cat sat", "layer": "1", "model": "t5"}
    expect(page.get_by_role("radiogroup", name="Attention")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Why divide by")).to_be_visible()
    settle(page)
    expect(model).to_have_value("gpt")
    assert query(page) == {"text": "The cat sat", "layer": "1"}


def test_without_a_text_or_an_answer_the_last_run_stays_and_it_is_said(server, watched):
    page, log = watched
    attention(page, server, "A small dog", layer="1")
    figures = [page.locator(f".st-key-attention-{name} .body").first for name in ("row", "steps")]
    chips = page.locator(".st-key-attention-row .chip")
    before, field = chips.all_inner_texts(), page.locator(FIELD)
    field.fill("")
    expect(page.get_by_text("Type a word or two above")).to_be_visible()
    settle(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for figure in figures:
            expect(figure).to_have_css("opacity", "0.45")
    assert chips.all_inner_texts() == before
    chip(page, 2).click()  # what is dimmed still answers
    expect(page).to_have_url(re.compile("token=2"))
    field.fill("A dog")
    expect(page.get_by_text("Type a word or two above")).to_be_hidden()
    settle(page)
    for figure in figures:
        expect(figure).to_have_css("opacity", "1")
    before = chips.all_inner_texts()
    page.route(ANSWERS, lambda route: route.abort())
    control(page, "Layer", "3").click()
    page.mouse.move(0, 0)  # what is said moves the page under it
    expect(page.get_by_text("No answer. What is shown stays").first).to_be_visible()
    assert chips.all_inner_texts() == before
    page.unroute(ANSWERS)
    expect(control(page, "Layer", "3")).to_have_attribute("aria-checked", "true")
    expect(page.get_by_text("No answer. What is shown stays")).to_have_count(0)
    settle(page)
    assert chips.all_inner_texts() != before
    log.problems.clear()  # what was cut off is in it


def test_what_is_clicked_while_a_text_still_runs_is_kept(server, watched):
    page = attention(watched[0], server)
    page.locator(FIELD).fill("A small dog ran home")
    page.keyboard.press("Control+Enter")
    chip(page, 2).click()  # at once: of the text before, or of this one
    control(page, "Layer", "3").click()
    page.mouse.move(720, 895)
    expect(page).to_have_url(re.compile("layer=3"))
    settle(page)
    assert query(page) == {"text": "A small dog ran home", "token": "2", "layer": "3"}
    assert "home" in page.locator(".st-key-attention-row .chip .label").last.inner_text()
    assert chip(page, 2).get_attribute("aria-selected") == "true"


def test_what_is_second_is_behind_details_and_on_a_phone_steps_come_first(server, watched):
    page = attention(watched[0], server)
    within = page.locator(".st-key-attention-steps .source")
    expect(within).to_be_hidden()
    page.get_by_text("Details", exact=True).click()
    expect(within).to_be_visible()
    choose(page, 2)  # it is drawn anew
    expect(within).to_be_visible()
    page.goto(f"{server}/next-token")  # they stay as they were left
    settle(page)
    details = page.locator("details.glass-details")
    expect(details).to_have_attribute("open", "")
    page.get_by_text("Details", exact=True).click()
    page.reload()
    settle(page)
    expect(details).not_to_have_attribute("open", "")
    page.set_viewport_size(PHONE)
    attention(page, server)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    play = page.get_by_role("button", name="Play").bounding_box()
    canvas = page.locator(".st-key-attention-steps canvas").first.bounding_box()
    layer = control(page, "Layer", "5").bounding_box()
    assert play["y"] < canvas["y"] < layer["y"]


# --- links ---------------------------------------------------------------------------------------


def test_what_is_wrong_in_a_link_is_set_right_and_said_once(server, watched):
    page = opened(watched, f"{server}/attention?head=nan&layer=-7&text=%3Cscript%3E&z=%25")
    for wrong in ("“Head” = “nan”", "“Layer” = “-7”"):
        expect(page.get_by_text(f"The link asks for {wrong}.")).to_have_count(1)
    expect(page.get_by_text("This link is incomplete.")).to_have_count(1)
    assert set(query(page)) <= {"text", "layer"}
    choose(page, 1)
    settle(page)
    for words in ("The link asks for", "This link is incomplete."):
        expect(page.get_by_text(words).filter(visible=True)).to_have_count(0)
    page.goto(f"{server}/next-token?model=..%2F..%2Fetc")
    settle(page)
    expect(page.get_by_text("There is no model called")).to_be_visible()
    assert page.locator("select.model").input_value() == "gpt"


def test_what_is_too_long_for_a_link_is_named_and_stays_in_the_tab(server, watched):
    words = " ".join(f"word{n}" for n in range(420))
    packed, _out = pack({"text": words, "token": "3"})  # as links once were
    assert packed.keys() == {"z"}
    page = opened(watched, f"{server}/attention?{urlencode(packed)}")
    assert page.locator(FIELD).input_value() == words
    assert page.locator(".cut s").first.is_visible()
    assert query(page) == {"text": words, "token": "3"}
    page.goto(f"{server}/attention?layer=2")
    settle(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = page.locator(FIELD).evaluate(
        """(field) => {
          const codes = Array.from({ length: 9000 }, () => 0x4e00 + Math.random() * 20000);
          field.value = String.fromCharCode(...codes); // each is nine characters of an address
          field.dispatchEvent(new Event("input"));
          return field.value;
        }"""
    )
    settle(page)
    expect(chip(page, 20)).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    said = "Link copied, but without “Text”: too long for a link"
    expect(page.locator("[role=status].said")).to_have_text(said)
    for go, where in ((page.reload, "attention"), (lambda: by_menu(page), "heads"),
                      (page.go_back, "attention")):  # fmt: skip
        go()
        expect(page).to_have_url(re.compile(f"/{where}"))
        settle(page)
        assert page.locator(FIELD).input_value() == text
        assert query(page) == {"layer": "2"}


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


# --- from page to page ---------------------------------------------------------------------------


def by_strip(page: Page) -> None:
    page.get_by_role("link", name="weights").click()


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


def test_one_press_of_back_returns_and_one_of_forward_goes_again(server, watched):
    page, _ = watched
    for start, ways in (("/next-token?text=First&temperature=1.5", (by_strip, by_menu, by_search)),
                        ("/?text=First&place=layer5.head3", (by_place,))):  # fmt: skip
        page.goto(server + start)
        settle(page)
        title, length = page.locator(TITLE).inner_text(), page.evaluate("history.length")
        for follow in ways:
            follow(page)
            expect(page.locator(TITLE)).not_to_have_text(title)
            settle(page)
            there, address = page.locator(TITLE).inner_text(), page.url
            assert page.locator(FIELD).input_value() == "First"
            assert page.evaluate("history.length") == length + 1
            page.go_back()
            expect(page.locator(TITLE)).to_have_text(title)
            settle(page)
            assert page.url == server + start
        page.go_forward()
        expect(page.locator(TITLE)).to_have_text(there)
        settle(page)
        assert page.url == address


def test_undo_is_of_its_page_and_tab_and_lasts_over_a_reload(server, watched):
    page, _ = watched
    attention(page, server, "The cat", layer="1")
    other = page.context.new_page()
    other.add_init_script(path="tests/browser/under_way.js")
    attention(other, server, "The cat", layer="1")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    control(page, "Layer", "3").click()
    page.locator(FIELD).press_sequentially(" on the mat", delay=20)  # one change
    expect(page).to_have_url(re.compile("mat"))
    settle(page)
    by_menu(page)
    expect(page).to_have_url(re.compile("/heads"))
    settle(page)
    assert query(page) == {"text": "The cat on the mat", "layer": "3"}
    assert undo.is_disabled()  # what was done elsewhere is not undone here
    page.go_back()
    expect(page).to_have_url(re.compile("/attention"))
    settle(page)
    page.reload()
    settle(page)
    expect(other.get_by_role("button", name="Undo")).to_be_disabled()
    assert other.locator(FIELD).input_value() == "The cat"
    by_menu(other)
    expect(other).to_have_url(re.compile("/heads"))
    settle(other)
    assert query(other) == {"text": "The cat", "layer": "1"}
    other.close()  # which takes nothing along
    for state in ({"text": "The cat", "layer": "3"}, {"text": "The cat", "layer": "1"}):
        undo.click()
        settle(page)
        assert query(page) == state
        assert page.locator(FIELD).input_value() == "The cat"
    expect(undo).to_be_disabled()


def test_two_browsers_have_a_state_each(server, watched, browser):
    page, other = attention(watched[0], server), new_page(browser)
    watch = Watch(other)
    attention(other, server)
    choose(page, 1)
    choose(other, 3)
    other.locator(FIELD).fill("A small dog ran home")
    other.keyboard.press("Control+Enter")
    expect(other).to_have_url(re.compile("text=A"))
    settle(other)
    settle(page)
    assert query(page) == {"text": "The cat sat on the mat", "token": "1"}
    assert query(other)["text"] == "A small dog ran home"
    other.context.close()
    assert not watch.problems


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
    page = attention(watched[0], server, HERS)
    page.get_by_role("button", name="Repeat a word").click()
    expect(page.locator(".outcome .side b").first).to_be_visible()
    expect(page.locator(".whose")).to_contain_text("Yours is kept for the other pages")
    settle(page)
    lent = text(page)
    assert lent != HERS
    assert (query(page)["hers"], query(page)["experiment"]) == (HERS, "attention.repeat")
    go_to(page, "heads")
    assert text(page) == HERS
    assert "experiment" not in query(page)
    page.go_back()
    expect(page).to_have_url(re.compile("/attention"))
    settle(page)
    page.reload()
    settle(page)
    assert text(page) == lent
    expect(page.locator(".whose")).to_contain_text("Yours is kept for the other pages")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(FIELD)).to_have_value(HERS)
    page.get_by_role("button", name="Repeat a word").click()
    expect(page.locator(FIELD)).to_have_value(lent)
    page.locator(FIELD).fill("Typed over it")
    settle(page)
    assert "hers" not in query(page)
    go_to(page, "translate")
    assert text(page) != "Typed over it"  # for a translator she has typed none
    page.locator(FIELD).fill("Le chat dort")
    settle(page)
    go_to(page, "heads")
    assert text(page) == "Typed over it"
    go_to(page, "rnn-to-transformer")
    assert text(page) == "Le chat dort"


def test_on_a_phone_an_experiment_says_what_it_moved_and_its_settings_stay_there(server, watched):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/masks?text={HERS.replace(' ', '+')}&mask=causal")
    page.locator("[data-experiment='masks.window']").click()
    expect(page.locator(".outcome:not(:empty)")).to_be_in_viewport(ratio=1)
    settle(page)
    set_by_it = query(page)
    assert {"mask": "window:2", "token": "15"}.items() <= set_by_it.items()
    page.get_by_role("radiogroup", name="Head").get_by_role("radio").nth(2).click()
    settle(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    go_to(page, "heads")
    assert query(page)["head"] == "2"  # what she has changed since goes along
    go_to(page, "masks")
    assert query(page).get("mask") in (None, "causal")
    for _ in range(3):
        page.go_back()
        settle(page)
    assert query(page) == set_by_it


def test_what_a_click_in_a_figure_opens_has_its_text_and_home_the_model_of_the_bar(server, watched):
    page = opened(
        watched, f"{server}/?text=Not+hers&hers={HERS.replace(' ', '+')}&place=layer5.head3"
    )
    by_place(page)
    expect(page).to_have_url(re.compile("/attention"))
    settle(page)
    assert text(page) == "Not hers"
    assert query(page)["hers"] == HERS
    go_to(page, "glossary")
    page.get_by_role("searchbox", name="Search the terms").fill("causal mask")
    page.locator("a.term").first.click()
    expect(page).to_have_url(re.compile("term=causal-mask"))
    page.locator(".entry.chosen .pages a", has_text="Masks").click()
    expect(page).to_have_url(re.compile("/masks"))
    settle(page)
    assert text(page) == HERS
    assert "term" not in query(page)
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

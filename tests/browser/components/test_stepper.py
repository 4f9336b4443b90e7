"""The stepper: buttons, keys, slider, play and pause."""

from __future__ import annotations

from core.figures.text import Mark, Sentence
from tests.browser.components.conftest import deck, stepper


def step(bare) -> int | None:
    return bare.selection().get("step")


def test_buttons_keys_and_slider_move_and_stop_at_the_ends(bare):
    one = bare.show("stepper", stepper(4, first=0, titles=list("abcd")))
    back, _play, on = (one.get_by_role("button").nth(n) for n in range(3))
    assert back.is_disabled()
    on.click()
    assert (step(bare), one.locator(".step-title").inner_text()) == (1, "b")
    bare.page.evaluate("() => document.activeElement.blur()")
    for key, expected in (("ArrowRight", 2), ("End", 3), ("ArrowRight", 3), ("ArrowLeft", 2),
                          ("Home", 0), ("ArrowLeft", 0)):  # fmt: skip
        bare.page.keyboard.press(key)
        assert step(bare) == expected
    on.click()
    for key, expected in (("ArrowRight", 2), ("Home", 2), (" ", 3), ("ArrowLeft", 2)):
        bare.page.keyboard.press(key)  # a button that was clicked keeps its own
        assert step(bare) == expected
    for field in ("select", "textarea", "input"):
        bare.page.evaluate(
            "(name) => document.body.appendChild(document.createElement(name)).focus()", field
        )
        for key in ("ArrowLeft", "End"):
            bare.page.keyboard.press(key)
        assert step(bare) == 2
    one.locator("input").fill("3")
    assert step(bare) == 3
    assert on.is_disabled()
    bare.settle()
    assert bare.reported()[-1] == {"step": 3}


def test_it_plays_to_the_end_or_stands_still_and_ends_when_the_page_is_left(bare):
    one = bare.show("stepper", stepper(4, first=0, pace=60))
    play = one.locator(".play")
    assert play.inner_text() == "Play"
    play.click()
    assert play.inner_text() == "Pause"
    bare.page.wait_for_function("() => window.__glassformer.selection.step === 3")
    bare.settle()
    assert play.inner_text() == "Play"
    play.click()  # once more from the start
    bare.page.wait_for_function("() => window.__glassformer.selection.step < 3")
    bare.show("stepper", stepper(500, first=0, pace=60))
    play.click()
    assert play.inner_text() == "Play"
    now = step(bare)
    bare.pass_time(500)
    assert step(bare) == now
    play.click()
    bare.remove("stepper")
    bare.pass_time(1300)
    now = step(bare)
    bare.pass_time(500)
    assert step(bare) == now


def test_of_two_one_is_open_and_has_the_keys(bare):
    beside = bare.show("stepper", stepper(5, first=0, field="beside", keys=False, pace=60), key="a")
    main = bare.show("stepper", stepper(5, first=0, field="main"), key="b")
    opened = [one.locator("input") for one in (main, beside)]
    assert [one.is_visible() for one in opened] == [True, False]
    main.locator(".play").click()
    beside.get_by_role("button", name="Step through").click()
    assert [one.is_visible() for one in opened] == [False, True]
    assert main.locator(".play").inner_text() == "Play"  # what is not open plays no further
    at = bare.selection().get("main")
    bare.page.keyboard.press("ArrowRight")
    assert (bare.selection().get("main"), bare.selection()["beside"]) == (at, 1)
    bare.remove("a")
    bare.pass_time(1200)
    assert main.locator("input").is_visible()


def test_one_that_has_left_the_page_hears_no_key_and_plays_no_further(bare):
    """Nothing else tells it so at first: Streamlit cleans up before every new call, too."""
    gone = bare.show("stepper", stepper(5, first=0, field="before", pace=20), key="gone")
    gone.locator(".play").click()
    bare.show("stepper", stepper(5, first=0, field="after"), key="stays")
    bare.page.evaluate("() => { document.activeElement.blur();"
                       " document.getElementById('gone').remove(); }")  # fmt: skip
    bare.remove("gone")
    before = bare.selection().get("before")
    bare.page.keyboard.press("ArrowRight")
    assert bare.selection().get("after") == 1
    bare.pass_time(500)
    assert bare.selection().get("before") == before


def test_a_step_lets_go_of_what_it_must(bare):
    bare.show("stepper", stepper(3, first=0, clears=("token",)))
    bare.hear(values={"token": "7"})
    bare.page.locator("#stepper button").last.click()
    assert bare.selection() == {"token": None, "step": 1}


def test_each_step_has_its_words(bare):
    texts = [Sentence((Mark(f"step {n} <i>", "query"),)) for n in range(3)]
    one = bare.show("stepper", stepper(3, first=1, texts=texts))
    assert one.locator(".step-text").inner_text() == "step 1 <i>"
    assert one.locator("input").get_attribute("aria-valuetext").startswith("2 of 3")
    bare.show("stepper", stepper(3, first=1, before=1))  # one of two is done
    assert one.locator(".count").inner_text() == "1 of 2"
    for n in (0, 1):  # nothing to step through
        bare.show("stepper", stepper(n, first=0))
        assert not one.is_visible()


def test_sections_are_turned_by_their_own_keys_and_told_at_once(bare):
    one = bare.show("stepper", deck(["first", "second", "third"], "text_part", 0))
    here = one.locator(".marks [aria-current]")
    assert here.get_attribute("aria-label") == "1 of 3: first"
    for steps in (".play", ".count", "input"):  # nobody takes it for the steps of a figure
        assert not one.locator(steps).is_visible()
    told = []
    for key, expected in (("PageDown", 1), ("ArrowRight", 2), ("ArrowRight", 2), ("PageUp", 1),
                          ("ArrowLeft", 0), ("End", 0), (" ", 0)):  # fmt: skip
        bare.page.keyboard.press(key)
        assert bare.selection()["text_part"] == expected
        told += bare.reported()[len(told) :]
        assert told[-1] == {"text_part": expected}
        bare.page.wait_for_timeout(110)  # a key that is held down waits until it is let go
    one.locator(".marks button").last.click()
    assert bare.selection()["text_part"] == 2
    assert here.get_attribute("aria-label") == "3 of 3: third"


def test_a_stepper_at_its_end_leaves_the_arrows_to_the_sections(bare):
    bare.show("stepper", deck(["first", "second", "third"], "text_part", 1), key="sections")
    bare.show("stepper", stepper(3, first=1), key="steps")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "PageDown"):
        bare.page.keyboard.press(key)
        seen.append((step(bare), bare.selection()["text_part"]))
    assert seen == [(2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 2)]


def test_a_stepper_alone_keeps_the_arrows_at_its_end(bare, payload_of):
    """Else they would walk over the tokens behind its back."""
    bare.show("token_strip", payload_of("attention.row", text="The cat sat", token=1))
    bare.show("stepper", stepper(3, first=2))
    bare.page.keyboard.press("ArrowRight")
    assert bare.selection()["token"] == 1


TALL = "() => { document.body.style.height = '3000px'; }"
PLACE = "() => document.scrollingElement.scrollTop"


def test_keys_scroll_the_page_where_it_scrolls(bare):
    """The space bar, Home and End are the stepper's only where they would move nothing."""
    one = bare.show("stepper", stepper(3, first=1))
    bare.page.keyboard.press("End")
    assert step(bare) == 2
    bare.page.evaluate(TALL)
    bare.page.keyboard.press("Space")
    bare.page.wait_for_function(f"() => ({PLACE})() > 300")
    assert one.locator(".play").inner_text() == "Play"
    bare.page.keyboard.press("End")
    bare.page.wait_for_function(f"() => ({PLACE})() > 1500")
    bare.page.keyboard.press("Home")
    bare.page.wait_for_function(f"() => ({PLACE})() === 0")
    assert step(bare) == 2
    bare.page.keyboard.press("ArrowLeft")  # scrolls nothing
    assert step(bare) == 1


def test_the_space_bar_plays_where_the_slider_has_the_keyboard(bare):
    one = bare.show("stepper", stepper(500, first=0, pace=60))
    bare.page.evaluate(TALL)
    one.locator("input").focus()
    bare.page.keyboard.press("Space")
    assert one.locator(".play").inner_text() == "Pause"
    bare.page.keyboard.press("Space")
    assert one.locator(".play").inner_text() == "Play"
    assert bare.page.evaluate(PLACE) == 0


def test_a_section_is_read_to_its_end_before_the_next_one(bare):
    bare.show("stepper", deck(["first", "second", "third"], "text_part", 1))
    bare.page.evaluate(TALL)
    bare.page.keyboard.press("PageDown")
    bare.page.wait_for_function(f"() => ({PLACE})() > 300")
    assert bare.selection()["text_part"] == 1
    bare.page.evaluate("() => scrollTo(0, 3000)")
    bare.page.wait_for_function(f"() => ({PLACE})() > 1500")
    bare.page.keyboard.press("PageDown")
    assert bare.selection()["text_part"] == 2
    bare.page.evaluate("() => scrollTo(0, 0)")
    bare.page.wait_for_function(f"() => ({PLACE})() === 0")
    bare.page.keyboard.press("PageUp")
    assert bare.selection()["text_part"] == 1

"""The token strip: chips, heat, readings, tokens that come with steps, marks."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from core.figures.payload import Payload
from core.figures.text import number, percent
from tests.browser.components.conftest import header, stepper

LABELS = {"strip": "tokens", "masked": "masked", "cut": "was cut", "more": "all", "less": "fewer"}


def strip(words: str = "a b c d e", **more) -> Payload:
    arrays = more.pop("arrays", {})
    chips = [
        {"label": word, "kind": "word", "title": word, "group": at, "fixed": False}
        for at, word in enumerate(words.split())
    ]
    more.setdefault("tokens", chips)
    return Payload({"cut": "", "field": "token", "labels": LABELS} | more, arrays)


def labels(chips) -> list[str]:
    return chips.locator(".label").all_inner_texts()


def test_arrow_keys_walk_and_select(bare):
    one = bare.show("token_strip", strip(default=1))
    bare.page.keyboard.press("Tab")  # enters at the selected chip
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        bare.page.keyboard.press(key)
    assert labels(one.locator('[aria-selected="true"]')) == ["c"]
    for _ in range(9):
        bare.page.keyboard.press("ArrowRight")  # stops at the end
    bare.settle()
    assert bare.reported()[-1] == {"token": 4}


def test_numbers_under_the_chips_are_those_of_the_selected_row(bare):
    heat = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.001, 0.2, 0.799]], np.float32)
    may = np.tri(3, dtype=np.uint8)
    row = np.array([np.nan, 7.25, 0.031], np.float32)  # one of numbers serves all
    one = bare.show("token_strip", strip("a b c", heat_limit=12, arrays={"heat": row}))
    assert one.locator(".note").all_inner_texts() == ["", number(7.25, 2), number(0.031, 2)]
    one = bare.show("token_strip", strip(
        "a b c", default=2, heat_unit="share", arrays={"heat": heat, "may": may},
    ))  # fmt: skip
    notes = one.locator(".note")
    assert notes.all_inner_texts() == [percent(v) for v in heat[2]]
    one.locator(".chip").nth(1).click()
    assert notes.all_inner_texts() == [percent(heat[1, 0]), percent(heat[1, 1]), "masked"]
    assert "hidden" in one.locator(".chip").nth(2).get_attribute("class").split()


def test_a_token_is_read_out_without_the_dot_of_its_space(bare):
    heat = np.array([0.5, 0.25, 0.25], np.float32)
    one = bare.show("token_strip", strip("I ·saw ·", heat_unit="share", arrays={"heat": heat}))
    chips = one.locator(".chip")
    for at, said in enumerate(("I, 50 %", "saw, 25 %", "·, 25 %")):
        expect(chips.nth(at)).to_have_accessible_name(said)
    assert labels(chips) == ["I", "·saw", "·"]


def test_the_reading_follows_the_selection(bare):
    readings = [[[f"“{word}”", "query"], [" & <b>", "plain"]] for word in "abcde"]
    one = bare.show("token_strip", strip(readings=readings, default=0))
    reading = one.locator(".reading")
    assert reading.inner_text() == "“a” & <b>"
    one.locator(".chip").nth(3).hover()
    assert reading.inner_text() == "“d” & <b>"
    assert reading.locator(".role-query").inner_text() == "“d”"


def test_tokens_of_later_steps_appear_with_them(bare):
    reveal = {"field": "step", "base": 2, "first": 0}
    one = bare.show("token_strip", strip(reveal=reveal, prose=["A ", "small", " <b>", "d", "e"]))
    bare.show("stepper", stepper(4, first=0))
    assert labels(one.locator(".chip:visible")) == ["a", "b"]
    assert not one.locator(".prose").is_visible()
    bare.page.locator("#stepper button").last.click()
    assert labels(one.locator(".chip:visible")) == ["a", "b", "c"]
    assert one.locator(".prose").inner_text() == "A small <b>"  # read as one text, too
    # The newest is the one that is looked at.
    assert labels(one.locator('[aria-selected="true"]')) == ["c"]


def grouped() -> list[dict]:
    pieces = [("[CLS]", -1), ("lot", 0), ("##h", 0), ("the", 1), ("cat", 2), ("[SEP]", -1)]
    return [
        {"label": label, "kind": "word", "title": "", "group": group, "fixed": group < 0}
        for label, group in pieces
    ]


def marking(marked) -> Payload:
    return strip(tokens=grouped(), toggles="group", marked=marked, marked_label="[MASK]")


def test_a_click_marks_a_word_with_all_its_pieces(bare):
    one = bare.show("token_strip", marking([4]))
    assert labels(one.locator(".marked")) == ["[MASK]"]
    assert one.locator(".marked .note").all_inner_texts() == ["cat"]
    one.locator(".chip").nth(2).click()
    assert one.locator(".marked .note").all_inner_texts() == ["lot", "##h", "cat"]
    one.locator(".chip").nth(4).click()
    one.locator(".chip").nth(0).click()  # a mark of the model is selected, never hidden
    assert one.locator(".marked .note").all_inner_texts() == ["lot", "##h"]
    assert bare.said("token_strip", "marked") == ["0,2", "0"]  # of words
    one.locator(".chip").nth(0).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", " "):  # walking marks nothing
        bare.page.keyboard.press(key)
    assert one.locator(".marked .note").all_inner_texts() == ["lot", "##h", "the"]
    bare.page.keyboard.press("Enter")
    assert one.locator(".marked .note").all_inner_texts() == ["lot", "##h"]


def test_an_echo_of_marks_never_undoes_a_later_one(bare):
    one = bare.show("token_strip", marking([]))
    for at in (1, 3, 4):
        one.locator(".chip").nth(at).click()
    for echo in ([1, 2], [1, 2, 3]):
        bare.show("token_strip", marking(echo))
        assert one.locator(".marked").count() == 4
    bare.hear()  # all three
    bare.show("token_strip", marking([1, 2, 3, 4]))
    bare.show("token_strip", marking([3]))  # undone by the server
    assert one.locator(".marked .note").all_inner_texts() == ["the"]


def test_a_cut_text_is_struck_through_and_a_long_one_folds(bare):
    one = bare.show("token_strip", strip(" ".join("word" for _ in range(90)), cut="<b>the rest"))
    assert one.locator("s").inner_text() == "<b>the rest"
    folded = one.locator(".strip").bounding_box()["height"]
    one.get_by_role("button", name="all").click()
    assert one.locator(".strip").bounding_box()["height"] > folded


def test_what_is_said_of_a_cut_text_is_never_cut(bare_page):
    one = bare_page(phone=True).show("token_strip", strip(cut="word " * 32))
    cut = one.locator(".cut")
    said = cut.locator(".muted").bounding_box()
    box = cut.bounding_box()
    assert said["y"] + said["height"] <= box["y"] + box["height"] + 1


def in_sight(one, at: int) -> bool:
    """Whether the fold leaves a chip to be seen."""
    return one.evaluate(
        """(host, at) => {
          const [own, list] = [host.querySelectorAll(".chip")[at], host.querySelector(".strip")]
            .map((element) => element.getBoundingClientRect());
          return own.top >= list.top - 1 && own.bottom <= list.bottom + 1;
        }""",
        at,
    )


def test_the_fold_never_hides_the_selected_token(bare):
    words = " ".join(f"word{i}" for i in range(200))
    one = bare.show("token_strip", strip(words, selection={"token": 150}))
    assert in_sight(one, 150)
    assert not in_sight(one, 0)
    # It can be scrolled by hand: an answer of the server and pointing move nothing.
    one.locator(".strip").evaluate("(list) => { list.scrollTop = 0; }")
    bare.show("token_strip", strip(words, selection={"token": 150}))
    one.locator(".chip").nth(3).hover()
    assert in_sight(one, 0)
    bare.page.mouse.move(0, 0)
    assert in_sight(one, 0)
    # Another selection, from wherever it comes, is shown.
    bare.page.evaluate(
        """() => {
          window.__glassformer.selection.token = 199;
          document.dispatchEvent(new CustomEvent("glassformer:select",
            { detail: { changed: ["token"], hover: false } }));
        }"""
    )
    assert in_sight(one, 199)
    for _ in range(2):  # unfolded and folded again
        one.locator(".more").click()
        assert in_sight(one, 199)


def test_hidden_and_odd_characters_are_shown_as_given(bare):
    chips = [
        {"label": label, "kind": kind, "title": "", "group": 0}
        for label, kind in (("·it", "word"), ("E2 80", "byte"), ("‹U+202E›", "word"),
                            ("[UNK]", "unknown"))
    ]  # fmt: skip
    one = bare.show("token_strip", header(tokens=chips, cut="", field="token", labels=LABELS))
    assert labels(one) == ["·it", "E2 80", "‹U+202E›", "[UNK]"]
    style = "(node) => getComputedStyle(node).borderTopStyle"
    assert one.locator(".chip").nth(3).evaluate(style) == "dashed"


@pytest.mark.parametrize("n", [0, 1])
def test_few_tokens_break_nothing(bare, n):
    one = bare.show("token_strip", strip(" ".join("abc"[:n])))
    assert one.locator(".chip").count() == n
    for at in range(n):
        one.locator(".chip").nth(at).click()


def test_the_pages_arrow_keys_walk_over_the_first_strip(bare):
    """Only while nothing has the keyboard, and where no stepper takes them."""
    bare.show("token_strip", strip(default=1, still=True), key="still")
    one = bare.show("token_strip", strip(default=1), key="first")
    bare.show("token_strip", strip(field="key", default=0), key="second")
    for key, expected in (("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowLeft", 0)):
        bare.page.keyboard.press(key)
        assert bare.selection() == {"token": expected}
    bare.page.keyboard.press("Control+ArrowRight")
    assert bare.selection() == {"token": 0}
    assert labels(one.locator('[aria-selected="true"]')) == ["a"]
    bare.settle()
    assert bare.reported()[-1] == {"token": 0}
    bare.show("stepper", stepper(1, first=0), key="steps")  # nothing to step through
    bare.page.keyboard.press("ArrowRight")
    assert bare.selection() == {"token": 1}
    bare.show("stepper", stepper(4, first=0), key="steps")
    bare.page.keyboard.press("ArrowRight")
    assert bare.selection() == {"token": 1, "step": 1}


def test_the_pages_arrow_keys_mark_nothing_and_go_by_words(bare):
    tokens = [
        {"label": label, "kind": "word", "title": label, "group": group, "fixed": False}
        for label, group in (("un", 0), ("happy", 0), ("end", 1))
    ]
    bare.show("token_strip", strip(tokens=tokens, toggles="group", field="word", grouped=True))
    for expected in (0, 1, 1):
        bare.page.keyboard.press("ArrowRight")
        assert bare.selection() == {"word": expected}
    assert bare.said("token_strip", "marked") == []


def test_what_was_cut_of_a_long_text_stands_beside_its_button(bare):
    tokens = " ".join(["word"] * 600)
    one = bare.show("token_strip", strip(tokens, cut="and so on " * 30))
    shown, more, cut = (one.locator(name).bounding_box() for name in (".strip", ".more", ".cut"))
    assert shown["height"] < 160
    assert abs(cut["y"] - more["y"]) < 12
    assert cut["x"] > more["x"] + more["width"]

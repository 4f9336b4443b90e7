"""The list of terms: filtered while one types, walked by keys, and opened at a term by a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from core.figures.payload import Payload
from tests.browser.components.conftest import Bare

LABELS = {
    "field": "Search", "all": "5 terms", "found": "{n} of {all}", "none": "nothing with {query}",
    "within": "within", "signs": "signs", "pages": "on", "english": "English: {term}",
}  # fmt: skip


def term(name: str, text: str, *forms: str, english: str = "", pages: tuple[int, ...] = ()) -> dict:
    return {"id": name.casefold().replace(" ", "-").strip("[]"), "term": name, "forms": forms,
            "text": text, "english": english, "pages": pages}  # fmt: skip


TERMS = [
    term("softmax", "Turns numbers into shares.", pages=(0, 1)),
    term("[CLS]", "Stands first."),
    term("·", "A space."),
    term("clé", "On lui compare les requêtes.", "clés", english="key"),
    term("attention weight", "The share of <b>a key</b>.", "AW"),
]
PAYLOAD = Payload({"terms": TERMS, "labels": LABELS, "pages": [("/one", "One"), ("/two", "Two")]})


@pytest.fixture
def words(bare: Bare) -> Locator:
    return bare.show("glossary", PAYLOAD)


def shown(words: Locator) -> list[str]:
    return words.locator("a.term").all_inner_texts()


def test_terms_stand_by_letters_and_typing_filters_and_marks_what_was_found(bare, words):
    assert shown(words) == ["attention weight", "clé", "[CLS]", "softmax", "·"]
    assert words.locator("h2").all_inner_texts() == ["A", "C", "S", "signs"]
    assert words.get_by_role("status").inner_text() == "5 terms"
    field = words.get_by_role("searchbox", name="Search")
    for typed, names, marks in (
        (" CLE ", ["clé"], ["clé"]),
        ("key", ["clé", "attention weight"], ["key", "key"]),  # its English name; its meaning
        ("aw", ["attention weight"], ["AW"]),
        ("<b>", ["attention weight"], ["<b>"]),
        ("no such", [], []),
    ):
        field.fill(typed)
        assert shown(words) == names
        assert words.locator("mark").all_inner_texts() == marks
        said = f"{len(names)} of 5" if names else "nothing with no such"
        expect(words.get_by_role("status")).to_have_text(said)
        assert words.locator("b").count() == 0
    field.press("Escape")
    assert len(shown(words)) == 5
    assert words.locator("mark").count() == 0
    field.fill("softm")
    bare.show("glossary", PAYLOAD)  # a rerun keeps what was typed
    assert shown(words) == ["softmax"]


def test_keys_go_from_the_field_to_a_term_and_choose_it(bare, words):
    words.get_by_role("searchbox").press("ArrowDown")
    expect(words.locator("a.term").first).to_be_focused()
    bare.page.keyboard.press("ArrowDown")
    bare.page.keyboard.press("Enter")
    assert bare.selection()["term"] == "clé"
    assert words.locator(".entry.chosen a.term").inner_text() == "clé"
    assert words.locator("a.term[tabindex='0']").all_inner_texts() == ["clé"]
    bare.settle()
    assert bare.reported() == [{"term": "clé"}]
    assert bare.page.url.endswith("?term=cl%C3%A9")


def test_a_link_brings_its_term_into_sight(bare_page):
    bare = bare_page(phone=True)
    many = [term(f"a{at}", "One of many. " * 9) for at in range(60)]
    bare.hear(values={"term": "aw"})
    words = bare.show("glossary", Payload({**PAYLOAD.header, "terms": [*many, *TERMS]}))
    expect(words.locator(".entry.chosen a.term")).to_be_in_viewport()
    assert words.locator(".entry.chosen a.term").inner_text() == "attention weight"


def test_a_link_to_no_term_searches_for_what_it_says(bare):
    bare.hear(values={"term": "soft-max"})
    words = bare.show("glossary", PAYLOAD)
    assert words.get_by_role("searchbox").input_value() == "soft max"
    assert words.get_by_role("status").inner_text() == "nothing with soft max"
    # The back button leads to a term that is there.
    bare.hear(values={"term": "softmax"})
    assert words.locator(".entry.chosen a.term").inner_text() == "softmax"
    assert words.get_by_role("searchbox").input_value() == ""


def test_a_term_names_the_pages_that_use_it_and_can_be_linked_to(words):
    entry = words.locator(".entry[data-term=softmax]")
    assert entry.locator("a").evaluate_all("(all) => all.map((a) => a.getAttribute('href'))") == [
        "?term=softmax", "/one", "/two"
    ]  # fmt: skip
    assert words.locator(".pages").all_inner_texts() == ["on One · Two"]

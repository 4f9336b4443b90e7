"""The masks page: the kinds, their sizes, the warning, and a mask no one can read."""

from __future__ import annotations

import pytest

from tests.app.test_pages import check, opened

FILE = "attention/masks.py"


def link(app) -> str:
    return "".join(app.query_params.get("mask", ""))


def test_it_opens_on_the_models_own_mask_without_a_warning():
    app = opened(FILE, model="gpt")
    check(app)
    assert not app.warning
    app = opened(FILE, model="bert")
    check(app)
    assert not app.warning


def test_without_a_mask_the_leak_is_said():
    app = opened(FILE, mask="none")
    check(app)
    assert any("can see the token" in warning.value for warning in app.warning)


@pytest.mark.parametrize(
    ("kind", "said"), [("prefix", "prefix:4"), ("window", "window:3"), ("padding", "padding")]
)
def test_choosing_a_kind_is_in_the_link(kind, said):
    app = opened(FILE)
    app.button_group(key="mask-kind").set_value(kind).run()
    check(app)
    assert link(app) == said


def test_a_windows_width_is_part_of_the_mask():
    app = opened(FILE, mask="window:3")
    app.number_input(key="mask-window").set_value(5).run()
    check(app)
    assert link(app) == "window:5"


def test_painting_starts_from_the_mask_that_is_shown():
    app = opened(FILE, mask="window:2", text="The cat sat")
    app.button_group(key="mask-kind").set_value("painted").run()
    check(app)
    kind, n, _bits = link(app).split(":")
    assert (kind, n) == ("painted", "4")


def test_a_mask_that_cannot_be_read_is_said_and_the_page_goes_on():
    app = opened(FILE, mask="painted:3:!!")
    check(app)
    assert any("it must be own" in warning.value for warning in app.warning)


def test_the_batch_can_be_edited():
    app = opened(FILE, mask="padding", sentence="1")
    check(app)
    app.text_area(key="control-batch").set_value("One dog\nA much longer sentence about dogs").run()
    check(app)
    assert "longer" in "".join(app.query_params["batch"])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"mask": "padding", "batch": "\n".join("abcdef")}, "the last 2 lines are left out"),
        ({"mask": "padding", "batch": "Short.\n" + "word " * 2000}, "sentence 2 was cut"),
        ({"mask": "painted:3:AAA"}, "the model's own mask holds"),
        ({"mask": "painted:3:AAA", "text": "a"}, "is left out"),
    ],
)
def test_what_is_not_shown_as_it_was_asked_for_is_said(query, said):
    app = opened(FILE, **query)
    check(app)
    assert any(said in notice.value for notice in app.info)


def test_there_is_nothing_to_say_of_a_mask_and_a_batch_that_fit():
    assert not opened(FILE, mask="padding").info
    app = opened(FILE, mask="window:2", text="The cat sat")
    app.button_group(key="mask-kind").set_value("painted").run()
    assert not app.info

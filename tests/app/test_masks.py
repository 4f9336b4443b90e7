"""The masks page: the kinds, their sizes, the warning, and a mask no one can read."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core import zoo
from core.runs.store import Runs
from pages.parts import figure, messages, page, runs
from tests.app.test_pages import as_shown, check, opened

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
    assert [as_shown(one.value) for one in app.warning] == [
        "The link asks for “Mask” = “painted:3:!!”. It must be own, none, causal, padding, "
        "prefix:N, window:N or painted, so “own” is used."
    ]


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


# --- a model of two streams ----


def script(values: dict[str, str]) -> None:
    """The page, with these values in the link."""
    import runpy

    from pages.parts import address, state

    address.begin("masks")
    state.update(values)
    runpy.run_path("pages/attention/masks.py")


@pytest.fixture
def of_two_streams(transformer, monkeypatch):
    """Opens the page on an encoder-decoder."""
    store = Runs(load=lambda name, device: transformer)
    store.model("transformer")
    for module in (figure, messages, page, runs):
        monkeypatch.setattr(module, "shared_runs", lambda: store)
    monkeypatch.setattr(zoo, "shelf", lambda: ("transformer",))

    def open_with(**values: str) -> AppTest:
        given = {"model": "transformer", "text": "The cat sat", **values}
        app = AppTest.from_function(script, default_timeout=60, args=(given,))
        return app.run()

    return open_with


@pytest.mark.parametrize(("attention", "n_kinds"), [("encoder", 6), ("decoder", 6), ("cross", 3)])
def test_each_attention_offers_the_masks_that_make_sense(of_two_streams, attention, n_kinds):
    app = of_two_streams(attention=attention)
    assert not app.exception
    assert app.button_group(key="control-attention").value == attention
    assert len(app.button_group(key="mask-kind").options) == n_kinds
    assert not app.error


def test_a_mask_from_elsewhere_is_said_and_the_models_own_shown(of_two_streams):
    """It was chosen where rows and columns are the same tokens."""
    app = of_two_streams(attention="cross", mask="window:2")
    assert not app.exception
    assert "where one sequence attends to another" in app.error[0].value
    assert app.button_group(key="mask-kind").value == "none"

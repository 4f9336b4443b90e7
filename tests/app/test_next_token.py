"""The next-token page: what is generated, how it is chosen, and what is said of it."""

from __future__ import annotations

import pytest

from tests.app.test_pages import check, dimmed, headers, in_browser, opened

FILE = "predictions/next_token.py"


def headline(app) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_the_stepper_goes_through_the_tokens_that_were_generated():
    app = opened(FILE, text="The cat", new="5", made="2")
    check(app)
    (stepper,) = headers(app, "stepper")
    assert (stepper["n"], stepper["field"]) == (6, "made")
    assert in_browser(app)["chosen"] == {"made": 2}
    assert stepper["titles"][0] == "nothing generated yet"
    assert all(title.endswith("” was drawn") for title in stepper["titles"][1:])
    assert stepper["clears"] == ["token"]
    assert "5 new tokens" in headline(app)


def test_every_figure_of_the_page_has_one_selection():
    app = opened(FILE, text="The cat", new="5", made="2", token="99999")
    check(app)
    (bars,), (strip,), (stepper,) = (
        headers(app, name) for name in ("bars", "token_strip", "stepper")
    )
    layers, cache = headers(app, "matrix")
    # The browser keeps what was chosen within what there is.
    assert in_browser(app)["chosen"] == {"token": 99999, "made": 2}
    for header in (bars, strip, stepper, cache):
        assert header["selection"] == {"token": None, "made": 0, "cut": 0}
    last = strip["reveal"]["base"] + 2 - 1  # the newest token that is shown
    # The blocks are asked about the same token, which the model made: by its id.
    assert layers["save"]["params"]["token"] == str(last)
    assert len(layers["save"]["params"]["ids"].split(",")) == last + 1


def test_what_a_figure_selects_is_taken_into_its_files():
    app = opened(FILE, text="The cat", top_k="7")
    (bars,) = headers(app, "bars")
    assert bars["save"]["fields"] == ["made", "token", "cut"]
    assert bars["save"]["params"]["top_k"] == "7"
    layers, _cache = headers(app, "matrix")
    assert layers["save"]["fields"] == []


def test_controls_are_called_and_bounded_as_the_parameters_are():
    app = opened(FILE)
    sliders = {one.label: (one.min, one.max, one.value) for one in app.slider}
    assert sliders == {
        "Temperature": (0.0, 2.0, 0.8),
        "Top-k (0 = no limit)": (0, 200, 50),
        "Top-p": (0.05, 1.0, 0.95),
    }
    fields = {one.label: one.value for one in app.number_input}
    assert fields == {"Seed": 0, "New tokens": 16, "Repetition penalty": 1.0}


def test_another_temperature_is_another_run():
    app = opened(FILE, text="The cat", seed="1")
    (before,) = headers(app, "bars")
    app.slider(key="control-temperature").set_value(1.6).run()
    check(app)
    (after,) = headers(app, "bars")
    # As their sliders show them.
    assert before["stages"][3] == "top-p 0.95"
    assert (before["stages"][1], after["stages"][1]) == ("temperature 0.80", "temperature 1.60")


@pytest.mark.parametrize(("text", "full"), [("The cat", False), ("word " * 2000, True)])
def test_a_full_context_is_said_and_only_then(text, full):
    app = opened(FILE, text=text)
    check(app)
    assert any("context is full" in info.value for info in app.info) == full


def test_without_a_text_all_figures_of_the_last_one_stand_back():
    app = opened(FILE, text=" ")
    check(app)
    assert dimmed(app) == {"predict-surprisal", "predict-next", "predict-layers", "predict-cache"}
    assert dimmed(opened(FILE)) == set()


def test_a_model_that_cannot_is_replaced_and_the_choice_is_kept():
    app = opened(FILE, model="bert")
    check(app)
    assert any("cannot predict the next token" in info.value for info in app.info)
    (bars,) = headers(app, "bars")
    assert bars["frames"]


def test_the_line_of_code_and_the_names_are_of_the_model_that_runs():
    app = opened(FILE)
    assert "core/models/gpt.py" in headline(app)
    names = " ".join(one.value for one in app.markdown)
    for site in ("logits", "blocks.{i}.resid_post", "blocks.{i}.attn.k", "blocks.{i}.attn.v"):
        assert f"`{site}`" in names or f"`{site.replace('{i}', '0')}`" in names, site

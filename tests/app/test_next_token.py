"""The next-token page: what is generated, how it is chosen, and what is said of it."""

from __future__ import annotations

import pytest

from tests.app.answered import Figure, figures
from tests.app.test_pages import check, in_browser, opened

FILE = "predictions/next_token.py"


def drawn(app) -> dict[str, Figure]:
    """The figures of the page by name, as far as they are drawn."""
    return {one.spec["view"]: one for one in figures(app) if one.spec["drawn"]}


def header(figure: Figure) -> dict:
    assert figure.answer is not None
    return figure.answer.header


def test_the_stepper_goes_through_the_tokens_that_were_generated():
    app = opened(FILE, text="The cat", new="5", made="2")
    check(app)
    said = drawn(app)["predict.next"].said
    stepper = said["steps"]
    assert (stepper["n"], stepper["field"]) == (6, "made")
    assert in_browser(app)["values"]["made"] == "2"
    assert stepper["titles"][0] == "nothing generated yet"
    assert all(title.startswith("written: … ") for title in stepper["titles"][1:])
    assert stepper["clears"] == ["token"]
    assert "5 new tokens" in said["facts"]


def test_every_figure_of_the_page_has_one_selection():
    app = opened(FILE, text="The cat", new="5", made="2", token="99999")
    check(app)
    found = drawn(app)
    # The browser keeps what was chosen within what there is.
    assert in_browser(app)["values"].items() >= {"token": "99999", "made": "2"}.items()
    for name in ("predict.next", "predict.surprisal", "predict.cache"):
        assert header(found[name])["selection"] == {"token": None, "made": 0, "cut": 0}
    assert found["predict.next"].said["steps"]["selection"] == {"token": None, "made": 0, "cut": 0}
    strip, layers = header(found["predict.surprisal"]), found["predict.layers"]
    newest = strip["tokens"][strip["reveal"]["base"] + 2 - 1]["label"].strip("·")
    # The layers are asked about the newest token that is shown.
    assert f"after “{newest}”" in header(layers)["sheets"][0]["title"]
    assert {"made", "token"} <= set(layers.spec["reads"])


def test_what_a_figure_selects_is_taken_into_its_files():
    found = drawn(opened(FILE, text="The cat", top_k="7"))
    saved = header(found["predict.next"])["save"]
    assert saved["fields"] == ["made", "token", "cut"]
    assert saved["params"]["top_k"] == "7"
    assert header(found["predict.layers"])["save"]["fields"] == ["cut"]


def test_controls_are_called_and_bounded_as_the_parameters_are():
    offered = [one for figure in figures(opened(FILE)) for one in figure.controls]
    assert [(one["label"], one["low"], one["high"], float(one["value"])) for one in offered] == [
        ("Temperature", 0.0, 2.0, 0.8),
        ("Top-k (0 = no limit)", 0, 200, 50),
        ("Top-p", 0.05, 1.0, 0.95),
        ("Seed", 0, 9999, 0),
        ("New tokens", 1, 200, 16),
        ("Repetition penalty", 0.5, 3.0, 1.0),
    ]


def test_another_temperature_is_another_run():
    before, after = (
        header(drawn(opened(FILE, text="The cat", seed="1", **hotter))["predict.next"])
        for hotter in ({}, {"temperature": "1.6"})
    )
    # As their sliders show them.
    assert before["stages"][3] == "top-p 0.95"
    assert (before["stages"][1], after["stages"][1]) == ("temperature 0.80", "temperature 1.60")


@pytest.mark.parametrize(("text", "full"), [("The cat", False), ("word " * 2000, True)])
def test_a_full_context_is_said_and_only_then(text, full):
    app = opened(FILE, text=text)
    check(app)
    (beside,) = (one for one in figures(app) if one.spec["notes"])
    notes = [
        "".join(part for part, _role in said)
        for kind, said in beside.said["notes"]
        if kind in beside.spec["notes"]
    ]
    assert any("context is full" in note for note in notes) == full


def test_a_model_that_cannot_is_replaced_and_the_choice_is_kept():
    app = opened(FILE, model="bert")
    check(app)
    assert any("cannot predict the next token" in info.value for info in app.info)
    assert header(drawn(app)["predict.next"])["frames"]


def test_the_line_of_code_and_the_names_are_of_the_model_that_runs():
    app = opened(FILE)
    assert "core/models/gpt.py" in drawn(app)["predict.next"].said["source"]
    names = " ".join(one.value for one in app.markdown)
    for site in ("logits", "blocks.{i}.resid_post", "blocks.{i}.attn.k", "blocks.{i}.attn.v"):
        assert f"`{site}`" in names or f"`{site.replace('{i}', '0')}`" in names, site

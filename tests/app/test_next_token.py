"""The next-token page: what is generated, how it is chosen, and what is said of it."""

from __future__ import annotations

import pytest

from tests.app.answered import Figure, figures
from tests.app.test_pages import check, in_browser, opened

FILE = "predictions/next_token.py"


def drawn(app) -> dict[str, Figure]:
    """The figures of the page by name, as far as they are drawn."""
    return {one.spec["view"]: one for one in figures(app) if one.spec["drawn"]}


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


def test_the_line_of_code_and_the_names_are_of_the_model_that_runs():
    app = opened(FILE)
    assert "core/models/gpt.py" in drawn(app)["predict.next"].said["source"]
    names = " ".join(one.value for one in app.markdown)
    for site in ("logits", "blocks.{i}.resid_post", "blocks.{i}.attn.k", "blocks.{i}.attn.v"):
        assert f"`{site}`" in names or f"`{site.replace('{i}', '0')}`" in names, site

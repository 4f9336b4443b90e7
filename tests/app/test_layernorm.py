"""The LayerNorm page: numbers typed in, mistakes kept and said, the model's own norms."""

from __future__ import annotations

import pytest

from tests.app.answered import figure, figures
from tests.app.test_pages import check, opened

FILE = "block/layernorm.py"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("vector", "100, abc", "numbers separated by commas"),
        ("vector", "5", "between 2 and"),
        ("gain", "1, 2", "4 numbers"),
        ("shift", "<b>", "numbers separated by commas"),
        ("eps", "-1", "0 or more"),
    ],
)
def test_a_mistake_is_said_and_what_was_typed_is_kept(name, text, said):
    app = opened(FILE, **{name: text})
    check(app)
    steps = figure(app, "norm.steps")
    assert said in steps.refused
    assert {one["name"]: one["value"] for one in steps.controls}[name] == text
    # The rest of the page is still there.
    assert figure(app, "stream.sizes").answer is not None


def test_what_did_not_fit_is_said_though_no_strip_shows_the_text():
    cut = "is left out: the text is longer than the model can read"
    for text, said in (("word " * 2000, [cut] * 2), ("A word", [])):
        app = opened(FILE, text=text)
        check(app)
        assert [why for one in figures(app) if "cut" in one.spec["says"]
                for why in one.said["cut"][1:]] == said  # fmt: skip
        home = [one for one in figures(opened("home.py", text=text)) if "cut" in one.spec["says"]]
        assert [why for one in home for why in one.said["cut"][1:]] == said[:1]

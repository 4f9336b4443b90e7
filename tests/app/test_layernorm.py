"""The LayerNorm page: numbers typed in, mistakes kept and said, the model's own norms."""

from __future__ import annotations

import pytest

from tests.app.answered import figure, figures, words
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


def test_another_vector_is_read_and_it_is_said_how():
    steps = figure(opened(FILE, vector="1, 2, 3"), "norm.steps")
    assert not steps.refused
    notes = [words(said) for kind, said in steps.said["notes"] if kind == "more"]
    assert notes == ["Read: x = 1, 2, 3"]
    assert words(figure(opened(FILE), "norm.steps").said["notes"][0][1]) != notes[0]


@pytest.mark.parametrize(
    ("source", "names"),
    [("worked", ["vector", "gain", "shift", "eps"]), ("text", ["norm"])],
)
def test_numbers_or_a_norm_can_be_changed(source, names):
    steps = figure(opened(FILE, source=source), "norm.steps")
    assert [one["name"] for one in steps.controls] == ["source", *names]


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize("norm", ["ln_1", "ln_2", "final_norm", "embed.ln", "nonsense"])
def test_every_norm_of_a_token_opens(model, norm):
    app = opened(FILE, source="text", model=model, norm=norm, layer="5", blocks="own")
    check(app)
    assert not any(one.refused for one in figures(app))


def test_the_depth_is_asked_for_fresh_blocks_only():
    (depth,) = [one for one in figure(opened(FILE, depth="3"), "stream.gradient").controls
                if one["name"] == "depth"]  # fmt: skip
    assert depth["value"] == "3"
    own = figure(opened(FILE, blocks="own"), "stream.gradient")
    assert [one["name"] for one in own.controls] == ["blocks"]


def test_what_did_not_fit_is_said_though_no_strip_shows_the_text():
    cut = "is left out: the text is longer than the model can read"
    for text, said in (("word " * 2000, [cut] * 2), ("A word", [])):
        app = opened(FILE, text=text)
        check(app)
        assert [why for one in figures(app) if "cut" in one.spec["says"]
                for why in one.said["cut"][1:]] == said  # fmt: skip
        home = [one for one in figures(opened("home.py", text=text)) if "cut" in one.spec["says"]]
        assert [why for one in home for why in one.said["cut"][1:]] == said[:1]

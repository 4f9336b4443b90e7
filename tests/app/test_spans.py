"""The page about spans and noise, with random machines: what is there, what a link brings."""

from __future__ import annotations

import pytest

from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import link, values
from tests.conftest import tiny_t5

FILE = "predictions/spans.py"
N_TASKS = len(tiny_t5().prefixes)


@pytest.fixture
def neither(monkeypatch, fills):
    """A shelf on which one model fills in spans and none mends what BART learned."""
    from core import zoo

    names = tuple(name for name in zoo.shelf() if name != "bart")
    monkeypatch.setattr(zoo, "shelf", lambda *_root: names)
    return fills


def strips(app):
    """The titles of the token strips, in order."""
    return [one["labels"]["strip"] for one in headers(app, "token_strip")]


def infos(app):
    return [as_shown(one.value) for one in app.info]


def test_it_opens_on_a_text_of_its_own_with_everything_shown(fills, mends):
    app = opened(FILE)
    check(app)
    assert not app.error
    assert values(app)["text"].startswith("Once upon a time")  # no text with marks, as elsewhere
    assert not [one for one in infos(app) if "No model on the shelf" in one]
    shown = strips(app)
    assert shown[:4] == [
        "The text, and the spans that are cut out",
        "What the encoder reads",
        "What the decoder must write, each token with its probability",
        "What the model writes by itself, each token with its probability",
    ]
    # One answer without a prefix, and one behind each that the model knows.
    assert shown.count("What the model writes") == 1 + N_TASKS
    (bars,) = headers(app, "bars")
    assert len(bars["frames"][0]["rows"]) > 1
    assert [one["sheets"][0]["title"].split(",")[0] for one in headers(app, "matrix")] == [
        "Weights without the bias", "Bias added to the scores", "Attention weights",
    ]  # fmt: skip


def test_one_sentence_says_what_no_model_can_show(neither):
    app = opened(FILE)
    check(app)
    (said,) = [one for one in infos(app) if "No model on the shelf" in one]
    assert said == (
        "No model on the shelf can mend a damaged text, so this part of the page is empty."
    )
    assert len(strips(app)) == 4 + 1 + N_TASKS


def test_with_a_model_that_mends_alone_the_rest_waits(monkeypatch, mends):
    from core import zoo

    names = tuple(name for name in zoo.shelf() if name != "t5")
    monkeypatch.setattr(zoo, "shelf", lambda *_root: names)
    app = opened(FILE)
    check(app)
    waiting = [one for one in infos(app) if "can fill in spans" in one]
    assert len(waiting) == 2
    assert len(strips(app)) == 3
    assert not headers(app, "matrix")


def test_what_is_drawn_stands_in_the_link(fills, mends):
    app = opened(FILE, span_seed="7", span_rate="0.3", span_mean="1.5", noise="rotate")
    check(app)
    before = headers(app, "token_strip")[0]["tokens"]
    app.button(key="draw-span_seed").click().run()
    check(app)
    assert link(app)["span_seed"] == "8"
    assert headers(app, "token_strip")[0]["tokens"] != before
    assert (link(app)["span_rate"], link(app)["noise"]) == ("0.3", "rotate")
    app.segmented_control(key="control-noise").set_value("mask").run()
    check(app)
    assert link(app)["noise"] == "mask"
    assert any(slider.key == "control-noise_rate" for slider in app.slider)


def test_a_prefix_of_ones_own_is_answered_and_stands_in_the_link(fills, mends):
    app = opened(FILE, task_text="The cat sat.")
    n = len(strips(app))
    app.text_input(key="control-prefix").set_value("summarize: ").run()
    check(app)
    assert link(app)["prefix"] == "summarize: "
    assert len(strips(app)) == n + 1


@pytest.mark.parametrize("attention", ["decoder", "cross"])
def test_each_kind_of_attention_has_its_bias_or_none(fills, mends, attention):
    app = opened(FILE, attention=attention, layer="99", head="-3")
    check(app)
    assert not app.error
    assert len(headers(app, "matrix")) == 3
    plots = len(app.get("plotly_chart"))
    assert plots == (1 if attention == "decoder" else 0)

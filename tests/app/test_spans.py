"""The page about spans and noise, with random machines: what is there, what a link brings."""

from __future__ import annotations

import pytest

from tests.app.answered import Figure, figures
from tests.app.test_pages import as_shown, check, opened
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


def drawn(app) -> dict[str, Figure]:
    """The figures that are there, by view; of several of one view the last."""
    return {one.spec["view"]: one for one in figures(app) if there(one)}


def there(one: Figure) -> bool:
    return one.spec["drawn"] and one.answer is not None and not one.said.get("absent")


def strips(app) -> list[str]:
    """The titles of the token strips, in order."""
    found = [one.answer.header for one in figures(app) if there(one)]
    return [one["labels"]["strip"] for one in found if "strip" in one.get("labels", {})]


def offered(app) -> dict[str, dict]:
    """What can be changed on the page, by its parameter."""
    return {one["name"]: one for found in figures(app) for one in found.controls}


def infos(app):
    return [as_shown(one.value) for one in app.info]


def test_it_opens_on_a_text_of_its_own_with_everything_shown(fills, mends):
    app = opened(FILE)
    check(app)
    assert not app.error
    assert not [one.refused for one in figures(app) if one.answer is None]
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
    found = drawn(app)
    assert len(found["noise.fillings"].answer.header["frames"][0]["rows"]) > 1
    heads = ("positions.unbiased", "positions.added", "attention.weights")
    titles = [found[view].answer.header["sheets"][0]["title"] for view in heads]
    assert [one.split(",")[0] for one in titles] == [
        "Weights without the bias", "Bias added to the scores", "Attention weights",
    ]  # fmt: skip
    assert found["noise.text"].said["facts"].startswith("T5 · ran in ")
    assert found["noise.filled"].said["source"]


def test_one_sentence_says_what_no_model_can_show(neither):
    app = opened(FILE)
    check(app)
    (said,) = [one for one in infos(app) if "No model on the shelf" in one]
    assert said == (
        "No model on the shelf can mend a damaged text, so this part of the page is empty."
    )
    assert len(strips(app)) == 4 + 1 + N_TASKS


def test_what_is_drawn_stands_in_the_link(fills, mends):
    asked = {"span_rate": "0.3", "span_mean": "1.5", "noise": "rotate"}
    app = opened(FILE, span_seed="7", **asked)
    check(app)
    assert {name: link(app)[name] for name in asked} == asked
    assert "noise_rate" not in offered(app)  # it hides nothing
    seed = next(one for found in figures(app) for one in found.spec["controls"]
                if one["name"] == "span_seed")  # fmt: skip
    assert seed["again"] == "Draw again"
    before = drawn(app)["noise.text"].answer.header["tokens"]
    app = opened(FILE, span_seed="8", **asked | {"noise": "mask"})
    check(app)
    assert drawn(app)["noise.text"].answer.header["tokens"] != before
    assert offered(app)["noise"]["value"] == "mask"
    assert "noise_rate" in offered(app)

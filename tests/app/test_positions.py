"""Embeddings and position: the controls, and what each model's page says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import zoo
from core.checkpoints import native
from core.zoo import LoadedModel
from tests.app.answered import Figure, figure, figures, words
from tests.app.test_controls import controls
from tests.app.test_pages import check, opened
from tests.app.test_state import link
from tests.machines.shelf import instead

PAGE = "text/positions.py"


def shuffles(app) -> list[Figure]:
    """The models whose tokens are shuffled."""
    return [one for one in figures(app) if one.spec["view"] == "positions.shuffle"
            and one.spec["drawn"]]  # fmt: skip


def said(app) -> str:
    """What the page says of its shuffles."""
    return " ".join(words(one.said["reading"]) for one in shuffles(app))


def title(app, view: str) -> str:
    return figure(app, view).answer.header["plot"]["layout"]["title"]["text"]


def test_opens_on_the_papers_table():
    app = opened(PAGE)
    check(app)
    assert title(app, "positions.sinusoidal") == "Sinusoidal: 50 positions × 512"
    sizes = {name: one.value for name, one in controls(app).items()}
    assert sizes == {"d_model": 512, "positions": 50, "pair": 16, "shuffle_seed": 0}
    found = figure(app, "positions.sinusoidal")
    assert found.said["source"].startswith("angles = ")


def test_what_the_other_models_context_does_not_hold_is_said():
    app = opened(PAGE, model="gpt", text="cat " * 160)  # GPT holds 256 tokens, BERT 128
    check(app)
    cut = [one.said["cut"] for one in shuffles(app) if "cut" in one.spec["says"]]
    assert [why for _struck, why in filter(None, cut)] == [
        "is left out: the text is longer than the model can read"
    ]
    app = opened(PAGE, model="gpt", text="cat " * 60)
    assert not any(one.said["cut"] for one in shuffles(app))


def test_the_table_follows_its_sliders():
    app = opened(PAGE, pair="200", d_model="8")
    check(app)
    # Four pairs are left, so the last one is shown; the link keeps what was asked for.
    assert controls(app)["pair"].value == 3
    assert link(app)["pair"] == "200"
    app = opened(PAGE, pair="200", d_model="2", positions="600")
    check(app)
    assert not [one.refused for one in figures(app) if one.answer is None]
    assert "pair" not in controls(app)  # there is one


# --- a model with two towers and fixed sinusoids ------------------------------------------


@pytest.fixture
def translator(transformer: LoadedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its id on the shelf, where it stands beside those that ship."""
    for name in zoo.shelf():
        (tmp_path / name).symlink_to(zoo.SHELF / name)
    native.save(tmp_path / "translator", "transformer", transformer.model, transformer.encoders)
    instead(monkeypatch, tmp_path)
    return "translator"


def test_the_tokens_of_either_tower_can_be_looked_up(translator):
    app = opened(PAGE, model=translator, text="the cat sat")
    check(app)
    strip = figure(app, "embed.tokens").answer.header
    assert strip["heading"] == [["Tokens of the ", "plain"], ["source", "plain"]]
    assert [token["label"] for token in strip["tokens"]][1:-1] == ["the", "cat", "sat"]
    (stream,) = figure(app, "embed.lookup").controls
    assert (stream["name"], stream["value"]) == ("stream", "source")
    assert [name for name, _called in stream["options"]] == ["source", "target"]
    app = opened(PAGE, model=translator, text="the cat sat", stream="target")
    check(app)
    strip = figure(app, "embed.tokens").answer.header
    assert words(strip["heading"]) == "Tokens of the target, written by the model itself"
    assert not figure(opened(PAGE), "embed.lookup").controls


def test_what_it_did_not_learn_is_shown_of_a_model_that_did(translator):
    app = opened(PAGE, model=translator, text="The cat told the dog a story.")
    check(app)
    (notice,) = (one for one in app.info if "position table" in one.value)
    assert notice.value.startswith("TRANSLATOR learned no position table")
    assert notice.value.endswith("are those of GPT.")
    learned = words(figure(app, "positions.learned").said["reading"])
    assert "No rule said what a position is" in learned
    # Its encoder is shuffled in place of BERT, which reads both ways too.
    assert "TRANSLATOR, no positions" in said(app)
    assert "GPT, no mask, no positions" in said(app)
    assert said(app).count("rounding") == 2
    assert not opened(PAGE, model="gpt").info

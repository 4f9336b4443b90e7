"""The home page: its question, and the way to another machine."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from core import zoo
from core.experiments import BY_ID
from core.figures.payload import unpack
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, headers, opened

QUESTIONS = {
    "gpt": "What happens between a sentence and its next word?",
    "bert": "What happens between a sentence and the word expected at a place?",
    "transformer": "What happens between a sentence and its translation?",
}


def said(app) -> str:
    """The page's own words."""
    bodies = " ".join(one.proto.body for one in app.get("html"))
    return html.unescape(re.sub("<[^>]+>", "", bodies))


def noted(app) -> list[str]:
    """What stands beside the figures, of the kinds that the page shows."""
    return [words(text) for one in figures(app) for kind, text in one.said.get("notes", [])
            if kind in one.spec["notes"]]  # fmt: skip


def drawn(app, view: str) -> dict[str, Any]:
    """What the drawing of a figure is given."""
    found = figure(app, view)
    assert found.answer is not None
    return found.answer.header


def test_a_swapped_word_stands_in_the_picture_and_beside_the_text(three_machines):
    app = opened("home.py", text="the cat sat on the mat", swap="1~cat~xylophone")
    check(app)
    (line,) = drawn(app, "map.flow")["lines"]
    assert "".join(line).strip().startswith("the xylophone sat on the mat")
    assert noted(app) == ["The model reads it with what you swapped: cat → xylophone."]


def test_what_somebody_goes_into_is_drawn_in_the_picture_and_its_panel_is_below():
    app = opened("home.py", place="layer5.head3")
    check(app)
    shown = figures(app)
    (inside,) = [one for one in shown if one.spec["more"].get("hosted")]
    assert inside.answer is not None
    assert inside.answer.header["place"] == "layer5.head3"
    ends, beside = (one for one in shown if "panel" in one.spec["says"])
    assert ends.spec["view"] == "map.line"
    assert beside.answer is not None
    panel, ways = beside.answer.header["panel"], beside.spec["more"]["ways"]
    assert panel["folder"] == "whatif"
    assert panel["reading"] == []  # the picture says it, beside what is open
    reading = inside.said["reading"]
    assert words(reading).startswith("“his” gives 72 % of its attention to “dog”")
    ((view, asked),) = panel["about"]
    assert ways[view] == {"page": "/attention", "title": "Attention, step by step"}
    text = "The dog was hungry, so he ate all of his"
    assert asked == {"text": text, "layer": "5", "head": "3", "token": "11"}
    for place in ("", "layer5"):
        (inside,) = [one for one in figures(opened("home.py", place=place))
                     if one.spec["more"].get("hosted")]  # fmt: skip
        assert inside.said["absent"]


@pytest.mark.parametrize("model", QUESTIONS)
def test_every_machine_has_its_question_and_its_towers(three_machines, model):
    app = opened("home.py", model=model, text="the cat sat on the mat")
    check(app)
    assert not app.error
    assert QUESTIONS[model] in said(app)
    assert len(drawn(app, "map.flow")["towers"]) == (2 if model == "transformer" else 1)


PAGES = {  # by a place, the pages that its parts lead to
    "embeddings": {"/tokenization", "/positions"},
    "layer1": {"/layernorm"},
    "layer1.head1": {"/attention"},
    "layer1.ffn": {"/feed-forward"},
    "words": {"/next-token"},
}


@pytest.mark.parametrize("name", PAGES)
def test_a_place_that_is_opened_leads_to_the_pages_of_its_parts(name):
    app = opened("home.py", model="gpt", place=name)
    check(app)
    (beside,) = [one for one in figures(app) if "panel" in one.spec["says"]
                 and one.spec["view"] == "map.flow"]  # fmt: skip
    assert beside.answer is not None
    ways = beside.spec["more"]["ways"]
    about = beside.answer.header["panel"]["about"]
    assert {ways[view]["page"] for view, _asked in about} == PAGES[name]


def test_another_machine_is_one_click_away_and_what_it_does_is_said(three_machines):
    assert {"bert", "gpt", "transformer"} <= set(three_machines)
    experiment = BY_ID["home.machine"]
    following = experiment.after["model"]
    for model in ("gpt", "transformer"):
        app = opened("home.py", model=model)
        check(app)
        (cards,) = headers(app, "experiments")
        (card,) = (one for one in cards["cards"] if one["title"] == experiment.title)
        assert f"{following.upper()} reads both ways" in str(card["watch"])
        assert card["after"]["model"] == following


def test_the_shelf_says_the_blocks_of_each_tower(three_machines):
    app = opened("shelf.py")
    check(app)
    assert not app.error
    found = {metric.value for metric in app.metric}
    assert {"BERT", "GPT", "Transformer", "6 × 4", "2 × 2 + 3 × 2"} <= found
    assert f"{len(three_machines)} models on the shelf" in said(app)
    bar = next(unpack(one.proto.bytes) for one in app.get("bidi_component")
               if one.proto.component_name.endswith("runbar"))  # fmt: skip
    assert ["transformer", "Transformer, 2 + 3 layers"] in bar.header["models"]
    assert ["gpt", "GPT, 6 layers"] in bar.header["models"]


def test_the_shelf_begins_with_the_model_that_is_asked_for():
    app = opened("shelf.py", model="gpt")
    check(app)
    assert app.metric[0].value == "GPT"
    assert [one.proto.expanded for one in app.expander][:2] == [True, False]
    assert (
        "GPT learned from 173.9 million tokens, in 489 minutes" in app.expander[0].markdown[0].value
    )


def test_a_damaged_model_is_said_and_the_others_stand(three_machines):
    (root,) = zoo.shelf.__defaults__
    (root / "transformer" / "model.safetensors").write_bytes(b"no weights")
    app = opened("shelf.py")
    check(app)
    assert len(app.error) == 1
    assert {"BERT", "GPT"} <= {metric.value for metric in app.metric}


def test_the_keys_that_are_listed_are_those_of_the_page(three_machines):
    def keys(file: str, **link: str) -> set[str]:
        found = (one.proto for one in opened(file, **link).get("bidi_component"))
        (bar,) = (one for one in found if one.component_name.endswith(".runbar"))
        return {key for key, *_what in unpack(bar.bytes).header["shortcuts"]}

    picture, tour = keys("home.py"), keys("home.py", tour="2")
    masks, lecture = keys("attention/masks.py"), keys("attention/masks.py", view="lecture")
    assert {"↑ ↓ ← →", "Esc"} <= picture - tour - masks
    assert {"1 2 3"} == tour - picture - {"Space"}
    assert {"PgUp PgDn", "Esc"} == lecture - masks

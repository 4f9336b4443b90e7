"""The home page: its question, and the way to another machine."""

from __future__ import annotations

import html
import re
from types import SimpleNamespace

import pytest

from core import zoo
from core.experiments import HOME
from core.figures.payload import Payload, unpack
from core.lessons.varying import how_many
from pages.parts.frame import model_label
from pages.parts.machines import character, sizes
from tests.app.test_pages import check, in_browser, opened
from tests.views.map.test_strip import CUT, UNITS

QUESTIONS = {
    "gpt": "What happens between a sentence and its next word?",
    "bert": "What happens between a sentence and the word expected at a place?",
    "transformer": "What happens between a sentence and its translation?",
}


def said(app) -> str:
    """The page's own words."""
    bodies = " ".join(one.proto.body for one in app.get("html"))
    return html.unescape(re.sub("<[^>]+>", "", bodies))


def maps(app) -> list[Payload]:
    """What the map is given."""
    found = (one.proto for one in app.get("bidi_component"))
    return [unpack(one.bytes) for one in found if one.component_name.endswith(".map")]


def test_a_swapped_word_stands_in_the_picture_the_map_and_beside_the_text(three_machines):
    """Of two tokens in the place of one: both figures look at the last word."""
    app = opened("home.py", text="the cat sat on the mat", swap="1~cat~xylophone")
    check(app)
    parts = [one.proto for one in app.get("bidi_component")]
    flow, plain, bar = (
        next(unpack(one.bytes).header for one in parts if one.component_name.endswith(f".{name}"))
        for name in ("flow", "map", "runbar")
    )
    assert flow["selection"]["token"] == plain["selection"]["token"]
    labels = [[token["label"] for token in one["towers"][-1]["tokens"]] for one in (flow, plain)]
    assert labels[0] == labels[1]
    assert "cat → xylophone" in bar["note"]


@pytest.mark.parametrize("model", QUESTIONS)
def test_every_machine_has_its_question_and_its_towers(three_machines, model):
    app = opened("home.py", model=model, text="the cat sat on the mat")
    check(app)
    assert not app.error
    assert QUESTIONS[model] in said(app)
    (shown,) = maps(app)
    assert len(shown.header["towers"]) == (2 if model == "transformer" else 1)
    assert shown.header["places"]["weights"] == "/attention"
    assert "Click a layer to open it, and a part to go to its page." in said(app)


def test_a_link_opens_a_block_of_the_encoder(three_machines):
    app = opened(
        "home.py",
        model="transformer",
        text="the cat sat",
        attention="encoder",
        layer="1",
    )
    check(app)
    assert "Encoder self-attention, layer 1" in said(app)
    assert in_browser(app)["chosen"] == {"attention": "encoder", "layer": 1}
    assert app.query_params["attention"] in ("encoder", ["encoder"])


def test_another_machine_is_one_click_away_and_what_it_does_is_said(three_machines):
    assert {"bert", "gpt", "transformer"} <= set(three_machines)
    (experiment,) = (one for one in HOME if one.id == "home.machine")
    following = experiment.after["model"]
    for model in ("gpt", "transformer"):
        app = opened("home.py", model=model)
        (watch,) = (m.value for m in app.markdown if m.value == experiment.watch)
        assert f"{following.upper()} reads both ways" in watch
        (button,) = (one for one in app.button if one.label == experiment.title)
        button.click().run()
        check(app)
        assert app.query_params["model"] in (following, [following])


def test_what_a_machine_does_follows_from_its_blueprint(three_machines):
    assert character("bert") == (
        "BERT reads in both directions: its maps are full squares, and each LayerNorm stands "
        "after a sum."
    )
    assert character("gpt") == (
        "GPT reads from left to right: its maps are triangles, and each LayerNorm stands "
        "before the part it feeds."
    )
    assert "two towers" in character("transformer")


def test_of_a_machine_without_layers_of_blocks_or_states_the_hidden_ones_are_counted(monkeypatch):
    monkeypatch.setattr(zoo, "blueprint", lambda _name: UNITS)
    assert sizes("gpt") == ("Layers", "1")
    assert model_label("gpt") == "GPT"
    assert character("gpt").startswith("GPT has no attention and no state.")
    assert how_many("layer", None, SimpleNamespace(blueprint=UNITS)) == 1


def test_patches_attend_to_each_other_only_where_something_attends(monkeypatch):
    monkeypatch.setattr(zoo, "blueprint", lambda _name: CUT)
    assert character("vit").endswith("into patches. Nothing in it attends to anything.")


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

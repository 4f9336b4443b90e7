"""A view outside the app: in Python, as files, and in a notebook that somebody runs."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from core import views, zoo
from core.errors import AbilityError, InputTooLongError, ParameterError, UnknownModelError
from core.inputs import Ids, Pair, Text
from core.predict import next_tokens
from core.runs.store import Runs
from core.show import figure, show, view_names
from core.tracing import trace_run
from core.views.params import checked, parse, to_query, written

TEXT = "The cat sat on the mat"


def test_a_figure_has_the_numbers_of_the_run():
    figure = show("attention.weights", text=TEXT, layer=1, head=2)
    own = trace_run(zoo.load("gpt"), TEXT)["blocks.1.attn.weights"][2]
    weights = figure.values["weights"]
    np.testing.assert_array_equal(weights.array, own)
    assert weights.site == "blocks.1.attn.weights"
    assert [axis.name for axis in weights.axes] == ["query", "key"]
    assert weights.value == own[weights.selected]
    assert str(figure) == str(figure.reading)
    assert "of its attention to" in str(figure)


def test_its_files_hold_the_same():
    figure = show("attention.weights", text=TEXT, layer=1, head=2)
    lines = list(csv.reader(io.StringIO(figure.csv())))
    found = np.array([line[1:] for line in lines[1:]], np.float32)
    np.testing.assert_array_equal(found, figure.values["weights"].array)
    for mode in ("light", "dark"):
        assert ElementTree.fromstring(figure.svg(mode)).tag.endswith("svg")
    assert figure.svg("light") != figure.svg("dark")
    assert TEXT in figure.html()


def test_a_notebook_shows_it_in_a_frame_that_can_reach_nothing():
    frame = ElementTree.fromstring(show("attention.weights", text="<b>a</b> & b")._repr_html_())
    assert frame.tag == "iframe"
    assert frame.attrib["sandbox"] == "allow-scripts"
    assert "default-src 'none'" in frame.attrib["srcdoc"]
    assert "<b>a</b>" not in frame.attrib["srcdoc"]


def test_a_notebook_keeps_a_line_of_it_and_no_run():
    found = show("attention.weights", text=TEXT)
    assert repr(found) == f"Figure('attention.weights', {found._about()!r}, values: weights)"
    frame = ElementTree.fromstring(found._repr_html_())
    drawn = float(ElementTree.fromstring(found.svg()).attrib["height"])
    assert int(re.search(r"height: (\d+)px", frame.attrib["style"])[1]) > drawn


def test_its_numbers_are_tables_with_labels():
    found = show("attention.weights", text=TEXT)
    table = found.to_frame("weights")
    weights = found.values["weights"]
    assert (table.index.name, table.columns.name) == ("query", "key")
    assert list(table.columns) == list(weights.axes[1].labels)
    np.testing.assert_array_equal(table.to_numpy(), weights.array)
    steps = show("norm.steps")
    assert steps.to_frame("x")["x"].tolist() == [100.0, 200.0, 100.0, 0.0]
    with pytest.raises(ParameterError, match="such as weights"):
        found.to_frame("wieghts")


def test_the_views_are_listed():
    assert "attention.steps" in view_names("attention")
    assert view_names() == sorted(views.all_views())


def test_a_model_that_cannot_names_those_that_can():
    with pytest.raises(AbilityError, match=r"GPT cannot translate; choose .*transformer"):
        show("translate.next", model="gpt")


def test_a_model_that_can_is_found():
    assert show("attention.weights").params.model == "gpt"
    assert show("attention.weights", model="bert").record.trace.model == "bert"


def test_what_is_wrong_is_said():
    with pytest.raises(ParameterError, match=r"such as attention\.weights"):
        show("attention.wieghts")
    with pytest.raises(ParameterError, match=r"parameter is 'lyer'; it must be one of .*layer"):
        show("attention.weights", lyer=2)
    with pytest.raises(ParameterError, match="layer is -1; it must be between 0 and 255"):
        show("attention.weights", layer=-1)
    with pytest.raises(UnknownModelError):
        show("attention.weights", model="llama")


BEYOND = [
    ("attention.weights", {"layer": 99}, "layer is 99; it must be between 0 and 5"),
    ("attention.weights", {"head": 4}, "head is 4; it must be between 0 and 3"),
    ("attention.weights", {"layer": True}, "layer is True; it must be a number"),
    ("attention.weights", {"token": 7}, "token is 7; it must be between 0 and 6"),
    ("attention.weights", {"key": 7}, "key is 7; it must be between 0 and 6"),
    ("attention.lines", {"head": 4}, "head is 4; it must be between 0 and 3"),
    ("attention.steps", {"layer": 6}, "layer is 6; it must be between 0 and 5"),
    ("ffn.units", {"layer": 6}, "layer is 6; it must be between 0 and 5"),
    ("ffn.units", {"unit": 9999}, "unit is 9999; it must be between -1 and 1,023"),
    ("norm.steps", {"source": "text", "layer": 6}, "layer is 6; it must be between 0 and 5"),
    ("norm.steps", {"source": "text", "token": 7}, "token is 7; it must be between 0 and 6"),
    ("masks.grid", {"layer": 6}, "layer is 6; it must be between 0 and 5"),
    ("masks.grid", {"head": 4}, "head is 4; it must be between 0 and 3"),
    ("masks.grid", {"sheet": 9}, "sheet is 9; it must be between 0 and"),
    ("stream.sizes", {"token": 7}, "token is 7; it must be between 0 and 6"),
    ("predict.layers", {"token": 7}, "token is 7; it must be between 0 and 6"),
    ("predict.next", {"new": 2, "made": 3}, "made is 3; it must be between 0 and 2"),
    ("embed.lookup", {"table": 9}, "table is 9; it must be between 0 and"),
    ("positions.curves", {"d_model": 8, "pair": 4}, "pair is 4; it must be between 0 and 3"),
    ("text.encode", {"word": 99}, "word is 99; it must be between 0 and"),
]  # fmt: skip


@pytest.mark.parametrize(("view", "asked", "said"), BEYOND)
def test_what_a_run_does_not_have_is_an_error_and_nothing_near_it(view, asked, said):
    text = {} if "positions" in view or "text" in view else {"text": TEXT}
    with pytest.raises(ParameterError, match=re.escape(said)):
        show(view, **text, **asked)


@pytest.mark.parametrize("text", [None, ("a", "b"), [0, 973], 7, Pair("a", "b"), Ids((0, 973))])
def test_a_text_is_a_text(text):
    """Else the letters of ``None`` would be read."""
    with pytest.raises(ParameterError, match=r"^text is .*; it must be a text$"):
        show("text.tokens", text=text)
    with pytest.raises(ParameterError, match="it must be a value, or left out"):
        show("attention.weights", layer=None)


def test_what_stands_for_a_text_or_for_numbers_is_taken():
    assert show("text.tokens", text=Text("a b")).params.text == "a b"
    assert show("norm.steps", vector=[1, 2, 3]).to_frame("x")["x"].tolist() == [1.0, 2.0, 3.0]


def test_a_text_beyond_the_context_is_an_error_as_of_next_tokens():
    gpt = zoo.load("gpt")
    long, room = "a " * 5000, gpt.config.n_ctx
    with pytest.raises(InputTooLongError, match=f"context holds {room}") as asked:
        next_tokens(gpt, long)
    with pytest.raises(InputTooLongError) as said:
        show("text.tokens", text=long)
    assert str(said.value) == str(asked.value)


def test_a_head_is_asked_about_a_text():
    assert "calls your text" in str(show("tune.said", text="So it is.", cut_layers=0).reading)


def test_a_page_says_how_much_of_a_text_is_read():
    view, runs = views.get("text.tokens"), Runs()
    said = figure(view.name, view.Params(text="a" * 5000), runs).reading
    assert re.match(r"GPT cuts 1 word into \d+ tokens, ", str(said))
    assert str(said).endswith("the last 4,489 characters are not read.")


@pytest.mark.parametrize("alpha", [0.123456789, 1 / 3, 1e-17, 2.0, 0.1])
def test_a_number_keeps_its_digits(alpha):
    params = views.get("translate.tree").Params
    assert checked(params, {"alpha": alpha}).alpha == alpha
    assert parse(params, to_query(params(alpha=alpha)))[0].alpha == alpha


def test_a_link_says_a_plain_number_as_before():
    assert [written(one) for one in (0.1, 1.0, 0.5, 100000.0, 1e-5)] == [
        "0.1", "1", "0.5", "100000", "1e-05",
    ]  # fmt: skip


MISSING = [
    ("norm.steps", {"stack": "quatsch"}, "stack is 'quatsch'; it must be one of"),
    ("norm.steps", {"norm": "quatsch"}, "norm is 'quatsch'; it must be one of"),
    ("attention.weights", {"attention": "quatsch"}, "attention is 'quatsch'; it must be one of"),
    ("map.inside", {"place": "layer99"}, "place is 'layer99'; it must be a place that this model"),
    ("map.flow", {"place": "target.words"}, "place is 'target.words'; it must be a place that"),
    ("map.flow", {"off": "layer99.ffn"}, "off is 'layer99.ffn'; it must be changes of what this"),
    ("map.flow", {"swap": "1~dog~cow"}, "swap is '1~dog~cow'; it must be words of the text"),
    ("stops.pace", {"stops": "quatsch"}, "stops is 'quatsch'; it must be names of models, "),
]


@pytest.mark.parametrize(("view", "asked", "said"), MISSING)
def test_what_a_model_or_a_text_does_not_have_is_an_error(view, asked, said):
    with pytest.raises(ParameterError, match=re.escape(said)):
        show(view, **asked, **({} if view == "stops.pace" else {"text": TEXT}))


def test_what_a_view_opens_on_is_what_the_model_has_nearest():
    """Nobody has asked for layer 5 of a model that has fewer."""
    view, runs = views.get("attention.weights"), Runs()
    found = figure(view.name, view.Params(text=TEXT, layer=99, head=99), runs)
    assert (found.record.layer, found.record.head) == (5, 3)

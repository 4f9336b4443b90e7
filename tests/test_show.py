"""A view outside the app: in Python, as files, and in a notebook that somebody runs."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest

from core import zoo
from core.errors import ParameterError, UnknownModelError
from core.show import show
from core.tracing import trace_run

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


def test_a_model_that_can_is_found():
    assert show("attention.weights").params.model == "gpt"
    assert show("attention.weights", model="bert").record.trace.model == "bert"


def test_what_is_wrong_is_said():
    with pytest.raises(ParameterError, match="it must be one of attention"):
        show("attention.wieghts")
    with pytest.raises(ParameterError, match=r"parameter is 'lyer'; it must be one of .*layer"):
        show("attention.weights", lyer=2)
    with pytest.raises(ParameterError, match="layer is -1; it must be between 0 and 255"):
        show("attention.weights", layer=-1)
    with pytest.raises(UnknownModelError):
        show("attention.weights", model="llama")

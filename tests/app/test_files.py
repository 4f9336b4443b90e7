"""The files of a figure, as their addresses ask for them: true, and safe against strangers."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from unittest import TestCase
from xml.etree import ElementTree

import numpy as np
import pytest

from core import views, zoo
from core.answers.link import pack
from core.tracing import trace_run
from core.views.params import declared
from pages.server import files
from tests.app import asked as answers

TEXT = "The cat sat on the mat"


def asked(name: str, **query: str) -> tuple[int, str, dict[str, str]]:
    """Status, content and headers of the answer to an address."""
    return answers.asked(f"{files.FIGURE_FILES}/{name}", query)


def test_the_table_has_the_numbers_of_the_run():
    status, content, headers = asked("attention.weights.csv", text=TEXT, layer="1", head="2")
    assert status == 200
    assert headers["content-disposition"] == 'attachment; filename="attention-weights.csv"'
    lines = list(csv.reader(io.StringIO(content)))
    own = trace_run(zoo.load("gpt"), TEXT)["blocks.1.attn.weights"][2]
    found = np.array([line[1:] for line in lines[1:]], np.float32)
    np.testing.assert_allclose(found, own, atol=1e-6)


def test_a_link_as_the_page_packs_it_is_understood():
    values, _left = pack({"text": "The cat sat & ran", "layer": "1"})
    _status, packed, _headers = asked("attention.weights.svg", **values)
    _status, plain, _headers = asked("attention.weights.svg", text="The cat sat & ran", layer="1")
    assert packed == plain


def test_a_drawing_shows_the_window_that_is_on_the_screen():
    long = "The cat sat on the mat. " * 12
    drawings = {}
    for window in ("0,0", "20,10", "", "x,y", "-1,2", "99999,99999"):
        status, content, _headers = asked("attention.weights.svg", text=long, _window=window)
        assert status == 200
        drawings[window] = "".join(ElementTree.fromstring(content).itertext())
    assert "rows 0 to 47 of" in drawings["0,0"]
    assert "rows 20 to 67 of" in drawings["20,10"]
    assert "columns 10 to 57 of" in drawings["20,10"]
    assert drawings["x,y"] == drawings["-1,2"] == drawings[""]
    n = len(trace_run(zoo.load("gpt"), long).tokens)
    assert f"rows {n - 48} to {n - 1} of {n}" in drawings["99999,99999"]


def test_no_number_of_a_stranger_is_too_long():
    digits = "9" * 5000
    last = asked("attention.weights.svg", _window="99999,99999")[1]
    assert asked("attention.weights.svg", _window=f"{digits},{digits}")[0] == 200
    assert asked("attention.weights.svg", _window="9" * 9 + ",٣")[0] == 200
    assert asked("attention.weights.svg", _window="999999999,999999999")[1] == last


@pytest.mark.parametrize("name", views.all_views())
def test_a_number_of_5000_digits_is_no_surprise_in_any_field(name):
    digits = "9" * 5000
    cls = views.get(name).Params
    query = {field.name: digits for field in dataclasses.fields(cls) if field.name != "text"}
    status, _content, _headers = asked(f"{name}.txt", **query)
    assert status in (200, 400)
    for field in dataclasses.fields(cls):
        if field.type == "str" and declared(cls, field.name).choices is None:
            status, content, _headers = asked(f"{name}.txt", **{field.name: digits})
            assert status in (200, 400)
            assert "could not be made" not in content


def test_a_surprise_is_a_number_in_the_log_and_no_traceback(monkeypatch):
    def fails(*_given: object, **_named: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("core.answers.files.figure", fails)
    with TestCase().assertLogs("glassformer") as log:
        status, content, headers = asked("attention.weights.csv", text=TEXT)
    assert (status, headers["content-type"]) == (400, "text/plain; charset=utf-8")
    found = re.search("report it with the number ([0-9a-f]{8})", content)
    assert "secret" not in content
    [said] = log.output
    assert f"file failed, id {found[1]}" in said
    assert "the secret of the house" in said


@pytest.mark.parametrize(
    ("name", "query", "words"),
    [
        ("attention.nothing.csv", {}, "view is 'attention.nothing'"),
        ("..app.csv", {}, "view is '..app'"),
        ("attention.weights.csv", {"model": "../../etc"}, "../../etc"),
    ],
)
def test_a_wrong_address_is_answered_in_words(name, query, words):
    status, content, headers = asked(name, **query)
    assert (status, headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert words in content


def test_an_unknown_kind_is_not_found():
    status, content, _headers = asked("attention.weights.exe")
    assert (status, content) == (404, "A figure is saved as svg, csv, html or txt.")


@pytest.mark.parametrize(
    ("view", "query", "said"),
    [
        ("attention.weights", {"layer": "abc"}, "layer is 'abc'; it must be a number"),
        ("attention.weights", {"layer": "300"}, "layer is '300'; it must be between 0 and 255"),
        ("attention.weights", {"layer": "99"}, "layer is 99; it must be between 0 and 5"),
        ("attention.weights", {"head": "-7"}, "head is '-7'; it must be between 0 and 255"),
        ("attention.weights", {"lyer": "1"}, "parameter is 'lyer'; it must be one of "),
        ("attention.weights", {"z": "abc"}, "z is 'abc'; it must be copied whole"),
        ("attention.weights", {"attention": "cross"}, "attention is 'cross'; it must be one of "),
        ("masks.grid", {"mask": "quatsch"}, "mask is 'quatsch'; it must be own, none, causal"),
    ],
)  # fmt: skip
def test_what_an_address_asks_for_and_is_not_there_is_said(view, query, said):
    for kind in files.KINDS:
        status, content, _headers = asked(f"{view}.{kind}", **query)
        assert status == 400
        assert said in content


def test_a_page_s_own_address_may_say_more_than_the_view_reads():
    own = {"layer": "1", "text": TEXT}
    status, content, _headers = asked("attention.weights.svg", **own, merges="7", lesson="norm")
    assert (status, content) == asked("attention.weights.svg", **own)[:2]


def test_what_a_page_saves_is_the_nearest_that_it_shows():
    """What was chosen in a larger model is kept for it."""
    status, content, _headers = asked("attention.weights.svg", layer="99", _nearest="1")
    assert status == 200
    assert "layer 5" in content


def test_what_was_typed_is_text_in_every_file():
    nasty = "<script>alert(1)</script>=1+1"
    for kind in files.KINDS:
        status, content, _headers = asked(f"attention.row.{kind}", text=nasty)
        assert status == 200
        assert "<script>alert" not in content

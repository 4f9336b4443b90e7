"""Figures that ask for themselves: one address, one answer, for whoever asks."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from core import views, zoo
from core.answers.question import Address
from core.experiments import BY_ID
from core.figures.payload import Payload, unpack
from core.tracing import trace_run
from pages.parts.runs import shared_runs
from pages.server import answers
from pages.server.turns import BusyError
from tests.app import asked as asking
from tests.app.answered import APP

TEXT = "The cat sat on the mat"


def received(path: str, query: dict[str, str], **headers: str) -> tuple[int, bytes, dict[str, str]]:
    return asking.received(APP, path, query, **headers)


def answered(name: str, **query: str) -> Payload:
    status, content, _headers = received(f"/figure/{name}", query)
    assert status == 200
    return unpack(content)


def said(parts: list[list[str]]) -> str:
    return "".join(text for text, _role in parts)


def test_the_whole_answer_has_the_numbers_of_the_run_its_sentence_steps_and_controls():
    found = answered("attention.steps.bin", text=TEXT, layer="1", head="2")
    own = trace_run(zoo.load("gpt"), TEXT)["blocks.1.attn.weights"][2]
    np.testing.assert_allclose(found.arrays["weights"], own, atol=1e-6)
    answer = found.header["answer"]
    assert answer["folder"] == "matrix"
    assert "of its attention to" in said(answer["reading"])
    assert answer["steps"]["n"] == 9
    assert "layer 1, head 2" in answer["facts"].lower()
    layer, head = answer["controls"][:2]
    assert (layer["name"], layer["label"], layer["value"]) == ("layer", "Layer", "1")
    assert [value for value, _words in layer["options"]] == ["0", "1", "2", "3", "4", "5"]
    assert (head["value"], len(head["options"])) == ("2", 4)


def test_weights_come_when_they_are_asked_for():
    query = {"text": TEXT, "layer": "1", "head": "2"}
    first = answered("attention.steps.bin", **query)
    path, _mark, _query = first.header["later"].partition("?")
    rest = answered(path.rpartition("/")[2], **query)
    assert "w_q" not in first.arrays
    assert "w_q" in rest.arrays
    assert not first.arrays.keys() & rest.arrays.keys()
    whole = views.get("attention.steps")
    assert set(whole.show(record_of(query)).arrays) == first.arrays.keys() | rest.arrays.keys()


def record_of(query: dict[str, str]) -> Any:
    view = views.get("attention.steps")
    params = view.Params(text=query["text"], layer=int(query["layer"]), head=int(query["head"]))
    return view.compute([shared_runs().get(one) for one in view.requests(params)], params)


def test_the_words_alone_speak_of_what_is_selected():
    at_rest = answered("attention.unscaled.bin", text=TEXT, layer="1").header["answer"]["reading"]
    of_token = answered("attention.unscaled.words", text=TEXT, layer="1", token="2")
    assert of_token.arrays == {}
    assert "“cat”" in said(of_token.header["answer"]["reading"])
    assert "“mat”" in said(at_rest)
    # A selection changes nothing that is drawn: a class shares it.
    asked = [
        received("/figure/attention.row.bin", {"text": TEXT, "layer": "1", **more})[1]
        for more in ({}, {"token": "2"})
    ]
    assert asked[0] == asked[1]


def test_who_has_an_answer_is_told_no_more():
    query = {"text": TEXT, "layer": "3"}
    _status, _content, headers = received("/figure/attention.row.bin", query)
    again = received("/figure/attention.row.bin", query, if_none_match=headers["etag"])
    assert again[:2] == (304, b"")
    other = received("/figure/attention.row.bin", {**query, "layer": "2"},
                     if_none_match=headers["etag"])  # fmt: skip
    assert other[0] == 200
    assert other[2]["etag"] != headers["etag"]


def test_an_answer_is_kept_once_whatever_else_its_address_says():
    address = Address.of("attention.row", "bin", {"text": TEXT, "layer": "1"})
    answered("attention.row.bin", text=TEXT, layer="1")
    assert shared_runs().peek(address) is not None
    junk = {"text": TEXT, "layer": "1", "utm": "x", "a" * 50: "b", "__proto__": "1"}
    assert Address.of("attention.row", "bin", junk) == address
    assert Address.of("attention.row", "bin", {**junk, "text": "x" * 70_000}).values == (
        ("layer", "1"),
    )


@pytest.mark.parametrize(
    ("name", "query", "status", "words"),
    [
        ("attention.nothing.bin", {}, 400, "a name that exists"),
        ("tune.pair.bin", {"premise": ""}, 200, "The text is empty"),
    ],
)
def test_what_cannot_be_shown_is_said(name, query, status, words):
    found, content, headers = received(f"/figure/{name}", query)
    assert found == status
    assert words in json.loads(content)["said"]
    assert headers["content-type"] == "application/problem+json"


def test_values_that_are_wrong_are_those_that_the_page_shows():
    wrong = answered("attention.row.bin", text=TEXT, layer="abc", head="-7")
    assert wrong.header["selection"]["layer"] == 5
    assert wrong.header["selection"]["head"] == 0


def test_what_an_experiment_moved_is_said_while_its_figure_shows_it():
    tried = BY_ID["attention.repeat"]
    after = {name: str(value) for name, value in tried.after.items() if value is not None}
    asked = {**after, "experiment": tried.id}
    for view in ("attention.row", "attention.steps"):
        told = answered(f"{view}.bin", **asked).header["answer"]["outcome"]
        assert (told is not None) == (view == tried.place)
    told = answered(f"{tried.place}.bin", **asked).header["answer"]["outcome"]
    assert [name for name, _value in told["sides"]] == list(tried.sides)
    moved = answered(f"{tried.place}.bin", **{**asked, "text": "So it was"})
    assert moved.header["answer"]["outcome"] is None


def test_remarks_on_a_text_are_asked_for_alone():
    status, content, _headers = received("/remarks", {"text": "Once upon a ", "model": "gpt"})
    assert status == 200
    assert b'"mended":"Once upon a"' in content
    assert received("/remarks", {"text": "x", "model": "../etc"})[0] == 400


def test_where_she_looks_follows_its_word_into_what_she_types():
    asked = {"_before": "The dog saw a cat", "token": "2", "b.token": "4", "model": "gpt"}
    _status, content, _headers = received("/remarks", {**asked, "text": "Then the dog saw a cat"})
    assert json.loads(content)["looks"] == {"token": 3, "b.token": 5}
    _status, content, _headers = received("/remarks", {**asked, "text": "A cat slept"})
    assert json.loads(content)["looks"] == {"token": None, "b.token": None}


def test_a_visitor_has_no_more_than_a_share_of_the_turns(monkeypatch):
    class Full:
        def enter(self, _visitor: object) -> None:
            raise BusyError(7)

    for lane in (answers._READY, answers.LONG):
        monkeypatch.setattr(lane, "turns", Full())
    status, _content, headers = received("/figure/attention.row.bin", {"text": "Nobody asked this"})
    assert (status, headers["retry-after"]) == (429, "7")

"""The comparison finds what was lost, and what has a reason is told from what has none."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.harness import extract
from tests.harness.compare import MISSING, Difference, differences, reconciled, unmatched
from tests.harness.reasons import Reason
from tests.harness.report import Report

TABLE = "token,share\n the,0.25\n'=1+1,1e-9\na,7\n"


def shown(**parts) -> dict:
    """An extraction of a view."""
    return {"api": "v1", "title": "Weights", **parts}


def paths(old: dict, new: dict) -> list[str]:
    return [one.path for one in differences(old, new)]


# --- words and trees ----------------------------------------------------------------------


def test_the_same_is_no_difference():
    tree = {"a": [1, "x", None, [0.5, 2]], "b": {"c": np.arange(6.0)}, "n": float("nan")}
    assert differences(shown(payload=tree), shown(payload=tree)) == []


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ({"a": "x"}, {"a": "y"}, "payload.a"),
        ({"a": {"b": ["x", "y"]}}, {"a": {"b": ["x"]}}, "payload.a.b[1]"),
        ({"a": "x"}, {}, "payload.a"),
        ({}, {"a": "x"}, "payload.a"),
        ({"a": True}, {"a": 1}, "payload.a"),
        ({"a": 3}, {"a": 4}, "payload.a"),
        ({"a": 1.0}, {"a": 1.0001}, "payload.a"),
        ({"a": None}, {"a": "None"}, "payload.a"),
        ({"a": [0.5, 1.5]}, {"a": [0.5, 1.6]}, "payload.a"),
    ],
)
def test_a_changed_value_is_found_at_its_path(old, new, path):
    assert paths(shown(payload=old), shown(payload=new)) == [path]


def test_arrays_that_plotly_writes_as_text_are_compared_by_their_numbers():
    """Rounding in the last digit changes the text, and is no difference."""

    def heat(values):
        return shown(figure=go.Figure(go.Heatmap(z=values)).to_plotly_json())

    numbers = np.arange(6.0).reshape(2, 3)
    assert "bdata" in heat(numbers)["figure"]["data"][0]["z"]
    assert differences(heat(numbers), heat(numbers * (1 + 1e-9))) == []
    assert paths(heat(numbers), heat(numbers * 1.01)) == ["figure.data[0].z"]
    assert paths(heat(numbers), heat(numbers.reshape(3, 2))) == ["figure.data[0].z"]


def test_a_lost_branch_is_every_value_of_it():
    found = differences(shown(payload={"a": {"b": "x", "c": [1, 2]}}), shown(payload={}))
    assert [one.path for one in found] == ["payload.a.b", "payload.a.c"]
    assert all(one.new is MISSING for one in found)


def test_a_view_that_fails_is_one_difference():
    failed = {"error": {"class": "InputError", "sentence": "type a word"}}
    assert [str(one) for one in differences(shown(), failed)] == [
        "error: 'shown' → 'InputError: type a word'"
    ]
    other = {"error": {"class": "InputError", "sentence": "type two words"}}
    assert paths(failed, other) == ["error.sentence"]
    assert differences(failed, failed) == []
    assert paths(failed, {"crash": "KeyError: 'x'"}) == ["error.class", "error.sentence", "crash"]


def test_words_without_an_order_are_counted():
    old, new = shown(notes=["a", "b", "b"]), shown(notes=["b", "a", "c"])
    assert [str(one) for one in differences(old, new)] == [
        "notes: 'b' is gone, 1 of 2 left",
        "notes: 'c' is new",
    ]


def test_the_catalogue_may_only_grow():
    assert paths({"catalogue": ["a", "b"]}, {"catalogue": ["b", "c"]}) == ["catalogue"]
    assert differences({"catalogue": ["a"]}, {"catalogue": ["b", "a"]}) == []


# --- numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "agree"),
    [
        (np.float32([1000, 1]), np.float32([1000.009, 1]), True),
        (np.float32([1000, 1]), np.float32([1000.02, 1]), False),
        (np.float32([1000, 0]), np.float32([1000, 0.0009]), True),
        (np.float32([1000, 0]), np.float32([1000, 0.002]), False),
        (np.float32([np.nan, -np.inf]), np.float32([np.nan, -np.inf]), True),
        (np.float32([np.nan, 1]), np.float32([1, 1]), False),
        (np.float32([np.inf, 1]), np.float32([-np.inf, 1]), False),
        (np.uint8([0, 7, 200]), np.uint8([1, 6, 200]), True),
        (np.uint8([0, 7, 200]), np.uint8([2, 7, 200]), False),
        (np.uint8([0, 1]), np.uint8([1, 1]), False),  # a mask, not a picture
        (np.int32([5, 6]), np.int32([5, 7]), False),
        (np.float32([1, 2]), np.float64([1, 2]), False),
        (np.float32([[1, 2]]), np.float32([1, 2]), False),
    ],
)
def test_arrays_agree_to_rounding(old, new, agree):
    pair = [shown(payload={"arrays": {"w": one}}) for one in (old, new)]
    assert paths(*pair) == ([] if agree else ["payload.arrays.w"])


def test_a_changed_number_is_said_with_its_place():
    old, new = np.eye(3), np.eye(3)
    new[1, 2] = 0.5
    (found,) = differences(shown(figure={"z": old}), shown(figure={"z": new}))
    assert str(found) == "figure.z: 0.0 → 0.5 at [1, 2] (1 of 9 numbers differ)"


def test_every_number_needs_one_of_its_own():
    def lost(old, new):
        return unmatched(np.array(old), np.array(new), np.zeros(len(old))).tolist()

    assert lost([1.0, 1.0, 2.0], [2.0, 1.0, 5.0]) == [1]
    assert lost([3.0, 1.0], [1.000001, 3.00001]) == []
    assert lost([1.0], []) == [0]
    # The two nearest pairs would leave one without: only the other way round both are matched.
    assert lost([1.0, 1.000015], [1.000008, 0.999995]) == []


# --- tables -----------------------------------------------------------------------------------


def tables(old: str, new: str, api: str = "v1") -> list[str]:
    pair = shown(table=extract.cells(old)), shown(table=extract.cells(new)) | {"api": api}
    return paths(*pair)


def test_a_table_has_its_words_and_numbers_in_place():
    found = extract.cells(TABLE)
    assert found["columns"] == ["token", "share"]
    assert found["words"] == [[0, 0, " the"], [1, 0, "=1+1"], [2, 0, "a"]]
    assert found["numbers"].tolist() == [0.25, 1e-9, 7]
    assert found["places"].tolist() == [[0, 1], [1, 1], [2, 1]]
    assert tables(TABLE, TABLE) == []
    assert tables(TABLE, TABLE.replace("a,7", "b,7")) == ["table.words.[2,0]"]
    assert tables(TABLE, TABLE.replace("a,7", "a,8")) == ["table.numbers[2,1]"]
    assert tables(TABLE, TABLE.replace("share", "part")) == ["table.columns[1]"]
    assert tables(TABLE, TABLE + "c,9\n") == ["table.words.[3,0]", "table.places"]


def test_a_rewritten_table_may_stand_in_another_order():
    turned = "name,value\nshare,7\nshare,0.2500001\ntoken, the\ntoken,'=1+1\nx,a\ny,0\nz,3\n"
    assert tables(TABLE, turned, "v2") == []
    assert tables(TABLE, turned.replace("7", "8"), "v2") == ["table.numbers[2,1]"]
    assert tables(TABLE, turned.replace("x,a", "x,b"), "v2") == ["table.words"]
    assert tables(TABLE, turned.replace("share", "part"), "v2") == ["table.columns"]
    counted = "query,1,the\n1,0.5,2\n"  # tokens that read like numbers are numbers
    assert tables(counted, "at,what\n1,0.5\n1,2\nquery,the\n", "v2") == []
    assert tables(counted, "at,what\n3,0.5\n1,2\nquery,the\n", "v2") == ["table.numbers[0,0]"]
    twice = "token\na\na\n"
    assert tables(twice, "token\na\n", "v2") == ["table.fewer"]


# --- reasons ------------------------------------------------------------------------------------


def test_a_reason_covers_what_it_names():
    reason = Reason("masks.*", "gpt *", "payload.header.sheets[*].title", "why")
    assert reason.covers("masks.grid", "gpt default", "payload.header.sheets[0].title")
    assert not reason.covers("masks.grid", "bert default", "payload.header.sheets[0].title")
    assert not reason.covers("norm.steps", "gpt default", "payload.header.sheets[0].title")
    assert not reason.covers("masks.grid", "gpt default", "payload.header.sheets0.title")
    worded = Reason("page", "*", "words", "why", says="computed by * [*]")
    assert worded.covers("page", "/ bare", "words", "computed by x [1]")
    assert not worded.covers("page", "/ bare", "words", "a sentence")


def test_what_moved_must_still_be_there():
    array = np.arange(4.0)
    found = [
        Difference("a", "x", MISSING), Difference("b", "x", MISSING), Difference("c", MISSING, "x"),
        Difference("d", array, MISSING), Difference("e", MISSING, array.copy()),
        Difference("f", 0.5, 0.25), Difference("g", 0.25, 0.75), Difference("h", True, MISSING),
    ]  # fmt: skip
    assert reconciled(found, range(len(found))) == {0, 2, 3, 4, 6, 7}


def test_the_report_tells_what_has_a_reason_from_what_has_none(monkeypatch, capsys):
    reasons = (Reason("*", "*", "title", "it is shorter"), Reason("*", "*", "x", "never"))
    monkeypatch.setattr("tests.harness.report.REASONS", reasons)
    report, case = Report(), {"view": "a.b", "case": "c", "kind": "view"}
    report.add(case, shown(steps="one"), shown(steps="two") | {"title": "W"})
    assert report.end([case], whole=True) == 1
    said = capsys.readouterr().out
    assert "a.b / c: steps: 'one' → 'two'" in said
    assert "1 × with a reason: it is shorter\n" in said
    assert "never  <- covers nothing" in said

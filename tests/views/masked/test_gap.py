"""What all views of a gap have in common."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.figures.payload import unpack
from tests.views.records import rows, shown, written

TEXT = "The cat told the dog a story."
OF_GAP = ("masked.strip", "masked.beside", "masked.each", "masked.why")
ALL = (*OF_GAP, "masked.follows", "masked.example")


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "text", [TEXT, "a", "<b>&'\" [MASK]", "Lothlorien " * 50, "dog 你好 🙂", "The " + "l" * 20]
)
@pytest.mark.parametrize("name", ALL)
def test_every_view_says_and_draws_something(runs, name, text, mode):
    view, record = shown(runs, name, model="bert", text=text, first=text, second=text)
    component = view.show(record)
    payload = unpack(component.payload().pack())
    assert "labels" in payload.header
    assert str(view.describe(record)).strip()
    assert "{" not in str(view.describe(record))
    ElementTree.fromstring(component.drawing(mode))
    assert rows(view, record)
    assert component.title


@pytest.mark.parametrize("name", OF_GAP)
def test_every_view_of_a_gap_is_drawn_when_nothing_is_hidden(runs, name):
    view, record = shown(runs, name, model="bert", text=TEXT, hide="none")
    component = view.show(record)
    assert "labels" in unpack(component.payload().pack()).header
    ElementTree.fromstring(component.drawing("light"))
    assert str(view.describe(record))
    assert rows(view, record)[0]


@pytest.mark.parametrize(("token", "chosen"), [("-1", None), ("0", 0), ("2", 2)])
def test_a_token_is_selected_only_if_it_was_asked_for(runs, token, chosen):
    view, record = shown(runs, "masked.strip", model="bert", text=TEXT, hide="1", token=token)
    assert view.show(record).payload().header["selection"]["token"] == chosen


def test_the_conditions_are_the_bars_and_the_table(runs):
    view, record = shown(runs, "masked.why", model="bert", text=TEXT, hide="1")
    sight = record.run.sight
    left = next(one.left for one in record.run.candidates if one.hidden)
    assert 0 < left < 1
    shares = [sight.hidden, sight.causal, left, sight.visible]
    bars = view.show(record)
    assert bars.values[0, 0].tolist() == pytest.approx(shares, rel=1e-6)
    (frame,) = bars.frames
    assert [row.chosen for row in frame.rows] == [True, False, False, False]
    assert frame.rows[2].label == "GPT, trained with that mask"
    assert f"GPT was trained with such a mask and gives it {bars.said(left)}" in str(bars.alt)
    texts = written(view, record)
    assert {row.label for row in frame.rows} | set(map(bars.said, shares)) <= set(texts)
    table = rows(view, record)
    assert table[0] == ["condition", "probability of cat"]
    assert [line[0] for line in table[1:]] == [row.label for row in frame.rows]
    assert [float(line[1]) for line in table[1:]] == shares


def test_a_text_without_a_word_is_shown_as_it_is_read(runs):
    view, record = shown(runs, "masked.unread", model="bert", text="🙂🙂")
    chips = view.show(record).payload().header["tokens"]
    assert [chip["label"] for chip in chips] == ["[CLS]", "[UNK]", "[SEP]"]
    assert str(view.describe(record)) == "BERT reads: [CLS]  [UNK]  [SEP]"
    assert rows(view, record)[1:] == [["0", "[CLS]"], ["1", "[UNK]"], ["2", "[SEP]"]]


@pytest.mark.parametrize(
    ("text", "left_out"),
    [("🙂🙂", False), ("\u200b", False), ("🙂 cat", True), ("[MASK]", True), (TEXT, True)],
)
def test_a_text_with_something_to_hide_is_not_shown_as_one_without(runs, text, left_out):
    view, record = shown(runs, "masked.wordless", model="bert", text=text)
    assert view.absent(record) == left_out
    view, record = shown(runs, "masked.unread", model="bert", text=text)
    assert not view.absent(record)  # in a lesson, which is about what is read

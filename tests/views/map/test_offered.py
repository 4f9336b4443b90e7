"""The panel "What if": what it offers in each place, and what its messages make of the link."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.text import percent
from core.models import places
from core.views.map import offered
from core.views.map.flowing import FlowParams
from tests.views.map.test_flow import TEXT, flow_of
from tests.views.records import MACHINES

ROW = "layer0.head1.row4.key2."


def panel(runs, place="", **values):
    record = flow_of(runs, **values)[1]
    return record, offered.panel(record, places.read(place))


def test_a_layer_offers_its_sums_and_a_head_itself_and_its_row(runs):
    _record, of_layer = panel(runs, "layer1", model="gpt")
    assert [one["name"] for one in of_layer.header["turns"]] == [
        "layer1.attn.sum", "layer1.ffn.sum",
    ]  # fmt: skip
    assert of_layer.header["row"] is None
    assert not of_layer.header["effect"]
    (heads,) = of_layer.header["heads"]
    assert [one["name"] for one in heads["each"]][:2] == ["layer1.head0", "layer1.head1"]
    record, of_head = panel(runs, "layer0.head1", model="gpt")
    assert [one["name"] for one in of_head.header["turns"]] == ["layer0.head1"]
    weights = record.onward.run.trace["blocks.0.attn.weights"][1]
    may = record.onward.run.trace.mask
    np.testing.assert_array_equal(of_head.arrays["weight"][may], weights[may])
    assert (of_head.arrays["weight"][~may] == offered.MASKED).all()
    assert not of_head.header["heads"]
    assert of_head.pack()


def test_of_a_head_that_is_off_no_weight_can_be_set(runs):
    _record, found = panel(runs, "layer0.head1.key2", model="gpt", off="layer0.head1")
    assert found.header["row"] is None
    assert found.arrays == {}
    assert "This head is off, so its weights move nothing" in found.header["notes"][0]
    _record, other = panel(runs, "layer0.head0", model="gpt", off="layer0.head1")
    assert other.header["row"]


def test_of_a_layer_with_two_kinds_of_attention_each_head_is_offered_as_the_link_names_it(runs):
    off = "target.layer0.cross.head1"
    record, found = panel(runs, "target.layer0", model="transformer", off=off)
    own, across = found.header["heads"]
    assert [one["on"] for one in own["each"] + across["each"]].count(True) == 1
    assert next(one["name"] for one in across["each"] if one["on"]) == off
    assert record.effect is not None
    assert found.header["effect"].startswith(f"“{record.effect.word}” goes from ")
    now = record.whole.shown_words[1][record.row - record.whole.first]
    assert [one.rpartition("→ ")[2] for one in found.header["best"]] == [
        percent(float(one)) for one in now[:3]
    ]


def test_each_change_is_a_chip_and_what_is_set_is_noted_in_its_head(runs):
    _record, found = panel(
        runs, "layer0.head1", model="gpt", off=f"{ROW}weight0.5+layer1.ffn", swap="1~cat~dog"
    )
    assert [one["name"] for one in found.header["ones"]] == [
        f"{ROW}weight0.5", "layer1.ffn", "1~cat~dog",
    ]  # fmt: skip
    assert all(one["bits"] for one in found.header["ones"])
    assert found.header["joint"].startswith("Together ")
    assert any("set in this head" in one for one in found.header["notes"])
    assert found.header["words"]["all"][1] == "dog"


@pytest.mark.parametrize("model", [one for one in MACHINES["answers"] if one != "vit"])
def test_each_token_has_its_word_in_every_machine(runs, model):
    record, found = panel(runs, model=model)
    words, trace = found.header["words"], record.onward.run.trace
    assert words["all"] == TEXT.split()
    units = trace.streams[trace.blueprint.streams[0]].units
    for unit, at in zip(units, words["of"], strict=True):
        if at >= 0 and not unit.unknown:
            assert unit.label.strip("·▁#").lower() in words["all"][at]
    assert set(words["of"]) >= set(range(len(words["all"])))


@pytest.mark.parametrize(("model", "place"), [("elmo", "layer0"), ("rnn", "source.layer0")])
def test_where_nothing_leads_round_a_layer_one_sentence_says_so(runs, model, place):
    _record, found = panel(runs, place, model=model)
    assert found.header["turns"] == []
    assert any(one.startswith("Nothing leads round this layer") for one in found.header["notes"])


@pytest.mark.parametrize("place", ["embeddings", "words", "layer0.ffn.unit3", "layer0.head1.key2"])
def test_in_every_other_place_it_offers_what_belongs_there(runs, place):
    _record, found = panel(runs, place, model="gpt")
    names = [one["name"] for one in found.header["turns"]]
    assert names == {"layer0.ffn.unit3": ["layer0.ffn", "layer0.ffn.sum"],
                     "layer0.head1.key2": ["layer0.head1"]}.get(place, [])  # fmt: skip


# --- what the browser says -------------------------------------------------------------------

PARAMS = FlowParams(text=TEXT, off=f"layer0.ffn+{ROW}weight0.5", swap="1~cat~dog")


def test_what_is_turned_goes_and_comes_back():
    off = offered.turned(PARAMS, "layer1.head0")["off"]
    assert off == f"layer0.ffn+{ROW}weight0.5+layer1.head0"
    assert offered.turned(PARAMS, "layer0.ffn") == {"off": f"{ROW}weight0.5"}
    one = offered.undone(PARAMS, "1~cat~dog")
    assert one == {"off": PARAMS.off, "swap": None}
    assert offered.undone(PARAMS, "layer0.ffn")["off"] == f"{ROW}weight0.5"


def test_a_number_takes_the_place_of_the_one_before():
    def set_to(base, kind, value):
        return offered.set_to(PARAMS, {"base": base, "kind": kind, "value": value})

    assert set_to(ROW, "score", -1.5) == {"off": f"layer0.ffn+{ROW}score-1.5"}
    assert set_to("", "temperature", 0.5)["off"].endswith("+temperature0.5")
    warm = FlowParams(off="temperature0.5")
    said = {"base": "", "kind": "temperature"}
    assert offered.set_to(warm, {**said, "value": 2}) == {"off": "temperature2"}
    assert offered.set_to(warm, {**said, "value": 1}) == {"off": None}


def test_a_weight_is_dragged_in_the_picture_at_the_row_that_is_looked_at(runs):
    record = flow_of(runs, model="gpt", token="4")[1]
    said = {"place": "layer0.head1.key2", "value": 0.5}
    assert offered.dragged(record, said) == {"off": f"{ROW}weight0.5"}
    # The text that is shown has more tokens than the first one, in which positions are counted.
    longer = flow_of(runs, model="gpt", swap="1~cat~hippopotamus")[1]
    n = len(longer.onward.run.trace.tokens) - 1
    off = offered.dragged(longer, {**said, "place": f"layer0.head1.key{n}"})["off"]
    last = len(longer.first.run.trace.tokens) - 1
    assert off == f"layer0.head1.row{last}.key{last}.weight0.5"
    for wrong in (None, {"place": "layer0"}, {"place": "layer0.head1.key99", "value": 1},
                  {"place": "layer0.head1.key1", "value": 9}):  # fmt: skip
        assert offered.dragged(record, wrong) == {}


def test_a_word_is_swapped_once_and_for_itself_not_at_all():
    def swap(new):
        return offered.swapped(PARAMS, {"n": 1, "new": new})["swap"]

    assert swap("bird") == "1~cat~bird"
    assert swap("cat") is None
    two = offered.swapped(PARAMS, {"n": 5, "new": " sofa "})
    assert two == {"swap": "1~cat~dog~~5~mat~sofa", "token": None, "source_token": None}


WRONG = [
    None, 3, "<script>", [], {}, *({"n": n, "new": "a"} for n in (99, -1, True, "1")),
    *({"n": 1, "new": new} for new in ("a~b", "x" * 60, " ", "a\nb")),
    *({"base": ROW, "kind": "weight", "value": value} for value in (2, -1, "0.5", None)),
    {"base": ROW, "kind": "off", "value": 1}, {"base": "", "kind": "weight", "value": 1},
    {"base": "", "kind": "temperature", "value": float("nan")}, {"base": "+" * 9, "value": 1e300},
]  # fmt: skip


@pytest.mark.parametrize("said", WRONG)
def test_of_what_is_no_change_nothing_comes(said):
    assert offered.turned(PARAMS, said) == {}
    assert offered.set_to(PARAMS, said) == {}
    assert offered.swapped(PARAMS, said) == {}


def test_no_more_than_so_many_at_once():
    full = FlowParams(off="+".join(f"layer{n}.ffn" for n in range(8)))
    assert offered.turned(full, "layer9.ffn") == {}
    assert offered.turned(full, "layer0.ffn")["off"].count("+") == 6

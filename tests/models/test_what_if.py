"""What can be changed in a run: read from a link, and found in a machine's blueprint."""

from __future__ import annotations

import pytest

from core.models import places, what_if
from core.tracing.edits import Edit, OfSites


def edit(model, name):
    change = what_if.read(name)
    assert change is not None
    return change.edit(model.blueprint)


def test_each_is_an_edit_of_the_machine_that_has_it(gpt, transformer, rnn):
    assert edit(gpt, "layer1.head0") == Edit("blocks.1.attn.z", (0,), 0.0)
    assert edit(gpt, "layer1.ffn.sum") == Edit(
        "blocks.1.resid_post", value=OfSites(("blocks.1.ffn.out",))
    )
    assert edit(gpt, "layer0.head1.row3.key2.score-1.5") == Edit(
        "blocks.0.attn.scores", (1, 3, 2), -1.5
    )
    assert edit(gpt, "layer0.head1.row3.key2.weight0.25") == Edit(
        "blocks.0.attn.weights", (1, 3), ((2, 0.25),)
    )
    assert edit(gpt, "temperature0.5") is None
    assert edit(transformer, "target.layer0.cross.sum") == Edit(
        "decoder.blocks.0.resid_cross", value=OfSites(("decoder.blocks.0.cross_attn.out",))
    )


@pytest.mark.parametrize("name", [
    "layer1.sum", "layer9.ffn.sum", "layer0.cross.sum", "layer9.head0.row1.key0.weight1",
])  # fmt: skip
def test_what_a_machine_does_not_have_is_no_edit(gpt, name):
    assert edit(gpt, name) is None


def test_the_sums_of_a_place_are_those_of_its_machine(gpt, transformer, elmo, rnn):
    def names(model, place):
        return [one.name for one in what_if.sums(places.read(place), model.blueprint)]

    assert names(gpt, "layer1") == ["layer1.attn.sum", "layer1.ffn.sum"]
    assert names(gpt, "layer1.ffn") == ["layer1.ffn.sum"]
    assert names(gpt, "layer1.head0") == []
    assert names(transformer, "target.layer0") == [
        "target.layer0.attn.sum", "target.layer0.cross.sum", "target.layer0.ffn.sum",
    ]  # fmt: skip
    assert names(elmo, "layer0") == []
    assert names(elmo, "layer1") == ["layer1.sum"]
    assert names(rnn, "source.layer0") == []


ROW = "layer0.head1.row1.key2"


@pytest.mark.parametrize("text", [
    "", "temperature0", "temperature9", "temperature0.05", "temperature", "layer0.head1.sum",
    "layer0.ffn.ffn.sum", "sum", f"{ROW}.weight1.5", f"{ROW}.weight", f"{ROW}.score99",
    f"{ROW}.weight-0.5", f"{ROW}.scorenan", "layer0.row1.key2.score1", "../../etc",
    "layer0.head1.row99999.key1.weight1",
])  # fmt: skip
def test_what_is_no_change_or_out_of_range_is_none(text):
    assert what_if.read(text) is None


def test_only_so_many_at_once_are_said_by_a_link():
    names = [f"layer{n}.ffn" for n in range(9)]
    assert what_if.all_read("+".join(names[:8])) == [what_if.read(one) for one in names[:8]]
    assert what_if.all_read("+".join(names)) is None
    assert what_if.all_read("layer0.ffn+<b>") is None
    assert what_if.all_read("") == []
    assert len(what_if.read_several("+".join(names))) == what_if.MOST


def test_weights_of_a_row_are_set_together(gpt):
    names = ("layer0.head1.row3.key2.weight0.25", "layer0.head1.row3.key0.weight0.5",
             "layer0.head1.row2.key0.weight0.5")  # fmt: skip
    together = what_if.edits(filter(None, map(what_if.read, names)), gpt.blueprint)
    assert together == (
        Edit("blocks.0.attn.weights", (1, 3), ((2, 0.25), (0, 0.5))),
        Edit("blocks.0.attn.weights", (1, 2), ((0, 0.5),)),
    )


def test_positions_move_with_their_stream(transformer):
    def where(stream, position):
        return (position + 9, position + 10) if stream == "source" else (position,)

    def moved(name):
        return what_if.moved(what_if.read(name), transformer.blueprint, where)

    (cross,) = moved("target.layer0.cross.head0.row1.key2.score1")
    assert (cross.query, cross.key) == (1, 12)  # of several tokens the last one's
    (hidden, too) = moved("source.layer0.head0.key2")
    assert (hidden.place.key, too.place.key) == (11, 12)  # and all of them are taken away
    assert [one.key for one in moved("target.layer0.cross.head0.row1.key2.weight0")] == [11, 12]
    (heat,) = moved("temperature2")
    assert heat.value == 2.0
    (whole,) = moved("source.layer0.head0")  # of no position
    assert whole.edit(transformer.blueprint) == edit(transformer, "source.layer0.head0")


def test_several_are_read_once_each_and_others_left_out():
    found = what_if.read_several("layer0.head1+nothing+layer0.ffn+layer0.head1")
    assert [one.name for one in found] == ["layer0.head1", "layer0.ffn"]

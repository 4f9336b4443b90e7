"""The you-are-here strip: the places of every machine in order, and which of them are lit."""

from __future__ import annotations

import pytest

from core import zoo
from core.models.blueprint import ONE_STREAM, Blueprint, Embedding, Head, Norm
from core.models.parts import Dense
from core.models.picture_parts import PatchStem
from core.views.attention.steps import NAMES
from core.views.map.strip import places, strip_payload
from pages.parts.table import page_of
from tests.conftest import (
    tiny_bert,
    tiny_characters,
    tiny_cnn,
    tiny_gpt,
    tiny_relative,
    tiny_transformer,
)

ATTENTION = ["qkv", "scores", "mask", "weights", "mix"]
TWO = tiny_transformer().blueprint
# Hidden units on a row for each token; no layers work on the stream.
UNITS = Blueprint(
    (
        Embedding(
            "embed", ONE_STREAM, ("tokens",), None, None, norm=None, scaled=False,
            table="embed.weight",
        ),
        Dense("hidden", ONE_STREAM, reads="window"),
        Head("next_token", "logits", ONE_STREAM, reads="hidden"),
    )
)  # fmt: skip

# A picture in patches, and hidden units that read all of them at once.
CUT = Blueprint(
    (
        PatchStem("embed", ONE_STREAM, 4, 7, 7, 1, "", None, None, d_model=16),
        Dense("hidden", ONE_STREAM, reads="embed.patches"),
        Norm("final_norm", ONE_STREAM, "layer", reads="mixed", eps=1e-5),
        Head("classify_image", "logits", ONE_STREAM, reads="final_norm.out", labels=("a", "b")),
    )
)


def ids(blueprint: Blueprint, stack: str = "") -> list[str]:
    return [place.id for place in places(blueprint, blueprint.stack(stack))]


def lines(blueprint: Blueprint, here: tuple[str, ...], layer: int = 1, **chosen: str) -> list[dict]:
    return strip_payload(blueprint, here, {}, layer=layer, chosen=chosen).header["lines"]


def lit(blueprint: Blueprint, *here: str, **chosen: str) -> list[list[str]]:
    return [
        [part["id"] for part in line["parts"] if part["lit"]]
        for line in lines(blueprint, here, **chosen)
    ]


def test_a_place_stands_where_it_is_computed():
    start, end = ["text", "tokens", "embeddings"], ["logits", "prediction"]
    pre = ["norm_1", *ATTENTION, "add_1", "norm_2", "ffn", "add_2"]
    post = [*ATTENTION, "add_1", "norm_1", "ffn", "add_2", "norm_2"]
    assert ids(tiny_gpt().blueprint) == [*start, *pre, "final_norm", *end]
    assert ids(tiny_bert().blueprint) == [*start, "embed_norm", *post, *end]
    assert ids(TWO, "encoder") == [*start, *post]
    across = [*ATTENTION, "add_cross", "norm_cross"]
    assert ids(TWO) == ["tokens", "embeddings", *post[:7], *across, *post[7:], *end]


@pytest.mark.parametrize("which", ["gpt", "bert", "transformer"])
def test_the_strip_follows_the_models_own_order(which, request):
    model = request.getfixturevalue(which)
    sites = list(model.catalogue)
    for stack in model.blueprint.stacks:
        found = [(place.id, place.across) for place in places(model.blueprint, stack)]
        assert len(set(found)) == len(found)
        names = [id for id, across in found if not across]
        first, last = (sites.index(f"{stack.block(0)}.{n}") for n in ("ln_1.out", "attn.scores"))
        assert (names.index("norm_1") < names.index("scores")) == (first < last)
        assert ("final_norm" in names) == (model.blueprint.final_norm(stack) is not None)
        assert ("embed_norm" in names) == (model.blueprint.embedding(stack.stream).norm is not None)


def test_the_strip_lights_where_you_are_and_links_the_rest():
    payload = strip_payload(
        tiny_gpt().blueprint, ("scores",), {"tokens": "/tokens", "scores": "/attention"}, layer=1
    )
    (line,) = payload.header["lines"]
    found = {part["id"]: part for part in line["parts"]}
    assert [id for id, part in found.items() if part["lit"]] == ["scores"]
    assert found["tokens"]["page"] == "/tokens"
    assert found["logits"]["page"] is None
    assert payload.header["layer"] == 1


def test_the_last_place_is_what_the_model_is_asked_for():
    last = [lines(m.blueprint, ())[-1]["parts"][-1] for m in (tiny_gpt(), tiny_bert())]
    assert [place["label"] for place in last] == ["next word", "hidden word"]
    assert lines(TWO, ())[-1]["parts"][-1]["label"] == "next word"


def test_of_two_towers_what_the_page_shows_is_lit():
    for model in (tiny_gpt(), tiny_bert()):
        assert lit(model.blueprint, "weights", "ffn") == [["weights", "ffn"]]
    for kind, wanted in (("encoder", [1, 0]), ("decoder", [0, 1]), ("cross", [0, 1])):
        found = lit(TWO, "weights", attention=kind, stack="decoder")
        assert [len(line) for line in found] == wanted
    across = [part["lit"] for part in lines(TWO, ("weights",), attention="cross")[1]["parts"]
              if part["across"]]  # fmt: skip
    assert across == [False, False, False, True, False, False, False]
    assert lit(TWO, "ffn", stack="encoder", attention="cross") == [["ffn"], []]
    # Both are embedded by one table.
    assert lit(TWO, "embeddings") == [["embeddings"], ["embeddings"]]


def test_a_click_says_which_of_several_is_meant():
    encoder, decoder = lines(TWO, ())
    said = {(part["id"], *part["of"].items()) for line in (encoder, decoder)
            for part in line["parts"]}  # fmt: skip
    for kind in ("encoder", "decoder", "cross"):
        assert ("weights", ("attention", kind)) in said
    for stack in ("encoder", "decoder"):
        assert ("ffn", ("stack", stack)) in said
    assert all(part["of"] == {} for part in lines(tiny_gpt().blueprint, ())[0]["parts"])


def test_each_tower_says_how_many_blocks_it_has():
    short = tiny_transformer(encoder_n_layers=1).blueprint
    found = [(line["name"], line["n_layers"]) for line in lines(short, ())]
    assert found == [("encoder", 1), ("decoder", 2)]


def test_a_machine_without_layers_has_a_line_from_its_tables_to_its_answer():
    (line,) = lines(UNITS, ("dense",))
    found = {part["id"]: part for part in line["parts"]}
    assert list(found) == ["text", "tokens", "embeddings", "dense", "logits", "prediction"]
    assert [id for id, part in found.items() if part["lit"]] == ["dense"]
    assert line["name"] == ""


def test_so_has_one_that_reads_patches_without_layers():
    (line,) = lines(CUT, ("patches",))
    found = {part["id"]: part["lit"] for part in line["parts"]}
    assert list(found) == ["picture", "patches", "dense", "final_norm", "labels"]
    assert [id for id, lit in found.items() if lit] == ["patches"]


def test_hidden_units_are_said_to_read_what_they_read():
    titles = {}
    for name, blueprint in (("text", UNITS), ("picture", tiny_cnn().blueprint)):
        (line,) = lines(blueprint, ())
        titles[name] = next(part["title"] for part in line["parts"] if part["id"] == "dense")
    assert "maps" in titles["picture"]
    assert "maps" not in titles["text"]


def test_a_place_says_what_the_model_does_there():
    """No positions are added where a bias tells distances, and letters are no tokens."""
    biased = lines(tiny_relative().blueprint, ())[0]["parts"]
    said = {part["id"]: part["title"] for part in biased}
    assert said["embeddings"] == "each token as a vector"
    assert said["scores"] == "queries against keys"
    own = {part["id"]: part["title"] for part in lines(tiny_gpt().blueprint, ())[0]["parts"]}
    assert own["embeddings"] == "each token and each position as a vector"
    assert own["scores"] == "queries against keys, scaled"
    (line,) = lines(tiny_characters().blueprint, ())
    assert [part["label"] for part in line["parts"]] == [
        "text", "characters", "embeddings", "state", "labels",
    ]  # fmt: skip
    assert not any("token" in part["title"] for part in line["parts"])


def test_a_machine_that_also_attends_to_itself_is_drawn_with_it():
    chain = ["mask", "weights"]
    for name, wanted in (("rnn_attention", [*chain, "recurrent"]),
                         ("rnn_self", [*chain, "recurrent", *chain])):  # fmt: skip
        found = list(places(zoo.blueprint(name), zoo.blueprint(name).towers[-1]))
        inner = [one.id for one in found if one.id in {*chain, "recurrent"}]
        assert inner == wanted
    assert lit(zoo.blueprint("rnn_self"), "weights", attention="decoder") == [[], ["weights"]]
    assert [one.across for one in found if one.id == "weights"] == [True, False]


def test_each_step_of_attention_has_its_place_in_the_stack_that_is_shown():
    steps = page_of("attention.steps").steps
    assert len(steps) == len(NAMES)  # of the figure

    def at(blueprint: Blueprint, **chosen: str) -> list[list[str]]:
        found = strip_payload(blueprint, (), {}, chosen=chosen, steps=steps).header["lines"]
        return [[part["id"] for part in line["parts"] for _n in part["steps"]] for line in found]

    assert at(tiny_gpt().blueprint) == [[*steps]]
    assert at(TWO, attention="cross", stack="decoder") == [[], [*steps]]
    assert lines(TWO, ("scores",))[0]["parts"][0]["steps"] == []

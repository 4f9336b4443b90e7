"""The Translate page: two streams, a target of one's own, and a text in the right language."""

from __future__ import annotations

import pytest

from core.data.examples import FRENCH
from tests.app.answered import Figure, figure, figures, words
from tests.app.played import of_page
from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import link, values

FILE = "predictions/translate.py"
TARGET = "My black dog"
BELOW = {"translate.chain", "translate.taught", "translate.free", "translate.alignment",
         "translate.second"}  # fmt: skip


def of_machine(app, scope: str = "") -> list[Figure]:
    """The figures of one machine on the stage, by the scope that they follow."""
    drawn = [one for one in figures(app) if one.spec["drawn"] and one.spec["view"] not in BELOW]
    stage = [one for one in drawn if one.spec["asks"].get("experiment") is None]
    return [one for one in stage if one.spec.get("scope", "") == scope]


def shown(app, component: str, scope: str = ""):
    """What those of one component are given."""
    answers = [one.answer for one in of_machine(app, scope)]
    return [
        one.header for one in answers if one and one.header["answer"].get("folder") == component
    ]


def row(app, label: str) -> dict[str, dict[str, str]]:
    """The buttons of a choice between machines: what each sets."""
    (found,) = [one for one in headers(app, "presets") if one["label"] == label]
    return {as_shown(one["label"]): one["sets"] for one in found["buttons"]}


def alignment(app, scope: str = ""):
    """The one matrix of a machine's column."""
    (matrix,) = shown(app, "matrix", scope)
    return matrix["sheets"][0]


def test_it_opens_on_french_and_shows_both_streams():
    app = opened(FILE)
    check(app)
    assert values(app)["text"] == FRENCH
    assert "text" not in link(app)
    source, target = shown(app, "token_strip")
    assert [chip["label"] for chip in source["tokens"]][-1] == "</s>"
    assert target["heading"] is not None
    assert len(target["tokens"]) > 2
    assert len(alignment(app)["rows"]["labels"]) == len(target["tokens"])
    assert len(alignment(app)["cols"]["labels"]) == len(source["tokens"])


def test_both_machines_are_chosen_on_the_page_and_stand_in_the_link():
    chosen = row(opened(FILE), "Model")["RNN + attention"]
    assert chosen == {"model": "rnn_attention"}
    app = opened(FILE, **chosen)
    check(app)
    assert link(app)["model"] == "rnn_attention"
    assert alignment(app)["title"] == "Attention weights"
    assert "layer 0, head 0" in alignment(app, "b")["title"]  # the Transformer changed its place
    beside = row(app, "Beside it")
    others = ["Transformer", "Causal encoder", "RNN", "RNN + self-attention"]
    assert [*beside] == [*others, "nothing"]
    assert beside["nothing"] == {"b.model": "none"}
    (page,) = headers(app, "link")
    assert "b.model" in page["restarts"]  # the page has other parts for other machines
    app = opened(FILE, **chosen, **beside["nothing"])
    check(app)
    assert link(app)["b.model"] == "none"
    assert of_machine(app, "b") == []


@pytest.mark.parametrize("scope", ["", "b"])
def test_where_nothing_attends_the_page_says_why_no_alignment_is_drawn(summed_up, scope):
    chosen = {"model": summed_up} if not scope else {"b.model": summed_up}
    app = opened(FILE, **chosen)
    check(app)
    assert shown(app, "matrix", scope) == []
    assert len(shown(app, "token_strip", scope)) == 2
    (said,) = [one.value for one in app.info if "no alignment to draw" in one.value]
    assert "one summary of it, the 16 numbers of the last states" in said
    assert "layer 0, head 0" in alignment(app, "" if scope else "b")["title"]


def test_a_recurrent_machine_shows_its_states_step_by_step():
    app = opened(FILE)
    assert "probabilities does the decoder compute" in str(of_page(app).question)
    (said,) = [one for one in figures(app) if "question" in one.spec["notes"]]
    (counted,) = (text for kind, text in said.said["notes"] if kind == "question")
    assert words(counted) == "This source was cut into 9 tokens, and the target has 9."
    (states,) = shown(app, "matrix", "bs")
    assert [sheet["tab"] for sheet in states["sheets"]] == [
        "hidden", "reset", "update", "candidate",
    ]  # fmt: skip
    assert shown(app, "matrix", "s") == []  # the Transformer has none
    _source, target = shown(app, "token_strip", "b")
    (strip,) = shown(app, "token_strip", "bs")
    assert (
        len(strip["tokens"]) == len(states["sheets"][0]["rows"]["labels"]) == len(target["tokens"])
    )
    app = opened(FILE, **{"bs.recurrence": "encoder", "bs.direction": "backward"})
    check(app)
    source, _target = shown(app, "token_strip", "b")
    (states,) = shown(app, "matrix", "bs")
    assert len(states["sheets"][0]["rows"]["labels"]) == len(source["tokens"])


def test_a_target_of_ones_own_is_read_by_both_and_stands_in_the_link():
    app = opened(FILE, target=TARGET)
    check(app)
    (field,) = [one for shown in figures(app) for one in shown.controls if one["name"] == "target"]
    assert (field["kind"], field["value"]) == ("line", TARGET)
    assert link(app)["target"] == TARGET
    for scope in ("", "b"):
        _source, target = shown(app, "token_strip", scope)
        assert "".join(chip["label"] for chip in target["tokens"]).endswith("dog")


def test_what_happens_while_it_is_translated_is_drawn_below_for_the_pages_machine():
    app = opened(FILE, walk="1", method="hand", branch="1.0", reference="The cat sleeps.")
    check(app)
    tree = figure(app, "translate.tree")
    assert [node["walks"] for node in nodes(tree) if node["id"] == "1"] == ["close"]
    assert tree.answer.header["selection"]["branch"] is None  # at rest: the browser has the link
    assert link(app)["walk"] == "1"
    assert alignments(app) == ["row before", "own row", "hiding"]
    (close,) = [one for one in tree.controls if one["kind"] == "buttons"]
    assert [one["sets"] for one in close["buttons"]] == [{"walk": None}]
    taught = figure(app, "translate.taught")
    assert [one["value"] for one in taught.controls] == ["The cat sleeps."]
    app = opened(FILE, method="hand")
    tree = figure(app, "translate.tree")
    assert {node["state"] for node in nodes(tree)} == {"offered"}
    assert [one["name"] for one in tree.controls] == ["method", "candidates", "length"]
    app = opened(FILE, model="rnn", walk="x,1", method="beam")
    check(app)
    assert alignments(app) == []
    assert any("no alignment to read" in one.value for one in app.info)
    assert "walk" not in link(app)
    assert {node["state"] for node in nodes(figure(app, "translate.tree"))} == {"kept", "cut"}


def nodes(tree: Figure) -> list[dict[str, str]]:
    """The tokens of a tree."""
    assert tree.answer is not None
    return list(tree.answer.header["nodes"])


def alignments(app) -> list[str]:
    """The sheets of the matrix that says where each word comes from."""
    return [
        sheet["tab"]
        for one in figures(app)
        if one.spec["drawn"] and one.answer and one.answer.header.get("sheet_field") == "reading"
        for sheet in one.answer.header["sheets"]
    ]

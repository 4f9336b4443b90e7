"""The Translate page: two streams, a target of one's own, and a text in the right language."""

from __future__ import annotations

import pytest

from core import views
from core.examples import FRENCH
from core.views.params import parse
from pages.parts import translating
from pages.parts.runs import shared_runs
from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import link, values

FILE = "predictions/translate.py"
TARGET = "My black dog"
BELOW = {"translate.chain", "chain-next", "translate.taught", "translate.free",
         "translate.alignment", "translate.second"}  # fmt: skip


def shown(app, component: str, scope: str = ""):
    """What the figures of one machine on the stage are given, by the scope that they follow."""
    stage = [one for one in headers(app, component) if one.get("figure") not in BELOW]
    return [one for one in stage if one.get("scope", "") == scope]


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


def test_a_second_machine_stands_beside_it_in_the_same_views():
    app = opened(FILE)
    for component in ("token_strip", "matrix", "bars"):
        own, beside = (len(shown(app, component, scope)) for scope in ("", "b"))
        assert own == beside > 0
    (source, target) = shown(app, "token_strip", "b")
    assert len(alignment(app, "b")["rows"]["labels"]) == len(target["tokens"])
    assert len(alignment(app, "b")["cols"]["labels"]) == len(source["tokens"])
    # Of one map without heads neither title nor caption has a number.
    assert alignment(app, "b")["title"] == "Attention weights"
    assert "layer 0, head 0" in alignment(app)["title"]


def test_both_machines_are_chosen_on_the_page_and_stand_in_the_link():
    app = opened(FILE)
    app.segmented_control(key="control-model").set_value("rnn_attention").run()
    check(app)
    assert link(app)["model"] == "rnn_attention"
    assert alignment(app)["title"] == "Attention weights"
    assert "layer 0, head 0" in alignment(app, "b")["title"]  # the Transformer changed its place
    beside = next(one for one in app.get("button_group") if "control-b.model" in one.proto.id)
    names = [as_shown(option.content) for option in beside.proto.options]
    others = ["Transformer", "Causal encoder", "RNN", "RNN + self-attention"]
    assert names == [*others, "nothing"]
    app.segmented_control(key="control-b.model~1").set_value("none").run()
    check(app)
    assert link(app)["b.model"] == "none"
    assert shown(app, "matrix", "b") == shown(app, "token_strip", "b") == []


def test_a_machine_that_a_link_names_twice_stands_beside_another():
    app = opened(FILE, model="rnn_attention", **{"b.model": "rnn_attention"})
    check(app)
    assert "layer 0, head 0" in alignment(app, "b")["title"]
    for odd in ("gpt", "../gpt", "nobody"):
        app = opened(FILE, **{"b.model": odd})
        check(app)
        assert alignment(app, "b")["title"] == "Attention weights"


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
    (asked,) = headers(app, "question")
    assert "probabilities does the decoder compute" in str(asked)
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
    app = opened(FILE)
    app.text_input(key="control-target").set_value(TARGET).run()
    check(app)
    assert link(app)["target"] == TARGET
    for scope in ("", "b"):
        _source, target = shown(app, "token_strip", scope)
        assert "".join(chip["label"] for chip in target["tokens"]).endswith("dog")


@pytest.mark.parametrize(("attention", "n_rows"), [("encoder", 10), ("decoder", 9), ("cross", 9)])
def test_each_attention_has_the_same_view(attention, n_rows):
    app = opened(FILE, text=FRENCH, target="The cat is sleeping on the table.", attention=attention)
    check(app)
    assert len(alignment(app)["rows"]["labels"]) == n_rows
    assert len(alignment(app, "b")["rows"]["labels"]) == 9


def test_nobody_is_left_with_a_text_that_the_model_cannot_read():
    app = opened("attention/step_by_step.py", model="transformer")
    assert values(app)["text"] == FRENCH
    plain = opened("attention/step_by_step.py")
    assert values(plain).get("text") != FRENCH
    # What a link says stays, in any language.
    said = opened("attention/step_by_step.py", text=FRENCH, model="gpt")
    assert values(said)["text"] == FRENCH


def record(text: str, target: str = ""):
    """What the page's strips are made from, for the model that ships."""
    view = views.get("translate.target")
    values = {"model": "transformer", "text": text, "target": target, "layer": "0", "head": "0"}
    params, _problems = parse(view.Params, values)
    runs = shared_runs()
    return view.compute([runs.get(request) for request in view.requests(params)], params)


def expected_after(word: str, found) -> list[str]:
    """The likeliest tokens after a word of the target."""
    read = [token.data.decode().strip() for token in found.target.tokens]
    return [token.data.decode().strip() for token in found.words[read.index(word)]]


def test_the_experiments_show_what_they_promise():
    found = record(FRENCH)
    source = [token.data.decode().strip() for token in found.source.tokens]
    for row, word in ((2, "noir"), (3, "chat")):
        assert found.head("weights")[row, source.index(word)] > 0.85
    assert expected_after("black", record(FRENCH, "My black dog"))[0] == "cat"
    ami = record("Il a perdu son ami et il le cherche encore.")
    assert expected_after("for", ami)[:2] == ["it", "him"]


def test_a_page_opens_on_the_head_that_aligns_words_unless_a_layer_was_chosen():
    assert "layer 0" in alignment(opened(FILE))["title"]
    assert "layer 2" in alignment(opened(FILE, layer="2"))["title"]


def test_what_happens_while_it_is_translated_is_drawn_below_for_the_pages_machine():
    app = opened(FILE, walk="1", method="hand", branch="1.0", reference="The cat sleeps.")
    check(app)
    (tree,) = headers(app, "tree")
    assert tree["opens"] is True
    assert [node["walks"] for node in tree["nodes"] if node["id"] == "1"] == ["close"]
    assert tree["selection"]["branch"] is None  # a figure at rest: the link tells the browser
    assert link(app)["walk"] == "1"
    assert alignments(app) == ["row before", "own row", "hiding"]
    app.button(key="close-ways").click().run()
    check(app)
    (tree,) = headers(app, "tree")
    assert {node["state"] for node in tree["nodes"]} == {"offered"}
    assert "walk" not in link(app)
    app = opened(FILE, model="rnn", walk="x,1", method="beam")
    check(app)
    assert alignments(app) == []
    assert any("no alignment to read" in one.value for one in app.info)
    (tree,) = headers(app, "tree")
    assert {node["state"] for node in tree["nodes"]} == {"kept", "cut"}


def alignments(app) -> list[str]:
    """The sheets of the matrix that says where each word comes from."""
    return [
        sheet["tab"]
        for one in headers(app, "matrix")
        if one.get("sheet_field") == "reading"
        for sheet in one["sheets"]
    ]


def test_a_click_on_a_token_of_the_tree_changes_what_is_open_and_nothing_else_does(monkeypatch):
    kept: dict[str, object] = {}
    monkeypatch.setattr(translating.state, "update", kept.update)
    monkeypatch.setattr(
        translating.state, "read", lambda cls: cls(walk=str(kept.get("walk") or ""))
    )
    translating.walk("0.1")
    assert kept == {"walk": "0.1"}
    for odd in ("<b>", "1,2", 7, None, ["0"], {"a": 1}):
        translating.walk(odd)
        assert kept == {"walk": "0.1"}
    translating.walk("0.1")
    translating.walk("0")
    assert kept == {"walk": None}

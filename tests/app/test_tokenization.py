"""The tokenization page: its own first sentence, the training text, the two codes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core import zoo
from core.text.learning import MAX_CORPUS
from core.views.text.tokens import CORPUS
from pages.parts import runs
from pages.parts.runs import shared_runs
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, opened
from tests.app.test_state import link
from tests.views.text.conftest import FRENCH, joint_machine

PAGE = "text/tokenization.py"


def controls(app, name: str) -> list[dict]:
    """Those of a parameter that are seen."""
    return [one for shown in figures(app) for one in shown.controls if one["name"] == name]


def notes(app) -> list[str]:
    """What is said of the text to learn from."""
    return [words(text) for shown in figures(app) if "warning" in shown.spec["notes"]
            for _kind, text in shown.said["notes"]]  # fmt: skip


def shown_by(app, *views: str) -> list[str]:
    """Those of some views that are seen."""
    seen = {one.spec["view"] for one in figures(app) if one.spec["drawn"]}
    return [view for view in views if view in seen]


def test_opens_on_the_lectures_sentence():
    app = opened(PAGE)
    check(app)
    assert link(app) == {}  # a bare address stays bare
    assert "6 words, 37 characters" in figure(app, "text.tokens").said["facts"]
    assert [one["value"] for one in controls(app, "corpus")] == [CORPUS]


def test_the_training_text_is_bounded_and_says_so():
    (said,) = notes(opened(PAGE, corpus="word " * 1000))
    assert f"{MAX_CORPUS:,}" in said
    for method in ("bpe", "wordpiece", "unigram"):
        (said,) = notes(opened(PAGE, corpus="   ", cutting=method))
        assert "the example is used" in said


def test_awkward_training_texts_do_not_break_it():
    for corpus in ("a", "<script>alert(1)</script>", "🙂👩‍👩‍👧‍👦 é\x00\u202e", "aaaaaaaaaaaa"):
        app = opened(PAGE, corpus=corpus, merges="200", merge="200", code="learnt")
        check(app)
        assert [one.refused for one in figures(app) if one.refused] == []


def chosen_methods(app) -> list[str]:
    """What the controls for the method stand at: one for a word, one for the vocabulary."""
    return [one["value"] for one in controls(app, "cutting")]


CUT = ("text.encode", "text.tries", "text.lattice")


def test_a_model_is_stepped_through_by_its_own_method():
    app = opened(PAGE, model="bert")
    check(app)
    assert chosen_methods(app) == ["wordpiece", "wordpiece"]
    assert shown_by(app, *CUT) == ["text.tries"]
    ladder = figure(app, "text.tries").answer.header
    word = ladder["ladders"][ladder["of"][0]]
    assert word["rows"][1]["looks"] == ["miss"]  # the whole word is tried first
    assert word["rows"][1]["said"] == "no entry"
    (whose,) = figure(app, "text.tries").spec["controls"]
    assert (whose["name"], whose["options"][0]) == ("code", ["model", "BERT"])
    pairs = figure(app, "text.pairs").answer.header
    assert "counts of both parts" in str(pairs["frames"])


def test_a_model_without_merges_is_told_of_and_another_shown():
    """WordPiece cuts by another rule; the page says so, and whose merges it shows."""
    app = opened(PAGE, model="bert", cutting="bpe")
    check(app)
    (told,) = [block.value for block in app.markdown if "has no merges" in block.value]
    assert told.startswith("BERT has no merges")
    assert told.endswith("so GPT is shown here.")
    assert chosen_methods(app) == ["bpe", "bpe"]
    assert shown_by(app, *CUT) == ["text.encode"]
    assert figure(app, "text.encode").spec["asks"]["model"] == "gpt"


def test_one_choice_of_a_method_is_that_of_both_sections():
    app = opened(PAGE, text="the lower wall", word="1", pieces="150", cutting="unigram")
    assert chosen_methods(app) == ["unigram", "unigram"]
    assert shown_by(app, *CUT) == ["text.lattice"]
    app = opened(
        PAGE, text="the lower wall", word="1", pieces="150", cutting="unigram", code="learnt"
    )
    lattice = figure(app, "text.lattice").answer.header["lattices"][1]
    assert [arc["label"] for arc in lattice["arcs"] if arc["path"]] == ["·low", "er"]
    (steps,) = (one for one in figures(app) if one.spec["view"] == "text.entries"
                and "steps" in one.spec["says"])  # fmt: skip
    assert steps.said["steps"]["field"] == "round"
    assert "Expectation maximisation" in str(steps.said["steps"]["texts"])
    for name in ("cutting", "pieces"):  # what was learned goes with the link
        assert name in link(app)


def test_without_such_a_model_the_learned_code_is_used(of_three):
    app = of_three(model="gpt", cutting="unigram")
    check(app)
    assert any("No model on the shelf cuts words like this" in info.value for info in app.info)
    assert figure(app, "text.lattice").answer.header["lattices"]
    assert controls(app, "code") == []


@pytest.fixture
def of_three(gpt, bert, monkeypatch):
    """Opens the page on a machine that translates, with one code for two languages."""
    yield from opener({"gpt": gpt, "bert": bert, "transformer": joint_machine()}, monkeypatch)


def opener(models, monkeypatch) -> Iterator:
    """Opens the page on some models in place of the shelf."""
    monkeypatch.setattr(runs, "of_the_shelf", lambda name, _device: models[name])
    monkeypatch.setattr(zoo, "shelf", lambda *_root: tuple(sorted(models)))
    shared_runs.cache_clear()
    yield lambda **values: opened(PAGE, **{"model": "transformer", "text": FRENCH, **values})
    shared_runs.cache_clear()


@pytest.mark.parametrize("target", ["", "Where is the summer?"])
def test_a_machine_that_translates_cuts_by_its_joint_code(of_three, target):
    app = of_three(target=target)
    check(app)
    headings = [
        words(one.answer.header["heading"])
        for one in figures(app)
        if one.spec["view"] == "text.tokens" and one.spec["drawn"]
    ]
    assert ["Transformer" in heading for heading in headings] == [True, False]
    assert "BERT" in headings[1]
    assert figure(app, "text.encode").spec["asks"]["model"] == "transformer"
    assert figure(app, "text.encode").answer.header["ladders"]
    said = [block.value for block in app.markdown]
    assert any(words.startswith("Transformer does not predict the next token") for words in said)
    assert not any("has no merges" in words for words in said)

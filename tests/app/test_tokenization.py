"""The tokenization page: its own first sentence, the training text, the two codes."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

import pytest

from core import zoo
from core.experiments import BY_ID
from core.shelf.abilities import can
from core.text.learning import MAX_CORPUS
from core.views.text.tokens import CORPUS
from pages.parts import runs, table
from pages.parts.runs import shared_runs
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, headers, opened
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


def test_a_text_of_ones_own_is_kept():
    app = opened(PAGE, text="A dog")
    assert link(app)["text"] == "A dog"
    assert "2 words, 5 characters" in figure(app, "text.tokens").said["facts"]


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


def test_the_experiment_learns_from_the_text_that_it_brings():
    experiment = BY_ID["tokenization.learn"]
    (offered,) = headers(opened(PAGE), "experiments")
    (card,) = (one for one in offered["cards"] if one["id"] == experiment.id)
    assert "text" not in card["after"]  # her own stays
    said = {name: value for name, value in card["after"].items() if value is not None}
    app = opened(PAGE, experiment=experiment.id, **said)
    check(app)
    (corpus,) = controls(app, "corpus")
    assert corpus["value"] == experiment.after["corpus"]
    assert figure(app, card["place"]).said["outcome"] is not None


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


def test_all_figures_open_on_the_word_that_unigram_opens_on():
    """No other says which: what is drawn last would count."""
    app = opened(PAGE, text="z z owes", cutting="unigram", code="learnt", pieces="150")
    said = [one.answer.header["selection"] for one in figures(app)
            if one.answer and "selection" in one.answer.header]  # fmt: skip
    assert {one["word"] for one in said if "word" in one} == {2}
    app = opened(PAGE, text="z z owes")
    assert figure(app, "text.tokens").answer.header["selection"]["word"] == 0


def test_a_model_is_found_by_the_kind_of_its_tokenizer(of_kinds):
    """No id is asked for: whoever comes with such entries is stepped through by them."""
    app = of_kinds(model="transformer", text="the dog saw")
    check(app)
    assert chosen_methods(app) == ["unigram", "unigram"]
    assert figure(app, "text.lattice").answer.header["lattices"]
    (whose,) = controls(app, "code")
    assert (whose["label"], whose["value"]) == ("Vocabulary of", "model")
    assert not any("No model on the shelf" in info.value for info in app.info)
    app = of_kinds(model="gpt", text="the dog saw", cutting="unigram")
    assert any(block.value.endswith("is shown here.") for block in app.markdown)


def test_it_opens_on_its_own_text_for_whoever_cuts_it():
    """Nothing is hidden in it, and its first word has several segmentations."""
    row = table.page_of("text.tokens")
    for model in zoo.shelf():
        if can(model, row.needs):
            assert table.example(row, model) == row.example
    code = shared_runs().model("t5").encoders.pieces
    lattice = code.lattice(row.example.split()[0])
    (best, _way), (second, _other) = lattice.n_best(2)
    assert exp(second - best) > 0.1


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


@pytest.fixture
def of_kinds(gpt, bert, filler, monkeypatch):
    """Opens the page on a shelf where the one that translates cuts by probabilities."""
    yield from opener({"bert": bert, "gpt": gpt, "transformer": filler}, monkeypatch)


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


def test_gpt_says_how_likely_the_next_token_is_itself(of_three):
    app = of_three(model="gpt")
    check(app)
    assert not any("does not predict the next token" in block.value for block in app.markdown)

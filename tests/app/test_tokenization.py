"""The tokenization page: its own first sentence, the training text, the two codes."""

from __future__ import annotations

import re
from math import exp

import pytest
from streamlit.testing.v1 import AppTest

from core import zoo
from core.experiments import TOKENIZATION
from core.figures.payload import unpack
from core.runs.store import Runs
from core.text.learning import MAX_CORPUS
from core.views.text.tokenizing import CORPUS
from pages.parts import cutting, figure, messages, methods, page, runs, table
from pages.parts.runs import can, shared_runs
from tests.app.test_pages import check, in_browser, opened
from tests.views.text.joint import FRENCH, joint_machine

PAGE = "text/tokenization.py"
ARAGORN = "Aragorn told Frodo to mind Lothlorien"


def said(app) -> str:
    """All words that the page wrote itself."""
    return re.sub(r"<[^>]*>", "", " ".join(element.proto.body for element in app.get("html")))


def in_link(app, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[-1]


def test_opens_on_the_lectures_sentence():
    app = opened(PAGE)
    check(app)
    assert "text" not in app.query_params  # a bare address stays bare
    assert "6 words, 37 characters" in said(app)
    assert app.text_area[0].value == CORPUS
    # It is none of hers, and stays here.
    app.switch_page("predictions/next_token.py")
    app.run()
    check(app)
    assert "text" not in app.query_params


def test_a_text_of_ones_own_is_kept():
    app = opened(PAGE, text="A dog")
    assert in_link(app, "text") == "A dog"
    assert "2 words, 5 characters" in said(app)


def test_the_training_text_is_bounded_and_says_so():
    app = opened(PAGE)
    app.text_area[0].set_value("word " * 1000).run()
    check(app)
    assert any(f"{MAX_CORPUS:,}" in warning.value for warning in app.warning)
    app.text_area[0].set_value("   ").run()
    check(app)
    assert any("the example is used" in info.value for info in app.info)


def test_awkward_training_texts_do_not_break_it():
    for corpus in ("a", "<script>alert(1)</script>", "🙂👩‍👩‍👧‍👦 é\x00\u202e", "aaaaaaaaaaaa"):
        app = opened(PAGE, corpus=corpus, merges="200", merge="200", code="learnt")
        check(app)
        assert not app.error


def test_the_experiment_learns_from_the_text_that_it_brings():
    (experiment,) = (one for one in TOKENIZATION if one.id == "tokenization.learn")
    app = opened(PAGE, text="the cat and the hat")
    next(b for b in app.button if b.label == experiment.title).click().run()
    check(app)
    app.run()  # what lies further down is drawn when it is near
    check(app)
    assert app.text_area[0].value == experiment.after["corpus"] == in_link(app, "corpus")
    assert in_link(app, "text") == "the cat and the hat"
    assert in_link(app, "code") == "learnt"


def figures(app) -> list[dict]:
    return [unpack(element.proto.bytes).header for element in app.get("bidi_component")]


def chosen_methods(app) -> list[str]:
    """What the controls for the method stand at: one for a word, one for the vocabulary."""
    return [one.value for one in app.button_group if one.label == "Method"]


def test_a_model_is_stepped_through_by_its_own_method():
    app = opened(PAGE, model="bert")
    check(app)
    assert chosen_methods(app) == ["wordpiece", "wordpiece"]
    (ladder,) = [one for one in figures(app) if "ladders" in one]
    word = ladder["ladders"][ladder["of"][0]]
    assert word["rows"][1]["looks"] == ["miss"]  # the whole word is tried first
    assert word["rows"][1]["said"] == "no entry"
    assert not any("is shown here" in block.value for block in app.markdown)
    assert any("counts of both parts" in str(one.get("frames", "")) for one in figures(app))


def test_a_model_without_merges_is_told_of_and_another_shown():
    """WordPiece cuts by another rule; the page says so, and whose merges it shows."""
    app = opened(PAGE, model="bert", cutting="bpe")
    check(app)
    (told,) = [block.value for block in app.markdown if "has no merges" in block.value]
    assert told.startswith("BERT has no merges")
    assert told.endswith("so GPT is shown here.")
    assert chosen_methods(app) == ["bpe", "bpe"]
    (ladder,) = [one for one in figures(app) if "ladders" in one]
    assert "looks" not in str(ladder["ladders"])


def test_one_choice_of_a_method_is_that_of_both_sections():
    app = opened(PAGE, text="the lower wall", word="1", pieces="150")
    assert chosen_methods(app) == ["bpe", "bpe"]
    next(one for one in app.button_group if one.label == "Method").set_value("unigram").run()
    check(app)
    app.run()  # what lies further down is drawn when it is near
    assert chosen_methods(app) == ["unigram", "unigram"]
    assert in_link(app, "cutting") == "unigram"
    (lattice,) = [one for one in figures(app) if "lattices" in one]
    assert [arc["label"] for arc in lattice["lattices"][1]["arcs"] if arc["path"]] == ["·low", "er"]
    steps = [one for one in figures(app) if one.get("field") == "round"]
    assert len(steps) == 1
    assert "Expectation maximisation" in str(steps[0]["texts"])
    for name in ("cutting", "pieces"):  # what was learned goes with the link
        assert name in app.query_params


def test_all_figures_open_on_the_word_that_unigram_opens_on():
    """A click chooses another, also the first."""
    asked = {"text": "z z owes", "cutting": "unigram", "code": "learnt", "pieces": "150"}
    for more, word in (({}, {2}), ({"word": "0"}, {2})):
        app = opened(PAGE, **asked, **more)
        said = [one["selection"] for one in figures(app) if "selection" in one]
        assert {one["word"] for one in said if "word" in one} == word
        assert in_browser(app)["chosen"].get("word") == (0 if more else None)


def test_a_model_is_found_by_the_kind_of_its_tokenizer(of_kinds):
    """No id is asked for: whoever comes with such entries is stepped through by them."""
    app = of_kinds(model="transformer", text="the dog saw")
    check(app)
    assert chosen_methods(app) == ["unigram", "unigram"]
    (lattice,) = [one for one in figures(app) if "lattices" in one]
    assert lattice["lattices"]
    (whose,) = [one for one in app.button_group if one.label == "Vocabulary of"]
    assert whose.value == "model"
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
    assert [one for one in figures(app) if "lattices" in one]


def script(values: dict[str, str]) -> None:
    """The page alone, without what surrounds it."""
    import runpy

    from pages.parts import address, state

    address.begin("tokenization")
    state.update(values)
    runpy.run_path("pages/text/tokenization.py")


@pytest.fixture
def of_three(gpt, bert, monkeypatch):
    """Opens the page on a machine that translates, with one code for two languages."""
    models = {"gpt": gpt, "bert": bert, "transformer": joint_machine()}
    return opener(models, monkeypatch)


@pytest.fixture
def of_kinds(gpt, bert, filler, monkeypatch):
    """Opens the page on a shelf where the one that translates cuts by probabilities."""
    return opener({"bert": bert, "gpt": gpt, "transformer": filler}, monkeypatch)


def opener(models, monkeypatch):
    """Opens the page on some models in place of the shelf."""
    store = Runs(load=lambda name, device: models[name])
    for module in (cutting, figure, messages, methods, page, runs):
        monkeypatch.setattr(module, "shared_runs", lambda: store)
    monkeypatch.setattr(zoo, "shelf", lambda: tuple(sorted(models)))

    def open_with(**values: str) -> AppTest:
        given = {"model": "transformer", "text": FRENCH, **values}
        app = AppTest.from_function(script, default_timeout=60, args=(given,))
        return app.run()

    return open_with


@pytest.mark.parametrize("target", ["", "Where is the summer?"])
def test_a_machine_that_translates_cuts_by_its_joint_code(of_three, target):
    app = of_three(target=target)
    check(app)
    assert not app.error
    payloads = [unpack(element.proto.bytes).header for element in app.get("bidi_component")]
    headings = [str(one["heading"]) for one in payloads if "readings" in one]
    assert ["Transformer" in heading for heading in headings] == [True, False]
    assert "BERT" in headings[1]
    (ladder,) = [one for one in payloads if "ladders" in one]
    assert ladder["ladders"]
    said = [block.value for block in app.markdown]
    assert any(words.startswith("Transformer does not predict the next token") for words in said)
    assert not any("has no merges" in words for words in said)


def test_gpt_says_how_likely_the_next_token_is_itself(of_three):
    app = of_three(model="gpt")
    check(app)
    assert not any("does not predict the next token" in block.value for block in app.markdown)

"""The page on fine-tuning: what stands on it, and what a box full of nonsense does."""

from __future__ import annotations

from core.experiments import FINE_TUNE
from pages.parts import runs as shelf
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import values

PAGE = "predictions/fine_tune.py"


def said(app) -> str:
    return " ".join(one.value for one in (*app.markdown, *app.get("html")) if hasattr(one, "value"))


def test_lines_and_a_text_that_cannot_be_read_are_kept_and_the_label_still_stands():
    app = opened(PAGE, lines="happy: one\nnothing", text="👍")
    check(app)
    (bar,) = headers(app, "runbar")
    (unread,) = ("".join(part for part, _role in one["said"]) for one in bar["remarks"])
    assert unread == (
        "Nothing was read: BERT sentiment has no entry for “👍”. It answers all the same."
    )
    (error,) = app.error
    assert "Line 2 is not a label" in error.value
    assert app.text_area[0].value == "happy: one\nnothing"
    assert "BERT sentiment chooses" in said(app)
    assert not [one for one in app.slider if one.label == "Layers that are kept"]


def test_our_sentences_can_be_put_into_the_box_and_taken_out():
    app = opened(PAGE)
    assert app.text_area[0].value == ""
    (shared,) = headers(app, "question")
    assert "which share its pretraining" in str(shared)
    offered = {button.label for button in app.button}
    assert {experiment.title for experiment in FINE_TUNE} <= offered
    next(one for one in app.button if one.label == "Edit our sentences").click().run()
    check(app)
    assert app.text_area[0].value.startswith("happy: ")
    next(one for one in app.button if one.label == "Use our sentences").click().run()
    assert app.text_area[0].value == ""


def test_a_pair_is_asked_for_only_where_a_model_can_judge_it():
    app = opened(PAGE)
    able = [name for name in shelf.zoo.shelf() if "classify_pair" in shelf.zoo.abilities(name)]
    assert bool(able) == ("Premise" in [one.label for one in app.text_input])


def test_an_experiment_takes_back_what_another_one_of_the_page_had_changed():
    def tried(ident: str) -> dict[str, str]:
        app.button(key=f"try-{ident}").click().run()
        check(app)
        return values(app)

    app = opened(PAGE, text="My own words.")
    assert tried("fine-tune.negation")["text"] == "It is not a bad film."
    assert tried("fine-tune.first")["text"] == "My own words."
    after = tried("fine-tune.cut")
    assert (after["cut_layers"], after["pooled"]) == ("1", "mean")
    after = tried("fine-tune.negation")
    assert after["text"] == "It is not a bad film."
    assert not {"cut_layers", "pooled"} & after.keys()


def test_what_was_changed_after_an_experiment_is_not_taken_back():
    app = opened(PAGE, text="My own words.")
    app.button(key="try-fine-tune.negation").click().run()
    app.session_state["glassformer"].values["text"] = "Other words."
    app.button(key="try-fine-tune.cut").click().run()
    assert values(app)["text"] == "Other words."

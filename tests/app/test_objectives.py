"""The page on ways of learning: what is there, what a link brings, whose losses it shows."""

from __future__ import annotations

from core import zoo
from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import link, values

FILE = "predictions/objectives.py"


def infos(app):
    return [as_shown(one.value) for one in app.info]


def table(app):
    """The labels of the table's lines, and the texts of its cells."""
    sheet = headers(app, "matrix")[0]["sheets"][0]
    return sheet["rows"]["labels"], sheet["texts"]


def test_it_opens_on_two_sentences_with_the_losses_of_the_shelf():
    app = opened(FILE)
    check(app)
    assert not app.error
    assert values(app)["text"] == "The dog was hungry. He ate all of his food."
    few = (
        "Next token: reads",
        "loss in nats, GPT",
        "dice",
        "loss in nats, BERT",
        "Spans: reads",
        "loss in nats, T5",
    )
    rest = ("Word before: reads", "loss in nats, ELMo", "Noise: reads", "loss in nats, BART")
    labels, texts = table(app)
    assert set(few) <= set(labels)
    assert not set(rest) & set(labels)
    words = dict(zip(labels, texts, strict=True))
    read, wanted = words["Masked words: reads"], texts[labels.index("loss in nats, BERT") - 1]
    assert next(one for one, at in zip(read, wanted, strict=True) if at) == "[MASK]"
    assert len([one for one in wanted if one]) == 2
    app.segmented_control(key="control-ways").set_value("all").run()
    check(app)
    labels, texts = table(app)
    assert {*few, *rest} <= set(labels)
    assert texts[labels.index("Next token: reads")][1:4] == ["⟨start⟩", "The", "dog"]
    (bars,) = headers(app, "bars")
    assert len(bars["frames"]) == len(texts[0])
    assert not any("No model on the shelf learned this way" in one for one in infos(app))


def test_a_way_that_no_model_learned_by_is_named(monkeypatch):
    without = tuple(name for name in zoo.shelf() if name not in ("t5", "bart"))
    monkeypatch.setattr(zoo, "shelf", lambda *_root: without)
    app = opened(FILE)
    check(app)
    assert any("No model on the shelf learned this way: Spans, Noise." in one for one in infos(app))


def test_a_model_that_comes_to_the_shelf_brings_its_loss(fills, mends):
    app = opened(FILE, ways="all")
    check(app)
    labels, _texts = table(app)
    assert {"loss in nats, T5", "loss in nats, BART"} <= set(labels)
    assert not any("learned this way" in one for one in infos(app))


def test_the_dice_and_what_is_looked_at_stand_in_the_link():
    app = opened(FILE, dice_seed="7", lane="3", ways="all", noise="delete", guesser="no-such-model")
    check(app)
    assert not app.error
    before = table(app)[1]
    app.button(key="dice-again").click().run()
    check(app)
    assert (link(app)["dice_seed"], link(app)["lane"]) == ("8", "3")
    assert table(app)[1] != before
    app.segmented_control(key="control-noise").set_value("rotate").run()
    assert link(app)["noise"] == "rotate"
    app.segmented_control(key="control-lane").set_value(4).run()
    check(app)
    assert link(app)["lane"] == "4"
    assert any("Sentence pair" in one["heading"][0][0] for one in headers(app, "token_strip"))

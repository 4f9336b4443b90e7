"""The page on ways of learning: what is there, what a link brings, whose losses it shows."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core import zoo
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, opened
from tests.app.test_state import values

FILE = "predictions/objectives.py"


def infos(app: AppTest) -> list[str]:
    """What the page says that is to be known of the run."""
    return [words(said) for one in figures(app) for kind, said in one.said["notes"]
            if kind == "info" and kind in one.spec["notes"]]  # fmt: skip


def controls(app: AppTest) -> dict[str, dict]:
    """What can be changed, by its name."""
    return {c["name"]: c for one in figures(app) for c in one.controls}


def drawn(app: AppTest, view: str) -> dict:
    """What a figure is drawn from."""
    answer = figure(app, view).answer
    assert answer is not None
    return answer.header


def table(app: AppTest) -> tuple[list[str], list[list[str]]]:
    """The labels of the table's lines, and the texts of its cells."""
    sheet = drawn(app, "objectives.table")["sheets"][0]
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
    assert [*controls(app)] == ["ways", "dice_seed", "lane"]
    app = opened(FILE, ways="all")
    check(app)
    assert [*controls(app)] == ["ways", "dice_seed", "noise", "lane"]
    labels, texts = table(app)
    assert {*few, *rest} <= set(labels)
    assert texts[labels.index("Next token: reads")][1:4] == ["⟨start⟩", "The", "dog"]
    assert len(drawn(app, "objectives.word")["frames"]) == len(texts[0])
    assert not any("No model on the shelf learned this way" in one for one in infos(app))


def test_a_way_that_no_model_learned_by_is_named(monkeypatch):
    without = tuple(name for name in zoo.shelf() if name not in ("t5", "bart"))
    monkeypatch.setattr(zoo, "shelf", lambda *_root: without)
    app = opened(FILE, dice_seed="25")  # nobody has asked for that yet
    check(app)
    assert any("No model on the shelf learned this way: Spans, Noise." in one for one in infos(app))


def test_the_dice_and_what_is_looked_at_stand_in_the_link():
    asked = {"lane": "3", "ways": "all", "guesser": "no-such-model"}
    app = opened(FILE, dice_seed="7", noise="delete", **asked)
    check(app)
    assert not app.error
    before = table(app)[1]
    dice = controls(app)["dice_seed"]
    assert (dice["value"], controls(app)["noise"]["value"]) == ("7", "delete")
    (again,) = {one["again"] for found in figures(app) for one in found.spec["controls"]
                if one["name"] == "dice_seed"}  # fmt: skip
    assert again == "Roll the dice again"
    lane = controls(app)["lane"]
    assert (lane["value"], lane["options"][4]) == ("3", ["4", "Sentence pair"])
    assert table(opened(FILE, dice_seed="8", noise="delete", **asked))[1] != before
    app = opened(FILE, dice_seed="8", noise="rotate", **{**asked, "lane": "4"})
    check(app)
    assert "Sentence pair" in drawn(app, "objectives.pieces")["heading"][0][0]

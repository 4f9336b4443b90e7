"""The page of machines and uses: a cell is guessed, settled, and stands in the link."""

from __future__ import annotations

from core.experiments import BY_ID
from core.views.which import FINISHED
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import values

FILE = "machines/which.py"


def table(app):
    """The sheet of the table."""
    answer = figure(app, "which.table").answer
    assert answer is not None
    return answer.header["sheets"][0]


def buttons(app):
    """What can be pressed below the question, by what stands on it."""
    (control,) = [one for shown in figures(app) for one in shown.controls]
    assert control["kind"] == "buttons"
    return control["label"], {one["label"]: one for one in control["buttons"]}


def asked(app):
    """What is said of the cell that is looked at."""
    said = next(one.said for one in figures(app) if one.spec["notes"] == ["question"])
    return [words(text) for kind, text in said["notes"] if kind == "question"]


def test_it_opens_on_a_finished_row_of_the_machines_of_the_shelf():
    app = opened(FILE)
    check(app)
    assert not app.error
    assert values(app)["text"] == "The dog was hungry, so he ate all of his food."
    assert table(app)["cols"]["labels"][:3] == ["GPT", "BERT", "ELMo"]
    first, *others = table(app)["texts"]
    assert first[0] == "no 0 %"
    assert first[1].startswith("yes ")
    assert first[2].startswith("yes ")
    assert {one for row in others for one in row} == {"?"}
    assert figure(app, "which.probe").said["source"]


def test_a_guess_is_noted_and_then_settled():
    query = {"probe": "1", "probed": "2"}
    app = opened(FILE, **query)
    check(app)
    assert table(app)["texts"][1][2] == "?"
    label, offered = buttons(app)
    assert label == "Your guess for ELMo:"
    assert [*offered] == ["It can", "It cannot", "Settle it"]
    assert not offered["Settle it"]["able"]
    query |= offered["It can"]["sets"]
    app = opened(FILE, **query)
    check(app)
    assert table(app)["texts"][1][2] == "yes?"
    _label, offered = buttons(app)
    assert offered["It can"]["chosen"]
    assert offered["Settle it"]["able"]
    query |= offered["Settle it"]["sets"]
    assert query["guesses"].endswith("04S 12Y")
    app = opened(FILE, **query)
    check(app)
    assert table(app)["texts"][1][2] == "✗ no 0 %"  # ELMo's halves never meet
    assert any("Your guess for ELMo was wrong." in one for one in asked(app))
    _label, offered = buttons(app)
    assert offered["Guess the next cell"]["sets"] == {"probe": "1", "probed": "3"}


def test_a_card_settles_cells_beside_what_was_guessed():
    tried = BY_ID["which.together"]
    after = {name: str(value) for name, value in tried.after.items() if value is not None}
    after["guesses"] = tried.beside("guesses", "12y 30n 41Y", after["guesses"])
    assert after["guesses"] == "11S 12Y 30n 41Y"
    app = opened(FILE, **after, experiment=tried.id)
    check(app)
    assert table(app)["texts"][3][0] == "no?"
    assert figure(app, "which.probe").said["outcome"]
    (cards,) = (one["cards"] for one in headers(app, "experiments"))
    assert [one["joins"] for one in cards] == [{"guesses": FINISHED}] * len(cards)

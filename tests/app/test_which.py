"""The page of machines and uses: a cell is guessed, settled, and stands in the link."""

from __future__ import annotations

from tests.app.test_pages import check, headers, opened
from tests.app.test_state import link, values

FILE = "machines/which.py"


def texts(app):
    """The cells of the table."""
    return headers(app, "matrix")[0]["sheets"][0]["texts"]


def test_it_opens_on_a_finished_row_of_the_machines_of_the_shelf():
    app = opened(FILE)
    check(app)
    assert not app.error
    assert values(app)["text"] == "The dog was hungry, so he ate all of his food."
    columns = headers(app, "matrix")[0]["sheets"][0]["cols"]["labels"]
    assert columns[:3] == ["GPT", "BERT", "ELMo"]
    first, *others = texts(app)
    assert first[0] == "no 0 %"
    assert first[1].startswith("yes ")
    assert first[2].startswith("yes ")
    assert {one for row in others for one in row} == {"?"}


def test_a_machine_that_comes_to_the_shelf_has_a_column(fills, mends):
    app = opened(FILE)
    check(app)
    columns = headers(app, "matrix")[0]["sheets"][0]["cols"]["labels"]
    assert columns[:3] == ["GPT", "BERT", "ELMo"]
    assert columns[3:] == ["T5"]  # of two that mend a text one is enough


def test_a_guess_is_noted_and_then_settled():
    app = opened(FILE, probe="1", probed="2")
    check(app)
    assert texts(app)[1][2] == "?"
    app.button(key="guess-can").click().run()
    check(app)
    assert texts(app)[1][2] == "yes?"
    app.button(key="settle-it").click().run()
    check(app)
    assert texts(app)[1][2] == "✗ no 0 %"  # ELMo's halves never meet
    assert link(app)["guesses"].endswith("04S 12Y")
    assert any("Your guess for ELMo was wrong." in one.value for one in app.markdown)
    app.button(key="guess-next").click().run()
    check(app)
    assert (link(app)["probe"], link(app)["probed"]) == ("1", "3")


def test_a_card_settles_cells_beside_what_was_guessed():
    app = opened(FILE, guesses="12y 30n 41Y")
    check(app)
    app.button(key="try-which.together").click().run()
    check(app)
    assert link(app)["guesses"] == "11S 12Y 30n 41Y"
    assert texts(app)[3][0] == "no?"
    outcomes = [
        one.proto.body for one in app.get("html") if "<div class='glass-outcome'" in one.proto.body
    ]
    assert len(outcomes) == 1


def test_several_guesses_are_settled_at_once():
    app = opened(FILE, guesses="30n 31y", probe="3", probed="0")
    check(app)
    assert texts(app)[3][:2] == ["no?", "yes?"]
    app.button(key="settle-all").click().run()
    check(app)
    left, both = texts(app)[3][:2]
    assert left.startswith("✓ no ")
    assert both.startswith("✓ yes ")


def test_a_link_that_is_wrong_opens():
    for query in ({"guesses": "xx"}, {"probe": "99", "probed": "-3"}, {"guesser": "no-such"},
                  {"text": "a"}, {"text": "?"}, {"guesses": "99S 00S"}):  # fmt: skip
        app = opened(FILE, **query)
        check(app)

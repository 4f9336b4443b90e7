"""The table of uses: what is open is not run, what is settled has its number and its verdict."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core import views
from core.runs.kinds.probes import ProbeResult
from core.views.params import parse, to_query
from core.views.which import (
    COLUMNS,
    FINISHED,
    KINDS,
    Deciding,
    Decision,
    guess,
    round_ticks,
    settle,
    written,
)
from tests.views.records import drawn, record_of, shown
from tests.views.records import written as texts_of

TEXT = "The cat sat on the mat and the dog saw it"
WITH = {"text": TEXT, "model": "gpt", "guesser": "bert", "reader": "elmo", "filler": "filler"}
ROWS = {kind.probe: n for n, kind in enumerate(KINDS)}
GPT, BERT, ELMO, T5 = range(4)
ALL = " ".join(f"{row}{column}S" for row in range(len(KINDS)) for column in range(4))


def params(**more):
    return Deciding(**{**WITH, "guesses": "", **more})


def decision(numbers, **more):
    """A record of numbers that are made up."""
    found = {at: ProbeResult(number) if isinstance(number, float) else number
             for at, number in numbers.items()}  # fmt: skip
    cells = " ".join(f"{row}{column}S" for row, column in sorted(numbers))
    return Decision(params(**{"guesses": cells, **more}), found)


def test_what_is_open_is_not_run():
    view = views.get("which.table")
    assert view.requests(params()) == ()
    asked = view.requests(params(guesses="00S 30y 31N 42n"))
    assert [(one.model, one.probe) for one in asked] == [("gpt", "later"), ("bert", "gap")]


def test_of_a_cell_that_is_open_nothing_reaches_the_browser(runs):
    view, record = shown(runs, "which.table", **WITH, guesses="00S 10y")
    payload = view.show(record).payload()
    assert payload.header["sheets"][0]["texts"][1][:2] == ["yes?", "?"]
    assert math.isnan(view.values(record)["number"].array[1, 0])
    bars = views.get("which.probe")
    plot = bars.show(record_of(bars, runs, **WITH, guesses="00S 01S", probe="0"))
    assert [len(one.x) for one in plot.series] == [2]
    assert plot.x.categories == ["GPT", "BERT", "ELMo ?", "FILLER ?"]


def test_it_opens_on_a_row_that_is_finished(runs):
    view, record = shown(runs, "which.table", **WITH)
    assert record.params.guesses == FINISHED
    assert list(record.probed) == [(0, n) for n in range(4)]
    texts = view.show(record).payload().header["sheets"][0]["texts"]
    assert texts[0][0] == "no 0 %"
    assert all(one == "?" for row in texts[1:] for one in row)


def test_a_cell_is_guessed_and_then_settled():
    own = params()
    own = replace(own, guesses=guess(own, 3, 1, can=True))
    own = replace(own, guesses=guess(own, 3, 0, can=True))
    own = replace(own, guesses=guess(own, 3, 0, can=False))
    assert own.guesses == "30n 31y"
    assert own.guessed == [(3, 0), (3, 1)]
    assert own.settled == []
    own = replace(own, guesses=settle(own, [(3, 0), (5, 2)]))
    assert own.guesses == "30N 31y 52S"
    assert own.settled == [(3, 0), (5, 2)]
    said, problems = parse(Deciding, to_query(own))
    assert (said, problems) == (own, [])


def test_a_threshold_is_what_decides():
    gap, writes = ROWS["gap"], ROWS["writes"]
    record = decision({(gap, 0): 0.099, (gap, 1): 0.1, (writes, 0): 6.0, (writes, 1): 5.0,
                       (gap, 2): math.nan,
                       (writes, 2): ProbeResult(math.nan, lacks="write")})  # fmt: skip
    assert [record.can((gap, n)) for n in range(4)] == [False, True, None, None]
    assert [record.can((writes, n)) for n in range(4)] == [True, False, False, None]


def test_a_guess_is_right_or_wrong():
    record = decision({(3, 0): 0.02, (3, 1): 0.3, (3, 2): 0.02}, guesses="30Y 31Y 32N 33n")
    assert [record.right((3, n)) for n in range(4)] == [False, True, True, None]
    view = views.get("which.table")
    said = str(view.describe(record))
    assert "3 of 32 cells are settled. Right guesses: 2 of 3." in said
    texts = view.show(record).payload().header["sheets"][0]["texts"][3]
    assert texts == ["✗ no 2.0 %", "✓ yes 30 %", "✓ no 2.0 %", "no?"]


def test_a_number_stands_above_its_bar_and_never_on_the_threshold():
    record = decision({(1, 0): 0.0, (1, 1): 0.156, (1, 2): 0.01}, probe=1)
    plot = views.get("which.probe").show(record)
    assert list(plot.y.labels) == ["0 %", "5.0 %", "10 %", "15 %"]
    for one, bar in zip(plot.words, (0.0, 0.156, 0.01), strict=True):
        assert one.y > bar
        assert abs(one.y - KINDS[1].least) > 0.05 * 0.156
    assert round_ticks(1.0) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])


def test_a_row_that_is_settled_says_whom_to_take():
    view = views.get("which.table")
    some = {(3, n): number for n, number in enumerate((0.05, 0.2, 0.3))}
    assert "take" not in str(view.describe(decision(some)))
    assert "For “Fill a gap” take: ELMo, BERT." in str(
        view.describe(decision({**some, (3, 3): 0.01}))
    )
    none = decision({(3, n): 0.01 for n in range(4)})
    assert "For “Fill a gap” no machine here will do." in str(view.describe(none))


def test_a_verdict_has_its_number():
    view = views.get("which.probe")
    record = decision(
        {(3, 0): 0.05, (3, 1): 0.2, (3, 2): ProbeResult(math.nan, lacks="fill in spans")}, probe=3
    )
    assert str(view.describe(record)) == (
        "“Fill a gap” needs 10 % or more. GPT reaches 5.0 %: it cannot. BERT reaches 20 %: it can. "
        "ELMo cannot fill in spans. Not settled yet: FILLER."
    )
    short = decision({(3, 0): math.nan}, probe=3)
    assert "This text is too short to ask GPT." in str(view.describe(short))


def test_the_line_stands_at_the_threshold(runs):
    view, record = shown(runs, "which.probe", **WITH, guesses=ALL, probe=str(ROWS["gap"]))
    plot = view.show(record)
    assert plot.rules[0].y == KINDS[ROWS["gap"]].least
    numbers = view.values(record)["number"].array
    np.testing.assert_allclose(plot.series[0].y, numbers)
    assert "dashed line: the threshold, 10 %" in texts_of(view, record)
    assert drawn(view, record, "line")


@pytest.mark.parametrize("row", range(len(KINDS)))
def test_every_probe_is_told_of(runs, row):
    view, record = shown(runs, "which.probe", **WITH, guesses=ALL, probe=str(row))
    question = [str(one.text) for one in view.notes(record) if one.kind == "question"]
    assert question == [f"{KINDS[row].asks} {KINDS[row].does}"]
    notes = [str(one.text) for one in view.notes(record) if one.kind == "more"]
    assert notes[0].startswith(f"The threshold is {written(KINDS[row], KINDS[row].least)}: ")
    assert not any("{" in one for one in notes)
    if KINDS[row].probe == "writes":
        assert len(notes) == 5
        assert all("writes: “" in one for one in notes[1:])


def test_a_machine_that_comes_to_the_shelf_brings_its_column(runs):
    _view, record = shown(runs, "which.table", **{**WITH, "filler": "", "mender": "mender"})
    assert list(record.machines) == [0, 1, 2, 4]
    assert (0, 4) in record.probed
    _view, record = shown(runs, "which.table", **WITH, probed="4")
    assert record.column == 3  # the nearest that has a machine


def test_what_is_guessed_of_a_column_that_is_gone_is_kept():
    own = params(filler="", guesses="03S 33y 90S")
    assert own.settled == own.guessed == []
    assert guess(own, 0, 0, can=True) == "00y 03S 33y 90S"


def test_a_long_text_is_cut_for_all_alike():
    long = params(text="one two three " * 20)
    assert long.read.split() == ["one", "two", "three"] * 8
    view = views.get("which.table")
    (note,) = view.notes(Decision(long, {}))
    assert "is left out" in str(note.text)
    assert not view.notes(Decision(params(), {}))


def test_the_next_cell_is_the_first_open_one_behind():
    record = decision({(0, 0): 0.0, (0, 1): 0.5}, probe=0, probed=0)
    assert record.next_open() == (0, 2)
    assert decision({(0, 0): 0.0}, probe=7, probed=3).next_open() == (7, 3)
    every = {(row, column): 1.0 for row in range(len(KINDS)) for column in range(4)}
    assert decision(every).next_open() is None


def test_columns_are_parameters():
    assert {name for _ability, name in COLUMNS} <= Deciding.__dataclass_fields__.keys()


def test_what_is_guessed_and_what_takes_long_is_worked_out_ahead():
    own = params(guesses="00S 51y", probe=0)
    asked = [(one.probe, one.model, bool(one.text)) for one in views.get("which.table").soon(own)]
    assert asked[0] == ("chain", "bert", True)
    assert [one for one in asked if one[0] == "later"] == [
        ("later", name, True) for name in ("bert", "elmo", "filler")
    ]
    assert sum(one[0] in ("senses", "answers") and not one[2] for one in asked) == 8
    assert len(asked) == len(set(asked)) == 12

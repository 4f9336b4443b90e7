"""What is said to writers of lessons about the views is what they have."""

from __future__ import annotations

from core.lessons.__main__ import main
from core.lessons.listing import described
from core.views import all_views


def test_a_view_has_its_parameters_its_values_and_what_can_be_picked(runs):
    (said,) = described(["attention.weights"], runs.get)
    assert "    layer = 5  between 0 and 255" in said
    assert "  weights [query 12, key 12]: " in said
    assert "kind cells can be picked in it: 12 rows, 12 columns" in said


def test_tokens_can_be_picked_in_a_strip(runs):
    (said,) = described(["predict.surprisal"], runs.get)
    assert "kind tokens can be picked in it" in said


def test_the_command_lists_those_that_begin_so(capsys):
    assert main(["views", "positions.bin", "text.tok"]) == 0
    names = [line for line in capsys.readouterr().out.splitlines() if line and line[0] != " "]
    assert names == ["positions.binary", "text.tokens"]
    assert set(names) < set(all_views())

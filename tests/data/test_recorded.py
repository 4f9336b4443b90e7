"""Recorded curves: written, read back as they were, and refused where they do not fit together."""

from __future__ import annotations

import pytest

from core.data.recorded import Recorded, curves, write

GIVEN = {
    "name": "a", "command": "python -m core.training curves a --corpora DIR", "commit": "abc",
    "seed": 0, "parameters": 10, "config": {"budget": {"steps": 25}}, "steps": (0, 25),
    "train": (6.0, 3.0), "held": (6.2, 4.0), "right": (0.0, 0.1), "more": {"wider": (6.2, 5.0)},
}  # fmt: skip


def test_a_curve_is_read_back_as_it_was_written(tmp_path):
    assert curves(tmp_path / "nothing") == {}
    curve = Recorded(**GIVEN)
    assert write(curve, tmp_path / "some").name == "a.json"
    assert curves(tmp_path / "some") == {"a": curve}


@pytest.mark.parametrize("line", ["train", "held", "right"])
def test_every_line_has_a_number_for_every_step(line):
    with pytest.raises(ValueError, match="2 steps and 1 numbers"):
        Recorded(**{**GIVEN, line: (1.0,)})

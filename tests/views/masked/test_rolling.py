"""A training example: what was drawn, what it threw, and what became of it."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from core.text.hiding import Fate
from core.views.masked.rolling import FATES, two_decimals
from tests.views.records import rows, shown, written

TEXT = "The cat told the dog a story."


def of(runs, name="masked.example", **values):
    """A view and its record."""
    return shown(runs, name, **{"text": TEXT, "model": "bert", **values})


def test_every_fate_has_its_words():
    assert list(FATES) == list(get_args(Fate))


def test_a_training_example_shows_what_the_model_reads(runs):
    view, record = of(runs, dice_seed="2")
    payload, texts = view.show(record).payload().header, written(view, record)
    chosen = [at for at in range(len(record.run.tokens)) if record.run.order[at] >= 0]
    assert payload["marked"] == chosen
    assert "the random number drawn for it" in "".join(text for text, _role in payload["heading"])
    for at in chosen:
        assert payload["notes"][at].endswith(record.run.tokens[at].piece)
        assert payload["notes"][at] in texts
        assert np.isfinite(record.run.probs[at])
    assert len(payload["readings"]) == len(record.run.tokens)


def test_the_token_that_is_looked_at_is_read_in_the_file_too(runs):
    view, record = of(runs, dice_seed="2")
    chosen = next(at for at in range(len(record.run.tokens)) if record.run.order[at] >= 0)
    assert str(view.describe(record)) in " ".join(written(view, record))
    view, record = of(runs, dice_seed="2", example_token=str(chosen))
    strip = view.show(record)
    assert strip.payload().header["selection"] == {"example_token": chosen}
    assert "The model must predict" in str(strip.readings[chosen])
    assert str(strip.readings[chosen]) in " ".join(written(view, record))
    assert view.values(record)["probability"].value == record.run.probs[chosen]


def test_every_number_is_in_the_table(runs):
    view, record = of(runs, dice_seed="2")
    table, run = rows(view, record), record.run
    assert table[0] == ["position", "token", "chosen as", "dice", "fate", "the model reads",
                        "probability of the original", "most likely there"]  # fmt: skip
    for at, line in enumerate(table[1:]):
        drawn = run.order[at] >= 0
        assert line[2] == (str(float(run.order[at])) if drawn else "")
        assert line[3] == (str(run.dice[at]) if drawn else "")
        assert line[4] == FATES[run.fates[at]]
        assert line[6] == (str(run.probs[at]) if drawn else "")
        assert bool(line[7]) == drawn


@pytest.mark.parametrize(("thrown", "said"), [(0.7999, "0.79"), (0.8, "0.80")])
def test_numbers_of_the_dice_are_not_rounded_across_a_border(thrown, said):
    assert two_decimals(thrown) == said

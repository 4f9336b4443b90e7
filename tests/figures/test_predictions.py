"""The next token: each step shows what came after the newest token, to the last one."""

from __future__ import annotations

import pytest

from core.figures.predictions import Choosing
from core.figures.view import get
from core.runs import Runs

TEXT = "The cat sat on the"


@pytest.fixture(scope="module")
def runs(gpt) -> Runs:
    return Runs(load=lambda name, device: gpt)


@pytest.mark.parametrize("made", [0, 1, 4, 5, 6, 200])
def test_every_step_has_its_distribution(runs, made):
    view = get("predict.next")
    params = Choosing(text=TEXT, new=5, made=made)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    newest = record.n_prompt - 1 + min(made, 4)  # after the fifth new token nothing was worked out
    assert record.shown == newest
    assert len(record.tokens) == record.n_prompt + 5
    assert record.frames[record.shown].raw[0] > 0
    assert str(view.describe(record))


def test_a_token_that_is_looked_at_is_one_that_is_shown(runs):
    view = get("predict.next")
    params = Choosing(text=TEXT, new=5, made=2, token=99)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    assert record.shown == record.n_prompt + 1

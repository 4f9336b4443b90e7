"""Runs of the tiny models, shared by the tests of all views."""

from __future__ import annotations

import pytest

from core.runs.store import Runs


@pytest.fixture(scope="session")
def runs(
    gpt, bert, transformer, t5, bart, filler, mender, rnn, elmo, sorter, teller, digits
) -> Runs:
    """All views' runs."""
    models = {
        "gpt": gpt,
        "bert": bert,
        "transformer": transformer,
        "t5": t5,
        "bart": bart,
        "filler": filler,
        "mender": mender,
        "rnn": rnn,
        "elmo": elmo,
        "sorter": sorter,
        "teller": teller,
        **digits,
    }
    return Runs(load=lambda name, device: (models | digits)[name])

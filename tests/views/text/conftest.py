"""A machine that translates, with one code for both of its languages."""

from __future__ import annotations

import pytest

from core.runs.store import Runs
from core.text.trained import train_joint_bpe
from core.zoo import LoadedModel
from tests.conftest import loaded, tiny_transformer

FRENCH = "Où est l'été ?"
SIDES = [
    "Le chat noir dort sur la table. The black cat sleeps on the table.",
    "Où est le chat ? Il dort. Where is the cat? It sleeps.",
] * 3


def joint_machine() -> LoadedModel:
    """Whose marks are those of the joint code: <pad>, <s>, </s>."""
    tokenizer = train_joint_bpe(SIDES, 300)
    sizes = {"vocab_size": tokenizer.vocab_size, "start_id": 1, "end_id": 2}
    return loaded(tiny_transformer(**sizes).double(), tokenizer)


@pytest.fixture(scope="module")
def joint_runs(gpt, bert) -> Runs:
    """Runs of it, beside the other two."""
    models = {"gpt": gpt, "bert": bert, "transformer": joint_machine()}
    return Runs(load=lambda name, device: models[name])

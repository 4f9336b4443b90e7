"""Measurements that take too long for a page: files, each with its command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import ParameterError
from core.language import N_, Phrase

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "measured"
BY_LENGTH = "bleu_by_length"  # of the translators
OF_A_MODEL = "metrics"  # the figures on its card, in its own folder
WARM_UP = "warm_up"  # of a small Transformer, by the length of its warm-up
CALIBRATION = "calibration"  # of two small ones, with and without smoothed targets


@lru_cache(maxsize=64)
def measured(name: str, folder: Path = FOLDER) -> Mapping[str, Any]:
    """What a command wrote.

    Args:
        name: of the file, without its ending.
        folder: where it lies.

    Raises:
        ParameterError: there is none of that name.
    """
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ParameterError(
            "measured", name, Phrase(N_("measured, which {file} is not"), file=f"{name}.json")
        )
    data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def of_a_model(folder: Path) -> Mapping[str, Any]:
    """The figures on a model's card; none where none were measured.

    Args:
        folder: of the model.
    """
    is_measured = (folder / f"{OF_A_MODEL}.json").is_file()
    return measured(OF_A_MODEL, folder) if is_measured else {}

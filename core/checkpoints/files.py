"""Text and JSON files of a model directory; what is wrong with one is an error that says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from core.errors import CheckpointError
from core.language import N_, Phrase

Parsed = TypeVar("Parsed")


def read_file(path: Path, parse: Callable[[str], Parsed], kind: str) -> Parsed:
    """What a file of UTF-8 text says.

    Raises:
        CheckpointError: it is missing, cannot be read or makes no sense.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError as missing:
        raise CheckpointError(path, N_("no such file; this is not a model directory")) from missing
    except OSError as closed:
        raise CheckpointError(
            path, Phrase(N_("not readable ({reason})"), reason=closed.strerror)
        ) from closed
    except (ValueError, RecursionError) as broken:  # bytes, syntax, digits; depth
        raise CheckpointError(
            path, Phrase(N_("not readable {kind} ({reason})"), kind=kind, reason=str(broken))
        ) from broken


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        CheckpointError: it is missing or holds something else.
    """
    data = read_file(path, json.loads, "JSON")
    if not isinstance(data, dict):
        raise CheckpointError(path, N_("must hold a JSON object"))
    return data

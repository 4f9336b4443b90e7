"""What every view gives, by hash: written before its code is moved, compared after each move.

    python -m tests.golden write FILE [--views attention,masks] [--jobs 2]
    python -m tests.golden compare FILE [--views attention,masks]

Each view is asked for with every model of the shelf that it applies to, on three texts: payload,
values, sentence and drawing as one hash each, or the sentence that refuses it. Numbers differ in
their last digits from one kind of processor to another, so a file belongs to the machine that has
written it. What trains for minutes is left out, and said.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from core import show, views, zoo
from core.errors import CoreError
from core.runs.request import Job
from core.shelf.abilities import can
from core.views.params import checked

TEXTS = (
    "",  # the view's own
    "Tom saw a cat. Tom saw a",
    "Zoë’s 12 naïve co-workers ate ½ pizza 🍕, then",
)
PARTS = ("payload", "values", "sentence", "drawing")
Golden = dict[str, dict[str, str]]


def hashed(data: bytes) -> str:
    """A short hash."""
    return hashlib.sha256(data).hexdigest()[:16]


def asked(name: str) -> Iterator[dict[str, Any]]:
    """The parameters that a view is asked for with."""
    view = views.get(name)
    has = {field: hasattr(checked(view.Params, {}), field) for field in ("model", "text")}
    models = [one for one in zoo.shelf() if can(one, view.needs)] if has["model"] else []
    for model in models or [""]:
        for text in TEXTS if has["text"] else TEXTS[:1]:
            given = {"model": model, "text": text}
            yield {field: value for field, value in given.items() if value}


def golden(name: str) -> Golden:
    """By what a view was asked for with, the hash of each part of what it gives."""
    torch.set_num_threads(1)
    found: Golden = {}
    for params in asked(name):
        key = json.dumps([name, params], ensure_ascii=False)
        try:
            if _trains(name, params):
                found[key] = {"left out": "it trains"}
                continue
            figure = show.show(name, **params)
        except CoreError as error:
            found[key] = {"refused": str(error)}
            continue
        given = (
            figure.component.payload().pack(), figure.csv().encode(), str(figure).encode(),
            figure.svg().encode(),
        )  # fmt: skip
        found[key] = dict(zip(PARTS, map(hashed, given), strict=True))
    return found


def _trains(name: str, params: dict[str, Any]) -> bool:
    view = views.get(name)
    wanted = view.requests(checked(view.Params, params))
    return any(isinstance(one, Job) for one in wanted)


def all_golden(beginnings: list[str], jobs: int) -> Golden:
    """That of all views whose names begin so."""
    names = [one for one in show.view_names() if one.startswith(tuple(beginnings))]
    found: Golden = {}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for n, one in enumerate(pool.map(golden, names), 1):
            print(f"{n} of {len(names)}: {names[n - 1]}", file=sys.stderr, flush=True)
            found |= one
    return found


def differences(before: Golden, after: Golden) -> Iterator[str]:
    """A line for each that is another one, came or went."""
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            yield f"{'came' if old is None else 'went'}: {key}"
        elif old != new:
            parts = sorted(one for one in old.keys() | new.keys() if old.get(one) != new.get(one))
            yield f"other {', '.join(parts)}: {key}"


def main() -> int:
    """Write the file, or say what is otherwise than in it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--views", default="", help="beginnings of names, between commas")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    found = all_golden(given.views.split(","), given.jobs)
    if given.what == "write":
        given.file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
        return 0
    before = json.loads(given.file.read_text())
    if given.views:
        begins = tuple(given.views.split(","))
        before = {key: one for key, one in before.items() if json.loads(key)[0].startswith(begins)}
    lines = list(differences(before, found))
    print("\n".join(lines) or f"{len(found)} answers are what they were")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

"""Check every experiment on the shelf's models: ``python -m core.experiments [--shelf DIR]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core import zoo
from core.errors import CoreError
from core.experiments import EVERY
from core.runs.store import Runs


def main(words: list[str] | None = None) -> int:
    """Print each number before and after; 1 if one does not move as far as was promised."""
    parser = argparse.ArgumentParser(prog="python -m core.experiments", description=__doc__)
    parser.add_argument("--shelf", type=Path, default=zoo.SHELF, help="where the models lie")
    parser.add_argument(
        "--instead",
        nargs=2,
        action="append",
        default=[],
        metavar=("ID", "DIR"),
        help="take another model's directory for one of the shelf",
    )
    parser.add_argument("--only", action="append", metavar="ID", help="this experiment alone")
    arguments = parser.parse_args(words)
    places = {path.name: str(path) for path in arguments.shelf.iterdir() if path.is_dir()}
    places |= dict(arguments.instead)
    runs = Runs(load=lambda name, device: zoo.load(places.get(name, name), device))
    broken = 0
    for experiment in EVERY:
        if arguments.only is not None and experiment.id not in arguments.only:
            continue
        try:
            outcome = experiment.outcome(runs.get)
        except CoreError as problem:
            print(f"BROKEN {experiment.id}: {problem}")
            broken += 1
            continue
        broken += not outcome.kept
        numbers = f"{experiment.written(outcome.before)} -> {experiment.written(outcome.after)}"
        kept = "kept  " if outcome.kept else "BROKEN"
        print(f"{kept} {experiment.id}: {experiment.what}: {numbers}")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

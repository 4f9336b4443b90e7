"""Proves that nothing was lost: ``python -m tests.harness [--reference COMMIT] [--only PATTERN]``.

What every view, page, trace and link shows at a frozen commit is extracted there, once, and what
it shows now is extracted here; the two are compared value by value. Exits with 1 when something
differs that has no reason in ``reasons.py``, with 2 when it could not be compared.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NoReturn

from tests.harness.cases import Case, all_cases
from tests.harness.extract import load
from tests.harness.reasons import REFERENCE
from tests.harness.report import Report

ROOT = Path(__file__).resolve().parents[2]
EXTRACT = Path(__file__).with_name("extract.py")


def extraction() -> str:
    """What an extraction in an old tree depends on: all but the adapter of the new API."""
    tree = ast.parse(EXTRACT.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", "") != "V2"]
    versions = [importlib.metadata.version(name) for name in ("torch", "numpy", "plotly")]
    return "\n".join([ast.unparse(tree), sys.version, *versions])


def key_of(case: Case, made_by: str) -> str:
    """The name under which a case is kept."""
    return hashlib.sha256(f"{made_by}\n{json.dumps(case)}".encode()).hexdigest()[:24]


def give_up(why: str) -> NoReturn:
    """Say why nothing can be compared, and end."""
    print(why)
    sys.exit(2)


def git(*words: str, at: Path = ROOT) -> str:
    """What a git command says."""
    done = subprocess.run(["git", *words], cwd=at, capture_output=True, text=True, check=False)
    if done.returncode:
        give_up(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def checked_out(commit: str, cache: Path) -> Path:
    """The tree of a commit, as it was committed."""
    tree = cache / commit
    if not (tree / ".git").exists():
        shutil.rmtree(tree, ignore_errors=True)
        # Forced: git may still know a tree that was removed by hand.
        git("worktree", "add", "--force", "--detach", str(tree), commit)
    if git("rev-parse", "HEAD", at=tree) != commit or git("status", "--porcelain", at=tree):
        give_up(f"{tree} is not what was committed; remove it and start again")
    return tree


def asked_and_said(folder: Path) -> tuple[Path, Path]:
    """The list of cases that is extracted into a folder, and what was said meanwhile."""
    return folder / f"cases-{os.getpid()}.json", folder / f"log-{os.getpid()}.txt"


def start(tree: Path, cases: dict[str, Case], folder: Path) -> subprocess.Popen[bytes] | None:
    """Extract cases in a tree, in a process of its own; None when there is nothing to do."""
    folder.mkdir(parents=True, exist_ok=True)
    if not cases:
        return None
    asked, said = asked_and_said(folder)
    asked.write_text(json.dumps(list(cases.items())), encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    with said.open("wb") as log:
        return subprocess.Popen(  # -P: the folder of the script is not on the path
            [sys.executable, "-P", str(EXTRACT), str(asked), str(folder)],
            cwd=tree, env=environment, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip


def wait(running: subprocess.Popen[bytes] | None, folder: Path) -> None:
    """Wait for an extraction."""
    if running is None:
        return
    asked, said = asked_and_said(folder)
    if running.wait():
        tail = said.read_text(encoding="utf-8", errors="replace")[-3000:]
        give_up(f"{tail}\nthe extraction into {folder} ended early")
    asked.unlink()
    said.unlink()


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.harness", description=__doc__)
    parser.add_argument("--reference", default=REFERENCE, help="the commit to compare with")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN",
                        help="of a view, or of VIEW/CASE; may be given several times")  # fmt: skip
    parser.add_argument("--update", action="store_true", help="extract the reference anew")
    parser.add_argument("--all", action="store_true", help="print every difference of a case")
    kept = ROOT / ".cache" / "harness"
    parser.add_argument("--cache", type=Path, default=kept,
                        help="where the reference is kept; trees may share one")  # fmt: skip
    return parser.parse_args()


def chosen(patterns: list[str]) -> list[Case]:
    """The cases that are asked for."""

    def named(case: Case) -> bool:
        both = (case["view"], f"{case['view']}/{case['case']}")
        return any(fnmatchcase(name, pattern) for name in both for pattern in patterns)

    return [case for case in all_cases() if not patterns or named(case)]


def main() -> int:
    """Extract, compare, report."""
    asked, began = arguments(), time.perf_counter()
    commit = git("rev-parse", "--verify", f"{asked.reference}^{{commit}}")
    cases, made_by = chosen(asked.only), extraction()
    keys = {key_of(case, made_by): case for case in cases}
    cache = asked.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    tree, then = checked_out(commit, cache), cache / f"{commit}.extracted"
    now = cache / f"now-{os.getpid()}"
    if asked.update:
        shutil.rmtree(then, ignore_errors=True)
    missing = {key: case for key, case in keys.items() if not (then / f"{key}.npz").is_file()}
    processes = [(start(tree, missing, then), then), (start(ROOT, keys, now), now)]
    try:
        for process, folder in processes:
            wait(process, folder)
        took = time.perf_counter() - began
        print(f"extracted {len(missing)} cases of {commit[:7]} and {len(keys)} of this tree in "
              f"{took:.0f} s", flush=True)  # fmt: skip
        report = Report(whole=asked.all)
        for key, case in keys.items():
            report.add(case, load(then / f"{key}.npz"), load(now / f"{key}.npz"))
    finally:
        for process, _folder in processes:
            if process is not None:
                process.kill()
        shutil.rmtree(now, ignore_errors=True)
    left = report.end(cases, whole=not asked.only)
    (cache / "report.txt").write_text("\n".join(report.lines), encoding="utf-8", errors="replace")
    print(f"all of them: {cache / 'report.txt'} · {time.perf_counter() - began:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())

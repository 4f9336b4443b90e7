"""How strong the tests are: change one thing in the source, run the tests that should see it.

    python -m tests.mutants --seed 7 --n 60 --packages core/views,pages [--jobs 2] [--list]

The work goes on in copies of the checkout, which are removed at the end. The sample is ordered by
a hash of seed, file, line and operator: it is the same when only tests change. A mutant meets its
mirror under tests/ first, then whatever imports its module, then the wider tests of its package; it
is dead in the first that fails or takes too long.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import itertools
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 180  # seconds of one stage
MOST = 2  # mutants of one file
# What is said to a learner is held by other tests than these.
WORDS = {"_", "N_", "ngettext", "param", "print", "cast", "warning", "error", "exception"}
OTHER = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip
WIDER = {
    "core/nn": "tests/parity tests/models tests/tracing",
    "core/models": "tests/parity tests/nn tests/tracing tests/checkpoints",
    "core/tracing": "tests/models tests/nn tests/views/map",
    "core/decoding": "tests/runs/kinds tests/views/translate",
    "core/views": "tests/views/test_views.py tests/views/test_selection.py tests/test_golden.py",
    "core/runs": "tests/runs",
    "core/lessons": "tests/lessons tests/javascript",
    "pages": "tests/app",
}
APART = {"browser", "benchmarks", "architecture"}  # folders whose tests would take too long


@dataclass(frozen=True)
class Mutant:
    """A change of one place in a file: bytes ``start`` to ``end`` become ``new``."""

    file: str
    operator: str
    start: int
    end: int
    new: str

    def __str__(self) -> str:
        raw = (ROOT / self.file).read_bytes()
        old = " ".join(raw[self.start : self.end].decode().split())
        line = raw[: self.start].count(b"\n") + 1
        return f"{self.file}:{line} {self.operator}: {old[:60]} -> {self.new[:60]}"


class Changes(ast.NodeVisitor):
    """Every change that can be made inside the functions of a file."""

    def __init__(self, text: str) -> None:
        self.text, self.inside = text, 0
        lines = text.encode().splitlines(keepends=True)
        self.starts = [0, *itertools.accumulate(map(len, lines))]
        self.found: list[tuple[str, int, int, str]] = []
        self.visit(ast.parse(text))

    def place(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (self.starts[node.lineno - 1] + node.col_offset,
                self.starts[node.end_lineno - 1] + node.end_col_offset)  # fmt: skip

    def change(self, operator: str, node: ast.expr | ast.stmt, new: str) -> None:
        if self.inside:
            self.found.append((operator, *self.place(node), new))

    def between(self, left: ast.expr, right: ast.expr, kind: ast.AST) -> None:
        """Another operator between two operands; brackets around them stay where they are."""
        start, end = self.place(left)[1], self.place(right)[0]
        gap = self.text.encode()[start:end].decode()
        if self.inside and type(kind) in OTHER and "#" not in gap:
            outer = re.fullmatch(r"([\s)]*)(.*?)([\s(]*)", gap, re.S)
            assert outer is not None
            new = outer[1] + OTHER[type(kind)] + outer[3]
            self.found.append((type(kind).__name__, start, end, new))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.inside += 1
        for statement in node.body:
            self.visit(statement)
        self.inside -= 1

    def visit_Call(self, node: ast.Call) -> None:
        if str(getattr(node.func, "id", getattr(node.func, "attr", ""))) not in WORDS:
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    visit_Raise = visit_Assert = visit_JoinedStr  # what is wrong, in words

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            self.between(node.left, node.comparators[0], node.ops[0])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not any(isinstance(side, ast.JoinedStr | ast.List) for side in (node.left, node.right)):
            self.between(node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.between(node.values[0], node.values[1], node.op)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change("constant", node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.change("constant", node, repr(node.value * 2 or 1))

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        test = ast.get_source_segment(self.text, node.test)
        self.change("negate", node.test, f"(not ({test}))")
        self.generic_visit(node)

    visit_IfExp = visit_If

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.change("return None", node, "return None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.change("drop", node, "pass")
        self.generic_visit(node)


def sample(packages: Sequence[str], seed: int, n: int) -> list[Mutant]:
    """Some of all mutants, operators in turn, few of a file."""
    by_operator: dict[str, list[tuple[str, Mutant]]] = defaultdict(list)
    for path in sorted(one for name in packages for one in (ROOT / name).rglob("*.py")):
        file, text = path.relative_to(ROOT).as_posix(), path.read_text()
        seen: Counter[tuple[str, ...]] = Counter()
        for operator, start, end, new in Changes(text).found:
            line = text.encode()[:start].decode().rpartition("\n")[2]
            key = (operator, line, new)
            seen[key] += 1
            told = repr((seed, file, key, seen[key])).encode()
            row = (hashlib.sha1(told).hexdigest(), Mutant(file, operator, start, end, new))
            by_operator[operator].append(row)
    orders = [[mutant for _, mutant in sorted(rows, key=lambda row: row[0])]
              for _, rows in sorted(by_operator.items())]  # fmt: skip
    used: Counter[str] = Counter()
    chosen: list[Mutant] = []
    for mutant in itertools.chain.from_iterable(itertools.zip_longest(*orders)):
        if mutant is not None and used[mutant.file] < MOST:
            used[mutant.file] += 1
            chosen.append(mutant)
    return chosen[:n]


@cache
def stages(file: str) -> list[str]:
    """What is run for a source file, the nearest first."""
    home, _, module = file.removesuffix(".py").removeprefix("core/").rpartition("/")
    mirror = [f"tests/{home}/test_{module}.py", f"tests/app/test_{module}.py"]
    near = [one for one in mirror if (ROOT / one).exists()]
    folder, _, name = file.removesuffix(".py").replace("/", ".").rpartition(".")
    named = re.compile(rf"{re.escape(folder)}(\.{name}\b| import [^\n]*\b{name}\b)")
    tests = [one.relative_to(ROOT) for one in sorted((ROOT / "tests").rglob("test_*.py"))]
    naming = [str(one) for one in tests
              if not APART & set(one.parts) and named.search((ROOT / one).read_text())]  # fmt: skip
    package = "/".join(file.split("/")[:2]) if file.startswith("core/") else "pages"
    folder_of_tests = f"tests/{home}" if (ROOT / "tests" / home).is_dir() else ""
    wanted = [" ".join(near), " ".join(naming), folder_of_tests, WIDER.get(package, "")]
    return list(dict.fromkeys(one for one in wanted if one))


class Copy:
    """A copy of the checkout in which tests run."""

    def __init__(self, home: Path) -> None:
        self.home = home
        apart = (".git", ".venv", ".*_cache", "node_modules", "artefacts")
        shutil.copytree(ROOT, home, symlinks=True, ignore=shutil.ignore_patterns(*apart))
        (home / ".venv").symlink_to((ROOT / ".venv").resolve())

    def fails(self, stage: str) -> str:
        """What failed first; empty where all passed."""
        call = [".venv/bin/python", "-m", "pytest", "-x", "-q", "-n", "0", "-p",
                "no:cacheprovider", "-m", "not slow and not browser", *stage.split()]  # fmt: skip
        with subprocess.Popen(
            call, cwd=self.home, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                said = process.communicate(timeout=LIMIT)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "out of time"
        if process.returncode in (0, 5):  # 5: nothing is collected
            return ""
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.M)
        return found[1] if found else "no tests could be run"

    def killer(self, mutant: Mutant, sound: Sequence[str]) -> str:
        """The test that sees a mutant; empty where none does."""
        path = self.home / mutant.file
        raw = path.read_bytes()
        try:
            path.write_bytes(raw[: mutant.start] + mutant.new.encode() + raw[mutant.end :])
            return next(filter(None, map(self.fails, sound)), "")
        finally:
            path.write_bytes(raw)


def verdicts(mutants: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Each with the test that has seen it. What fails by itself is left out, and said."""
    copies: queue.Queue[Copy] = queue.Queue()
    with tempfile.TemporaryDirectory(prefix="mutants-") as home, ThreadPoolExecutor(jobs) as pool:
        for n in range(jobs):
            copies.put(Copy(Path(home) / str(n)))

        def clean(stage: str) -> str:
            copy = copies.get()
            try:
                return copy.fails(stage)
            finally:
                copies.put(copy)

        def killer(mutant: Mutant) -> str:
            copy = copies.get()
            try:
                return copy.killer(mutant, [one for one in stages(mutant.file) if not broken[one]])
            finally:
                copies.put(copy)

        wanted = list(dict.fromkeys(one for mutant in mutants for one in stages(mutant.file)))
        broken = dict(zip(wanted, pool.map(clean, wanted), strict=True))
        for stage, why in broken.items():
            if why:
                print(f"left out, as it fails unchanged ({why}): {stage[:150]}")
        yield from zip(mutants, pool.map(killer, mutants), strict=True)


def main() -> None:
    """Print each mutant with the test that has seen it, and how many were seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--packages", default="core,pages")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="say the mutants and run nothing")
    given = parser.parse_args()
    mutants = sample(given.packages.split(","), given.seed, given.n)
    if given.list:
        print(*mutants, sep="\n")
        return
    n_seen: Counter[str] = Counter()
    for mutant, test in verdicts(mutants, given.jobs):
        n_seen[mutant.operator] += bool(test)
        print(f"{f'seen by {test}' if test else 'NOT SEEN'}  {mutant}", flush=True)
    print(f"{n_seen.total()} of {len(mutants)} are seen")


if __name__ == "__main__":
    main()

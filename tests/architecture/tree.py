"""The tree as it lies on disk, and its Python modules as syntax; nothing is imported or run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, cached_property
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Module:
    """One Python file, or a snippet that stands for one."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.name)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of the tree, as ``ast.walk`` goes through it."""
        return tuple(ast.walk(self.tree))


@cache
def files() -> tuple[Path, ...]:
    """What would be committed: every file but those of git itself and those it ignores."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    ignored = [line if line.startswith("/") else f"*/{line}" for line in lines if line]

    def walk(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            local = f"/{path.relative_to(ROOT).as_posix()}"
            names = (local, f"{local}/") if path.is_dir() else (local,)
            if path.name == ".git" or any(fnmatch(*each) for each in product(names, ignored)):
                continue
            if path.is_dir() and not path.is_symlink():
                yield from walk(path)
            else:
                yield path

    return tuple(walk(ROOT))


@cache
def texts() -> dict[str, str]:
    """Every file that is UTF-8 text, by its path."""
    found = {}
    for path in files():
        raw = path.read_bytes()
        if b"\0" not in raw[:8000]:
            found[path.relative_to(ROOT).as_posix()] = raw.decode("utf-8")
    return found


@cache
def modules() -> dict[str, Module]:
    """Every Python module of the tree, by its dotted name."""
    found = {}
    for path, text in texts().items():
        if path.endswith(".py"):
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            found[name] = Module(name, text)
    return found


def under(*packages: str) -> list[Module]:
    """The modules of packages; a package's own ``__init__`` is the first."""
    return [
        module
        for name, module in modules().items()
        if any(name == package or name.startswith(package + ".") for package in packages)
    ]


def dotted(node: ast.AST) -> str:
    """``a.b.c`` for a chain of attributes, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def broken(rule: Callable[[Module], list[str]], among: Iterable[Module]) -> dict[str, list[str]]:
    """The modules that break a rule, each with what breaks it."""
    found = {module.name: rule(module) for module in among}
    return {name: what for name, what in found.items() if what}

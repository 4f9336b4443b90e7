"""No expression backtracks that a stranger's text may meet: each takes time by its length."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from core.data.preferences import PREFERENCES
from pages.server import files, front, lesson_files, lessons
from pages.server import modules as served
from tests.architecture.tree import Module, dotted, under
from tests.patterns.pumping import slow_text

# What is asked of an expression: where its flags stand, if they are given by their place.
ASKED = {
    "compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2,
    "split": 3, "sub": 4, "subn": 4,
}  # fmt: skip
ANCHORED = {"match", "fullmatch", "pattern"}
# Slow, and no stranger's text meets them: what they read are files of ours, each by its module.
OURS = {
    "app": {r"<script(?:\s+type=\"module\")?>(.*?)</script>"},  # of Streamlit's page
    "core.figures.program": {r"\s+as\s+"},  # of the components' code
    "core.lessons.filling": {  # of a lesson as it is written; what fills it is put in afterwards
        r"\{\{\s*(\?)?(.+?)\s*\}\}",
        r"(?<=\n\n)\{\{\s*\?.+?\}\}[ \t]*|(?<!\n)\s?\{\{\s*\?.+?\}\}",
    },
    "core.lessons.length": {r"\[([^\]]*)\]\([^)]*\)"},  # the same
    "core.lessons.printed.prose": {r"<[^>]+>"},  # of a formula's words, each in its tags
    "core.lessons.reader": {  # of a lesson as it is written
        r"\s*\{#([a-z0-9-]+)((?:\s+C\d+)*)\}\s*$",
        r"^## (.+?)[ \t]*(?:\{#[^}]*\})?[ \t]*$",
    },
}


@dataclass(frozen=True)
class Written:
    """An expression as it stands in a module.

    Attributes:
        module: its dotted name.
        code: of the expression.
        flags: code of its flags; empty for none.
        whole: it is asked for whole texts alone.
    """

    module: str
    code: str
    flags: str = ""
    whole: bool = False

    def value(self) -> Any:
        """What it is, out of literals alone, or out of what its module says.

        Raises:
            NameError: it is put together while it is used.
        """
        try:
            return eval(self.code, {})
        except NameError:
            return eval(self.code, vars(importlib.import_module(self.module)))

    def compiled(self) -> re.Pattern[str] | None:
        """The expression; None of a reader, whose own expressions stand where it is written."""
        value = self.value()
        if self.whole and callable(value):
            return None
        return re.compile(value, eval(self.flags, {"re": re}) if self.flags else 0)


def written(module: Module) -> Iterator[Written]:
    """The expressions of a module: those of ``re`` and ``Regex``, and patterns of parameters."""
    named = {
        id(node.value): node.targets[0].id
        for node in module.nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        called = dotted(node.func)
        kind = called.removeprefix("re.") if called.startswith("re.") else ""
        flags = [one.value for one in node.keywords if one.arg == "flags"]
        if kind in ASKED:
            asked = uses().get(named[id(node)], set()) if id(node) in named else {kind}
            flags += node.args[ASKED[kind] :]
            code = "".join(map(ast.unparse, flags))
            yield Written(
                module.name, ast.unparse(node.args[0]), code, bool(asked) and asked <= ANCHORED
            )
        elif called == "Regex":
            yield Written(module.name, ast.unparse(node.args[0]))
        for one in node.keywords:
            if one.arg == "pattern":
                yield Written(module.name, ast.unparse(one.value), whole=True)


@cache
def modules() -> list[Module]:
    return under("core", "pages", "app")


@cache
def uses() -> dict[str, set[str]]:
    """What is asked of each name, wherever it stands."""
    found: dict[str, set[str]] = {}
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.Attribute):
                of = node.value.id if isinstance(node.value, ast.Name) else ""
                found.setdefault(of, set()).add(node.attr)
    return found


def made() -> dict[tuple[str, str], list[str]]:
    """Those that are put together while they are used: as a stranger's words make them."""
    animals = [one.found.pattern for one in PREFERENCES.values()]
    word = re.escape("!" * 39 + "a")
    return {
        ("core.data.preferences", "f\"\\\\b(?:{'|'.join(words)}){ending}\\\\b\""): animals,
        ("core.views.contexts", "f'(?<!\\\\w){re.escape(self.word)}(?!\\\\w)'"): [
            rf"(?<!\w){word}(?!\w)", r"(?<!\w)\!\!\!(?!\w)", rf"(?<!\w){'a' * 40}(?!\w)",
        ],
    }  # fmt: skip


@cache
def every() -> list[Written]:
    """All that are written; read when a test needs them, not whenever tests are collected."""
    return list(dict.fromkeys(one for module in modules() for one in written(module)))


@cache
def literal() -> list[Written]:
    """Those that are not put together while they are used, in the order of their modules."""
    known = {*MADE, *ELSEWHERE}
    found = [one for one in every() if (one.module, one.code) not in known]
    return sorted(found, key=lambda one: one.module)


MADE = made()
# Of a card's templates, which are ours, and of what was declared, which is found where it is.
ELSEWHERE = {
    ("core.views.params", "pattern"),
    ("core.shelf.cards", "re.sub('\\\\\\\\\\\\{(\\\\w+)\\\\\\\\\\\\}', '(?P<\\\\1>.+?)', "
     "re.escape(template))"),
}  # fmt: skip
ROUTES = [*files.ROUTES, *front.ROUTES, *lesson_files.ROUTES, *lessons.ROUTES, *served.ROUTES]


def said(slow: tuple[str, float] | None) -> Any:
    return slow and f"{slow[1] * 1e3:.0f} ms for {len(slow[0])} characters: {slow[0][:60]!r}"


def test_every_expression_is_found():
    known = {(one.module, one.code) for one in every()}
    assert {*MADE, *ELSEWHERE} <= known
    for module, spared in OURS.items():
        made = [one.compiled() for one in literal() if one.module == module]
        assert spared <= {one.pattern for one in made if one is not None}
    assert len(every()) > 100


@pytest.mark.parametrize(
    "pattern", [r"([a-z_?]{1,20} ?){0,30}", r"(a+)+b", r"\d+\.?\d*x", r"(a|aa)*b",
                r"^/a/(?P<b>[^/]+)\.(?P<c>[^/]+)$"],
)  # fmt: skip
def test_what_backtracks_is_found(pattern):
    assert slow_text(re.compile(pattern), whole=True) is not None


def test_what_looks_for_a_match_from_every_place_is_found():
    assert slow_text(re.compile(r"\s*\n\s*")) is not None
    assert slow_text(re.compile(r"[a-z]+(, [a-z]+)*")) is None


def test_an_expression_takes_time_by_the_length_of_a_text():
    slow = {}
    for one in literal():
        expression = one.compiled()
        if expression is not None and expression.pattern not in OURS.get(one.module, ()):
            slow[one.module, one.code] = said(slow_text(expression, whole=one.whole))
    assert {where: text for where, text in slow.items() if text is not None} == {}


@pytest.mark.parametrize(("module", "code"), MADE)
def test_so_does_one_that_is_put_together(module, code):
    whole = next(one.whole for one in every() if (one.module, one.code) == (module, code))
    for pattern in MADE[module, code]:
        assert said(slow_text(re.compile(pattern), whole=whole)) is None, pattern


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_so_does_an_address(route):
    assert said(slow_text(route.path_regex, whole=True)) is None

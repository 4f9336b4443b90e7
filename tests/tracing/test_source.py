"""Statements of our own files, found by how they begin."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from core.tracing.source import _code, line_with
from core.views.which import KINDS, PROBES_FILE
from pages.parts.methods import BY

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_line_is_the_statement():
    found = line_with("core/text/bpe.py", "rank, index = min(")
    text = (ROOT / found.path).read_text(encoding="utf-8").splitlines()
    assert text[found.line - 1].strip().startswith("rank, index = min(")
    assert "\n" not in found.code


def test_a_statement_over_several_lines_comes_whole():
    found = line_with("core/text/tokenizer.py", "self.family: Family = ")
    assert found.code.endswith(")")


def test_the_code_is_what_the_syntax_tree_says():
    text = (ROOT / "core/tracing/source.py").read_text(encoding="utf-8")
    lines = text.encode().split(b"\n")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt | ast.expr)]
    wanted = [ast.get_source_segment(text, one) for one in nodes]
    assert [_code(lines, one) for one in nodes] == wanted


def test_what_is_not_there_is_a_bug():
    with pytest.raises(LookupError, match="no statement"):
        line_with("core/text/bpe.py", "rank, index = max(")


def test_every_line_that_is_named_exists():
    pair = r'"(core/[^"]+\.py)",\s*"([^"]+)"'
    named = [
        found
        for folder in ("pages", "core/views")
        for file in (ROOT / folder).rglob("*.py")
        for found in re.findall(pair, file.read_text(encoding="utf-8"))
    ]
    assert len(named) >= 8
    named += [place for method in BY.values() for place in (method.cut_by, method.learned_by)]
    named += [(PROBES_FILE, kind.code) for kind in KINDS]
    for path, code in named:
        assert line_with(path, code).path == path

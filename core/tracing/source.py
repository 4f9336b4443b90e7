"""Where in our own files a statement stands, for numbers that no site is the name of."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from core.tracing.sites import SourceLine

_ROOT = Path(__file__).resolve().parent.parent.parent


@lru_cache(maxsize=64)
def line_with(path: str, code: str) -> SourceLine:
    """The first statement of a file that starts like this, whole.

    Args:
        path: from the top of the project.
        code: how the statement begins.

    Raises:
        LookupError: there is none. The caller names code of our own, so this is a bug.
    """
    text = (_ROOT / path).read_text(encoding="utf-8")
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    for statement in sorted(statements, key=lambda node: node.lineno):
        whole = ast.get_source_segment(text, statement) or ""
        if whole.startswith(code):
            return SourceLine(path, statement.lineno, re.sub(r"\s+", " ", whole))
    raise LookupError(f"{path} has no statement that starts with {code!r}")

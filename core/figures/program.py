"""Modules put together into one script, for a file that has no server to load them from.

Each module becomes a function that runs once and gives what the module exports. That needs of the
modules what ``linked`` checks: named or default imports of neighbours, exports where they are
declared, no circles.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence

_IMPORT = re.compile(r'^import\s+(\w+|\{[^}]*\})\s+from\s+"(\.{1,2}/[^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(\w+))", re.M)
_DEFAULT = re.compile(r"^export\s+default\s+", re.M)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


def program(entries: Sequence[str], modules: Mapping[str, str]) -> str:
    """One script in which ``MODULES[path]`` holds what a module exports, for all that is needed.

    Args:
        entries: paths of the modules that are wanted.
        modules: text of each module by its path.

    Raises:
        ValueError: a module imports what is not there or what imports it, or is written in a way
            that cannot be put together.
    """
    parts = (linked(path, modules[path]) for path in needed(entries, modules))
    return "const MODULES = {};\n" + "".join(parts)


def needed(entries: Sequence[str], modules: Mapping[str, str]) -> list[str]:
    """The paths of some modules and of all that they import, each behind what it imports.

    Args:
        entries: paths of the modules that are wanted.
        modules: text of each module by its path.

    Raises:
        ValueError: a module imports what is not there or what imports it.
    """
    order: list[str] = []
    for path in entries:
        _visit(path, modules, (), order)
    return order


def _visit(path: str, modules: Mapping[str, str], above: tuple[str, ...], order: list[str]) -> None:
    """Append a module after all that it imports."""
    if path in order:
        return
    if path not in modules or path in above:
        raise ValueError(f"module {path} cannot be imported by {' > '.join(above) or 'a file'}")
    for match in _IMPORT.finditer(modules[path]):
        _visit(_beside(path, match[2]), modules, (*above, path), order)
    order.append(path)


def _beside(path: str, reference: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), reference))


def linked(path: str, text: str) -> str:
    """A module as an entry of ``MODULES``.

    Raises:
        ValueError: it imports or exports in a way that is not understood.
    """

    def binding(match: re.Match[str]) -> str:
        names = match[1] if match[1].startswith("{") else f"{{ default: {match[1]} }}"
        names = re.sub(r"\s+as\s+", ": ", names)
        return f"const {names} = MODULES[{json.dumps(_beside(path, match[2]))}];\n"

    exports = [match[1] for match in _EXPORT.finditer(text)]
    code, defaults = _DEFAULT.subn("const DEFAULT = ", _EXPORT.sub("", _IMPORT.sub(binding, text)))
    rest = _LEFT.search(code)
    if rest or defaults > 1:
        raise ValueError(f"module {path}: {rest[0] if rest else 'two default exports'}")
    exports += ["default: DEFAULT"] * defaults
    names = ", ".join(exports)
    return f"MODULES[{json.dumps(path)}] = (() => {{\n{code}return {{ {names} }};\n}})();\n"

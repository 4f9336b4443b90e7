"""What README, CONTRIBUTING and docs name: every path, link, name, target and command exists."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from functools import cache

import pytest

from core.checkpoints import native
from core.training import __main__ as training
from core.views import all_views
from core.zoo import SHELF, shelf
from tests.architecture.tree import ROOT, Module, modules, texts

DOCUMENTS = ("README.md", "CONTRIBUTING.md", *(p for p in texts() if p.startswith("docs/")))
LONGEST_GUIDE = 10_500  # bytes: a newcomer reads all of it
ENDINGS = (".css", ".js", ".json", ".md", ".py", ".svg", ".toml", ".txt", ".xz")
# Ours by their first part: a module, a folder.
OURS = ("app", "assets", "core", "pages", "tests")
# The programs whose options the documents name by themselves.
PROGRAMS = ("core/training/__main__.py", "core/lessons/__main__.py")
# What belongs to others: keys, the browser, the shell.
FOREIGN = frozenset({
    "PgUp", "PgDn", "innerHTML", "source .venv/bin/activate",
    # what README says of a proxy and of an address below a path
    "https://school.example/gf/", "--server.baseUrlPath gf", "location /gf", "location /",
    "reverse_proxy /gf* localhost:8501", "GLASSFORMER_BOOK=https://school.example/book/",
})  # fmt: skip


def fences(text: str) -> list[tuple[str, str]]:
    """The code blocks of a document, each with its language; indented ones of a list, too."""
    found = re.findall(r"^( *)```(\w+)\n(.*?)^\1```$", text, re.M | re.S)
    return [(language, re.sub(rf"(?m)^{indent}", "", code)) for indent, language, code in found]


def spans(text: str) -> list[str]:
    """The code in the sentences of a document."""
    prose = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
    return re.findall(r"`([^`]+)`", prose)


def links(document: str) -> list[str]:
    """Where a document leads inside the tree."""
    found = re.findall(r"\]\(([^)\s]+)\)", texts()[document])
    folder = posixpath.dirname(document)
    return [posixpath.normpath(posixpath.join(folder, one)) for one in found if "://" not in one]


def files_made(text: str) -> set[str]:
    """The files whose whole text stands in a document: a block's first line names it."""
    return set(re.findall(r"^# ([\w/]+\.py)$", text, re.M))


@cache
def folders() -> frozenset[str]:
    paths = [path.split("/")[:-1] for path in texts()]
    return frozenset("/".join(parts[:n]) for parts in paths for n in range(1, len(parts) + 1))


def is_there(path: str) -> bool:
    """Whether a file or folder is in the tree; part of a path may stand for any, ``<name>``."""
    bare = path.rstrip("/")
    if (ROOT / bare).exists():
        return True
    pattern = re.sub(r"<\w+>", r"[^/]+", re.escape(bare).replace(r"\<", "<").replace(r"\>", ">"))
    return any(re.fullmatch(pattern, one) for one in (*texts(), *folders()))


def defined(module: Module) -> Iterator[str]:
    """Names that a module gives something: classes, functions, arguments, variables, fields.

    And texts that are a name: an ability, a site, an attribute in the catalogue.
    """
    for node in module.nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


@cache
def names() -> frozenset[str]:
    """Every name of the program and its tests."""
    known = {name for module in modules().values() for name in defined(module)}
    scripts = (text for path, text in texts().items() if path.endswith(".js"))
    known |= {word for script in scripts for word in re.findall(r"[A-Za-z_]\w+", script)}
    return frozenset(known | {part for one in modules() for part in one.split(".")})


def unknown_module(name: str) -> bool:
    """Whether neither a module nor something in one has this dotted name."""
    module, _, last = name.rpartition(".")
    known = name in modules() or name.replace(".", "/") in folders()
    return not known and (module not in modules() or last not in defined(modules()[module]))


def unknown(span: str, made: set[str]) -> bool:
    """Whether a piece of code in a sentence names something that is not there."""
    code = span.strip()
    first = re.split(r"[/.]", code)[0]
    if code in FOREIGN or code.startswith(("hf:", ".")):
        return False
    if code.startswith("make "):
        return not asked_of_make(code) <= makes()
    if code.startswith("python -m core.training"):
        return not understood(code)
    if re.fullmatch(r"[\w<>.-]+(/[\w<>.-]*)+", code):
        return code not in made and not is_there(code)
    if code.endswith(ENDINGS):
        return code not in names() and not any(is_there(f"{one}/{code}") for one in (".", "pages"))
    if first in OURS and re.fullmatch(r"\w+(\.\w+)+", code):
        return unknown_module(code)
    if re.fullmatch(r"[a-z]+\.[a-z_]+", code) and is_there(f"core/views/{first}"):
        return code not in all_views() and f"core/views/{code.replace('.', '/')}.py" not in made
    if code.startswith("--"):
        return not any(f'"{code.split()[0]}"' in texts()[one] for one in PROGRAMS)
    words = re.findall(r"(?<![\w\"'-])[A-Za-z_]\w+", re.sub(r"\"[^\"]*\"", "", code))
    return not all(word in names() for word in words)


@cache
def makes() -> frozenset[str]:
    """What ``make`` can be asked for and given."""
    return frozenset(re.findall(r"(?m)^[a-z-]+(?=:)|\b[A-Z]+\b", texts()["Makefile"]))


def asked_of_make(command: str) -> set[str]:
    return {word.partition("=")[0] for word in command.split("#")[0].split()[1:]}


def understood(command: str) -> bool:
    """Whether the training program takes a command's arguments."""
    words = command.split("#")[0].split()[3:]
    try:
        training._arguments(words)
    except SystemExit:
        return False
    return True


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document):
    assert [path for path in links(document) if not is_there(path)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_name_is_there(document):
    made = files_made(texts()[document])
    assert [one for one in spans(texts()[document]) if unknown(one, made)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_is_understood(document, capsys):
    made = files_made(texts()[document])
    commands = [code for kind, code in fences(texts()[document]) if kind == "sh"]
    for line in "\n".join(commands).splitlines():
        for module in re.findall(r"python -m ((?:core|pages|tests)[\w.]*)", line):
            assert {module, f"{module}.__main__"} & modules().keys(), line
        if "-m core.training" in line:
            assert understood(line), (line, capsys.readouterr().err)
        if line.startswith("make "):
            assert asked_of_make(line) <= makes(), line
        if "-m pytest" in line:
            asked = re.findall(r"tests/[\w/.]+", line.split("-m pytest")[1])
            assert [path for path in asked if not is_there(path) and path not in made] == []


def test_the_guide_stays_short():
    """What more there is to say stands in docs."""
    assert len(texts()["CONTRIBUTING.md"].encode()) <= LONGEST_GUIDE


def test_the_ideas_are_ten():
    """A new one has to replace another."""
    section = texts()["CONTRIBUTING.md"].split("## Ten ideas")[1].split("\n## ")[0]
    assert re.findall(r"^(\d+)\. \*\*", section, re.M) == [str(n + 1) for n in range(10)]


def test_the_readme_says_of_each_model_what_its_card_says():
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", texts()["README.md"], re.M))
    assert set(rows) >= set(shelf())
    for name in shelf():
        row, card = rows[name], (SHELF / name / native.CARD_FILE).read_text(encoding="utf-8")
        assert f"(assets/zoo/{name}/card.md)" in row
        figures = re.findall(r"\d+\.\d+|\d+ k\b", row)
        assert len(figures) >= 2
        assert [figure for figure in figures if figure not in card] == []

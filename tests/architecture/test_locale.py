"""Interface texts: gettext can find each, and the template holds what it finds."""

from __future__ import annotations

import ast
import configparser
import io
import re

from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po

from core.catalogues import texts_of_rows
from tests.architecture.tree import ROOT, Module, broken, dotted, modules, under

TEMPLATE = ROOT / "assets" / "locale" / "glassformer.pot"
APP = under("app", "core", "pages")
BABEL = configparser.ConfigParser()
BABEL.read(ROOT / "assets" / "locale" / "babel.cfg")
FIELDS = BABEL["rows: **.yaml"]
# Texts an error is given that are nobody's language; every other one is in words.
NAMES = frozenset({"asked", "field", "half", "model", "name", "site"})


def lost(module: Module) -> list[str]:
    """Texts that are put together before gettext sees them: no catalogue can hold them.

    ``_`` and ``Phrase`` may be given a constant by its name, which ``N_`` marks where it is
    written. In an f-string gettext sees none.
    """
    found = [
        ast.unparse(call)
        for text in module.nodes
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and dotted(call.func) in ("_", "ngettext")
        if isinstance(call.args[0], ast.Constant)
    ]
    for call in module.nodes:
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        by = call.func.id
        n_texts = {"_": 1, "N_": 1, "ngettext": 2, "Phrase": 1}.get(by, 0)
        for text in call.args[:n_texts]:
            written = isinstance(text, ast.Constant) and isinstance(text.value, str)
            named = isinstance(text, ast.Name | ast.Attribute | ast.Subscript)
            marked = isinstance(text, ast.Call) and dotted(text.func) == "N_"
            collected = marked if by == "Phrase" else written
            if not (collected or (named and by in ("_", "Phrase"))):
                found.append(ast.unparse(call))
    return found


def in_words() -> dict[str, dict[int, str]]:
    """The parameters of each error that are in words: their places and names."""
    found: dict[str, dict[int, str]] = {}
    for cls in modules()["core.errors"].tree.body:
        if not isinstance(cls, ast.ClassDef):
            continue
        found[cls.name] = next((found[b] for b in map(dotted, cls.bases) if b in found), {})
        for method in cls.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                found[cls.name] = {
                    at: one.arg
                    for at, one in enumerate(method.args.args[1:])
                    if one.arg not in NAMES and ast.unparse(one.annotation) == "str"
                }
    return found


def unmarked(module: Module) -> list[str]:
    """Errors whose words are not marked where they are raised: nobody can translate them.

    Words may be a choice of two, or be taken from a table of constants.
    """

    def collected(words: ast.AST) -> bool:
        if isinstance(words, ast.IfExp):
            return collected(words.body) and collected(words.orelse)
        if isinstance(words, ast.Subscript):
            return dotted(words.value).isupper()
        if isinstance(words, ast.Name | ast.Attribute) and dotted(words):
            return dotted(words).split(".")[-1].isupper()  # a constant, marked where it is made
        return isinstance(words, ast.Call) and dotted(words.func) in ("N_", "Phrase")

    errors, found = in_words(), []
    for call in module.nodes:
        if not isinstance(call, ast.Call):
            continue
        takes = errors.get(dotted(call.func).split(".")[-1], {})
        given = [words for at, words in enumerate(call.args) if at in takes]
        given += [one.value for one in call.keywords if one.arg in takes.values()]
        found += [ast.unparse(call)] * (not all(map(collected, given)))
    return found


def unspelt(module: Module) -> list[str]:
    """Numbers that are made in English and shown so, whatever the learner's language."""
    spelt = {
        inner
        for call in module.nodes
        if isinstance(call, ast.Call) and dotted(call.func) in ("spelt", "Numeral")
        for inner in ast.walk(call)
    }
    return [
        ast.unparse(value)
        for value in module.nodes
        if isinstance(value, ast.FormattedValue)
        and value.format_spec is not None
        and re.search(r",|\.[1-9]\d*[fg]", ast.unparse(value.format_spec))
        and value not in spelt
    ]


def texts(module: Module) -> set[str | tuple[str, ...]]:
    """What ``make locale`` finds in a module; a pair is a singular and its plural."""
    source = io.BytesIO(module.text.encode())
    keywords = DEFAULT_KEYWORDS | {"N_": None}
    return {text for _, text, _, _ in extract("python", source, keywords)}


def test_no_text_is_put_together_before_it_is_translated():
    assert broken(lost, APP) == {}


def test_what_an_error_says_in_words_can_be_translated():
    assert in_words()["CheckpointError"] == {1: "problem"}
    assert in_words()["ParameterError"] == {2: "wanted"}
    assert broken(unmarked, APP) == {}


def test_numbers_have_the_signs_of_the_learners_language():
    """SVG (core.figures), cards of models (core.training) and data in CSV have those of English."""
    apart = ("core.figures.", "core.studies.", "core.training.")
    seen = [module for module in APP if not module.name.startswith(apart)]
    assert broken(unspelt, seen) == {"core.views.masked.gap": ["{value:.6g}"]}


def test_the_template_holds_every_text_and_no_other():
    """After a text was changed: ``make locale``."""
    with TEMPLATE.open("rb") as file:
        kept = {message.id for message in read_po(file) if message.id}
    written = set().union(*(texts(module) for module in APP))
    for path in (ROOT / "assets" / "tables").glob("*.yaml"):
        with path.open("rb") as file:
            written |= {said for _, _, said, _ in texts_of_rows(file, None, None, FIELDS)}
    assert written - kept == set(), "not in the template: make locale"
    assert kept - written == set(), "in the template only: make locale"

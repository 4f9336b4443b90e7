"""Interface texts: gettext can find each, and the template holds what it finds."""

from __future__ import annotations

import ast
import io

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po

from tests.architecture.tree import ROOT, Module, broken, under

TEMPLATE = ROOT / "assets" / "locale" / "glassformer.pot"
APP = under("app", "core", "pages")


def lost(module: Module) -> list[str]:
    """Texts that are put together before gettext sees them: no catalogue can hold them.

    ``_`` may be given a constant by its name, which ``N_`` marks where it is written.
    """
    found = []
    for call in ast.walk(module.tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        given = {"_": call.args[:1], "N_": call.args[:1], "ngettext": call.args[:2]}
        for text in given.get(call.func.id, []):
            written = isinstance(text, ast.Constant) and isinstance(text.value, str)
            named = isinstance(text, ast.Name | ast.Attribute | ast.Subscript)
            if not (written or (named and call.func.id == "_")):
                found.append(ast.unparse(call))
    return found


def texts(module: Module) -> set[str | tuple[str, ...]]:
    """What ``make locale`` finds in a module; a pair is a singular and its plural."""
    source = io.BytesIO(module.text.encode())
    keywords = DEFAULT_KEYWORDS | {"N_": None}
    return {text for _, text, _, _ in extract("python", source, keywords)}


def test_no_text_is_put_together_before_it_is_translated():
    assert broken(lost, APP) == {}


def test_the_template_holds_every_text_and_no_other():
    """After a text was changed: ``make locale``."""
    with TEMPLATE.open("rb") as file:
        kept = {message.id for message in read_po(file) if message.id}
    written = set().union(*(texts(module) for module in APP))
    assert len(written) > 500
    assert written - kept == set(), "not in the template: make locale"
    assert kept - written == set(), "in the template only: make locale"


@pytest.mark.parametrize(
    "text",
    [
        "_(f'{n} tokens')",
        "_('a ' + kind)",
        "_('{n} tokens'.format(n=n))",
        "_('%d tokens' % n)",
        "N_(kind)",
        "ngettext(one, 'many', n)",
        "ngettext('one', f'{n} many', n)",
    ],
)
def test_a_lost_text_is_found(text):
    assert len(lost(Module("core.zoo", text))) == 1


def test_texts_are_found_as_they_are_translated():
    source = "_('a' 'b')\n_(KINDS[kind])\nX = N_('c')\nngettext('{n} d', '{n} ds', n)\nf('e')"
    assert lost(Module("core.zoo", source)) == []
    assert texts(Module("core.zoo", source)) == {"ab", "c", ("{n} d", "{n} ds")}

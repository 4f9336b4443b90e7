"""A lesson's texts as HTML that needs nothing else: Markdown, formulas, terms of the glossary.

The words that fill its holes may be a stranger's: they arrive escaped, and HTML is not let through.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import cache
from html import escape
from typing import Any
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from core.data.glossary import MARKED, GlossaryTerm, term_html, term_of
from core.figures.text import harmless
from core.lessons.filling import fill

_FORMULA = re.compile(r"(\$\$?)((?:\\.|[^$\\])+)\1", re.S)
_LETTERS = re.compile(r'(?:<mi mathvariant="normal">\w</mi>){2,}')
_DECIMALS = re.compile(r"<mn>(\d+)</mn><mrow><mo>&#x0002C;</mo></mrow><mn>(\d+)</mn>")
# The bars of a length stand close to it; what one of a condition is, \mid says.
_BAR = '<mo stretchy="false">&#x0007C;</mo>'
_CLOSE_BAR = '<mo stretchy="false" lspace="0" rspace="0">&#x0007C;</mo>'
# Where a number begins that is explained, what stands behind its mark, and where it ends.
_OPENS, _SEP, _CLOSES = "{\ue000", "\ue001", "{\ue002"
_NUMBER = re.compile(rf"\{_OPENS}([0-9a-f]{{8}})([0-9]+){_SEP}|\{_CLOSES}([0-9a-f]{{8}}){_SEP}")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_MATHML = "{http://www.w3.org/1998/Math/MathML}m"
_LOOKS = {"display", "mathvariant", "stretchy", "accent", "width", "fence", "form", "lspace",
          "rspace", "linethickness", "columnalign", "rowspacing", "columnspacing", "displaystyle",
          "scriptlevel", "minsize", "maxsize", "movablelimits"}  # fmt: skip


def prose(
    text: str,
    names: Mapping[str, Any],
    terms: MutableMapping[str, GlossaryTerm],
    *,
    opens: bool = False,
    explain: Callable[[str], str] | None = None,
) -> str:
    """A text of a lesson.

    Args:
        text: as the lesson has it.
        names: what its holes may say.
        terms: of the glossary by id; those of the text are added.
        opens: what a term means opens at it, for pointer, finger and keyboard.
        explain: given a hole, where what fills it comes from; empty for nothing.

    Raises:
        ExpressionError: a hole says something that is not there.
        KeyError: the glossary has no such term.
    """
    origins: list[str] = []
    mark = secrets.token_hex(4)  # nobody's text can have it

    def marked(hole: str, text: str) -> str:
        origin = explain(hole) if explain is not None else ""
        if not origin:
            return text
        origins.append(origin)
        return f"{_OPENS}{mark}{len(origins) - 1}{_SEP}{text}{_CLOSES}{mark}{_SEP}"

    filled = fill(text, names, harmless, marked if explain is not None else None)
    env: dict[str, Any] = {"terms": terms, "opens": opens, "place": text, "mark": mark,
                           "origins": origins}  # fmt: skip
    return str(_markdown().render(filled, env))


def formula(latex: str, *, block: bool = False) -> str:
    """A formula as MathML, which browsers draw by themselves; its source where it is none."""
    try:
        # In figures such as 0,7 the comma is no list's.
        mathml = convert(_COMMA.sub("{,}", latex), display="block" if block else "inline")
        parts = list(ElementTree.fromstring(mathml).iter())
    except Exception:  # the library's errors have no name in common
        parts = []
    # It hands on as it is what stands in \text{}, and addresses.
    if not parts or any(_foreign(part) for part in parts):
        return f"<code>{escape(latex)}</code>"
    # A word that is set upright is one name, not a product of its letters.
    joined = _LETTERS.sub(lambda word: f"<mi>{re.sub('<[^>]+>', '', word[0])}</mi>", mathml)
    return _DECIMALS.sub(r"<mn>\1,\2</mn>", joined).replace(_BAR, _CLOSE_BAR)


def _foreign(part: ElementTree.Element) -> bool:
    """Whether an element is more than a piece of a formula."""
    return not part.tag.startswith(_MATHML) or not part.attrib.keys() <= _LOOKS


@cache
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.inline.ruler.before("escape", "formula", _read_formula)
    parser.inline.ruler.before("link", "term", _read_term)
    parser.inline.ruler.before("escape", "number", _read_number)
    parser.add_render_rule("formula", _write_formula)
    parser.add_render_rule("number", _write_number)
    parser.add_render_rule("term", _write_term)
    return parser


def _read_formula(state: StateInline, silent: bool) -> bool:
    match = _FORMULA.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.markup, token.content = match[1], match[2]
    state.pos = match.end()
    return True


def _read_number(state: StateInline, silent: bool) -> bool:
    """Where a number that is explained begins or ends."""
    match = _NUMBER.match(state.src, state.pos)
    if match is None or (match[1] or match[3]) != state.env.get("mark"):
        return False
    if not silent:
        state.push("number", "span", 0).info = match[2] or ""
    state.pos = match.end()
    return True


def _write_number(
    _own: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, env: Any
) -> str:
    if tokens[index].info:
        env["number"] = int(tokens[index].info)
        return (
            f"<span class='glass-term glass-number' tabindex='0' aria-describedby='{_ident(env)}'>"
        )
    origin = escape(" ".join(env["origins"][env["number"]].split()))
    return f"<span class='explained' role='tooltip' id='{_ident(env)}'>{origin}</span></span>"


def _ident(env: Any) -> str:
    """Of what explains a number: another one on every screen."""
    place = hashlib.sha256(env["place"].encode()).hexdigest()[:8]
    return f"number-{place}-{env['number']}"


def _read_term(state: StateInline, silent: bool) -> bool:
    match = MARKED.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push("term", "dfn", 0)
        token.info, token.content = match[1], match[2] or match[1]
    state.pos = match.end()
    return True


def _write_formula(
    _own: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, _env: Any
) -> str:
    return formula(tokens[index].content, block=tokens[index].markup == "$$")


def _write_term(
    _own: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, env: Any
) -> str:
    term = term_of(tokens[index].info)
    env["terms"].setdefault(term.id, term)
    if env["opens"]:
        place = hashlib.sha256(
            f"{index} {tokens[index].content} {env['place']}".encode()
        ).hexdigest()[:8]
        return term_html(term, tokens[index].content, place)
    return f'<dfn title="{escape(term.text)}">{escape(tokens[index].content)}</dfn>'

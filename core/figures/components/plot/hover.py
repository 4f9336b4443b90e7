r"""What points say: a template that Plotly fills on the page, and we in a file.

``"distance {x}\n{y:.6f}"``: the fields are x, y, z, text, custom and name. A number has a form,
``.6f`` for decimals or ``.4g`` for significant digits; without one, a whole number has its
thousands apart and any other four digits. On an axis of categories x or y is a name. A line break
is ``\n``. Words of a learner never stand in a template, for they may hold braces; they come in by
``{text}`` and ``{name}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Literal

Kind = Literal["text", "whole", "real"]
FORMS: Mapping[Kind, str] = {"text": "", "whole": ",d", "real": ".4g"}  # where none is given
_FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_FORM = re.compile(r"\.\d{1,2}[fg]")


def parts(template: str, kinds: Mapping[str, Kind]) -> Iterator[str | tuple[str, str]]:
    """Words, and fields with their forms, in turn.

    Args:
        template: of a series.
        kinds: what each field of the series is.

    Raises:
        ValueError: a field is not there, or its form does not suit it.
    """
    offset = 0
    for match in _FIELD.finditer(template):
        if match.start() > offset:
            yield template[offset : match.start()]
        name, form = match.group(1), match.group(2)
        if name not in kinds:
            raise ValueError(f"{template!r}: no field {name!r} among {', '.join(kinds)}")
        if form is not None and (kinds[name] == "text" or not _FORM.fullmatch(form)):
            raise ValueError(f"{template!r}: {name} cannot be written as {form!r}")
        yield name, form or FORMS[kinds[name]]
        offset = match.end()
    if offset < len(template):
        yield template[offset:]


def for_plotly(template: str, kinds: Mapping[str, Kind], refer: Callable[[str], str]) -> str:
    """The template as Plotly fills it; ``refer`` says what Plotly calls a field."""
    pieces = []
    for part in parts(template, kinds):
        if isinstance(part, str):
            pieces.append(for_page(part))
        else:
            name, form = part
            pieces.append(f"%{{{refer(name)}{':' if form else ''}{form}}}")
    return "".join(pieces) + "<extra></extra>"


def for_page(words: str) -> str:
    """Words as Plotly must be given them: it reads some tags, and entities, in every text."""
    return escape(words, quote=False).replace("\n", "<br>")

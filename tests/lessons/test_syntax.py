"""docs/lessons.md says of a lesson's file what the schema says."""

from __future__ import annotations

import re
import textwrap

import pytest

from core.lessons import reader
from core.lessons.__main__ import main
from core.lessons.syntax import PARTS, meanings, syntax
from tests.architecture.tree import texts


def test_the_document_has_the_syntax_of_the_schema(capsys):
    assert main(["syntax"]) == 0
    printed = capsys.readouterr().out.strip()
    assert printed == syntax()
    section = texts()["docs/lessons.md"].split("\n## Syntax\n")[1].split("\n## ")[0]
    assert section.strip() == printed, "put what `python -m core.lessons syntax` prints there"


@pytest.mark.parametrize(("title", "part", "left_out"), PARTS)
def test_every_field_is_in_its_table(title, part, left_out):
    table = syntax().split(f"### {title}\n")[1].split("\n### ")[0]
    said = meanings(part)
    for name, field in part.model_fields.items():
        assert (f"`{name}` | " in table) or (f"`{name}`** | " in table) or name in left_out
        assert field.is_required() == (f"**`{name}`**" in table) or name in left_out
        assert said[name]


def test_the_examples_of_the_document_are_right():
    text = textwrap.dedent(texts()["docs/lessons.md"])
    found = re.findall(r"^( +)```(\w+)\n(.*?)^\1```$", text, re.M | re.S)
    assert [kind for _indent, kind, _code in found].count("question") == 3
    for _indent, kind, code in found:
        said = reader._yaml(textwrap.dedent(code), "docs/lessons.md", 1)
        assert reader._FENCES[kind](**said)

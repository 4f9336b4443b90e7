"""The numbers in the text of a lesson: each says where it comes from, in short and in full."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Sequence

import streamlit as st

from core.language import _
from core.lessons.filling import AS_WORDS, holes, parts
from core.lessons.operands import Operand
from core.lessons.origins import Origin, origin, origins
from core.lessons.posing import Posed
from core.lessons.world import World

MOST_CODE = 140  # characters of a line of code that are shown


def explaining(
    world: World, posed: Posed | None, escape: Callable[[str], str], *, is_open: bool
) -> Callable[[str, str], str]:
    """What makes a number of a text say where it comes from, as terms say what they mean.

    Args:
        world: of the step.
        posed: its question.
        escape: makes words of the run harmless.
        is_open: the question is answered.
    """
    count = itertools.count()  # of those on the screen

    def explain(hole: str, said: str) -> str:
        found = origin(hole, world, posed)
        if found is None:
            return said
        short = " ".join((found if is_open else found.covered()).short.split())
        ident = f"number-{next(count)}"
        return (
            f"<span class='glass-term glass-number' tabindex='0' aria-describedby='{ident}'>{said}"
            f"<span class='explained' role='tooltip' id='{ident}'>{escape(short)}</span></span>"
        )

    return explain


def numbers(
    texts: Sequence[str], world: World, posed: Posed | None, key: str, *, is_open: bool
) -> None:
    """All numbers of a step's texts, folded away; worked out when that is opened.

    Args:
        texts: in their order.
        world: of the step.
        posed: its question.
        key: of what is folded.
        is_open: the question is answered.
    """
    if all(parts(hole)[1] in AS_WORDS for text in texts for hole in holes(text)):
        return
    box = st.expander(_("Where do these numbers come from?"), key=key, on_change="rerun")
    if not box.open:
        return
    found = list(origins("\n".join(texts), world, posed))
    said = "".join(_listed(one if is_open else one.covered()) for one in found)
    with box:
        st.html(f"<div class='glass-origins'>{said}</div>")


def _listed(one: Origin) -> str:
    """A number: its formula, then what the formula names."""
    ways = [f"<code>{html.escape(one.formula)}</code>"]
    if one.filled not in (one.formula, one.shown):
        ways.append(html.escape(one.filled))
    said = " = ".join((f"<b>{html.escape(one.shown)}</b>", *ways))
    alone = len(one.operands) == 1 and one.operands[0].name == one.formula
    operands = "".join(_operand(each, alone=alone) for each in one.operands)
    return f"<p>{said}</p><ul>{operands}</ul>"


def _operand(one: Operand, *, alone: bool) -> str:
    """What a formula names; all of the formula where it is alone."""
    name = f"<code>{html.escape(one.name)}</code>"
    name += f" = {html.escape(one.value)}" if one.value else ""
    said = " · ".join(([] if alone else [name]) + ([html.escape(one.what)] if one.what else []))
    line = ""
    if one.line is not None:
        code = one.line.code
        short = code if len(code) <= MOST_CODE else f"{code[:MOST_CODE]}…"
        before = html.escape(_("computed by"))
        line = (
            f"<p class='glass-source'>{before} <code>{html.escape(short)}</code> · "
            f"{html.escape(one.line.path)}:{one.line.line}</p>"
        )
    return f"<li>{said}{line}</li>"

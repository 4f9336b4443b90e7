"""The card of a model in the learner's language.

A card is a file in English. All that its recipe says, its headings, its tables and what is made of
sizes and licences are said in the learner's language; what the model said, and the names of
measures, stay as they are, and a line says so.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.language import N_, SOURCE_LANGUAGE, _, language
from core.locale import spelt

# Whole lines as core/training/cards.py writes them; the rest is the recipe's.
_LINES = (
    N_("# {name} ({n} parameters)"),
    N_("## Made from"),
    N_("## How good"),
    N_("## What it gets wrong"),
    N_("**Licence of the weights: {licence}**."),
    N_("**Licence of the weights: {licence}**, as some of the training text asks."),
    N_("**Licence of the weights: {licence}**, as some of what it learned from asks."),
    N_("{credit} has no formal licence; it is free to use by custom, and these weights were "
       "trained on it."),
    N_("It began with what {name} had learned, and reads as that does: see its card."),
    N_("| source | licence | credit |"),
    N_("| run | tokens | minutes | made by |"),
    N_("| run | pictures | minutes | made by |"),
    N_("| measure | value |"),
    N_("| best {kind} head, {head} (layer.head) | {value} |"),
    N_("| {name} | no formal licence | {credit} |"),
    N_("| {name} | public domain | {credit} |"),
    N_("| {run} | {read} | {minutes} | {made_by} at commit {commit} |"),
    N_("DIR stands for the folder with the files of the sources. A machine of the same kind makes "
       "the same weights."),
    N_("To measure it again: {command}. {how}"),
)  # fmt: skip
# What its first line counts.
_SIZES = (
    N_("{n} layers"),
    N_("{n} heads"),
    N_("{n} layers of {kind} cells"),
    N_("{n} layers of {kind} cells in both directions"),
    N_("{n} in both directions + {m} layers of {kind} cells"),
    N_("states of {n}"),
    N_("context {n}"),
    N_("vocabulary {n}"),
    N_("{n} characters"),
    N_("patches of {n} x {m} pixels"),
    N_("pictures of {n} x {m} pixels"),
    N_("convolutions of {n} kernels"),
    N_("Convolutions of {n} kernels"),
)
_VALUE = re.compile(r"(?:(?<=\| )|(?<=\())\d+\.\d+(?= [|M])")  # in a table or the heading


def said(card: str) -> str:
    """A card, with a line at its beginning if some of it stays in English."""
    if language() == SOURCE_LANGUAGE or not card:
        return card
    lines = [_line(line) for line in card.split("\n")]
    return "\n".join([_("*The names of the measures, and what the model says, stay as they are.*"),
                      "", *lines])  # fmt: skip


def _line(line: str) -> str:
    translated = _matched(line, _LINES)
    if translated != line or line.startswith(("|", "#", "-")):
        return _VALUE.sub(lambda number: spelt(number[0]), translated)
    sizes, stop, knows = line.partition(". ")
    parts = sizes.split(", ")
    if not stop or not any(_matched(part, _SIZES) != part for part in parts):
        return _(line) if line else line
    knowledge = knows.removesuffix(".")
    return ", ".join(_matched(part, _SIZES) for part in parts) + f". {_(knowledge)}."


def _matched(text: str, templates: tuple[str, ...]) -> str:
    """A text that one of some templates made, as that says it in the learner's language."""
    for template in templates:
        if match := _pattern(template).fullmatch(text):
            holes = match.groupdict()
            if "how" in holes:  # a whole sentence of the recipe
                holes["how"] = _(holes["how"])
            return _(template).format(**holes)
    return text


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)))

"""A strip of tokens in a file: the chips with their lines, and the words around them."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from core.figures import drawing
from core.figures.drawing import CHAR, cell_colour, ink_on, rect
from core.figures.theme import Palette
from core.language import _
from core.spelling import visible

if TYPE_CHECKING:
    from core.figures.components.strip import Strip

LEFT = 8.0
GAP = 8  # between two lines of chips
CLOSE, APART = 1.0, 6.0  # chips of a word, and words
FAINT = "opacity='0.85'"


class ChipBox(NamedTuple):
    """Where a chip stands."""

    x: float
    y: float
    width: float
    height: float


def cut_off() -> str:
    """What became of the end of a text that is too long."""
    return _("is left out: the text is longer than the model can read")


def draw(strip: Strip, palette: Palette) -> str:
    """The strip as SVG, as it is selected."""
    body: list[str] = [drawing.hatching(palette)]
    y = 36.0
    for part in _wrapped(_heading(strip), strip.width):
        body.append(drawing.text(8, y + 4, part, palette.muted))
        y += 18
    boxes = _boxes(strip, y)
    for index, box in boxes:
        body += _chip(strip, index, box, palette)
    y = boxes[-1][1].y + boxes[-1][1].height + GAP if boxes else y
    for words in _words(strip):
        for part in _wrapped(words, strip.width):
            body.append(drawing.text(8, y + 8, part, palette.text))
            y += 18
    return drawing.frame(strip.width + 2 * LEFT, y + 8, strip.title, strip.alt, body, palette)


def _boxes(strip: Strip, y: float) -> list[tuple[int, ChipBox]]:
    """The chips that are there, line by line; those of one word stand close, and on one line."""
    # A chip has a line for its label, one for its detail if any has one, one for its note.
    height = 50 if any(chip.detail for chip in strip.tokens) else 36
    there = [index for index in range(len(strip.tokens)) if strip.is_there(index)]
    boxes: list[tuple[int, ChipBox]] = []
    x = LEFT
    for _word, chips in groupby(there, key=lambda index: _word_of(strip, index)):
        word = [(index, _width(strip, index)) for index in chips]
        whole = sum(width + CLOSE for _index, width in word)
        if x + whole > strip.width and x > LEFT:
            x, y = LEFT, y + height + GAP
        for index, width in word:
            if x + width > strip.width and x > LEFT:  # a word that is longer than a line
                x, y = LEFT, y + height + GAP
            boxes.append((index, ChipBox(x, y, width, height)))
            x += width + CLOSE
        x += APART - CLOSE
    return boxes


def _word_of(strip: Strip, index: int) -> tuple[bool, int]:
    """What chips of one word have in common; a chip of none is its own."""
    word = strip.tokens[index].word
    return (False, index) if word is None else (True, word)


def _width(strip: Strip, index: int) -> float:
    """The room of a chip's longest line."""
    lines = (_label(strip, index), strip.note(index), strip.tokens[index].detail or "")
    return 14 + CHAR * max(map(len, lines))


def _label(strip: Strip, index: int) -> str:
    """What is written on a chip: its token, or what hides it."""
    behind = strip.marked_label and index in (strip.marked or ())
    return strip.marked_label if behind and strip.marked_label else strip.tokens[index].label


def _ground(strip: Strip, index: int, palette: Palette) -> str:
    """The colour of a chip."""
    numbers, chip = strip.numbers(), strip.tokens[index]
    if numbers is not None and strip.may_attend(index):
        value = float(numbers[index])
        if not math.isnan(value):
            role, limit = strip.heat_role or "weight", strip.heat_limit or 1.0
            return cell_colour(palette, role, value, limit)
    if strip.coloured and chip.group is not None:
        return palette.tokens[chip.group % len(palette.tokens)]
    return palette.surface


def _edge(strip: Strip, index: int, palette: Palette) -> str:
    """What tells a chip from its neighbours: selected, marked, made by the model, merged."""
    fresh, last = strip.turns(index)
    marked = index in (strip.marked or ()) or last
    strong = strip.is_selected(index) or strip.tokens[index].kind.endswith("born") or fresh
    colour = palette.warning if marked else palette.border
    colour = palette.accent if strong else colour
    dashed = " stroke-dasharray='5 3'" if marked else ""
    return f"rx='5' stroke='{colour}' stroke-width='{2 if strong or marked else 1}'{dashed}"


def _chip(strip: Strip, index: int, box: ChipBox, palette: Palette) -> list[str]:
    """A chip with its lines."""
    ground, chip, note = _ground(strip, index, palette), strip.tokens[index], strip.note(index)
    drawn = [rect(*box, ground, _edge(strip, index, palette))]
    if not strip.may_attend(index):
        drawn.append(rect(*box, "url(#h)", "rx='5'"))
    ink, middle, bottom = ink_on(ground), box.x + box.width / 2, box.y + box.height - 6
    drawn.append(drawing.text(middle, box.y + 16, _label(strip, index), ink, "middle"))
    if chip.detail:
        drawn.append(drawing.text(middle, box.y + 30, chip.detail, ink, "middle", FAINT))
    if note:
        drawn.append(drawing.text(middle, bottom, note, ink, "middle"))
    return drawn


def _heading(strip: Strip) -> str:
    """What stands above the chips besides the title."""
    return str(strip.heading or "").removeprefix(strip.title).strip(" .")


def _words(strip: Strip) -> list[str]:
    """What stands below the chips: what was cut, lines, the reading of the selected one."""
    lines = [f"{visible(strip.cut).replace('·', ' ')} {cut_off()}"] if strip.cut else []
    lines += [str(line) for line in strip.lines or ()]
    lines += filter(None, strip.so_far().split("\n"))
    if strip.readings:
        index = strip.chosen() if len(strip.readings) > 1 else 0
        lines.append(str(strip.readings[index or 0]))
    return lines


def _wrapped(words: str, width: float) -> list[str]:
    """A sentence in lines, so that it stays on the drawing; none of no words."""
    most = int(width / CHAR) - 3
    lines: list[str] = [""] if words else []
    for word in words.split(" ") if words else ():
        if len(lines[-1]) + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines

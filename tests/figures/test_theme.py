"""Colours: one a meaning, readable on every surface they stand on."""

from __future__ import annotations

import dataclasses

import plotly.graph_objects as go
import pytest

from core.figures.drawing import cell_colour, ink_on, mix
from core.figures.theme import (
    DARK,
    LIGHT,
    PALETTES,
    axis_looks,
    contrast,
    layout,
)
from core.language import use_language

# What has a colour of its own in sentences and formulas, and so stands on page and cards as text.
WORDS = ("text", "muted", "accent", "query", "key", "value", "weight", "position", "residual",
         "warning")  # fmt: skip
MARKS = (*WORDS, "negative", "positive")


def test_contrast_is_measured_right():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("mode", PALETTES)
def test_words_read_on_page_and_cards(mode):
    palette = PALETTES[mode]
    found = {
        (name, surface): contrast(getattr(palette, name), getattr(palette, surface))
        for name in WORDS
        for surface in ("background", "surface")
    }
    assert {pair: c for pair, c in found.items() if c < 4.5} == {}


@pytest.mark.parametrize("mode", PALETTES)
def test_text_reads_on_every_token(mode):
    palette = PALETTES[mode]
    assert {
        c: contrast(palette.text, c) for c in palette.tokens if contrast(palette.text, c) < 4.5
    } == {}


@pytest.mark.parametrize("mode", PALETTES)
def test_marks_stand_out(mode):
    palette = PALETTES[mode]
    for name in MARKS:
        for surface in ("background", "surface"):
            assert contrast(getattr(palette, name), getattr(palette, surface)) >= 3, (name, surface)


def test_the_colours_are_those_that_were_agreed():
    pairs = {name: (getattr(LIGHT, name), getattr(DARK, name))
             for name in ("query", "key", "value", "weight")}  # fmt: skip
    assert pairs == {
        "query": ("#0072b2", "#58b2ec"), "key": ("#b34d00", "#f2964d"),
        "value": ("#00805e", "#3fc79b"), "weight": ("#5b45b0", "#9a86f5"),
    }  # fmt: skip


@pytest.mark.parametrize("mode", PALETTES)
def test_one_colour_a_meaning(mode):
    palette = PALETTES[mode]
    colours = [getattr(palette, name) for name in MARKS]
    assert len(set(colours)) == len(colours)


@pytest.mark.parametrize("mode", PALETTES)
def test_every_colour_is_six_digits(mode):
    for field in dataclasses.fields(PALETTES[mode]):
        value = getattr(PALETTES[mode], field.name)
        for colour in value if isinstance(value, tuple) else (value,):
            assert len(colour) == 7
            int(colour[1:], 16)


@pytest.mark.parametrize("mode", PALETTES)
def test_ink_reads_on_every_cell(mode):
    """Numbers are written into cells of any strength, in the better of two inks."""
    palette = PALETTES[mode]
    for role in ("weight", "query", "key", "value", "position", "residual", "accent", "signed"):
        for step in range(-20, 21):
            fill = cell_colour(palette, role, step / 20, 1.0)
            inks = {ink: contrast(fill, ink) for ink in ("#000000", "#ffffff")}
            assert inks[ink_on(fill)] == max(inks.values()), (role, step, fill)
            assert inks[ink_on(fill)] >= 4.5, (role, step, fill)


def test_mixing():
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert mix("#000000", "#ffffff", -1) == "#000000"
    assert mix("#102030", "#ffffff", 7) == "#ffffff"
    assert cell_colour(LIGHT, "signed", float("nan"), 1.0) == LIGHT.zero
    assert cell_colour(LIGHT, "weight", 0.5, 0.0) == LIGHT.surface


@pytest.mark.parametrize("mode", PALETTES)
def test_a_plot_has_its_title_and_the_palettes_colours(mode):
    looks = layout(PALETTES[mode], "A title")
    assert looks["title"]["text"] == "A title"
    assert looks["font"]["color"] == PALETTES[mode].text
    assert looks["paper_bgcolor"] == "rgba(0,0,0,0)"  # the page shows through in both modes
    assert axis_looks(PALETTES[mode])["gridcolor"] == PALETTES[mode].border
    go.Figure(layout=looks | {"xaxis": axis_looks(PALETTES[mode])})  # Plotly knows all of it


def test_a_plot_writes_numbers_in_the_learners_language():
    assert layout(PALETTES["light"], "A title")["separators"] == ".,"
    use_language("fr")
    try:
        assert layout(PALETTES["light"], "A title")["separators"] == ",\u202f"
    finally:
        use_language("en")


def test_a_long_title_is_broken():
    title = "A title that is much too long for the width of a telephone held upright"
    text = layout(PALETTES["light"], title)["title"]["text"]
    assert text.replace("<br>", " ") == title
    assert max(map(len, text.split("<br>"))) <= 40

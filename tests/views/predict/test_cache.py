"""The cache: what a step stores, what it reuses, and that grey is grey."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
import torch

from core.figures.text import number
from core.figures.theme import PALETTES
from core.views.predict.cache import COMPUTED, REUSED
from tests.views.records import drawn, header, rows, shown, written

TEXT = "The cat sat on the"


def test_many_steps_do_not_make_the_labels_of_the_cache_smaller(runs):
    (sheet,) = header(runs, "predict.cache", text="a", new="25")["sheets"]
    assert len(sheet["rows"]["labels"]) == 25
    assert sheet["row_height"] > 12  # canvas.js writes in 12 px, or a pixel less than the row


@pytest.mark.parametrize("new", [1, 4])
def test_the_cache_says_what_a_step_stores_and_what_is_stored_so_far(runs, gpt, new):
    view, record = shown(runs, "predict.cache", text=TEXT, new=str(new))
    n_prompt, (sheet,) = len(gpt.tokens(TEXT)), view.show(record).payload().header["sheets"]
    decoder = gpt.model.begin(1)
    decoder.push(torch.tensor([[0]]))
    a_position = decoder.nbytes  # what is really taken for one
    assert record.a_position.nbytes == a_position
    kib, size = number(a_position / 1024), gpt.dtype.itemsize
    said = str(view.describe(record))
    assert f"2 · 2 layers · d_model 16 · {size} bytes = {kib} KiB per position" in said
    assert sheet["rows"]["labels"] == [
        f"{i} · {number(a_position * (n_prompt + i) / 1024)}" for i in range(new)
    ]
    assert "KiB stored after each" in sheet["axes"][0][0]
    assert "KiB stored after each" in " ".join(written(view, record))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_is_reused_is_as_grey_in_the_file_as_on_the_screen(runs, mode):
    view, record = shown(runs, "predict.cache", text=TEXT, new="4")
    component, palette = view.show(record), PALETTES[mode]
    (sheet,) = component.payload().header["sheets"]
    assert [one["role"] for one in sheet["categories"]] == ["surface", "border", "accent"]
    drawing = component.drawing(mode)
    fills = re.findall(r"<rect [^>]*fill='([^']*)'", drawing)
    for value, role in ((REUSED, "border"), (COMPUTED, "accent")):
        n = int((record.state == value).sum())
        assert fills.count(getattr(palette, role)) == n + 1, role  # and a sign in the legend
    for category in sheet["categories"]:
        assert category["label"] in drawing


def test_the_selected_step_and_position_are_outlined(runs):
    view, record = shown(runs, "predict.cache", text=TEXT, new="4", made="2", token="1")
    outlines = [one for one in drawn(view, record, "rect") if one.get("fill") == "none"]
    assert len(outlines) == 2


def test_all_its_numbers_are_in_the_table(runs):
    view, record = shown(runs, "predict.cache", text=TEXT, new="3")
    values = view.values(record)
    np.testing.assert_array_equal(values["state"].array, record.state)
    assert values["position_bytes"].value == record.a_position.nbytes
    table = rows(view, record)
    assert table[0] == ["step", "positions computed", "positions reused", "cache bytes"]
    assert table[1:4] == [
        [str(i), str(record.computed[i]), str(record.reused[i]), str(record.bytes[i])]
        for i in range(3)
    ]
    assert record.computed == [record.n_prompt, 1, 1]


def test_of_a_machine_without_a_cache_it_says_no_more_than_is_so(runs):
    """What it keeps may be a state, or a window of the text: neither need hold all of it."""
    view, record = shown(runs, "predict.cache", text=TEXT, new="3")
    kept = view.show(dataclasses.replace(record, a_position=None))
    said = " ".join(sheet["title"] for sheet in kept.payload().header["sheets"])
    assert said == "What each step computes, and what was computed before it"

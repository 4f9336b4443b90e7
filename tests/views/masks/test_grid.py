"""A mask as a grid, over the tokens, and of several sentences at once."""

from __future__ import annotations

import numpy as np
import pytest

from core.runs.store import Runs
from core.views.masks.run import PAD_LABEL, UnderMask
from core.views.params import parse
from tests.conftest import loaded, tiny_gpt
from tests.views.records import drawn, rows, shown, written

SIDE = 48  # cells that a drawing shows


def grid(runs, mask: str, **more):
    """The view's record and its matrix."""
    view, record = shown(runs, "masks.grid", mask=mask, **{k: str(v) for k, v in more.items()})
    return view, record, view.show(record)


def test_cells_ahead_of_their_query_are_marked_for_a_next_token_model_only(runs):
    for model, ahead in (("gpt", True), ("bert", False)):
        _view, _record, matrix = grid(runs, "none", model=model)
        cells = matrix.payload().arrays["cells"]
        assert bool(cells[0, 1] == 2) is ahead
        assert cells[1, 0] == 1


@pytest.mark.parametrize("sheet", range(4))
def test_the_sheet_that_is_shown_is_saved(runs, sheet):
    view, record, matrix = grid(runs, "window:2", sheet=sheet, token=5)
    payload = matrix.payload()
    one = payload.header["sheets"][sheet]
    assert matrix.title == one["title"]
    assert str(view.describe(record)) == matrix.alt
    cells = [box.attrib["fill"] for box in drawn(view, record, "rect")][1:]
    n = len(record.queries.labels)
    open_ = np.ones((n, n), bool)
    if "mask" in one:
        open_ = payload.arrays[one["mask"]].astype(bool)
    hatched = np.array([fill == "url(#h)" for fill in cells[: n * n]]).reshape(n, n)
    np.testing.assert_array_equal(hatched, ~open_)
    texts = written(view, record)
    assert ("directly" in texts) == (sheet == 1)
    assert ("allowed" in texts) == (sheet == 0)
    assert len({fill for fill in cells if fill != "url(#h)"}) > 2 or sheet < 2
    head, *table = rows(view, record)
    assert head[5] == "layers until the query holds something of the key"
    needed = [row[5] for row in table]
    np.testing.assert_array_equal(
        [-1 if k == "" else float(k) for k in needed], record.leaks.needed.reshape(-1)
    )


def test_every_sheet_has_its_own_words(runs):
    alts = {grid(runs, "window:2", token=5, sheet=sheet)[2].alt for sheet in range(4)}
    assert len(alts) == 4


def test_every_pair_is_saved_of_a_long_text_too(runs):
    view, record, _matrix = grid(runs, "window:2", text="cat " * 60, token=9)
    n = len(record.queries.labels)
    _head, *table = rows(view, record)
    assert len(table) == n * n
    np.testing.assert_array_equal([int(row[2]) for row in table], record.mask.reshape(-1))
    found = np.array([row[3:5] for row in table], np.float32).reshape(n, n, 2)
    np.testing.assert_array_equal(found[..., 0], record.own_weights)
    np.testing.assert_array_equal(found[..., 1], record("weights"))


@pytest.mark.parametrize(("token", "key"), [(10**5, 10**5), (0, 70), (70, 0)])
def test_the_window_with_the_selected_cell_is_drawn(byte_bpe, token, key):
    """Not always the first rows."""
    long = loaded(tiny_gpt(n_ctx=96).double(), byte_bpe)
    text = " ".join(f"w{n}" for n in range(60))
    runs = Runs(load=lambda name, device: long)
    view, record, matrix = grid(runs, "none", text=text, token=token, key=key)
    n = len(record.queries.labels)
    assert n == 96
    first = [max(0, min(n - SIDE, at - SIDE + 1)) for at in (min(token, n - 1), min(key, n - 1))]
    labels = record.queries.labels
    texts = [text for text in written(view, record) if text != "!"]
    assert texts[1 : 1 + SIDE] == labels[first[0] : first[0] + SIDE]
    assert texts[1 + SIDE : 1 + 2 * SIDE] == labels[first[1] : first[1] + SIDE]
    assert matrix.selection["token"] == min(token, n - 1)


@pytest.mark.parametrize("mask", ["painted:2:kA", "own"])
def test_only_a_mask_painted_by_hand_can_be_painted_on(runs, mask):
    _view, _record, matrix = grid(runs, mask)
    painted = mask.startswith("painted")
    assert [("paint" in one) for one in matrix.payload().header["sheets"]] == [
        painted, False, False, False
    ]  # fmt: skip
    assert (matrix.sheets[0].title == "Click or drag to allow and forbid cells") == painted


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_arithmetic_of_a_cell_gives_its_weight(runs, model):
    """From the operands that the browser is given, as it computes them."""
    _view, _record, matrix = grid(runs, "window:2", model=model, head=1)
    a = {name: np.asarray(value, np.float64) for name, value in matrix.arrays.items()}
    powers = np.exp(a["scores"]) * a["may"]
    weights = powers / powers.sum(-1, keepdims=True)
    np.testing.assert_allclose(weights, a["weights"], atol=2e-5)
    quotient = np.where(a["may"] > 0, a["open"] / a["kept"][:, None], 0)
    np.testing.assert_allclose(quotient, a["weights"], atol=2e-5)


def test_a_way_leads_over_open_cells_in_as_many_blocks_as_is_said(runs):
    _view, record, matrix = grid(runs, "window:2")
    needed, stops = matrix.arrays["needed"], matrix.arrays["stops"]
    for i, j in np.argwhere(matrix.arrays["reach"] == 1):
        at, taken = i, 0
        while at != j:
            assert record.mask[at, stops[at, j]]
            at, taken = stops[at, j], taken + 1
        assert taken == needed[i, j]


def test_notes_say_what_leaks_and_what_a_batch_does(runs):
    view, record, _matrix = grid(runs, "none")
    (leak,) = view.notes(record)
    assert leak.kind == "warning"
    assert "can see the token" in str(leak.text)
    view, record, _matrix = grid(runs, "padding", batch="a\nb\nc\nd\ne")
    kinds = {note.kind: str(note.text) for note in view.notes(record)}
    assert "the last line is left out" in kinds["info"]
    assert "logits" in kinds["more"]
    view, record, _matrix = grid(runs, "own")
    assert view.notes(record) == []


def test_a_word_that_names_no_mask_is_said():
    params, (problem,) = parse(UnderMask, {"mask": "windw 3"})
    assert params.mask == "own"
    assert "“windw 3”. It must be own, none, causal" in problem.sentence()


def test_what_the_colours_of_a_change_mean_is_said(runs):
    _view, _record, matrix = grid(runs, "none")
    assert "red: larger" in str(matrix.sheets[3].axes)
    assert matrix.sheets[3].nothing is None


def test_where_nothing_changes_the_picture_says_so_and_shows_the_mask(runs):
    _view, record, matrix = grid(runs, "own", sheet=3)
    sheet = matrix.sheets[3]
    assert sheet.nothing.startswith("Nothing changes")
    assert "Nothing changes: this is" in matrix.drawing("light")
    np.testing.assert_array_equal(matrix.arrays[sheet.mask], record.mask)


def test_padding_is_called_by_its_name(runs):
    _view, record, matrix = grid(runs, "padding", batch="The dog")
    assert record.queries.stream.n_padding
    assert matrix.sheets[0].rows.labels[-1] == PAD_LABEL
    assert (matrix.sheets[0].max_cell, matrix.sheets[0].row_height) == (16, 16)


def test_what_is_hidden_is_hatched_and_the_rest_has_its_weight(runs):
    view, record = shown(runs, "masks.strip", mask="window:2", token="4")
    strip = view.show(record)
    np.testing.assert_array_equal(strip.heat, record("weights"))
    np.testing.assert_array_equal(strip.may, record.mask)
    assert strip.title == "What “sat” may attend to".replace("sat", record.queries.words[4])
    assert strip.payload().header["labels"]["strip"] == "Tokens"  # whoever is selected
    texts = written(view, record)
    n = len(record.queries.labels)
    assert texts.count("masked") == n - 2
    hatched = [one for one in drawn(view, record, "rect") if one.attrib["fill"] == "url(#h)"]
    assert len(hatched) == n - 2


def test_a_token_that_sees_its_answer_is_marked(runs):
    view, record = shown(runs, "masks.strip", mask="none")
    n = record.queries.n
    assert list(view.show(record).marked) == list(range(n - 1))
    view, record = shown(runs, "masks.strip", mask="none", model="bert")
    assert list(view.show(record).marked) == []


def test_padding_has_its_own_chip_and_reading(runs):
    view, record = shown(runs, "masks.strip", mask="padding", batch="The dog")
    strip, n = view.show(record), record.queries.n
    assert {chip.label for chip in strip.tokens[n:]} == {PAD_LABEL}
    assert "padding" in strip.tokens[n].title
    assert "thrown away" in str(strip.readings[n])
    assert len(strip.readings) == len(strip.tokens)


def test_the_batch_has_a_row_a_sentence_and_stops_somewhere(runs):
    view, record = shown(runs, "masks.batch", mask="padding", batch="a\n\n  \nb\nc\nd\ne\nf")
    assert len(record.run.batch) == 5
    _head, *table = rows(view, record)
    assert {row[0] for row in table} == {"0", "1", "2", "3", "4"}


def test_padding_is_saved_as_such_and_called_so(runs):
    view, record = shown(runs, "masks.batch", mask="padding", batch="a")
    head, *table = rows(view, record)
    assert head == ["sentence", "position", "token", "padding"]
    assert {row[3] for row in table if row[2] == PAD_LABEL} == {"1"}
    assert {row[3] for row in table if row[2] != PAD_LABEL} == {"0"}
    assert written(view, record).count(PAD_LABEL) == sum(row[3] == "1" for row in table)
    (sheet,) = view.show(record).payload().header["sheets"]
    assert [one["label"] for one in sheet["categories"]] == ["padding", "token"]
    assert "mask" not in sheet  # hatched cells are masked ones, and these are not masked yet


def test_without_a_batch_there_is_one_row(runs):
    view, record = shown(runs, "masks.batch")
    assert record.real.shape == (1, len(record.run.trace.tokens))
    assert str(view.describe(record)).startswith("1 sentences of")

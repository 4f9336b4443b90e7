"""A hidden word: what is guessed for it, beside it, and from what."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np
import pytest

from core.decoding.words import MAX_PIECES
from core.figures.payload import unpack
from core.figures.text import percent
from core.figures.theme import PALETTES
from core.figures.values import to_csv
from core.views.masked.gap import N_ROWS, Hiding
from core.views.params import parse
from core.views.weak import WEAK
from tests.views.records import drawn, rows, shown, written
from tests.views.test_views import check

TEXT = "The cat told the dog a story."
OF_GAP = ("masked.strip", "masked.beside", "masked.each", "masked.why")
ALL = (*OF_GAP, "masked.follows", "masked.example")


@pytest.mark.parametrize(
    "text", [TEXT, "a", "<b>&'\" [MASK]", "Lothlorien " * 50, "dog 你好 🙂", "The " + "l" * 20]
)
@pytest.mark.parametrize("name", ALL)
def test_the_contract_holds_for_long_words_and_pairs(runs, name, text):
    check(*shown(runs, name, model="bert", text=text, first=text, second=text))


@pytest.mark.parametrize("name", OF_GAP)
def test_every_view_of_a_gap_is_drawn_when_nothing_is_hidden(runs, name):
    view, record = shown(runs, name, model="bert", text=TEXT, hide="none")
    component = view.show(record)
    assert "labels" in unpack(component.payload().pack()).header
    ElementTree.fromstring(component.drawing("light"))
    assert str(view.describe(record))
    assert rows(view, record)[0]


@pytest.mark.parametrize(("token", "chosen"), [("-1", None), ("0", 0), ("2", 2)])
def test_a_token_is_selected_only_if_it_was_asked_for(runs, token, chosen):
    view, record = shown(runs, "masked.strip", model="bert", text=TEXT, hide="1", token=token)
    assert view.show(record).payload().header["selection"]["token"] == chosen


def test_the_conditions_are_the_bars_and_the_table(runs):
    view, record = shown(runs, "masked.why", model="bert", text=TEXT, hide="1")
    sight = record.run.sight
    left = next(one.left for one in record.run.candidates if one.hidden)
    assert 0 < left < 1
    shares = [sight.hidden, sight.causal, left, sight.visible]
    bars = view.show(record)
    assert bars.values[0, 0].tolist() == pytest.approx(shares, rel=1e-6)
    (frame,) = bars.frames
    assert [row.chosen for row in frame.rows] == [True, False, False, False]
    assert frame.rows[2].label == "GPT, trained with that mask"
    with_mask = f"GPT was trained with such a mask and gives it {bars.format_value(left)}"
    assert with_mask in str(bars.alt)
    texts = written(view, record)
    assert {row.label for row in frame.rows} | set(map(bars.format_value, shares)) <= set(texts)
    table = rows(view, record)
    assert table[0] == ["condition", "probability of cat"]
    assert [line[0] for line in table[1:]] == [row.label for row in frame.rows]
    assert [float(line[1]) for line in table[1:]] == shares


def test_a_text_without_a_word_is_shown_as_it_is_read(runs):
    view, record = shown(runs, "masked.unread", model="bert", text="🙂🙂")
    chips = view.show(record).payload().header["tokens"]
    assert [chip["label"] for chip in chips] == ["[CLS]", "[UNK]", "[SEP]"]
    assert str(view.describe(record)) == "BERT reads: [CLS]  [UNK]  [SEP]"
    assert rows(view, record)[1:] == [["0", "[CLS]"], ["1", "[UNK]"], ["2", "[SEP]"]]


@pytest.mark.parametrize(
    ("text", "left_out"),
    [("🙂🙂", False), ("\u200b", False), ("🙂 cat", True), ("[MASK]", True), (TEXT, True)],
)
def test_a_text_with_something_to_hide_is_not_shown_as_one_without(runs, text, left_out):
    view, record = shown(runs, "masked.wordless", model="bert", text=text)
    assert view.absent(record) == left_out
    view, record = shown(runs, "masked.unread", model="bert", text=text)
    assert not view.absent(record)  # in a lesson, which is about what is read


def strip_of(runs, **values):
    """The view and its record."""
    return shown(runs, "masked.strip", **{"text": TEXT, "model": "bert", **values})


def test_the_strip_marks_hidden_words_and_keeps_marks_of_the_model_fixed(runs):
    view, record = strip_of(runs, text="The [MASK] told Lothlorien", hide="0,2")
    strip = view.show(record)
    payload = strip.payload().header
    assert "".join(words for words, _role in payload["heading"]) == strip.title
    lothlorien = record.run.words[2]
    assert payload["marked"] == [1, *lothlorien]
    assert payload["marked_label"] == "[MASK]"
    fixed = [at for at, chip in enumerate(payload["tokens"]) if chip["fixed"]]
    assert fixed == [0, 2, len(record.run.tokens) - 1]  # [CLS], the typed [MASK], [SEP]
    assert len({payload["tokens"][at]["group"] for at in lothlorien}) == 1
    assert "The" in payload["tokens"][1]["title"]  # what was typed, before it was lower-cased


def test_the_file_hides_the_words_that_the_screen_hides(runs):
    view, record = strip_of(runs, hide="1,4")
    texts = written(view, record)
    assert texts.count("[MASK]") == 2
    assert {"cat", "dog"} <= set(texts)  # beneath
    dashed = [one for one in drawn(view, record, "rect") if one.get("stroke-dasharray")]
    assert len(dashed) == 2
    light = PALETTES["light"]
    looked = view.show(record).tokens[record.run.looked[0]].label
    assert looked == "cat"  # which is selected, the other marked only
    assert [one.get("stroke") for one in dashed] == [light.accent, light.warning]
    assert str(view.describe(record)) in " ".join(texts)


def test_what_a_browser_says_is_marked_becomes_a_setting(runs):
    view, record = strip_of(runs, hide="1")
    acts = view.acts(record)["marked"]
    assert acts[""] == {"hide": "none"}  # nothing is marked any more
    assert acts["*"] == {"hide": "{}"}  # the numbers of the words, which are the chips' groups
    groups = [chip["group"] for chip in view.show(record).payload().header["tokens"]]
    for n, word in enumerate(record.run.words):
        assert [at for at, group in enumerate(groups) if group == n] == [*word]
    _view, again = strip_of(runs, hide=acts["*"]["hide"].format("1,4"))
    assert again.run.hidden == (1, 4)


@pytest.mark.parametrize("said", ["x", "1,x", "-1", "None", "99999", "1" + ",1" * 128])
def test_what_no_strip_would_say_is_no_setting(said):
    params, problems = parse(Hiding, {"hide": said})
    assert params.hide == "auto"
    assert len(problems) == 1


def test_a_setting_comes_back_from_a_link():
    assert parse(Hiding, {"hide": "1,4"})[0].hide == "1,4"
    for wrong in ("1;4", "<script>", "-1", "1,", "99999", ",".join(["1"] * 200)):
        params, (problem,) = parse(Hiding, {"hide": wrong})
        assert params.hide == "auto"
        assert problem.name == "hide"


def test_nothing_hidden_reads_as_such(runs):
    view, record = strip_of(runs, hide="none")
    assert "Nothing is hidden" in str(view.describe(record))


@pytest.mark.parametrize("hide", ["1", "none"])
def test_a_word_too_long_for_the_causal_model_is_said_to_be_so(runs, hide):
    view, record = strip_of(runs, text="The " + "l" * 20, hide=hide, token="2")
    n = max(len(spelling.pieces) for spelling in record.truth.spellings)
    assert n > MAX_PIECES
    reading = str(view.describe(record))
    assert f"It needs {n} tokens for “{'l' * 20}”: too many to compute a probability." in reading


def test_the_table_says_which_tokens_are_hidden(runs):
    view, record = strip_of(runs, text="The [MASK] told a cat", hide="0")
    table = rows(view, record)
    assert table[0] == ["position", "token", "hidden"]
    assert [line[2] for line in table[1:4]] == ["False", "True", "True"]
    assert len(table) == 1 + len(record.run.tokens)


def test_a_weak_guess_and_a_win_of_the_left_side_are_said(runs):
    view, record = shown(runs, "masked.strip", model="bert", text="The [MASK] sat", hide="none")
    weak = record.best("both").both < WEAK
    assert ("does not know it" in str(view.describe(record))) == weak
    view, record = shown(runs, "masked.strip", model="bert", text="The cat sat", hide="1")
    left = record.truth.both < record.truth.left
    assert ("does not always win" in str(view.describe(record))) == left


def beside_of(runs, **values):
    """The view and its record."""
    return shown(runs, "masked.beside", **{"text": TEXT, "model": "bert", **values})


def payload_of(view, record):
    """As the browser gets it."""
    return unpack(view.show(record).payload().pack())


def test_both_bars_of_a_word_are_the_two_probabilities(runs):
    view, record = beside_of(runs, hide="4")
    payload = payload_of(view, record)
    (frame,) = payload.header["frames"]
    both, left = payload.arrays["probs"][0]
    by_text = {candidate.text: candidate for candidate in record.run.candidates}
    assert len(frame["rows"]) == len(by_text) == len(both)
    for row, p, q in zip(frame["rows"], both, left, strict=True):
        candidate = by_text[row["id"]]
        assert p == pytest.approx(candidate.both, nan_ok=True)
        assert q == pytest.approx(candidate.left)
        assert row["chosen"] == candidate.hidden
    # The hidden word is never folded away.
    assert [row["chosen"] for row in frame["rows"]].index(True) < payload.header["limit"]


def test_a_word_that_is_named_is_among_the_rows_that_are_seen(runs):
    view, record = beside_of(
        runs, text="The untranslatability of saudade bothers linguists", hide="3"
    )
    named = {one.text for one in (record.truth, record.best("both"), record.best("left"))}
    seen = view.show(record).frames[0].rows[:N_ROWS]
    assert len(named) == 3
    assert named <= {row.id for row in seen}


def test_the_product_stands_in_the_hover(runs):
    view, record = beside_of(runs, text="The cat told Lothlorien", hide="3")
    row = next(one for one in view.show(record).frames[0].rows if one.chosen)
    truth = next(candidate for candidate in record.run.candidates if candidate.hidden)
    for spelling in truth.spellings:
        assert percent(spelling.prob) in row.titles[1]
        assert row.titles[1].count(" × ") >= len(spelling.pieces)


def test_a_word_that_does_not_fit_the_gap_says_so(runs):
    view, record = beside_of(runs, text="The cat told Lothlorien", hide="3")
    titles = {row.id: row.titles[0] for row in view.show(record).frames[0].rows}
    unfit = [c.text for c in record.run.candidates if math.isnan(c.both)]
    assert unfit
    assert all("pieces long" in titles[text] for text in unfit)


@pytest.mark.parametrize("hide", ["1", "none"])
def test_a_word_too_long_for_the_other_model_is_said_to_be_so_beside(runs, hide):
    view, record = beside_of(runs, text="The " + "l" * 20, hide=hide, token="2")
    n = max(len(spelling.pieces) for spelling in record.truth.spellings)
    assert n > MAX_PIECES
    payload = payload_of(view, record)
    (frame,) = payload.header["frames"]
    at = next(at for at, row in enumerate(frame["rows"]) if row["chosen"])
    assert np.isnan(payload.arrays["probs"][0, 1, at])
    assert f"needs {n} tokens" in frame["rows"][at]["titles"][1]
    assert "GPT needs too many tokens for this word" in frame["note"]
    assert "nan" not in to_csv(view.values(record)).lower()


def test_both_series_are_in_the_file_with_their_note(runs):
    view, record = beside_of(runs, hide="4")
    bars, texts = view.show(record), written(view, record)
    assert {series.label for series in bars.series} <= set(texts)
    assert {row.label for row in bars.frames[0].rows} <= set(texts)
    assert bars.frames[0].note in texts
    for of_model in ("both", "left"):
        assert percent(getattr(record.best(of_model), of_model)) in texts


def test_every_word_is_in_the_table(runs):
    view, record = beside_of(runs, hide="4")
    table = rows(view, record)
    assert table[0] == ["word", "hidden word", "bert", "gpt", "spellings"]
    for line, word in zip(table[1:], record.run.candidates, strict=False):
        assert line[0] in (word.text, f"'{word.text}")
        assert line[1] == str(word.hidden)
        found = [float(cell or "nan") for cell in line[2:4]]
        assert found == pytest.approx([word.both, word.left], rel=1e-12, nan_ok=True)
        assert line[4].count(": ") >= len(word.spellings)
    assert view.values(record)["covered"].array.tolist() == list(record.run.covered)
    assert view.values(record)["both"].value == record.truth.both


def each_of(runs, **values):
    """The view and its record."""
    return shown(runs, "masked.each", **{"text": TEXT, "model": "bert", **values})


def test_the_rows_of_each_mask_are_its_pieces(runs):
    view, record = each_of(runs, hide="1,4")
    payload = unpack(view.show(record).payload().pack())
    (sheet,) = payload.header["sheets"]
    assert sheet["rows"]["ids"] == [2, 5]
    assert sheet["cols"]["labels"] == ["1", "2", "3", "4", "5"]  # by how likely they are, ...
    assert not set(sheet["cols"]["labels"]) & set(written(view, record))  # ... which goes unsaid
    for row, mask in zip(payload.arrays["probs"], record.run.masks, strict=True):
        assert row == pytest.approx(mask.probs[:5], rel=1e-6)


def test_every_piece_of_every_gap_is_in_the_table(runs):
    view, record = each_of(runs, hide="1,4", token="5")
    values = view.values(record)
    assert values["original"].array.tolist() == ["cat", "dog"]
    for at, mask in enumerate(record.run.masks):
        assert values["original_probability"].array[at] == mask.prob
        assert values["original_rank"].array[at] == mask.rank
        np.testing.assert_array_equal(values["probability"].array[at], mask.probs)
        assert values["piece"].array[at].tolist() == [t.label for t in mask.tokens]
    assert values["probability"].value == record.run.masks[1].probs[0]  # of the gap looked at
    table = rows(view, record)
    assert table[0] == ["position", "hidden piece", "its probability", "its rank"]
    assert [line[:2] for line in table[1:3]] == [["2", "cat"], ["5", "dog"]]
    assert ["position", "rank", "piece", "probability"] in table


def test_a_typed_mask_hides_no_word_that_is_known(runs):
    view, record = each_of(runs, text="The [MASK] sat", hide="none")
    values = view.values(record)
    assert values["original"].array.tolist() == [""]
    assert np.isnan(values["original_rank"].array).all()
    assert "2 [MASK]" in written(view, record)


def test_the_words_in_the_cells_are_in_the_file(runs):
    view, record = each_of(runs, hide="1,4")
    texts = written(view, record)
    for mask in record.run.masks:
        assert {token.label for token in mask.tokens[:5]} <= set(texts)


def test_nothing_hidden_is_an_empty_matrix_that_says_so(runs):
    view, record = each_of(runs, hide="none")
    assert str(view.describe(record)) == "nothing is hidden."
    assert view.absent(record)  # on a page
    matrix = view.show(record)
    payload = unpack(matrix.payload().pack())
    assert payload.arrays["probs"].shape == (0, 5)
    assert "".join(part for part, _role in payload.header["sheets"][0]["axes"]) == matrix.alt
    assert matrix.alt in written(view, record)
    assert view.values(record)["probability"].array.size == 0
    assert rows(view, record) == [
        ["position", "hidden piece", "its probability", "its rank"],
        [],
        ["position", "rank", "piece", "probability"],
    ]

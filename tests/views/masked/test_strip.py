"""The text with its hidden words: what is marked, and what a browser may say."""

from __future__ import annotations

import pytest

from core.decoding.words import MAX_PIECES
from core.figures.theme import PALETTES
from core.views.masked.gap import Hiding
from core.views.params import parse
from core.views.weak import WEAK
from tests.views.records import drawn, rows, shown, written

TEXT = "The cat told the dog a story."


def of(runs, **values):
    """The view and its record."""
    return shown(runs, "masked.strip", **{"text": TEXT, "model": "bert", **values})


def test_the_strip_marks_hidden_words_and_keeps_marks_of_the_model_fixed(runs):
    view, record = of(runs, text="The [MASK] told Lothlorien", hide="0,2")
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
    view, record = of(runs, hide="1,4")
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
    view, record = of(runs, hide="1")
    acts = view.acts(record)["marked"]
    assert acts[""] == {"hide": "none"}  # nothing is marked any more
    assert acts["*"] == {"hide": "{}"}  # the numbers of the words, which are the chips' groups
    groups = [chip["group"] for chip in view.show(record).payload().header["tokens"]]
    for n, word in enumerate(record.run.words):
        assert [at for at, group in enumerate(groups) if group == n] == [*word]
    _view, again = of(runs, hide=acts["*"]["hide"].format("1,4"))
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
    view, record = of(runs, hide="none")
    assert "Nothing is hidden" in str(view.describe(record))


@pytest.mark.parametrize("hide", ["1", "none"])
def test_a_word_too_long_for_the_causal_model_is_said_to_be_so(runs, hide):
    view, record = of(runs, text="The " + "l" * 20, hide=hide, token="2")
    n = max(len(spelling.pieces) for spelling in record.truth.spellings)
    assert n > MAX_PIECES
    reading = str(view.describe(record))
    assert f"It needs {n} tokens for “{'l' * 20}”: too many to compute a probability." in reading


def test_the_table_says_which_tokens_are_hidden(runs):
    view, record = of(runs, text="The [MASK] told a cat", hide="0")
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

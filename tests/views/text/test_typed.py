"""What is said of a text that was typed, by the machines that ship."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest

from core import zoo
from core.predict import next_tokens
from core.runs.kinds.remarks import Remark, RemarksRequest
from core.runs.store import Runs
from core.show import show
from core.views.text.typed import remarks_on

READERS = [name for name in zoo.shelf() if zoo.blueprint(name).reads_text]
FILL = ("bert", "t5", "bart")


@cache
def runs() -> Runs:
    return Runs()


def remarks(name: str, text: str) -> dict[str, Remark]:
    found = runs().get(RemarksRequest(name, text), "cpu").remarks
    assert len({one.kind for one in found}) == len(found)
    return {one.kind: one for one in found}


def words(name: str, text: str) -> str:
    return " ".join(
        str(one.text) for one in remarks_on(runs().get(RemarksRequest(name, text), "cpu"), name)
    )


@pytest.mark.parametrize("name", READERS)
def test_nothing_is_said_of_an_ordinary_text(name):
    assert remarks(name, "The cat sat on the mat.") == {}


@pytest.mark.parametrize("name", READERS)
def test_what_is_mended_needs_no_mending(name):
    for text in ("Once upon a ", "He ate his ___. ", "a [mask] b <extra_id_0>", "a " * 700):
        for one in remarks(name, text).values():
            if one.mended:
                assert one.kind not in remarks(name, one.mended), (text, one)


def test_a_blank_at_the_end_is_said_with_what_it_does():
    blank = remarks("gpt", "Once upon a ")["blank"]
    assert blank.mended == "Once upon a"
    gpt = runs().model("gpt", "cpu")
    for text, guess in zip(("Once upon a ", "Once upon a"), blank.guesses, strict=True):
        (best,) = next_tokens(gpt, text, 1)
        assert guess.word.replace("·", " ") == best.token
        assert guess.share == pytest.approx(best.prob, abs=1e-4)
    assert "it is “·time”, with > 99.9 %" in words("gpt", "Once upon a ")
    assert "blank" not in remarks("bert", "Once upon a ")  # it reads no blanks
    assert remarks("t5", "Once upon a ")["blank"].guesses is None  # it does not continue it


@pytest.mark.parametrize("name", FILL)
@pytest.mark.parametrize(
    "typed", ["[mask]", "<mask>", "___", "<extra_id_0>", "[blank]", "{MASK}", "MASK"]
)
def test_whatever_is_typed_to_hide_a_word_becomes_the_mark_that_hides_one(name, typed):
    found = remarks(name, f"The dog ate his {typed}.")["hides"]
    assert found.mended == "The dog ate his [MASK]."
    model = runs().model(name, "cpu")
    tokens = model.tokens(found.mended)
    assert [one.id for one in tokens if one.special and one.end > one.start] == (
        [model.tokenizer.hiding[0]]
    )
    assert ("<extra_id_0>." in words(name, f"He ate {typed}.")) == (name == "t5")
    assert remarks(name, "The dog ate his [MASK].") == {}


@pytest.mark.parametrize("name", [one for one in READERS if one not in FILL])
def test_who_fills_no_gaps_says_so(name):
    assert "gap" in remarks(name, "The dog ate his ___.")
    assert "named" in remarks(name, "a [SEP] b")


@pytest.mark.parametrize("name", READERS)
def test_of_a_text_of_which_nothing_is_read_that_is_said(name):
    assert set(remarks(name, "")) == set(remarks(name, " \n")) == {"nothing"}
    bytewise = runs().model(name, "cpu").tokenizer.family == "byte_bpe"
    thumb = remarks(name, "👍")
    assert set(thumb) == ({"unread"} if bytewise else {"nothing"})
    assert "👍" in words(name, "👍")
    assert remarks(name, "Hi 👍")["unread"].found == ("👍",)


@pytest.mark.parametrize("name", READERS)
def test_letters_that_came_apart_are_composed_and_said(name):
    apart = unicodedata.normalize("NFD", "Un café à côté.")
    assert remarks(name, apart)["composed"].found == ("é", "à", "ô")
    model = runs().model(name, "cpu")
    assert "unread" not in remarks(name, apart) or "unread" in remarks(name, "Un café à côté.")
    assert model.fit(apart)[0] == "Un café à côté."


def test_the_reading_of_a_figure_says_it_too():
    assert "ends with a space" in str(show("predict.next", text="Once upon a ", device="cpu"))
    assert "Nothing was read" in str(show("tune.text", text="👍", device="cpu"))
    assert "Nothing was read" in str(show("tune.text", text="", device="cpu"))
    apart = unicodedata.normalize("NFD", "un café")
    figure = show("text.tokens", text=apart, device="cpu")
    assert "put together: “é”" in str(figure)
    alike = show("text.tokens", text="un café", device="cpu")
    assert figure.svg() == alike.svg()
    assert "put together" not in str(alike)

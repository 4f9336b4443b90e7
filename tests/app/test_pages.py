"""Every page runs, with good and with bad input. The weights are those that ship."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.figures.payload import unpack
from core.language import name_of
from core.shelf.abilities import model_for
from pages.parts.runs import shared_runs
from pages.parts.table import TABLE, of_text
from tests.app.answered import figures

BAD = {
    "empty": "",
    "one token": "a",
    "long": "word " * 2000,
    "awkward": "القط على الحصير والكلب 🙂👩‍👩‍👧‍👦🏳️‍🌈 é a\x00b\x07c\u200bd\u202ee "
    "<script>alert(1)</script> <b>&amp;</b> **bold** $x^2$ <|endoftext|> [MASK] [CLS] [SEP]",
}


def started(file: str) -> AppTest:
    """The app as a browser asks for it that was given a page's address; it has not run yet."""
    app = AppTest.from_file("../../pages/frame.py", default_timeout=60)
    (address,) = (row.address for row in TABLE if row.file == file)
    app._page_hash = calc_hash(address)
    return app


def opened(file: str, **query: str) -> AppTest:
    """The app with a page open, as from a link."""
    app = started(file)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    return app


def check(app: AppTest) -> None:
    assert not app.exception, [e.value for e in app.exception]


def as_shown(words: str) -> str:
    """A notice as people read it, without what makes it harmless (``figures.text.harmless``)."""
    return re.sub(r"\\(?=[\W_])|\u2060", "", words)


def headers(app: AppTest, component: str) -> list[dict[str, Any]]:
    """What every component of a kind is given."""
    found = (one.proto for one in app.get("bidi_component"))
    return [unpack(p.bytes).header for p in found if p.component_name.endswith(f".{component}")]


def in_browser(app: AppTest) -> dict[str, Any]:
    """What the browser is told of the page: what its address says, and what it opens on."""
    (page,) = headers(app, "link")
    return page


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_opens_on_a_finished_example_and_each_control_says_what_it_is(row):
    app = opened(row.file)
    check(app)
    assert not app.error
    kinds = (app.slider, app.number_input, app.selectbox, app.radio, app.checkbox, app.toggle,
             app.text_input, app.text_area, app.button_group)  # fmt: skip
    assert [one.key for kind in kinds for one in kind if not one.label] == []
    asked = [one for figure in figures(app) for one in figure.controls]
    assert [one["name"] for one in asked if not one["label"]] == []


@pytest.mark.parametrize("model", ["gpt", "bert", "no-such-model"])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_opens_with_every_model(row, model):
    check(opened(row.file, model=model))


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_takes_any_text(row, text):
    check(opened(row.file, text=text))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_survives_a_damaged_link(row):
    app = opened(
        row.file, layer="99999", head="-3", token="abc", key="1e9", step="∞", stage="x",
        made="9e9", cut="-4", norm_step="one", temperature="nan", device="tpu",
        mask="painted:3:!!", z="%%%", unknown="1",
    )  # fmt: skip
    check(app)


def changes_said(app: AppTest) -> list[str]:
    """What the page says that a tokenizer changed in a text."""
    said = ["".join(text for text, _role in one.said.get("changes", ()))
            for one in figures(app) if "changes" in one.spec["says"]]  # fmt: skip
    return list(filter(None, said))


# Some pages read no text, tokenization shows what each model changes in the model's strip, and the
# film's models spell whatever is typed.
WITHOUT_A_RUN = ("models", "glossary", "lessons", "tokenization", "film")  # of the text in the bar
READERS = [row for row in TABLE if row.address not in WITHOUT_A_RUN and of_text(row)]


@pytest.mark.parametrize("row", READERS, ids=lambda row: row.file)
def test_what_a_tokenizer_changes_is_said_on_every_page(row):
    app = opened(row.file, model="bert", text="Éva saw a\x00 [MASK] 🙂", first="", second="")
    check(app)
    name = name_of(model_for("bert", row.needs))
    line = f"{name} changes the text. Accents removed: É → e. Left out: ‹U+0000›."
    # T5 leaves the accents, and others spell whatever is typed.
    same = row.needs.ability in ("next_token", "translate", "damaged")
    assert [one.partition(" Not in")[0] for one in changes_said(app)] == ([] if same else [line])
    # What has no entry is said once, under the box.
    (bar,) = headers(app, "runbar")
    under = ["".join(text for text, _role in one["said"]) for one in bar["remarks"]]
    assert any("no entry for" in one and "🙂" in one for one in under), under
    assert not any("🙂" in one for one in changes_said(app))


@pytest.mark.parametrize("row", READERS, ids=lambda row: row.file)
def test_nothing_is_said_of_a_text_that_is_read_as_it_is(row):
    app = opened(row.file, model="bert", text="a cat", first="", second="", batch="a dog")
    assert changes_said(app) == []


def test_what_is_changed_in_further_texts_is_said_beside_them():
    app = opened("predictions/masked_word.py", text="a cat", first="É", second="Ok")
    said = "BERT changes the text. Changed to lower case: O → o. Accents removed: É → e."
    assert changes_said(app) == [said]
    app = opened("attention/masks.py", model="bert", text="a", mask="padding", batch="é\nb")
    assert changes_said(app) == ["BERT changes the text. Accents removed: é → e."]
    # BERT's stream, and its shuffled tokens, stand beside GPT's.
    for file in ("block/layernorm.py", "text/positions.py"):
        app = opened(file, model="gpt", text="é")
        assert changes_said(app) == ["BERT changes the text. Accents removed: é → e."], file


def letters(app: AppTest) -> str:
    """What the page says the letters in its shapes stand for."""
    asked = [one.said["letters"] for one in figures(app) if "letters" in one.spec["says"]]
    said = [text.value for text in app.markdown]
    (found,) = [one for one in (*asked, *said) if one.startswith(("T positions", "Tq "))]
    return found


TOPICS = [row for row in READERS if row.file != "home.py"]


@pytest.mark.parametrize("row", TOPICS, ids=lambda row: row.file)
def test_the_letters_of_the_shapes_are_said(row):
    app = opened(row.file, text="A cat sat", model="gpt")
    check(app)
    # with the marks around them
    n = {"masked_words": "5", "classify_text": "5", "translate": "4 (source)"}
    if row.needs.ability == "damaged":
        n["damaged"] = f"{len(shared_runs().model('t5').tokens('A cat sat'))} (source)"
    assert f"here {n.get(row.needs.ability, '4')}" in letters(app)
    shapes = " ".join(text.value for text in app.markdown if re.match(r"`[\w.{}]+` \(", text.value))
    used = set(re.findall(r"\b(T|Tq|Tk|D|H|Dh|F|V|L)\b(?= ×|\))", shapes))
    said = {part.split()[0] for part in letters(app).split(" · ")}
    assert used
    assert said == used | ({"D", "H"} if "Dh" in used else set())


def test_the_letters_count_padding_and_the_heads_are_put_side_by_side():
    app = opened("attention/masks.py", text="A cat", mask="padding", batch="one two three four")
    check(app)
    assert letters(app) == (
        "Tq queries, one per position, here 5 · Tk keys, one per position, here 5 · H heads, here 4"
    )
    app = opened("attention/all_heads.py")
    (more,) = [one for one in figures(app) if "more" in one.spec["notes"]]
    said = "".join(part for kind, note in more.said["notes"] for part, _role in note)
    assert "256 components, cut into 4 heads of 64 each" in said
    assert "4 · 64 = 256 components, and W_O mixes them" in said

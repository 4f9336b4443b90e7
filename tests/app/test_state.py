"""The address of a page: what it says is what is shown, and what strangers write into it."""

from __future__ import annotations

import base64
import dataclasses
import json
import zlib

import pytest
from streamlit.testing.v1 import AppTest

from core import views
from core.answers.link import PACKED, unpack
from core.answers.names import Layered, PageNames, in_words
from core.language import name_of
from core.shelf.abilities import sizes
from core.views.params import OnText, declared
from tests.app.answered import figures
from tests.app.test_pages import as_shown, check, headers, in_browser, opened

NEXT, HEADS, STEPS = (
    "predictions/next_token.py", "attention/all_heads.py", "attention/step_by_step.py",
)  # fmt: skip
LONG = " ".join(f"word{n}" for n in range(420))  # too long for a plain link, not for a packed one


def link(app: AppTest) -> dict[str, str]:
    """What the address says that the browser makes of a page: its values, set right."""
    found = in_browser(app)["values"]
    for mends in headers(app, "mends"):
        found |= mends["values"]
    return {name: value for name, value in found.items() if value is not None}


def values(app: AppTest) -> dict[str, str]:
    """What a page shows: what its address says, and what it opens on besides."""
    return in_browser(app)["opened"] | link(app)


def notices(app: AppTest) -> list[str]:
    return [as_shown(element.value) for element in (*app.warning, *app.info)]


def packed(data: object) -> str:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(zlib.compress(raw)).decode().rstrip("=")


# --- links ---------------------------------------------------------------------------------------


def page_classes():
    """Whatever can be read from a link."""
    return {*(view.Params for view in views.all_views().values()), PageNames, Layered}


def test_whatever_may_be_long_has_a_name_that_learners_know():
    long = {
        (field.name, declared(cls, field.name).label)
        for cls in page_classes()
        for field in dataclasses.fields(cls)
        if field.type in (str, "str") and declared(cls, field.name).choices is None
    }
    assert {"text", "mask", "batch", "corpus", "vector"} <= {name for name, _label in long}
    assert {name for name, label in long if not label} == set()


@pytest.mark.parametrize(
    "damaged",
    ["%%%", "é", "", "AAAA", packed(b"{"), packed([1, 2]), packed(b"[" * 100_000),
     packed(b"\xff\xfe"), packed({"text": LONG})[:-8], packed(b" " * 1_000_000), "A" * 9000],
)  # fmt: skip
def test_a_damaged_link_is_said_and_the_rest_of_it_used(damaged):
    found, (problem,) = unpack({PACKED: damaged, "layer": "3"})
    assert found == {"layer": "3"}
    assert problem.name == PACKED
    assert "copied whole" in problem.sentence()


def test_a_packed_link_holds_texts_only_and_whole_characters():
    found, problems = unpack({PACKED: packed({"text": "\ud83d half", "layer": 3, "x": None})})
    assert found == {"text": "? half"}
    assert problems == []


# --- in the app ----------------------------------------------------------------------------------


def test_a_deep_link_is_what_is_shown_and_stays_the_link():
    query = {"text": "She opened the door", "temperature": "1.5", "new": "3", "token": "2"}
    app = opened(NEXT, **query)
    check(app)
    assert query.items() <= values(app).items()
    assert link(app) == query
    (temperature,) = (
        one for figure in figures(app) for one in figure.controls if one["name"] == "temperature"
    )
    assert temperature["value"] == "1.5"


def test_what_a_click_inside_the_app_brings_is_never_wrong():
    """What was chosen on other pages, for other models (assets/components/shared/along.js)."""
    brought = {"layer": "99", "head": "40", "term": "qwx", "merges": "41"}
    assert sum("The link asks for" in one for one in notices(opened(HEADS, **brought))) == 2
    app = opened(HEADS, **brought, along="")
    check(app)
    assert not any("The link asks for" in one for one in notices(app))
    assert link(app) == {"layer": "99", "head": "40"}


def test_a_damaged_packed_link_is_said_and_the_rest_opens():
    app = opened(STEPS, z="%%%", layer="2")
    check(app)
    assert any("This link is incomplete." in notice for notice in notices(app))
    assert link(app) == {"layer": "2"}


def test_hostile_values_are_set_right_and_reported_once_each():
    wrong = {"layer": "-7", "temperature": "nan", "top_k": "1e9", "new": "<script>", "cut": "",
             "device": "toaster", "seed": "９9x", "token": "7" * 5000}  # fmt: skip
    app = opened(NEXT, **wrong)
    check(app)
    said = notices(app)
    for name in wrong:
        assert sum(f" {in_words(name)} = “{wrong[name][:40]}”" in one for one in said) == 1, name
    assert all(len(notice) < 300 for notice in said)
    assert wrong.items().isdisjoint(values(app).items())


def test_a_block_or_head_that_the_model_does_not_have_is_said_and_set_right():
    last = {name: str(most) for name, most in sizes("gpt").items()}
    assert set(last) == {"layer", "head"}
    wrong = {"layer": "99", "head": str(int(last["head"]) + 1)}
    app = opened(HEADS, **wrong, model="gpt")
    check(app)
    said = [notice for notice in notices(app) if "The link asks for" in notice]
    assert sorted(said) == [
        f"The link asks for {in_words(name)} = “{wrong[name]}”. It must be between 0 and "
        f"{last[name]}, so “{last[name]}” is used."
        for name in ("head", "layer")
    ]
    assert link(app) == {**last, "model": "gpt"}
    assert not any("The link asks for" in notice for notice in notices(opened(HEADS, **last)))


def test_how_the_heads_are_looked_at_is_in_the_link():
    view_of = {"score": "induction", "drawn": "lines", "heads": "1:0,3", "every": "1",
               "head": "1"}  # fmt: skip
    app = opened(HEADS, **view_of)
    check(app)
    assert link(app) == view_of
    (drawn,) = [one for figure in figures(app) for one in figure.controls if one["name"] == "drawn"]
    assert drawn["value"] == "lines"
    assert [one.spec["view"] for one in figures(app) if one.spec["when"]] == ["attention.lines"]
    wrong = {"score": "volume", "drawn": "<b>", "heads": "1:0,", "every": "some", "head": "1"}
    app = opened(HEADS, **wrong)
    check(app)
    for name in ("score", "drawn", "heads", "every"):
        asked = f"The link asks for {in_words(name)} = “{wrong[name]}”"
        assert sum(asked in notice for notice in notices(app)) == 1, name
    assert link(app) == {"head": "1"}


@pytest.mark.parametrize(
    ("file", "shown"), [("home.py", "GPT"), ("predictions/masked_word.py", "BERT")]
)
def test_a_model_that_is_not_there_becomes_the_one_a_page_opens_on(file, shown):
    app = opened(file, model="nope")
    check(app)
    assert any(f"“nope” here; {shown} is shown" in notice for notice in notices(app))
    (wanted,) = {one.spec["asks"]["model"] for one in figures(app)}
    (bar,) = headers(app, "runbar")
    assert bar["model"] == wanted
    assert name_of(wanted) == shown
    assert bar["machine"]["said"].startswith(f"{shown}, ")


def test_an_endless_text_is_cut_and_said():
    app = opened("home.py", text="word " * 9000)
    check(app)
    assert any("at most 20,000 characters" in notice for notice in notices(app))
    assert len(values(app)["text"]) == 20_000


def test_every_shared_name_has_one_default():
    """The same name on two pages must not mean two things."""
    both = (OnText(), PageNames())
    assert OnText().model == PageNames().model
    shared = {field: getattr(one, field) for one in both for field in one.__dataclass_fields__}
    for name, view in views.all_views().items():
        for field in ("text", "device", "view"):
            if field in view.Params.__dataclass_fields__:
                assert getattr(view.Params(), field) == shared[field], name


def test_a_page_opens_on_what_its_row_says_until_something_is_chosen():
    file = "predictions/translate.py"
    app = opened(file, model="transformer")
    found = values(app)
    assert (found["layer"], found["head"], found["token"]) == ("0", "0", "2")
    assert link(app) == {"model": "transformer"}  # a bare address stays bare
    app = opened(file, model="transformer", layer="1")
    assert values(app)["layer"] == link(app)["layer"] == "1"


def test_what_a_page_is_made_of_needs_its_script():
    page = in_browser(opened(HEADS))
    assert {"model", "language", "device", "view"} <= set(page["restarts"])
    assert set(page["selects"]).isdisjoint({"text", "scaling"})
    assert {"token", "key"} <= set(page["selects"])

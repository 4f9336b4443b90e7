"""A stranger's link has nothing loaded but the shelf, and puts no link or HTML of his on a page."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from core import views, zoo
from core.answers.names import declaring
from core.checkpoints import hugging_face, native
from core.figures.text import harmless
from core.views.params import declared, parse
from pages.parts import runs
from pages.parts.table import TABLE
from tests.app.asked import asked
from tests.app.test_pages import as_shown, check, opened

DIRECTORY = str(zoo.SHELF / "gpt")  # which could be loaded and run
ELSEWHERE = ("hf:any/repo", "/tmp", DIRECTORY, "../gpt")
EVIL = "[Your session expired: sign in](https://evil.example) <b>x</b> www.evil.example"
VIEWS = views.all_views()


def free(cls: type) -> list[str]:
    """The fields in which any text can stand, so that it might name a model."""
    return [
        field.name
        for field in dataclasses.fields(cls)
        if field.type == "str" and declared(cls, field.name).choices is None
        and field.name != "text"
    ]  # fmt: skip


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked for elsewhere than on the shelf."""
    found: list[str] = []
    load, read = zoo.load, native.load

    def noted(what: object, *_more: object) -> Any:
        found.append(str(what))
        raise AssertionError(f"{what} was asked for")

    def loaded(name: str, device: str = "auto") -> zoo.LoadedModel:
        return load(name, device) if name in zoo.shelf() else noted(name)

    monkeypatch.setattr(zoo, "load", loaded)
    monkeypatch.setattr(
        native, "load", lambda at: read(at) if at.parent in zoo.shelf.__defaults__ else noted(at)
    )
    for name in ("fetch", "load", "is_checkpoint"):
        monkeypatch.setattr(hugging_face, name, noted)
    return found


@pytest.mark.parametrize("name", VIEWS)
def test_no_field_of_a_file_names_another_model(name, fetched):
    """Every field by itself; where it names a model, the answer says that there is none."""
    view = VIEWS[name]
    for field in free(view.Params):
        for elsewhere in ELSEWHERE if field in ("model", "partner") else (DIRECTORY,):
            params, _problems = parse(view.Params, {field: elsewhere})
            named = any(elsewhere in request.models for request in view.requests(params))
            if field not in ("model", "partner") and not named:
                continue
            status, content, _headers = asked(f"/figure/{name}.txt", {field: elsewhere})
            if named:
                assert status == 400
                assert content.startswith(f"{elsewhere}: no such model; on the shelf: ")
            assert status in (200, 400)
    assert not fetched


def test_no_field_of_a_lesson_on_paper_names_another_model(fetched):
    hostile = dict.fromkeys({name for cls in declaring() for name in free(cls)}, DIRECTORY)
    assert {"model", "partner"} <= hostile.keys()
    del hostile["path"]  # is a lesson's own, and no longer than three letters
    status, content, _headers = asked("/lesson/attention/scale.html", hostile)
    assert status == 200
    assert DIRECTORY not in content
    assert not fetched


def test_the_apps_own_store_knows_the_shelf_alone(fetched):
    for elsewhere in ELSEWHERE:
        with pytest.raises(zoo.UnknownModelError):
            runs.shared_runs().model(elsewhere)
    assert not fetched


def texts(proto: Message) -> Iterator[str]:
    """Everything that an element says; of a field that is typed in, only what it is called."""
    for field, value in proto.ListFields():
        several = value if field.is_repeated else [value]
        if field.name in ("default", "value", "id", "key"):
            continue
        for one in several:
            if isinstance(one, Message):
                yield from texts(one)
            elif isinstance(one, str):
                yield one


AS_HTML = {"html"}  # what stands there is escaped in another way
DATA = {"bidi_component", "plotly_chart"}  # which the components write as text


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_what_a_link_says_is_text_on_every_page(row, fetched):
    """Also in every field that could name a model: none is asked for."""
    names = {field.name for cls in declaring() for field in dataclasses.fields(cls)}
    app = opened(row.file, **dict.fromkeys(names - {"view", "language"}, EVIL))
    check(app)
    assert not fetched
    for element in app.main:
        bare = element.proto is None or element.type in DATA
        said = [] if bare else list(texts(element.proto))
        for one in said:
            assert "<b>x</b>" not in one, element
            if element.type not in AS_HTML:
                assert "](https" not in one, element
                assert not re.search(r"https://evil|www\.evil", one), element
    assert any(harmless(EVIL)[:40] in warning.value for warning in app.warning)


def test_words_keep_their_looks_and_lose_their_power():
    assert harmless("a cat, 3.5 x: y") == "a cat, 3.5 x: y"
    said = harmless(EVIL + " :red[x] me@evil.example https\\://evil.example")
    for at_work in ("](", "<b>", "https://", "www.", ":red", "@evil"):
        assert at_work not in said
    assert as_shown(said) == EVIL + " :red[x] me@evil.example https://evil.example"

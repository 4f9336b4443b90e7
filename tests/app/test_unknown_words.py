"""What is asked for and is not there: an error, an answer 400 to a file, a sentence on a page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from core import views, zoo
from core.errors import CoreError
from core.shelf.abilities import can
from core.show import show
from core.views.params import Declared, OnStack, declared, parse
from core.views.parts import lacking
from pages.parts import state
from pages.parts.page import unknown
from pages.server import files
from tests.app.test_pages import as_shown, check, opened
from tests.app.test_state import values

WORD = "qwx"
# Any text will do: what is read, typed or looked for.
FREE = {
    "again", "batch", "corpus", "draw_text", "first", "gain", "gradients", "hypothesis", "lines",
    "liked_text", "practice_text", "prefix", "premise", "reference", "second", "sentences",
    "shift", "sought", "target", "task_text", "text", "vector", "eps",
}  # fmt: skip


def closed() -> Iterator[tuple[str, str]]:
    """Every view, and each of its parameters that not any text will do for."""
    for name, view in views.all_views().items():
        for field in dataclasses.fields(view.Params):
            if field.name not in FREE:
                yield name, field.name


CLOSED = list(closed())
# Of views that share their parameters one stands for all, where no run is needed.
READ = {(views.get(view).Params, name): (view, name) for view, name in reversed(CLOSED)}


def by_its_form(view: str, name: str) -> bool:
    """Whether the word is none by what the parameter declares, whichever model runs."""
    allowed: Declared = declared(views.get(view).Params, name)
    return allowed.part is None and not allowed.model and name != "stops"


def test_what_is_free_is_there():
    known = {f.name for one in views.all_views().values() for f in dataclasses.fields(one.Params)}
    assert known >= FREE
    assert len(READ) > 300


@pytest.mark.parametrize("view", views.all_views())
def test_a_program_and_a_file_are_told(view):
    cls = views.get(view).Params
    for name in (name for one, name in CLOSED if one == view):
        if by_its_form(view, name) and READ[cls, name] != (view, name):
            continue
        with pytest.raises(CoreError) as said:
            show(view, **{name: WORD})
        assert WORD in said.value.sentence(), name
        able = {"model": able_to(view)} if hasattr(cls, "model") else {}
        with pytest.raises(CoreError) as said:
            list(files.make(view, "txt", {**able, name: WORD}))
        assert WORD in said.value.sentence(), name


def able_to(view: str) -> str:
    """A model of the shelf that has what a view needs."""
    needs, own = views.get(view).needs, views.get(view).Params().model
    able = [one for one in zoo.shelf() if can(one, needs)]
    return own if own in able else able[0]


def test_a_page_says_it_and_shows_the_default():
    for cls, name in READ:
        params, problems = parse(cls, {name: WORD})
        if by_its_form(*READ[cls, name]):
            assert getattr(params, name) == getattr(cls(), name)
            (problem,) = problems
            assert (problem.name, problem.got) == (name, WORD)
            assert problem.sentence().startswith(f"The link asks for {name} = “{WORD}”. ")
        else:
            assert problems == []  # the page asks the shelf and the model: below


def test_a_page_says_which_part_or_model_of_a_link_is_not_there():
    state.open_at("", {"stack": WORD, "partner": WORD})
    gap = views.get("masked.strip").Params(partner=WORD)
    state.note([*lacking(OnStack(stack=WORD), zoo.blueprint("gpt")), *unknown(gap)])
    assert [(one.name, one.got) for one in state.current_page().problems] == [
        ("stack", WORD), ("partner", WORD),
    ]  # fmt: skip
    for one in state.current_page().problems:
        assert "It must be one of " in one.sentence()
        assert one.sentence().endswith(", so it was left out.")
    assert state.current_page().values == {}


def test_what_was_chosen_for_another_model_is_kept():
    state.open_at("", {"stack": "encoder", "along": ""})
    state.note(lacking(OnStack(stack="encoder"), zoo.blueprint("gpt")))
    assert (state.current_page().problems, state.current_page().values) == (
        [],
        {"stack": "encoder"},
    )


HALF_THERE = {  # what a link asks for, and what of it is used
    "off": ("layer0.ffn+layer99.head0", "layer0.ffn"),
    "swap": ("0~Cat~Dog~~1~cat~dog", "1~cat~dog"),
    "place": ("layer99", ""),
}


def test_home_says_what_a_link_asks_for_and_the_run_does_not_have():
    link = {name: asked for name, (asked, _used) in HALF_THERE.items()}
    app = opened("home.py", text="The cat sat", **link)
    check(app)
    said = [as_shown(one.value) for one in app.warning]
    assert len(said) == len(HALF_THERE)
    for one, (name, (asked, used)) in zip(said, HALF_THERE.items(), strict=True):
        assert f" = “{asked}”. It must be " in one
        assert one.endswith(f"so “{used}” is used." if used else "so it was left out.")
        assert values(app).get(name, "") == used

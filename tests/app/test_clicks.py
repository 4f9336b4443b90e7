"""What a click sends, over the protocol, and that the page is then as a whole run would draw it."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from typing import Any

import pytest
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core import views
from core.figures.assets import modules
from core.figures.payload import unpack
from core.views.params import declared
from pages.parts.table import row_at
from tests.benchmarks.clicks import CLICKS, Clicks
from tests.benchmarks.learner import LINK, Learner
from tests.benchmarks.widgets import Answer, Shown

# What still goes through the script of a page.
SENT = [one for one in CLICKS if not row_at(one.page).live]
# Bytes, but for the names of all pages, with which every run begins; home says two sentences.
SELECTION = 2_200
UNSURE = 200  # of the sentence that home adds where the best guess is a weak one
STUB = 1_000  # of code that brings a component's own
TEXT = {"": "She opened the door and saw the", "translate": "Le chat noir regarde le chien."}


def learn(scenario: Callable[[], Awaitable[None]]) -> None:
    """Carry out what learners do; in a thread of its own, as a browser keeps a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scenario()).result()


def stale(learner: Learner) -> list[str]:
    """The parts further down that a browser would ask for, if they are near."""
    wanted = learner.payload(LINK).header["wanted"]
    keys = learner.keys()
    places = [learner.payload(key).header for key in keys if key.startswith("near-")]
    return [one["part"] for one in places if wanted.get(one["part"], 0) > one["drawn"]]


async def scroll(learner: Learner) -> None:
    """See the whole page, with all that is trained for it."""
    while parts := stale(learner):
        await learner.come_near(parts)
    while learner.timers:
        await learner.tick()


def own_bytes(answer: Answer) -> int:
    """What an answer takes without the list of all pages."""
    kinds = [(ForwardMsg.FromString(one).WhichOneof("type"), len(one)) for one in answer.frames]
    return sum(n for kind, n in kinds if kind != "new_session")


def code_in(answer: Answer) -> list[str]:
    """The components' code, as far as messages bring it."""
    pieces = {path: text[len(text) // 2 :][:60].encode() for path, text in modules().items()}
    return [path for path, piece in pieces.items() if any(piece in one for one in answer.frames)]


# What is of one run; and the field shows what is typed in it by itself.
PASSING = {
    "near": {"drawn"},
    "link": {"run", "session", "rest", "wanted"},
    "runbar": {"run", "session"},
}


def drawn(element: Element) -> dict[str, Any]:
    """What an element shows, by name."""
    kind = element.WhichOneof("type") or ""
    own = getattr(element, kind)
    if kind != "bidi_component":
        return {"kind": kind, "says": re.sub(r"ran in \d+ ms", "", str(own))}
    payload, component = unpack(own.bytes), own.component_name.rpartition(".")[2]
    passing = PASSING.get(component, set()) | {"taken"}
    header = {name: one for name, one in payload.header.items() if name not in passing}
    arrays = {name: array.tobytes() for name, array in payload.arrays.items()}
    return {"kind": kind, "id": own.id, **header, **arrays}


def places(answer: Answer, without: str = "") -> Iterator[tuple[tuple[int, ...], bool]]:
    """Where each element of an answer belongs, and whether there is room.

    Args:
        answer: to a browser that shows nothing yet.
        without: the part of the page of which nothing has come.
    """
    n_children: Counter[tuple[int, ...]] = Counter()
    for message in map(ForwardMsg.FromString, answer.frames):
        if message.WhichOneof("type") != "delta" or message.delta.fragment_id == without:
            continue
        path = tuple(message.metadata.delta_path)
        yield path, path[-1] <= n_children[path[:-1]]
        n_children[path[:-1]] = max(n_children[path[:-1]], path[-1] + 1)


@pytest.mark.parametrize("clicks", SENT, ids=lambda one: one.page or "home")
def test_a_part_that_is_lost_on_its_way_leaves_no_hole(server, clicks: Clicks):
    """Streamlit drops what waits to be sent of a part when that is run anew, and sends the end of
    the whole run before it: the browser would close the hole, and find no room further down."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            opened = await learner.open(clicks.page, clicks.query)
            frames = [ForwardMsg.FromString(one) for one in opened.frames]
            parts = {one.delta.fragment_id for one in frames} - {""}
            assert len(parts) >= 5
            for lost in parts:
                assert not [path for path, room in places(opened, lost) if not room]

    learn(scenario)


SELECTING = [one for one in SENT if one.select]


@pytest.mark.parametrize("clicks", SELECTING, ids=lambda one: one.page or "home")
def test_a_selection_sends_little_and_no_code(server, clicks: Clicks):
    async def scenario() -> None:
        async with Learner(server) as learner:
            opened = await learner.open(clicks.page, clicks.query)
            await scroll(learner)
            assert not code_in(opened)
            for one in learner.components():
                assert len(one.js_content) < STUB
                assert not one.css_content
            for chosen in clicks.select[1:6]:
                answer = await learner.select(chosen, clicks.by)
                assert answer.link
                assert {name: str(value) for name, value in chosen.items()}.items() <= (
                    learner.query.items()
                )
                assert own_bytes(answer) < SELECTION + (0 if clicks.page else UNSURE)
                assert answer.n_runs <= 2
                assert not code_in(answer)
            assert not learner.problems

    learn(scenario)


async def compare(learner: Learner, page: str, what: str) -> None:
    """What is on the page now, and what a run of the whole page draws there."""
    await scroll(learner)
    found = [drawn(one) for one in learner.elements()]
    await learner.open(page, learner.query)
    whole = [drawn(one) for one in learner.elements()]
    assert [one.get("id") for one in found] == [one.get("id") for one in whole], what
    for mine, own in zip(found, whole, strict=True):
        names = {name for name in {**mine, **own} if mine.get(name) != own.get(name)}
        differs = {name: (mine.get(name), own.get(name)) for name in names}
        assert not names, (own.get("id", own["kind"]), what, differs)


WORDS = {
    "heads": "0:1",
    "mask": "none",
    "hide": "1",
    "attention": "self",
    "stack": "blocks",
    "branch": "0",
    "place": "layer5.head3",
}  # of what has no list of choices


def picks(page: str) -> Iterator[tuple[str, Any]]:
    """Whatever can be selected in a figure of a page, and something to select."""
    row = row_at(page)
    every = {field.name: cls for cls in map(params_of, row.views) for field in fields(cls)}
    for name, cls in every.items():
        said, own = declared(cls, name), getattr(cls(), name)
        if said.lives == "browser" or said.picked:
            choices = list(said.choices or ()) or ([0, 1] if own != "" else [WORDS[name]])
            yield name, next(one for one in reversed(choices) if one != own)


def params_of(view: str) -> type[Any]:
    return views.get(view).Params


@pytest.mark.parametrize("clicks", SENT, ids=lambda one: one.page or "home")
def test_what_a_click_draws_and_what_it_leaves_are_the_whole_page(server, clicks: Clicks):
    """No part that shows the change was left as it was."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open(clicks.page, clicks.query)
            for name, value in picks(clicks.page):
                await learner.select({name: value}, clicks.by)
                await compare(learner, clicks.page, f"{name}: {value}")
            if clicks.types:
                await learner.type(TEXT["translate" if clicks.french else ""])
                await compare(learner, clicks.page, "type")
                for _ in range(3):
                    await learner.say("runbar", "action", "undo")
                    await compare(learner, clicks.page, "undo")
                await learner.say("runbar", "action", "reset")
                await compare(learner, clicks.page, "reset")
            assert not learner.problems

    learn(scenario)


def another(shown: Shown) -> Any:
    """Another value for a control."""
    control = getattr(shown.element, shown.kind)
    if shown.kind == "button_group":
        options = [option.content for option in control.options]
        now = list(control.raw_values) or [options[i] for i in control.default]
        return next(option for option in reversed(options) if option not in now)
    value = control.value if control.set_value else control.default
    if shown.kind == "slider":
        return control.min if list(value) != [control.min] else control.max
    if shown.kind == "number_input":
        return value + control.step if value + control.step <= control.max else control.min
    return not value if shown.kind == "checkbox" else f"{value}1"


@pytest.mark.parametrize("clicks", SENT, ids=lambda one: one.page or "home")
def test_every_control_and_every_experiment_draws_all_that_it_changes(server, clicks: Clicks):
    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open(clicks.page, clicks.query)
            await scroll(learner)
            tried: set[str] = set()

            def further(first: str) -> str | None:
                # One that is drawn anew is called "control-code~1": two that move each other
                # would be tried for ever.
                new = [key for key in sorted(learner.keys()) if key.partition("~")[0] not in tried]
                return next((key for key in new if key.startswith(first)), None)

            while key := further("control-") or further("mask-"):
                tried.add(key.partition("~")[0])
                await learner.control(key, another(learner.find(key)))
                await compare(learner, clicks.page, f"{key}: {learner.query}")
            while key := further("try-"):
                tried.add(key.partition("~")[0])
                await learner.press(key)
                await compare(learner, clicks.page, key)
            assert tried or not clicks.types

    learn(scenario)

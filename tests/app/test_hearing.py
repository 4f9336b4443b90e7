"""What is said in the browser counts in its order and once, and only of what was on the screen."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts import hearing
from pages.parts.session import Listener, Moment, Part, Session
from tests.app.test_clicks import learn
from tests.benchmarks.learner import LINK, Learner
from tests.benchmarks.widgets import Answer


def message(n: int, key: str, what: str, value: Any, about: Any = None) -> dict[str, Any]:
    return {"n": n, "key": key, "what": what, "value": value, "about": about}


def taken(learner: Learner) -> int:
    """The last message that the browser hears was heard."""
    return int(learner.payload(LINK).header["taken"])


def shown(answer: Answer) -> list[tuple[str, bool]]:
    """The pages that the runs of an answer were of, and whether all of it was run."""
    news = [ForwardMsg.FromString(one) for one in answer.frames]
    return [
        (one.new_session.page_script_hash, not one.metadata.run.fragment_ids)
        for one in news
        if one.WhichOneof("type") == "new_session"
    ]


def test_a_message_that_names_the_page_before_brings_this_one_whole(server):
    """The browser took away what this page showed, as the message's run named the other: parts of
    this page would find no room there ("Bad delta path index"), and the screen would go white."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("attention", {"text": "The cat"})
            before = learner.script
            await learner.visit("translate")
            here, learner.script = learner.script, before
            answer = await learner.say(LINK, "near", ["unscaled"])
            assert shown(answer)[-1] == (here, True)
            assert learner.script == here

    learn(scenario)


def test_a_click_is_one_run_of_the_parts_that_show_it(server):
    """Where it was heard in a run of its own the browser was told of two, which cost twice."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("attention", {"text": "The cat"})
            dog = message(1, "runbar", "bar", {"text": "The dog"})
            answer = await learner.trigger(LINK, "said", [dog])
            assert shown(answer) == [(learner.script, False)]
            ends = ForwardMsg.FromString(answer.frames[-1])
            assert ends.WhichOneof("type") == "script_finished"
            assert len(ends.metadata.run.fragment_ids) > 2  # the link, what reads it, the address
            assert learner.query == {"text": "The dog"}

    learn(scenario)


@pytest.mark.parametrize("at", ["2", "6"])
def test_a_text_typed_between_the_ten_clicks_is_taken(server, at):
    """What the click asks was looked for while no part was drawn, and the page failed."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("", {"tour": at, "text": "The cat saw the dog"})
            await learner.say("runbar", "bar", {"text": "The dog saw the cat"})
            assert learner.query["text"] == "The dog saw the cat"
            assert not learner.problems

    learn(scenario)


def test_what_was_lost_is_said_again_and_counts_once(server):
    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("next-token", {"text": "The cat"})
            first = message(1, "runbar", "bar", {"text": "The dog"})
            second = message(2, LINK, "selection", {"token": 2})
            await learner.trigger(LINK, "said", [first])
            await learner.trigger(LINK, "said", [first, second])  # before it heard of the first
            assert learner.query == {"text": "The dog", "token": "2"}
            assert taken(learner) == 2
            await learner.trigger(LINK, "said", [message(3, "runbar", "action", "undo")])
            assert learner.query == {"text": "The cat"}  # where she looks is no change
            await learner.trigger(LINK, "said", [first, second, message(4, "no", "such", 1)])
            assert learner.query == {"text": "The cat"}
            assert taken(learner) == 4

    learn(scenario)


@pytest.mark.parametrize("said", [
    None, 7, "x", {"n": 1}, [None, [], "x", {}, {"n": "1"}, {"n": True}],
    [message(1, "runbar", "bar", 3), message(2, "runbar", "bar", {"text": 3}),
     message(3, LINK, "selection", [1]), message(4, LINK, "near", 3), message(5, LINK, "rest", 3),
     message(6, "runbar", "action", {})],
])  # fmt: skip
def test_a_message_may_be_anything(server, said):
    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("next-token", {"text": "The cat"})
            await learner.trigger(LINK, "said", said)
            assert learner.query == {"text": "The cat"}
            assert not learner.problems

    learn(scenario)


def test_a_control_older_than_an_undo_is_no_choice(server):
    """Its message tells all controls as the browser knew them, before it had heard of the undo."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("attention-before", {"text": "The cat"})
            await learner.control("control-layer", 2)
            stale = learner.states()
            await learner.say("runbar", "action", "undo")
            assert learner.query == {"text": "The cat"}
            learner.states(stale)
            await learner.say("runbar", "bar", {"text": "The dog"})
            assert learner.query == {"text": "The dog"}
            await learner.control(learner.key("control-layer"), 2)  # this time by hand
            assert learner.query == {"text": "The dog", "layer": "2"}

    learn(scenario)


def test_a_server_that_knows_nothing_is_told_again(server):
    """As after a restart, or by another worker."""

    async def scenario() -> None:
        async with Learner(server) as learner:
            await learner.open("next-token", {"text": "The cat", "visit": '{"token": 1}'})
            assert learner.query == {"text": "The cat", "token": "1"}
            said = [message(41, LINK, "rest", {"key": "1", "text": "Not this"}),
                    message(42, "runbar", "bar", {"text": "The dog"})]  # fmt: skip
            await learner.trigger(LINK, "said", said)
            assert learner.query == {"text": "The dog", "token": "1"}
            await learner.visit("attention")
            assert learner.query == {"text": "The dog", "token": "1", "key": "1"}
            session = learner.payload(LINK).header["session"]
        async with Learner(server) as other:
            await other.open("next-token")
            assert other.payload(LINK).header["session"] != session

    learn(scenario)


@pytest.mark.parametrize("written", [False, True], ids=["first run", "second run"])
def test_what_a_run_that_was_cut_short_has_not_drawn_is_said_again(monkeypatch, written):
    """A browser comes to a new server and asks for the page twice. A click that was made meanwhile
    ended the first run, or the second, before its button was drawn: it was taken, and lost."""
    session, clicks = Session(), []
    if written:
        session.seen["lessons", ()] = Moment({}, (), 0)
    monkeypatch.setattr(hearing, "own_session", lambda: session)
    monkeypatch.setattr(hearing.state, "aside", contextlib.nullcontext)
    monkeypatch.setattr(hearing, "run_again", lambda _origins: None)
    session.parts[""] = Part(placed=True, due=True, hears={LINK: Listener({"near": clicks.append})})
    said = [message(1, LINK, "near", "far"), message(2, "next", "press", True, 3)]
    hearing.hear(said)
    assert (clicks, session.taken) == (["far"], 1)
    session.parts[""].hears["next"] = Listener({"press": clicks.append}, 3)
    hearing.hear(said)
    assert (clicks, session.taken) == (["far", True], 2)


def test_of_very_many_messages_a_run_takes_some_and_the_next_goes_on(monkeypatch):
    session, heard = Session(), []
    session.parts[""] = Part(placed=True, hears={"bar": Listener({"say": heard.append})})
    monkeypatch.setattr(hearing, "own_session", lambda: session)
    monkeypatch.setattr(hearing, "run_again", lambda _origins: None)
    said = [message(n, "bar", "say", n) for n in range(1, 2 * hearing.MOST)]
    hearing.hear(said)
    assert session.taken == len(heard) == hearing.MOST
    hearing.hear(said)
    assert heard == [*range(1, 2 * hearing.MOST)]

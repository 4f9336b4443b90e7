"""The learner of the benchmarks, who clicks without a browser, is understood as a browser is."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.benchmarks.learner import Learner


@pytest.fixture
def act(server):
    """Run what a learner does, in a thread: the browser has the main one's event loop."""

    def run(does):
        async def alone():
            async with Learner(server) as learner:
                await does(learner)
                assert not learner.problems

        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, alone()).result()

    return run


def test_what_is_selected_is_in_the_link(act):
    async def does(learner):
        await learner.open("attention", {"text": "one two three four"})
        answer = await learner.select({"token": 2}, "attention.row")
        assert answer.link
        assert learner.query == {"text": "one two three four", "token": "2"}

    act(does)


def test_another_layer_and_another_text_bring_their_numbers(act):
    async def does(learner):
        await learner.open("attention-before", {"text": "one two three four"})
        before = learner.payload("attention.steps")
        await learner.ask({"layer": 4})
        after = learner.payload("attention.steps")
        assert learner.query["layer"] == "4"
        assert any((before.arrays[name] != after.arrays[name]).any() for name in before.arrays)
        await learner.type("five six")
        assert learner.query["text"] == "five six"
        labels = str(learner.payload("attention.row").header["tokens"])
        assert "six" in labels
        assert "three" not in labels

    act(does)


def test_what_is_selected_comes_along_to_another_page(act):
    async def does(learner):
        await learner.open("attention", {"text": "one two three four", "layer": "3"})
        await learner.visit("heads", {"token": 1})
        assert learner.query == {"text": "one two three four", "layer": "3", "token": "1"}
        assert learner.has("attention.heads")

    act(does)


def test_what_was_sent_before_is_not_sent_again_and_still_there(act):
    async def does(learner):
        await learner.open("attention-before")
        await learner.come_near(["further"])
        steps = learner.payload("attention.steps").header
        answer = await learner.control("control-n_keys", 17)
        assert learner.find("attention.steps").element not in answer.elements
        assert learner.payload("attention.steps").header == steps

    act(does)

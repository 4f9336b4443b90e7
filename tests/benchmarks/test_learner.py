"""The learner of the benchmarks, who clicks without a browser, is answered as a browser is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from core.figures.payload import unpack
from tests.app.asked import learn
from tests.benchmarks.learner import Learner


@pytest.fixture
def act(server):
    """Runs what a learner does."""

    def run(does: Callable[[Learner], Awaitable[None]]) -> None:
        async def alone() -> None:
            async with Learner(server, scrolls=True) as learner:
                await does(learner)
                assert not learner.problems

        learn(alone)

    return run


def test_another_layer_and_another_text_bring_their_numbers(act):
    async def does(learner: Learner) -> None:
        await learner.open("attention", {"text": "one two three four"})
        before = learner.asking.answers["attention.steps"]
        answer = await learner.change({"layer": 4})
        assert answer.n_bytes > len(before)
        assert learner.asking.answers["attention.steps"] != before
        await learner.change({"text": "five six"})
        assert learner.query == {"text": "five six", "layer": "4"}
        labels = str(unpack(learner.asking.answers["attention.row"]).header["tokens"])
        assert "six" in labels
        assert "three" not in labels

    act(does)


def test_what_is_looked_at_is_asked_of_no_one(act):
    async def does(learner: Learner) -> None:
        await learner.open("heads", {"text": "one two three four"})
        answer = await learner.change({"token": 2})
        assert len(answer.frames) < len(learner.asking.answers)
        assert learner.query["token"] == "2"

    act(does)


def test_another_model_opens_the_page_anew(act):
    async def does(learner: Learner) -> None:
        await learner.open("attention", {"text": "one two three four"})
        await learner.change({"model": "bert"})
        assert learner.payload("runbar").header["model"] == "bert"
        assert learner.asking.asked["attention.row"]["model"] == "bert"

    act(does)


def test_a_job_is_looked_at_until_it_is_over(act):
    async def does(learner: Learner) -> None:
        await learner.open("layernorm", {"depth": "3", "text": "one two three four"})
        for _look in range(200):
            if not learner.asking.waits:
                break
            await learner.look()
        assert not learner.asking.waits
        assert any("gradient" in view for view in learner.asking.answers)

    act(does)

"""Jobs on a page: how far they are, paused, stopped, begun again, and left; all without a clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import ParameterError
from core.runs import keeper
from core.runs.answering import Context
from core.runs.answers import live_training
from core.runs.jobs import GRACE, Jobs
from core.runs.requests import GradientRequest, LookAheadRequest
from core.runs.store import Runs
from core.runs.told import Told
from pages.parts import hooks, watching
from pages.parts.runs import ahead, shared_runs
from tests.app.played import Played, the_lesson
from tests.app.test_pages import check
from tests.runs.counting import InThread
from tests.runs.test_jobs import until

ROW = "job-masks-learning"
LEARNING = LookAheadRequest()


def script(address: str, names: tuple[str, ...], values: dict[str, str]) -> None:
    """A page with the figures of one job."""
    import streamlit as st

    from core import views
    from pages.parts import address as link
    from pages.parts import controls, state
    from pages.parts.figure import reading, show
    from pages.parts.fragments import part
    from pages.parts.watching import progress

    def job() -> None:
        params = state.read(views.get(names[0]).Params)
        progress(names[0], params)
        for name in names:
            reading(name, show(name, params))
        if "depth" in values:
            controls.slider("depth", params)

    link.begin(address)
    if "began" not in st.session_state:
        state.update(values)
    st.session_state["began"] = True
    part("job", job)


def opened(*names: str, **values: str) -> AppTest:
    """A page with figures of one job, as it opens."""
    given = ("masks", names or ("masks.learning",), values)
    return AppTest.from_function(script, default_timeout=60, args=given).run()


class Held:
    """A kind of training that takes the steps that it is let take."""

    def __init__(self, train: Callable) -> None:
        self._train, self._gate, self.begun = train, threading.Semaphore(0), 0
        self.fails = False

    def __call__(self, *given):
        self.begun += 1
        for record in self._train(*given):
            self._gate.acquire()
            if self.fails:
                raise ParameterError("steps", 0, "another number")
            yield record

    def let(self, steps: int = 1) -> None:
        self._gate.release(steps)


@pytest.fixture
def runs() -> Iterator[Runs]:
    """What learners share, with jobs as a server has them."""
    ahead.clear()  # what an earlier test has made works for what was shared then
    shared_runs.clear()
    runs = shared_runs()
    runs.jobs = Jobs(begin=partial(InThread, Context(runs.model, runs.get)))
    yield runs
    runs.jobs.close()
    ahead.clear()
    shared_runs.clear()


@pytest.fixture
def learning(runs, monkeypatch) -> Iterator[Held]:
    # Trained before: on a busy machine that takes longer than a job lasts that nobody watches.
    tuple(live_training.look_ahead(LEARNING.steps, LEARNING.seed))
    held = Held(live_training.look_ahead)
    monkeypatch.setattr(live_training, "look_ahead", held)
    yield held
    held.let(1000)


@pytest.fixture
def flowing(runs, monkeypatch) -> Iterator[Held]:
    held = Held(live_training.gradient_flow)
    monkeypatch.setattr(live_training, "gradient_flow", held)
    yield held
    held.let(1000)


def now(runs: Runs, job=LEARNING) -> Told:
    """What is known of a job by somebody who does not watch."""
    return runs.watch(job, None)


def grown(app: AppTest, runs: Runs, n: int) -> AppTest:
    """The page, when so many records are there."""
    until(lambda: len(now(runs).records) >= n)
    return app.run()


def row(app: AppTest) -> str:
    """What is said of the job."""
    check(app)
    said = [one.proto.text for one in app.get("progress")]
    printed = [one.proto.body for one in app.get("html")]
    (found,) = [*said, *(one for one in printed if "Training two tiny models" in one)]
    return found


def press(app: AppTest, name: str) -> AppTest:
    return app.button(key=f"{ROW}-{name}").click().run()


def drawn(app: AppTest) -> bool:
    """Whether there is a figure of it."""
    return any("Learning the next symbol" in str(one.proto) for one in app.get("plotly_chart"))


# --- while it goes on ----------------------------------------------------------------------------


def test_how_far_it_is_is_seen_while_it_goes_on(runs, learning):
    app = opened()
    assert "starting" in row(app)
    assert not drawn(app)
    learning.let(6)
    app = grown(app, runs, 6)
    assert row(app) == "Training two tiny models: 33 % done"
    assert drawn(app)
    assert any("After 100 of 300 training steps" in one.proto.body for one in app.get("html"))
    learning.let(100)
    until(lambda: now(runs).over)
    app.run()
    assert "Training two tiny models: finished in" in row(app)
    assert not [one for one in app.button if one.key.startswith(ROW)]
    assert any("the model copies the answer" in one.proto.body for one in app.get("html"))
    app.run()
    assert learning.begun == 1
    assert runs.ready(LEARNING)


def test_the_part_is_run_again_until_it_is_over(runs, learning, monkeypatch):
    asked: list[float | None] = []
    monkeypatch.setattr(hooks, "run_every", asked.append)
    app = opened()
    assert asked == [watching.EVERY]
    press(app, "pause")
    assert asked[1:] == [watching.SLOWLY]
    press(app, "continue")
    assert asked[2:] == [watching.EVERY]
    learning.let(100)
    until(lambda: now(runs).over)
    app.run()
    assert asked[3:] == [None]
    app.run()
    assert asked[4:] == []


def test_the_more_watch_the_more_rarely_each_looks(runs, learning):
    """But none so rarely that she would be taken to have left."""
    runs.watch(LEARNING, "me")
    learning.let()
    until(lambda: now(runs).state == "running")
    every = []
    for n in range(60):
        runs.watch(LEARNING, n)
        every.append(watching.until_next(runs.watch(LEARNING, n)))
    assert every[0] == watching.EVERY
    assert every == sorted(every)
    assert all(n / seconds <= watching.TOGETHER for n, seconds in enumerate(every[:18], 2))
    assert every[-1] == watching.RARELY < GRACE / 1.5


def test_a_second_learner_sees_the_same_and_nothing_runs_twice(runs, learning):
    first = opened()
    learning.let(6)
    grown(first, runs, 6)
    second = opened()
    assert row(second) == row(first)
    assert learning.begun == 1
    assert runs.jobs.watching == 2


# --- pause and stop ------------------------------------------------------------------------------


def test_who_pauses_holds_what_she_sees_and_nobody_else(runs, learning):
    mine, theirs = opened(), opened()
    learning.let(4)
    grown(mine, runs, 4)
    press(mine, "pause")
    assert row(mine) == "Training two tiny models: paused at 20 %"
    learning.let(3)
    grown(theirs, runs, 7)
    assert row(theirs) == "Training two tiny models: 40 % done"
    mine.run()
    assert row(mine) == "Training two tiny models: paused at 20 %"
    press(mine, "continue")
    assert row(mine) == "Training two tiny models: 40 % done"


def test_a_step_shows_one_record_more_and_the_job_rests_again(runs, learning):
    app = opened()
    learning.let(3)
    app = grown(app, runs, 3)
    press(app, "pause")
    shown = row(app)
    press(app, "step")
    learning.let(1)
    until(lambda: len(now(runs).records) >= 4)
    app.run()
    app.run()
    assert row(app) != shown
    assert "paused at" in row(app)
    assert any("After 60 of 300 training steps" in one.proto.body for one in app.get("html"))
    press(app, "continue")
    assert "paused" not in row(app)


def test_a_job_rests_that_its_only_learner_has_paused(runs, learning):
    app = opened()
    learning.let(4)
    grown(app, runs, 4)
    press(app, "pause")
    until(lambda: now(runs).state == "resting")
    learning.let(100)
    until(lambda: len(now(runs).records) == 5)  # the step that it was at
    app.run()
    assert now(runs).state == "resting"
    press(app, "continue")
    until(lambda: now(runs).state == "finished")
    assert "finished" in row(app.run())


def test_who_stops_it_keeps_what_was_told_and_may_begin_again(runs, learning):
    app = opened()
    learning.let(4)
    grown(app, runs, 4)
    press(app, "stop")
    assert now(runs).state == "stopped"
    assert "Training two tiny models: stopped at 20 %" in row(app)
    assert drawn(app)
    assert "stopped" in row(app.run())
    assert learning.begun == 1
    learning.let(100)
    press(app, "again")
    until(lambda: now(runs).state == "finished")
    assert "finished" in row(app.run())
    assert learning.begun == 2


def test_who_has_gone_on_to_another_leaves_the_one_before(runs, flowing):
    app = opened("stream.gradient", "stream.alike", text="A cat sat", model="gpt", depth="9")
    first, second = (GradientRequest("gpt", "A cat sat", n, spread="fixed") for n in (9, 10))
    until(lambda: now(runs, first).state == "running")
    app.slider(key="control-depth").set_value(10).run()
    check(app)
    until(lambda: now(runs, first).state == "stopped")
    flowing.let(100)
    until(lambda: now(runs, second).state == "finished")


def test_two_figures_of_one_job_show_it_at_the_same_step(runs, flowing):
    app = opened("stream.gradient", "stream.alike", text="A cat sat", model="gpt", depth="4")
    job = GradientRequest("gpt", "A cat sat", 4, spread="fixed")
    flowing.let(4)
    until(lambda: len(now(runs, job).records) == 4)
    app.run()
    check(app)
    readings = [one.proto.body for one in app.get("html") if "glass-reading" in one.proto.body]
    assert [one for one in readings if "through the stacks" in one] == 2 * [
        "<p class='glass-reading'>The text is on its way up through the stacks: it has reached "
        "layer 2 of 4.</p>"
    ]
    assert flowing.begun == 1


# --- what goes wrong -----------------------------------------------------------------------------


def test_what_is_wrong_is_said_once_and_can_be_tried_again(runs, learning):
    learning.fails = True
    learning.let()
    app = opened()
    until(lambda: now(runs).over)
    app.run()
    assert "failed at 0 %" in row(app)
    assert "steps is 0; it must be another number" in app.error[0].value
    app.run()
    assert learning.begun == 1
    learning.fails = False
    learning.let(100)
    press(app, "again")
    until(lambda: now(runs).state == "finished")
    app.run()
    assert "finished" in row(app)
    assert not app.error


def test_a_full_queue_is_said_and_asked_again(runs, learning, monkeypatch):
    monkeypatch.setattr(keeper, "WAITING", 0)
    asked: list[float | None] = []
    monkeypatch.setattr(hooks, "run_every", asked.append)
    app = opened()
    check(app)
    assert "calculations are waiting already" in app.error[0].value
    assert asked == [watching.SLOWLY]


# --- a lesson waits ------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["", "a tab"])
def test_a_lesson_says_how_far_what_it_waits_for_is_and_asks_again(runs, learning, who):
    at = next(n for n, one in enumerate(the_lesson("masks").steps, 1)
              if any(figure.view == "masks.learning" for figure in one.figures))  # fmt: skip
    her = Played(more={"_who": who}, lesson="masks", lesson_at=at).ask()
    assert len(her.notes["info"]) == 1
    assert her.screen["again"] > 0
    assert not her.questions
    learning.let(1000)
    until(lambda: bool(her.ask().questions))
    assert runs.ready(LEARNING)
    assert learning.begun == 1
    assert "again" not in her.screen

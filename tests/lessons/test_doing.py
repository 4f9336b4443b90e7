"""A goal on the live model: not reached at the start, reached by what is done, marked by idea."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from core.data.samples import sample
from core.errors import LessonError, NoQuestionError, ParameterError
from core.lessons import lesson as lessons
from core.lessons import lesson_ids
from core.lessons.again import _find_met_questions
from core.lessons.answered import QuestionRecord
from core.lessons.checking import differences, faults
from core.lessons.doing import attempt
from core.lessons.goals import of_a_goal
from core.lessons.hands import allowed, handed, is_closed, options_of, place_of
from core.lessons.inline import parts
from core.lessons.marking import Marked, mark
from core.lessons.posing import pose
from core.lessons.printed import handout, live_step
from core.lessons.reader import parse
from core.lessons.study import Study
from core.lessons.world import params_of, world_of
from core.runs.store import Runs
from tests.lessons.test_reader import FRONT as PLAIN
from tests.lessons.test_reader import step

FRONT = PLAIN.replace("[one, two, three]", "[two, three, four]")

GOAL = """
## Step one {#one C5}

Which head looks at the hungry?

```view
view: attention.row
params: {text: "The dog was hungry, so he ate all of his", model: gpt, layer: 5, head: 3}
```

```view
view: attention.weights
name: all
params: {text: "The dog was hungry, so he ate all of his", model: gpt, layer: 5, head: 3}
follows: a
```

```question
id: hungry
kind: do
ask: Choose the head in which “his” gives most to “hungry”.
hands: {head: [0, 1, 3]}
goal: weights[T-1, 4] > 0.5
near: "“hungry” has {{weights[T-1, 4] | %}}, at the start {{start.weights[T-1, 4] | %}}."
wrong:
  rests:
    answer: "weights[T-1, 0] > 0.5"
    attempt: {head: 1}
    says: "This head rests on the start: {{weights[T-1, 0] | %}}."
hints: [a, b, c]
done: {head: 0}
solution: "Head 0 gives it {{done.weights[T-1, 4] | %}}, head 3 {{weights[T-1, 4] | %}}."
```

So head 0 it is, with {{done.all.weights[T-1, 4] | %}}.
"""


def lesson(text: str = GOAL, code: str = "en"):
    return parse(FRONT + text + "".join(map(step, ("two", "three", "four"))), "sums.md", code)


@pytest.fixture
def posed(runs):
    own = lesson().steps[0]
    return pose(own.question, world_of(own, runs.get).names, 0)


def goals():
    """Every step of a lesson with a goal that is chosen from lists."""
    for ident in lesson_ids():
        found = lessons(ident)
        for one in found.steps:
            if one.question is not None and one.question.kind == "do" and is_closed(one.question):
                yield one


def first_of(own):
    params = params_of(own.in_hand, {})
    return {name: getattr(params, name) for name in own.question.hands}


@pytest.mark.parametrize("own", list(goals()), ids=lambda own: own.question.id)
def test_who_clicks_through_the_choices_of_a_goal_does_not_win(own):
    first, every = first_of(own), {name: options_of(own, name) for name in own.question.hands}
    done = first | {name: type(first[name])(to) for name, to in own.question.done.items()}
    study, entry, places = Study(), QuestionRecord(), []
    made = [dict(zip(every, one, strict=True)) for one in itertools.product(*every.values())]
    for values in sorted(made, key=lambda one: one == done):  # what reaches it comes last
        hers = {name: value for name, value in values.items() if value != first[name]}
        place = place_of(own, first, hers)
        if place is not None:
            study.tried(entry, Marked(values == done), place, {})
            places.append(place)
    assert entry.right
    assert not entry.once
    assert len(set(places)) == entry.tries == len(places) > 1


def test_of_several_hands_one_may_be_moved_after_the_other():
    own = lesson(GOAL.replace("{head: [0, 1, 3]}", "{head: [0, 1, 3], layer: [3, 5]}")
                 .replace("done: {head: 0}", "done: {head: 0, layer: 3}")).steps[0]  # fmt: skip
    first = {"head": 3, "layer": 5}
    assert place_of(own, first, {"head": 0}) is None
    assert place_of(own, first, {"head": 0, "layer": 3}) is not None
    typed = lesson(GOAL.replace("{head: [0, 1, 3]}", "{head: free}")).steps[0]
    assert place_of(typed, {"head": 3}, {"head": 0}) is None


def tried(runs, posed, **hands):
    own = lesson().steps[0]
    now = world_of(own, runs.get, handed(own, hands))
    return attempt(posed.question, posed.names, now.names)


def text_of(posed, found, text: str) -> str:
    said = dataclasses.replace(posed, names=found.names).parts(text)
    return "".join(words for words, _styles in said)


def test_a_goal_is_reached_by_what_is_done_and_not_at_the_start(runs, posed):
    assert not tried(runs, posed).reached
    assert tried(runs, posed, **posed.question.done).reached
    assert mark(posed, []) is None  # it has no answer that could be sent


def test_an_attempt_that_shows_an_idea_is_recognised_and_says_where_it_stands(runs, posed):
    found = tried(runs, posed, head=1)
    assert (found.reached, found.idea) == (False, "rests")
    assert text_of(posed, found, posed.question.near) == "“hungry” has 0.52 %, at the start 1.6 %."
    assert text_of(posed, found, posed.question.wrong["rests"].says).endswith("91 %.")
    assert tried(runs, posed, head=3).idea == ""


def test_what_is_done_moves_the_figure_that_follows_too(runs, posed):
    after = lesson().steps[0].after
    assert posed.say(posed.question.solution) == "Head 0 gives it 63 %, head 3 1.6 %."
    assert posed.say(after) == "So head 0 it is, with 63 %."
    assert parts(posed.question.solution, posed.say)


DRAWN = """
## Step one {#one C23}

Draw.

```view
view: vision.picture
params: {picture: ours-3, model: vit}
```

```view
view: vision.answer
name: b
params: {picture: ours-3, model: vit}
follows: a
```

```question
id: eight
kind: do
ask: Make it an 8.
hands: {picture: free}
goal: b.chance['8'] > 0.9
near: "It says “{{says}}”, and of {{len(b.chance)}}, {{b.measured['accuracy/mnist_test'] | .3}}."
hints: [a, b, c]
done: {picture: ours-8}
solution: "“{{done.b.says}}”."
```
"""


def test_a_label_of_what_was_drawn_reaches_a_goal(runs):
    own = lesson(DRAWN).steps[0]
    first = world_of(own, runs.get)
    posed = pose(own.question, first.names, 0)
    assert not attempt(posed.question, posed.names, first.names).reached
    now = world_of(own, runs.get, handed(own, {"picture": sample("ours-8").picture.as_text()}))
    found = attempt(posed.question, posed.names, now.names)
    assert found.reached
    assert text_of(posed, found, posed.question.near) == "It says “8”, and of 10, 0.996."
    assert posed.say(posed.question.solution) == "“8”."
    assert list(of_a_goal(own, first, runs.get)) == []


def test_of_several_runs_no_label_is_the_answer(runs):
    shuffled = DRAWN.replace("vision.answer", "vision.shuffled")
    first = world_of(lesson(shuffled).steps[0], runs.get)
    assert {"chance", "says"} <= first.names.keys()
    assert not {"chance", "says"} & first.names["b"].keys()


def test_a_text_of_hers_that_has_no_such_place_is_no_mistake(runs):
    own = lesson(GOAL.replace("[0, 1, 3]}", "free, text: free}")).steps[0]
    first = world_of(own, runs.get)
    now = world_of(own, runs.get, handed(own, {"text": "No"}))
    found = attempt(own.question, first.names, now.names)
    assert (found.reached, found.idea) == (False, "rests")


def test_a_goal_that_is_reached_already_is_not_asked(runs):
    own = lesson().steps[0]
    names = world_of(own, runs.get, handed(own, {"head": 0})).names
    with pytest.raises(NoQuestionError, match="reached already"):
        pose(own.question, names, 0)


def test_a_link_brings_into_the_hands_what_may_be_in_them():
    own = lesson().steps[0]
    assert options_of(own, "head") == (0, 1, 3)
    assert allowed(own, {"head": 1, "layer": 2}) == {"head": 1, "layer": 2}
    assert allowed(own, {"head": 2, "layer": 2}) == {"layer": 2}
    named = lesson(GOAL.replace("[0, 1, 3]", "{0: none, 1: one, 3: three}")).steps[0]
    assert options_of(named, "head") == (0, 1, 3)
    assert named.question.hands["head"].words == ("none", "one", "three")


@pytest.mark.parametrize(("old", "new", "reason"), [
    ("done: {head: 0}", "done: {head: 1}", "what is done does not reach its goal"),
    ("weights[T-1, 4] > 0.5\n", "weights[T-1, 2] > 0.5\n", "reached before anything is changed"),
    ("attempt: {head: 1}", "attempt: {head: 3}", "rests is not recognised in its attempt"),
    ("attempt: {head: 1}", "attempt: {head: 0}", "the attempt of rests reaches its goal"),
    ("attempt: {head: 1}", "attempt: {head: 2}", "head = 2 is not among its values"),
    ("weights[T-1, 4] > 0.5\n", "waits[T-1, 4] > 0.5\n", "waits"),
    ("{{start.weights", "{{start.waits", "waits"),
    ('"weights[T-1, 0] > 0.5"', '"waits > 0.5"', "waits"),
    ("", "", ""),
])  # fmt: skip
def test_what_is_amiss_with_a_goal_is_found(old, new, reason):
    every = [one.reason for one in faults(lesson(GOAL.replace(old or "|", new)), Runs().get, 2)]
    found = [one for one in every if "hungry" in one or "waits" in one]
    assert [one for one in found if reason in one] if reason else not found, found


@pytest.mark.parametrize(("old", "new", "reason"), [
    ("goal: weights[T-1, 4] > 0.5\n", "", "kind do: say goal, too"),
    ("hands: {head: [0, 1, 3]}\n", "", "kind do: say hands, too"),
    ("done: {head: 0}", "done: {layer: 0}", "hands: layer is not among them"),
    ("attempt: {head: 1}", "attempt: {layer: 1}", "hands: layer is not among them"),
    ("hands: {head: [0, 1, 3]}", "hands: {head: few}", "free, a list of values"),
    ("hands: {head: [0, 1, 3]}", "hands: {head: [0]}", "at least 2 items"),
    ("id: hungry", "id: hungry\nanswer: '1'", "answer: not for kind do"),
    ("id: hungry", "id: hungry\ndraw: {n: 'range(2)'}", "draw: not for kind do"),
    ("head: 3}\n```", "head: 3}\ncover: all\n```", "of a goal nothing is covered"),
    ("head: 3}\n```", "head: 3}\noffers: [head]\n```", "what is in her hands is offered already"),
    ("hints: [a, b, c]", "hints: [a]", "hints: three of them"),
    ("id: hungry", "id: hungry\nfigure: other", "no figure is called other"),
])  # fmt: skip
def test_a_goal_that_lacks_something_is_no_lesson(old, new, reason):
    with pytest.raises(LessonError, match=reason):
        lesson(GOAL.replace(old, new, 1))


def test_what_is_of_a_goal_is_of_no_other_question():
    other = GOAL + step("five").replace("kind: number", "kind: number\ngoal: 1 == 1")
    with pytest.raises(LessonError, match="goal: for kind do alone"):
        lesson(other)
    with pytest.raises(LessonError, match="nothing can be done in it"):
        parse((FRONT + GOAL).replace("probe: [", "probe: [hungry, ")
              + "".join(map(step, ("two", "three", "four"))), "sums.md", "en")  # fmt: skip


def test_a_hand_that_the_view_does_not_have_is_named():
    own = lesson(GOAL.replace("{head: [0, 1, 3]}", "{head: [0, 1, 3], wings: free}")).steps[0]
    with pytest.raises(ParameterError, match="wings"):
        options_of(own, "wings")


def test_a_translation_may_call_the_values_otherwise_and_not_change_them():
    named = lesson(GOAL.replace("[0, 1, 3]", "{0: none, 1: one, 3: three}"))
    for new, same in (("{0: zéro, 1: un, 3: trois}", True), ("{0: zéro, 1: un, 2: deux}", False)):
        other = lesson(GOAL.replace("[0, 1, 3]", new), "fr")
        assert (not list(differences(other, named))) == same


def test_on_paper_a_goal_says_where_to_reach_it_and_its_solution_waits(runs):
    own = lesson()
    page, more = handout(own, runs.get), handout(own, runs.get, answers=True)
    at = 1 + bool(own.probe) - 1
    assert f"/lessons?lesson=sums&amp;lesson_at={at}" in page
    assert "What I changed:" in page
    assert "Answer: Head: 0" not in page
    assert "Answer: Head: 0" in more
    assert "This head rests on the start" in more
    assert "/lessons?lesson=sums" in live_step(own, own.steps[0], runs.get)


def test_an_idea_that_comes_back_is_not_asked_by_a_goal(monkeypatch):
    own = lesson()
    study = Study(answers={("sums", "hungry"): QuestionRecord(tries=1)}, ideas={"rests": 0})
    monkeypatch.setattr("core.lessons.again.lesson_ids", lambda: ("sums",))
    monkeypatch.setattr("core.lessons.again.lesson", lambda _ident, _code: own)
    assert not list(_find_met_questions(study, "rests", "en"))

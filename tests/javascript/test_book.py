"""What a book does in the browser is what the app's player does on the server."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from core.figures.payload import Payload, unpack
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.answered import QuestionRecord
from core.lessons.asking_again import probe
from core.lessons.book.asked import answered, chain, unanswered
from core.lessons.book.doing import hands_of
from core.lessons.book.outcomes import outcomes, surprises
from core.lessons.book.pack import Pack, letters
from core.lessons.hands import is_closed, place_of
from core.lessons.last_test import _missed, candidates
from core.lessons.marking import Marked, mark
from core.lessons.player import header, surprise
from core.lessons.posing import Posed
from core.lessons.study import Study
from core.lessons.world import params_of, world_of
from core.runs.store import Runs

LESSONS = ("first", "bert", "attention")  # every kind of question but an order is in them
WALKS, LONG = 4, 6


def every_question(ident: str, runs: Runs) -> list[Posed]:
    found = lesson(ident)
    assert isinstance(found, Lesson)
    return [next(chain(step.question, world_of(step, runs.get).names, 1))
            for step in found.steps
            if step.question is not None and step.question.kind != "do"]  # fmt: skip


def given_to(posed: Posed, draw: random.Random) -> Any:
    """An answer: right, one of an idea, or any."""
    n, known = len(posed.options), draw.choice([posed.right, *posed.wrong.values()])
    match posed.question.kind:
        case "bet":
            return [draw.choice([0, 25, 33, 100]) for _one in range(n - 1)] + [draw.choice([1, 50])]
        case "number":
            return draw.choice([known, known + 123.4])
        case "choice":
            return known
        case _ if posed.question.one:
            return [draw.randrange(n)]
    return sorted(known) if isinstance(known, frozenset) else list(known)


def in_browser(one: QuestionRecord) -> dict[str, Any]:
    """An answer as the book holds it."""
    said = None if one.bits is None else list(surprise(one.bits) or ())
    return {"seed": one.seed, "about": one.about, "tries": one.tries, "right": one.right,
            "once": one.once, "givenUp": one.given_up, "hints": one.hints, "given": one.given,
            "idea": one.idea, "surprise": said}  # fmt: skip


def states(posed: Posed, draw: random.Random, when: str) -> list[QuestionRecord]:
    """Where a learner can come: answers, hints, giving up, and a visit later."""
    found, study = [], Study()
    for _walk in range(WALKS):
        now = QuestionRecord(seed=posed.seed, about=posed.about)
        for _step in range(LONG):
            found.append(QuestionRecord(**vars(now)))
            what = draw.choice(["answer", "answer", "hint", "give"])
            if what == "hint" and when == "lesson":
                now.hints = min(3, now.hints + 1)
            elif what == "give":
                now.given_up = True
            elif not now.done:
                given = given_to(posed, draw)
                marked = mark(posed, given)
                assert marked is not None
                study.take(now, marked, given, posed.question.wrong)
        found.append(
            QuestionRecord(**{**vars(now), "idea": "", "bits": None})
        )  # read from the browser
    return found


def plain(header: dict[str, Any]) -> dict[str, Any]:
    """Without what is not there."""
    return {name: value for name, value in header.items() if value is not None}


@pytest.mark.parametrize("ident", LESSONS)
def test_in_every_state_the_question_is_given_what_the_app_gives_it(ident, runs, call):
    draw, calls, wanted = random.Random(ident), [], []
    for posed in every_question(ident, runs):
        name = posed.question.id
        picks = {"figure": "x", "shape": [1, 9], "row": None} if posed.question.figure else None
        base, more = unanswered(name, posed, "lesson", picks), answered(posed, "lesson", picks)
        for one in states(posed, draw, "lesson"):
            calls.append([base, more, in_browser(one), "lesson"])
            wanted.append(header(name, posed, one, "lesson", picks))
    compared(call("book/asked.js", "header", calls), wanted)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_probe_is_given_what_the_app_gives_it(when, runs, call):
    found = lesson("attention")
    assert isinstance(found, Lesson)
    draw, calls, wanted = random.Random(when), [], []
    for ident in found.probe:
        step = found.asking(ident)
        posed = probe(step.question, world_of(step, runs.get).names, when)
        base, more = unanswered(ident, posed, when), answered(posed, when)
        for one in states(posed, draw, when):
            calls.append([base, more, in_browser(one), when])
            wanted.append(header(ident, posed, one, when))
    compared(call("book/asked.js", "header", calls), wanted)


def compared(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    assert len(found) > 20
    for own, other in zip(found, wanted, strict=True):
        assert plain(own) == as_json(other)


def as_json(header: dict[str, Any]) -> dict[str, Any]:
    """As a payload brings it to the browser."""
    return dict(unpack(Payload(plain(header)).pack()).header)


@pytest.mark.parametrize("ident", LESSONS)
def test_an_answer_becomes_what_the_marking_makes_of_it(ident, runs, call):
    draw, calls, wanted = random.Random(ident), [], []
    for posed in every_question(ident, runs):
        table = outcomes(posed)
        for _n in range(12):
            given = given_to(posed, draw)
            # As the book fetches them (asking.js).
            calls.append([table, given, False, surprises() if "bet" in table else []])
            wanted.append(mark(posed, given))
    for found, marked in zip(call("book/outcome.js", "outcomeOf", calls), wanted, strict=True):
        assert (found["right"], found["idea"]) == (marked.right, marked.idea)
        bits = marked.bits
        assert found["surprise"] == (None if bits is None else list(surprise(bits) or ()))


def test_an_answer_is_noted_as_the_app_notes_it(call):
    draw, study, calls, wanted = random.Random(1), Study(), [], []
    now = QuestionRecord(seed=3, about="abc")
    for _n in range(30):
        bits = draw.choice([None, 1.0])
        marked = Marked(draw.random() < 0.3, draw.choice(["", "an-idea"]), bits)
        said = None if bits is None else list(surprise(bits) or ())
        outcome = {"right": marked.right, "idea": marked.idea, "surprise": said}
        calls.append([in_browser(now), outcome, 7])
        study.take(now, marked, 7, {})
        wanted.append(in_browser(now))
    assert call("book/study.js", "taken", calls) == wanted


def test_an_attempt_at_a_goal_is_the_one_that_the_app_counts(call):
    calls, wanted = [], []
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        for own in found.steps:
            if own.question is None or own.question.kind != "do" or not is_closed(own.question):
                continue
            hands = hands_of(own)
            params = params_of(own.in_hand, {})
            first = {name: getattr(params, name) for name in own.question.hands}
            for name, made in hands.values.items() if hands.controls else ():
                hers = {name: value for name, value in made.items() if value != first[name]}
                calls.append([vars(hands) | {"values": None}, name])
                wanted.append(place_of(own, first, hers))
    assert len(wanted) > 100
    assert call("book/goal.js", "placeOf", calls) == wanted


def test_what_the_book_packs_is_a_payload(call):
    array = np.arange(5, dtype=np.uint16)
    arrays = {"a": {"values": list(map(int, array)), "shape": [5]}}
    (bytes_,) = call("shared/payload.js", "packed", [({"text": "häß"}, {})])
    assert unpack(bytes(bytes_)).header == {"text": "häß"}
    own = Payload({"text": "x"}, {"a": array}).pack()
    (read,) = call("shared/payload.js", "unpack", [(own,)])
    assert read["arrays"] == arrays


def test_letters_say_the_bytes_that_they_were_made_of(call):
    draw = random.Random(3)
    wanted = [draw.randbytes(n) for n in (*range(32), 4096)]
    found = call("book/packs.js", "bytesOf", [[len(one), letters(one)] for one in wanted])
    assert [bytes(one) for one in found] == wanted


def test_what_stands_twice_in_a_pack_is_held_once_and_read_in_both_places(call):
    long = [{"a": n, "b": "ä" * 30} for n in range(9)]
    payloads = {"x": {"one": long, "other": {"deep": [long]}}, "y": {"n": None, "one": long[2:]}}
    pack = Pack()
    for name, said in payloads.items():
        pack.add(name, Payload(said))
    held = {name: payload.header for name, payload in pack.payloads()}
    assert json.dumps(held, ensure_ascii=False).count("ä" * 30) < 2 * len(long)
    calls = []
    for name in payloads:
        parts = {n: one for at in held[name]["heaps"] for n, one in held[str(at)]["parts"].items()}
        calls.append([held[name]["says"], parts])
    assert call("book/packs.js", "whole", calls) == list(payloads.values())


def test_what_was_missed_is_what_the_app_takes_for_missed(call):
    """As the last test draws it, after answers of every sort to the questions of four lessons."""
    draw, study, calls, wanted = random.Random(2), Study(), [], []
    found = [(owner, step) for owner, steps in candidates("en", draw)
             if owner.id in lesson_ids()[:5] for step in steps]  # fmt: skip
    for owner, step in found:
        ideas = sorted(step.question.wrong)
        for place in draw.sample(["", "/before", "/after", f"/{owner.id}/t1-03"], 2):
            now = study.of(owner.id, f"{step.question.id}{place}")
            if draw.random() < 0.5:
                idea = draw.choice(["", *ideas])
                study.take(now, Marked(draw.random() < 0.7, idea), 1.0, step.question.wrong)
            now.given_up |= draw.random() < 0.1
    progress = study.as_data()
    for owner, step in found:
        said = {"lesson": owner.id, "id": step.question.id, "ideas": sorted(step.question.wrong)}
        calls.append([said, progress])
        wanted.append(_missed(study, owner, step))
    assert 5 < sum(wanted) < len(wanted) - 5
    assert call("book/last_test.js", "missed", calls) == wanted


def test_a_test_asks_first_what_was_missed_then_of_each_lesson_in_turn(call):
    asked = [{"lesson": lesson, "id": f"q{n}", "ideas": [], "all": n != 3}
             for lesson in ("aa", "bb") for n in range(4)]  # fmt: skip
    answers = [["bb", "q3", 0, 2, 1, 1, 0, 0, 1, "x", 1], ["aa", "q2", 0, 1, 1, 1, 0, 0, 1, "x", 1]]
    progress = {"answers": answers, "ideas": {}, "era": 0, "seed": 0}
    (found,) = call("book/last_test.js", "ranked", [[asked, list(range(8)), progress]])
    assert [f"{one['lesson']} {one['id']}" for one in found] == [
        "bb q3", "aa q0", "bb q0", "aa q1", "bb q1", "aa q2", "bb q2"
    ]  # fmt: skip

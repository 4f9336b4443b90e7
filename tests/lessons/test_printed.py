"""A lesson on paper and a step as a file: complete, and nothing said before the answer."""

from __future__ import annotations

import dataclasses
import re
from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest

from core.figures.components import Matrix, Strip
from core.figures.text import sentence
from core.language import use_language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.asking_again import PROBES
from core.lessons.expressions import evaluate
from core.lessons.printed import handout, live_step
from core.lessons.printed.asked import IN_FILE, ON_PAPER, in_words, question_html
from core.lessons.printed.prose import prose
from core.lessons.printed.ready import ready
from core.lessons.printed.sheet import styled
from core.lessons.world import ShownFigure

NASTY = (
    "</style></title><script>hit()</script> <b onclick=hit()>x $y$ [[softmax]] {{T}} ![a](b) & \"'"
)


@pytest.fixture
def speak():
    yield use_language
    use_language("en")


def whole(ident: str, code: str = "en") -> Lesson:
    found = lesson(ident, code)
    assert isinstance(found, Lesson)
    return found


class Elements(HTMLParser):
    """The elements of a page, with what would let something in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.tags, self.wrong, self.said = [], [], [], ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("meta", "input", "br", "hr", "link"):
            self.open.append(tag)
        if tag == "image":  # of a plot: drawn here, and in the page
            attrs = [one for one in attrs if not str(one[1]).startswith("data:image/png;base64,")]
        if tag == "link":  # no icon, or a browser would ask the server for one
            attrs = [one for one in attrs if one != ("href", "data:,")]
        if tag in ("iframe", "object", "img", "base", "form", "a", "use"):
            self.wrong.append(tag)
        out = ("href", "src", "srcdoc", "xlink:href")
        self.wrong += [f"{tag} {name}" for name, _value in attrs
                       if name.startswith("on") or name in out]  # fmt: skip

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said += data


def section(page: str, kind: str, step: str) -> str:
    """What a page has of one step."""
    found = re.search(
        rf"<section class='{kind}[^']*' id='{kind}-{step}'>(.*?)</section>", page, re.S
    )
    assert found is not None, (kind, step)
    return found[1]


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("ident", lesson_ids())
def test_every_lesson_is_printed_and_its_answers_are_complete(runs, speak, ident, code):
    speak(code)
    own = whole(ident, code)
    page, more = handout(own, runs.get), handout(own, runs.get, answers=True)
    for content in (page, more):
        found = Elements(content)
        assert found.wrong == []
        assert "script" not in found.tags
        assert "{{" not in found.said
        assert not re.search(r"\[\[|\$[^$\n]+\$|\*\*", found.said)
    for able in own.able:
        assert escape(able) in page
        assert escape(able) not in more  # the answers alone
    assert "class='teacher'" not in page
    assert "class='problem'" not in page
    for step in own.steps:
        one, here = ready(step, runs.get), section(page, "step", step.id)
        assert one.problem == ""
        after = prose(step.after, one.names, {})
        assert prose(step.before, one.names, {}) in here
        if one.posed is None:
            assert after in here
            continue
        assert question_html(one.posed, ON_PAPER) in here
        there = section(more, "answers", step.id)
        assert escape(in_words(one.posed, one.posed.right)) in there
        assert styled(one.posed.parts(one.posed.question.solution), "solution") in there
        assert after in there
        assert not after or after not in page
        for idea in one.posed.wrong:
            assert escape(in_words(one.posed, one.posed.wrong[idea])) in there
        for picture in one.pictures:
            drawn = picture.whole.drawing("light")
            if not isinstance(picture.whole, Strip):  # drawn as wide as the paper
                assert (drawn in here) != picture.is_covered
                assert (drawn in there) == picture.is_covered
            if picture.is_covered and picture.reading:
                assert escape(picture.reading) not in here
                assert escape(picture.reading) in there


def test_the_questions_of_the_end_are_asked_on_other_numbers(runs):
    own = whole("attention")
    page, more = handout(own, runs.get), handout(own, runs.get, answers=True)
    here = re.search(r"<section class='probe'>(.*?)</section>", page, re.S)[1]
    there = section(more, "answers", "probe")
    for ident in own.probe:
        step = own.asking(ident)
        first = ready(step, runs.get).posed
        again = ready(step, runs.get, seed=PROBES["after"], than=0).posed
        assert question_html(again, ON_PAPER) in here
        assert escape(in_words(again, again.right)) in there
        assert styled(again.parts(again.question.solution), "solution") in there
        assert not first.question.draw or question_html(first, ON_PAPER) not in here
    assert "class='solution'" not in page


def other(component, closed):
    """The same figure of other numbers; of a matrix where only some rows are closed, in those."""
    changed = {"alt": "other"}
    if isinstance(component, Matrix):
        arrays = {name: np.array(array) for name, array in component.arrays.items()}
        for array in arrays.values():
            at = [n for n in (range(len(array)) if closed is None else closed) if n < len(array)]
            array[at] = array[at] == 0 if array.dtype.kind != "f" else array[at] * -0.37 + 0.1
        changed["arrays"] = arrays
        changed["sheets"] = [
            dataclasses.replace(one, alt="other", how=None, texts=None, counts=None)
            for one in component.sheets
        ]
    elif isinstance(component, Strip):
        changed |= {"lines": [sentence("other")], "readings": [sentence("other")],
                    "heading": sentence("other"), "heat": None}  # fmt: skip
    return dataclasses.replace(component, **changed)


@pytest.mark.parametrize("ident", lesson_ids())
def test_the_students_pages_are_the_same_for_all_that_is_covered(runs, monkeypatch, ident):
    page = handout(whole(ident), runs.get)
    drawn = ShownFigure.component
    changed = []

    def component(self, names):
        found = drawn(self, names)
        if not self.figure.cover:
            return found
        rows = self.figure.rows
        closed = None if rows is None else np.ravel(evaluate(rows, names)).astype(int).tolist()
        changed.append(self.figure.view)
        return other(found, closed)

    monkeypatch.setattr(ShownFigure, "component", component)
    assert handout(whole(ident), runs.get) == page
    assert changed
    assert handout(whole(ident), runs.get, answers=True) != page


def test_there_is_room_for_every_kind_of_answer(runs):
    kinds = set()
    for ident in lesson_ids():
        for step in whole(ident).steps:
            posed = ready(step, runs.get).posed
            if posed is None:
                continue
            kind, n = posed.question.kind, len(posed.options)
            kinds.add(kind)
            paper, file = question_html(posed, ON_PAPER), question_html(posed, IN_FILE)
            boxes = n if kind in ("choice", "tokens", "cells", "order") else 0
            lines = 1 if kind == "number" else n if kind == "bet" else 0
            assert paper.count("class='box'") == boxes
            assert paper.count("class='line") == lines
            assert file.count("<input") == boxes + lines
            grid = posed.grid
            named = posed.options if grid is None else (*grid.rows, *grid.cols)
            assert all(escape(option) in paper for option in named)
            assert posed.question.unit in paper
    assert kinds == {"number", "choice", "tokens", "cells", "order", "bet", "do"}


def test_of_equal_tokens_the_answer_says_which(runs):
    posed = ready(whole("vectors").asking("same-row"), runs.get).posed
    assert in_words(posed, posed.right) == "a (box 7), a (box 12)"


@pytest.mark.parametrize("ident", lesson_ids())
def test_what_somebody_typed_is_text(runs, ident):
    own = whole(ident)
    pages = [handout(own, runs.get, text=NASTY, answers=answers) for answers in (False, True)]
    for step in own.steps:
        if any(figure.own for figure in step.figures):
            pages.append(live_step(own, step, runs.get, text=NASTY))
    for page in pages:
        head, script, rest = page.partition("<script type='module'>")
        found = Elements(head + rest.rpartition("</script>")[2] if script else page)
        assert found.wrong == []
        assert "script" not in found.tags
        assert "<script>hit" not in page
    if any(figure.own for step in own.steps for figure in step.figures):
        assert all(escape(NASTY) in page for page in pages[:2])


def test_a_sentence_that_is_too_short_is_told_what_is_needed(runs):
    own = whole("attention")
    page = handout(own, runs.get, text="A")
    here = section(page, "step", "row-sum")
    assert "needs a third token" in here
    assert "class='question'" not in here
    assert "answers-row-sum" not in handout(own, runs.get, text="A", answers=True)
    step = next(one for one in own.steps if one.id == "row-sum")
    assert "needs a third token" in live_step(own, step, runs.get, text="A")


@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_step_as_a_file_holds_all_of_it(runs, speak, code):
    speak(code)
    own = whole("attention", code)
    for step in own.steps:
        page, one = live_step(own, step, runs.get), ready(step, runs.get)
        shown, _script, _rest = page.partition("<script type='module'>")
        assert f"<html lang='{code}'>" in shown
        assert escape(step.title) in shown
        assert prose(step.before, one.names, {}) in shown
        if one.posed is not None:
            before, _details, hidden = shown.partition("<details class='reveal'>")
            assert escape(one.posed.say(one.posed.question.solution)) in hidden
            assert prose(step.after, one.names, {}) in hidden
            assert question_html(one.posed, IN_FILE) in before
            for picture in one.pictures:
                assert ("id='a-after'" in hidden) == picture.is_covered
        for source in own.sources:
            assert escape(source.section) in shown


def test_two_versions_can_be_told_apart_and_answers_name_theirs(runs):
    own = whole("attention")
    for seed, name in ((0, "version A"), (1, "version B"), (30, "version 30")):
        assert name in handout(own, runs.get, seed=seed)
        assert name in handout(own, runs.get, seed=seed, answers=True)

"""The lessons that ship: read, run and asked on the shipped weights; their facts hold."""

from __future__ import annotations

import os
import re

import pytest

from core import zoo
from core.language import use_language
from core.lessons import ALL, FILES, Lesson, lesson, lesson_ids, paths
from core.lessons.checking import differences, faults
from core.lessons.courses import called, courses, teachers_notes
from core.lessons.posing import pose
from core.lessons.world import world_of

EVERY = [(path.parent.name, path.stem) for path in sorted(FILES.glob("*/*.md"))]
ENGLISH = [ident for code, ident in EVERY if code == "en"]
CODES = sorted({code for code, _id in EVERY})  # every lesson is in all, see below
SEEDS = 50


@pytest.fixture
def spoken(code):
    use_language(code)
    yield code
    use_language("en")


def whole(ident: str, code: str) -> Lesson:
    found = lesson(ident, code)
    assert isinstance(found, Lesson), str(found)
    return found


@pytest.mark.parametrize("ident", ENGLISH)
@pytest.mark.parametrize("code", CODES)
def test_a_lesson_is_as_it_should_be(runs, spoken, ident):
    """Right answers are right, wrong ones are recognised, facts are facts."""
    said = list(faults(whole(ident, spoken), runs.get, SEEDS))
    assert not said, "\n".join(map(str, said))


@pytest.mark.parametrize(("code", "ident"), [one for one in EVERY if one[0] != "en"])
def test_a_translation_asks_the_same(code, ident):
    said = list(differences(whole(ident, code), whole(ident, "en")))
    assert not said, "\n".join(map(str, said))


def test_every_path_leads_through_lessons_that_are_there():
    assert set(paths()) == {"all", "000", "001", "002", "003", "004"}
    for ids in paths().values():
        assert set(ids) <= set(lesson_ids())
    assert set(paths()["all"]) == set(ENGLISH)


def test_courses_have_names_and_their_notes_are_of_lessons_that_they_go_through():
    assert set(courses()) == set(paths()) - {ALL}
    assert called("000").startswith("CS 182/282A, Berkeley")
    assert called("Our own course") == "Our own course"
    sources = {one.document for ident in ENGLISH for one in whole(ident, "en").sources}
    assert sources <= set(courses())
    for course in courses():
        notes = {ident: len(teachers_notes(course, ident)) for ident in lesson_ids()}
        assert {ident for ident in notes if notes[ident]} <= set(paths()[course])
        assert any(notes.values())
        french = {ident: len(teachers_notes(course, ident, "fr")) for ident in lesson_ids()}
        assert french == notes
    assert not teachers_notes("", "masks")


def test_what_a_lesson_builds_on_comes_before_it():
    order = list(paths()["all"])
    for ident in ENGLISH:
        for earlier in whole(ident, "en").after:
            assert order.index(earlier) < order.index(ident)


def test_a_lesson_that_is_broken_is_named_and_the_others_run(tmp_path, monkeypatch):
    import core.lessons as package

    (tmp_path / "en").mkdir()
    (tmp_path / "paths.yaml").write_text("all: [broken]\n")
    (tmp_path / "en" / "broken.md").write_text("no front matter")
    monkeypatch.setattr(package, "FILES", tmp_path)
    assert str(package.lesson("broken")).startswith("broken.md, line 1: ")


def test_a_file_that_was_edited_is_read_anew(tmp_path, monkeypatch):
    import core.lessons as package

    (tmp_path / "en").mkdir()
    file = tmp_path / "en" / "first.md"
    monkeypatch.setattr(package, "FILES", tmp_path)
    said = (FILES / "en" / "first.md").read_text(encoding="utf-8")
    for n, title in enumerate(("One title", "Another title")):
        file.write_text(re.sub(r"(?m)^title: .*$", f"title: {title}", said), encoding="utf-8")
        os.utime(file, ns=(n, n))
        found = package.lesson("first")
        assert isinstance(found, Lesson)
        assert found.title == title


@pytest.mark.parametrize("code", ["en", "fr"])
def test_the_two_sentences_of_the_tour_have_the_same_tokens(code):
    """They differ in their order alone, as the question says."""
    step = next(one for one in whole("first", code).steps if one.id == "place")
    assert step.question is not None
    said = re.findall(r"[“«]\s?([A-Za-z ]+?)\s?[”»]", step.question.ask)[:2]
    assert len(set(said)) == 2
    one, other = (zoo.load("gpt").encode(text) for text in said)
    assert one != other
    assert sorted(one) == sorted(other)


def test_the_steps_of_a_figure_are_those_of_what_the_lesson_selects(runs):
    step = next(one for one in whole("deep", "en").steps if one.id == "normalise")
    world = world_of(step, runs.get)
    assert step.question is not None
    names = pose(step.question, world.names, 0).names
    one = world.shown[0]
    stepper = one.view.steps(one.chosen(names))
    assert stepper is not None
    assert stepper.selection["col"] == one.component(names).selection["col"] == names["col"]

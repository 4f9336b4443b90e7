"""The page of lessons: the list, a lesson, one that is broken, one that is not there."""

from __future__ import annotations

from core.lessons import Lesson, lesson, lesson_ids
from tests.app.test_pages import check, opened

PAGE = "learn/lessons.py"


def titles(app) -> str:
    return " ".join(str(one.body) for one in app.get("html"))


def test_every_lesson_is_listed():
    app = opened(PAGE)
    check(app)
    said = " ".join(one.value for one in app.markdown)
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        assert found.title in said


def test_a_lesson_that_is_not_there_is_said_and_the_list_shown():
    app = opened(PAGE, lesson="nothing")
    check(app)
    assert "no lesson called “nothing”" in app.warning[0].value


def test_every_screen_of_every_lesson_opens():
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        for at in range(len(found.steps) + 1 + bool(found.probe)):
            app = opened(PAGE, lesson=ident, lesson_at=str(at))
            check(app)
            assert not app.error, (ident, at, app.error)

"""Lecture view of the pages with several sections: one at a time, named by the link."""

from __future__ import annotations

import pytest

from core.answers.names import in_words
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import link, notices

PAGES = {
    "text/tokenization.py": ("text_part", 4),
    "text/positions.py": ("position_part", 7),
    "text/contexts.py": ("context_part", 2),
    "predictions/vision.py": ("picture_part", 6),
    "predictions/fine_tune.py": ("tune_part", 4),
    "labs/training.py": ("lab_part", 6),
}

# What is chosen before a lecture: by the section before, which has it, too, or by typing.
CHOSEN_BEFORE = {
    "text/tokenization.py": "-text.code-cutting",
    "text/contexts.py": "-contexts.distances-sought-sentences",
}


def figures(app) -> set[str]:
    """Keys of the components that are drawn, but for the frame.

    What can be tried and what the names mean is in no lecture.
    """
    frame = ("link", "mends", "runbar", "map", "experiments")
    components = (element.proto for element in app.get("bidi_component"))
    return {
        p.id for p in components
        if p.component_name.rpartition(".")[2] not in frame and not p.id.endswith("-letters")
    }  # fmt: skip


@pytest.mark.parametrize("file", PAGES)
def test_a_lecture_shows_one_section_and_all_of_them_the_page(file):
    name, n = PAGES[file]
    page = opened(file, text="A dog")
    before = CHOSEN_BEFORE.get(file, "none")
    everything = {key for key in figures(page) if not key.endswith(before)}
    seen: set[str] = set()
    for at in range(n):
        app = opened(file, text="A dog", view="lecture", **{name: str(at)})
        check(app)
        assert not [one for one in notices(app) if "The link asks for" in one]
        assert link(app).get(name) == str(at)
        here = {key for key in figures(app) if "sections" not in key}
        assert here < everything
        seen |= here
        (deck,) = [one for one in headers(app, "stepper") if one.get("deck")]
        assert f"## {deck['titles'][at]}" not in [markdown.value for markdown in app.markdown]
    assert seen == everything


@pytest.mark.parametrize("file", PAGES)
def test_a_section_that_is_not_there_is_said_and_the_last_shown(file):
    name, n = PAGES[file]
    app = opened(file, text="A dog", view="lecture", **{name: str(n)})
    check(app)
    assert any(
        f"{in_words(name)} = “{n}”. It must be between 0 and {n - 1}" in one for one in notices(app)
    )
    assert link(app)[name] == str(n - 1)


def test_in_a_lecture_the_link_has_no_section_of_another_page():
    app = opened("text/positions.py", view="lecture", text_part="1", position_part="2", along="")
    assert link(app) == {"view": "lecture", "position_part": "2"}


@pytest.mark.parametrize("file", PAGES)
def test_outside_a_lecture_the_section_is_not_in_the_link(file):
    name, _n = PAGES[file]
    assert name not in link(opened(file, text="A dog", **{name: "1"}))

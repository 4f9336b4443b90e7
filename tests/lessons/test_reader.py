"""A lesson file becomes data, or an error with its line."""

from __future__ import annotations

import pytest

from core.errors import LessonError
from core.lessons.reader import parse, read_entry

FRONT = """---
title: A lesson
able: [add]
items: [C5]
sources: [{document: "002", section: sums}]
after: []
probe: [one, two, three]
---
"""
QUESTION = """
```question
id: {id}
kind: number
ask: What is 1 + {n}?
answer: 1 + {n}
wrong: {{forgot: 1}}
hints: [look, add, 1 + ...]
solution: It is {{{{answer}}}}.
```
"""


def step(name: str, n: int = 2) -> str:
    return f"\n## Step {name} {{#{name} C5}}\n\nBefore.\n{QUESTION.format(id=name, n=n)}\nAfter.\n"


LESSON = FRONT + "".join(step(name) for name in ("one", "two", "three", "four"))


def test_steps_have_what_stands_before_and_after_their_question():
    lesson = parse(LESSON, "sums.md", "en")
    assert (lesson.id, lesson.language, len(lesson.steps)) == ("sums", "en", 4)
    first = lesson.steps[0]
    assert (first.id, first.title, first.items) == ("one", "Step one", ("C5",))
    assert (first.before, first.after) == ("Before.", "After.")
    assert first.question is not None
    assert first.question.wrong["forgot"].answer == "1"
    assert lesson.asking("three").id == "three"
    with pytest.raises(KeyError):
        lesson.asking("five")


@pytest.mark.parametrize(
    ("text", "line"), [("title: A", 1), ("---\nable: []\n---", 2), ("---\n- a\n---\n", 2)]
)
def test_a_title_is_read_alone_and_said_to_be_missing(tmp_path, text, line):
    (tmp_path / "a.md").write_text(LESSON[: LESSON.index("## Step two")] + "{{ unclosed", "utf-8")
    assert read_entry(tmp_path / "a.md") == ("A lesson", True)
    (tmp_path / "b.md").write_text(text, "utf-8")
    with pytest.raises(LessonError) as problem:
        read_entry(tmp_path / "b.md")
    assert problem.value.line == line


def test_a_step_that_went_away_leads_to_what_took_its_place():
    found = parse(LESSON.replace("probe:", "moved: {older: two}\nprobe:"), "sums.md", "en")
    asked = [found.step(one) for one in ("older", "two", "other")]
    assert [one and one.id for one in asked] == ["two", "two", None]


def test_a_fence_that_is_not_ours_is_text():
    lesson = parse(LESSON.replace("Before.", "```python\nx = 1\n```"), "sums.md", "en")
    assert "x = 1" in lesson.steps[0].before


BROKEN = [
    ("no front matter", lambda text: text.replace("---\n", "", 1), 1, "front matter"),
    ("no YAML", lambda text: text.replace("after: []", "after: [5"), 7, "no YAML"),
    ("moved away", lambda text: text.replace("probe:", "moved: {a1: b1}\nprobe:"), 2, "gone"),
    ("moved twice", lambda text: text.replace("probe:", "moved: {one: two}\nprobe:"), 2, "gone"),
    ("unknown word", lambda text: text.replace("after: []", "after: []\nlevel: 2"), 2, "level"),
    ("no id", lambda text: text.replace(" {#two C5}", ""), 26, "ends with its id"),
    ("other heading", lambda text: text.replace("Before.", "### Sub", 1), 12, "begins with ##"),
    ("two questions", lambda text: text.replace("After.", QUESTION.format(id="extra", n=1), 1), 25,
     "one question"),
    ("same id", lambda text: text.replace("{#two", "{#one"), 2, "same id"),
    ("probe", lambda text: text.replace("probe: [one,", "probe: [zero,"), 2, "zero"),
    ("kind", lambda text: text.replace("kind: number", "kind: guess", 1), 14, "kind"),
    ("hints", lambda text: text.replace("hints: [look, add, 1 + ...]", "hints: [look]", 1), 14,
     "hints"),
    ("hole", lambda text: text.replace("Before.", "It is\n{{answer and {{answer}}.", 1), 13, "}}"),
    ("last hole", lambda text: text[::-1].replace(".retfA", "rewsna{{", 1)[::-1], 72, "}}"),
    ("html", lambda text: text.replace("Before.", "<script>alert(1)</script>", 1), 12, "HTML"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "spoil", "line", "says"), BROKEN, ids=[one[0] for one in BROKEN])
def test_what_is_amiss_is_said_with_its_line(what, spoil, line, says):
    with pytest.raises(LessonError) as raised:
        parse(spoil(LESSON), "sums.md", "en")
    assert says in str(raised.value)
    assert raised.value.line == line, str(raised.value)
    assert str(raised.value).startswith("sums.md, line ")

"""A small book: complete, asks nobody, says nothing in clear before the answer, small."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core import views
from core.errors import JobError, LessonError
from core.language import use_language
from core.lessons import Lesson, lesson
from core.lessons.__main__ import main
from core.lessons.book import in_turn, write
from core.lessons.book.job import BookJob
from core.lessons.book.pace import BookProgress
from core.lessons.book.pages import BookPages
from core.lessons.book.probes import of_probe
from core.lessons.book.processes import side_by_side
from core.lessons.printed.ready import ready
from core.show import figure as as_shown
from core.views.params import checked
from tests.lessons.book.reading import held

MOST = 1_500_000  # bytes of a page, and of a pack
ADDRESS = re.compile(
    r"""(?:src|href)\s*=\s*['"]?(?:https?:|//)|url\(\s*['"]?(?:https?:|//)|@import"""
)


@pytest.fixture(scope="module")
def book(tmp_path_factory, runs) -> Path:
    out = tmp_path_factory.mktemp("book")
    write(out, in_turn(runs.get), ("en", "fr"), ("first", "attention"), seeds=2)
    return out


def test_there_is_a_start_each_lesson_its_handout_and_the_glossary(book):
    own = {"index.html", "first-handout.html", "attention.html", "attention-handout.html",
           "glossary.html", "last-test.html", "first.html"}  # fmt: skip
    assert {path.name for path in (book / "en").iterdir()} == own
    assert {path.name for path in (book / "fr").iterdir()} == own
    packs = {"first.js", "attention.js", "common.js"}  # each for both languages
    assert {path.name for path in (book / "packs").iterdir()} == packs
    names = held(book / "packs" / "first.js")
    assert {"en/opened-9", "fr/opened-9"} <= names.keys()  # the ten clicks


def test_the_start_is_the_list_of_all_lessons(book):
    start = (book / "en" / "index.html").read_text("utf-8")
    links = re.findall(r"<a href='([\w-]+)\.html' data-lesson='\1'", start)
    assert links == ["first", "attention"]


def test_all_pages_share_a_style_sheet_but_the_handouts(book):
    for path in book.rglob("*.html"):
        sheets = re.findall(r"<link rel='stylesheet' href='([^']+)'", path.read_text("utf-8"))
        assert len(sheets) == (0 if "handout" in path.name else 1), path
        assert all((path.parent / one).resolve() == book / "book.css" for one in sheets)


def test_no_script_stands_in_a_page(book):
    """A server may forbid it: ``script-src 'self'``."""
    for path in book.rglob("*.html"):
        for kind, inside in re.findall(r"<script([^>]*)>([^<]*)", path.read_text("utf-8")):
            assert "type='application/json'" in kind or not inside, path
            if source := re.search(r"src='([^']+)'", kind):
                assert (path.parent / source[1]).is_file()


@pytest.fixture(scope="module")
def small(tmp_path_factory, runs) -> Path:
    """A book of one lesson, and its key beside it."""
    out = tmp_path_factory.mktemp("small")
    write(out / "book", in_turn(runs.get), ("en",), ("first",), seeds=1, key=out / "key")
    return out


def test_the_key_is_written_apart_and_only_if_it_is_wanted(book, small):
    assert not any("answers" in path.name for path in book.rglob("*"))
    assert [path.name for path in (small / "key" / "en").iterdir()] == ["first-answers.html"]
    text = (small / "key" / "en" / "first-answers.html").read_text("utf-8")
    assert "class='teacher'" in text
    assert all("class='teacher'" not in one.read_text() for one in small.glob("book/*/*.html"))


def test_it_is_said_how_far_it_is_of_how_many_and_how_long_it_will_take():
    said, seconds = [], iter([90, 150, 180, 210])
    pace = BookProgress(5, said.append, lambda: next(seconds))
    for what in "abcde":
        pace.done(what)
    assert said == [
        "5 screens to make",
        "1 of 5, a",
        "2 of 5, b: about 3 min left",
        "3 of 5, c: about 2 min left",
        "4 of 5, d: about 1 min left",
        "5 of 5, e: the last pages are next",
    ]


def test_no_page_asks_anybody_for_anything(book):
    pages = list(book.rglob("*.html"))
    assert len(pages) == 15
    for path in pages:
        text = path.read_text("utf-8")
        assert "default-src 'none'" in text
        assert not ADDRESS.search(text), path
    assert not ADDRESS.search((book / "book.css").read_text("utf-8"))
    assert max(path.stat().st_size for path in book.rglob("*.*")) < MOST


def test_every_link_leads_to_a_page_of_the_book(book):
    for path in book.rglob("*.html"):
        links = re.findall(r"<a [^>]*href='([^'#]+)'", path.read_text("utf-8"))
        assert [one for one in links if not (path.parent / one).resolve().is_file()] == []


def test_a_book_is_in_the_language_of_its_folder(book):
    french = (book / "fr" / "attention.html").read_text("utf-8")
    assert "<html lang='fr'>" in french
    parts = held(book / "packs" / "attention.js")
    asks = [parts[f"{code}/opened-3"].header["variants"][0]["question"]["labels"]["check"]
            for code in ("en", "fr")]  # fmt: skip
    assert asks == ["Check", "Vérifier"]


def test_what_is_covered_is_neither_in_clear_nor_in_what_opens_first(book, runs):
    found = lesson("attention")
    assert isinstance(found, Lesson)
    text = (book / "en" / "attention.html").read_text("utf-8")
    parts = held(book / "packs" / "attention.js")
    checked = 0
    for at, step in enumerate(found.steps, 1):
        one = ready(step, runs.get)
        if one.posed is None:
            continue
        solution = one.posed.say(step.question.solution)
        assert solution not in text
        seen, waits = parts[f"en/opened-{at}"], parts[f"en/closed-{at}"]
        assert solution not in json.dumps(seen.header, ensure_ascii=False)
        for picture in one.pictures:
            if not picture.is_covered or picture.shown.figure.cover == "rows":
                continue
            for array in picture.whole.payload().arrays.values():
                if array.dtype.name == "float32" and array.size > 4:
                    checked += 1
                    assert any(same(array, other) for other in waits.arrays.values())
                    assert not any(same(array, other) for other in seen.arrays.values())
    assert checked > 5


def same(one, other) -> bool:
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def test_a_question_is_there_on_each_seed_and_says_so(book):
    seen = held(book / "packs" / "attention.js")["en/opened-3"].header["variants"]
    assert [one["seed"] for one in seen] == [0, 1]
    assert len({one["about"] for one in seen}) == 2


def test_every_question_but_the_goals_may_come_back_after_the_lesson(runs):
    found = lesson("attention")
    after = of_probe(found, "after", runs.get, {})
    back = {one["id"]: found.steps[one["at"] - found.first] for one in after.closed.header["again"]}
    asking = {one.question.id: one for one in found.steps if one.question is not None}
    goals = {ident for ident, one in asking.items() if one.question.kind == "do"}
    assert len(found.steps) > len(asking) > len(goals) > 0
    assert back == {ident: one for ident, one in asking.items() if ident not in goals}


def drawn_by_the_app(figure, values, runs) -> list:
    """The arrays of a figure as its view draws it for these parameters."""
    params = {**figure.params, **values}
    asked = checked(views.get(figure.view).Params, params)
    component = as_shown(figure.view, asked, runs, exact=frozenset() if values else params.keys())
    return list(component.component.up_to_now().payload().arrays.values())


def shown_after(more, n: int) -> Iterator[tuple[dict[str, int], dict[str, Any]]]:
    """A figure as it is after the answer, and a few of its variations, each by what was chosen."""
    variant = more.header["variants"][0]
    if variant["figures"][n] is not None:
        yield {}, variant["figures"][n]
    for offer in variant.get("offers", []):
        names = [one["name"] for one in offer["controls"]]
        made = offer["made"] if offer["at"] == n else {}
        for chosen in list(made)[-3:]:
            yield dict(zip(names, map(int, chosen.split(",")), strict=True)), made[chosen][str(n)]


def test_the_figures_and_their_variations_have_the_numbers_of_the_app(book, runs):
    parts, compared = held(book / "packs" / "attention.js"), 0
    for at, step in enumerate(lesson("attention").steps, 1):
        opened = parts[f"en/opened-{at}"]
        more = parts[f"en/closed-{at}"] if step.question is not None else opened
        for n, figure in enumerate(step.figures):
            if figure.select or figure.follows or (step.question and step.question.kind == "do"):
                continue
            for values, one in shown_after(more, n):
                own = [more.arrays[name] for name in one["parts"][-1]["arrays"].values()]
                wanted = drawn_by_the_app(figure, values, runs)
                assert len(own) == len(wanted)
                assert all(same(a, b) for a, b in zip(own, wanted, strict=True))
                compared += 1
    assert compared > 8


def test_several_processes_write_the_same_to_the_byte(small, tmp_path):
    said, book = [], small / "book"
    write(tmp_path, side_by_side(2), ("en",), ("first",), seeds=1, say=said.append)
    files = {path.relative_to(book) for path in book.rglob("*.*")}
    assert files == {path.relative_to(tmp_path) for path in tmp_path.rglob("*.*")}
    assert [
        one for one in files if (book / one).read_bytes() != (tmp_path / one).read_bytes()
    ] == []
    counts = [int(n) for n in re.findall(r"^(\d+) of \d+, ", "\n".join(said), re.M)]
    assert counts == list(range(1, len(counts) + 1))
    assert f"{counts[-1]} screens to make" in said


class Broken(BookJob):
    """One of a lesson that cannot be read."""

    def __getattribute__(self, name: str) -> Any:
        if name == "shelf":
            raise LessonError("lost.md", 3, "nothing is asked")
        return super().__getattribute__(name)


class Killing:
    """Ends the process in which it is read."""

    def __reduce__(self) -> Any:
        return os._exit, (1,)


def test_what_went_wrong_in_another_process_is_said_as_in_this_one():
    broken = Broken("lost", BookPages({}), ("lost",), 1, False)
    with pytest.raises(LessonError) as here:
        list(side_by_side(1)([broken], print))
    with pytest.raises(LessonError) as there:
        list(side_by_side(2)([broken], print))
    assert str(there.value) == str(here.value)
    with pytest.raises(JobError, match="--processes"):
        list(side_by_side(2)([Killing()], print))


def test_the_command_writes_it(tmp_path, capsys):
    assert main(["book", str(tmp_path / "out"), "first", "--languages", "en,fr"]) == 0
    assert (tmp_path / "out" / "fr" / "index.html").is_file()
    said = capsys.readouterr().out
    assert "kB" in said
    n = 2 * (len(lesson("first").steps) + 1)
    assert re.findall(rf"^(\d+) of {n},", said, re.M) == [str(one) for one in range(1, n + 1)]


@pytest.mark.parametrize("words", [["book"], ["book", "x", "--languages", "en,xx"],
                                   ["book", "x", "nothing"],
                                   ["book", "x", "--key", "x/key"]])  # fmt: skip
def test_a_wrong_command_says_what_is_wrong(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(words)
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err


@pytest.fixture(autouse=True)
def _english():
    yield
    use_language("en")

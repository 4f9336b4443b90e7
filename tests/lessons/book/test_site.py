"""A small book: complete, asks nobody, says nothing in clear before the answer, small."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core import views
from core.figures.payload import unpack
from core.language import use_language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.__main__ import main
from core.lessons.book import write
from core.lessons.book.pace import Pace
from core.lessons.printed.ready import ready
from core.show import figure as as_shown
from core.views.params import checked

MOST = 3_000_000  # bytes of a page
ADDRESS = re.compile(
    r"""(?:src|href)\s*=\s*['"]?(?:https?:|//)|url\(\s*['"]?(?:https?:|//)|@import"""
)


@pytest.fixture(scope="module")
def book(tmp_path_factory, runs) -> Path:
    out = tmp_path_factory.mktemp("book")
    write(out, runs.get, ("en", "fr"), ("first", "attention"), seeds=2)
    return out


def held(page: Path) -> dict[str, bytes]:
    """What a page holds, decoded, by the id of its element."""
    found = re.findall(r"<script type='text/plain' id='([\w-]+)'>([^<]*)<", page.read_text("utf-8"))
    return {name: zlib.decompress(base64.b64decode(text), -15) for name, text in found}


def test_there_is_a_start_each_lesson_its_handout_and_the_glossary(book):
    own = {"index.html", "first-handout.html", "attention.html", "attention-handout.html",
           "glossary.html", "last-test.html", "first.html"}  # fmt: skip
    assert {path.name for path in (book / "en").iterdir()} == own
    assert {path.name for path in (book / "fr").iterdir()} == own
    assert "id='opened-9'" in (book / "en" / "first.html").read_text("utf-8")  # the ten clicks


def test_the_start_is_the_list_of_all_lessons(book):
    start = (book / "en" / "index.html").read_text("utf-8")
    links = re.findall(r"<a href='([\w-]+)\.html' data-lesson='\1'", start)
    assert links == ["first", "attention"]
    assert "id='opened-" not in start


def test_no_script_stands_in_a_page(book):
    """A server may forbid it: ``script-src 'self'``."""
    for path in book.rglob("*.html"):
        for kind, inside in re.findall(r"<script([^>]*)>([^<]*)", path.read_text("utf-8")):
            is_data = "type='text/plain'" in kind or "type='application/json'" in kind
            assert is_data or not inside, path
            if source := re.search(r"src='([^']+)'", kind):
                assert (path.parent / source[1]).is_file()


def test_a_field_is_never_sent_for_where_there_is_none():
    """A book and a sheet of paper have none, so a text says that it is in the app."""
    field = re.compile(r"\b(?:at the top of the page|above|en haut de la page|ci-dessus)")
    types = re.compile(r"\b(?:type|tapez|saisi\w+|écrivez)\b", re.I)
    sent = []
    for code in ("en", "fr"):
        for ident in lesson_ids():
            found = lesson(ident, code)
            assert isinstance(found, Lesson)
            for step in found.steps:
                for one in re.split(r"[.?!:]\s", f"{step.before} {step.after}"):
                    if field.search(one) and types.search(one):
                        sent.append(one)
    assert len(sent) >= 10
    assert [one for one in sent if not re.search("(?i)in the app|dans l’application", one)] == []


def test_the_key_is_written_apart_and_only_if_it_is_wanted(book, tmp_path, runs):
    assert not any("answers" in path.name for path in book.rglob("*"))
    write(tmp_path / "book", runs.get, ("en",), ("first",), seeds=1, key=tmp_path / "key")
    assert [path.name for path in (tmp_path / "key" / "en").iterdir()] == ["first-answers.html"]
    text = (tmp_path / "key" / "en" / "first-answers.html").read_text("utf-8")
    assert "class='teacher'" in text
    assert all("class='teacher'" not in one.read_text() for one in tmp_path.glob("book/*/*.html"))


def test_it_is_said_how_far_it_is_of_how_many_and_how_long_it_will_take():
    said, seconds = [], iter([0, 30, 60, 90, 120])
    pace = Pace(4, said.append, lambda: next(seconds))
    for what in "abcd":
        pace.done(what)
    assert said == [
        "4 screens to make",
        "1 of 4, a: about 2 min left",
        "2 of 4, b: about 1 min left",
        "3 of 4, c: about 1 min left",
        "4 of 4, d: the last test is next",
    ]


def test_no_page_asks_anybody_for_anything(book):
    pages = list(book.rglob("*.html"))
    assert len(pages) == 15
    for path in pages:
        text = path.read_text("utf-8")
        assert "default-src 'none'" in text
        assert not ADDRESS.search(text), path
        assert path.stat().st_size < MOST


def test_every_link_leads_to_a_page_of_the_book(book):
    for path in book.rglob("*.html"):
        links = re.findall(r"<a [^>]*href='([^'#]+)'", path.read_text("utf-8"))
        assert [one for one in links if not (path.parent / one).resolve().is_file()] == []


def test_a_book_is_in_the_language_of_its_folder(book):
    french = (book / "fr" / "attention.html").read_text("utf-8")
    assert "<html lang='fr'>" in french
    assert unpack(held(book / "fr" / "attention.html")["opened-3"]).header["variants"]
    assert b'"language":"fr"' in held(book / "fr" / "attention.html")["opened-3"]


def test_what_is_covered_is_neither_in_clear_nor_in_what_opens_first(book, runs):
    found = lesson("attention")
    assert isinstance(found, Lesson)
    page = book / "en" / "attention.html"
    text, parts = page.read_text("utf-8"), held(page)
    checked = 0
    for at, step in enumerate(found.steps, 1):
        one = ready(step, runs.get)
        if one.posed is None:
            continue
        solution = one.posed.say(step.question.solution)
        assert solution not in text
        seen = unpack(parts[f"opened-{at}"])
        waits = unpack(parts[f"closed-{at}"])
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
    seen = unpack(held(book / "en" / "attention.html")["opened-3"]).header["variants"]
    assert [one["seed"] for one in seen] == [0, 1]
    assert len({one["about"] for one in seen}) == 2


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
    parts, compared = held(book / "en" / "attention.html"), 0
    for at, step in enumerate(lesson("attention").steps, 1):
        opened = unpack(parts[f"opened-{at}"])
        more = unpack(parts[f"closed-{at}"]) if step.question is not None else opened
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


def test_the_page_says_what_a_book_cannot_do(book):
    text = (book / "en" / "attention.html").read_text("utf-8")
    assert "a book can keep no secret" in text
    assert "you cannot type a sentence of your own" in text


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

"""A lesson on paper and a step as a file, as their addresses ask for them: true, and safe."""

from __future__ import annotations

import re
from html import escape

import pytest

from core.answers.link import pack
from core.lessons import lesson_ids
from pages.server import key, lesson_files
from tests.app import asked as answers

OWN = "The old cat sleeps in the sun"


def asked(lesson: str, step: str = "", **query: str) -> tuple[int, str, dict[str, str]]:
    """Status, content and headers of the answer to an address."""
    at = f"{lesson}/{step}" if step else lesson
    return answers.asked(f"{lesson_files.LESSON_FILES}/{at}.html", query)


def test_a_handout_is_looked_at_and_has_no_answers():
    status, page, headers = asked("attention")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert "content-disposition" not in headers
    assert "class='teacher'" not in page
    status, said, _headers = asked("attention", answers="1")
    assert status == 404
    assert "address of their own" in said


def test_the_answers_are_for_who_has_the_key(monkeypatch, capsys):
    monkeypatch.delenv(key.NAME, raising=False)
    assert answers.asked(f"{key.KEYS}/")[0] == 404
    key.settle()
    own = capsys.readouterr().out.split()[-1]
    assert len(own.rpartition("/")[2]) >= 16
    status, every, _headers = answers.asked(own)
    assert status == 200
    assert every.count(".html") == 2 * len(lesson_ids())
    _status, sheet, _headers = answers.asked(f"{own}/attention.html", {"_seed": "1"})
    assert "class='teacher'" in sheet
    assert "version B" in sheet
    for at in (f"{own[:-1]}", f"{key.KEYS}/1/attention.html", f"{own}x/attention.html"):
        assert answers.asked(at)[0] == 404


def test_a_key_that_is_set_is_taken_and_not_printed(monkeypatch, capsys):
    monkeypatch.setenv(key.NAME, "our-own-key")
    key.settle()
    assert capsys.readouterr().out == ""
    assert answers.asked(f"{key.KEYS}/our-own-key")[0] == 200


def test_a_step_is_kept_as_a_file():
    status, page, headers = asked("attention", "scale")
    assert status == 200
    assert headers["content-disposition"] == 'attachment; filename="attention-scale.html"'
    assert "From the dot product to the score" in page


def test_it_speaks_the_language_that_is_asked_for():
    _status, page, _headers = asked("attention", _language="fr")
    assert "<html lang='fr'>" in page
    assert "À la fin, vous saurez" in page
    _status, page, _headers = asked("attention", _language="xx")
    assert "<html lang='en'>" in page


def test_an_own_sentence_goes_with_it_packed_or_not():
    _status, plain, _headers = asked("attention", text=OWN)
    values, _left = pack({"text": OWN})
    _status, packed, _headers = asked("attention", **values)
    assert plain == packed
    assert escape(f"On your own sentence: “{OWN}”") in plain
    assert plain != asked("attention", text="  ")[1] == asked("attention")[1]


def test_another_seed_asks_for_other_numbers():
    first, second = (asked("attention", "scale", _seed=seed)[1] for seed in ("", "3"))
    question = re.compile(r"<p class='ask'>(.*?)</p>")
    assert question.search(first)[1] != question.search(second)[1]


def test_a_step_that_went_away_is_the_one_that_took_its_place():
    assert asked("gpt", "sizes")[1] == asked("gpt", "cache")[1]


@pytest.mark.parametrize("seed", ["-1", "x", "99999999999999999999", "²", "1.5"])
def test_a_damaged_seed_is_none(seed):
    assert asked("attention", "scale", _seed=seed)[1] == asked("attention", "scale")[1]


@pytest.mark.parametrize(
    ("lesson", "step", "said"),
    [("nothing", "", "no lesson called “nothing”"), ("../paths", "", "no lesson called"),
     ("attention", "nothing", "no step called “nothing”"), ("misconceptions", "x", "no lesson")],
)  # fmt: skip
def test_what_is_not_there_is_said_in_plain_words(lesson, step, said):
    status, words, headers = asked(lesson, step)
    assert status == 404
    assert said in words
    assert headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize("step", ["", "scale"])
@pytest.mark.parametrize(
    ("query", "said"),
    [({"z": "abc"}, "z is 'abc'; it must be copied whole"),
     ({"quatsch": "1"}, "parameter is 'quatsch'; it must be one of path, text"),
     ({"text": "x " * 12_000}, "; it must be at most 20,000 characters"),
     ({"path": "qw"}, "path is 'qw'; it must be the number of a lecture")],
)  # fmt: skip
def test_what_an_address_asks_for_and_is_not_there_is_said(query, said, step):
    status, words, headers = asked("attention", step, **query)
    assert status == 400
    assert said in words
    assert len(words) < 400
    assert headers["content-type"].startswith("text/plain")


def test_a_text_that_no_text_can_be_is_answered():
    for text, step in (
        ("\ud800", "scale"),
        ("\x00", "scale"),
        ("\n\n# a\n<b>", ""),
        ("x" * 3000, "scale"),
    ):
        values, _left = pack({"text": text.encode(errors="replace").decode()})
        status, page, _headers = asked("attention", step, **values)
        assert status == 200
        assert "<b>" not in re.sub(r"<figure.*?</figure>", "", page, flags=re.S)

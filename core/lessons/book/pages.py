"""The pages of a book: the list of lessons, a lesson with its player, the glossary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from core.data.glossary import glossary
from core.figures.components import Stepper
from core.figures.live import with_scripts
from core.language import _, language, ngettext
from core.lessons import Lesson
from core.lessons.book.probes import promise
from core.lessons.book.screens import Screen
from core.lessons.book.scripts import BESIDE, COMMON, DOOR, SCRIPT, START, STYLE, said_to
from core.lessons.last_test import MOST, NAME
from core.lessons.player import labels_of_progress, labels_of_result
from core.lessons.printed.sheet import line, sources
from core.lessons.study import LONGEST, OWN_SEEDS
from core.lessons.words import words

WORDS, TEST = "glossary.html", "last-test.html"
_ALWAYS = ("question", "stepper", "progress")
RESULT = "result"  # the component that the last test alone has


@dataclass(frozen=True)
class BookPages:
    """What the pages of a book have in common.

    Attributes:
        languages: it is written in: how each is called, by its code.
    """

    languages: Mapping[str, str]


def lesson_page(lesson: Lesson, screens: Sequence[Screen], shelf: BookPages) -> str:
    """A lesson with its player.

    Args:
        lesson: the lesson.
        screens: of it.
        shelf: that it stands on.
    """
    paper = _link(paper_of(lesson), _("Handout to print"))
    body = (
        f"<div id='book' class='lesson'>{_needs()}</div>"
        f"<footer><p class='glass-source'>{paper}</p>{sources(lesson)}{_secret()}</footer>"
    )
    settings = said_to(_book(lesson, screens), folders_of(screens))
    return framed(lesson.title, body, shelf, page_of(lesson), settings)


def page_of(lesson: Lesson) -> str:
    """The file of a lesson."""
    return f"{lesson.id}.html"


def list_page(lessons: Sequence[Lesson], shelf: BookPages) -> str:
    """The first page: the way to each lesson, and whose progress this browser keeps."""
    title = _("What do you want to understand?")
    body = (
        f"<h1 class='glass-title'>{escape(title)}</h1>{line(_claim())}<div id='book'></div>"
        f"{cards(lessons)}<footer>{_secret()}</footer>"
    )
    settings = {"language": language(), "list": True, "progress": _progress()}
    return framed(title, body, shelf, START, said_to(settings, ["progress"]))


def _claim() -> str:
    return _("Each lesson asks you first and shows you then, on the numbers of a model.")


def _needs() -> str:
    """What stands where nothing runs."""
    return line(_needed().format(file=SCRIPT))


def _needed() -> str:
    return _("This page needs JavaScript, and the file {file} beside its folder.")


def test_page(folders: Iterable[str], shelf: BookPages) -> str:
    """The last test over all lessons of the book.

    Args:
        folders: of the components that its questions may have.
        shelf: that it stands on.
    """
    body = f"<div id='book' class='lesson'>{_needs()}</div><footer>{_secret()}</footer>"
    settings = said_to(_test(), sorted({*_ALWAYS, *folders, RESULT}))
    return framed(_test_title(), body, shelf, TEST, settings)


def folders_of(screens: Iterable[Screen]) -> list[str]:
    """The components of some screens, and those that every page has."""
    return sorted({*_ALWAYS, *(folder for screen in screens for folder in screen.folders)})


def paper_of(lesson: Lesson) -> str:
    """The file of a lesson's handout."""
    return f"{lesson.id}-handout.html"


def _book(lesson: Lesson, screens: Sequence[Screen]) -> dict[str, Any]:
    """What a page says of its lesson."""
    titles = [{"title": screen.title, "layout": screen.layout} for screen in screens]
    settings = {"lesson": lesson.id, "title": lesson.title, "first": lesson.first,
                "promise": promise(lesson)}  # fmt: skip
    return {**_of_any(lesson.title, len(titles)), **settings, "screens": titles}


def _test() -> dict[str, Any]:
    """What the page of the last test says of it."""
    settings_of_test = {
        "most": MOST,
        "question": _("Question {n} of {of}"),
        "result": _("My result"),
        "said": _("Right answers: {n} of {of}"),
        "right": _("{n} of {of}"),
        "open": [
            ngettext("{n} question is still open.", "{n} questions are still open.", n).format(n=n)
            for n in range(MOST + 1)
        ],
        "go": _("Go to the next open question"),
        "another": _("Take another test"),
        "header": {
            "title": _test_title(),
            "language": language(),
            "labels": labels_of_result(),
        },
    }
    settings = {"lesson": NAME, "title": _test_title(), "screens": [], "test": settings_of_test}
    return {**_of_any(_test_title(), MOST + 1), **settings}


def _test_title() -> str:
    return _("Last test over all lessons")


def _of_any(title: str, n: int) -> dict[str, Any]:
    """What every page says that asks.

    Args:
        title: of the page.
        n: how many screens it has.
    """
    deck = Stepper(
        title=_("Steps of the lesson"), alt=title, n=n, first=0, field="lesson_at",
        titles=[""] * n, keys=False, deck=True,
    )  # fmt: skip
    return {
        "language": language(),
        "stepper": deck.payload().header,
        "common": COMMON,
        "progress": _progress(),
        "labels": _labels(),
    }


def _progress() -> dict[str, Any]:
    return {
        "longest": LONGEST,
        "seeds": OWN_SEEDS,
        "tools": True,
        "whose": True,
        "labels": labels_of_progress(),
    }


def _labels() -> dict[str, Any]:
    return {
        "back": _("Back"),
        "next": _("Next"),
        "probe": _("What do you know already?"),
        "needs": _needed(),
        "able": words(_("**When you are through, you can:**"), {}, {}),
        "now_able": words(_("**You can now:**"), {}, {}),
        "before": _("Nothing is explained yet: you will see the same questions on other numbers at "
                    "the end. Next skips them."),
        "after": _("A few questions to end with."),
        "gained_before": _("Before the lesson"),
        "gained_after": _("After it"),
        "solved": _("{n} of {of} right"),
        "again": _("Let us try the one you missed once more: “{step}”"),
    }  # fmt: skip


def _secret() -> str:
    """Two sentences on what a book cannot do."""
    sentence = _(
        "This book works without a server, and asks nobody for anything. What you have answered "
        "stays in your browser. The answers are in the file too, encoded until you have given "
        "yours: a book can keep no secret."
    )
    warning = _(
        "In the book you cannot type a sentence of your own. The app can: it runs the models on "
        "any text."
    )
    return line(sentence, "glass-source") + line(warning, "glass-source")


def framed(title: str, body: str, shelf: BookPages, name: str, data: str = "") -> str:
    """A page of the book: the way to the others above it; ``data``: what its script is told."""
    others = "".join(
        f"<a lang='{code}' hreflang='{code}' href='../{code}/{escape(name)}'>{escape(called)}</a>"
        for code, called in shelf.languages.items()
        if code != language()
    )
    ways = _link(START, _("All lessons")) + _link(WORDS, _("Glossary")) + others
    head = f"<header class='book-head'><b>Glassformer</b><nav>{ways}</nav></header>"
    runs = f"{data}<script defer src='../{SCRIPT}'></script>" if data else ""
    page = f"{head}<main>{body}</main>{runs}"
    return with_scripts(title, page, BESIDE, sheet=f"../{STYLE}")


def _link(address: str, words: str) -> str:
    return f"<a href='{escape(address)}'>{escape(words)}</a>"


def cards(lessons: Sequence[Lesson]) -> str:
    """The way to each lesson, with how far she is, and to the test over all of them."""
    rows, title = "".join(map(_card, lessons)), line(_("All lessons"), tag="h2")
    sentence = _("{n} questions over all lessons, on other numbers where there are any. Those that "
                 "you missed are among them. There is one try at each.").format(n=MOST)  # fmt: skip
    take = _link(TEST, _("Take the last test"))
    test = f"<p>{escape(sentence)}<br>{take}</p>"
    return f"<section class='book-cards'>{title}<ul>{rows}</ul>{test}</section>"


def _card(lesson: Lesson) -> str:
    asks = lesson.question_ids
    sentence = _("{minutes} minutes · {right} of {n} right at the first try").format(
        minutes=lesson.minutes, right="{right}", n="{n}"
    )
    start = sentence.format(right=0, n=len(asks))
    return (
        f"<li><a href='{escape(page_of(lesson))}' data-lesson='{escape(lesson.id)}' "
        f"data-asks='{escape(' '.join(asks))}' data-said='{escape(sentence)}'>"
        "<i class='book-ring' style='--done: 0%' aria-hidden='true'></i>"
        f"<strong>{escape(lesson.title)}</strong><small>{escape(start)}</small></a></li>"
    )


def glossary_page(shelf: BookPages) -> str:
    """Every term and what it means."""
    terms = sorted(glossary(language()).values(), key=lambda term: term.term.casefold())
    rows = "".join(
        f"<dt id='{escape(term.id)}'>{escape(term.term)}</dt><dd>{escape(term.text)}</dd>"
        for term in terms
    )
    title = _("What does this word mean?")
    body = f"<h1 class='glass-title'>{escape(title)}</h1><dl class='book-glossary'>{rows}</dl>"
    return framed(title, body, shelf, WORDS)


def door(languages: Mapping[str, str]) -> str:
    """The first page of all: it leads to the reader's own language, and shows them all."""
    links = "".join(
        f"<li><a lang='{code}' hreflang='{code}' href='{code}/{START}'>{escape(called)}</a></li>"
        for code, called in languages.items()
    )
    runs = f"<script defer src='{DOOR}'></script>"
    body = f"<main><h1>Glassformer</h1><ul>{links}</ul></main>{runs}"
    return with_scripts("Glassformer", body, BESIDE, sheet=STYLE)

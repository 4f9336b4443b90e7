"""A book opened from a disk: played wrong and right, word for word what the app says."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Locator, Page, expect

from core.lessons import Lesson
from core.lessons.answered import QuestionRecord
from core.lessons.book import in_turn, write
from core.lessons.book.doing import hands_of
from core.lessons.printed.prose import prose
from core.lessons.printed.ready import ready
from core.lessons.schema import LessonStep
from core.lessons.study import Study
from core.runs.store import Runs
from tests.browser.axe import FIND, UNFOLD
from tests.browser.conftest import PHONE, WIDE, been_here
from tests.browser.playing import (
    TITLE,
    answer,
    ask_all,
    asked,
    give,
    plain,
    probe_given,
    whole,
)

IN_BOOK = ("first", "bert", "masks")
NEXT = ".lesson-next"
WORDS = """(all) => all.map((one) => {
  const copy = one.cloneNode(true);
  for (const more of copy.querySelectorAll(".explained")) more.remove();
  return copy.textContent;
}).join(" ")"""


@pytest.fixture(scope="module")
def book(tmp_path_factory, runs) -> Path:
    out = tmp_path_factory.mktemp("book")
    write(out, in_turn(runs.get), ("en",), IN_BOOK, seeds=2)
    return out / "en"


@pytest.fixture(scope="module")
def small(tmp_path_factory, runs) -> Path:
    """A book of one lesson, which is written sooner."""
    out = tmp_path_factory.mktemp("small")
    write(out, in_turn(runs.get), ("en",), ("attention",), seeds=2)
    return out / "en"


@pytest.fixture
def page(browser: Browser, small: Path) -> Iterator[Page]:
    """A page of its own; the test fails if it asks for anything but files, or says it failed."""
    context = browser.new_context(viewport=WIDE)
    page, wrong = context.new_page(), []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    local = ("file://", "blob:", "data:")
    page.on("request", lambda r: None if r.url.startswith(local) else wrong.append(r.url))
    # Not before each document: there, on a reload, a file has not yet what is kept for it.
    page.goto((small / "glossary.html").as_uri())
    been_here(page)
    yield page
    context.close()
    assert wrong == []


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def bare(text: str) -> str:
    """Without what is between words."""
    return re.sub(r"\s+", "", text)


def text_of(html: str) -> str:
    reader = _Text()
    reader.feed(html)
    return bare("".join(reader.found))


def said_on(page: Page) -> str:
    """What the texts of a step say, without the explanations of words."""
    return bare(page.locator(".lesson-words").evaluate_all(WORDS))


def questions(page: Page, found: Lesson) -> list[Locator]:
    """Those of a probe; one that came back may stand below."""
    each, n = page.locator("section.question"), len(found.probe)
    expect(each.nth(n - 1)).to_be_visible()
    return [each.nth(at) for at in range(n)]


def start(page: Page, book: Path, ident: str, at: int) -> None:
    page.goto(f"{(book / ident).as_uri()}.html#{at}")


def film(page: Page, step: LessonStep, runs: Runs) -> None:
    """A goal with free hands: the book says that it cannot be tried here, and shows it."""
    section, posed = page.locator("section.question"), asked(step, runs)
    expect(section.locator(".near")).to_contain_text("In the app you can do it.")
    section.locator("button.give").click()
    expect(section.locator(".solution")).to_contain_text(plain(posed.parts(step.question.solution)))


def play(page: Page, step: LessonStep, runs: Runs, study: Study, *, wrong_alone: bool) -> None:
    """Answer a step wrong and right, and read all that it says before and after."""
    one = ready(step, runs.get)
    expect(page.locator(TITLE)).to_have_text(step.title)
    expect(page.locator("#book[aria-busy]")).to_have_count(0)
    before = text_of(prose(step.before, one.names, {}))
    after = text_of(prose(step.after, one.names, {}))
    expect(page.locator(".lesson-figure")).to_have_count(len(step.figures))
    assert before in said_on(page)
    if step.question is not None:
        assert not after or after not in said_on(page)
        if step.in_hand is not None and not hands_of(step).controls:
            film(page, step, runs)
        else:
            ask_all(page, step, runs, study, wrong_alone=wrong_alone)
    if after:
        expect(page.locator(".lesson-words").last).not_to_be_empty()
    assert after in said_on(page)


@pytest.mark.parametrize("ident", ["bert", "masks"])
def test_a_lesson_is_played_to_its_end(page, book, runs, ident):
    found, study = whole(ident), Study()
    start(page, book, ident, 0)
    probe_given(questions(page, found), found, "before", runs)
    page.locator(NEXT).click()
    for at, step in enumerate(found.steps, 1):
        play(page, step, runs, study, wrong_alone=at % 2 == 0)
        page.locator(NEXT).click()
        expect(page).to_have_url(re.compile(f"#{at + 1}$"))
    right = probe_given(questions(page, found), found, "after", runs)
    ended = page.locator(".lesson-words").last
    expect(ended).to_contain_text(f"{right} of {len(found.probe)} right")
    for one in found.able:
        expect(ended).to_contain_text(one)
    expect(page.locator(NEXT)).to_be_disabled()


def test_the_start_is_the_list_and_the_ten_clicks_lead_back_to_it(page, book, runs):
    found, study = whole("first"), Study()
    page.goto((book / "index.html").as_uri())
    card = page.locator("[data-lesson=first]")
    assert card.bounding_box()["y"] + card.bounding_box()["height"] < WIDE["height"]
    card.click()
    for at, step in enumerate(found.steps):
        play(page, step, runs, study, wrong_alone=at % 2 == 0)
        page.locator(NEXT).click()
    page.get_by_role("link", name="All lessons").click()
    page.get_by_role("link", name=whole("bert").title).click()
    expect(page.locator(TITLE)).to_have_text(whole("bert").steps[0].title)


@pytest.fixture
def strict(small: Path) -> Iterator[str]:
    """A plain web server that forbids scripts but those of its own files."""

    class Strict(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", "script-src 'self'")
            super().end_headers()

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    serves = partial(Strict, directory=small.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), serves) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_it_works_on_a_strict_web_server_and_asks_that_for_its_pages_alone(
    browser, small, strict, runs
):
    context = browser.new_context(viewport=PHONE, locale="en")
    page, answers = context.new_page(), []
    page.on("response", lambda one: answers.append((one.url, one.status)))
    page.goto(f"{strict}en/glossary.html")
    been_here(page)
    page.goto(f"{strict}index.html")  # leads on to the reader's language
    expect(page).to_have_url(re.compile("/en/index.html$"))
    page.get_by_role("link", name=whole("attention").title).click()
    step = whole("attention").asking("score")
    for _n in range(2):
        page.locator(NEXT).click()
    expect(page.locator(TITLE)).to_have_text(step.title)
    answer(page.locator("section.question"), asked(step, runs), "", Study(), QuestionRecord())
    expect(page.locator("canvas").first).to_be_visible()
    page.reload()
    expect(page.locator(".solution")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="All lessons").click()
    expect(page.locator("[data-lesson=attention] small")).to_contain_text("1 of")
    page.get_by_role("link", name="Take the last test").click()
    expect(page.locator("section.question .ask")).to_be_visible()
    context.close()
    files = {f"{strict}{one.relative_to(small.parent)}" for one in small.parent.rglob("*.*")}
    pages = {url.partition("#")[0] for url, _status in answers if url.startswith("http")}
    assert pages <= files | {strict}
    assert all(status in (200, 304) for _url, status in answers)


def test_a_page_without_its_pack_says_which_file_it_needs(browser, small, tmp_path):
    shutil.copytree(small.parent, tmp_path / "book")
    (tmp_path / "book" / "packs" / "attention.js").unlink()
    page = browser.new_page(locale="en")
    page.goto((tmp_path / "book" / "en" / "attention.html").as_uri())
    expect(page.locator("#book")).to_contain_text("the file packs/attention.js")
    page.close()


def test_hints_come_one_by_one_and_another_one_asks_what_a_neighbour_is_asked(page, small, runs):
    step = whole("attention").asking("score")
    start(page, small, "attention", 3)
    section, posed = page.locator("section.question"), asked(step, runs)
    for n, hint in enumerate(step.question.hints, 1):
        section.locator("button.hint").click()
        expect(section.locator(".hints li")).to_have_count(n)
        expect(section.locator(".hints li").last).to_have_text(posed.say(hint))
    expect(section.locator("button.hint")).to_be_hidden()
    section.locator("button.give").click()
    expect(section.locator(".solution")).to_contain_text(posed.say(step.question.solution))
    section.locator("button.again").click()
    other = asked(step, runs, 1)
    expect(section.locator(".ask")).to_have_text(other.say(step.question.ask))
    expect(page.locator(".solution")).to_have_count(0)
    answer(section, other, "", Study(), QuestionRecord())
    kept = '{"answers": [], "ideas": {}, "era": 0, "seed": 4001}'  # a neighbour's
    page.evaluate("(kept) => localStorage.setItem('glassformer.lessons', kept)", kept)
    page.reload()
    expect(section.locator(".ask")).to_have_text(other.say(step.question.ask))


def test_what_was_answered_is_kept_and_saved_and_begun_anew_and_loaded(page, small, runs, tmp_path):
    step = whole("attention").asking("score")
    start(page, small, "attention", 3)
    answer(page.locator("section.question"), asked(step, runs), "", Study(), QuestionRecord())
    page.reload()
    expect(page.locator(".solution")).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_label("Name in the saved file").fill("Anna")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my progress").click()
    download.value.save_as(tmp_path / "saved.json")
    study = Study()
    assert study.load(json.loads((tmp_path / "saved.json").read_text()))
    assert study.of("attention", "score").right
    page.goto((small / "index.html").as_uri())
    expect(page.locator("[data-lesson=attention] small")).to_contain_text(
        f"1 of {len(whole('attention').question_ids)} right at the first try"
    )
    whose = page.locator(".whose")
    expect(whose).to_contain_text("The progress of Anna is kept in this browser (answers: 1).")
    page.get_by_role("button", name="Begin anew").click()
    whose.get_by_role("button", name="Really delete all of it?").click()
    expect(whose).to_be_hidden()
    assert page.evaluate("() => localStorage['glassformer.name']") == ""
    assert json.loads(page.evaluate("() => localStorage['glassformer.lessons']"))["answers"] == []
    start(page, small, "attention", 3)
    expect(page.locator("section.question .ask")).to_be_visible()
    expect(page.locator(".solution")).to_have_count(0)
    page.locator("input[type=file]").set_input_files(tmp_path / "saved.json")
    expect(page.locator(".solution")).to_be_visible()


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_anybody_can_use_it(page, small, runs, phone, scheme):
    page.set_viewport_size(PHONE if phone else WIDE)
    page.emulate_media(color_scheme=scheme)
    step = whole("attention").asking("score")
    for address in ("index.html", "glossary.html", "attention.html#0", "attention.html#3"):
        page.goto(f"{small.as_uri()}/{address}")
        if address.endswith("3"):
            expect(page.locator(TITLE)).to_have_text(step.title)
            expect(page.locator("#book[aria-busy]")).to_have_count(0)
            give(page.locator("section.question"), asked(step, runs), asked(step, runs).right)
            expect(page.locator(".solution")).to_be_visible()
            expect(page.locator("canvas").first).to_be_visible()
        elif "html#" in address:
            expect(page.locator("section.question").last).to_be_visible()
        page.evaluate(AXE_SCRIPT)
        page.evaluate(UNFOLD)
        assert page.evaluate(FIND, {}) == [], address
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), address


def test_the_last_test_asks_marks_and_says_what_came_of_it(page, small):
    page.goto((small / "last-test.html").as_uri())
    section = page.locator("section.question")
    first = section.locator(".ask").inner_text()
    section.locator("button.give").click()
    expect(section.locator(".solution")).to_be_visible()
    expect(section.locator("button.again")).to_be_hidden()  # there is one try
    page.reload()
    expect(page.locator(TITLE)).to_contain_text("Question 2 of")  # the first that is open
    page.locator(".lesson-back").click()
    expect(section.locator(".solution")).to_be_visible()
    assert section.locator(".ask").inner_text() == first
    n = int(re.findall(r"of (\d+)", page.locator(TITLE).inner_text())[0])
    page.goto(f"{(small / 'last-test.html').as_uri()}#{n}")
    expect(page.get_by_text(f"{n - 1} questions are still open.")).to_be_visible()
    expect(page.locator(".result .said")).to_have_text(f"Right answers: 0 of {n}")
    expect(page.locator(".result li")).to_have_count(1)  # worth another look
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my result").click()
    assert f"Right answers: 0 of {n}" in Path(download.value.path()).read_text("utf-8")
    page.get_by_role("button", name="Go to the next open question").click()
    expect(page.locator(TITLE)).to_have_text(f"Question 2 of {n}")


def test_what_she_missed_comes_back_once_on_other_numbers(page, small, runs):
    found, at = whole("attention"), 3
    step = found.steps[at - 1]
    posed = asked(step, runs)
    start(page, small, "attention", at)
    answer(
        page.locator("section.question"), posed, next(iter(posed.wrong)), Study(), QuestionRecord()
    )
    page.goto(f"{(small / 'attention.html').as_uri()}#{len(found.steps) + 1}")
    back = page.locator(".lesson-again")
    expect(back).to_contain_text(step.title)
    other = asked(step, runs, 1)  # of two
    expect(back.locator(".ask")).to_have_text(other.say(step.question.ask))
    give(back.locator("section.question"), other, other.right)
    expect(back.locator(".solution")).to_be_visible()
    page.reload()
    expect(back.locator(".solution")).to_be_visible()  # it stays, and no other one comes


def test_a_figure_can_be_varied_once_the_question_is_answered(page, small, runs):
    step = whole("attention").steps[0]
    start(page, small, "attention", 1)
    controls = page.locator(".lesson-controls [data-name=head]")
    expect(controls).to_have_count(0)
    give(page.locator("section.question"), asked(step, runs), asked(step, runs).right)
    heads = controls.get_by_role("radio")
    expect(heads).to_have_count(4)
    expect(heads.nth(3)).to_be_checked()
    said = "() => document.querySelector('.lesson-figure > div > div').shadowRoot.textContent"
    before = page.evaluate(said)
    heads.nth(1).click()
    expect(heads.nth(1)).to_be_checked()
    expect(heads.nth(1)).to_be_focused()
    assert page.evaluate(said) != before

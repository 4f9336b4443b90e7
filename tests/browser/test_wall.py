"""What a class sees on a wall, and a learner on a phone: nothing is cut, nothing is too small."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.runs.store import Runs
from pages.parts.table import offered
from tests.browser.conftest import PHONE, settle
from tests.browser.playing import TITLE, asked, give, whole

WALLS = {"1280": {"width": 1280, "height": 720}, "1920": {"width": 1920, "height": 1080}}
WALL, SMALL, TOLERANCE = 22, 12.5, 0.6  # pixels of type on a wall 1280 pixels wide, and on a phone
MOST_SCENES = 8  # of one page that are looked at: a glossary has many
ADDRESSES = [row.address for row in offered() if row.address]  # home has a picture of its own
LESSONS = ("attention", "masks", "vectors")


def seeing(page: Page) -> None:
    page.add_init_script(path=Path(__file__).parent / "seen.js")


def amiss(page: Page, least: float) -> dict[str, Any]:
    """What is too small, and what is cut by an edge of the screen, as far as anything is."""
    found: dict[str, Any] = page.evaluate("(least) => __seen(least)", least - TOLERANCE)
    return {name: those[:5] for name, those in found.items() if those}


def n_scenes(page: Page) -> int:
    """How many scenes the page has now."""
    place = page.locator(".scenes:not([hidden]) .code")
    return int(place.inner_text().split("/")[1]) if place.count() else 1


# Whether the scene says what it is of: by its own title, or by the one at the upper edge.
NAMED = """() => [...document.querySelectorAll("h1")].some((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return one.checkVisibility({ visibilityProperty: true }) && bottom > 0 && top < innerHeight;
})"""


def is_named(page: Page) -> bool:
    above = page.locator(".scene-title")
    deck = page.locator(".st-key-sections")
    shown = deck.count() and deck.first.evaluate("(one) => one.getBoundingClientRect().top >= 0")
    return bool(above.inner_text().strip() or shown or page.evaluate(NAMED))


def turn(page: Page) -> None:
    """To the next scene, past the steps of a figure."""
    page.locator(".scenes button").last.evaluate("(one) => one.click()")


def amiss_in_scenes(page: Page, least: float) -> dict[int, Any]:
    """The same of each scene, each of which is turned to."""
    found = {}
    for at in range(1, MOST_SCENES + 1):
        settle(page)
        if problems := amiss(page, least) | ({} if is_named(page) else {"unnamed": [page.url]}):
            found[at] = problems
        if at >= n_scenes(page):
            return found
        turn(page)
    return found


def projected(server: str, page: Page, address: str, size: str = "1280") -> float:
    """Open it for a class; the smallest type there may be."""
    seeing(page)
    page.set_viewport_size(WALLS[size])
    page.goto(f"{server}/{address}{'&' if '?' in address else '?'}view=lecture")
    page.mouse.move(WALLS[size]["width"] / 2, WALLS[size]["height"] - 4)
    settle(page)
    return WALL * WALLS[size]["width"] / WALLS["1280"]["width"]


# Of each figure that says something: the sentence, and which of the two is whole on the screen.
TOLD = """(sentences) => sentences.filter((one) => one.textContent).flatMap((one) => {
  const drawn = one.closest(".glass").querySelector(".body");
  const seen = (part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return part.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && top >= 0 && bottom <= innerHeight + 1;
  };
  return drawn.offsetHeight ? [[one.textContent, seen(one), seen(drawn)]] : [];
})"""


@pytest.mark.parametrize("address", ["attention", "words-in-context?context_part=1"])
def test_scenes_stay_as_many_and_a_figure_has_its_sentence(server, watched, address):
    page, _ = watched
    projected(server, page, address)
    of, told = n_scenes(page), set()
    assert of > 1
    for at in range(1, of + 1):
        settle(page)
        expect(page.locator(".scenes .code")).to_have_text(f"{at} / {of}")
        figures = page.locator(".told").evaluate_all(TOLD)
        assert [said for said, sentence, figure in figures if sentence != figure] == []
        told |= {said for said, sentence, _figure in figures if sentence}
        if at < of:
            turn(page)
    assert told == {said for said, *_ in figures}


def reveal(page: Page) -> None:
    """Show the answer to what is asked."""
    page.keyboard.press("a")
    settle(page)


def test_the_key_shows_the_answer_where_a_click_would_be_one(server, watched):
    page, _ = watched
    projected(server, page, "lessons?lesson=first&lesson_at=1")
    expect(page.locator(".option")).to_have_count(3)
    expect(page.locator(".option.right")).to_have_count(0)
    reveal(page)
    expect(page.locator(".option.right")).to_have_count(1)


def test_a_story_that_is_told_again_is_on_the_screen(server, watched):
    page, _ = watched
    projected(server, page, "")  # the button stands on the scene of the picture
    page.get_by_role("button", name="Watch it again").click()
    expect(page.locator(".st-key-flow canvas").first).to_be_in_viewport(ratio=0.5)


@pytest.mark.parametrize("size", WALLS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_scene_of_a_page_is_whole_and_can_be_read(server, watched, address, size):
    page, _ = watched
    least = projected(server, page, address, size)
    assert amiss_in_scenes(page, least) == {}
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("(one) => getComputedStyle(one).overflowY") == "hidden"


PARTS = {
    "tokenization": ("text_part", 4),
    "positions": ("position_part", 7),
    "vision": ("picture_part", 6),
}


@pytest.mark.parametrize("address", PARTS)
def test_further_parts_of_a_page_are_whole_and_can_be_read(server, watched, address):
    page, _ = watched
    name, n = PARTS[address]
    for at in range(1, n):
        least = projected(server, page, f"{address}?{name}={at}")
        assert amiss_in_scenes(page, least) == {}


@pytest.mark.parametrize(
    ("ident", "at"), [(one, at) for one in LESSONS for at in range(1, len(whole(one).steps) + 1)]
)
def test_a_step_is_whole_before_the_answer_and_after_it(server, watched, ident, at):
    page, _ = watched
    step = whole(ident).steps[at - 1]
    least = projected(server, page, f"lessons?lesson={ident}&lesson_at={at}")
    expect(page.locator(TITLE)).to_have_text(step.title)
    if any(one.view == "map.flow" for one in step.figures):
        return  # the picture of a whole run has type of its own
    assert amiss_in_scenes(page, least) == {}
    if not page.locator("section.question").count():  # nor is one while its run is being trained
        return
    reveal(page)
    assert amiss(page, least) == {}
    solution = page.locator("section.question .solution, .solution").first
    assert solution.evaluate(READABLE) == []
    assert boldest(page.locator("section.question"), solution)


# What is amiss with how it is read from the last row: paler than the page's text, or out of sight.
READABLE = """(one) => {
  const { top, bottom } = one.getBoundingClientRect(), own = getComputedStyle(one);
  let solid = 1;
  for (let at = one; at; at = at.parentElement) solid *= Number(getComputedStyle(at).opacity);
  const text = getComputedStyle(one.getRootNode().host).color;
  return [own.color !== text && `${own.color}, not ${text}`, solid < 1 && `opacity ${solid}`,
          (top < 0 || bottom > innerHeight) && `${top} to ${bottom}`].filter(Boolean);
}"""
WEIGHT = """(one) => [getComputedStyle(one)]
  .flatMap(({ fontSize, fontWeight }) => [parseFloat(fontSize), Number(fontWeight)])"""


def boldest(section: Locator, solution: Locator) -> bool:
    """Whether nothing beside the answer is written larger or bolder."""
    own = solution.evaluate(WEIGHT)
    others = [one.evaluate(WEIGHT) for one in section.first.locator("p, button, label").all()]
    return all(own[0] >= size and own[1] >= weight for size, weight in others)


@pytest.mark.parametrize("step", ["first&lesson_at=4", "first&lesson_at=9", "from-rnn&lesson_at=5"])
def test_what_is_asked_and_its_picture_are_on_one_scene(server, watched, step):
    page, _ = watched
    projected(server, page, f"lessons?lesson={step}")
    assert n_scenes(page) == 1
    for part in (page.locator("section.question"), page.locator(".sheet canvas").first):
        expect(part).to_be_in_viewport(ratio=1)


def test_keys_turn_scenes_and_then_steps(server, watched):
    page, _ = watched
    titles = [one.title for one in whole("gpt").steps]
    projected(server, page, "lessons?lesson=gpt&lesson_at=6")
    reveal(page)
    of = n_scenes(page)
    assert of > 1
    for at in range(1, of + 1):
        settle(page)
        expect(page.locator(".scenes .code")).to_have_text(f"{at} / {of}")
        # Text or figure goes on: the answer stays.
        expect(page.locator(".solution").first).to_be_in_viewport(ratio=1)
        page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("lesson_at=7"))
    expect(page.locator(TITLE)).to_have_text(titles[6])
    for key, at in (("ArrowRight", 8), ("ArrowLeft", 7)):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"lesson_at={at}"))
        settle(page)


def test_a_presenter_goes_through_the_steps_of_a_figure(server, watched):
    page, _ = watched
    projected(server, page, "attention")
    count, place = page.locator(".count.code").first, page.locator(".scenes .code")
    for at in range(2, 10):
        page.keyboard.press("PageDown")
        expect(count).to_have_text(f"{at} of 9")
    expect(place).to_contain_text("1 /")
    page.keyboard.press("PageDown")
    expect(place).to_contain_text("2 /")
    for _back in range(2):
        page.keyboard.press("PageUp")
    expect(place).to_contain_text("1 /")
    expect(count).to_have_text("8 of 9")


def test_a_presenter_goes_through_every_section_after_a_choice(server, watched):
    page, _ = watched
    projected(server, page, "training")
    place = page.locator(".scenes .code")
    page.get_by_role("radio", name="copy", exact=True).click()  # has the keyboard now
    for section in range(6):
        settle(page)
        of = n_scenes(page)
        for at in range(1, of + 1):
            expect(place).to_have_text(f"{at} / {of}")
            page.keyboard.press("PageDown")
        if section < 5:
            expect(page).to_have_url(re.compile(f"lab_part={section + 1}"))


def test_the_link_says_what_a_class_is_asked_and_escape_leaves_the_lecture(server, watched):
    page, _ = watched
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    projected(server, page, "lessons?lesson=attention&lesson_at=3")
    expect(page).to_have_url(re.compile("study_seed=0"))  # of this browser
    page.keyboard.press("c")
    expect(page.locator("span.said")).to_have_text("Link copied")
    copied = page.evaluate("async () => navigator.clipboard.readText()")
    assert "study_seed=0" in copied
    assert "view=" not in copied  # she has a screen of her own
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("view=lecture"))
    page.goto(copied.replace("study_seed=0", "study_seed=7"))
    settle(page)
    posed = asked(whole("attention").steps[2], Runs(), 7)
    expect(page.locator("section.question .ask")).to_have_text(posed.say(posed.question.ask))
    assert page.evaluate("() => JSON.parse(localStorage['glassformer.lessons']).seed") == 7


def test_in_a_field_the_arrows_stay_in_the_field(server, watched):
    page, _ = watched
    found = whole("attention")
    at = [one.id for one in found.steps].index("scale") + 1
    projected(server, page, f"lessons?lesson=attention&lesson_at={at}")
    posed = asked(found.steps[at - 1], Runs())
    field = page.locator("section.question .field input")
    field.fill("12")
    field.press("ArrowLeft")
    page.wait_for_timeout(300)
    assert f"lesson_at={at}" in page.url
    give(page.locator("section.question"), posed, posed.right)
    expect(page.locator("section.question .said")).to_contain_text("Right")


def test_arithmetic_without_room_is_opened_step_by_step(server, watched):
    page, _ = watched
    projected(server, page, "attention?step=4")
    how = page.locator(".st-key-attention-steps .how")
    folded = how.locator(".folded button")
    first = folded.first.inner_text()
    assert "=" in first  # what the step gives is said
    folded.first.click()
    assert first not in folded.all_inner_texts()
    assert how.locator(".step:not(.folded)").count() >= 1
    assert how.evaluate("(one) => one.getBoundingClientRect().bottom") <= WALLS["1280"]["height"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_on_a_phone_nothing_is_too_small(server, watched, address):
    page, _ = watched
    seeing(page)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/{address}")
    settle(page)
    assert page.evaluate("(least) => __seen(least).small", SMALL - 0.1) == []
    menu = page.get_by_role("button", name="Menu", exact=True)
    assert menu.evaluate("(one) => getComputedStyle(one, '::after').content") == '"Menu"'


@pytest.mark.parametrize("at", range(1, len(whole("attention").steps) + 1))
def test_on_a_phone_a_step_asks_above_its_fold(server, watched, at):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
    settle(page)
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    if whole("attention").steps[at - 1].question is not None:
        expect(page.locator("section.question .ask").first).to_be_in_viewport(ratio=1)

"""Lessons in a real browser, played to their ends, wrong and right, on a learner's way."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from core.figures.theme import DARK
from core.language import _, use_language
from core.lessons import lesson_ids
from core.lessons.study import Study
from tests.browser.conftest import rest
from tests.browser.playing import TITLE, ask_all, go_on, probe, whole

# Most ways of asking are in it; cells are picked in test_picking.py.
QUICK = ("first",)
PLAYED = [
    *(
        pytest.param(one, "en", marks=[] if one in QUICK else pytest.mark.slow)
        for one in lesson_ids()
    ),
    pytest.param("attention", "fr", marks=pytest.mark.slow),
]


def rgb(colour: str) -> str:
    """As a browser says it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


@pytest.fixture
def spoken(code: str) -> Iterator[str]:
    use_language(code)
    yield code
    use_language("en")


@pytest.mark.parametrize(("ident", "code"), PLAYED)
def test_a_lesson_is_played_to_its_end(server, watched, runs, ident, spoken):
    page, _watch = watched
    found, study = whole(ident), Study()
    page.goto(f"{server}/lessons?lesson={ident}&language={spoken}")
    first, right = found.first, {}
    expect(page.locator(TITLE)).to_have_text(found.steps[0].title)
    expect(page.locator(".lesson-back")).to_be_disabled()
    rest(page)
    if first:
        page.locator('[data-key="lesson-probe"]').click()
        expect(page.locator(TITLE)).to_have_text(_("What do you know already?"))
        rest(page)
        right["before"] = probe(page, found, "before", runs)
        go_on(page, 1, found.steps[0].title)
    for at, step in enumerate(found.steps, first):
        if step.question is not None:
            ask_all(page, step, runs, study, wrong_alone=at % 2 == 0)
        following = [*(one.title for one in found.steps), _("What you know now")][at - first + 1]
        go_on(page, at + 1, following)
        assert page.locator('[data-testid="stException"]').count() == 0
    if first:
        right["after"] = probe(page, found, "after", runs)
        n = len(found.probe)
        assert right == {"before": n - 1, "after": n}
        for k in right.values():
            expect(page.get_by_text(_("{n} of {of} right").format(n=k, of=n))).to_be_visible()
    expect(page.get_by_text(_("**You can now:**").strip("*"))).to_be_visible()


def test_a_goal_is_reached_with_the_figure_and_kept(server, watched, runs):
    """Wrong and right, by the controls beside the figure; a reload keeps what was reached."""
    page, _watch = watched
    found = whole("attention")
    at = 1 + next(n for n, one in enumerate(found.steps) if one.id == "share")
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
    expect(page.locator(TITLE)).to_have_text(found.steps[at - 1].title)
    rest(page)
    ask_all(page, found.steps[at - 1], runs, Study(), wrong_alone=False)
    section = page.locator("section.question").first
    expect(section.locator(".near")).to_contain_text("“was” 32 %")
    expect(page).to_have_url(re.compile("off=layer4.head1"))
    page.reload()
    rest(page)
    expect(section.locator(".solution")).to_be_visible()
    section.locator("button.again").click()
    expect(section.locator("button.give")).to_be_visible()
    expect(page).not_to_have_url(re.compile("off="))
    section.locator("button.give").click()
    expect(section.locator(".solution")).to_be_visible()
    expect(section.locator(".good")).to_have_count(0)
    expect(page).to_have_url(re.compile("off=layer4.head1"))
    page.reload()  # what was shown is not what she has done
    rest(page)
    expect(section.locator(".solution")).to_be_visible()
    expect(section.locator(".good")).to_have_count(0)


def test_a_goal_is_reached_by_a_click_in_the_figure(server, watched):
    """What is selected there needs no control: the head that is clicked is in her hands."""
    page, _watch = watched
    found = whole("attention")
    at = 1 + next(n for n, one in enumerate(found.steps) if one.id == "heads")
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
    rest(page)
    section, grid = page.locator("section.question").first, page.get_by_role("application").first
    expect(page.locator(".lesson-controls [role=radio]")).to_have_count(0)
    for key in ("ArrowUp", "ArrowUp"):  # from layer 5, head 3
        grid.press(key)
    expect(section.locator(".good")).to_be_visible()
    expect(section.locator(".near")).to_contain_text("66 %")


def test_where_numbers_come_from_stays_filled_from_step_to_step(server, watched):
    page, _watch = watched
    page.goto(f"{server}/lessons?lesson=first&lesson_at=3")
    rest(page)
    fold = page.locator(".lesson-fold[data-key=numbers]")
    fold.locator("summary").click()
    expect(fold).to_contain_text("how many layers the model has")
    for at, said in ((4, "how many heads each layer"), (5, "how many units each feed-forward")):
        page.locator(".lesson-next").click()
        expect(page).to_have_url(re.compile(f"lesson_at={at}"))
        rest(page)
        expect(fold).to_have_attribute("open", "")
        expect(fold).to_contain_text(said)
        if page.locator(".option").count():  # and with the answer
            page.locator(".option").first.click()
            expect(page.locator(".solution")).to_be_visible()
            expect(fold).to_contain_text(said)


def test_nothing_in_the_bar_moves_between_steps_with_a_text_and_without(server, watched):
    page, _watch = watched
    places = []
    for at in (1, 5):
        page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
        rest(page)
        places += [[page.locator(one).first.bounding_box() for one in (".find", "h1.glass-title")]]
    text = page.locator("textarea.text")
    expect(text).not_to_be_visible()
    at = [[(one["x"], one["y"]) for one in each if one is not None] for each in places]
    assert at[0] == at[1]


def test_what_is_said_of_a_figure_has_the_colours_of_the_dark_and_each_plot_is_drawn(
    server, visitor
):
    page = visitor(color_scheme="dark")
    page.goto(f"{server}/lessons?lesson=scale&lesson_at=6&language=en")
    bits = page.locator(".role-weight").first
    expect(bits).to_have_css("color", rgb(DARK.weight))
    page.goto(f"{server}/lessons?lesson=vectors&lesson_at=8&language=en")
    drawn = page.locator(".js-plotly-plot").filter(visible=True)
    expect(drawn).to_have_count(1)
    page.locator(".lesson-next").press("Enter")  # Plotly is there now, and the screen not yet
    expect(page).to_have_url(re.compile("lesson_at=9"))
    expect(drawn).to_have_count(1)
    rest(page)

"""Random actions in two tabs: after each, the address, the controls and the figures agree."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Watch, new_page, settle, start_server, stop
from tests.browser.test_state import FIELD, TITLE, query

PAGES = ("next-token", "attention", "heads", "masks", "tokenization", "translate", "glossary",
         "lessons")  # fmt: skip
SHOW_ITS_TOKENS = ("next-token", "attention", "heads")  # in their first strip
WORDS = ("The cat", "A dog saw", "Once upon a time", "She said no")
# What a browser says where there is no connection.
LOST = re.compile("WebSocket|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|_stcore|disconnected from")

# What the components hold, by name: what is selected, what the field says, which chip is marked.
HELD = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const every = all(document);
  const strips = every.filter((one) => one.matches(".strip"));
  const chips = [...strips[0]?.querySelectorAll(".chip") ?? []];
  const live = window.__glassformer.live;
  return {
    path: live.path,
    values: { ...live.values },
    missing: live.missing,
    selected: { ...window.__glassformer.selection },
    marked: chips.findIndex((chip) => chip.getAttribute("aria-selected") === "true"),
    tokens: chips.map((chip) => chip.querySelector(".label")?.textContent ?? "").join(""),
    sliders: Object.fromEntries(every.filter((one) => one.matches(".control.range"))
      .map((one) => [one.dataset.name, one.querySelector("input").value])),
    choices: Object.fromEntries(every.filter((one) => one.matches(".control.choice, .control.many"))
      .map((one) => [one.dataset.name, one.querySelector("[aria-checked=true]")?.dataset.value])),
  };
}"""


class Monkey:
    """Somebody who does anything in a tab."""

    def __init__(self, page: Page, server: str, chance: random.Random) -> None:
        self.page, self.server, self.chance = page, server, chance
        self.watch = Watch(page)
        page.goto(f"{server}/next-token?text=The+cat")
        settle(page)

    def acts(self) -> list[Callable[[], None]]:
        """What can be done; what is done often stands there twice."""
        return [self.click, self.click, self.type, self.type, self.step, self.slide, self.choose,
                self.undo, self.visit, self.visit, self.back, self.forward, self.reload, self.go_on,
                self.try_out, self.offline]  # fmt: skip

    def act(self) -> str:
        """Do something, and give its name."""
        one = self.chance.choice(self.acts())
        one()
        return one.__name__

    def click(self) -> None:
        chips = self.page.locator(".strip").first.locator(".chip:not([disabled])")
        if chips.count():
            chips.nth(self.chance.randrange(min(3, chips.count()))).click()

    def type(self) -> None:
        field = self.page.locator(FIELD)
        if field.is_visible() and field.is_editable():
            field.fill(self.chance.choice(WORDS))

    def choose(self) -> None:
        """Another layer or head."""
        options = self.page.locator(".control.choice").first.get_by_role("radio")
        if options.count():
            options.nth(self.chance.randrange(options.count())).click()

    def go_on(self) -> None:
        """To the next step of a lesson, or to a term."""
        links = self.page.locator(".lesson-next, a.term, a[href*='lesson=vectors']")
        if links.count():
            links.nth(self.chance.randrange(min(5, links.count()))).evaluate("(one) => one.click()")

    def try_out(self) -> None:
        cards = self.page.locator("[data-experiment]")
        if cards.count():
            cards.nth(self.chance.randrange(min(3, cards.count()))).click()

    def step(self) -> None:
        self.page.keyboard.press(self.chance.choice(["ArrowLeft", "ArrowRight"]))

    def slide(self) -> None:
        slider = self.page.locator(".control.range input")
        if slider.count():
            slider.first.press(self.chance.choice(["ArrowLeft", "ArrowRight"]))

    def undo(self) -> None:
        button = self.page.locator(".st-key-runbar").get_by_role("button", name="Undo")
        if button.is_enabled():
            button.click()

    def visit(self) -> None:
        self.page.evaluate(
            """(path) => document.querySelector(`.st-key-strip a[href$="/${path}"],
                a[data-testid^="stTopNav"][href$="/${path}"]`)?.click()""",
            self.chance.choice(PAGES),
        )

    def back(self) -> None:
        if self.page.evaluate("() => history.state !== null && history.length > 2"):
            self.page.evaluate("() => history.back()")

    def forward(self) -> None:
        self.page.evaluate("() => history.forward()")

    def reload(self) -> None:
        self.page.reload()

    def offline(self) -> None:
        self.page.context.set_offline(True)
        self.page.evaluate("() => __disconnect()")
        self.chance.choice([self.click, self.type, self.step])()
        self.page.wait_for_timeout(300)
        self.page.context.set_offline(False)

    def check(self, what: str) -> None:
        """The address says what the page shows, and nothing is blank or wrong."""
        self.page.mouse.move(-1, -1)  # what is pointed at would be shown instead
        settle(self.page)
        said, held = query(self.page), self.page.evaluate(HELD)
        path = urlsplit(self.page.url).path
        where = f"{what}: {self.page.url} {held}"
        assert self.page.locator(TITLE).first.inner_text(), where
        assert held["path"] == path, where
        kept = {name: value for name, value in held["values"].items() if value}
        assert held["missing"] or said == kept, where
        for name, value in said.items():
            if name in held["selected"] and held["selected"][name] is not None:
                assert str(held["selected"][name]) == value, (name, where)
            if name in held["sliders"]:
                assert float(held["sliders"][name]) == pytest.approx(float(value)), (name, where)
            if name in ("layer", "head") and held["choices"].get(name):
                assert held["choices"][name] == value, (name, where)
        field = self.page.locator(FIELD)
        if field.is_visible() and "lesson" not in said:
            assert said.get("text", field.input_value()) == field.input_value(), where
        if path.lstrip("/") in SHOW_ITS_TOKENS:
            begins = field.input_value().replace(" ", "·")[:6]
            assert begins in held["tokens"].replace(" ", "·"), where
            if "token" in said and path == "/next-token":
                assert held["marked"] == int(said["token"]), where
        wrong = [one for one in self.watch.problems if not LOST.search(one)]
        assert wrong == [], (what, wrong)


@contextmanager
def two_tabs(browser: Browser, server: str, seed: int) -> Iterator[list[Monkey]]:
    """Two tabs of one browser, and chance with a seed."""
    chance, first = random.Random(seed), new_page(browser)
    second = first.context.new_page()
    second.add_init_script(path="tests/browser/under_way.js")
    yield [Monkey(page, server, chance) for page in (first, second)]
    first.context.close()


def play(tabs: list[Monkey], n: int) -> None:
    done: list[str] = []
    for at in range(n):
        tab = tabs[at % 2] if at % 3 else tabs[0]
        done.append(tab.act())
        tab.check(f"{at}: {' '.join(done[-8:])}")


def test_sixty_random_actions_leave_everything_in_agreement(browser, server):
    with two_tabs(browser, server, 19) as tabs:
        play(tabs, 60)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_five_hundred_random_actions_survive_the_end_of_a_worker(browser):
    process, address = start_server("-m", "pages.server", "--workers", "2")
    try:
        with two_tabs(browser, address, 500) as tabs:
            play(tabs, 250)
            psutil.Process(process.pid).children()[0].kill()
            play(tabs, 250)
    finally:
        stop(process)

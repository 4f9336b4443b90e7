"""Random actions in two tabs: after each, the address, the controls and the figures agree."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Watch, new_page, settle
from tests.browser.test_asking import drawn
from tests.browser.test_state import FIELD, TITLE, query

PAGES = ("next-token", "attention", "heads", "masks")
WORDS = ("The cat", "A dog saw", "Once upon a time", "She said no")
LOST = re.compile("WebSocket|ERR_INTERNET_DISCONNECTED|_stcore")

# What the components hold, by name: what is selected, what the field says, which chip is marked.
HELD = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const every = all(document);
  const strips = every.filter((one) => one.matches(".strip"));
  const chips = [...strips[0]?.querySelectorAll(".chip") ?? []];
  return {
    selected: { ...window.__glassformer.selection },
    marked: chips.findIndex((chip) => chip.getAttribute("aria-selected") === "true"),
    tokens: chips.map((chip) => chip.querySelector(".label")?.textContent ?? "").join(""),
    sliders: Object.fromEntries(every.filter((one) => one.matches(".control.range"))
      .map((one) => [one.dataset.name, one.querySelector("input").value])),
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
        return [self.click, self.click, self.type, self.type, self.step, self.slide, self.undo,
                self.visit, self.back, self.reload, self.offline]  # fmt: skip

    def act(self) -> str:
        """Do something, and give its name."""
        one = self.chance.choice(self.acts())
        one()
        return one.__name__

    def click(self) -> None:
        chips = self.page.locator(".strip").first.locator(".chip")
        chips.nth(self.chance.randrange(min(3, chips.count()))).click()

    def type(self) -> None:
        self.page.locator(FIELD).fill(self.chance.choice(WORDS))

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
        drawn(self.page)
        said, held = query(self.page), self.page.evaluate(HELD)
        where = f"{what}: {self.page.url} {held}"
        assert self.page.locator(TITLE).inner_text(), where
        text = self.page.locator(FIELD).input_value()
        assert said.get("text", text) == text, where
        assert "visit" not in said, where
        for name, value in said.items():
            if name in held["selected"]:
                assert str(held["selected"][name]) == value, (name, where)
            if name in held["sliders"]:
                assert float(held["sliders"][name]) == pytest.approx(float(value)), (name, where)
        if "token" in said and urlsplit(self.page.url).path == "/next-token":
            assert held["marked"] == int(said["token"]), where
        begins = text.replace(" ", "·")[:6]
        assert begins in held["tokens"].replace(" ", "·"), where
        wrong = [one for one in self.watch.problems if not LOST.search(one)]
        assert wrong == [], (what, wrong)


@pytest.fixture
def two_tabs(browser: Browser, server: str) -> Iterator[Callable[[int], list[Monkey]]]:
    """Two tabs of one browser, and chance with a seed."""
    made: list[Monkey] = []

    def tabs(seed: int) -> list[Monkey]:
        chance, first = random.Random(seed), new_page(browser)
        second = first.context.new_page()
        second.add_init_script(path="tests/browser/under_way.js")
        made.extend(Monkey(page, server, chance) for page in (first, second))
        return made

    yield tabs
    for one in made[:1]:
        one.page.context.close()


def play(tabs: list[Monkey], n: int) -> None:
    done: list[str] = []
    for at in range(n):
        tab = tabs[at % 2] if at % 3 else tabs[0]
        done.append(tab.act())
        tab.check(f"{at}: {' '.join(done[-8:])}")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_thirty_random_actions_leave_everything_in_agreement(two_tabs):
    play(two_tabs(19), 30)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_five_hundred_random_actions_leave_everything_in_agreement(two_tabs):
    play(two_tabs(500), 500)

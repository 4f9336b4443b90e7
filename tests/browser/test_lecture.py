"""A page on a projector: the figure and what is said of it fit the screen and can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import settle

SMALL, LARGE = {"width": 1280, "height": 720}, {"width": 1920, "height": 1080}
LEAST = 14  # pixels of type in a figure on the small one

# The keys of each page's main figures.
FIGURES = {
    "tokenization": ("text-tokens-gpt", "text-tokens-bert"),
    "positions": ("embed-tokens", "embed-lookup"),
    "words-in-context": ("contexts-distances",),
    "attention": ("attention-row", "attention-steps"),
    "heads": ("attention-row", "attention-heads", "attention-weights"),
    "masks": ("masks-strip", "masks-grid", "masks-prediction"),
    "layernorm": ("norm-steps",),
    "feed-forward": ("ffn-strip", "ffn-curve", "ffn-units"),
    "block-shapes": ("shapes-circuit",),
    "next-token": ("predict-surprisal", "predict-next"),
    "masked-word": ("masked-strip", "masked-beside", "masked-each", "masked-why"),
    "objectives": ("objectives-table",),
    "translate": (
        "translate-source",
        "translate-target",
        "b-translate-source-rnn_attention",
        "b-translate-target-rnn_attention",
    ),
    "rnn-to-transformer": ("stops-new",),
    "which-machine": ("which-table", "which-probe"),
    "spans": ("noise-text", "noise-source", "noise-target"),
    "vision": ("vision-picture", "vision-answer-vit", "vision-answer-cnn"),
    "fine-tune": ("tune-text", "tune-pair-bert_nli"),
    "film": ("film-losses", "film-written", "film-guesses"),
    "break-it": ("bench-weights",),
    "bug-hunt": ("hunt-weights",),
    "cost": ("cost-sizes", "cost-work"),
}
FAST = ("attention", "objectives", "film", "next-token")

# What is drawn may stand in a figure that asks for itself, in a shadow root of its own.
DEEP = """
  const deep = (root, selector) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)
      .flatMap((inner) => deep(inner, selector)),
  ];
  const at = (key) => document.querySelector(`.st-key-${key}`);
"""
DRAWN = f"""(keys) => {{ {DEEP}
  return keys.every((key) => deep(at(key), '.main-svg, .glass').length
    && !deep(at(key), '.glass[aria-busy]').length);
}}"""

# Where each of them ends, with the reading that follows it, and its smallest type.
MEASURED = (
    "(keys) => {"
    + DEEP
    + """
  const end = (node) => node.getBoundingClientRect().bottom;
  return Object.fromEntries(keys.map((key) => {
    const outer = at(key);
    const figure = deep(outer, '.js-plotly-plot')[0] ?? deep(outer, '.glass').at(-1);
    const next = deep(outer, '.told, .reading').at(0)
      ?? outer.nextElementSibling?.querySelector('.glass-reading')
      ?? outer.nextElementSibling?.nextElementSibling?.querySelector('.glass-reading');
    const written = [...figure.querySelectorAll('*')].filter((one) => one.checkVisibility()
      && [...one.childNodes].some((text) => text.nodeType === 3 && text.data.trim()));
    const scale = ({ a, b }) => Math.hypot(a, b);
    const size = (one) => parseFloat(getComputedStyle(one).fontSize)
      * (one.getScreenCTM ? scale(one.getScreenCTM()) : 1);
    return [key, [Math.ceil(Math.max(end(figure), next ? end(next) : 0)),
      Math.min(99, ...written.map(size).filter((one) => one > 0))]];
  }));
}"""
)


def measured(server: str, page: Page, address: str) -> dict[str, list[float]]:
    page.goto(f"{server}/{address}?view=lecture")
    settle(page)
    page.wait_for_function(DRAWN, arg=FIGURES[address])  # Plotly draws in its own time
    return page.evaluate(MEASURED, FIGURES[address])


@pytest.mark.parametrize(
    "address",
    [one if one in FAST else pytest.param(one, marks=pytest.mark.slow) for one in FIGURES],
)
def test_the_figure_and_its_reading_fit_and_can_be_read(server, watched, address):
    page, _ = watched
    page.mouse.move(640, 700)
    for size in (SMALL, LARGE) if address == FAST[0] else (SMALL,):
        page.set_viewport_size(size)
        found = measured(server, page, address)
        assert {key: end for key, (end, _) in found.items() if end > size["height"]} == {}
        least = LEAST * size["width"] / SMALL["width"]
        assert {key: type_ for key, (_, type_) in found.items() if type_ < least - 0.5} == {}


def test_arithmetic_without_room_is_opened_step_by_step(server, watched):
    page, _ = watched
    page.set_viewport_size(SMALL)
    page.goto(f"{server}/attention?view=lecture")
    settle(page)
    how = page.locator(".st-key-attention-steps .how")
    folded = how.locator(".folded button")
    first = folded.first.inner_text()
    assert "=" in first  # what the step gives is said
    folded.first.click()
    assert first not in folded.all_inner_texts()
    assert how.locator(".step:not(.folded)").count() >= 1
    assert how.evaluate("(one) => one.getBoundingClientRect().bottom") <= SMALL["height"]

"""axe over every page: nothing that keeps somebody from using it, in either mode or size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from core.figures.theme import DARK, LIGHT
from pages.parts.table import offered
from tests.browser.conftest import PHONE, settle

# What Streamlit's own parts get wrong and a page cannot change: a rule, the one place where it is
# forgiven, and why.
STREAMLITS = {
    "list": "[data-testid=stSidebarNavItems]",  # its sections are no items of the list,
    "listitem": "[data-testid=stSidebarNavItems] > :not(li) > li",  # and hold items of their own
}
# Opens what is folded away, in components too: axe looks at nothing that cannot be seen.
UNFOLD = """() => {
  const all = (root) => root.querySelectorAll("*").forEach((node) => {
    if (node.localName === "details") node.open = true;
    if (node.shadowRoot) all(node.shadowRoot);
  });
  all(document);
}"""
FIND = """async (streamlits) => {
  const { violations } = await axe.run(
    document, { resultTypes: ["violations"], elementRef: true, selectors: false, preload: false });
  return violations.flatMap(({ id, nodes }) => nodes
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ element, failureSummary }) => ({
      rule: id,
      where: element.outerHTML.slice(0, 200),
      why: failureSummary.replaceAll(/\\s+/g, " "),
      streamlits: element.matches(streamlits[id] ?? ":not(*)"),
    })));
}"""


def css(colour: str) -> str:
    """A ``#rrggbb`` as a browser says it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def severe(page: Page) -> list[dict[str, Any]]:
    """What axe calls serious or critical on the whole page as it is now."""
    settle(page)
    page.evaluate(AXE_SCRIPT)
    page.evaluate(UNFOLD)
    found: list[dict[str, Any]] = page.evaluate(FIND, STREAMLITS)
    return found


def ours(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (one for one in found if not one["streamlits"])


@pytest.mark.parametrize("row", offered(), ids=lambda row: row.file)
def test_a_page_has_nothing_that_keeps_somebody_out(row, server, watched):
    page, _ = watched
    page.goto(f"{server}/{row.address}")
    assert list(ours(severe(page))) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    found = severe(page)
    assert list(ours(found)) == []
    # What is forgiven is still there: else it is forgiven no more.
    assert {one["rule"] for one in found} == set(STREAMLITS)


def test_a_lecture_and_the_list_of_shortcuts_have_nothing_of_it_either(server, watched):
    page, _ = watched
    page.goto(f"{server}/attention?view=lecture")
    settle(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert list(ours(severe(page))) == []


def test_a_plot_follows_when_the_page_goes_dark(server, watched):
    page, _ = watched
    page.goto(f"{server}/positions")
    settle(page)
    title = page.locator('[data-testid="stPlotlyChart"] .gtitle').first
    expect(title).to_have_css("fill", css(LIGHT.text))
    page.emulate_media(color_scheme="dark")
    expect(title).to_have_css("fill", css(DARK.text))

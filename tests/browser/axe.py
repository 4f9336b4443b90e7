"""axe on a page: what keeps somebody from using it."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.conftest import draw_all

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
    .filter(({ impact }) => impact === "serious" || impact === "critical" || id === "heading-order")
    .map(({ element, failureSummary }) => ({
      rule: id,
      where: element.outerHTML.slice(0, 200),
      why: failureSummary.replaceAll(/\\s+/g, " "),
      streamlits: element.matches(streamlits[id] ?? ":not(*)"),
    })));
}"""


def severe(page: Page) -> list[dict[str, Any]]:
    """What axe calls serious or critical on the page as it is now, or a heading out of order."""
    draw_all(page)
    page.evaluate(AXE_SCRIPT)
    page.evaluate(UNFOLD)
    found: list[dict[str, Any]] = page.evaluate(FIND, STREAMLITS)
    return found


def ours(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is not Streamlit's own."""
    return [one for one in found if not one["streamlits"]]

"""How a component's code reaches the page: all at once, its style before its first drawing."""

from __future__ import annotations

from core.figures.assets import SERVED
from tests.browser.components.conftest import header, stepper
from tests.browser.components.test_pointing import GONE


def test_no_component_asks_for_code_of_its_own(bare):
    asked = []
    bare.page.on("request", lambda request: asked.append(request.url))
    bare.show("stepper", stepper(3, first=0))
    bare.show("stepper", stepper(3, first=0), key="second")
    bare.show("save", header(), key="third")
    assert [url for url in asked if SERVED in url] == []


def test_style_is_there_before_anything_is_drawn(bare):
    bare.page.evaluate(
        """() => {
          window.first = null;
          const attach = Element.prototype.attachShadow;
          Element.prototype.attachShadow = function (how) {
            const root = attach.call(this, how);
            new MutationObserver(() => {
              const glass = root.querySelector(".glass");
              if (glass && window.first === null) {
                window.first = root.adoptedStyleSheets.map((sheet) => sheet.cssRules.length);
              }
            }).observe(root, { childList: true, subtree: true });
            return root;
          };
        }"""
    )
    bare.show("stepper", stepper(3, first=0))
    shared, own = bare.page.evaluate("() => window.first")
    assert shared > 10
    assert own > 1
    bare.show("stepper", stepper(4, first=0))
    sheets = "() => document.querySelector('#stepper').shadowRoot.adoptedStyleSheets.length"
    assert bare.page.evaluate(sheets) == 2


def test_a_browser_without_adopted_sheets_gets_the_same_style(bare):
    def look(key: str) -> str:
        play = bare.page.locator(f"#{key} button").nth(1)
        return str(play.evaluate("(node) => getComputedStyle(node).borderRadius"))

    bare.show("stepper", stepper(3, first=0))
    bare.page.evaluate("() => { delete ShadowRoot.prototype.adoptedStyleSheets; }")
    bare.show("stepper", stepper(3, first=0), key="older")
    styles = "() => document.querySelector('#older').shadowRoot.querySelectorAll('style').length"
    assert bare.page.evaluate(styles) == 1
    assert look("older") == look("stepper")


def test_a_cleanup_that_comes_after_the_next_call_takes_nothing_away(bare):
    one = bare.show("stepper", stepper(3, first=0))
    bare.page.evaluate(
        "() => { const { stepper } = window.mounted; window.late = stepper.cleanup;"
        " stepper.cleanup = null; }"
    )
    bare.show("stepper", stepper(3, first=1))
    bare.page.evaluate("() => window.late()")
    bare.pass_time(GONE)
    assert one.count() == 1
    bare.remove("stepper")
    bare.pass_time(GONE)
    assert one.count() == 0

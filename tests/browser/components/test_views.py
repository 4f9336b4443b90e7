"""Every view on a bare page, drawn from a real run of tiny models."""

from __future__ import annotations

from typing import Any

import pytest

from core import views
from tests.browser.conftest import PHONE, WIDE
from tests.views.records import machines_of

TEXT = "The cat sat on the mat"
HOSTILE = "<img src=x onerror=window.hit=1> \"'`${1}</script>"
# What a view needs besides a text, where its defaults are meant for another figure.
VALUES = {"norm.strip": {"source": "text"}}


def each() -> list[Any]:
    """Every view with every model that it can use, in haste the last; a view of no model once."""
    cases = []
    for name, view in views.all_views().items():
        models = machines_of(view)[: None if hasattr(view.Params(), "model") else 1]
        for model in models:
            slow = [] if model == models[-1] else [pytest.mark.slow]
            cases.append(pytest.param(name, model, marks=slow))
    return cases


# Words can be read, and every canvas has more than one colour on it.
DRAWN = """(host) => host.innerText.trim().length > 0
  && [...host.querySelectorAll("canvas")]
    .filter((canvas) => canvas.checkVisibility() && canvas.width > 1)
    .every((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const pixels = new Uint32Array(data.buffer);
      return pixels.some((pixel) => pixel !== pixels[0]);
    })"""
# Whatever is drawn or can be reached, and has no name.
NAMELESS = """(host) => [...host.querySelectorAll(
    "canvas, svg, [role=img], [role=listbox], button, a, input")]
  .filter((node) => node.checkVisibility() && node.ariaHidden !== "true")
  .filter((node) => !(node.ariaLabel || node.title || node.innerText?.trim()
    || node.closest("a, button, [role=group]")?.ariaLabel
    || node.closest("a, button")?.innerText?.trim()))
  .map((node) => node.outerHTML.slice(0, 120))"""
# Drawings that do not say whether they are operated: those that are can be reached, others not.
ROLELESS = """(host) => [...host.querySelectorAll("canvas, svg")]
  .filter((node) => node.checkVisibility() && node.ariaHidden !== "true")
  .filter((node) => !["img", "application", "group"].includes(node.role)
    || (node.role === "application") !== (node.tabIndex === 0))
  .map((node) => node.outerHTML.slice(0, 120))"""
# What a screen reader would read wrongly: a name with the dot of a token's blank, a list of
# nothing, headings that begin below the page's title or leave a level out.
MISREAD = r"""(host) => {
  const seen = [...host.querySelectorAll("*")].filter((node) => node.checkVisibility());
  const named = (node) => node.ariaLabel
    ?? (node.matches("button, [role=button], [role=treeitem]") ? node.textContent : "");
  const dotted = seen.filter((node) => /(^|[\s“«])·[\p{L}\p{N}]/u.test(named(node)));
  const empty = seen.filter((node) => node.matches("ul, ol, [role=list]")
    && !node.querySelector("li, [role=listitem]"));
  let level = 1;
  const leaping = seen.filter((node) => {
    const own = Number(/^H([1-6])$/.exec(node.tagName)?.[1] ?? level);
    const leaps = own > level + 1;
    level = own;
    return leaps;
  });
  return [...dotted, ...empty, ...leaping].map((node) => node.outerHTML.slice(0, 120));
}"""
REACHABLE = """(host) => [...host.querySelectorAll("button, a[href], input, [tabindex='0']")]
  .filter((node) => node.checkVisibility() && !node.disabled).length"""
INSIDE = "() => Boolean(document.getElementById('view').shadowRoot.activeElement)"


def fits_a_phone_and_keeps_what_was_typed_as_text(bare, component_of, name, values) -> None:
    fields = ["text", "first", "second", "batch", "corpus"]
    fields += ["target"] if values["model"] == "transformer" else []  # only it reads one
    shown = component_of(name, **dict.fromkeys(fields, HOSTILE), **values)
    bare.page.set_viewport_size(PHONE)
    component = bare.show(shown.folder, shown.payload(), key="phone")
    assert component.evaluate(DRAWN)
    assert component.locator("img, script").count() == 0
    wide = bare.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    bare.settle()
    assert bare.page.evaluate("() => window.hit") is None
    bare.remove("phone")
    bare.page.evaluate("() => document.getElementById('phone').remove()")
    bare.page.set_viewport_size(WIDE)


def draws_light_and_dark_and_answers_to_keys(bare, component_of, name, values) -> None:
    shown = component_of(name, text=TEXT, **values)
    payload = shown.payload()
    component = bare.show(shown.folder, payload, key="view")
    assert component.get_attribute("data-ready") == "1"
    assert component.evaluate(DRAWN)
    assert not component.evaluate(NAMELESS)
    assert not component.evaluate(ROLELESS)
    assert not component.evaluate(MISREAD)

    reachable = component.evaluate(REACHABLE)
    if reachable:
        bare.page.keyboard.press("Tab")
        assert bare.page.evaluate(INSIDE)
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Enter"):
            bare.page.keyboard.press(key)
            assert bare.page.evaluate(INSIDE), f"{key} lost the keyboard's place"
    bare.settle()

    # A second call keeps the element, what is selected, and the keyboard's place.
    bare.paint("dark")
    before = bare.selection()
    bare.show(shown.folder, payload, key="view")
    assert bare.page.locator("#view .glass").count() == 1
    assert bare.selection() == before
    assert bare.page.evaluate(INSIDE) == bool(reachable)
    longer = component_of(name, text=f"{TEXT} and the dog sat", **values)
    bare.show(longer.folder, longer.payload(), key="view")
    assert component.evaluate(DRAWN)
    bare.remove("view")


ASKED = {
    "phone": fits_a_phone_and_keeps_what_was_typed_as_text,
    "keys": draws_light_and_dark_and_answers_to_keys,
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize(("name", "model"), each())
def test_a_view_draws_and_answers(bare, component_of, name, model, asked):
    asked(bare, component_of, name, {"model": model, **VALUES.get(name, {})})

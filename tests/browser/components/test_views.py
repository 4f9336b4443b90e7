"""Every view that is a component, on a bare page, drawn from a real run of a tiny model."""

from __future__ import annotations

import pytest

from core.figures.view import ComponentView, all_views

VIEWS = [name for name, view in all_views().items() if isinstance(view, ComponentView)]
TEXT = "The cat sat on the mat"
HOSTILE = "<img src=x onerror=window.hit=1> \"'`${1}</script>"
# What a view needs besides a text, where its defaults are meant for another figure.
VALUES = {"norm.strip": {"source": "text"}}

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
REACHABLE = """(host) => [...host.querySelectorAll("button, a[href], input, [tabindex='0']")]
  .filter((node) => node.checkVisibility() && !node.disabled).length"""
INSIDE = "() => Boolean(document.getElementById('view').shadowRoot.activeElement)"


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_draws_light_and_dark_and_answers_to_keys(bare, payload_of, name):
    payload = payload_of(name, text=TEXT, **VALUES.get(name, {}))
    component = bare.show(all_views()[name].component, payload, key="view")
    assert component.get_attribute("data-ready") == "1"
    assert component.evaluate(DRAWN)
    assert not component.evaluate(NAMELESS)

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
    bare.show(all_views()[name].component, payload, key="view")
    assert bare.page.locator("#view .glass").count() == 1
    assert bare.selection() == before
    assert bare.page.evaluate(INSIDE) == bool(reachable)
    longer = payload_of(name, text=f"{TEXT} and the dog sat", **VALUES.get(name, {}))
    bare.show(all_views()[name].component, longer, key="view")
    assert component.evaluate(DRAWN)
    bare.remove("view")


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_fits_a_phone_and_what_was_typed_stays_text(bare_page, payload_of, name):
    bare = bare_page(phone=True)
    values = dict.fromkeys(("text", "first", "second", "corpus"), HOSTILE) | VALUES.get(name, {})
    component = bare.show(all_views()[name].component, payload_of(name, **values), key="view")
    assert component.evaluate(DRAWN)
    assert component.locator("img, script").count() == 0
    wide = bare.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    bare.settle()
    assert bare.page.evaluate("() => window.hit") is None

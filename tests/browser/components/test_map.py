"""The model folded flat: the strip with its links."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from core.views.map.strip import strip_payload
from tests.conftest import tiny_gpt, tiny_transformer

PLACES = {"weights": "/heads", "ffn": "/feed-forward", "prediction": "/next-token"}


def strip(bare, model, **more):
    values = {"here": ("weights",), "places": PLACES, "layer": 0} | more
    here, places = values.pop("here"), values.pop("places")
    return bare.show("map", strip_payload(model.blueprint, here, places, **values), key="map")


def gone_to(bare) -> tuple[str, dict[str, int | str]]:
    """The page that the address names, and what goes along to it."""
    address = urlsplit(bare.page.url)
    said = {name: one for name, (one,) in parse_qs(address.query, keep_blank_values=True).items()}
    assert said.pop("along") == ""
    return address.path, {n: int(one) if one.isdecimal() else one for n, one in said.items()}


def test_a_click_stays_in_the_tab_and_names_the_page(bare):
    one = strip(bare, tiny_gpt())
    bare.page.evaluate(
        "() => { window.popped = 0; addEventListener('popstate', () => { window.popped += 1; }); }"
    )
    length = bare.page.evaluate("history.length")
    one.get_by_role("link", name="next word").dblclick()
    assert gone_to(bare) == ("/next-token", {})
    # One entry, and Streamlit hears of it once, as soon as the page is at rest.
    bare.page.wait_for_function("() => window.popped")
    assert bare.page.evaluate("[history.length, window.popped]") == [length + 1, 1]


def test_the_lit_place_is_no_link_and_places_without_a_page_neither(bare):
    one = strip(bare, tiny_gpt())
    assert one.locator(".line, .tower-name, .across, .edge").count() == 0
    assert one.locator(".lit").inner_text() == "weights"
    assert one.locator(".lit").get_attribute("aria-current") == "page"
    assert one.get_by_role("link").all_inner_texts() == ["feed-forward", "next word"]


def test_blocks_are_turned_and_stop_at_the_ends(bare):
    one = strip(bare, tiny_gpt())
    assert one.get_by_role("button", name="Previous layer").is_disabled()
    bare.page.evaluate("() => history.pushState({}, '', '?text=new')")
    link = one.get_by_role("link", name="next word")
    link.hover()  # it says the address of now
    assert link.get_attribute("href") == "/next-token?text=new"
    one.get_by_role("button", name="Next layer").click()
    assert bare.reported() == [{"layer": 1}]
    one = strip(bare, tiny_gpt(), layer=1)
    assert one.get_by_role("button", name="Next layer").is_disabled()
    assert "layer 1 (0 to 1)" in one.inner_text()


def test_the_strip_of_two_towers_has_a_line_for_each(bare):
    places = {"weights": "/heads", "ffn": "/feed-forward"}
    one = strip(bare, tiny_transformer(), here=("ffn",), places=places,
                chosen={"stack": "encoder", "attention": "decoder"})  # fmt: skip
    lines = one.locator(".line").all()
    assert [line.locator(".tower-name").inner_text() for line in lines] == [
        "encoder",
        "decoder",
    ]
    assert [line.locator(".lit").count() for line in lines] == [1, 0]
    assert lines[1].locator(".across .place").count() == 7
    assert one.locator(".flat .edge").count() == 1
    lines[1].locator(".across a", has_text="weights").click()
    assert gone_to(bare) == ("/heads", {"attention": "cross"})


@pytest.mark.parametrize("zoom", [1, 0.75])
def test_the_line_of_the_strip_ends_where_the_decoder_looks(bare, zoom):
    """In a lecture, which makes the strip smaller, too."""
    strip(bare, tiny_transformer())
    bare.page.evaluate("(zoom) => { document.getElementById('map').style.zoom = zoom; }", zoom)
    one = strip(bare, tiny_transformer())
    edge, into, last = one.evaluate("""(host) => [".flat .edge", ".across", ".line .block"]
      .map((name) => host.querySelector(name).getBoundingClientRect())
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))""")
    assert edge["bottom"] == pytest.approx(into["top"], abs=2)
    assert edge["left"] == pytest.approx((into["left"] + into["right"]) / 2, abs=2)
    assert edge["right"] == pytest.approx(last["right"] + 10 * zoom, abs=2)

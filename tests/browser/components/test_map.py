"""The map: the strip with its links, and the whole run with blocks that open."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from core.figures.map import strip_payload
from tests.browser.components.conftest import ADDRESS
from tests.conftest import tiny_bert, tiny_gpt

TEXT = "The cat sat"
PLACES = {"weights": "/heads", "ffn": "/feed-forward", "prediction": "/next-token"}


def strip(bare, model, **more):
    values = {"here": ("weights",), "places": PLACES, "layer": 0} | more
    here, places = values.pop("here"), values.pop("places")
    return bare.show("map", strip_payload(model.topology, here, places, **values), key="map")


def gone_to(bare) -> tuple[str, dict[str, int]]:
    """The page that the address names, and what it says along with it."""
    address = urlsplit(bare.page.url)
    return address.path, json.loads(parse_qs(address.query)["visit"][0])


def test_a_click_stays_in_the_session_and_names_the_page(bare):
    one = strip(bare, tiny_gpt())
    bare.page.evaluate(
        "() => { window.popped = 0; addEventListener('popstate', () => { window.popped += 1; }); }"
    )
    length = bare.page.evaluate("history.length")
    one.get_by_role("link", name="next word").dblclick()
    assert gone_to(bare) == ("/next-token", {})
    # One entry, and Streamlit has heard of it once.
    assert bare.page.evaluate("[history.length, window.popped]") == [length + 1, 1]


def test_the_lit_place_is_no_link_and_places_without_a_page_neither(bare):
    one = strip(bare, tiny_gpt())
    assert one.locator(".lit").inner_text() == "weights"
    assert one.locator(".lit").get_attribute("aria-current") == "page"
    assert one.get_by_role("link").all_inner_texts() == ["feed-forward", "next word"]


def test_a_link_says_the_address_of_now(bare):
    one = strip(bare, tiny_gpt())
    bare.page.evaluate("() => history.pushState({}, '', '?text=new')")
    link = one.get_by_role("link", name="next word")
    link.hover()
    assert link.get_attribute("href") == "/next-token?text=new"


def test_blocks_are_turned_and_stop_at_the_ends(bare):
    one = strip(bare, tiny_gpt())
    assert one.get_by_role("button", name="One block earlier").is_disabled()
    one.get_by_role("button", name="One block later").click()
    assert bare.said("map") == [{"layer": 1}]
    one = strip(bare, tiny_gpt(), layer=1)
    assert one.get_by_role("button", name="One block later").is_disabled()
    assert "block 1 of 2" in one.inner_text()


def test_each_model_has_its_own_order(bare):
    def order(model) -> list[str]:
        return strip(bare, model, here=(), places={}).locator(".place").all_inner_texts()

    assert order(tiny_gpt())[3:5] == ["norm", "q k v"]
    assert order(tiny_bert())[3:5] == ["norm", "q k v"]  # of the embeddings
    assert order(tiny_bert())[-3:] == ["norm", "logits", "hidden word"]
    assert order(tiny_gpt())[-3:] == ["norm", "logits", "next word"]


def test_a_block_opens_and_a_token_is_chosen(bare, payload_of):
    one = bare.show("map", payload_of("map.run", text=TEXT, layer=0))
    one.locator(".closed").click()
    assert bare.selection()["layer"] == 1
    one.locator(".chip").nth(1).focus()
    bare.page.keyboard.press("Enter")
    assert one.locator(".chip.chosen").inner_text() == one.locator(".chip").nth(1).inner_text()
    bare.settle()
    said = {name: value for report in bare.said("map") for name, value in report.items()}
    assert said["layer"] == 1
    assert "token" in said


def test_a_head_needs_two_clicks_to_be_left_for(bare, payload_of):
    payload = payload_of("map.run", text=TEXT, layer=0)
    places = {**payload.header, "places": {"weights": "/heads"}}
    one = bare.show("map", type(payload)(places, payload.arrays))
    one.locator(".one-head").nth(1).click()
    assert bare.selection()["head"] == 1
    assert bare.page.url == ADDRESS
    one.locator(".one-head").nth(1).click()
    # The first click's choice goes along: it has not been said in another way.
    assert gone_to(bare) == ("/heads", {"layer": 0, "head": 1})
    bare.settle()
    assert bare.said("map") == []


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_every_part_of_the_run_leads_to_its_page(bare, payload_of, model):
    payload = payload_of("map.run", text=TEXT, layer=0, model=model)
    ids = ("tokens", "embeddings", "norm_1", "add_1", "norm_2", "ffn", "add_2", "final_norm",
           "logits", "prediction")  # fmt: skip
    places = {**payload.header, "places": {id: f"/{id}" for id in ids}}
    one = bare.show("map", type(payload)(places, payload.arrays))
    links = [urlsplit(link.get_attribute("href")).path for link in one.locator("a.part").all()]
    assert sorted(links) == sorted(f"/{id}" for id in ids)
    drawn = one.locator("a.part").filter(has=bare.page.locator("canvas"))
    assert drawn.count() == len(ids) - 2  # the tokens and the words are words


def test_the_whole_run_stands_side_by_side_on_a_wide_screen(bare_page, payload_of):
    """In large type too, made smaller; never larger than it is."""
    for phone, size, fits in ((False, "16px", True), (False, "40px", True), (True, "16px", False)):
        bare = bare_page(phone=phone)
        bare.page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
        one = bare.show("map", payload_of("map.run", text=TEXT, layer=0))
        boxes = [one.locator(f".{name}").bounding_box() for name in ("tokens", "next")]
        assert (boxes[0]["y"] == pytest.approx(boxes[1]["y"], abs=1)) == fits
        room = one.bounding_box()
        assert boxes[1]["x"] + boxes[1]["width"] <= room["x"] + room["width"] + 1
        zoom = one.locator(".map").evaluate("(map) => map.style.zoom")
        assert bool(zoom) == (size == "40px")


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_shares_stand_inside_the_map(bare, payload_of, model):
    payload = payload_of("map.run", text=TEXT, layer=0, model=model)
    payload.arrays["probs"][:] = 1e-6  # the widest there is: "< 0.01 %"
    one = bare.show("map", payload)
    room = one.locator(".words").bounding_box()
    for share in one.locator(".word .small").all():
        width = share.evaluate("""(share) => {
          const range = document.createRange();
          range.selectNodeContents(share);
          return range.getBoundingClientRect().right;
        }""")
        assert width <= room["x"] + room["width"] + 0.5

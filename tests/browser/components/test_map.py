"""The map: the strip with its links, and the whole run with blocks that open."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from core.views.map.strip import strip_payload
from tests.conftest import tiny_bert, tiny_gpt, tiny_transformer

TEXT = "The cat sat"
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
    assert one.get_by_role("button", name="Previous layer").is_disabled()
    one.get_by_role("button", name="Next layer").click()
    assert bare.reported() == [{"layer": 1}]
    one = strip(bare, tiny_gpt(), layer=1)
    assert one.get_by_role("button", name="Next layer").is_disabled()
    assert "layer 1 (0 to 1)" in one.inner_text()


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
    said = {name: value for report in bare.reported() for name, value in report.items()}
    assert said["layer"] == 1
    assert "token" in said


def test_a_head_needs_two_clicks_to_be_left_for(still, payload_of):
    payload = payload_of("map.run", text=TEXT, layer=0, head=0)
    places = {**payload.header, "places": {"weights": "/heads"}}
    one = still.show("map", type(payload)(places, payload.arrays))
    one.locator(".one-head").nth(1).click()
    assert still.selection()["head"] == 1
    assert still.page.url == still.address
    one.locator(".one-head").nth(1).click()
    # The first click's choice goes along: it has not been said in another way.
    assert gone_to(still) == ("/heads", {"layer": 0, "head": 1})


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


# The smallest type of the map as it is seen, and how far what it shows goes to the right.
SEEN = """(map) => {
  const told = [...map.querySelectorAll("*")].filter((node) => node.checkVisibility()
    && [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim()));
  const size = (node) => parseFloat(getComputedStyle(node).fontSize) * (map.style.zoom || 1);
  const right = (node) => node.getBoundingClientRect().right;
  return [Math.min(...told.map(size)), Math.max(...told.map(right))];
}"""


@pytest.mark.parametrize("model", ["gpt", "bert", "transformer"])
def test_type_is_readable_from_the_last_row_of_a_lecture(bare_page, payload_of, model):
    bare = bare_page(phone=False)
    bare.page.evaluate("() => { document.documentElement.style.fontSize = '20px'; }")
    bare.page.set_viewport_size({"width": 1440, "height": 900})
    one = bare.show("map", payload_of("map.run", text=TEXT, layer=0, model=model))
    smallest, right = one.locator(".map").evaluate(SEEN)
    assert smallest >= 15.9
    room = one.bounding_box()
    assert right <= room["x"] + room["width"] + 1


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


# --- two towers --------------------------------------------------------------------------

LONG = "The cat sat on the mat and saw"
OF_TOWERS = ("tokens", "embeddings", "norm_1", "add_1", "norm_cross", "add_cross", "norm_2", "ffn",
             "add_2", "final_norm", "logits", "prediction", "weights")  # fmt: skip


def two_towers(bare, payload_of, **values):
    payload = payload_of("map.run", text=LONG, model="transformer", **{"layer": 0, **values})
    places = {**payload.header, "places": {id: f"/{id}" for id in OF_TOWERS}}
    return bare.show("map", type(payload)(places, payload.arrays))


def ends(one) -> list[tuple[float, float]]:
    """Where the lines between the towers end, on the page."""
    return one.evaluate("""(host) => {
      const outer = host.getBoundingClientRect();
      const path = host.querySelector(".sheet ~ .edges .edge").getAttribute("d");
      return path.split("M").slice(2).map((drop) => drop.split("L")[1].split(" ").map(Number))
        .map(([x, y]) => [x + outer.left, y + outer.top]);
    }""")


def test_the_encoder_stands_left_of_the_decoder_and_leads_into_each_of_its_blocks(bare, payload_of):
    one = two_towers(bare, payload_of)
    encoder, decoder = one.locator(".tower").all()
    left, right = encoder.bounding_box(), decoder.bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    assert left["y"] == pytest.approx(right["y"], abs=1)
    boxes = [block.bounding_box() for block in decoder.locator(".row > *").all()]
    found = ends(one)
    assert len(found) == len(boxes) == 2
    for (x, y), box in zip(found, boxes, strict=True):
        assert box["x"] <= x <= box["x"] + box["width"]
        assert y == pytest.approx(box["y"], abs=2)
    # They begin where the encoder hands on.
    start = one.evaluate("""(host) => host.querySelector(".sheet ~ .edges .edge").getAttribute("d")
      .match(/^M([\\d.]+)/)[1]""")
    output = encoder.locator(".given canvas").bounding_box()
    assert output["x"] <= float(start) + one.bounding_box()["x"] <= output["x"] + output["width"]


def test_on_a_phone_the_towers_stand_below_each_other(bare_page, payload_of):
    bare = bare_page(phone=True)
    one = two_towers(bare, payload_of)
    encoder, decoder = (tower.bounding_box() for tower in one.locator(".tower").all())
    assert encoder["y"] + encoder["height"] <= decoder["y"]
    blocks = [block.bounding_box() for block in one.locator(".takes .row > *").all()]
    for (x, y), box in zip(ends(one), blocks, strict=True):
        assert x == pytest.approx(box["x"], abs=2)
        assert box["y"] <= y <= box["y"] + box["height"]
    wide = bare.page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 1


def test_one_block_of_both_towers_is_open(bare, payload_of):
    one = two_towers(bare, payload_of)
    encoder, decoder = one.locator(".tower").all()
    assert (encoder.locator(".open").count(), decoder.locator(".open").count()) == (0, 1)
    encoder.locator(".closed").nth(1).click()
    assert (encoder.locator(".open").count(), decoder.locator(".open").count()) == (1, 0)
    assert bare.selection()["attention"] == "encoder"
    assert bare.selection()["layer"] == 1
    decoder.locator(".closed").first.click()
    decoder.locator(".piece.across .one-head").nth(1).click()
    assert bare.selection()["attention"] == "cross"
    assert bare.selection()["head"] == 1
    # The head of that number in the decoder's own attention is not chosen, too.
    assert decoder.locator(".one-head.chosen").count() == 1
    bare.settle()
    said = {name: value for report in bare.reported() for name, value in report.items()}
    assert said == {"attention": "cross", "layer": 0, "head": 1}


def test_a_token_of_each_tower_is_chosen_by_itself(bare, payload_of):
    one = two_towers(bare, payload_of)
    encoder, decoder = one.locator(".tower").all()
    encoder.locator(".chip").nth(1).click()
    decoder.locator(".chip").nth(2).click()
    first = 32 - 24  # of the target that the model wrote the end is drawn
    assert bare.selection()["source_token"] == 1
    assert bare.selection()["token"] == 2 + first
    assert encoder.locator(".chip.chosen").count() == decoder.locator(".chip.chosen").count() == 1


@pytest.mark.parametrize(
    ("attention", "at", "further", "more"),
    [
        ("encoder", 0, (), {"token": 1}),
        ("decoder", 1, ("norm_cross", "add_cross", "logits", "prediction"), {}),
    ],
)
def test_every_part_of_a_tower_leads_to_its_page_and_says_which_it_is(
    bare, payload_of, attention, at, further, more
):
    shown = ("tokens", "embeddings", "norm_1", "add_1", "norm_2", "ffn", "add_2", "final_norm")
    one = two_towers(bare, payload_of, attention=attention, head=0, source_token=1)
    tower = one.locator(".tower").nth(at)
    links = tower.locator("a.part:not(.one-head)").all()
    ids = sorted(urlsplit(link.get_attribute("href")).path.removeprefix("/") for link in links)
    assert ids == sorted((*shown, *further))
    tower.locator("a.piece", has_text="feed-forward").click()
    assert gone_to(bare) == ("/ffn", {"layer": 0, "head": 0, "stack": attention, **more})


def test_a_head_leads_to_its_kind_of_attention(bare, payload_of):
    one = two_towers(bare, payload_of, attention="cross", head=1)
    one.locator(".piece.across .one-head").nth(1).click()
    assert gone_to(bare) == ("/weights", {"layer": 0, "head": 1, "attention": "cross"})


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


def test_of_one_tower_the_strip_has_one_line_and_no_edge(bare):
    one = strip(bare, tiny_gpt())
    assert one.locator(".line, .tower-name, .across, .edge").count() == 0
    assert one.locator(".flat > .place").count() > 3


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

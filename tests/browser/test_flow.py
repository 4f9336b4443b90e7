"""The run that flows, as a first visit is told it, and the places that are gone into."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import ours, severe
from tests.browser.conftest import PHONE, keep, new_page, settle

TOLD = ".glass[data-told]"
FLOW = ".st-key-flow"
SAID = ".st-key-flow-said .told"
LONGEST = 90_000  # ms in which all is told and read, on a machine that has other things to do


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def picture(page: Page) -> str:
    """What is drawn, as one text."""
    drawn: str = page.locator("canvas").first.evaluate("(one) => one.toDataURL()")
    return drawn


def caption(page: Page) -> Locator:
    return page.locator(f"{FLOW} .caption")


def said(page: Page) -> Locator:
    return page.locator(SAID).first


def test_a_first_visit_is_told_once_at_the_pace_of_whoever_reads(server, visitor):
    page = visitor()
    page.goto(server)
    expect(button(page, "Next")).to_be_visible()
    expect(page.locator(".st-key-flow-ends")).to_contain_text("One line matters most")
    told: list[str] = []
    for _station in range(12):
        if not button(page, "Next").count():
            break
        told.append(caption(page).inner_text())
        if "best guess" not in " ".join(told):  # the word is not there before it is told
            assert not re.search("food", told[-1]), told
            expect(page.get_by_text("most likely next")).to_be_hidden()
        if len(told) == 2:
            page.keyboard.press("ArrowLeft")
            expect(caption(page)).to_have_text(told[0])
            page.keyboard.press("ArrowRight")
            expect(caption(page)).to_have_text(told[1])
        if "has a query" in told[-1]:  # a phone that is turned ends nothing, also in a head
            button(page, "Pause").click()
            for size in (PHONE, {"width": 844, "height": 390}, {"width": 1440, "height": 900}):
                page.set_viewport_size(size)
                expect(caption(page)).to_have_text(told[-1])
            expect(page.locator(TOLD)).to_have_count(0)
            expect(button(page, "Go on")).to_be_visible()
        page.keyboard.press("ArrowRight" if len(told) % 2 else "Space")
    assert button(page, "Next").count() == 0
    assert len(set(told)) >= 7, told
    whole = " ".join(told)
    assert "Which one comes next" in told[0]
    assert "pieces, the tokens" in whole
    # Of the head whose line matters most.
    assert re.search(r"“hungry” gets 6\d\s%", whole), whole
    assert re.search(r"“food” gets 4\d\s%", whole), whole
    assert "all begins again" in whole
    expect(button(page, "Watch it again")).to_be_visible()
    settle(page)
    page.reload()
    settle(page)
    expect(page.locator(TOLD)).to_be_attached()
    expect(button(page, "Skip")).to_have_count(0)


def test_it_goes_on_by_itself_and_stands_still_while_it_is_paused(server, browser: Browser):
    page = new_page(browser, known=False)
    page.clock.install()
    page.goto(server)
    cut = re.compile("pieces, the tokens")
    expect(caption(page)).to_have_text(cut, timeout=LONGEST)  # by itself
    button(page, "Pause").press("Enter")
    expect(button(page, "Go on")).to_be_focused()
    still, now = picture(page), caption(page).inner_text()
    page.clock.run_for(10_000)  # longer than that sentence takes to be read
    assert picture(page) == still
    expect(caption(page)).to_have_text(now)
    button(page, "Go on").click()
    expect(caption(page)).not_to_have_text(now, timeout=LONGEST)
    button(page, "Skip").click()
    expect(page.locator(TOLD)).to_be_attached()
    assert "place" not in page.url
    page.context.close()


def test_where_motion_is_unwelcome_all_is_there_and_where_attention_rests_can_be_put_aside(
    server, visitor
):
    page = visitor(reduced_motion="reduce")
    page.goto(f"{server}/?token=2")
    expect(page.locator(TOLD)).to_be_attached()
    expect(button(page, "Skip")).to_have_count(0)
    settle(page)
    expect(said(page)).to_contain_text("After “dog”")
    further = page.locator(f"{FLOW} .further")
    expect(further).to_contain_text(re.compile(r"\d+\s% of all attention goes to ⟨start⟩"))
    before = picture(page)
    button(page, "Leave ⟨start⟩ out of the picture").click()
    expect(page).to_have_url(re.compile("aside=1"))
    expect(further).to_contain_text("⟨start⟩ is left out of the picture")
    expect(further).to_contain_text("The model still uses it")
    assert picture(page) != before
    settle(page)
    button(page, "Show ⟨start⟩ again").click()
    expect(page).not_to_have_url(re.compile("aside"))
    settle(page)
    assert picture(page) == before
    button(page, "Leave ⟨start⟩ out of the picture").click()
    expect(page).to_have_url(re.compile("aside=1"))
    settle(page)
    page.get_by_label("The text that runs through the model").fill("Once upon a time there was a")
    expect(said(page)).to_contain_text("most likely next", timeout=LONGEST)
    expect(page).not_to_have_url(re.compile("aside|token"))  # both were of the other text
    settle(page)


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_a_layer_and_a_head_are_gone_into_and_left_by_keyboard(server, visitor, phone):
    page = visitor(phone=phone, reduced_motion="reduce")
    page.goto(server)
    settle(page)
    button(page, "Open layer 5").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("place=layer5$"))
    settle(page)
    expect(button(page, "Close layer 5")).to_be_focused()  # which has moved
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("place="))
    settle(page)
    expect(button(page, "Open layer 5")).to_be_focused()
    page.keyboard.press("ArrowRight")  # it is the last one: nothing else is chosen instead
    page.keyboard.press("ArrowLeft")
    expect(button(page, "Open layer 4")).to_be_focused()
    page.keyboard.press("ArrowRight")
    assert "token" not in page.url
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("place=layer5$"))
    settle(page)
    head = page.get_by_role("button", name=re.compile(r"^head 3: his ← dog 72\s%$"))
    head.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"place=layer5\.head3$"))
    weight = page.get_by_role("button", name=re.compile(r": weight, “dog”: 72\s%$"))
    expect(weight).to_be_attached()
    settle(page)
    keep(page, f"flow-head-{'phone' if phone else 'wide'}")
    assert ours(severe(page)) == []
    expect(head).to_be_focused()
    page.keyboard.press("Tab")  # what is in it is one stop, right after its frame
    expect(page.get_by_role("button", name=re.compile(r": query of “his”"))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".mark:focus")).to_have_count(0)
    weight.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name=re.compile(r": weight, “was”"))).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"place=layer5\.head3\.key2$"))
    expect(
        page.get_by_role("button", name=re.compile(r"^One weight.*: query of “his”"))
    ).to_be_focused()
    page.keyboard.press("Escape")
    expect(weight).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"place=layer5\.head3\.key3$"))
    expect(page.get_by_role("button", name=re.compile(r": query of “his”"))).to_be_attached()
    settle(page)
    deep = page.url
    button(page, "One step back").click()
    expect(page).to_have_url(re.compile(r"place=layer5\.head3$"))
    expect(weight).to_be_attached()
    button(page, "Back to the layer").click()
    expect(page).to_have_url(re.compile("place=layer5$"))
    settle(page)
    button(page, "Back to the whole model").click()
    expect(page).not_to_have_url(re.compile("place="))
    settle(page)
    page.goto(f"{deep}&token=9")  # the link opens it
    expect(page.locator(f"{FLOW} .mark").first).to_be_attached(timeout=LONGEST)
    settle(page)
    expect(button(page, "Close layer 5")).to_have_attribute("aria-expanded", "true")
    all_ = page.locator(FLOW).get_by_role("button", name="all", exact=True)
    expect(all_).to_have_attribute("aria-pressed", "true")
    for place in (r"layer5\.head3&", "layer5&"):  # Escape goes out level by level
        page.keyboard.press("Escape")
        expect(page).to_have_url(re.compile(f"place={place}"))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("place="))
    settle(page)
    assert page.evaluate("() => document.activeElement === document.body")


def test_a_finger_wipes_to_the_layer_beside_and_sees_a_weight_before_it_goes_in(server, watched):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/?place=layer5")
    settle(page)
    finger = page.context.new_cdp_session(page)

    def touch(at: dict[str, float], *further: dict[str, float]) -> None:
        for kind, points in (("Start", [at]), *(("Move", [to]) for to in further), ("End", [])):
            finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    box = page.locator(f"{FLOW} canvas").first.bounding_box()
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 150}
    for by, down, layer in ((100, 0, 4), (-100, 0, 5), (20, 90, 5)):  # the last is scrolling
        touch(at, {"x": at["x"] + by, "y": at["y"] + down})
        expect(page).to_have_url(re.compile(f"place=layer{layer}$"))
        settle(page)
        assert page.url.endswith(f"place=layer{layer}")
    page.goto(f"{server}/?place=layer5.head3")
    settle(page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    settle(page)  # what fits a finger is drawn anew
    weight = page.get_by_role("button", name=re.compile(r": weight, “dog”: 72\s%$"))
    weight.scroll_into_view_if_needed()

    def place(mark: Locator, aside: float = 0.5) -> dict[str, float]:
        box = mark.bounding_box()
        return {"x": box["x"] + aside * box["width"], "y": box["y"] + box["height"] / 2}

    touch(place(weight))
    tip = page.locator(f"{FLOW} .tip")
    expect(tip).to_contain_text(re.compile(r"e\^\(.+\) / .+ = 72\s%"))
    settle(page)
    expect(tip).to_contain_text("Touch it again to go in.")
    assert page.url.endswith("place=layer5.head3")
    touch(place(weight))
    expect(page).to_have_url(re.compile(r"place=layer5\.head3\.key2$"))
    strip = page.get_by_role("button", name=re.compile(r"^One weight.*: query of “his”"))
    expect(strip).to_be_attached()
    settle(page)
    touch(place(strip, aside=-0.3))  # on the name of its row, which leads nowhere
    settle(page)
    assert page.url.endswith("place=layer5.head3.key2")
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    finger.detach()


def test_on_a_phone_one_tower_is_seen_at_a_time(server, visitor):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(f"{server}/?model=transformer")
    settle(page)
    sides = page.locator(f"{FLOW} .sides button")
    expect(sides).to_have_count(2)
    expect(sides.last).to_have_attribute("aria-pressed", "true")
    layers = page.locator(f"{FLOW} .marks .layer")
    for side in (sides.last, sides.first):
        side.click()
        expect(side).to_have_attribute("aria-pressed", "true")
        expect(layers).to_have_count(3)
        for layer in layers.all():
            box = layer.bounding_box()
            assert box is not None
            assert box["width"] >= 24
    layers.first.press("Enter")
    expect(page).to_have_url(re.compile(r"place=source\.layer0$"))
    settle(page)
    sides.last.click()
    expect(page).not_to_have_url(re.compile("place="))
    settle(page)
    assert ours(severe(page)) == []


PLACES = {
    "": ["layer5.ffn", "layer5.ffn.unit305", "embeddings", "words", "words.word1"],
    "elmo": ["embeddings", "layer1.backward.cell"],
    "transformer": ["target.layer1.cross.head2", "source.layer0.ffn"],
    "vit": ["embeddings", "layer3.head1", "layer3.ffn", "words.word7"],
}


@pytest.mark.parametrize("model", PLACES, ids=lambda one: one or "gpt")
def test_the_inside_of_every_kind_of_place_is_drawn_from_its_link(server, watched, model):
    page, _ = watched
    for place in PLACES[model]:
        page.goto(f"{server}/?model={model or 'gpt'}&place={place}")
        expect(page.locator(f"{FLOW} .mark").first).to_be_attached(timeout=2 * LONGEST)
        settle(page)


def test_a_picture_flows_and_gives_way_to_another_one(server, watched):
    page, _ = watched
    page.goto(f"{server}/?model=vit")
    settle(page)
    expect(page.locator("textarea.text")).to_be_hidden()
    expect(said(page)).to_contain_text("“7” is most likely")
    square = page.locator(FLOW).get_by_role("button", name="the patch in row 3, column 4")
    square.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("token=18$"))
    tiles = page.locator("[class*=st-key-vision-samples] canvas")
    tiles.scroll_into_view_if_needed()
    box = tiles.bounding_box()
    assert box is not None
    tiles.click(position={"x": 1.5 * box["width"] / 13, "y": 20})
    expect(page).to_have_url(re.compile("picture=ours-2"))
    expect(said(page)).to_contain_text("“2” is most likely", timeout=LONGEST)
    expect(page.locator(TOLD)).to_be_attached(timeout=LONGEST)
    settle(page)


def test_the_story_ends_on_a_line_to_be_cut_and_leads_to_her_own_sentence(server, watched):
    page, _ = watched
    page.goto(server)
    settle(page)
    cut, own = button(page, "Cut this line"), button(page, "Now with your own sentence")
    expect(page.get_by_text("takes 63 % from “hungry”")).to_be_visible()
    expect(own).to_have_count(0)
    lit = picture(page)
    cut.click()
    answer = re.compile(r"Partly: without it, “food” falls from 46\s% to 31\s%, and is still first")
    expect(page.get_by_text(answer)).to_be_visible(timeout=LONGEST)
    expect(page.locator(SAID)).to_be_hidden()  # what is said at the line is not said twice
    expect(page.get_by_text("45.7")).to_have_count(0)
    sums = page.locator(".st-key-flow-ends li").filter(visible=True)
    expect(sums).to_have_count(3)
    settle(page)
    assert picture(page) != lit
    own.click()
    settle(page)
    assert "off=" in page.url  # what she has done stays until there is another text
    expect(sums).to_have_count(3)
    page.keyboard.type("Once upon a time there was a")
    page.keyboard.press("Enter")
    expect(page.get_by_text("takes 43 % from “Once”")).to_be_visible()
    settle(page)
    assert "off=" not in page.url
    cut.click()
    expect(button(page, "Another sentence")).to_be_visible(timeout=LONGEST)
    settle(page)


def test_after_a_swap_the_line_of_the_text_is_cut_and_answered_and_belongs_to_its_model(
    server, watched
):
    page, _ = watched
    page.goto(f"{server}/?swap=3~hungry~thirsty")
    settle(page)
    expect(page.get_by_text("“his” takes 62 % from “all”")).to_be_visible()
    button(page, "Cut this line").click()
    answer = re.compile(r"Partly: without it, “food” falls from 32\s% to 23\s%")
    expect(page.get_by_text(answer)).to_be_visible(timeout=LONGEST)
    effect = page.locator(".panel .effect")
    expect(effect).to_contain_text(re.compile(r"Together: “food” goes from 46\s% to 23\s%"))
    expect(page.get_by_text(re.compile(r"alone: 46\s% → 32\s%"))).to_be_visible()
    settle(page)
    button(page, "Switch to BERT").click()
    expect(page).to_have_url(re.compile("model=bert"), timeout=LONGEST)
    settle(page)
    assert "off=" not in page.url
    assert "swap=" not in page.url
    button(page, "Undo").click()
    expect(page).to_have_url(re.compile("off="), timeout=LONGEST)
    settle(page)
    page.locator("select.model").select_option("bert")
    expect(page).not_to_have_url(re.compile("off="), timeout=LONGEST)
    settle(page)


def test_at_the_foot_of_a_phone_the_answer_is_there_though_its_place_is_far_below(server, visitor):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(f"{server}/?swap=3~hungry~thirsty")
    settle(page)
    page.evaluate("scrollTo(0, 0)")
    button(page, "Cut this line").click()
    expect(page.get_by_text("Does the model need it? Partly: ")).to_be_visible(timeout=LONGEST)
    assert page.evaluate("scrollY") == 0
    settle(page)


def test_with_something_changed_no_head_is_gone_into_and_the_story_goes_on(server, watched):
    page, _ = watched
    page.goto(f"{server}/?off=layer5.head0.row11.key4.weight0")
    settle(page)
    if button(page, "Skip").count():
        button(page, "Skip").click()
    button(page, "Watch it again").click()
    for _station in range(3):  # text, tokens, rows
        page.keyboard.press("ArrowRight")
    expect(caption(page)).to_contain_text("Layer after layer")
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_contain_text("After each layer")
    button(page, "Skip").click()
    settle(page)

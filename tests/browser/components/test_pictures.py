"""A picture that is drawn on with mouse and keys, patches that are selected, and tiles."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from core.figures.components import PictureFigure, Tile, Tiles
from core.figures.payload import Payload
from core.figures.raster import png
from core.figures.text import sentence
from core.inputs import Picture as Given
from tests.browser.components.conftest import stepper

NAMES = ["[CLS]", *(f"patch {n}" for n in range(49))]
BLANK = np.zeros((28, 28), np.uint8)
BLACK_WHITE = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)


def picture(**more) -> PictureFigure:
    given = {"title": "The picture", "alt": "all black", "pixels": BLANK, "patch": 4}
    return PictureFigure(**given | more)


def drawn_on(made: PictureFigure | None = None) -> Payload:
    payload = (made or picture()).payload()
    acts = {"picture": {"*": {"picture": "{}"}}}
    return Payload({**payload.header, "draws": True, "acts": acts}, payload.arrays)


def told(bare) -> list[dict]:
    """The pictures that the state was told, and whether each goes on with the last change."""
    said = bare.page.evaluate("() => window.told")
    return [{**patch, "more": how.get("goesOn", False)} for _what, patch, how in said]


def wait_for_an_answer(bare, waits: bool) -> None:
    """A figure waits for the answer to what was drawn, or has it."""
    bare.page.evaluate(
        "(waits) => __glassformer.asking[waits ? 'add' : 'delete'](document.body)", waits
    )


def pixels_of(said: dict) -> np.ndarray:
    given = Given.of_text(said["picture"])
    return np.frombuffer(given.pixels, np.uint8).reshape(given.height, given.width)


def stroke(bare, one, *places: tuple[float, float]) -> None:
    """Press the mouse at the first place, counted in pixels of the picture, and go on."""
    box = one.locator("canvas").bounding_box()
    scale = box["width"] / 28
    for n, (x, y) in enumerate(places):
        bare.page.mouse.move(box["x"] + x * scale, box["y"] + y * scale)
        if not n:
            bare.page.mouse.down()
    bare.page.mouse.up()


def test_a_stroke_of_the_mouse_is_told_as_a_picture(bare):
    one = bare.show("picture", drawn_on())
    stroke(bare, one, (14, 6), (14, 14), (14, 22))
    bare.settle()
    bare.settle()
    said = told(bare)
    found = pixels_of(said[-1])
    assert (found[6:22, 13:15] == 255).all()
    assert not found[:, :10].any()
    assert said[0]["more"] is False  # a stroke of its own for undo
    assert all(one["more"] for one in said[1:])


def test_while_an_answer_is_waited_for_the_newest_waits_until_the_pen_is_lifted(bare):
    """An undo that is clicked then comes after all of it: what waits would bring it back."""
    one = bare.show("picture", drawn_on())
    box = one.locator("canvas").bounding_box()
    scale = box["width"] / 28
    for n, (x, y) in enumerate([(4, 4), (8, 8), (20, 20)]):
        bare.page.mouse.move(box["x"] + x * scale, box["y"] + y * scale)
        if not n:
            bare.page.mouse.down()
            bare.settle()
            wait_for_an_answer(bare, True)
    bare.settle()
    assert len(told(bare)) == 1
    bare.page.mouse.up()
    assert len(told(bare)) == 2  # at once
    wait_for_an_answer(bare, False)
    bare.settle()
    first, second = (pixels_of(said) for said in told(bare))
    assert first[4, 4] == second[4, 4] == second[8, 8] == second[20, 20] == 255
    assert first[20, 20] == 0
    assert [said["more"] for said in told(bare)] == [False, True]


def test_two_quick_strokes_are_two_changes_and_a_newer_one_wins_over_an_older_answer(bare):
    """Each is taken back by itself, however slow the server is."""
    one = bare.show("picture", drawn_on())
    stroke(bare, one, (4, 4))
    bare.show("picture", drawn_on())  # the run that was under way
    stroke(bare, one, (20, 20))
    first, second = told(bare)
    assert (pixels_of(first)[20, 20], pixels_of(second)[20, 20]) == (0, 255)
    assert pixels_of(second)[4, 4] == 255
    assert [first["more"], second["more"]] == [False, False]
    bare.settle()
    other = np.full((28, 28), 9, np.uint8)
    bare.page.evaluate("() => __glassformer.live.set({ picture: 'ours-2' })")  # a sample
    bare.show("picture", drawn_on(picture(pixels=other)))
    stroke(bare, one, (14, 14))
    bare.settle()
    assert pixels_of(told(bare)[-1])[0, 0] == 9


def test_it_is_erased_and_cleared(bare):
    one = bare.show("picture", drawn_on(picture(pixels=BLANK + 255)))
    one.get_by_role("button", name="Erase").click()
    assert one.get_by_role("button", name="Erase").get_attribute("aria-pressed") == "true"
    stroke(bare, one, (14, 14))
    bare.settle()
    found = pixels_of(told(bare)[-1])
    assert found[14, 14] == 0
    assert found[0, 0] == 255
    one.get_by_role("button", name="Clear").click()
    bare.settle()
    assert not pixels_of(told(bare)[-1]).any()


def test_keys_draw(bare):
    one = bare.show("picture", drawn_on())
    canvas = one.get_by_role("application")
    assert "arrow keys" in canvas.get_attribute("aria-label")
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        bare.page.keyboard.press(key)
    assert one.locator("[aria-live]").inner_text() == "row 14, column 17: 0"
    bare.settle()
    assert told(bare) == []  # going there draws nothing
    bare.page.keyboard.press(" ")
    bare.settle()
    found = pixels_of(told(bare)[-1])
    assert found[13, 16] == 255
    for _ in range(8):
        bare.page.keyboard.press("Shift+ArrowDown")
    bare.settle()
    bare.settle()
    assert (pixels_of(told(bare)[-1])[13:21, 16] == 255).all()


def test_a_file_becomes_a_small_picture_or_is_refused_in_words(bare):
    one = bare.show("picture", drawn_on())
    field = one.locator("input[type=file]")
    no = "This file is no picture that the browser can read."
    for content in (b"", b"<svg onload='window.hit=1'/>", b"\x89PNG broken" * 999):
        bare.show("picture", drawn_on())
        expect(one.get_by_text(no)).to_have_count(0)
        field.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": content})
        one.get_by_text(no).wait_for()
    assert told(bare) == []
    assert bare.page.evaluate("() => window.hit") is None
    field.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": png(BLACK_WHITE)})
    bare.page.wait_for_function("() => window.told.length > 0")
    bare.settle()
    found = pixels_of(told(bare)[-1])
    assert found.shape == (28, 28)
    assert found[14, 1] < 60
    assert found[14, 26] > 195
    assert not found[0].any()  # its sides keep their ratio


def test_a_patch_is_selected_by_click_and_by_key(bare):
    heat = np.linspace(0, 1, 50 * 49).reshape(50, 49)
    made = picture(names=NAMES, first=1, heat=heat, field="patch", heat_words="{name}: {value}")
    one = bare.show("picture", made.payload())
    assert one.get_by_role("toolbar").count() == 0  # nothing to draw with
    box = one.locator("canvas").bounding_box()
    side = box["width"] / 7
    one.locator("canvas").click(position={"x": 2.5 * side, "y": 1.5 * side})
    bare.settle()
    assert bare.reported()[-1] == {"patch": 1 + 7 + 2}
    one.locator("canvas").hover(position={"x": 0.5 * side, "y": 0.5 * side})
    assert one.locator(".tip").inner_text() == "patch 0: 0.200"
    one.locator("canvas").focus()
    bare.page.keyboard.press("ArrowDown")
    bare.page.keyboard.press("ArrowLeft")
    bare.settle()
    assert bare.reported()[-1] == {"patch": 1 + 14 + 1}
    one.locator("canvas").click(position={"x": 1.5 * side, "y": 2.5 * side})  # once more
    bare.settle()
    assert bare.reported()[-1] == {"patch": 0}  # [CLS], which has no place in the picture


def tiles(**more) -> Tiles:
    given = {
        "title": "All heads", "alt": "eight", "columns": 4,
        "tiles": [Tile(f"tile {n}", f"{n}") for n in range(8)],
        "pictures": np.arange(8 * 9, dtype=np.uint8).reshape(8, 3, 3) * 3,
    }  # fmt: skip
    return Tiles(**given | more)


def test_a_tile_is_selected_by_click_and_by_key(bare):
    made = tiles(fields=("layer", "head"), shape=(2, 4), heads=["a", "b", "c", "d"],
                 sides=["one", "two"], selection={"layer": 0, "head": 0})  # fmt: skip
    one = bare.show("tiles", made.payload())
    canvas = one.get_by_role("application", name="All heads")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] - 20, "y": box["height"] - 30})
    assert {k: bare.selection()[k] for k in ("layer", "head")} == {"layer": 1, "head": 3}
    canvas.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):  # there is nothing above the first row
        bare.page.keyboard.press(key)
    bare.settle()
    assert bare.reported()[-1] == {"layer": 0, "head": 2}
    assert one.locator("[aria-live]").inner_text() == "tile 2, 2"


def test_a_tile_is_taken_up_where_the_page_asks_for_it(bare):
    payload = tiles().payload()
    payload = Payload({**payload.header, "key": "tiles", "picks": True}, payload.arrays)
    one = bare.show("tiles", payload)
    canvas = one.get_by_role("application")
    canvas.click(position={"x": 20, "y": 20})
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        bare.page.keyboard.press(key)
    bare.settle()
    assert bare.said("tiles", "pick") == [0, 2]
    assert bare.reported() == []


def test_a_stepper_shows_one_of_several_frames(bare):
    one = bare.show("tiles", tiles().payload())  # that cannot be selected
    assert one.get_by_role("img", name="All heads").get_attribute("tabindex") is None
    made = tiles(frames=2, frame_field="moment", alts=["before", "after"],
                 selection={"moment": 1})  # fmt: skip
    one = bare.show("tiles", made.payload())
    steps = bare.show("stepper", stepper(2, first=1, field="moment", selection={"moment": 1}))
    canvas, pixels = one.locator("canvas"), "canvas => canvas.toDataURL()"
    after = canvas.evaluate(pixels)
    canvas.hover(position={"x": 20, "y": 20})
    assert one.locator(".tip").inner_text() == "tile 4\n4"
    steps.get_by_role("button").first.click()
    assert canvas.get_attribute("aria-label") == "All heads. before"
    assert canvas.evaluate(pixels) != after
    canvas.hover(position={"x": 21, "y": 20})
    assert one.locator(".tip").inner_text() == "tile 0\n0"


def test_what_a_screen_reader_hears_follows_who_is_selected(bare):
    """Without a word from the server: a payload holds what is said of each."""
    heat = np.zeros((8, 2, 3, 3), np.uint8)
    all_heads = tiles(heat=heat, heat_field="patch", alts=["[CLS] looks", "patch 0 looks"])
    one = bare.show("tiles", all_heads.payload())
    said = one.locator("canvas")
    assert said.get_attribute("aria-label") == "All heads. [CLS] looks"
    looks = [sentence(f"{name} looks") for name in ("[CLS]", "patch 0")]
    two = bare.show("picture", picture(names=NAMES[:2], first=1, field="patch",
                                       readings=looks, selection={"patch": 0}).payload(),
                    key="two")  # fmt: skip
    assert two.locator("canvas").get_attribute("aria-label") == "The picture. [CLS] looks"
    two.locator("canvas").focus()
    bare.page.keyboard.press("ArrowRight")
    assert two.locator("canvas").get_attribute("aria-label") == "The picture. patch 0 looks"
    assert said.get_attribute("aria-label") == "All heads. patch 0 looks"

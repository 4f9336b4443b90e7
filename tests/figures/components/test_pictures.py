"""Pictures and tiles: what the browser is given and what stands in a file."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.components import PictureFigure, Tile, Tiles
from core.figures.text import sentence
from core.figures.theme import LIGHT
from tests.figures.components.test_drawings import NASTY, SPACE, parsed, texts
from tests.figures.test_raster import pixels_in

PIXELS = np.arange(0, 192, 2, np.uint8).reshape(8, 12)
NAMES = ["[CLS]", *(f"patch {n}" for n in range(6))]


def picture(**more) -> PictureFigure:
    return PictureFigure(**{"title": "t", "alt": "a", "pixels": PIXELS} | more)


def tiles(n: int = 4, **more) -> Tiles:
    given = {
        "title": "t", "alt": "a", "tiles": [Tile(f"tile {k}") for k in range(n)], "columns": 2,
        "pictures": np.stack([PIXELS + k for k in range(n)]),
    }  # fmt: skip
    return Tiles(**given | more)


def outlined(drawn: str) -> list[dict[str, str]]:
    """The boxes in the colour of what is selected."""
    boxes = parsed(drawn).iter(f"{SPACE}rect")
    return [one.attrib for one in boxes if one.attrib.get("stroke") == LIGHT.accent]


def test_a_picture_is_drawn_in_its_own_pixels():
    (found,) = pixels_in(picture().drawing("light"))
    assert (found == PIXELS[..., None]).all()
    colours = np.zeros((8, 12, 3), np.uint8)
    colours[..., 1] = PIXELS
    (found,) = pixels_in(picture(pixels=colours).drawing("light"))
    assert (found == colours).all()


def test_lines_stand_between_patches():
    assert not list(parsed(picture().drawing("light")).iter(f"{SPACE}line"))
    root = parsed(picture(patch=4).drawing("light"))
    assert len(list(root.iter(f"{SPACE}line"))) == 4 + 3


def test_the_heat_is_that_of_what_is_selected():
    heat = np.eye(7, 6)  # [CLS] on the first patch, the first patch on the second, ...
    for at in range(6):
        made = picture(patch=4, names=NAMES, first=1, heat=heat, selection={"token": at})
        (found,) = pixels_in(made.drawing("light"))
        hot = (found != PIXELS[..., None]).any(axis=-1)
        row, column = divmod(at, 3)
        assert hot[4 * row : 4 * row + 4, 4 * column : 4 * column + 4].all()
        assert hot.sum() == 16
        boxes = outlined(made.drawing("light"))
        assert len(boxes) == (at > 0)  # a mark has no place in the picture
        if at:
            row, column = divmod(at - 1, 3)
            assert float(boxes[0]["x"]) == pytest.approx(8 + 4 * column * 28)
            assert float(boxes[0]["y"]) == pytest.approx(32 + 4 * row * 28)


def test_the_payload_of_a_picture_holds_what_the_browser_asks_for():
    payload = picture(patch=4, names=NAMES, first=1, heat=np.ones((7, 6))).payload()
    assert (payload.arrays["pixels"] == PIXELS).all()
    assert payload.arrays["heat"].dtype == np.float32
    assert (payload.header["patch"], payload.header["first"]) == (4, 1)
    assert payload.header["names"] == NAMES
    assert "heat" not in picture().payload().arrays
    assert "draws" not in payload.header  # only a page may let it be drawn on


def test_every_tile_has_its_own_picture_or_all_have_one():
    found = pixels_in(tiles().drawing("light"))
    assert [int(one[0, 0, 0]) for one in found] == [0, 1, 2, 3]
    found = pixels_in(tiles(pictures=PIXELS[None]).drawing("light"))
    assert len(found) == 4
    assert (found[3] == PIXELS[..., None]).all()


def test_a_tile_is_named_by_its_fields():
    made = tiles(fields=("layer", "head"), shape=(2, 2), selection={"layer": 1, "head": 0})
    assert made.tile == 2
    (box,) = outlined(made.drawing("light"))
    (other,) = outlined(tiles(fields=("n",), shape=(4,), selection={"n": 99}).drawing("light"))
    assert float(box["x"]) < float(other["x"])  # the last one, as far as there are any
    assert box["y"] == other["y"]
    assert tiles().tile is None
    assert outlined(tiles().drawing("light")) == []


def test_the_heat_of_tiles_follows_what_is_selected():
    heat = np.zeros((4, 2, 2, 3), np.uint8)
    heat[1, 1, 0, 2] = 255
    for at, hot in enumerate((0, 16)):
        made = tiles(heat=heat, heat_field="patch", selection={"patch": at})
        found = pixels_in(made.drawing("light"))
        changed = (found[1] != (PIXELS + 1)[..., None]).any(axis=-1)
        assert changed.sum() == hot
        assert (found[0] == PIXELS[..., None]).all()


def test_of_several_frames_the_selected_one_is_drawn():
    made = {"frames": 2, "frame_field": "moment"}
    for at, first in ((None, 2), (0, 0), (1, 2), (9, 2)):  # the last one while none is chosen
        found = pixels_in(tiles(**made, selection={"moment": at}).drawing("light"))
        assert [int(one[0, 0, 0]) for one in found] == [first, first + 1]
    header = tiles(**made).payload().header
    assert (header["frames"], header["frame_field"], len(header["tiles"])) == (2, "moment", 4)


def test_numbers_that_are_no_pixels_have_a_hue():
    (found,) = pixels_in(tiles(1, role="residual").drawing("light"))
    low = [int(LIGHT.surface[i : i + 2], 16) for i in (1, 3, 5)]
    assert found[0, 0].tolist() == low


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_was_typed_is_text(mode):
    made = [
        picture(title=NASTY, alt=NASTY, readings=[sentence("{x}", x=NASTY)]),
        tiles(
            title=NASTY, alt=NASTY, note=NASTY, heads=[NASTY, "b"], sides=["a", NASTY],
            tiles=[Tile(NASTY, NASTY)] * 4,
        ),
    ]  # fmt: skip
    for one in made:
        root = parsed(one.drawing(mode))
        assert root.find(f"{SPACE}title").text == NASTY
        assert NASTY in texts(root)
        assert one.payload().pack()

"""Export: the drawing, a picture of it, and the numbers, made in the browser."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from core.figures import svg
from core.figures.payload import Payload

LABELS = {"save": "Save", "svg": "SVG", "png": "PNG", "csv": "Data", "read": "Read"}


def export(**more) -> Payload:
    drawing = svg.bars("Title <b>", ["a & b", "·c"], [0.7, 0.3], "light", alt="two words")
    return Payload(
        {"name": "predict-next", "csv": "token,p\n·a,0.7\n", "svg": drawing, "alt": "two <words>",
         "labels": LABELS} | more
    )  # fmt: skip


def saved(bare, button: str) -> Path:
    with bare.page.expect_download() as download:
        bare.page.locator("#export").get_by_role("button", name=button).click()
    path = Path(download.value.path())
    name = download.value.suggested_filename
    assert name.startswith("predict-next.")
    return path


def test_the_drawing_is_saved_as_it_is(bare):
    bare.show("export", export())
    assert ElementTree.fromstring(saved(bare, "SVG").read_text()).tag.endswith("svg")


def test_a_picture_of_it_is_made(bare):
    bare.show("export", export())
    data = saved(bare, "PNG").read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    drawing = ElementTree.fromstring(export().header["svg"])
    assert (width, height) == (2 * int(drawing.get("width")), 2 * int(drawing.get("height")))


def test_the_numbers_are_saved_as_they_are(bare):
    bare.show("export", export())
    assert saved(bare, "Data").read_text() == "token,p\n·a,0.7\n"


def test_a_plot_has_no_drawing_of_ours_but_its_numbers(bare):
    one = bare.show("export", export(svg=None))
    assert not one.get_by_role("button", name="SVG").is_visible()
    assert one.get_by_role("button", name="Data").is_visible()


def test_the_text_alternative_can_be_read(bare):
    one = bare.show("export", export())
    one.locator("summary").click()
    assert one.locator("details p").inner_text() == "two <words>"

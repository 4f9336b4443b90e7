"""Export: the drawing, a picture of it, and the numbers, made in the browser."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from core.figures import svg
from core.figures.payload import Payload

NAME = "{http://www.w3.org/2000/svg}"
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


def test_a_plot_is_saved_as_it_stands_on_the_page(bare):
    """Its layers in one picture that needs nothing else, without what only answers the pointer."""
    bare.page.evaluate(
        """() => {
          const at = (name) => `<div class="st-key-${name}"><div class="js-plotly-plot">`
            + ["circle", "text"].map((layer) =>
              `<svg class="main-svg" width="300" height="200" style="background: rgb(1, 2, 3)"
                ><${layer} class="${name}" clip-path="url('http://127.0.0.1:8999/bare#c')"/
                ><g class="hoverlayer"><path/></g></svg>`).join("") + "</div></div>";
          document.body.insertAdjacentHTML("beforeend", at("other") + at("norm-scatter"));
        }"""
    )
    bare.show("export", export(svg=None, plot="norm.scatter"))
    text = saved(bare, "SVG").read_text()
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("width"), root.get("height")) == (f"{NAME}svg", "300", "200")
    assert root.find(f"{NAME}rect").get("fill") == "rgb(1, 2, 3)"
    layers = [root.find(f".//{NAME}{layer}") for layer in ("circle", "text")]
    assert [layer.get("class") for layer in layers] == ["norm-scatter"] * 2
    assert "hoverlayer" not in text
    assert "127.0.0.1" not in text
    data = saved(bare, "PNG").read_bytes()
    assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (600, 400)


def test_the_text_alternative_can_be_read(bare):
    one = bare.show("export", export())
    one.locator("summary").click()
    assert one.locator("details p").inner_text() == "two <words>"

"""The save menu: the drawing, a picture of it, the numbers and a live figure, as the server makes
them of what is selected in the browser."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, expect

from core import views
from core.figures.payload import Payload
from core.figures.values import to_csv
from core.runs.store import Runs
from core.show import Figure, figure
from core.text.tokenizer import Tokenizer
from core.views.params import declared, to_query
from pages.server import files
from tests.browser.components.conftest import Bare, serving
from tests.conftest import loaded, tiny_gpt

SPACE = "{http://www.w3.org/2000/svg}"
TEXT = "The cat sat on the mat"
SELECTED = ("token", "key", "layer", "head", "step")
LABELS = {"save": "Save", "svg": "SVG", "png": "PNG", "csv": "Data", "html": "Live",
          "text": "Read", "failed": "It did not arrive."}  # fmt: skip


class Menu:
    """A bare page with figures whose files the app's own address gives."""

    def __init__(self, bare: Bare, runs: Runs) -> None:
        self.bare, self.runs = bare, runs
        self.asked: dict[str, str] = {}

    def figure(self, name: str, **values: Any) -> Figure:
        """A view of the tiny models."""
        return figure(name, views.get(name).Params(**values), self.runs)

    def show(self, name: str, component: str = "", key: str = "one", **values: Any) -> Figure:
        """Mount a view with its menu; ``component`` "save" mounts the menu alone."""
        made = self.figure(name, **values)
        payload = made.component.payload()
        if component:
            payload = Payload({})
        fields = [f.name for f in dataclasses.fields(made.params)]
        save = {
            "view": name, "path": files.FIGURE_FILES, "params": to_query(made.params),
            "fields": [n for n in fields if declared(made.params, n).lives == "browser"],
            "labels": LABELS,
        }  # fmt: skip
        header = {**payload.header, "figure": key, "save": save}
        self.bare.show(component or made.component.folder, Payload(header, payload.arrays), key)
        return made

    def open(self, key: str = "one") -> None:
        self.bare.page.locator(f"#{key} details.save summary").click()

    def saved(self, button: str, key: str = "one") -> Path:
        """The file that a line of the open menu gives."""
        page = self.bare.page
        with page.expect_request("**/figure/**") as request, page.expect_download() as download:
            self.item(button, key).click()
        query = parse_qs(request.value.post_data)
        self.asked = {name: values[-1] for name, values in query.items()}
        file = Path(download.value.path())
        return file.rename(file.with_name(download.value.suggested_filename))

    def item(self, button: str, key: str = "one") -> Locator:
        return self.bare.page.locator(f"#{key}").get_by_role("menuitem", name=button)


@pytest.fixture(scope="module")
def runs(byte_bpe: Tokenizer) -> Runs:
    """Of one tiny random model that reads a long text."""
    model = loaded(tiny_gpt(n_ctx=120).double(), byte_bpe)
    return Runs(load=lambda name, device: model)


@pytest.fixture(scope="module")
def server(runs: Runs) -> Iterator[str]:
    """The app's files of the tiny models."""
    with pytest.MonkeyPatch.context() as patch, serving(*files.ROUTES) as address:
        patch.setattr(files, "for_files", lambda: runs)
        yield address


@pytest.fixture
def menu(bare_page: Callable[..., Bare], server: str, runs: Runs) -> Menu:
    """A page of that server."""
    return Menu(bare_page(address=server), runs)


def written(file: Path) -> list[str]:
    """The texts in a drawing."""
    root = ElementTree.fromstring(file.read_text())
    return ["".join(one.itertext()) for one in root.iter(f"{SPACE}text")]


def test_the_menu_is_worked_with_keys_alone(menu):
    menu.show("attention.row", text=TEXT)
    summary, keys = menu.bare.page.locator("#one summary"), menu.bare.page.keyboard
    assert not menu.item("SVG").is_visible()
    summary.focus()
    keys.press("ArrowDown")
    expect(menu.item("SVG")).to_be_focused()
    for key, name in (("ArrowDown", "PNG"), ("End", "Read"), ("ArrowDown", "SVG"),
                      ("ArrowUp", "Read"), ("Home", "SVG"), ("ArrowRight", "PNG")):  # fmt: skip
        keys.press(key)
        expect(menu.item(name)).to_be_focused()
    menu.show("attention.row", text=TEXT, layer=1)  # a new run leaves the keys where they are
    expect(menu.item("PNG")).to_be_focused()
    keys.press("Escape")
    expect(summary).to_be_focused()
    assert not menu.item("SVG").is_visible()
    keys.press("Enter")
    for name in ("SVG", "PNG", "Data", "Live", "Read"):
        assert menu.item(name).is_visible()
    keys.press("Tab")
    with menu.bare.page.expect_download() as download:
        keys.press("Enter")
    assert download.value.suggested_filename == "attention-row.png"  # where the keys were


def test_each_file_is_as_the_server_makes_it_of_what_is_selected_now(menu):
    made = menu.show("attention.row", text=TEXT)
    menu.open()
    file = menu.saved("SVG")
    assert file.name == "attention-row.svg"
    assert file.read_text() == made.svg("light")
    drawing = ElementTree.fromstring(made.svg())
    file = menu.saved("PNG")
    assert file.name == "attention-row.png"
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG")
    found = (int.from_bytes(data[16:20]), int.from_bytes(data[20:24]))
    assert found == (2 * int(drawing.get("width")), 2 * int(drawing.get("height")))
    file = menu.saved("Data")
    assert file.name == "attention-row.csv"
    assert file.read_text() == to_csv(made.values)
    file = menu.saved("Live")
    assert file.name == "attention-row.html"
    # What the figure shows by itself is what is selected in the file.
    shown = {name: int(value) for name, value in menu.asked.items() if name in SELECTED}
    assert shown["token"] == made.record.query
    assert file.read_text() == menu.figure("attention.row", text=TEXT, **shown).html()
    # The selection has not been reported yet, and no other run has come of it.
    menu.bare.page.locator("#one .chip").nth(4).click()
    file = menu.saved("SVG")
    assert menu.asked["token"] == "4"
    assert file.read_text() == menu.figure("attention.row", text=TEXT, token=4).svg()
    menu.bare.paint("dark")
    made = menu.show("attention.row", text="A dog ran home again")  # a rerun leaves it open
    assert menu.bare.page.locator("#one details.save").count() == 1
    now = menu.figure("attention.row", text="A dog ran home again", token=4)
    assert menu.saved("SVG").read_text() == now.svg("dark") != now.svg("light")


def test_a_long_text_is_saved_and_why_a_file_cannot_be_had_is_said(menu):
    made = menu.show("text.tokens", text="Кошка сидела на коврике. " * 700)  # for no address
    menu.open()
    assert menu.saved("Data").read_text() == to_csv(made.values)
    said = menu.bare.page.locator("#one .save-problem")
    expect(said).to_be_empty()
    page = menu.bare.page
    page.evaluate("""() => { window.fetched = fetch;
        window.fetch = async () => new Response("Try again in 3 s.", { status: 429 }); }""")
    menu.item("Data").click()
    expect(said).to_have_text("Try again in 3 s.")
    page.evaluate("() => { window.fetch = async () => { throw new TypeError('gone'); }; }")
    menu.item("PNG").click()
    expect(said).to_have_text("It did not arrive.")
    page.evaluate("() => { window.fetch = window.fetched; }")
    assert menu.saved("Data").name == "text-tokens.csv"
    expect(said).to_be_empty()


def test_each_figure_has_its_own_menu_and_of_a_long_matrix_the_window_is_saved(menu):
    menu.show("attention.row", text=TEXT)
    menu.show("attention.weights", key="two", text="the cat sat on the mat " * 20)
    menu.open("two")
    assert not menu.item("Data").is_visible()
    overview = menu.bare.page.locator("#two .overview")
    box = overview.bounding_box()
    overview.click(position={"x": box["width"] - 3, "y": box["height"] - 3})
    file = menu.saved("SVG", "two")
    first, _column = map(int, menu.asked["_window"].split(","))
    assert first > 0
    assert file.name == "attention-weights.svg"
    assert f"rows {first} to" in " ".join(written(file))


def test_a_plot_has_the_menu_alone_beneath_it_and_a_drawing_of_ours(menu):
    """A picture that needs nothing else, with nothing in it that only answers the pointer."""
    made = menu.show("positions.curves", component="save")
    menu.open()
    text = menu.saved("SVG").read_text()
    root = ElementTree.fromstring(text)
    size = [float(root.get(name)) for name in ("width", "height")]
    assert root.tag == f"{SPACE}svg"
    assert root.find(f"{SPACE}rect").get("fill")
    assert any(layer.tag == f"{SPACE}path" for layer in root.iter())
    assert "hoverlayer" not in text
    assert "127.0.0.1" not in text
    data = menu.saved("PNG").read_bytes()
    found = [int.from_bytes(data[at : at + 4]) for at in (16, 20)]
    assert found == [2 * n for n in size]
    assert menu.saved("Data").read_text() == to_csv(made.values)


def test_the_text_alternative_can_be_read(menu):
    """Of what is selected now, in the words of the drawing's own description."""
    made = menu.show("attention.row", text="<i>The</i> cat sat")
    menu.open()
    alternative = menu.bare.page.locator("#one .save-text")
    assert not alternative.is_visible()
    menu.item("Read").click()
    expect(alternative).to_have_text(str(made))
    menu.item("Read").click()
    assert not alternative.is_visible()
    menu.bare.page.locator("#one .chip").nth(2).click()
    menu.item("Read").click()
    other = menu.figure("attention.row", text="<i>The</i> cat sat", token=2)
    assert str(other) != str(made)
    expect(alternative).to_have_text(str(other))

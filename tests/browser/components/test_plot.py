"""A live plot: what its points say is what Plotly says, by pointer and by keys, in every theme."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import plotly
import pytest
from playwright.sync_api import expect

from core.figures.components.plot.space import places
from core.figures.live import live
from core.figures.theme import PALETTES
from tests.browser.conftest import Watch
from tests.figures.components.plots import HOSTILE, PLOTS

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
# Plotly's own words where it is told that the pointer is, the lines apart.
ASK = """([where, axes]) => {
  const board = document.getElementById("theirs");
  Plotly.Fx.hover(board, where, axes);
  __hurry(60); // it answers every 50 ms
  const layer = board.querySelector(".hoverlayer");
  const unified = layer.querySelector(".legend");
  const texts = unified ? unified.querySelectorAll(".legendtitletext, .legendtext")
    : layer.querySelectorAll(".hovertext .nums");
  return [...texts].map((text) => {
    const lines = [...text.querySelectorAll("tspan.line")].map((line) => line.textContent);
    return lines.length ? lines.join("\\n") : text.textContent;
  }).join("\\n");
}"""


def show(bare, name: str, *, theirs: bool = False):
    """The live plot, and Plotly's beside it."""
    if theirs:
        figure = json.loads(PLOTS[name].figure("light").to_json())
        bare.page.add_script_tag(path=PLOTLY)
        bare.page.evaluate(
            """([data, layout]) => {
              const board = document.createElement("div");
              board.id = "theirs";
              board.style.width = "640px";
              document.body.append(board);
              return Plotly.newPlot(board, data, layout).then(() => null);
            }""",
            [figure["data"], figure["layout"]],
        )
    one = bare.show("plot", PLOTS[name].payload())
    return one, one.locator("svg").first


def tip(one) -> str | None:
    """What is said now."""
    said = one.locator(".tip")
    return said.inner_text() if said.is_visible() else None


def point_at(bare, one, drawing, x: float, y: float) -> str | None:
    """What is said when the pointer is at a place of the drawing, in its own pixels."""
    box = drawing.bounding_box()
    wide = float(drawing.get_attribute("viewBox").split()[2])
    bare.page.mouse.move(box["x"] + x * box["width"] / wide, box["y"] + y * box["width"] / wide)
    return tip(one)


def where(name: str, series: int) -> np.ndarray:
    """The points of a series in the wide drawing."""
    return PLOTS[name].payload().arrays[f"at.0.{series}"]


def as_ours(words: str) -> str:
    """Plotly's words with the minus of a page, and powers of ten as a page writes them."""
    raised = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    words = words.replace("-", "−")
    return re.sub(r"(?<=\d)e(−?\d+)", lambda found: "·10" + found[1].translate(raised), words)


@pytest.mark.parametrize("name", [n for n in PLOTS if n not in ("heat", "grid", "empty")])
def test_every_series_says_what_plotly_says(bare, name):
    """Walked through from left to right, with Plotly asked at both ends and five times between."""
    one, drawing = show(bare, name, theirs=True)
    spoken = [at for at, series in enumerate(PLOTS[name].all) if series.hover]
    drawing.focus()
    bare.page.keyboard.press("ArrowRight")
    for n, series in enumerate(spoken):
        bare.page.keyboard.press("ArrowDown" if n else "Home")
        bare.page.keyboard.press("Home")
        seen = where(name, series)
        order = [int(i) for i in np.lexsort(seen.T[1::-1]) if not np.isnan(seen[i, 0])]
        asked = set(np.linspace(0, len(order) - 1, 7).astype(int).tolist())
        for step, point in enumerate(order):
            if step:
                bare.page.keyboard.press("ArrowRight")
            if step in asked:
                theirs = bare.page.evaluate(ASK, pointed(name, series, point))
                assert theirs
                assert tip(one).split() == as_ours(theirs).split()


def pointed(name: str, series: int, point: int):
    """Where Plotly is told that the pointer is: the point, and its axes."""
    one = PLOTS[name]
    axis = ("y", "y2")[one.panel_of(one.all[series])]
    if one.unified:
        x, y = places(one.all[series])
        return {"xval": float(x[point]), "yval": float(y[point])}, f"x{axis}"
    return [{"curveNumber": series, "pointNumber": point}], f"x{axis}"


@pytest.mark.parametrize("name", ["heat", "grid"])
def test_every_cell_says_what_plotly_says(bare, name):
    one, drawing = show(bare, name, theirs=True)
    (series,) = PLOTS[name].series
    x, y = places(series)
    drawing.focus()
    bare.page.keyboard.press("ArrowRight")
    for row in range(len(y)):
        for column in range(len(x)):
            if column:
                bare.page.keyboard.press("ArrowRight")
            if (row + column) % 3 == 0 and not np.isnan(series.z[row, column]):
                at = {"xval": float(x[column]), "yval": float(y[row])}
                assert tip(one) == as_ours(bare.page.evaluate(ASK, [at, "xy"]))
        bare.page.keyboard.press("Home")
        bare.page.keyboard.press("ArrowDown")


@pytest.mark.parametrize("name", ["logarithmic", "zones", "panels", "lying"])
def test_pointing_finds_what_the_keys_find(bare, name):
    one, drawing = show(bare, name)
    for series, of in enumerate(PLOTS[name].all):
        names = {of.name, "down", "sines"}  # where two meet, the first is found
        seen = where(name, series).astype(float)
        for i in (0, len(seen) // 2, len(seen) - 1):
            middle = seen[i][:2] + (seen[i][2:] / 2 if seen.shape[1] == 4 else 0)
            found = point_at(bare, one, drawing, *middle.tolist())
            assert found is not None
            if of.text:
                assert of.text[i] in found
            else:
                assert found.split("\n")[0] in names | {f"distance {i}, bucket {min(i // 8, 9)}"}
    assert point_at(bare, one, drawing, 2, 2) is None
    assert point_at(bare, one, drawing, *(where(name, 0)[0][:2] + 1).astype(float).tolist())
    bare.page.mouse.move(5, 700)
    assert tip(one) is None


def test_pointing_finds_cells_that_are_there(bare):
    one, drawing = show(bare, "grid")
    left, top, width, height = PLOTS["grid"].payload().header["layouts"][0]["cells"]["0"]
    assert point_at(bare, one, drawing, left + width / 4, top + height / 4)
    assert point_at(bare, one, drawing, left + 0.9 * width, top + 0.9 * height) is None
    one, drawing = show(bare, "heat")
    left, top, width, height = PLOTS["heat"].payload().header["layouts"][0]["cells"]["0"]
    for row, column in ((0, 0), (2, 7), (5, 8)):
        x, y = left + (column + 0.5) / 9 * width, top + (row + 0.5) / 6 * height
        found = point_at(bare, one, drawing, x, y)
        assert found.startswith(f"position {row}, component {8 - column}\n")


def test_keys_walk_through_points_and_series(bare):
    one, drawing = show(bare, "logarithmic")
    assert drawing.get_attribute("role") == "application"
    assert drawing.get_attribute("tabindex") == "0"
    assert drawing.get_attribute("aria-label") == "Logarithmic. what Logarithmic shows"
    drawing.focus()
    assert tip(one) is None
    bare.page.keyboard.press("ArrowRight")
    assert tip(one).startswith("down\nd = 1\n")
    bare.page.keyboard.press("ArrowRight")
    assert tip(one).startswith("down\nd = 2\n")
    bare.page.keyboard.press("ArrowDown")  # the nearest of the next series
    assert tip(one).startswith("below\nd = 2\n")
    assert one.locator("[aria-live]").text_content() == tip(one)
    bare.page.keyboard.press("ArrowDown")  # there is no further one
    assert tip(one).startswith("below\nd = 2\n")
    bare.page.keyboard.press("End")
    bare.page.keyboard.press("ArrowRight")
    assert tip(one).startswith("below\nd = 1,024\n")
    bare.page.keyboard.press("Escape")
    assert tip(one) is None
    bare.page.keyboard.press("ArrowRight")
    bare.page.keyboard.press("Tab")
    assert tip(one) is None


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_live_drawing_is_the_file(bare, mode):
    """Every element with its place and its colour."""
    bare.paint(mode)
    for name, plot in PLOTS.items():
        bare.show("plot", plot.payload(), key=name)
        same_elements(bare, name, mode)


def same_elements(bare, name: str, mode: str) -> None:
    """Tag, attributes but for fonts, and words, in order."""
    found, wanted = bare.page.evaluate(
        """([key, text]) => {
          const file = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
          const live = document.getElementById(key).shadowRoot.querySelector("svg");
          const apart = new Set(["style", "font-family", "href"]);
          const looks = (node) => [node.tagName, node.children.length ? "" : node.textContent,
            ...[...node.attributes].filter(({ name }) => !apart.has(name))
              .map(({ name, value }) => `${name}=${value}`).sort()];
          const all = (root) => [...root.querySelectorAll("*")].map(looks);
          // The file has a title, a description and a ground first; what is live, a group for what
          // is pointed at last.
          return [all(live).slice(0, -1), all(file).slice(3)];
        }""",
        [name, PLOTS[name].drawing(mode)],
    )
    assert found == wanted
    assert f"fill={PALETTES[mode].text}" in {look for one in found for look in one}


@pytest.mark.parametrize("name", ["heat", "grid"])
def test_cells_are_painted_as_in_the_file(bare, name):
    _one, _drawing = show(bare, name)
    apart = bare.page.evaluate(
        """async ([key, text]) => {
          const file = new DOMParser().parseFromString(text, "image/svg+xml");
          const live = document.getElementById(key).shadowRoot;
          const pixels = async (root) => {
            const image = new Image();
            image.src = root.querySelector("image").getAttribute("href");
            await image.decode();
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [image.width, image.height];
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, image.width, image.height).data;
          };
          const [a, b] = [await pixels(live), await pixels(file)];
          if (a.length !== b.length) return null;
          return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
        }""",
        ["plot", PLOTS[name].drawing("light")],
    )
    assert apart is not None
    assert apart <= 1


def test_a_phone_gets_the_narrow_drawing(bare_page):
    for phone, width in ((True, 360), (False, 640)):
        bare = bare_page(phone=phone)
        one, drawing = show(bare, "scatter")
        assert drawing.get_attribute("viewBox").split()[2] == str(width)
        assert bare.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        drawing.focus()
        bare.page.keyboard.press("ArrowRight")
        box, inner = one.bounding_box(), one.locator(".tip").bounding_box()
        assert box["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= box["x"] + box["width"] + 1


def test_it_follows_the_scheme_of_the_system(bare_page):
    bare = bare_page(color_scheme="light")
    dark = "".join(
        f"--st-{name}: {value};"
        for name, value in {"background-color": PALETTES["dark"].background,
                            "text-color": PALETTES["dark"].text}.items()
    )  # fmt: skip
    bare.page.add_style_tag(content=f"@media (prefers-color-scheme: dark) {{ body {{ {dark} }} }}")
    _one, drawing = show(bare, "unified")
    title = drawing.locator("text").first
    expect(title).to_have_attribute("fill", PALETTES["light"].text)
    bare.page.emulate_media(color_scheme="dark")
    expect(title).to_have_attribute("fill", PALETTES["dark"].text)
    bare.page.emulate_media(color_scheme="light")
    expect(title).to_have_attribute("fill", PALETTES["light"].text)


def test_what_a_learner_wrote_stays_words(bare):
    one, drawing = show(bare, "hostile", theirs=True)
    assert one.locator("script, b, i").count() == 0
    drawing.focus()
    bare.page.keyboard.press("ArrowRight")
    said = tip(one)
    assert said.startswith(f"{HOSTILE}\n{HOSTILE} <i>&lt; {HOSTILE} 100 %0")
    theirs = bare.page.locator("#theirs")
    assert theirs.locator("script, b").count() == 0
    words = theirs.locator(".gtitle").text_content()
    assert words.replace(" ", "") == HOSTILE.replace(" ", "")


def test_nothing_to_show_is_shown(bare):
    one, drawing = show(bare, "empty")
    drawing.focus()
    for key in ("ArrowRight", "ArrowDown", "End", "Escape"):
        bare.page.keyboard.press(key)
    assert tip(one) is None
    assert one.locator("svg text").count() > 3


def test_the_live_file_opens_from_disk(browser, tmp_path):
    path = tmp_path / "plot.html"
    text = live("Logarithmic", [PLOTS["logarithmic"]])
    assert "plotly" not in text.lower()
    assert len(text) < 200_000
    path.write_text(text, encoding="utf-8")
    context = browser.new_context(offline=True, color_scheme="dark")
    page = context.new_page()
    watch = Watch(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    drawing = page.locator(".plot svg").first
    drawing.wait_for()
    assert drawing.locator("text").first.get_attribute("fill") == PALETTES["dark"].text
    drawing.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".tip").inner_text() == "down\nd = 1\n3.500"
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert [p for p in watch.problems if "file://" not in p] == []
    context.close()

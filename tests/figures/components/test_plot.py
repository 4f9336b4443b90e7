"""A plot in a file and on the page: the drawing is read back and held against Plotly's figure."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures.components.plot import (
    BarSeries,
    Curve,
    Heat,
    Plot,
    PlotAxis,
    Points,
    picture,
)
from core.figures.drawing import mix
from core.figures.payload import unpack
from core.figures.theme import PALETTES
from tests.figures.components.drawn import SVG, Drawn, axis_of, close, decoded, ends, there, traces
from tests.figures.components.plots import HOSTILE, NAN, PLOTS

every_plot = pytest.mark.parametrize("name", PLOTS)


# --- the same numbers in both -----------------------------------------------------------------


def each(kind) -> list:
    return [
        pytest.param(name, at, id=f"{name}-{at}")
        for name, one in PLOTS.items()
        if name not in ("hostile", "empty")
        for at, series in enumerate(one.all)
        if isinstance(series, kind)
    ]


@pytest.mark.parametrize(("name", "at"), each(Curve))
def test_a_curve_is_where_plotly_has_it(name, at):
    one = PLOTS[name]
    drawn, series = Drawn(one), one.all[at]
    data, layout = traces(one)
    x_line, y_line = drawn.axes(series)
    wanted = there(data[at]["x"], data[at]["y"], layout["xaxis"], axis_of(data[at], layout))
    corners = drawn.vertices(at)
    found = np.stack([x_line.at(corners[:, 0]), y_line.at(corners[:, 1])], axis=-1)
    if series.step:
        assert data[at]["line"]["shape"] == "hv"
        assert (found[1::2, 0] - found[:-1:2, 0] > 0.5).all()  # on at the old height, then up
        found = found[::2]
    if name == "cut":  # where it leaves and enters, it has a corner more
        on_edge = np.isclose(np.abs(found[:, 1]), 2, atol=1e-3) | np.isclose(
            np.abs(found[:, 0] - 6), 5, atol=1e-3
        )
        found = found[~on_edge]
    if name == "decades" and at == 1:  # alone between two gaps, a point makes no line
        assert (data[at]["y"][1], data[at]["y"][4]) == (0, -2)
        wanted = np.array([[2, 10], [3, 5], [5, 3], [6, 30.5]])
    assert len(found) == len(wanted)
    close(found[:, 0], wanted[:, 0], layout["xaxis"])
    close(found[:, 1], wanted[:, 1], axis_of(data[at], layout))


@pytest.mark.parametrize(
    ("name", "at"),
    [c for c in each(Curve | Points) if getattr(PLOTS[c.values[0]].all[c.values[1]], "markers", 1)],
)
def test_marks_are_where_plotly_has_them(name, at):
    one = PLOTS[name]
    drawn = Drawn(one)
    data, layout = traces(one)
    x_line, y_line = drawn.axes(one.all[at])
    wanted = there(data[at]["x"], data[at]["y"], layout["xaxis"], axis_of(data[at], layout))
    found = drawn.marks(at)
    assert len(found) == len(wanted)
    close(x_line.at(found[:, 0]), wanted[:, 0], layout["xaxis"])
    close(y_line.at(found[:, 1]), wanted[:, 1], axis_of(data[at], layout))


@pytest.mark.parametrize(("name", "at"), each(BarSeries))
def test_a_bar_is_as_long_and_stands_where_plotly_has_it(name, at):
    one = PLOTS[name]
    drawn, series = Drawn(one), one.all[at]
    data, layout = traces(one)
    trace = data[at]
    x_line, y_line = drawn.axes(series)
    boxes = drawn.boxes(f"series-{at}")
    sides = np.stack([x_line.at(boxes[:, 0]), y_line.at(boxes[:, 3]),
                      x_line.at(boxes[:, 2]), y_line.at(boxes[:, 1])], axis=-1)  # fmt: skip
    along, up = ("y", "x") if trace["orientation"] == "h" else ("x", "y")
    low = np.array(trace[along], float) + trace["offset"]
    length = np.array(trace[up], float)
    nought = np.zeros(len(low))
    spans = np.stack([low, np.minimum(nought, length), low + trace["width"],
                      np.maximum(nought, length)], axis=-1)  # fmt: skip
    if trace["orientation"] == "h":
        spans = spans[:, [1, 0, 3, 2]]
    spans = spans[~np.isnan(spans).any(axis=1)]
    x_low, x_high = ends(layout["xaxis"])
    spans[:, [0, 2]] = np.clip(spans[:, [0, 2]], x_low, x_high)
    assert len(sides) == len(spans)
    close(sides[:, [0, 2]], spans[:, [0, 2]], layout["xaxis"])
    close(sides[:, [1, 3]], spans[:, [1, 3]], axis_of(trace, layout))
    if series.labels:
        assert set(trace["text"]) <= set(drawn.texts())


@pytest.mark.parametrize("mode", PALETTES)
@pytest.mark.parametrize(("name", "at"), each(Heat))
def test_every_cell_has_the_colour_that_plotly_gives_it(name, at, mode):
    one = PLOTS[name]
    drawn = Drawn(one, mode)
    data, _layout = traces(one, mode)
    trace = data[at]
    x_line, y_line = drawn.axes(one.all[at])
    image = next(drawn.root.iter(f"{SVG}image"))
    left, top, width, height = (float(image.get(s)) for s in ("x", "y", "width", "height"))
    pixels = decoded(image.get("href"))
    ramp = [colour for _share, colour in trace["colorscale"]]
    across = (np.arange(pixels.shape[1]) + 0.5) / pixels.shape[1] * width + left
    down = (np.arange(pixels.shape[0]) + 0.5) / pixels.shape[0] * height + top
    seen = 0
    for i, y in enumerate(trace["y"]):
        for j, x in enumerate(trace["x"]):
            column = np.argmin(np.abs(x_line.at(across) - x))
            row = np.argmin(np.abs(y_line.at(down) - y))
            red, green, blue, alpha = pixels[row, column]
            value = float(trace["z"][i][j])
            if math.isnan(value):
                assert alpha == 0
                continue
            share = (value - trace["zmin"]) / (trace["zmax"] - trace["zmin"])
            place = min(1, max(0, share)) * (len(ramp) - 1)
            first = min(len(ramp) - 2, int(place))
            wanted = mix(ramp[first], ramp[first + 1], place - first)
            channels = [int(wanted[n : n + 2], 16) for n in (1, 3, 5)]
            assert np.abs(np.array(channels) - [red, green, blue]).max() <= 2
            assert alpha == 255
            seen += 1
    assert seen == np.isfinite(trace["z"]).sum()


@every_plot
def test_both_have_the_same_ranges(name):
    one = PLOTS[name]
    drawn, (_data, layout) = Drawn(one), traces(one)
    panels = picture.draw(one, 640).panels
    if name in ("hostile", "empty"):  # read back by their labels, others could not be told apart
        return
    left, top, width, height = panels[0]
    close(drawn.line("x", one.x).at([left, left + width]), ends(layout["xaxis"]), layout["xaxis"])
    for n, panel in enumerate(one.panels):
        _left, top, _width, height = panels[n]
        axis = layout["yaxis" if n == 0 else f"yaxis{n + 1}"]
        close(drawn.line(f"y-{n}", panel.y).at([top + height, top]), ends(axis), axis)


@every_plot
def test_ticks_that_are_given_are_those_of_plotly(name):
    one = PLOTS[name]
    drawn, (_data, layout) = Drawn(one), traces(one)
    axes = [("x", one.x, layout["xaxis"]), ("y-0", one.y, layout["yaxis"])]
    axes += [(f"y-{n + 1}", panel.y, layout[f"yaxis{n + 2}"]) for n, panel in enumerate(one.below)]
    for where, asked, axis in axes:
        assert ("tickvals" in axis) == (asked.ticks is not None or asked.categories is not None)
        if "tickvals" in axis and name != "hostile":
            found = drawn.line(where, asked)
            assert [label for _pixel, label in found.ticks] == axis["ticktext"]
            if not asked.categories and not asked.labels:
                assert found.values() == pytest.approx(axis["tickvals"])
        assert axis.get("dtick") == asked.every


@every_plot
def test_zones_and_rules_stand_where_plotly_has_them(name):
    one = PLOTS[name]
    drawn, (_data, layout) = Drawn(one), traces(one)
    shapes = layout.get("shapes", [])
    bands = [shape for shape in shapes if shape["type"] == "rect"]
    lines = [shape for shape in shapes if shape["type"] == "line"]
    if name == "hostile":
        assert (len(bands), len(lines)) == (1, 1)
        return
    x_line = drawn.line("x", one.x)
    found = drawn.boxes("zone")
    assert len(found) == len(bands) * len(one.panels)
    for box, band in zip(found, np.repeat(bands, len(one.panels)), strict=True):
        close(x_line.at(box[[0, 2]]), [band["x0"], band["x1"]], layout["xaxis"])
    upright = [one for one in drawn.of("rule") if one.get("x1") == one.get("x2")]
    level = [one for one in drawn.of("rule") if one.get("y1") == one.get("y2")]
    wanted = np.repeat([s["x0"] for s in lines if s["xref"] == "x"], len(one.panels))
    found = [x_line.at(float(one.get("x1"))) for one in upright]
    close(found, wanted, layout["xaxis"])
    assert len(level) == len([s for s in lines if s["xref"] == "paper"])
    for rule, shape in zip(level, [s for s in lines if s["xref"] == "paper"], strict=True):
        panel = 0 if shape["yref"] == "y" else int(shape["yref"][1:]) - 1
        y_line = drawn.line(f"y-{panel}", one.panels[panel].y)
        close(
            [y_line.at(float(rule.get("y1")))], [shape["y0"]], layout[f"yaxis{shape['yref'][1:]}"]
        )


# --- words ------------------------------------------------------------------------------------


def said(words: str) -> str:
    """Words as Plotly shows what it is given."""
    assert not re.search(r"<(?!br>)", words), words
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        words = words.replace(entity, char)
    return words.replace("<br>", " ")


@every_plot
def test_both_name_themselves_their_axes_and_their_series(name):
    one = PLOTS[name]
    drawn, (data, layout) = Drawn(one), traces(one)
    assert drawn.root.find(f"{SVG}title").text == one.title
    assert drawn.root.find(f"{SVG}desc").text == one.alt
    assert said(layout["title"]["text"]).split() == one.title.split()
    words = " ".join(" ".join(drawn.texts()).split())
    axes = {"xaxis": one.x, "yaxis": one.y}
    axes |= {f"yaxis{n + 2}": panel.y for n, panel in enumerate(one.below)}
    for key, axis in axes.items():
        assert said(layout[key]["title"]["text"]) == axis.title
        assert " ".join(axis.title.split()) in words
    named = [said(trace["name"]) for trace in data if trace.get("showlegend")]
    seen = one.all if name != "empty" else []
    assert named == [series.name for series in seen if series.legend and series.name]
    assert layout["showlegend"] == bool(one.entries)
    entries = [getattr(entry, "name", "") or getattr(entry, "label", "") for entry in one.entries]
    listed = " ".join(text.text for text in drawn.of("name"))
    assert listed.split() == " ".join(entries).split()


def test_what_a_learner_wrote_is_only_ever_words():
    one = PLOTS["hostile"]
    drawn, (data, layout) = Drawn(one), traces(one)
    assert {e.tag.removeprefix(SVG) for e in drawn.root.iter()} <= {
        "svg", "title", "desc", "rect", "line", "path", "text", "g"}  # fmt: skip
    assert drawn.texts().count(HOSTILE) >= 5  # where it is not broken into lines
    for words in (
        layout["title"]["text"], layout["xaxis"]["title"]["text"], *layout["xaxis"]["ticktext"],
        *layout["yaxis"]["ticktext"], *(a["text"] for a in layout["annotations"]),
        *(trace["name"] for trace in data), *data[1]["text"], *data[2]["text"],
        *(text for trace in data for row in trace["customdata"]
          for text in ([row] if isinstance(row, str) else row)),
    ):  # fmt: skip
        assert "<" not in words.replace("<br>", "")
    assert said(data[0]["customdata"][0][0]) == HOSTILE
    assert [said(label) for label in layout["xaxis"]["ticktext"]] == [HOSTILE, "b"]
    assert data[0]["hovertemplate"].count("%{") == 4
    assert "&lt;i&gt;&amp;lt; " in data[0]["hovertemplate"]


@pytest.mark.parametrize("mode", PALETTES)
@every_plot
def test_a_series_has_its_colour_in_both(name, mode):
    one = PLOTS[name]
    drawn, (data, _layout) = Drawn(one, mode), traces(one, mode)
    for at, (series, trace) in enumerate(zip(one.all, data, strict=True)):
        if isinstance(series, Heat) or name == "empty":
            continue
        elements = drawn.of(f"series-{at}")
        found = [e.get("stroke") if e.get("fill") == "none" else e.get("fill") for e in elements]
        if isinstance(series, BarSeries):
            seen = ~np.isnan(series.lengths)
            assert found == [c for c, there in zip(trace["marker"]["color"], seen, strict=True)
                             if there]  # fmt: skip
        else:
            wanted = (trace["line"] if isinstance(series, Curve) else trace["marker"])["color"]
            assert set(found) == {wanted} == {getattr(PALETTES[mode], series.role)}


@every_plot
def test_a_drawing_is_a_whole_picture(name):
    """Nothing is at no place, and everything is on the sheet."""
    for width in (640, 360):
        scene = picture.draw(PLOTS[name], width)
        root = ElementTree.fromstring(scene.svg("t", "a", PALETTES["dark"]))
        for element in root.iter():
            for attribute, value in element.attrib.items():
                assert "nan" not in value or attribute == "href", (element.tag, attribute)
            if element.tag == f"{SVG}text" and name != "hostile":
                assert 0 <= float(element.get("x")) <= scene.width
                assert 0 <= float(element.get("y")) <= scene.height
        assert abs(scene.width - width) <= 0.1 * width
        for left, top, wide, tall in scene.panels:
            assert left > 0
            assert left + wide <= scene.width
            assert top + tall <= scene.height
            assert wide > (width / 3 if name != "hostile" else 60)
            assert tall >= 80


def test_names_do_not_cover_each_other():
    """Labels of ticks, and names in the legend, side by side."""
    for one in PLOTS.values():
        if one.title == HOSTILE:
            continue
        for width in (640, 360):
            drawn = ElementTree.fromstring(
                picture.draw(one, width).svg("t", "a", PALETTES["light"])
            )
            ticks = [e for e in drawn.iter(f"{SVG}text") if e.get("class") == "x" and e.text]
            turned = [e for e in ticks if e.get("transform")]
            for a, b in pairwise(e for e in ticks if not e.get("transform")):
                apart = float(b.get("x")) - float(a.get("x"))
                assert apart >= 7.3 * (len(a.text) + len(b.text)) / 2
            assert all(float(b.get("x")) - float(a.get("x")) >= 11 for a, b in pairwise(turned))


# --- the file that answers --------------------------------------------------------------------


@every_plot
def test_the_payload_has_both_drawings_and_all_numbers(name):
    one = PLOTS[name]
    payload = unpack(one.payload().pack())
    assert [layout["width"] for layout in payload.header["layouts"]] == [
        pytest.approx(width, rel=0.1) for width in (640, 360)
    ]
    for n, layout in enumerate(payload.header["layouts"]):
        scene = picture.draw(one, (640, 360)[n])
        assert layout["pieces"] == json.loads(json.dumps(scene.data()))
        for at, points in scene.points.items():
            np.testing.assert_array_equal(payload.arrays[f"at.{n}.{at}"], points.astype("f4"))
    data, _layout = traces(one)
    for at, (series, trace) in enumerate(zip(payload.header["series"], data, strict=True)):
        assert series["name"] == one.all[at].name
        if isinstance(one.all[at], Heat):
            np.testing.assert_array_equal(payload.arrays[f"z.{at}"], np.float32(trace["z"]))
        elif one.y.categories is None:
            found = [NAN if value is None else value for value in series["y"]]
            np.testing.assert_array_equal(np.array(found, float), np.array(trace["y"], float))


def test_what_is_nowhere_has_no_name_in_the_legend():
    x, heights = [0, 1], {"a": [0, 1], "b": [1, 0], "nowhere": [NAN, NAN]}
    lines = [Curve(x=x, y=y, name=name, role="key") for name, y in heights.items()]
    one = Plot(title="", alt="", x=PlotAxis(title="x"), y=PlotAxis(title="y"), series=lines)
    assert [entry.name for entry in one.entries] == ["a", "b"]
    assert [trace.name for trace in one.figure("light").data if trace.showlegend] == ["a", "b"]

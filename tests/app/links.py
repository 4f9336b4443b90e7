"""What a link opens, as plain data: the page, what its bar says, what is chosen, shown and told."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.answers.names import declaring
from core.language import use_language
from tests.app import test_files, test_lesson_files
from tests.app.answered import figures
from tests.app.played import Played, given_up, of_page
from tests.app.test_pages import check, headers
from tests.app.test_state import values

CONTROLS = (
    "slider",
    "select_slider",
    "number_input",
    "button_group",
    "selectbox",
    "toggle",
    "text_input",
)
EXPLAINS = (":material/info:", ":material/visibility:")  # what is said of a figure, not of a link
OF_A_LESSON = re.compile(r"^[a-z][a-z0-9-]+\.(?=\d)")  # before the names of its figures
WHOLE = re.compile(r"-?\d{1,9}")
ESCAPED = re.compile(r"\\([^\w\s])")  # as Markdown has what is no markup
BAR = ("text", "model", "speaks", "lecture")


def found_at(link: str, *, answered: bool = False) -> dict[str, Any]:
    """What stands where a link leads.

    Args:
        link: its path and its query.
        answered: the answers of the lesson's questions were asked for before.
    """
    use_language("en")
    address = urlsplit(link)
    query = dict(parse_qsl(address.query, keep_blank_values=True))
    folder, _slash, name = address.path.strip("/").partition("/")
    if folder in ("figure", "lesson"):
        return _file(folder, name, query)
    return _page(folder, query, answered=answered)


def _page(address: str, query: dict[str, str], *, answered: bool) -> dict[str, Any]:
    app = AppTest.from_file("../../pages/frame.py", default_timeout=60)
    app._page_hash = calc_hash(address)  # as a browser opens it, with no other page before
    for one, value in query.items():
        app.query_params[one] = value
    app.run()
    check(app)
    (page,), (bar,) = headers(app, "link"), headers(app, "runbar")
    said = " ".join(str(one.proto.body) for one in app.get("html"))
    every = (*app.warning, *app.info, *app.error)
    told = [ESCAPED.sub(r"\1", one.value) for one in every if one.icon not in EXPLAINS]
    title = unescape(re.sub(r"<[^>]+>", "", "".join(re.findall(r"<h1[^>]*>(.*?)</h1>", said))))
    her = None
    if headers(app, "lesson"):
        her = of_page(app, given_up(query["lesson"]) if answered else None)
        own = her.screen.get("bar", {})
        bar |= own if own.get("models") else {n: it for n, it in own.items() if n != "model"}
        # The next click is told below the picture.
        title += "".join(dict.fromkeys([her.title, *(one["title"] for one in her.blocks("next"))]))
        told += [one for kind in ("warning", "info", "error") for one in her.notes[kind]]
    return {
        "title": title,
        "bar": {one: bar[one] for one in BAR},
        # What stands beside the page's own machine is chosen by itself.
        "chosen": {
            OF_A_LESSON.sub("", name): selected
            for name, value in values(app).items()
            if name in page["selects"] and not name.startswith("b.")
            for selected in (int(value) if WHOLE.fullmatch(value) else value,)
            if not (isinstance(selected, int) and selected < 0)  # it says that none is
        },
        "figures": _figures(app, her),
        "controls": _controls(app, her),
        "told": told,
    }


def _figures(app: AppTest, her: Played | None) -> list[dict[str, Any]]:
    """What each figure shows by itself: its kind, and places that are no lists."""
    own = [(one.said.get("folder", ""), one.answer.header) for one in figures(app) if one.answer]
    kinds = ("matrix", "head_grid", "token_strip", "bars", "arcs", "ladder", "map", "flow")
    return [
        {"kind": kind} | {
            name: value for name, value in (one.get("selection") or {}).items()
            if isinstance(value, int | str)
        }
        for kind in kinds
        for one in (*headers(app, kind), *(said for folder, said in own if folder == kind),
                    *(her.figures(kind) if her is not None else ()))
    ]  # fmt: skip


def _controls(app: AppTest, her: Played | None) -> dict[str, Any]:
    """By its name, what each control stands at."""
    found = {}
    for kind in CONTROLS:
        for one in app.get(kind):
            value = one.value
            found[one.label or str(one.key)] = list(value) if isinstance(value, tuple) else value
    for row in (one for one in headers(app, "presets") if one["label"]):
        (chosen,) = [one for one in row["buttons"] if one["on"]]
        (found[row["label"]],) = chosen["sets"].values()
    asked = [control for one in figures(app) for control in one.controls]
    for control in (*asked, *(her.controls if her is not None else ())):
        found.setdefault(control["label"], _as_streamlit(control))  # the first on the page
    return found


def _as_streamlit(control: dict[str, Any]) -> Any:
    """What a control of Streamlit's would say: a number, or the kind of a mask without its size."""
    value = control["value"].partition(":")[0] if control["name"] == "mask" else control["value"]
    if control["kind"] == "range":
        return int(value) if control["whole"] else float(value)
    whole = control["kind"] == "choice" and kind_of(control["name"]) in (int, "int")
    return int(value) if whole else value


def kind_of(name: str) -> Any:
    """What a parameter is, as it is declared."""
    every = (one for cls in declaring() for one in dataclasses.fields(cls))
    return next(one.type for one in every if one.name == name.rpartition(".")[2])


def _file(folder: str, name: str, query: dict[str, str]) -> dict[str, Any]:
    if folder == "figure":
        status, content, said = test_files.asked(name, **query)
    else:
        ident, _slash, step = name.removesuffix(".html").partition("/")
        status, content, said = test_lesson_files.asked(ident, step, **query)
    kind = said["content-type"].partition(";")[0]
    shown: dict[str, Any] = {"status": status, "type": kind}
    if kind == "text/csv":
        lines = list(csv.reader(io.StringIO(content)))
        shown |= {"rows": len(lines), "header": lines[0]}
    elif status == 200:
        title = re.search(r"<title>(.*?)</title>", content, re.S)
        shown["title"] = unescape(title[1]) if title else ""
    return shown

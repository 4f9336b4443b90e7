"""The contract that every registered view keeps, on tiny models and on any text."""

from __future__ import annotations

import csv
import dataclasses
import gettext
import io
import math
import re
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest
from babel.messages.pofile import read_po

from core import language
from core.errors import CoreError, NoWordError, ParameterError
from core.figures.params import Range, parse, to_query
from core.figures.payload import unpack
from core.figures.text import SPECIAL_LABELS
from core.figures.view import ComponentView, PlotView, all_views, get, register
from core.runs import Runs
from tests.architecture.test_locale import TEMPLATE
from tests.text.awkward import EXAMPLES

VIEWS = all_views()
MODELS = {"any": ("gpt", "bert"), "causal": ("gpt",), "masked": ("bert",), "none": ("gpt",)}
TEXTS = {
    "plain": "The little dog saw the sea. The dog saw the sea",
    "one token": "a",
    "right to left": "القط على الحصير",
    "markup": "=1+1 <script>alert('1')</script> &amp; \"x\" ]]> {text} {0} %s <|endoftext|> [SEP]",
    "hidden": "🙂👩‍👩‍👧 é a\x00b\x07c\u200bd\u202ee\ufffe\uffff\ud800 [MASK]",
    "long": "The cat sat on the mat. " * 60,
}


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    """All views' runs over the tiny models."""
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


def record_of(view, runs: Runs, **values: str):
    """What a view computes for the values of a link."""
    params, _ = parse(view.Params, values)
    results = [runs.get(request) for request in view.requests(params)]
    return view.compute(results, params)


def each(texts: dict[str, str]) -> list:
    """(view, model, text) for every view, every model it can use and every text."""
    cases = []
    for name, view in VIEWS.items():
        has_text = "text" in {field.name for field in dataclasses.fields(view.Params)}
        for model in MODELS[view.needs]:
            for label, text in texts.items() if has_text else [("", "")]:
                ident = f"{name}-{model}-{label}".rstrip("-")
                cases.append(pytest.param(view, model, text, id=ident))
    return cases


# --- names and parameters ---------------------------------------------------------------


def test_names_are_stable_and_dotted():
    assert len(VIEWS) > 20
    for name, view in VIEWS.items():
        assert re.fullmatch(r"[a-z_]+\.[a-z_]+", name)
        assert view.name == name
        assert get(name) is view
        assert isinstance(view, ComponentView | PlotView)
        assert view.needs in MODELS


def test_an_unknown_view_is_an_error_and_two_of_a_name_are_a_bug():
    with pytest.raises(ParameterError, match=r"view is .no\.such.; it must be one of attention"):
        get("no.such")
    with pytest.raises(ValueError, match="two views are called"):
        register(type(next(iter(VIEWS.values()))))


PARAMS = sorted({view.Params for view in VIEWS.values()}, key=lambda cls: cls.__name__)


@pytest.mark.parametrize("cls", PARAMS, ids=lambda cls: cls.__name__)
def test_parameters_are_frozen_and_every_one_has_its_range(cls):
    params = cls()
    for field in dataclasses.fields(cls):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(params, field.name, field.default)
        allowed = field.metadata.get("range")
        assert isinstance(allowed, Range), field.name
        assert field.type in ("int", "float", "bool", "str"), field.name
        if field.type in ("int", "float"):
            assert allowed.low is not None, field.name
            assert allowed.high is not None, field.name
            assert allowed.low <= field.default <= allowed.high, field.name
        if allowed.choices is not None:
            assert field.default in allowed.choices, field.name
        if allowed.pattern is not None:
            assert re.fullmatch(allowed.pattern, field.default), field.name
            assert allowed.form


@pytest.mark.parametrize("cls", PARAMS, ids=lambda cls: cls.__name__)
def test_defaults_need_no_link_and_extremes_survive_one(cls):
    assert parse(cls, {}) == (cls(), [])
    assert to_query(cls()) == {}
    for end in ("low", "high"):
        values = {
            field.name: type(field.default)(getattr(field.metadata["range"], end))
            for field in dataclasses.fields(cls)
            if field.type in ("int", "float")
        }
        params = dataclasses.replace(cls(), **values)
        assert parse(cls, to_query(params)) == (params, [])


# --- what is drawn ----------------------------------------------------------------------


def check_sentence(words: str) -> None:
    assert len(words) >= 20, words
    assert not re.search(r"\bnan\b|\binf\b|\bNone\b|\{\w+\}(?! \{0\})", words), words


def check_svg(drawing: str, title: str, alt: str) -> None:
    root = ElementTree.fromstring(drawing)
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert root.find(f"{space}title").text == title
    assert root.find(f"{space}desc").text == alt
    allowed = {"svg", "title", "desc", "rect", "text", "line", "path", "circle", "g", "defs",
               "pattern", "polyline", "tspan", "ellipse", "polygon", "clipPath"}  # fmt: skip
    for element in root.iter():
        assert element.tag.removeprefix(space) in allowed
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "nan" not in value, (element.tag, name, value)
    assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")


def check_plot(figure: go.Figure, title: str) -> None:
    layout = figure.to_plotly_json()["layout"]
    assert layout["title"]["text"].replace("<br>", " ") == title
    for letter in "xy":  # of plots above each other the lowest names the axis they share
        axes = [name for name in layout if re.fullmatch(rf"{letter}axis\d*", name)]
        assert any(layout[axis]["title"]["text"] for axis in axes), letter
    drawn = [trace for trace in figure.data if trace.x is None or list(trace.x) != [None]]
    assert drawn
    for trace in drawn:
        assert trace.hovertemplate or trace.hoverinfo or trace.hovertext is not None, trace.type
        for values in (trace.x, trace.y, getattr(trace, "z", None)):
            if values is not None and np.asarray(values).dtype.kind == "f":
                assert not np.isinf(np.asarray(values)).any()


def check_table(view, record) -> None:
    table = view.table(record)
    rows = list(csv.reader(io.StringIO(table.to_csv())))
    assert [name.removeprefix("'") for name in rows[0]] == [
        name.removeprefix("'") for name in table.columns
    ]
    assert len(rows) == len(table.rows) + 1
    assert len(rows) > 1
    for row in rows:
        assert len(row) == len(table.columns)
        for cell in row:
            assert cell not in ("nan", "None")
            number = re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?|-inf", cell)
            assert number or cell[:1] not in ("=", "+", "-", "@")


def check(view, record) -> None:
    title, alt = view.title(record), str(view.describe(record))
    assert title
    check_sentence(alt)
    check_table(view, record)
    for mode in ("light", "dark"):
        if isinstance(view, ComponentView):
            check_svg(view.svg(record, mode), title, alt)
        else:
            check_plot(view.figure(record, mode), title)
    if isinstance(view, ComponentView):
        data = view.payload(record).pack()  # no NaN: JSON in the browser has none
        assert unpack(data).header
        assert len(data) < 12_000_000


@pytest.mark.parametrize(("view", "model", "text"), each(TEXTS))
def test_every_view_takes_any_text(view, model, text, runs):
    try:
        record = record_of(view, runs, model=model, text=text)
    except NoWordError:  # the tiny vocabulary has no letter of it; a page says so
        assert view.needs == "masked"
        return
    check(view, record)


@pytest.mark.parametrize(("view", "model", "text"), each({"plain": TEXTS["plain"]}))
@pytest.mark.parametrize("end", ["low", "high"])
def test_every_view_takes_the_ends_of_its_ranges(view, model, text, end, runs):
    """A link may say any layer, position or step that the range allows."""
    values = {
        field.name: f"{getattr(field.metadata['range'], end):g}"
        for field in dataclasses.fields(view.Params)
        if field.type in ("int", "float")
    }
    check(view, record_of(view, runs, model=model, text=text, **values))


@pytest.mark.parametrize(("view", "model", "text"), each({"plain": TEXTS["plain"]}))
def test_every_choice_draws(view, model, text, runs):
    for field in dataclasses.fields(view.Params):
        for choice in field.metadata["range"].choices or ():
            check(view, record_of(view, runs, **{"model": model, "text": text, field.name: choice}))


@pytest.mark.parametrize("text", ["", *EXAMPLES], ids=range(len(EXAMPLES) + 1))
def test_the_map_takes_whatever_breaks_tokenizers(text, runs):
    for model in ("gpt", "bert"):
        check(VIEWS["map.run"], record_of(VIEWS["map.run"], runs, model=model, text=text))


def test_records_are_numbers_not_chance(runs):
    """The same link shows the same numbers."""
    for view in VIEWS.values():
        model = MODELS[view.needs][0]
        one, two = (
            str(view.describe(record_of(view, runs, model=model, text=TEXTS["plain"])))
            for _ in range(2)
        )
        assert one == two
        assert not math.isnan(len(one))


def test_errors_of_a_view_are_the_users(runs):
    """Asked for a model that cannot, a view raises what a page knows how to show."""
    for view in VIEWS.values():
        if view.needs in ("causal", "masked"):
            other = "bert" if view.needs == "causal" else "gpt"
            try:
                check(view, record_of(view, runs, model=other, text=TEXTS["plain"]))
            except CoreError:
                continue


# --- in another language ----------------------------------------------------------------


class Marked(gettext.NullTranslations):
    """A language in which every text of the template stands in «»; it keeps what it was asked."""

    def __init__(self):
        super().__init__()
        with TEMPLATE.open("rb") as file:
            ids = [message.id for message in read_po(file) if message.id]
        self.template = {text for i in ids for text in ([i] if isinstance(i, str) else i)}
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return f"«{message}»" if message in self.template else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def marked(monkeypatch) -> Marked:
    """Every message is translated into its marked self."""
    found = Marked()
    monkeypatch.setattr(language, "_catalogue", lambda code: found)
    return found


NOT_WORDS = {*MODELS["any"], *SPECIAL_LABELS.values()}  # models' ids, tokens


# No other token of the text is a word of two letters: what is left is called by us.
@pytest.mark.parametrize(("view", "model", "text"), each({"": "a"}))
def test_every_column_is_called_in_the_learners_language(view, model, text, runs, marked):
    choices = [
        {field.name: choice}
        for field in dataclasses.fields(view.Params)
        for choice in field.metadata["range"].choices or ()
    ]
    for values in ({}, *choices):
        columns = view.table(record_of(view, runs, model=model, text=text, **values)).columns
        called = {name for name in columns if re.search("[a-z]{2}", name)} - NOT_WORDS
        lost = {name for name in called if "«" not in name}
        assert lost == set(), "_() them, then make locale"


@pytest.mark.parametrize(("view", "model", "text"), each({"": TEXTS["plain"]}))
def test_a_table_translates_nothing_but_the_apps_own_words(view, model, text, runs, marked):
    """A token may read like one of them: it is not even asked for."""
    view.table(record_of(view, runs, model=model, text=text)).to_csv()
    assert marked.asked
    assert marked.asked <= marked.template


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("ffn.words", "end"),
        ("masked.dice", "fate"),
        ("masked.example", "fate"),
        ("masked.why", "condition"),
        ("predict.layers", "after"),
        ("predict.surprisal", "from"),
        ("stream.sizes", "after"),
        ("text.bits", "what it is"),
    ],
)
def test_cells_that_are_words_of_the_app_are_translated(name, column, runs, marked):
    model = MODELS[VIEWS[name].needs][-1]
    table = VIEWS[name].table(record_of(VIEWS[name], runs, model=model, text=TEXTS["plain"]))
    at = table.columns.index(f"«{column}»")
    assert all("«" in row[at] for row in table.rows)


def test_what_is_saved_is_in_the_learners_language(runs, marked):
    """Tokens stay as they are, as names of columns too."""
    view, values = VIEWS["attention.weights"], {"model": "bert", "text": "the dog"}
    header, *rows = view.table(record_of(view, runs, **values)).to_csv().splitlines()
    assert header == "«query \\ key»,[CLS],the,dog,[SEP]"
    assert [row.split(",")[0] for row in rows] == ["[CLS]", "the", "dog", "[SEP]"]

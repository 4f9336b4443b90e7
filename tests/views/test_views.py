"""The contract that every registered view keeps, on tiny models and on any text."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gettext
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from babel.messages.pofile import read_po

from core import language, views
from core.errors import AbilityError, CoreError, NoPartError, NoWordError, ParameterError
from core.figures.components.base import Component
from core.figures.payload import unpack
from core.figures.values import Values, to_csv
from core.models.abilities import ABILITIES
from core.models.needs import Needs
from core.show import Figure
from core.units import SPECIAL_LABELS
from core.views import View
from core.views.params import Declared, declared, parse, to_query
from tests.architecture.test_locale import TEMPLATE
from tests.architecture.test_parameters import KINDS, misnamed
from tests.text.awkward import EXAMPLES
from tests.views.records import MACHINES, SPACE, choices_of, machines_of, record_of, rows

VIEWS = views.all_views()
TEXTS = {
    "plain": "The little dog saw the sea. The dog saw the sea",
    "one token": "a",
    "right to left": "القط على الحصير",
    "markup": "=1+1 <script>alert('1')</script> &amp; \"x\" ]]> {text} {0} %s <|endoftext|> [SEP]",
    "hidden": "🙂👩‍👩‍👧 é a\x00b\x07c\u200bd\u202ee\ufffe\uffff\ud800 [MASK]",
    "long": "The cat sat on the mat. " * 60,
}
# Values that choose what a view shows, besides those its parameters list.
FURTHER = {"mask": ("none", "padding", "window:2"), "hide": ("none", "0"), "every": ("1",)}
DRAWN = {"svg", "title", "desc", "rect", "text", "line", "path", "circle", "g", "defs", "pattern",
         "polyline", "tspan", "ellipse", "polygon", "clipPath", "image"}  # fmt: skip
PICTURE = re.compile(r"href='data:image/png;base64,[\w+/=]+'")  # which holds all it shows


# What a view's first model has read already is read by the others in these two alone.
AGAIN = ("plain", "hidden")


def each(texts: dict[str, str]) -> list[Any]:
    """(view, model, text) for every view, every model it can use and its texts."""
    cases = []
    for name, view in VIEWS.items():
        has_text = "text" in {field.name for field in dataclasses.fields(view.Params)}
        for model in machines_of(view):
            whole = model == machines_of(view)[0] or len(texts) == 1
            read = texts if whole else {label: texts[label] for label in AGAIN}
            for label, text in read.items() if has_text else [("", "")]:
                ident = f"{name}-{model}-{label}".rstrip("-")
                cases.append(pytest.param(view, model, text, id=ident))
    return cases


# --- names and parameters ---------------------------------------------------------------


def test_names_are_stable_and_dotted():
    assert set(MACHINES) == {"any", "none", "words", "answers", *ABILITIES}
    for name, view in VIEWS.items():
        assert re.fullmatch(r"[a-z_]+\.[a-z_]+", name)
        assert view.name == name
        assert views.get(name) is view
        assert view.needs.ability in MACHINES
        words = "".join(map(str.capitalize, re.split(r"[._]", name)))
        assert type(view).__name__ == f"{words}View"


def test_a_view_stands_in_the_module_of_its_topic():
    for name, view in VIEWS.items():
        module, topic = f"{type(view).__module__}.", name.split(".")[0]
        assert module.startswith(f"core.views.{topic}."), name


def test_an_unknown_view_is_an_error_and_two_of_a_name_are_a_bug():
    with pytest.raises(ParameterError, match=r"view is .no\.such.; it must be a name that exists"):
        views.get("no.such")
    with pytest.raises(ValueError, match="two views are called"):
        type("Second", (View,), {"name": next(iter(VIEWS))})


PARAMS = sorted({view.Params for view in VIEWS.values()}, key=lambda cls: cls.__name__)


@pytest.mark.parametrize("cls", PARAMS, ids=lambda cls: cls.__name__)
def test_parameters_are_frozen_and_every_one_has_its_range(cls):
    params = cls()
    for field in dataclasses.fields(cls):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(params, field.name, field.default)
        allowed = declared(cls, field.name)
        assert isinstance(allowed, Declared), field.name
        assert field.type in ("int", "float", "bool", "str"), field.name
        if field.type in ("int", "float"):
            assert allowed.low is not None, field.name
            assert allowed.high is not None, field.name
            assert allowed.low <= field.default <= allowed.high, field.name
        if allowed.choices is not None:
            assert field.default in allowed.choices, field.name
        if allowed.pattern is not None:
            assert parse(cls, {field.name: field.default}) == (params, []), field.name
            assert allowed.form
            # A mask that is painted has a bit for each pair of tokens.
            assert (allowed.high is not None) != (field.name == "mask"), field.name


@pytest.mark.parametrize("cls", PARAMS, ids=lambda cls: cls.__name__)
def test_defaults_need_no_link_and_extremes_survive_one(cls):
    assert parse(cls, {}) == (cls(), [])
    assert to_query(cls()) == {}
    for end in ("low", "high"):
        values = {
            field.name: type(field.default)(getattr(declared(cls, field.name), end))
            for field in dataclasses.fields(cls)
            if field.type in ("int", "float")
        }
        params = dataclasses.replace(cls(), **values)
        assert parse(cls, to_query(params)) == (params, [])


@pytest.mark.parametrize("name", VIEWS)
def test_what_lives_in_the_browser_asks_for_no_other_run(name):
    """A change of it goes nowhere: the payload holds all that it needs."""
    view, before = VIEWS[name], VIEWS[name].Params()
    for field in dataclasses.fields(view.Params):
        allowed = declared(view.Params, field.name)
        if allowed.lives != "browser":
            continue
        for other in (allowed.low, allowed.high, *(allowed.choices or ())):
            if other is not None and type(other) is type(field.default):
                after = dataclasses.replace(before, **{field.name: other})
                assert view.requests(after) == view.requests(before), field.name


# --- what is shown ----------------------------------------------------------------------


def check_sentence(words: str) -> None:
    assert len(words) >= 20, words
    assert not re.search(r"\bnan\b|\binf\b|\bNone\b(?! of)|\{\w+\}(?! \{0\})", words), words


def check_drawing(component: Component) -> None:
    for mode in ("light", "dark"):
        drawing = PICTURE.sub("", component.drawing(mode))
        root = ElementTree.fromstring(drawing)
        assert root.tag == f"{SPACE}svg"
        assert root.find(f"{SPACE}title").text.startswith(component.title)  # and what of it
        assert root.find(f"{SPACE}desc").text == component.alt
        for element in root.iter():
            assert element.tag.removeprefix(SPACE) in DRAWN
            for name, value in element.attrib.items():
                assert not name.startswith("on")
                assert "nan" not in value, (element.tag, name, value)
        assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")


def check_values(view: View[Any, Any], record: Any) -> None:
    values = view.values(record)
    assert values
    for name, one in values.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name), name
        assert isinstance(one, Values)
        assert one.label
        assert one.selected is None or np.ndim(one.array[one.selected]) == 0
        assert one.array.dtype.kind != "O" or all(
            value is None or isinstance(value, str | int) for value in one.array.flat
        )
    lines = rows(view, record)
    assert len(lines) > 1
    for cell in (cell for line in lines for cell in line):
        assert cell not in ("nan", "None")
        number = re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?|-inf", cell)
        assert number or cell[:1] not in ("=", "+", "-", "@")


def check(view: View[Any, Any], record: Any) -> None:
    if view.absent(record):  # a page leaves it out; who asks for it by name is told
        with contextlib.suppress(NoPartError):
            check_shown(view, record)
        return
    check_shown(view, record)


def check_shown(view: View[Any, Any], record: Any) -> None:
    component, alt = view.show(record), str(view.describe(record))
    assert component.title
    check_sentence(alt)
    assert component.alt == alt
    check_values(view, record)
    check_drawing(component)
    assert misnamed(KINDS, component.payload().header) == []
    data = component.payload().pack()  # no NaN: JSON in the browser has none
    assert unpack(data).header
    assert len(data) < 12_000_000
    for note in view.notes(record):
        if note.kind != "code":  # which is no sentence
            check_sentence(str(note.text))
    stepper = view.steps(record)
    assert stepper is None or unpack(stepper.payload().pack()).header["n"] > 1


@pytest.mark.parametrize(("view", "model", "text"), each(TEXTS))
def test_every_view_takes_any_text(view, model, text, runs):
    try:
        record = record_of(view, runs, model=model, text=text)
    except NoWordError:  # the tiny vocabulary has no letter of it; a page says so
        assert view.needs == Needs("masked_words")
        return
    check(view, record)


@pytest.mark.parametrize(("view", "model", "text"), each({"plain": TEXTS["plain"]}))
@pytest.mark.parametrize("end", ["low", "high"])
def test_every_view_takes_the_ends_of_its_ranges(view, model, text, end, runs):
    """A link may say any layer, position or step that the range allows."""
    values = {
        field.name: f"{getattr(declared(view.Params, field.name), end):g}"
        for field in dataclasses.fields(view.Params)
        if field.type in ("int", "float")
    }
    check(view, record_of(view, runs, model=model, text=text, **values))


@pytest.mark.parametrize(("view", "model", "text"), each({"plain": TEXTS["plain"]}))
def test_every_choice_draws(view, model, text, runs):
    for field in dataclasses.fields(view.Params):
        for choice in choices_of(view, field.name, runs, model):
            check(view, record_of(view, runs, **{"model": model, "text": text, field.name: choice}))
        for choice in FURTHER.get(field.name, ()):
            with contextlib.suppress(CoreError):  # a choice that this model has not
                record = record_of(view, runs, **{"model": model, "text": text, field.name: choice})
                assert misnamed(KINDS, view.show(record).payload().header) == []


@pytest.mark.parametrize(("view", "model", "text"), each({"plain": TEXTS["plain"]}))
def test_a_live_figure_is_one_file_that_asks_nobody(view, model, text, runs):
    record = record_of(view, runs, model=model, text=text)
    params = parse(view.Params, {"model": model, "text": text})[0]
    page = Figure(
        view.name, params, record, view.show(record), view.describe(record), view.values(record)
    ).html()
    assert len(page.encode()) < 1_000_000
    assert "default-src 'none'" in page
    outside = re.findall(
        r"""(?:src|href|action)\s*=\s*["'](?!data:)[^"'$]+|@import|url\((?!#)""", page
    )
    assert outside == []
    assert "plotly" not in page.lower()


@pytest.mark.parametrize("text", ["", *EXAMPLES], ids=range(len(EXAMPLES) + 1))
def test_the_heads_take_whatever_breaks_tokenizers(text, runs):
    view = VIEWS["attention.heads"]
    for model in MACHINES["any"]:
        check(view, record_of(view, runs, model=model, text=text))


def test_records_are_numbers_not_chance(runs):
    """The same link shows the same numbers."""
    for view in VIEWS.values():
        model = machines_of(view)[0]
        one, two = (
            to_csv(view.values(record_of(view, runs, model=model, text=TEXTS["plain"])))
            for _ in range(2)
        )
        assert one == two


@pytest.mark.parametrize(
    "name", [name for name, view in VIEWS.items() if view.needs.ability not in ("any", "none")]
)
def test_a_model_that_cannot_is_the_users_error(name, runs):
    """Asked for a model that cannot, a view raises what a page knows how to show."""
    view = VIEWS[name]
    for model in set(MACHINES["any"]) - set(machines_of(view)):
        with pytest.raises(AbilityError):
            record_of(view, runs, model=model, text=TEXTS["plain"])


# --- in another language ----------------------------------------------------------------


@functools.cache
def template() -> frozenset[str]:
    """Every text of the app."""
    with TEMPLATE.open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    return frozenset(text for i in ids for text in ([i] if isinstance(i, str) else i))


class Marked(gettext.NullTranslations):
    """A language in which every text of the template stands in «»; it keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.template = template()
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


NOT_WORDS = {*MACHINES["any"], *SPECIAL_LABELS.values()}  # models' ids, tokens


# No other token of the text is a word of two letters: what is left is called by us.
@pytest.mark.parametrize(("view", "model", "text"), each({"": "a"}))
def test_every_array_and_axis_is_called_in_the_learners_language(view, model, text, runs, marked):
    choices = [
        {field.name: choice}
        for field in dataclasses.fields(view.Params)
        for choice in choices_of(view, field.name, runs, model)
    ]
    for chosen in ({}, *choices):
        values = view.values(record_of(view, runs, model=model, text=text, **chosen))
        called = {one.label for one in values.values()}
        called |= {one.unit for one in values.values()}
        called |= {axis.header for one in values.values() for axis in one.axes}
        called = {name for name in called if re.search("[a-z]{2}", name)} - NOT_WORDS
        assert {name for name in called if "«" not in name} == set(), "_() them, then make locale"


@pytest.mark.parametrize(("view", "model", "text"), each({"": TEXTS["plain"]}))
def test_a_table_translates_nothing_but_the_apps_own_words(view, model, text, runs, marked):
    """A token may read like one of them: it is not even asked for."""
    to_csv(view.values(record_of(view, runs, model=model, text=text)))
    assert marked.asked
    assert marked.asked <= marked.template


def test_what_is_saved_is_in_the_learners_language(runs, marked):
    """Tokens stay as they are, as names of columns too."""
    view = VIEWS["attention.weights"]
    lines = rows(view, record_of(view, runs, model="bert", text="the dog"))
    assert lines[0] == ["«query» \\ «key»", "[CLS]", "the", "dog", "[SEP]"]
    assert [line[0] for line in lines[1:]] == ["[CLS]", "the", "dog", "[SEP]"]


def test_numbers_are_saved_in_full(runs):
    view = VIEWS["attention.weights"]
    record = record_of(view, runs)
    found = np.array([line[1:] for line in rows(view, record)[1:]], np.float32)
    np.testing.assert_array_equal(found, record("weights"))

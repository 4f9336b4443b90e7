"""Extract what cases show, in whatever tree this runs: its working directory and PYTHONPATH.

One file without a line of ``tests.harness``, so that it runs in the tree of an older commit too::

    python extract.py CASES.json FOLDER

reads a list of ``[key, case]`` and writes ``FOLDER/<key>.npz`` for each: a JSON tree and the arrays
in it. ``V1`` speaks the API of views as it was when the reference was frozen, ``V2`` the one that
takes its place; a view is shown through ``V2`` as soon as ``core.views`` knows it.
"""

from __future__ import annotations

import csv
import dataclasses
import html
import io
import json
import os
import re
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

WHOLE = 2048  # numbers up to which a traced tensor is kept whole
SAMPLED = 1000  # numbers that are kept of a larger one
NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?"  # in a file of cells
# Of a Plotly figure: what it says, not what it looks like.
SAID_BY_TRACE = (
    "type", "name", "x", "y", "z", "text", "texttemplate", "customdata", "hovertext",
    "hovertemplate", "hoverinfo", "mode", "orientation", "base", "showlegend", "visible", "zmin",
    "zmax", "zmid", "xaxis", "yaxis", "error_y", "meta", "stackgroup",
)  # fmt: skip
SAID_BY_AXIS = ("title", "range", "type", "tickmode", "tickvals", "ticktext", "dtick", "autorange")
SAID_BY_MARK = ("type", "text", "x", "y", "x0", "x1", "y0", "y1", "xref", "yref")


# --- a tree of plain values and arrays, and its file --------------------------------------------


def plain(value: Any) -> Any:
    """Anything as dicts, lists, numbers, texts and arrays."""
    if value is None or isinstance(value, bool | int | float | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "biuf" else plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "as_data"):  # a sentence
        return value.as_data()
    if dataclasses.is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Sequence | set | frozenset):
        return [plain(one) for one in value]
    return str(value)


def save(path: Path, tree: Any) -> None:
    """Write a tree; a file that is there is whole."""
    arrays: list[np.ndarray] = []

    def without_arrays(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            arrays.append(value)
            return {"$array": len(arrays) - 1}
        if isinstance(value, dict):
            return {key: without_arrays(one) for key, one in value.items()}
        return [without_arrays(one) for one in value] if isinstance(value, list) else value

    text = json.dumps(without_arrays(tree))
    unfinished = path.with_suffix(f".{os.getpid()}")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("tree.json", text)
        for n, array in enumerate(arrays):
            with file.open(f"{n}.npy", "w") as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array), allow_pickle=False)
    unfinished.replace(path)


def load(path: Path) -> Any:
    """Read a tree that ``save`` wrote."""
    with zipfile.ZipFile(path) as file:

        def with_arrays(value: Any) -> Any:
            if isinstance(value, dict):
                if value.keys() == {"$array"}:
                    with file.open(f"{value['$array']}.npy") as entry:
                        return np.lib.format.read_array(entry, allow_pickle=False)
                return {key: with_arrays(one) for key, one in value.items()}
            return [with_arrays(one) for one in value] if isinstance(value, list) else value

        return with_arrays(json.loads(file.read("tree.json")))


# --- what drawings, plots and files say ---------------------------------------------------------


def cells(text: str) -> dict[str, Any]:
    """A CSV as its words and its numbers, each with its place: ``(row, column)``."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    words: list[list[Any]] = []
    numbers: list[float] = []
    places: list[tuple[int, int]] = []
    for r, row in enumerate(rows[1:]):
        for c, cell in enumerate(row):
            if re.fullmatch(NUMBER, cell):
                numbers.append(float(cell))
                places.append((r, c))
            elif cell:
                words.append([r, c, cell.removeprefix("'")])
    return {
        "columns": [name.removeprefix("'") for name in rows[0]] if rows else [],
        "words": words,
        "numbers": np.array(numbers, np.float64),
        "places": np.array(places, np.int32).reshape(-1, 2),
    }


def reading(sentence: Any) -> dict[str, Any]:
    """A sentence, and its marked words."""
    marks = [[part.text, part.role] for part in sentence.parts if part.role != "plain"]
    return {"text": str(sentence), "marks": marks}


def drawn(svg: str) -> list[str]:
    """The words of a drawing."""
    found = (element.text or "" for element in ElementTree.fromstring(svg).iter())
    return [text.strip() for text in found if text.strip()]


def plotted(figure: Any) -> dict[str, Any]:
    """What a Plotly figure says: its series, titles, axes and marks."""
    whole = figure.to_plotly_json()
    layout = whole["layout"]
    axes = {name: axis for name, axis in layout.items() if re.fullmatch(r"[xy]axis\d*", name)}
    return {
        "data": [_of_series(series) for series in whole["data"]],
        "title": layout.get("title", {}).get("text"),
        "barmode": layout.get("barmode"),
        "legend": layout.get("legend", {}).get("title", {}).get("text"),
        "axes": {name: _said(axis, SAID_BY_AXIS) for name, axis in sorted(axes.items())},
        "annotations": [_said(one, SAID_BY_MARK) for one in layout.get("annotations", ())],
        "shapes": [_said(one, SAID_BY_MARK) for one in layout.get("shapes", ())],
    }


def _said(of: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    said = {name: of[name] for name in names if of.get(name) is not None}
    if isinstance(said.get("title"), Mapping):
        said["title"] = said["title"].get("text")
    return said


def _of_series(series: Mapping[str, Any]) -> dict[str, Any]:
    marker = series.get("marker", {})
    many = {n: v for n, v in marker.items() if isinstance(v, np.ndarray | list | tuple)}
    return {**_said(series, SAID_BY_TRACE), **({"marker": many} if many else {})}


# --- the views as they were when the reference was frozen ---------------------------------------


class V1:
    """``core.figures.view``: a view makes title, reading, table and payload from its record."""

    def names(self) -> list[str]:
        """Every view."""
        from core.figures.view import all_views

        return list(all_views())

    def view(self, name: str) -> Any:
        """A view."""
        from core.figures.view import get

        return get(name)

    def show(self, name: str, query: Mapping[str, str]) -> dict[str, Any]:
        """Everything that a view shows for a link's query."""
        view = self.view(name)
        params, problems, _link = self.read(view.Params, query)
        record = view.compute([runs().get(one) for one in view.requests(params)], params)
        shown = {
            "api": "v1",
            "problems": problems,
            "title": view.title(record),
            "reading": reading(view.describe(record)),
            "table": cells(view.table(record).to_csv()),
            "steps": self.steps(name, params, record),
            "notes": self.notes(name, params, record),
            "further": self.further(name, params, record),
        }
        if hasattr(view, "figure"):
            return shown | {"figure": plotted(view.figure(record, "light"))}
        payload = view.payload(record)
        return shown | {
            "component": view.component,
            "payload": {"header": payload.header, "arrays": payload.arrays},
            "drawing": drawn(view.svg(record, "light")),
        }

    def steps(self, name: str, params: Any, record: Any) -> Any:
        """What the page's stepper over a view is given; None for a view without one."""
        from core.figures.steps import stepper

        if name == "attention.steps":
            titles = self.view(name).titles()
            return stepper(len(titles), first=params.step, titles=titles, pace=2200,
                           selection=record.selection()).header  # fmt: skip
        if name == "norm.steps":
            from core.figures import norms

            return stepper(norms.N_STEPS, first=record.step, field="norm_step", pace=2200,
                           titles=norms.titles(), texts=norms.texts(record),
                           selection=record.selection()).header  # fmt: skip
        if name == "predict.next":
            from core.figures.predictions import selection_of
            from core.figures.text import quoted
            from core.language import _

            new = record.tokens[record.n_prompt :]
            titles = [_("nothing generated yet")]
            titles += [_("“{token}” was drawn").format(token=quoted(token)) for token in new]
            return stepper(len(titles), first=params.made, field="made", titles=titles,
                           clears=("token",), selection=selection_of(params)).header  # fmt: skip
        if name == "text.encode":
            counts = {"field": "word", "first": record.word, "counts": record.counts}
            return stepper(len(record.counts), field="join", first=max(record.counts), n_by=counts,
                           selection=params.selection() | {"word": record.word}).header  # fmt: skip
        if name == "text.learnt":
            texts = [record.done(step) for step in range(record.n_merges + 1)]
            return stepper(len(texts), first=record.step, field="merge", texts=texts, keys=False,
                           selection=record.selection()).header  # fmt: skip
        return None

    def notes(self, name: str, params: Any, record: Any) -> list[str]:
        """What pages say besides a view: errata, warnings, what could not be shown as asked for."""
        if name == "masks.worked":
            return self.view(name).errata(record)
        if name == "norm.steps":
            from core.figures.norms import errata

            return errata(record)
        if name == "predict.next":
            full = record.full(runs().model(params.model).config.n_ctx)
            return [full] if full else []
        if name == "masks.grid":
            from core.figures import masks

            leak, problem = masks.warning(record), masks.read_mask(params.mask)[1]
            said = [*masks.notices(record), *([str(leak)] if leak else [])]
            said += [str(masks.in_a_batch(record))] if record.batch else []
            return said + ([problem.sentence()] if problem else [])
        return []

    def further(self, name: str, params: Any, record: Any) -> dict[str, Any]:
        """What else pages ask a record for."""
        if name == "masks.grid":
            from core.figures import masks

            kinds = {kind: masks.spec_for(kind, record) for kind in masks.KINDS}
            return {"n": record.n, "kind": record.spec.kind, "becomes": kinds}
        if name == "masked.strip":
            clicks = [{"marked": [2, 3], "last": 3}, {"marked": [], "last": 10**6}, "nonsense"]
            return {"gaps": record.run.gaps, "hiding": [record.hiding(one) for one in clicks]}
        if name == "positions.sinusoidal":
            return {"last": record.last, "pair": params.shown_pair, "of last": record.pair_of_last}
        if name == "norm.steps" and record.run is not None:
            return {"place": record.place, "name": record.name}
        if name == "predict.next":
            at = record.looked_at()
            return {"looked at": at, "n_prompt": record.n_prompt, "n": len(record.tokens)}
        if name == "text.tokens":
            return {"words": record.n_words, "characters": len(record.run.text)}
        if name in ("map.run", "stream.sizes", "positions.shuffle", "masked.follows"):
            from core.figures import tokens

            return {"cut": tokens.cut_text(record.cut)}
        return {}

    def read(self, cls: type[Any], values: Mapping[str, str]) -> tuple[Any, list[str], Any]:
        """Parameters out of a link, what was wrong with them, and the link they write."""
        from core.figures.params import parse, to_query

        params, problems = parse(cls, values)
        return params, [problem.sentence() for problem in problems], to_query(params)

    def allowed(self, field: Any) -> Any:
        """The values that a parameter may have."""
        return field.metadata["range"]

    def make_runs(self) -> Any:
        """A store of models and results."""
        from core.runs import Runs

        return Runs(max_bytes=1024**3)

    def trace(self, case: Mapping[str, Any]) -> list[Any]:
        """The runs of a case outside the views."""
        from core.tracing import trace_run
        from core.tracing.run import Edit

        inputs = tuple(case["inputs"]) if case.get("pair") else case["inputs"]
        mask = None if case.get("mask") is None else np.array(case["mask"], bool)
        edits = [Edit(site, tuple(index), value) for site, index, value in case.get("edits", ())]
        model, sites = runs().model(case["model"]), case.get("sites")
        made = trace_run(model, inputs, mask=mask, sites=sites, edits=edits)
        return made if isinstance(made, list) else [made]

    def own_params(self, page: str) -> dict[str, type[Any]]:
        """The parameters that a page reads besides those of its views."""
        from pages.parts.sections import PositionPart, TextPart

        try:
            from pages.parts.names import Common, Layered
        except ImportError:  # at the reference
            from pages.parts.state import Common, Layered

        parts = {"tokenization": {"part": TextPart}, "positions": {"part": PositionPart}}
        return {"common": Common, "layered": Layered, **parts.get(page, {})}

    def unpacked(self, query: Mapping[str, str]) -> tuple[dict[str, str], list[Any]]:
        """The values of a link, and what was wrong with it."""
        from pages.parts.state import unpack

        return unpack(query)

    def script(self, page: str) -> str:
        """The file of a page's script."""
        from pages.parts.table import TABLE

        return next(row.file for row in TABLE if row.address == page)


# --- the views as they will be ------------------------------------------------------------------


class V2(V1):
    """``core.views``: a view gives named values and a component, which gives payload and drawing.

    Provisional. What it does not say itself is as in ``V1``; whatever the new API says otherwise
    is put right here, and nothing else in this file.
    """

    def names(self) -> list[str]:
        """Every view that has moved."""
        from core.views import all_views

        return list(all_views())

    def view(self, name: str) -> Any:
        """A view."""
        from core.views import get

        return get(name)

    def show(self, name: str, query: Mapping[str, str]) -> dict[str, Any]:
        """Everything that a view shows for a link's query."""
        from core.figures.values import to_csv

        view = self.view(name)
        params, problems, _link = self.read(view.Params, query)
        record = view.compute([runs().get(one) for one in view.requests(params)], params)
        component = view.show(record)
        shown = {
            "api": "v2",
            "problems": problems,
            "title": component.title,
            "reading": reading(view.describe(record)),
            "table": cells(to_csv(view.values(record))),
            "steps": self.steps(name, params, record),
            "notes": self.notes(name, params, record),
            "further": self.further(name, params, record),
        }
        if hasattr(component, "figure"):
            return shown | {"figure": self.plotted(component.figure("light"))}
        payload = component.payload()
        return shown | {
            "component": component.folder,
            "payload": {"header": payload.header, "arrays": payload.arrays},
            "drawing": drawn(component.drawing("light")),
        }

    def plotted(self, figure: Any) -> dict[str, Any]:
        """What a Plotly figure says; categories, which are places now, by their names again."""
        found = plotted(figure)
        for letter in "xy":
            axis = found["axes"].get(f"{letter}axis", {})
            names = axis.get("ticktext")
            if not names or list(axis["tickvals"]) != list(range(len(names))):
                continue  # of some places only
            for series, trace in zip(found["data"], figure.data, strict=True):
                if trace[letter][0] is not None:  # a sign of the legend is nowhere
                    series[letter] = [names[int(at)] for at in trace[letter]]
        return found

    def steps(self, name: str, params: Any, record: Any) -> Any:
        """What the stepper over a view is given; None for a view without one."""
        steps = self.view(name).steps(record)
        return None if steps is None else steps.payload().header

    def notes(self, name: str, params: Any, record: Any) -> list[str]:
        """What is said besides a view."""
        return [str(note.text) for note in self.view(name).notes(record)]

    def further(self, name: str, params: Any, record: Any) -> dict[str, Any]:
        """What else pages ask a record for, as far as it still has it under the old names."""
        if name == "masks.grid":
            from core.views.masks.asked import KINDS
            from core.views.masks.run import spec_for

            kinds = {kind: spec_for(kind, record) for kind in KINDS}
            return {"n": record.queries.n, "kind": record.spec.kind, "becomes": kinds}
        try:
            return super().further(name, params, record)
        except (AttributeError, ImportError):
            return {}

    def read(self, cls: type[Any], values: Mapping[str, str]) -> tuple[Any, list[str], Any]:
        """Parameters out of a link, what was wrong with them, and the link they write."""
        from core.views.params import parse, to_query

        params, problems = parse(cls, values)
        return params, [problem.sentence() for problem in problems], to_query(params)

    def allowed(self, field: Any) -> Any:
        """The values that a parameter may have; what else is declared of it is new."""
        said = field.metadata["declared"]
        choices = None if said.choices is None else tuple(said.choices)
        return {"low": said.low, "high": said.high, "choices": choices,
                "pattern": said.pattern, "form": said.form}  # fmt: skip

    def make_runs(self) -> Any:
        """A store of models and results."""
        from core.runs.store import Runs

        return Runs(max_bytes=1024**3)

    def unpacked(self, query: Mapping[str, str]) -> tuple[dict[str, str], list[Any]]:
        """The values of a link, and what was wrong with it."""
        from pages.parts.link import unpack

        return unpack(query)


@cache
def moved_views() -> frozenset[str]:
    """The views that the new API has."""
    return frozenset(newest().names() if rewritten() else ())


def rewritten() -> bool:
    """Whether this tree has the new API, for some of its views at least."""
    return Path("core/views").is_dir()


def names() -> list[str]:
    """Every view of this tree."""
    old = V1().names() if Path("core/figures/view.py").is_file() else []
    return sorted(moved_views() | set(old))


def api(name: str) -> V1:
    """The API that shows a view."""
    return V2() if name in moved_views() else V1()


def newest() -> V1:
    """The API for whatever is no view."""
    return V2() if rewritten() else V1()


@cache
def runs() -> Any:
    """Models and results, for all cases of this process."""
    return newest().make_runs()


# --- the kinds of cases -------------------------------------------------------------------------


def of_view(case: Mapping[str, Any]) -> Any:
    """A view for a link's query."""
    return api(case["view"]).show(case["view"], case["query"])


def of_trace(case: Mapping[str, Any]) -> Any:
    """A run outside the views: all names in order, their shapes and their values."""
    return {"traces": [_traced(one) for one in newest().trace(case)]}


def _traced(trace: Any) -> dict[str, Any]:
    derived = [f"blocks.0.attn.{name}" for name in ("dots", "scores_masked")]
    made_from = [f"blocks.0.attn.{name}" for name in ("q", "k", "scores")]
    if any(name not in trace for name in made_from):
        derived = []
    return {
        "tokens": [[token.piece, token.id, token.start, token.end] for token in trace.tokens],
        "mask": trace.mask,
        "names": list(trace),
        "shapes": {name: list(trace[name].shape) for name in trace},
        "values": {name: _sampled(trace[name]) for name in [*trace, *derived]},
    }


def _sampled(values: np.ndarray) -> Any:
    """An array, or of a large one evenly spaced numbers, its sum, sum of sizes and largest size."""
    if values.size <= WHOLE:
        return values
    flat = values.reshape(-1)
    finite = flat[np.isfinite(flat)].astype(np.float64)
    sizes = np.abs(finite)
    return {
        "sample": flat[:: values.size // SAMPLED | 1],
        "totals": np.array([finite.sum(), sizes.sum(), sizes.max(initial=0.0), len(finite)]),
    }


def of_call(case: Mapping[str, Any]) -> Any:
    """A verb of the front door."""
    from core import predict, zoo

    model = runs().model(case["model"])
    given = case.get("given", [])
    if case["call"] == "encode":
        ids = [model.encode(text) for text in given]
        words = [[dataclasses.asdict(t) | {"data": t.data.hex()} for t in model.tokens(text)]
                 for text in given]  # fmt: skip
        return {"ids": ids, "decoded": [model.decode(one) for one in ids], "tokens": words}
    if case["call"] == "describe":
        return {"facts": zoo.describe(case["model"]), "card": model.card, "config": model.config,
                "metrics": model.metrics, "parameters": model.n_parameters}  # fmt: skip
    if case["call"] == "generate":
        from core.decoding.sampling import Sampling

        steps = predict.generate(
            model, *given, max_new=case["max_new"], sampling=Sampling(**case["sampling"])
        )
        return {"tokens": [step.token for step in steps]}
    return {"gives": getattr(predict, case["call"])(model, *given)}


def of_link(case: Mapping[str, Any]) -> Any:
    """A page's link: what each of its views and the page itself read out of it."""
    values, wrong = newest().unpacked(case["query"])
    readers = {name: api(name).view(name).Params for name in case["views"]}
    read = {}
    for name, cls in {**readers, **newest().own_params(case["page"])}.items():
        params, problems, link = newest().read(cls, values)
        said = {f.name: getattr(params, f.name) for f in dataclasses.fields(cls)}
        read[name] = {"params": said, "problems": problems, "link": link}
    return {"values": values, "problems": [one.sentence() for one in wrong], "read": read}


def of_registry(case: Mapping[str, Any]) -> Any:
    """All views with the parameters of each, and every text that can be translated."""
    from babel.messages.pofile import read_po

    with Path("assets/locale/glassformer.pot").open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    known = {}
    for name in names():
        fields = dataclasses.fields(api(name).view(name).Params)
        known[name] = {f.name: [f.type, f.default, api(name).allowed(f)] for f in fields}
    texts = [text for one in ids for text in ([one] if isinstance(one, str) else one)]
    return {"views": known, "catalogue": texts}


# --- whole pages --------------------------------------------------------------------------------


def opened(page: str, query: Mapping[str, str]) -> Any:
    """The app with a page open, as from a link."""
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(Path("pages/frame.py").resolve()), default_timeout=120)
    app.query_params.update(query)
    app.run()
    if page:
        app.switch_page(newest().script(page))
        app.query_params.update(query)
        app.run()
    return app


def of_page(case: Mapping[str, Any]) -> Any:
    """A page: its words, its figures, where it leads, and the link it writes."""
    app = opened(case["page"], case["query"])
    shown = {"crashes": [one.value for one in app.exception], **_of_app(app)}
    if case.get("press"):
        shown["leads"] = {}
        for n, button in enumerate(app.button):
            pressed = opened(case["page"], case["query"])
            pressed.button[n].click().run()
            shown["leads"][button.label] = _link_of(pressed)
    return shown


def _link_of(app: Any) -> dict[str, str]:
    query = {n: v if isinstance(v, str) else v[-1] for n, v in app.query_params.items()}
    return newest().unpacked(query)[0]


def _of_app(app: Any) -> dict[str, Any]:
    words: list[str] = []
    figures: list[str] = []
    places: list[str] = []
    steppers: list[Any] = []
    for element in _elements(app._tree):
        if element.type == "bidi_component":
            name, header = _component(element.proto)
            if name != "export":
                figures.append(name)
                places += [at for key, at in _leaves(header) if key in ("page", "places")]
            steppers += [header] if name == "stepper" else []
            if name in ("runbar", "map"):
                words += [text for _key, text in _leaves(header)]
        elif element.type == "plotly_chart":
            figures.append(f"plot: {json.loads(element.proto.spec)['layout']['title']['text']}")
        else:
            words += _words(element)
    places += [at for text in words for at in re.findall(r"\]\((\S+?)\)", text)]
    lines = (line for text in words for line in text.split("\n"))
    clean = (re.sub(r"\b\d+ ms\b", "# ms", line).strip() for line in lines)
    return {"words": [text for text in clean if text], "figures": figures, "places": places,
            "steppers": steppers, "link": _link_of(app)}  # fmt: skip


def _elements(node: Any) -> Iterator[Any]:
    for child in node.children.values():
        if child.type not in ("main", "sidebar", "event"):
            yield child
        if hasattr(child, "children"):
            yield from _elements(child)


def _component(proto: Any) -> tuple[str, Any]:
    """The name of a mounted component and the header of its payload."""
    data = proto.bytes
    length = int.from_bytes(data[:4], "little")
    return proto.component_name.rsplit(".", 1)[-1], json.loads(data[4 : 4 + length])


def _leaves(tree: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a tree with the name it stands under; in ``places`` always that one."""
    if isinstance(tree, Mapping):
        for name, one in tree.items():
            yield from _leaves(one, key if key == "places" else name)
    elif isinstance(tree, list):
        for one in tree:
            yield from _leaves(one, key)
    elif isinstance(tree, str) and tree:
        yield key, tree


def _words(element: Any) -> list[str]:
    """What an element of Streamlit says."""
    proto = element.proto
    if element.type == "html":
        if proto.body.startswith("<style"):
            return []
        blocks = re.split(r"</(?:p|h\d|div|li)>", proto.body)
        return [html.unescape(re.sub(r"<[^>]*>", "", block)) for block in blocks]
    if element.type == "table":
        frame = element.value
        return [*map(str, frame.columns), *(str(cell) for row in frame.values for cell in row)]
    said: list[str] = []
    for field, value in proto.ListFields() if hasattr(proto, "ListFields") else ():
        if field.name in ("label", "body", "help", "placeholder", "title", "delta", "icon"):
            said.append(str(value))
        elif field.name in ("expandable", "popover"):
            said.append(value.label)
        elif field.name == "options":
            said += [str(getattr(one, "content", one)) for one in value]
        elif field.name in ("min", "max", "step"):
            said.append(f"{field.name} {value:g}")
    if hasattr(element, "value") and element.type != "button":
        said.append(f"is {element.value}")
    return said


# --- the cases ----------------------------------------------------------------------------------

KINDS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "view": of_view, "trace": of_trace, "call": of_call, "link": of_link, "page": of_page,
    "registry": of_registry,
}  # fmt: skip


def extracted(case: Mapping[str, Any]) -> dict[str, Any]:
    """What a case shows; an error that a user can cause is shown too, any other is a crash."""
    from core.errors import CoreError

    try:
        return plain(KINDS[case["kind"]](case))
    except CoreError as problem:
        return {"error": {"class": type(problem).__name__, "sentence": problem.sentence()}}
    except Exception as problem:  # a bug is a finding too
        return {"crash": f"{type(problem).__name__}: {problem}"[:300]}


def main(cases: str, folder: str) -> None:
    """Extract every case of a list."""
    import logging

    import torch

    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    began = time.perf_counter()
    for n, (key, case) in enumerate(json.loads(Path(cases).read_text(encoding="utf-8"))):
        start = time.perf_counter()
        save(Path(folder, f"{key}.npz"), extracted(case))
        took = time.perf_counter() - start
        print(f"{n + 1} {took:.2f} s {case['view']} / {case['case']}", flush=True)
    print(f"extracted in {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

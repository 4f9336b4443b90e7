"""What a figure's address asks for: a view, its parameters, a model that has it; and the answer."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from core import views, zoo
from core.answers.app import FIGURE_FILES, App
from core.answers.drawings import drawing_of
from core.answers.partners import with_partners
from core.answers.titles import in_line
from core.answers.typed import changed, cut_said
from core.data.glossary import of_parameter
from core.device import usable
from core.errors import CoreError, as_said
from core.experiments import BY_ID
from core.figures.payload import Payload
from core.figures.text import sentence
from core.language import _, language
from core.runs.job_status import status
from core.runs.progress import JobProgress
from core.runs.request import Job
from core.shelf.abilities import english_only, model_for
from core.tracing.sites import axes, find
from core.tracing.source import line_with, source_line
from core.views import Control, View
from core.views.controls import controls_of
from core.views.given import given_to
from core.views.params import at_rest, parse
from core.views.text.typed import came_apart

# The kinds of an answer: all of it, its sentences alone, the arrays that are wanted later.
WHOLE, WORDS, LATER = KINDS = "bin", "words", "later"
LONGEST = 60_000  # characters of a value: three times what a field takes
_SET_BESIDE = frozenset({"experiment", "device", "_sites"})  # what is read besides parameters


@dataclass(frozen=True)
class TaggedBytes:
    """The bytes of one, and the tag by which a browser says that it has them."""

    body: bytes
    tag: str

    @property
    def nbytes(self) -> int:
        return len(self.body)


@lru_cache(1024)
def _names(view: str) -> frozenset[str]:
    """What is read of the address of a figure."""
    return _SET_BESIDE | {field.name for field in dataclasses.fields(views.get(view).Params)}


@dataclass(frozen=True)
class Address:
    """What a figure is asked with: the names that it reads, in one order.

    Attributes:
        view: its name.
        values: names and texts.
        kind: of the answer.
        language: of its words.
    """

    view: str
    values: tuple[tuple[str, str], ...]
    kind: str
    language: str

    @classmethod
    def of(cls, view: str, kind: str, query: Mapping[str, str]) -> Address:
        """The address of a request.

        Raises:
            ParameterError: there is no such view.
        """
        read = _names(view)
        params = {n: v for n, v in query.items() if n in read and len(v) <= LONGEST}
        return cls(view, tuple(sorted(params.items())), kind, language())


class FigureQuestion:
    """A figure with the parameters that an address stands for, of a model that has it.

    Args:
        address: where wrong values stand, their defaults count.
        app: that asks.

    Raises:
        CoreError: no model of the shelf has what it needs.
    """

    def __init__(self, address: Address, app: App) -> None:
        self.app, self.runs = app, app.runs
        query = dict(address.values)
        self.view: View[Any, Any] = views.get(address.view)
        self.address = address
        self.device = usable(query.get("device", "auto"))
        self.experiment = BY_ID.get(query.get("experiment", ""))
        params, self.problems = parse(self.view.Params, query)
        self.model: zoo.LoadedModel | None = None
        if not self.view.needs.no_model:
            name = model_for(params.model, self.view.needs)
            self.model = self.runs.model(name, self.device)
            params = with_partners(given_to(params, name, self.model), params.model)
        self.params = params if address.kind == WORDS else at_rest(params)
        self._query = query
        self.refused = ""  # why something else is shown

    @cached_property
    def jobs(self) -> list[Job]:
        """What has to be trained or measured for it."""
        return [request for request in self.view.requests(self.params) if isinstance(request, Job)]

    @cached_property
    def ready(self) -> bool:
        """Whether nobody has to wait for what it is made from; of a job she is told how it goes."""
        requests = self.view.requests(self.params)
        return all(
            isinstance(request, Job) or self.runs.ready(request, self.device)
            for request in requests
        )

    def answer(self, watched: Mapping[Job, JobProgress] = MappingProxyType({})) -> TaggedBytes:
        """What the browser is given.

        Args:
            watched: what its jobs have told so far.

        Raises:
            CoreError: a run cannot be carried out.
        """
        view, params = self.view, self.params
        for status_ in watched.values():
            if status_.problem is not None:
                raise status_.problem
        if not all(status_.records for status_ in watched.values()):
            return _packed(Payload({"answer": {"awaited": True, "controls": self.controls()}}))
        try:
            results = self._results(watched)
            record = view.compute(results, params)
        except CoreError as problem:
            other = view.otherwise(params)
            if other is None:
                raise
            self.params, self.refused = other, as_said(problem)
            return self.answer(watched)
        if view.absent(record):
            return _packed(Payload({"answer": {"absent": True}}))
        if self.address.kind == LATER:
            return _packed(
                drawing_of(self.runs, view, params, record, self.device).payload().only(later=True)
            )
        answer = self._around(record)
        if self.address.kind == WORDS:
            answer["letters"] = self._letters(results)
            save = self.app.files_of(view, params, self.device)
            panel = view.panel(record) or Payload({})
            header = {"answer": answer, "figure": view.name, "save": save, "panel": panel.header}
            return _packed(Payload(header, panel.arrays))
        answer["jobs"] = [status(job, now, self.runs) for job, now in watched.items()]
        return self._assemble(record, answer)

    def _around(self, record: Any) -> dict[str, Any]:
        """What stands around the figure."""
        view, steps = self.view, self.view.steps(record)
        return {
            "steps": None if steps is None else dict(steps.payload().header),
            "reading": view.describe(record).as_data(),
            "notes": [*self._abroad(), *([n.kind, n.text.as_data()] for n in view.notes(record))],
            "facts": in_line(view.facts(record)),
            "source": self._source(view.site(record), view.line(record)),
            "outcome": self._outcome(),
            "problem": self.refused,
            "changes": self._changes(),
            "cut": cut_said(getattr(record, "cut", "")),
            "controls": self.controls(view.controls(record)),
        }

    def _assemble(self, record: Any, answer: dict[str, Any]) -> TaggedBytes:
        """The drawing, with what stands around it."""
        view, params = self.view, self.params
        drawn = drawing_of(self.runs, view, params, record, self.device)
        payload = drawn.on_page()
        self.app.ahead.prepare(view.soon(params), self.device)
        answer |= {
            "folder": drawn.drawn_by or drawn.folder,
            "acts": view.acts(record),
        }
        first, save = payload.only(later=False), self.app.files_of(view, params, self.device)
        header = {**first.header, "figure": view.name, "save": save, "answer": answer}
        if payload.later:
            header["later"] = self._later()
        return _packed(Payload(header, first.arrays))

    def _later(self) -> str:
        """Where its further arrays are asked for."""
        query = urlencode([*self.address.values, ("_language", self.address.language)])
        return f"{self.app.prefix}{FIGURE_FILES}/{self.view.name}.{LATER}?{query}"

    def _results(self, watched: Mapping[Job, JobProgress]) -> list[Any]:
        """Of its requests, of jobs as far as they have told."""
        requests = self.view.requests(self.params)
        return [
            watched[request] if isinstance(request, Job) else self.runs.get(request, self.device)
            for request in requests
        ]

    def controls(self, settings: Sequence[Control] = ()) -> list[dict[str, Any]]:
        """What can be changed, and what is wrong with what the address says of it.

        Args:
            settings: what the view says of them.
        """
        blueprint = None if self.model is None else self.model.blueprint
        controls = controls_of(self.params, settings, blueprint)
        wrong = {problem_.name: problem_ for problem_ in self.problems}
        for control in controls:
            control["help"] = of_parameter(control.get("sets", control["name"]))
            if (problem := wrong.get(control["name"])) is not None:
                control["wrong"] = problem.sentence(control["label"])
                control |= {"value": problem.got} if control["kind"] == "line" else {}
        return controls

    def _source(self, site: str, place: tuple[str, str] | None) -> str:
        """The line of code that computed a site, or that is named; empty where none is."""
        if place is not None:
            line = line_with(*place)
        elif site and self.model is not None:
            line = source_line(find(self.model.catalogue, site))
        else:
            return ""
        return f"{line.code} · {line.path}:{line.line}"

    def _letters(self, results: Sequence[Any]) -> str:
        """What the letters in the shapes of the sites stand for that the address names."""
        if self.model is None:
            return ""
        catalogue = self.model.catalogue
        sites = [
            catalogue[name]
            for name in self._query.get("_sites", "").split(",")
            if name in catalogue
        ]
        lengths = next((result.lengths for result in results if hasattr(result, "lengths")), None)
        return axes(sites, self.model.sizes, lengths) if sites and lengths else ""

    @property
    def _of_the_page(self) -> bool:
        """Whether it reads the text in the box, of which more is said there."""
        return hasattr(self.params, "text")

    def _changes(self) -> list[Any]:
        """What the model changes in the text; of the page's the rest is said under the box."""
        texts = self.view.texts(self.params)
        if self.model is None or not texts:
            # A drawing that says what the model changes does not know what was put together before.
            apart = came_apart(self._query.get("text", ""))
            return sentence("{said}", said=apart).as_data() if apart else []
        kinds = {"unknown"} if self._of_the_page else set()
        changes = changed(self.runs, self.params.model, texts, self.device, kinds)
        return [] if changes is None else changes.as_data()

    def _abroad(self) -> list[Any]:
        """That the model has read English only, while a text of its own is in another language."""
        if self.model is None or self._of_the_page:
            return []
        text = english_only(self.params.model, " ".join(self.view.texts(self.params)))
        return [["info", sentence("{said}", said=text).as_data()]] if text else []

    def _outcome(self) -> dict[str, Any] | None:
        """What the last experiment moved, while this figure shows what it led to."""
        tried = self.experiment
        if tried is None or self.view.name != tried.place:
            return None
        now, _problems = parse(views.get(tried.view).Params, self._query)
        if not tried.led_to(now):
            return None
        try:
            outcome = tried.outcome(lambda request: self.runs.get(request, self.device))
        except CoreError:
            return None  # the figure says it
        sides = zip(tried.sides, (outcome.before, outcome.after), strict=True)
        return {"what": _(tried.what), "sides": [[_(n), tried.written(v)] for n, v in sides]}


def _packed(payload: Payload) -> TaggedBytes:
    body = payload.pack()
    return TaggedBytes(body, f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"')

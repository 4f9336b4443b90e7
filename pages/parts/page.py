"""The anatomy of a page: title, stage, source line, experiments, and what is folded away."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core import zoo
from core.errors import CoreError
from core.figures import tokens
from core.figures import view as views
from core.figures.payload import Payload
from core.figures.text import visible
from core.figures.theme import Mode
from core.figures.view import ComponentView, PlotView
from core.language import _, language
from core.memory import memory_of
from core.requests import Request, TokenizeRequest
from core.tracing.sites import SourceLine, axes, site, source_line
from core.tracing.source import line_with
from pages.parts import state
from pages.parts.components import mount
from pages.parts.runs import model_for, shared_runs
from pages.parts.state import Common


def mode() -> Mode:
    """Light or dark, as the browser shows it."""
    return "dark" if st.context.theme.type == "dark" else "light"


def heading(question: str, what: str = "", *, reads: Any = None) -> None:
    """The title, a question, and one line on what is selected and what it cost.

    Args:
        question: the title.
        what: is selected.
        reads: parameters whose text the page's model reads; what it changes in it is said.
    """
    st.html(
        f"<h1 class='glass-title'>{html.escape(question)}</h1>"
        + (f"<p class='glass-what'>{html.escape(what)}</p>" if what else "")
        + ("" if reads is None else _changes(reads.model, [reads.text]))
    )


def read_notice(model: str, texts: Sequence[str]) -> None:
    """What a model's tokenizer changes in further texts of a page; nothing if it does not."""
    line = _changes(model, texts)
    if line:
        st.html(line)


def _changes(model: str, texts: Sequence[str]) -> str:
    """What a model's tokenizer changes in texts before it cuts them, as HTML; empty if nothing."""
    runs = [_result(TokenizeRequest(model, text, masks=True)) for text in texts]
    said = tokens.changes([part for run in runs for part in run.parts])
    if said is None:
        return ""
    line = _("{model} changes the text.").format(model=model.upper())
    return f"<p class='glass-read'>{html.escape(f'{line} {said}')}</p>"


@dataclass(frozen=True, slots=True)
class Experiment:
    """One click that shows something surprising.

    Attributes:
        title: on the button, a verb first.
        watch: what to watch, one sentence.
        changes: of the state.
        shows: the view to look at then, where it lies further down the page.
    """

    title: str
    watch: str
    changes: Mapping[str, Any]
    shows: str = ""


def try_this(experiments: Sequence[Experiment]) -> None:
    """Three experiments side by side."""
    st.markdown("## " + _("Try this"))
    for column, experiment in zip(st.columns(len(experiments)), experiments, strict=True):
        with column, st.container(border=True):
            st.button(
                experiment.title,
                key=f"try-{experiment.title}",
                on_click=_carry_out,
                args=(experiment,),
                width="stretch",
            )
            st.markdown(experiment.watch)


def _carry_out(experiment: Experiment) -> None:
    state.update(dict(experiment.changes))
    if experiment.shows:
        place = experiment.shows.replace(".", "-")
        st.session_state["asked-to-go"] = {"n": asked_to_go()["n"] + 1, "to": place}


def asked_to_go() -> dict[str, Any]:
    """How many experiments have led down the page so far, and where the last one did."""
    asked: dict[str, Any] = st.session_state.get("asked-to-go", {"n": 0, "to": ""})
    return asked


def milliseconds(seconds: float) -> str:
    """A time as the line under the title says it."""
    return f"{seconds * 1e3:.0f}"


def choose_model(needs: str) -> str:
    """The model this page runs: the chosen one, or one that can, with a word about it."""
    chosen = state.read(Common).model
    able = model_for(chosen, needs)
    if able != chosen and chosen in zoo.shelf() and state.chosen("model"):
        can = {
            "causal": _("predict the next token"),
            "masked": _("fill in hidden words"),
        }[needs]
        st.info(
            _("{chosen} cannot {ability}; this page shows {able}. Your choice is kept.").format(
                chosen=chosen.upper(), ability=can, able=able.upper()
            ),
            icon=":material/swap_horiz:",
        )
    return able


def text_or_last(params: Any) -> Any:
    """The parameters with a text in them: when it is empty, the last one that was not."""
    last = st.session_state.get("last-text")
    if params.text.strip():
        st.session_state["last-text"] = params.text
        return params
    st.info(_("Type a word or two above. The last run is still shown."), icon=":material/edit:")
    return with_values(params, text=last or type(params)().text)


def stand_back(key: str) -> None:
    """Dim a figure of the text while there is none: it shows the last run.

    It answers as always; only its looks say that it waits.
    """
    if not state.read(Common).text.strip():
        name = re.sub(r"[^a-zA-Z0-9_-]", "-", key)  # as Streamlit makes a class of a key
        st.html(f"<style>.st-key-{name} {{ opacity: 0.45; }}</style>")


def with_values(params: Any, **values: Any) -> Any:
    """A copy of some parameters with other values."""
    fields = {name: getattr(params, name) for name in params.__dataclass_fields__}
    return type(params)(**{**fields, **values})


def device() -> str:
    """The device to run on: what was chosen, if this machine has it."""
    from core.device import available_devices

    chosen = state.read(Common).device
    return chosen if chosen in available_devices() else "auto"


def record_of(name: str, params: Any) -> Any:
    """Run what a view needs and compute its record.

    Raises:
        CoreError: a run cannot be carried out.
    """
    view = views.get(name)
    return view.compute([_result(request) for request in view.requests(params)], params)


def _result(request: Request) -> Any:
    """What a request gives; that a model is loaded for it first is said.

    Raises:
        CoreError: it cannot be carried out.
    """
    wanted = getattr(request, "model", None)  # some are worked out without one
    if wanted is None or shared_runs().has_model(wanted, device()):
        return shared_runs().get(request, device())
    with st.spinner(loading(wanted)):
        return shared_runs().get(request, device())


def tried(name: str, params: Any) -> Any | None:
    """The record of a view; None, and a message in its place, when the learner made a mistake."""
    try:
        return record_of(name, params)
    except CoreError as problem:
        show_error(problem)
        return None


def show_error(problem: CoreError) -> None:
    """A user's mistake: what happened and what to do. What was typed is kept."""
    said = problem.sentence()
    # A field's own name keeps its spelling.
    if not problem.template.startswith("{"):
        said = said[:1].upper() + said[1:]
    st.error(said, icon=":material/error:")


def loading(name: str) -> str:
    """What is waited for while a model loads."""
    megabytes = zoo.describe(name)["bytes"] / 1e6 if name in zoo.shelf() else 0.0
    return _("Loading {model}, {n} MB").format(model=name.upper(), n=f"{megabytes:.0f}")


def show(
    name: str,
    params: Any,
    *,
    key: str | None = None,
    on: dict[str, Callable[[Any], None]] | None = None,
    record: Any = None,
    export: bool = True,
) -> Any:
    """Show a view: run, compute, draw, and offer its export. Gives the record.

    A user's mistake is shown in place of the figure; nothing typed is lost.
    """
    view = views.get(name)
    key = key or name
    if hasattr(params, "text") and any(hasattr(one, "text") for one in view.requests(params)):
        stand_back(key)
    try:
        if isinstance(view, PlotView) and record is None:
            return _show_plot(_plotted(view, params), name, key, export=export)
        if record is None:
            record = record_of(name, params)
    except CoreError as problem:
        show_error(problem)
        return None
    if isinstance(view, PlotView):
        return _show_plot(_draw(view, record, mode()), name, key, export=export)
    assert isinstance(view, ComponentView)
    mount(view.component, view.payload(record), key=key, on=on)
    if export:
        exports(view, record, key)
    return record


@dataclass(frozen=True, eq=False)
class _Plot:
    """A plot with all that goes with it; ``nbytes`` is what that takes, where it is kept."""

    record: Any
    figure: Any
    alt: str
    csv: str
    nbytes: int = 0


def _draw(view: PlotView[Any, Any], record: Any, drawn_in: Mode) -> _Plot:
    figure = view.figure(record, drawn_in)
    return _Plot(record, figure, str(view.describe(record)), view.table(record).to_csv())


def _identity(view: PlotView[Any, Any], params: Any) -> tuple[Any, ...]:
    """All that a plot depends on."""
    if view.needs != "none" and hasattr(params, "model"):
        weights = shared_runs().model(params.model, device()).fingerprint
        return view.name, params, mode(), language(), device(), weights
    own = {"text", "model"} & set(params.__dataclass_fields__)  # which it does not read
    return view.name, with_values(params, **dict.fromkeys(own, "")), mode(), language(), "", ""


def _plotted(view: PlotView[Any, Any], params: Any) -> _Plot:
    """A plot, drawn once for all learners: building one takes Plotly 10 to 30 ms.

    Raises:
        CoreError: a run cannot be carried out.
    """
    runs, where = shared_runs(), device()
    _name, asked, drawn_in, *_rest = identity = _identity(view, params)

    def draw() -> _Plot:  # for whoever else waits for it, too: nothing of this session
        results = [runs.get(request, where) for request in view.requests(asked)]
        made = _draw(view, view.compute(results, asked), drawn_in)
        return replace(made, nbytes=memory_of(made))

    plot: _Plot = runs.keep(("plot", *identity), draw)
    return plot


def _show_plot(plot: _Plot, name: str, key: str, *, export: bool) -> Any:
    st.plotly_chart(
        plot.figure,
        key=key,
        width="stretch",
        config={
            "displaylogo": False,
            "toImageButtonOptions": {"format": "svg", "filename": name},
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        },
    )
    st.html(f"<p class='visually-hidden'>{html.escape(plot.alt)}</p>")
    if export:
        _export(name, plot.csv, plot.alt, None, key, plot=key)
    return plot.record


def exports(view: ComponentView[Any, Any], record: Any, key: str) -> None:
    """Save the figure and its numbers."""
    drawing = view.svg(record, mode())
    _export(view.name, view.table(record).to_csv(), str(view.describe(record)), drawing, key)


def _export(
    name: str, csv: str, alt: str, drawing: str | None, key: str, plot: str | None = None
) -> None:
    """The row of buttons; the files are made in the browser, nothing is uploaded.

    Args:
        name: of the view, and so of the files.
        csv, alt: its numbers, and what is read aloud.
        drawing: the figure as SVG; None for a plot.
        key: of the figure.
        plot: key of the plot that the browser takes the drawing from.
    """
    header: dict[str, Any] = {
        "name": name.replace(".", "-"),
        "csv": csv,
        "svg": drawing,
        "plot": plot,
        "alt": alt,
        "labels": {
            "save": _("Save"),
            "svg": _("SVG"),
            "png": _("PNG"),
            "csv": _("Data (CSV)"),
            "read": _("Read aloud as text"),
        },
    }
    mount("export", Payload(header), key=f"export-{key}")


def source(name: str) -> None:
    """The line of code that computed a site, in the chosen model's kind of block."""
    chosen = state.read(Common).model
    known = chosen in zoo.shelf()
    _source(source_line(name, shared_runs().model(chosen).model.topology if known else None))


def _source(line: SourceLine) -> None:
    st.html(
        f"<p class='glass-source'>{html.escape(_('computed by'))} "
        f"<code>{html.escape(line.code)}</code> · {html.escape(line.path)}:{line.line}</p>"
    )


def source_of(path: str, code: str) -> None:
    """The line of a file that computed something no site stands for."""
    _source(line_with(path, code))


def reading(name: str, record: Any) -> None:
    """A view's reading, each marked word in its colour; nothing for a view that could not run."""
    if record is None:
        return
    words = "".join(
        f"<span class='role-{part.role}'>{html.escape(part.text)}</span>"
        for part in views.get(name).describe(record).parts
    )
    st.html(f"<p class='glass-reading'>{words}</p>")


def cut_notice(cut: str) -> None:
    """What of a text did not fit the context, as the token strips say it; nothing if all did."""
    if cut:
        words = html.escape(visible(tokens.cut_text(cut)).replace("·", " "))
        said = html.escape(tokens.strip_labels()["cut"])
        st.html(f"<p class='glass-what'><s>{words}</s> {said}</p>")


def definitions(names: Sequence[str], reads: Any, n_tokens: int | None = None) -> None:
    """What the tensors on this page are and how large, folded away.

    Args:
        names: of their sites.
        reads: parameters whose text the page's model reads.
        n_tokens: positions of the run, where they are not those of the text (padding).
    """
    config = shared_runs().model(reads.model, device()).config
    if n_tokens is None:
        n_tokens = len(_result(TokenizeRequest(reads.model, reads.text, masks=True)).tokens)
    sizes = {
        "T": n_tokens,
        "D": config.d_model,
        "H": config.n_heads,
        "F": config.d_ff,
        "V": config.vocab_size,
    }
    with st.expander(_("What every name on this page means")):
        st.markdown(axes(names, sizes))
        for name in names:
            found = site(name)
            shape = " × ".join(found.shape)
            st.markdown(f"`{found.pattern}` ({shape}) $\\;{found.symbol}$ — {found.sentence()}")

"""The anatomy of a page: which model it runs, title, source line, experiments, what is folded."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from core import views, zoo
from core.experiments import Experiment
from core.figures.text import shortened
from core.language import _, name_of, ngettext
from core.locale import in_quotes, listed
from core.models.needs import Needs
from core.runs.requests import TokenizeRequest, TraceRequest
from core.tracing.sites import Site, axes, find
from core.tracing.source import SourceLine, line_with, source_line
from core.views.given import given_to
from core.views.params import Problem, declared
from core.views.parts import lacking
from pages.parts import controls, sentence, state
from pages.parts.figure import result_of
from pages.parts.messages import (
    changes,
    say,
    say_what_is_shown,
    say_which_language,
    small_print,
)
from pages.parts.names import Machine
from pages.parts.outcome import OUTCOME
from pages.parts.runs import device, lacks, model_for, shared_runs
from pages.parts.session import own_session
from pages.parts.table import row_at
from pages.parts.title import title_html

P = TypeVar("P")
QUOTED = 60  # characters of a text that a card names


def open_page(params: type[P], *, scope: str = "") -> P:
    """The parameters of a page: as the link says, with a model that has what it needs.

    Args:
        params: with a text and a model.
        scope: of the figures; the page's own when empty.
    """
    say_which_model()
    say_what_is_shown()
    say_which_language(model_here())
    return params_of(params, scope=scope)


def params_of(params: type[P], *, scope: str = "", follow: Collection[str] = ()) -> P:
    """The same for a further part of the page, where all has been said.

    Args:
        params: with a text and a model.
        scope: of the figures; the page's own when empty.
        follow: what lives in the browser and is followed all the same (``state.read``).
    """
    model = model_here()
    found = state.read(params, scope, follow=follow)
    loaded = shared_runs().model(model)
    own: Any = dataclasses.replace(found, model=model)  # type: ignore[type-var]
    state.note([*lacking(own, loaded.blueprint), *unknown(own)], scope)
    return text_or_last(given_to(own, model, loaded))  # type: ignore[no-any-return]


def unknown(params: Any) -> list[Problem]:
    """The models that are named beside the page's own and are not on the shelf."""
    fields = [field.name for field in dataclasses.fields(params) if field.name != "model"]
    said = {name: getattr(params, name) for name in fields if declared(params, name).model}
    wanted = _("one of {choices}").format(choices=listed(zoo.shelf(), "or"))
    return [
        Problem(name, model, wanted, "")
        for name, model in said.items()
        if model and model not in zoo.shelf()
    ]


def model_here() -> str:
    """The model this page runs: the chosen one, or one that has what the page needs."""
    return model_for(state.read(Machine).model, needs_here())


def needs_here() -> Needs:
    """What a model must have for this page."""
    return row_at(own_session().page).needs


def say_which_model() -> None:
    """A word about it where another model is shown than the chosen one."""
    chosen, able, needs = state.read(Machine).model, model_here(), needs_here()
    if able == chosen or chosen not in zoo.shelf() or not state.chosen("model"):
        return
    template = _("{chosen} cannot {ability}; this page shows {able}. Your choice is kept.")
    if needs.ability == "classify_text" and "fill_spans" in zoo.abilities(chosen):
        template = _("{chosen} has no head for labels: it writes them as words, as the page “Spans "
                     "and noise” shows. This page shows {able}. Your choice is kept.")  # fmt: skip
    shows_another(template, chosen, able, needs)


def shows_another(template: str, chosen: str, able: str, needs: Needs) -> None:
    """Say that another model is shown than the chosen one, and what that cannot do."""
    why = lacks(chosen, needs)
    assert why is not None
    say(
        "info",
        template.format(chosen=name_of(chosen), ability=_(why), able=name_of(able)),
        icon=":material/swap_horiz:",
    )


def text_or_last(params: P) -> P:
    """The parameters with a text in them: when it is empty, the last one that was not."""
    own: Any = params
    if own.text.strip():
        st.session_state["last-text"] = own.text
        return params
    last = st.session_state.get("last-text")
    return dataclasses.replace(own, text=last or type(own)().text)  # type: ignore[no-any-return]


def heading(
    question: str,
    what: str | Sequence[str] = "",
    *,
    claim: str = "",
    terms: Sequence[str] = (),
    reads: Any = None,
) -> None:
    """The title, a question, its answer in two sentences, and behind "Details" what is second.

    That is what is selected, what it cost, further words, and below the figures the line of code.

    Args:
        question: the title.
        what: is selected; of several facts those that are not empty.
        claim: what this part does and why it is there; marks the terms that it explains.
        terms: ids of further terms on this page.
        reads: parameters whose text the page's model reads; what it changes in it is said.
    """
    if not isinstance(what, str):
        what = in_line(what)
    # What has no entry is said under the box.
    changed = "" if reads is None else changes(reads.model, [reads.text], {"unknown"})
    st.html(title_html(question, what, claim, terms, changed))


def in_line(several: Sequence[str]) -> str:
    """Facts in one line; those that are empty are left out."""
    line = " · ".join(filter(None, several))
    return line[:1].upper() + line[1:]


def facts(*several: str) -> None:
    """Facts of what is shown below, where a page shows several things side by side."""
    st.html(f"<p class='glass-what glass-detail'>{html.escape(in_line(several))}</p>")


def milliseconds(seconds: float) -> str:
    """A time as the line under the title says it."""
    return f"{seconds * 1e3:.0f}"


def n_tokens(n: int) -> str:
    """How many tokens, as a fact under the title."""
    return ngettext("{n} token", "{n} tokens", n).format(n=n)


def ran_in(seconds: float) -> str:
    """What a run took, as a fact under the title."""
    return _("ran in {ms} ms").format(ms=milliseconds(seconds))


def try_this(experiments: Sequence[Experiment]) -> None:
    """Experiments, three side by side."""
    st.markdown("## " + _("Try this"))
    small_print(_("A click sets the page as its card says. Undo brings back what you had."))
    for row in (experiments[at : at + 3] for at in range(0, len(experiments), 3)):
        for column, experiment in zip(st.columns(len(row)), row, strict=True):
            with column, st.container(border=True):
                carry_out = partial(_carry_out, experiment)
                controls.button(
                    _(experiment.title), f"try-{experiment.id}", carry_out, width="stretch"
                )
                st.markdown(_(experiment.watch))
                if text := experiment.after.get("text"):
                    said = _("It runs on {text}").format(text=in_quotes(shortened(text, QUOTED)))
                    small_print(said)


def _carry_out(experiment: Experiment) -> None:
    """Change what it changes; what another one of this page had changed is as it was before that.

    Else a figure that this one says nothing of would go on showing what the other made of it.
    """
    session = own_session()
    page, put = session.tried
    before = {
        name: was
        for name, (was, now) in put.items()
        if page == session.page and session.values.get(name) == now
    }
    own = state.read(views.get(experiment.view).Params)
    after = state.as_of_this_page({
        name: experiment.beside(name, before.get(name) or getattr(own, name, value), value)
        for name, value in experiment.after.items()
    })  # fmt: skip
    if (text := after.get(sentence.TEXT)) is not None:
        after |= sentence.lent(text)
    known = {name: before.get(name, session.values.get(name)) for name in after}
    state.update({**before, **after, "experiment": experiment.id})
    changed = {name: (was, session.values.get(name)) for name, was in known.items()}
    session.tried = session.page, changed
    if experiment.section:
        for one in own_session().parts.values():
            one.due |= one.lazy  # what is to be looked at may not be drawn yet
            one.near |= one.lazy
    go_to(OUTCOME)


def go_to(key: str, *, far: bool = False, turns: bool = False) -> None:
    """Bring into sight what has this key.

    Args:
        key: as Streamlit's page has it.
        far: only if it begins where it would not be noticed: above the screen, or far down.
        turns: to another screen, whose title has the keyboard if a key has led there.
    """
    asked = {"n": scroll_to()["n"] + 1, "to": key, "far": far, "turns": turns}
    st.session_state["scroll-to"] = asked


def scroll_to() -> dict[str, Any]:
    """How often something was brought into sight so far, and what was last."""
    asked: dict[str, Any] = st.session_state.get("scroll-to", {"n": 0, "to": ""})
    return asked


def _lengths(reads: Any) -> dict[str, int]:
    """The positions of each stream: of a single one they are the text's, else the run knows."""
    streams = shared_runs().model(reads.model, device()).blueprint.streams
    if len(streams) == 1:
        found = result_of(TokenizeRequest(reads.model, reads.text, masks=True))
        return {streams[0]: len(found.tokens)}
    trace = result_of(TraceRequest(reads.model, reads.given)).trace
    return {name: len(stream.units) for name, stream in trace.streams.items()}


def source(name: str, model: str) -> None:
    """The line of code that computed a site of a model."""
    _source(source_line(find(shared_runs().model(model, device()).catalogue, name)))


def source_of(path: str, code: str) -> None:
    """The line of a file that computed something no site stands for."""
    _source(line_with(path, code))


def _source(line: SourceLine) -> None:
    before = html.escape(_("computed by"))
    st.html(
        f"<p class='glass-source glass-detail'>{before} "
        f"<code>{html.escape(line.code)}</code> · {html.escape(line.path)}:{line.line}</p>"
    )


def definitions(names: Sequence[str], reads: Any, lengths: Mapping[str, int] | None = None) -> None:
    """What the tensors on this page are and how large, folded away.

    Args:
        names: of their sites.
        reads: parameters whose text the page's model reads.
        lengths: positions of each stream of the run, where they are not those of the text
            (padding).
    """
    model = shared_runs().model(reads.model, device())
    sites = [model.catalogue[name] for name in names if name in model.catalogue]
    with st.expander(_("What every name on this page means")):
        st.markdown(axes(sites, model.sizes, lengths or _lengths(reads)))
        sites_defined(sites)


def sites_defined(sites: Sequence[Site]) -> None:
    """What some tensors are."""
    for found in sites:
        of = " × ".join(found.axes)
        st.markdown(f"`{found.pattern}` ({of}) $\\;{found.symbol}$ — {found.sentence()}")

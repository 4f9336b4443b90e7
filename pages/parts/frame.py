"""What surrounds every page: run bar, you-are-here strip, notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core import zoo
from core.answers import typed
from core.answers.app import REMARKS
from core.answers.link import PACKED
from core.answers.names import LESSONS, Layered, PageNames, Touring, in_words
from core.device import available_devices
from core.figures.payload import Payload
from core.language import N_, _, available_languages, language, name_of
from core.locale import in_quotes, own_name
from core.shelf.abilities import by_rank, can, languages_of, model_label
from core.views.map.strip import strip_payload
from core.views.params import param
from core.views.parts import fitting
from core.yaml_files import TABLES, read_yaml
from pages.parts import sentence, state
from pages.parts.components import mount
from pages.parts.looks import looks
from pages.parts.messages import say, unread_picture
from pages.parts.prefix import prefix
from pages.parts.runs import device, shared_runs
from pages.parts.shortcuts import shortcuts
from pages.parts.table import PageRow
from pages.parts.whose import BarText, in_bar, not_hers, of_experiment

WORDS: list[dict[str, str]] = read_yaml(TABLES / "bar.yaml")
FEW = 3  # models that a newcomer is offered
DEVICE_NAMES = {"auto": "auto", "cpu": "CPU", "cuda": "CUDA", "mps": "MPS"}


def styles(machine: PageNames) -> None:
    """The looks of the page around the components."""
    lecture = ["lecture.css"] if machine.view == "lecture" else []
    st.html(f"<style>{looks('page.css', 'streamlit.css', *lecture)}</style>")


def link(live: Mapping[str, Any]) -> None:
    """The state of the page, for the browser, whose it is; it is the first thing on the page."""
    mount("link", Payload(live), key="link")


def mend(values: Mapping[str, str | None]) -> None:
    """What the page has found wrong in its link and set right since."""
    mount("mends", Payload({"values": {**values}}), key="mends")


def run_bar(shown: str, row: PageRow) -> None:
    """What every page can be asked for: text, model, device, language, and what its buttons do.

    Args:
        shown: the model that the page runs; the bar shows it until another one is chosen.
        row: the page.
    """
    machine, line = state.read(PageNames), in_bar(row, shown)
    devices = ("auto", *available_devices())
    automatic = DEVICE_NAMES[available_devices()[0]]
    header: dict[str, Any] = {
        "text": line.text,
        "example": state.current_page().opened.get(sentence.TEXT, sentence.COMMON),
        "asks": prefix() + REMARKS,
        "note": line.note,
        "fixed": line.fixed,
        **_under(line, row, shown),
        **_models(machine, shown, line.model, row),
        "device": machine.device if machine.device in devices else "auto",
        "devices": [
            [d, _("auto ({device})").format(device=automatic) if d == "auto" else DEVICE_NAMES[d]]
            for d in devices
        ],
        "speaks": language(),  # "language" is how every payload says its own
        "languages": [[code, own_name(code)] for code in available_languages()],
        "lecture": machine.view == "lecture",
        "labels": _labels() | _placeholder(line.model or shown),
        "shortcuts": shortcuts(row, text=line.text is not None),
    }
    mount("runbar", Payload(header), key="runbar")


def _under(line: BarText, row: PageRow, shown: str) -> dict[str, Any]:
    """What stands under the box: what there is to say of the text, and of the machine."""
    if line.model == "":  # what runs is no one model's
        return {"remarks": [], "machine": {}}
    model = line.model or shown
    fixed = line.text is None or line.fixed
    is_introduced = row.address == LESSONS or (not row.address and state.read(Touring).tour > 0)
    return {
        "remarks": []
        if fixed
        else typed.remarks(shared_runs(), sentence.as_typed(line.text or ""), model, device()),
        "machine": {} if is_introduced else typed.introduction(model, typed=not fixed),
    }


def _placeholder(model: str) -> dict[str, str]:
    """What the box says of the language that it wants; no more than a hint where that is hers."""
    reads = (*languages_of(model), "")[0]
    wants = {"en": _("Type an English sentence"), "fr": _("Type a French sentence")}
    names = {"en": _("in English"), "fr": _("in French")}
    placeholder = wants.get(reads, _("Type a sentence"))
    return {
        "placeholder": placeholder,
        "reads": names[reads] if reads not in ("", language()) else "",
    }


def _models(machine: PageNames, shown: str, runs: str | None, row: PageRow) -> dict[str, Any]:
    """Which models can be chosen, and which is; the one that a lesson's step runs stands alone.

    Whoever has not asked for more is offered the first few: of those that the page can show.
    """
    shelf = zoo.shelf()
    chosen = machine.model if state.chosen("model") and machine.model in shelf else shown
    ranked = sorted(by_rank(), key=lambda name: not can(name, row.needs))
    offered = ranked if runs is None else [runs] if runs in shelf else []
    models = [[name, model_label(name)] for name in offered]
    return {"model": runs or chosen, "models": models, "few": FEW}


def _labels() -> dict[str, str]:
    """The words of the bar."""
    labels = {words["name"]: _(words["label"]) for words in WORDS}
    return {**labels, "of_experiment": of_experiment(), "not_hers": not_hers()}


@dataclass(frozen=True, slots=True)
class StackChoice:
    """Which of several stacks and kinds of attention the page shows.

    Attributes:
        stack: its name; empty for the one that predicts.
        attention: its name; empty for that stack's own.
    """

    stack: str = param("", part="stack", picked=True, label=N_("Stack"))
    attention: str = param("", part="attention", picked=True, label=N_("Attention"))


def strip(name: str, row: PageRow, places: dict[str, str]) -> None:
    """The model folded flat: the lit place is this page, every other one is a link.

    Args:
        name: of the model whose parts are drawn.
        row: this page, with the ids of the parts that it shows.
        places: part id -> address of the page that shows it.
    """
    blueprint = shared_runs().model(name).blueprint
    opened, chosen, parts = fitting(state.read(StackChoice), blueprint), {}, row.parts
    if len(blueprint.stacks) > 1:
        chosen["stack"] = blueprint.stack(opened.stack).name
    if len(blueprint.attentions) > 1:
        shown = row.attends(blueprint) if row.attends else None
        chosen["attention"] = (shown or blueprint.attention(opened.attention)).name
    state.read(Layered)  # it stands in every link
    payload = strip_payload(
        blueprint, parts, places, layer=Layered().layer, chosen=chosen, steps=row.steps
    )
    mount("map", payload, key="strip")


def notices(shown: str) -> None:
    """What the learner should know of this run's input; ``shown`` is the model that runs."""
    with st.container(key="asked-for"):  # until something is changed
        for problem in state.current_page().problems:
            text = problem.sentence(in_words(problem.name))
            if problem.name == PACKED:
                text = _("This link is incomplete. Copy all of it and try again.")
            elif problem.name == "picture":
                text = unread_picture(shown)
            say("warning", text, icon=":material/link:")
    if (common := state.read(PageNames)).model not in zoo.shelf():
        say(
            "warning",
            _("There is no model called {name} here; {other} is shown.").format(
                name=in_quotes(common.model), other=name_of(shown)
            ),
            icon=":material/inventory_2:",
        )
    if common.device != "auto" and common.device not in available_devices():
        say(
            "warning",
            _("This machine has no device {name}; the model runs on {other}.").format(
                name=DEVICE_NAMES[common.device], other=DEVICE_NAMES[available_devices()[0]]
            ),
            icon=":material/memory:",
        )

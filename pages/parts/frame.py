"""What surrounds every page: run bar, you-are-here strip, notices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core import zoo
from core.device import available_devices
from core.figures.payload import Payload
from core.language import N_, _, available_languages, language, name_of
from core.locale import in_quotes, own_name
from core.views.map.strip import strip_payload
from core.views.params import OnText, param
from core.views.parts import fitting
from pages.parts import address, sentence, state, typed
from pages.parts.components import mount
from pages.parts.limits import bounded, declared_only
from pages.parts.link import PACKED, clean
from pages.parts.looks import looks
from pages.parts.messages import languages_of, say, unread_picture
from pages.parts.names import BAR_MODEL, Layered, Machine, Touring, in_words, says_where
from pages.parts.page import scroll_to
from pages.parts.reruns import LINK
from pages.parts.runs import device, shared_runs
from pages.parts.session import own_session
from pages.parts.shortcuts import shortcuts
from pages.parts.table import Row, model_label
from pages.parts.whose import Said, in_bar

DEVICE_NAMES = {"auto": "auto", "cpu": "CPU", "cuda": "CUDA", "mps": "MPS"}


def styles(machine: Machine) -> None:
    """The looks of the page around the components."""
    lecture = ["lecture.css"] if machine.view == "lecture" else []
    st.html(f"<style>{looks('page.css', 'streamlit.css', *lecture)}</style>")


def link(asks: Collection[str], live: Mapping[str, Any] | None = None) -> None:
    """What is selected and what can be undone, both ways; it is the first thing on the page.

    Args:
        asks: names that a figure selects and the server must answer.
        live: the state of a page whose figures ask for themselves.
    """
    session = own_session()
    session.run += 1
    header: dict[str, Any] = {
        "run": session.run,
        "session": session.ident,
        "address": session.page,
        "asks": sorted(asks),
        "chosen": state.in_browser(),
        "live": live,
        "can_undo": state.can_undo(),
        "missing": address.left_out(),
        "wanted": {name: one.wanted for name, one in session.parts.items() if one.near},
    }
    header |= {"rest": rest} if (rest := address.unsaid()) else {}
    if scroll_to()["n"]:
        header["go"] = scroll_to()
    mount("link", Payload(header), key=LINK, on=LINKED)


def _select(chosen: Any) -> None:
    """Take over what was selected in the browser."""
    found = state.selection(chosen)
    looks = all(says_where(name.rpartition(".")[2]) for name in found)
    state.update(found, looks=looks)


def _remember(rest: Any) -> None:
    """Take over what no link of this page says, from a browser that knows more than this server."""
    session = own_session()
    said = declared_only(rest) if isinstance(rest, dict) else {}
    said = {name: clean(value) for name, value in said.items() if isinstance(value, str)}
    known = dict(session.values)
    if not known.get(sentence.HERS) and sentence.HERS in said:
        known[sentence.HERS] = said[sentence.HERS]
    session.values = bounded(said | known)


def _draw_what_is_near(names: Any) -> None:
    """Draw parts of the page that are near what the learner sees."""
    parts = own_session().parts
    for name in names if isinstance(names, list) else []:
        if name in parts and parts[name].lazy:
            parts[name].near = parts[name].due = True


def _recolour(_mode: Any) -> None:
    """Draw the whole page in the colours that the browser has turned to."""
    own_session().parts[""].due = True


LINKED = {"selection": _select, "rest": _remember, "near": _draw_what_is_near, "mode": _recolour}


def run_bar(shown: str, row: Row) -> None:
    """What every page can be asked for: text, model, device, language, and what its buttons do.

    Args:
        shown: the model that the page runs; the bar shows it until another one is chosen.
        row: the page.
    """
    machine, said = state.read(Machine), in_bar(row, shown)
    devices = ("auto", *available_devices())
    automatic = DEVICE_NAMES[available_devices()[0]]
    header: dict[str, Any] = {
        "run": own_session().run,  # what is as it was before would not reach the field
        "session": own_session().ident,
        "text": said.text,
        "example": own_session().example or OnText().text,  # where the state says none
        "asks": typed.address(),
        "note": said.note,
        "fixed": said.fixed,
        **_under(said, row, shown),
        **_models(machine, shown, said.model),
        "device": machine.device if machine.device in devices else "auto",
        "devices": [
            [d, _("auto ({device})").format(device=automatic) if d == "auto" else DEVICE_NAMES[d]]
            for d in devices
        ],
        "speaks": language(),  # "language" is how every payload says its own
        "languages": [[code, own_name(code)] for code in available_languages()],
        "lecture": machine.view == "lecture",
        "labels": _labels() | _wanted(said.model or shown),
        "shortcuts": shortcuts(row, text=said.text is not None),
    }
    hear = partial(_take_bar, shown, row)
    mount("runbar", Payload(header), key="runbar", on={"bar": hear, "action": _act})


def _under(said: Said, row: Row, shown: str) -> dict[str, Any]:
    """What stands under the box: what there is to say of the text, and of the machine."""
    if said.model == "":  # what runs is no one model's
        return {"remarks": [], "machine": {}}
    model = said.model or shown
    fixed = said.text is None or said.fixed
    told = row.address == address.LESSONS or (not row.address and state.read(Touring).tour > 0)
    return {
        "remarks": []
        if fixed
        else typed.remarks(sentence.as_typed(said.text or ""), model, device()),
        "machine": {} if told else typed.introduction(model, typed=not fixed),
    }


def _wanted(model: str) -> dict[str, str]:
    """What the box says of the language that it wants; no more than a hint where that is hers."""
    reads = (*languages_of(model), "")[0]
    wants = {"en": _("Type an English sentence"), "fr": _("Type a French sentence")}
    names = {"en": _("in English"), "fr": _("in French")}
    asked = wants.get(reads, _("Type a sentence"))
    return {"placeholder": asked, "reads": names[reads] if reads not in ("", language()) else ""}


def _models(machine: Machine, shown: str, runs: str | None) -> dict[str, Any]:
    """Which models can be chosen, and which is; the one that a lesson's step runs stands alone."""
    shelf = zoo.shelf()
    chosen = machine.model if state.chosen("model") and machine.model in shelf else shown
    offered = shelf if runs is None else [runs] if runs in shelf else []
    return {"model": runs or chosen, "models": [[name, model_label(name)] for name in offered]}


def _labels() -> dict[str, str]:
    """The words of the bar; ``{what}`` is what is too long for a link."""
    return {
        "text": _("The text that runs through the model"),
        "model": _("Model"),
        "device": _("Device"),
        "language": _("Language"),
        "to_figure": _("To the figure"),
        "find": _("Search"),
        "more": _("More settings"),
        "copy": _("Copy link"),
        "copied": _("Link copied"),
        "copied_without": _("Link copied, but without {what}: too long for a link"),
        "copy_by_hand": _("Copy this link:"),
        "copy_by_hand_without": _("Copy this link, which leaves out {what}:"),
        "undo": _("Undo"),
        "reset": _("Reset"),
        "lecture": _("Lecture view"),
        "leave": _("Leave lecture view"),
        "shortcuts": _("Keyboard shortcuts"),
        "characters": _("Shortcuts with single keys"),
        "close": _("Close"),
        "lost": _("Connection lost. What you do is kept until it is back."),
    }


def _take_bar(shown: str, row: Row, said: Any) -> None:
    """Take over what was changed in the bar."""
    if not isinstance(said, dict):
        return
    names = ("model", "device", "language")
    changes = {name: said[name] for name in names if isinstance(said.get(name), str)}
    state.update(changes | ({BAR_MODEL: None} if "model" in changes else {}))
    typed_in, now = said.get("text"), in_bar(row, shown)
    text = clean(typed_in) if isinstance(typed_in, str) else now.text
    # Whoever presses Enter on the sentence of a lesson has typed none.
    if text is not None and not now.fixed and text != now.text:
        runs = row.address != address.LESSONS
        sentence.type_in(text, now.model or shown, abroad=now.abroad, runs=runs)


def _act(action: Any) -> None:
    if action == "undo":
        state.undo()
    elif action == "reset":
        state.reset()
    elif action == "lecture":
        now = state.read(Machine).view
        state.update({"view": "page" if now == "lecture" else "lecture"})


@dataclass(frozen=True, slots=True)
class Opened:
    """Which of several stacks and kinds of attention the page shows.

    Attributes:
        stack: its name; empty for the one that predicts.
        attention: its name; empty for that stack's own.
    """

    stack: str = param("", part="stack", picked=True, label=N_("Stack"))
    attention: str = param("", part="attention", picked=True, label=N_("Attention"))


def strip(name: str, row: Row, places: dict[str, str]) -> None:
    """The model folded flat: the lit place is this page, every other one is a link.

    Args:
        name: of the model whose parts are drawn.
        row: this page, with the ids of the parts that it shows.
        places: part id -> address of the page that shows it.
    """
    blueprint = shared_runs().model(name).blueprint
    opened, chosen, here = fitting(state.read(Opened), blueprint), {}, row.parts
    if len(blueprint.stacks) > 1:
        chosen["stack"] = blueprint.stack(opened.stack).name
    if len(blueprint.attentions) > 1:
        shown = row.attends(blueprint) if row.attends else None
        chosen["attention"] = (shown or blueprint.attention(opened.attention)).name
    state.read(Layered)  # it stands in every link
    payload = strip_payload(
        blueprint, here, places, layer=Layered().layer, chosen=chosen, steps=row.steps
    )
    mount("map", payload, key="strip")


def notices(shown: str) -> None:
    """What the learner should know of this run's input; ``shown`` is the model that runs."""
    with st.container(key="asked-for"):  # until something is changed
        for problem in state.problems():
            said = problem.sentence(in_words(problem.name))
            if problem.name == PACKED:
                said = _("This link is incomplete. Copy all of it and try again.")
            elif problem.name == "picture":
                said = unread_picture(shown)
            say("warning", said, icon=":material/link:")
    if (common := state.read(Machine)).model not in zoo.shelf():
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
    if missing := address.left_out():
        say(
            "info",
            _("Too long for a link: {what}. This part is not in a copied link. To share it, make "
              "it shorter or send it separately. Everything else is in the link, and nothing is "
              "lost on this page.").format(what=missing),
            icon=":material/link_off:",
        )  # fmt: skip

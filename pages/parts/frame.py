"""What surrounds every page: run bar, you-are-here strip, notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core import zoo
from core.device import available_devices
from core.figures.payload import Payload
from core.figures.theme import PALETTES
from core.language import N_, _
from core.views.attention.head import ATTENTIONS
from core.views.map.strip import strip_payload
from core.views.params import STACKS, param
from pages.parts import state
from pages.parts.components import mount, take_selection
from pages.parts.figure import mode
from pages.parts.names import Common, Layered
from pages.parts.page import scroll_to
from pages.parts.runs import shared_runs

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"
DEVICE_NAMES = {"auto": "auto", "cpu": "CPU", "cuda": "CUDA", "mps": "MPS"}


def styles(common: Common) -> None:
    """The looks of the page around the components."""
    files = ["page.css", *(["lecture.css"] if common.view == "lecture" else [])]
    css = "".join((ASSETS / name).read_text(encoding="utf-8") for name in files)
    palette = PALETTES[mode()]
    roles = "".join(
        f".role-{role} {{ color: {getattr(palette, role)}; font-weight: 600; }}\n"
        for role in ("query", "key", "value", "weight", "position", "residual", "accent")
    )
    st.html(f"<style>{css}{roles}</style>")


def model_label(name: str) -> str:
    """A shelf model as the bar names it: GPT, 6 layers; of two towers each with its own."""
    n_layers = " + ".join(str(stack.n_layers) for stack in zoo.blueprint(name).stacks)
    return _("{name}, {n} layers").format(name=name.upper(), n=n_layers)


def run_bar(common: Common, shown: str) -> None:
    """The text, the model and the device; copy link, undo, reset, lecture view, shortcuts.

    Args:
        common: what the learner chose.
        shown: the model that the page runs; the bar shows it until another one is chosen.
    """
    shelf = zoo.shelf()
    devices = ("auto", *available_devices())
    automatic = DEVICE_NAMES[available_devices()[0]]
    header: dict[str, Any] = {
        "text": common.text,
        "model": common.model if state.chosen("model") and common.model in shelf else shown,
        "models": [[name, model_label(name)] for name in shelf],
        "device": common.device if common.device in devices else "auto",
        "devices": [
            [d, _("auto ({device})").format(device=automatic) if d == "auto" else DEVICE_NAMES[d]]
            for d in devices
        ],
        "can_undo": state.can_undo(),
        "changed": state.changed_elsewhere(),
        "go": scroll_to(),
        "lecture": common.view == "lecture",
        "labels": _labels(state.left_out()),
        "shortcuts": _shortcuts(),
    }
    before = {name: header[name] for name in ("model", "device")}
    bar = partial(_take_bar, before)
    mount("runbar", Payload(header), key="runbar", on={"bar": bar, "action": _act})


def _labels(missing: str) -> dict[str, str]:
    """The words of the bar; ``missing`` is what is too long for a link."""
    return {
        "text": _("The text that runs through the model"),
        "model": _("Model"),
        "device": _("Device"),
        "placeholder": _("Type a sentence"),
        "copy": _("Copy link"),
        "copied": _("Link copied, but without {what}: too long for a link").format(what=missing)
        if missing
        else _("Link copied"),
        "copy_by_hand": _("Copy this link, which leaves out {what}:").format(what=missing)
        if missing
        else _("Copy this link:"),
        "undo": _("Undo"),
        "reset": _("Reset"),
        "lecture": _("Lecture view"),
        "shortcuts": _("Keyboard shortcuts"),
        "close": _("Close"),
    }


def _shortcuts() -> list[list[str]]:
    """Keys, and what each does."""
    return [
        ["/", _("go to the text")],
        ["Enter", _("run now")],
        ["← →", _("next token, next step, next cell")],
        [_("Space"), _("play or pause the steps")],
        ["PgUp PgDn", _("in lecture view: one section back or on")],
        ["u", _("undo the last change")],
        ["c", _("copy the link to this view")],
        ["l", _("lecture view on and off")],
        ["?", _("this list")],
    ]


def _take_bar(before: Mapping[str, str], said: Any) -> None:
    """Take over what was changed in the bar; what it only showed is no choice."""
    if isinstance(said, dict):
        known = {"text": state.read(Common).text, **before}
        changed = {n: said[n] for n in known if isinstance(said.get(n), str)}
        state.update({n: v for n, v in changed.items() if v != known[n]}, typed=True)


def _act(action: Any) -> None:
    if action == "undo":
        state.undo()
    elif action == "reset":
        state.reset()
    elif action == "lecture":
        now = state.read(Common).view
        state.update({"view": "page" if now == "lecture" else "lecture"})


@dataclass(frozen=True, slots=True)
class Opened:
    """Which of several stacks and kinds of attention the page shows.

    Attributes:
        stack: its name; empty for the one that predicts.
        attention: its name; empty for that stack's own.
    """

    stack: str = param("", choices=STACKS, picked=True, label=N_("Stack"))
    attention: str = param("", choices=ATTENTIONS, picked=True, label=N_("Attention"))


def strip(name: str, here: tuple[str, ...], places: dict[str, str]) -> None:
    """The model folded flat: the lit place is this page, every other one is a link.

    Args:
        name: of the model whose parts are drawn.
        here: ids of the parts that this page shows.
        places: part id -> address of the page that shows it.
    """
    blueprint = shared_runs().model(name).blueprint
    layer, chosen = state.read(Layered).layer, {}
    if len(blueprint.stacks) > 1:
        opened = state.read(Opened)
        chosen = {"stack": blueprint.stack(opened.stack).name,
                  "attention": blueprint.attention(opened.attention).name}  # fmt: skip
    payload = strip_payload(blueprint, here, places, layer=layer, chosen=chosen)
    mount("map", payload, key="strip", on={"turn": take_selection})


def notices(common: Common, shown: str) -> None:
    """What the learner should know of this run's input; ``shown`` is the model that runs."""
    for problem in state.problems():
        st.warning(problem.sentence(), icon=":material/link:")
    if common.model not in zoo.shelf():
        st.warning(
            _("There is no model called {name} here; {other} is shown.").format(
                name=repr(common.model), other=shown.upper()
            ),
            icon=":material/inventory_2:",
        )
    if common.device != "auto" and common.device not in available_devices():
        st.warning(
            _("This machine has no device {name}; the model runs on {other}.").format(
                name=DEVICE_NAMES[common.device], other=DEVICE_NAMES[available_devices()[0]]
            ),
            icon=":material/memory:",
        )
    missing = state.left_out()
    if missing:
        st.info(
            _("Too long for a link: {what}. This part is not in a copied link. To share it, make "
              "it shorter or send it separately. Everything else is in the link, and nothing is "
              "lost on this page.").format(what=missing),
            icon=":material/link_off:",
        )  # fmt: skip

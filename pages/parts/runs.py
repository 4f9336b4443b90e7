"""Models and runs, shared by all learners of the process, and which model a page can use."""

from __future__ import annotations

import os

import streamlit as st
import torch

from core import zoo
from core.errors import AbilityError
from core.figures.params import OnText
from core.language import N_
from core.models.protocols import CausalLM, MaskedLM
from core.requests import TraceRequest
from core.runs import Runs

ABILITIES: dict[str, type] = {"causal": CausalLM, "masked": MaskedLM}
_SAID = {"causal": N_("going on with a text"), "masked": N_("filling in hidden words")}


@st.cache_resource(show_spinner=False)
def shared_runs() -> Runs:
    """The one store of models and results."""
    # One thread a run gives a class more throughput than two that fight each other.
    torch.set_num_threads(int(os.environ.get("GLASSFORMER_THREADS", "1")))
    return Runs()


def warm(runs: Runs) -> None:
    """Load every model of the shelf and run it once."""
    for name in zoo.shelf():
        runs.get(TraceRequest(name, "Warm"))


def can(name: str, needs: str) -> bool:
    """Whether a model of the shelf has an ability ("any" is had by all)."""
    if needs in ("any", "none"):
        return True
    return isinstance(shared_runs().model(name).model, ABILITIES[needs])


def model_for(chosen: str, needs: str) -> str:
    """The chosen model if it can do what the page needs, else the default, else any that can.

    Raises:
        AbilityError: none can.
    """
    shelf = zoo.shelf()
    for name in (chosen, OnText().model, *shelf):
        if name in shelf and can(name, needs):
            return name
    raise AbilityError(chosen, _SAID[needs])


def sizes(name: str) -> dict[str, int]:
    """The last layer and the last head of a model of the shelf, by the name they have in a link."""
    topology = shared_runs().model(name).model.topology
    return {"layer": topology.n_layers - 1, "head": topology.n_heads - 1}

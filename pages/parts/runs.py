"""Models and runs, shared by all learners of the process, and which model a page can use."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import streamlit as st

from core import zoo
from core.device import available_devices
from core.errors import AbilityError, UnknownModelError
from core.examples import FIRST
from core.models.needs import Needs
from core.runs.ahead import Ahead
from core.runs.beside import Beside
from core.runs.jobs import Jobs
from core.runs.processes import limit_threads
from core.runs.requests import TraceRequest
from core.runs.store import Aside, Runs, of_the_shelf
from pages.parts import state
from pages.parts.names import Machine

KEPT_BYTES = 320 * 1024 * 1024  # of results, in all workers together
FILES_BYTES = 64 * 1024 * 1024  # of those that are needed for files alone


def _threads() -> int:
    return int(os.environ.get("GLASSFORMER_THREADS", "1"))


def workers() -> int:
    """How many processes serve the app (pages/server/workers.py)."""
    return int(os.environ.get("GLASSFORMER_WORKERS", "1"))


@st.cache_resource(show_spinner=False)
def shared_runs() -> Runs:
    """The one store of models and results."""
    limit_threads(_threads())
    return Runs(max_bytes=KEPT_BYTES // workers(), load=of_the_shelf, fingerprint=zoo.fingerprint)


@st.cache_resource(show_spinner=False)
def for_files() -> Runs:
    """Results for files: those that learners look at, and a few of its own beside them."""
    return Aside(shared_runs(), FILES_BYTES // workers())


def warm(runs: Runs) -> None:
    """Load every model of the shelf and run it once; begin other processes, if a core is free.

    Several workers use the other cores themselves; there a process for jobs begins with the first.
    """
    cores = (os.cpu_count() or 1) // workers()
    runs.jobs = Jobs(max(1, cores // 4), max_bytes=KEPT_BYTES // workers() // 8)
    if cores > 1 and workers() == 1:
        runs.beside = Beside(_threads(), [name for name in FIRST if name in zoo.shelf()])
        runs.jobs.get_ready()
    for name in zoo.shelf():
        runs.get(TraceRequest(name, runs.model(name).example))
        zoo.blueprint(name)  # which each page asks for; the first would wait for all of them


@st.cache_resource(show_spinner=False)
def ahead() -> Ahead:
    """What works out results before they are asked for, one for the process."""
    return Ahead(shared_runs())


def shut_down(runs: Runs) -> None:
    """End the other processes, and what works ahead."""
    ahead().close()
    if runs.jobs is not None:
        runs.jobs.close()
    if runs.beside is not None:
        runs.beside.close()


def lacks(name: str, needs: Needs) -> str | None:
    """What a model of the shelf lacks, as "{model} cannot …" goes on; None if it has it all."""
    return None if needs.no_model else needs.unmet(zoo.abilities(name), zoo.blueprint(name))


def can(name: str, needs: Needs) -> bool:
    """Whether a model of the shelf has what is needed."""
    return lacks(name, needs) is None


def by_rank(*first: str, others: Callable[[str], Any] | None = None) -> list[str]:
    """The models of the shelf: some before the rest, then the examples, then all others.

    Args:
        first: ids; those that are not on the shelf are left out.
        others: the rank of one that is none of them; by their names when None.
    """
    shelf = sorted(zoo.shelf(), key=others)
    return [name for name in dict.fromkeys((*first, *FIRST, *shelf)) if name in shelf]


def model_for(chosen: str, needs: Needs) -> str:
    """The chosen model if it has what the page needs, else the default, else any that has.

    Of several an example comes first, then a Transformer: what other machines are shown beside.

    Raises:
        AbilityError: none has.
    """

    def place(name: str) -> tuple[bool, int]:
        return not zoo.blueprint(name).stacks, needs.rank(zoo.abilities(name))

    if chosen in zoo.shelf() and can(chosen, needs):
        return chosen
    for name in by_rank(others=place):
        if can(name, needs):
            return name
    needs.check(chosen, zoo.abilities(chosen), zoo.blueprint(chosen))
    return chosen


def one_for(chosen: str, needs: Needs) -> str:
    """The same; empty where no model of the shelf has what is needed."""
    try:
        return model_for(chosen, needs)
    except (AbilityError, UnknownModelError):
        return ""


def sizes(name: str) -> dict[str, int]:
    """The last layer and the last head of a model of the shelf, by the name they have in a link.

    Of several stacks those of the deepest and of the one with most heads; 0 where there are none.
    """
    blueprint = zoo.blueprint(name)
    layers = [one.n_layers for one in blueprint.attentions]
    heads = [one.n_heads for one in blueprint.stacks]
    return {"layer": max(layers, default=1) - 1, "head": max(heads, default=1) - 1}


def device() -> str:
    """The device to run on: what was chosen, if this machine has it."""
    return usable(state.read(Machine).device)


def usable(device: str) -> str:
    """A device that was asked for, if this machine has it."""
    return device if device in available_devices() else "auto"

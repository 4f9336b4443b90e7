"""Jobs on a page: what they have told so far, how they stand, and buttons to pause and stop.

Who watches looks again and again: a part that shows a job is run every so often until that is
over. To pause is to hold what one sees; the job itself rests when all who watch have paused, so
that nobody holds up another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError
from core.language import _
from core.locale import grouped, spelt
from core.runs.requests import Job
from core.runs.told import State, Told
from core.views.params import at_rest
from pages.parts import controls, hooks, state
from pages.parts.messages import small_print, wait_for_models
from pages.parts.runs import device, shared_runs
from pages.parts.session import ASIDE, Part, Watch, own_session
from pages.parts.visiting import place_lent, visitor_here
from pages.parts.waiting import wait

EVERY, SLOWLY = 0.5, 2.0  # seconds from look to look; the second where nothing moves
# A look at two plots takes 50 ms of the process that serves all: so many a second for all who watch
# together, but none so rarely that she would be taken to have left.
TOGETHER, RARELY = 4, 5.0


def told(request: Job) -> Told:
    """What a job has told, as far as the learner wants to see it; the part that is run follows it.

    Outside of all parts nothing can follow it, and the whole is waited for.

    Raises:
        CoreError: it cannot be begun.
    """
    if own_session().drawing in ("", ASIDE):
        return waited_for(request)
    own = own_session().parts[own_session().drawing]
    if request not in own.told:
        own.told[request] = _looked(request, own)
    return own.told[request]


def _looked(request: Job, own: Part) -> Told:
    wait_for_models(request)
    watch = own.watches.setdefault(request, Watch())
    runs, who = shared_runs(), None if watch.stopped else _who()
    state.follow(_name(request))
    own.every = SLOWLY  # also where too many wait
    rests = watch.held and watch.known >= watch.n
    found = runs.watch(request, who, device(), visitor_here(), paused=rests, again=watch.again)
    watch.again, watch.known = False, len(found.records)
    if found.over and watch.n > watch.known:  # she has stepped to its end
        watch.held = False
    if watch.held:
        owed = watch.known < watch.n
        found = _as_held(found, watch)
        own.every = EVERY if owed else until_next(found)
        return found
    if found.state == "resting":  # from which it is just being called
        found = dataclasses.replace(found, state="running")
    own.every = until_next(found)
    return found


def _as_held(found: Told, watch: Watch) -> Told:
    """What a learner sees who has paused, whatever else has been told since."""
    now: State = "stopped" if watch.stopped else "resting"
    records = found.records[: watch.n]
    return dataclasses.replace(found, records=records, share=watch.share, state=now)


def until_next(found: Told) -> float | None:
    """Seconds until it is looked at again: the more watch, the longer; None when it is over."""
    if found.over:
        return None
    runs = shared_runs()
    watching = 1 if runs.jobs is None else runs.jobs.watching
    often = min(RARELY, EVERY * max(1, -(-watching // (TOGETHER * EVERY))))
    moves = found.state != "resting" and not found.ahead
    return often if moves else max(SLOWLY, often)


def status(request: Job, now: Told) -> dict[str, Any]:
    """How a job stands, for a browser: in words, and how many ms until it asks again, if ever."""
    seconds = until_next(now)
    return {
        "id": hashlib.blake2b(repr(request).encode(), digest_size=8).hexdigest(),
        "n": len(now.records),
        "share": round(now.share, 4),
        "state": now.state,
        "said": said(request, now),
        "again": None if seconds is None else round(1000 * seconds),
    }


def waited_for(request: Job) -> Told:
    """All that a job has to tell. It is said how far it is, and a click ends the waiting.

    Raises:
        CoreError: it came to no end.
    """
    place, who = st.empty(), _who()
    while not (found := shared_runs().watch(request, who, device(), visitor_here())).over:
        place.progress(found.share, text=said(request, found))
        wait()
        with place_lent():
            time.sleep(EVERY)
    place.empty()
    if found.problem is not None:
        raise found.problem
    return found


@contextlib.contextmanager
def following(own: Part) -> Iterator[None]:
    """While a part of the page is run: it is run again as long as a job that it shows goes on."""
    own.told, own.every = {}, None
    try:
        yield
    except Exception:
        own.every = None
        _time(own)
        raise
    for request in own.watches.keys() - own.told.keys():
        shared_runs().leave(request, _who(), device())
        del own.watches[request]
    own.told = {}
    _time(own)


def _time(own: Part) -> None:
    if own.every is not None or own.timed:
        hooks.run_every(own.every)
    own.timed = own.every is not None


def progress(name: str, params: Any) -> None:
    """How the jobs of a view stand, and what can be done; each takes the same room always.

    Args:
        name: of the view.
        params: what it shows.
    """
    jobs = [one for one in views.get(name).requests(at_rest(params)) if isinstance(one, Job)]
    for n, request in enumerate(jobs):
        key = "job-" + re.sub(r"[^a-z]", "-", name) + (f"-{n}" if n else "")
        with (
            st.container(key=key, horizontal=True, vertical_alignment="center"),
            contextlib.suppress(CoreError),  # the figure says it
        ):
            _row(request, told(request), key)


def _row(request: Job, now: Told, key: str) -> None:
    if now.over:
        small_print(said(request, now))
    else:
        st.progress(now.share, text=said(request, now))
    own = own_session().parts[own_session().drawing]
    for label, name, icon, act in _buttons(now):
        acting = partial(act, request, own.watches[request], now)
        controls.button(label, f"{key}-{name}", acting, icon=f":material/{icon}:")


def said(request: Job, now: Told) -> str:
    """How it stands, in words."""
    what, share = _(request.says), spelt(f"{100 * now.share:.0f} %")
    if now.state == "waiting" and now.ahead:
        return _("{what}: waiting, {n} ahead in the queue").format(what=what, n=grouped(now.ahead))
    if now.state in ("waiting", "beginning"):
        return _("{what}: starting").format(what=what)
    if now.state == "resting":
        return _("{what}: paused at {share}").format(what=what, share=share)
    if now.state == "stopped":
        return _("{what}: stopped at {share}").format(what=what, share=share)
    if now.state == "failed":
        return _("{what}: failed at {share}").format(what=what, share=share)
    if now.state == "finished":
        seconds = spelt(f"{now.seconds:.1f}")
        return _("{what}: finished in {n} s").format(what=what, n=seconds)
    return _("{what}: {share} done").format(what=what, share=share)


Act = Callable[[Job, Watch, Told], None]


def _buttons(now: Told) -> list[tuple[str, str, str, Act]]:
    """What can be done: label, name, icon and what it does."""
    if now.state == "finished":
        return []
    if now.over:
        return [(_("Start again"), "again", "replay", _begin_again)]
    stop = (_("Stop"), "stop", "stop", _stop)
    if now.state == "resting":
        step = (_("Step"), "step", "skip_next", _step)
        return [(_("Continue"), "continue", "play_arrow", _go_on), step, stop]
    return [(_("Pause"), "pause", "pause", _pause), stop]


def _pause(request: Job, watch: Watch, now: Told) -> None:
    watch.held, watch.n, watch.share = True, len(now.records), now.share
    state.touch(_name(request))


def _step(request: Job, watch: Watch, now: Told) -> None:
    """One record more; each that it tells stands for about as much of the work."""
    each = now.share / max(1, len(now.records) - 1)
    watch.n, watch.share = len(now.records) + 1, min(1.0, now.share + each)
    state.touch(_name(request))


def _go_on(request: Job, watch: Watch, _now: Told) -> None:
    watch.held = False
    state.touch(_name(request))


def _stop(request: Job, watch: Watch, now: Told) -> None:
    _pause(request, watch, now)
    watch.stopped = True
    shared_runs().leave(request, _who(), device(), stop=True)


def _begin_again(request: Job, watch: Watch, now: Told) -> None:
    _go_on(request, watch, now)
    watch.stopped, watch.again = False, True


def _who() -> str:
    """The learner, to whom it may concern that somebody watches."""
    return own_session().ident


def _name(request: Job) -> str:
    """What a part reads that shows a job: no link says it."""
    return f"job {request!r}"

"""Jobs that somebody watches: how they stand, in words, and when one looks again."""

from __future__ import annotations

import hashlib
from typing import Any

from core.language import _
from core.locale import grouped, spelt
from core.runs.progress import JobProgress
from core.runs.request import Job
from core.runs.store import Runs

EVERY, SLOWLY = 0.5, 2.0  # seconds from look to look; the second where nothing moves
# A look at two plots takes 50 ms of the process that serves all: so many a second for all who watch
# together, but none so rarely that she would be taken to have left.
TOGETHER, RARELY = 4, 5.0


def until_next(found: JobProgress, runs: Runs) -> float | None:
    """Seconds until it is looked at again: the more watch, the longer; None when it is over."""
    if found.over:
        return None
    watching = 1 if runs.jobs is None else runs.jobs.watching
    often = min(RARELY, EVERY * max(1, -(-watching // (TOGETHER * EVERY))))
    moves = found.state != "resting" and not found.ahead
    return often if moves else max(SLOWLY, often)


def status(request: Job, now: JobProgress, runs: Runs) -> dict[str, Any]:
    """How a job stands, for a browser: in words, and how many ms until it asks again, if ever."""
    seconds = until_next(now, runs)
    return {
        "id": hashlib.blake2b(repr(request).encode(), digest_size=8).hexdigest(),
        "n": len(now.records),
        "share": round(now.share, 4),
        "state": now.state,
        "said": describe(request, now),
        "again": None if seconds is None else round(1000 * seconds),
    }


def describe(request: Job, now: JobProgress) -> str:
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

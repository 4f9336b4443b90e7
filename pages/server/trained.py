"""Figures that train first: a job for each, with the limits of one that is watched on a page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from uuid import uuid4

from core.errors import JobError
from core.language import _
from core.locale import spelt
from core.runs.progress import JobProgress
from core.runs.request import Job
from core.runs.turn_queue import Visitor
from pages.parts.runs import for_files

PATIENCE, LOOK = 20.0, 0.5  # seconds that a question is held, and from look to look
AGAIN = 5  # seconds until one should ask again: the job goes on for twice as long


class NotYetError(Exception):
    """It is still being worked out, or cannot be begun; ``seconds`` says when to come again."""

    def __init__(self, text: str, seconds: int = AGAIN) -> None:
        super().__init__(text)
        self.seconds = seconds


async def trained(
    jobs: Sequence[Job], device: str, visitor: Visitor, left: Callable[[], Awaitable[bool]]
) -> Mapping[Job, JobProgress]:
    """What jobs have told when they have come to their end.

    Args:
        jobs: one after the other.
        device: for them.
        visitor: whose they are.
        left: whether she does not wait any more.

    Raises:
        NotYetError: that takes longer than a question is held, or too many wait.
        CoreError: one failed.
    """
    until, who = time.monotonic() + PATIENCE, uuid4()
    done = {}
    for job in jobs:
        while not (watched := await asyncio.to_thread(_look, job, who, device, visitor)).over:
            if time.monotonic() > until or await left():
                share = spelt(f"{100 * watched.share:.0f} %")
                sentence = _("This is being computed, {share} is done. Try again in {n} s.")
                raise NotYetError(sentence.format(share=share, n=AGAIN))
            await asyncio.sleep(LOOK)
        if watched.problem is not None:
            raise watched.problem
        done[job] = watched
    return done


def _look(job: Job, who: object, device: str, visitor: Visitor) -> JobProgress:
    try:
        return for_files().watch(job, who, device, visitor)
    except JobError as full:
        raise NotYetError(full.sentence(), full.seconds) from None

"""Jobs of a figure: it is asked for again and again while one goes on, and shows what it has told.

Whoever asks watches. A tab that pauses asks for so many records; one that stops says so. A job
whose figure is asked for with other parameters is left at once.
"""

from __future__ import annotations

import dataclasses
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request

from core.answers.question import FigureQuestion, TaggedBytes
from core.runs.job_status import status
from core.runs.progress import JobProgress, State
from core.runs.request import Job
from core.runs.turn_queue import Visitor
from pages.parts.runs import shared_runs
from pages.server.visitors import visitor_of

WHO = re.compile(r"[0-9a-f-]{1,40}")  # a tab, as it calls itself
JOBS = "Jobs"  # the header
MOST = 10_000  # tabs whose jobs are known
MOST_RECORDS = 1_000_000


@dataclass
class _Watched:
    """The jobs that each tab watches, by tab and view."""

    jobs: OrderedDict[tuple[str, str], tuple[Job, str]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def instead(self, of: tuple[str, str], job: Job, device: str) -> tuple[Job, str] | None:
        """Put a job in the place of another one, which is given back."""
        with self.lock:
            before = self.jobs.pop(of, None)
            self.jobs[of] = job, device
            while len(self.jobs) > MOST:
                self.jobs.popitem(last=False)
        return before if before != (job, device) else None


_WATCHED = _Watched()


@dataclass
class Watcher:
    """Somebody who asks for a figure, and what she wants of its jobs.

    Attributes:
        question: what she asks.
        who: her tab; empty for somebody who does not say.
        visitor: whose turn a job of hers is.
        n_held: records that she wants to see, as she has paused there; None for all.
        stops: she wants it to end.
        again: it begins anew.
    """

    question: FigureQuestion
    who: str
    visitor: Visitor
    n_held: int | None
    stops: bool
    again: bool
    statuses: dict[Job, JobProgress] = field(default_factory=dict)

    @classmethod
    def of(cls, request: Request, query: Mapping[str, str], question: FigureQuestion) -> Watcher:
        """Who asks, as her address says."""
        who, n_held = query.get("_who", ""), query.get("_held", "")
        return cls(
            question,
            who if WHO.fullmatch(who) else "",
            visitor_of(request),
            min(int(n_held), MOST_RECORDS) if re.fullmatch(r"[0-9]{1,7}", n_held) else None,
            "_stops" in query,
            "_again" in query,
        )

    def answer(self) -> TaggedBytes:
        """The answer, of jobs with what they have told.

        Raises:
            CoreError: a run cannot be carried out, or a job has failed.
        """
        question, runs = self.question, shared_runs()
        self.statuses = {job: self._look(job, n) for n, job in enumerate(question.jobs)}
        key: Any = question.address
        if not all(job.state == "finished" for job in self.statuses.values()):
            key = key, *((len(job.records), job.state) for job in self.statuses.values())
        return runs.kept(key, lambda: question.answer(self.statuses))  # type: ignore[no-any-return]

    def _look(self, job: Job, n: int) -> JobProgress:
        """What a job has told, as far as she wants to see it."""
        runs, device = shared_runs(), self.question.device
        place = self.who or str(self.visitor), f"{self.question.view.name} {n}"
        if (before := _WATCHED.instead(place, job, device)) is not None:
            runs.leave(before[0], place[0], before[1])
        if self.stops:
            runs.leave(job, place[0], device, stop=True)
        n_records = 0 if self.n_held is None else len(runs.watch(job, None, device).records)
        watched = runs.watch(
            job, None if self.stops else place[0], device, self.visitor,
            paused=self.n_held is not None and n_records >= self.n_held, again=self.again,
        )  # fmt: skip
        if self.n_held is None or (
            watched.state == "finished" and self.n_held >= len(watched.records)
        ):
            # From where it rested it is just being called.
            return (
                dataclasses.replace(watched, state="running")
                if watched.state == "resting"
                else watched
            )
        records = watched.records[: self.n_held]
        # The first record is what there is at the beginning.
        share = watched.share * max(0, len(records) - 1) / max(1, len(watched.records) - 1)
        state: State = "stopped" if self.stops else "resting"
        return dataclasses.replace(watched, records=records, share=share, state=state)

    def headers(self) -> dict[str, str]:
        """How each job stands, for the browser: in words, and when to ask again."""
        if not self.statuses:
            return {}
        return {JOBS: json.dumps([status(*each, shared_runs()) for each in self.statuses.items()])}

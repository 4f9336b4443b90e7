"""The figures of a page as its browser asks for them, over HTTP, without a browser."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import aiohttp

from core.figures.payload import Payload, unpack

CONNECTIONS = 6  # of a browser to one server
SEEN = 12  # figures that somebody sees: those above what is to be tried


class Asking:
    """The state of a page, and its figures, each with the last answer.

    Args:
        address: of the server, ``http://host:port``.
        cookie: that is sent along.
        source: the address that it comes from; that of the machine when empty.

    Attributes:
        live: the state of the page, as its script says it.
        figures: what the page says of each that is seen.
        answers: by view, the bytes that came last.
        asked: by view, what was asked for.
        waits: by view, seconds until it is asked again, while a job goes on.
        works: a job of those that were told of last has done some of its work.
        refused: why figures have nothing to show.
    """

    def __init__(self, address: str, cookie: str, source: str) -> None:
        self.answers: dict[str, bytes] = {}
        self.asked: dict[str, dict[str, str]] = {}
        self.waits: dict[str, float] = {}
        self.works = False
        self.refused: list[str] = []
        self.live: dict[str, Any] = {}
        self.figures: list[dict[str, Any]] = []
        self._who = secrets.token_hex(8)
        self._address, self._cookie, self._source = address, cookie, source
        self._tags: dict[str, tuple[str, bytes]] = {}  # address -> tag and body, as a cache has
        self._session: aiohttp.ClientSession | None = None

    def meet(self, live: Mapping[str, Any], figures: Collection[Mapping[str, Any]]) -> None:
        """The script of the page has been run: what it says of the state, and its figures."""
        self.live, self.figures = dict(live), [dict(one) for one in figures]
        self.waits, self.asked = {}, {}

    def restarts(self, names: Collection[str]) -> bool:
        """Whether the page's script is run for a change of these names."""
        return not set(names).isdisjoint(self.live["restarts"])

    async def ask(self, state: Mapping[str, str], changed: Collection[str] = ()) -> list[bytes]:
        """What the figures are answered.

        Args:
            state: of the page, as its link says it.
            changed: names of it; all figures ask where there are none.
        """
        known = {**self.live["opened"], **state}
        wanted = [
            (figure, kind)
            for figure in self.figures
            if all(known.get(name, "") in own for name, own in figure["when"].items())
            for kind in _kinds(figure, known, changed)
        ]
        return await asyncio.gather(*(self._answer(one, kind, known) for one, kind in wanted))

    async def look(self, state: Mapping[str, str]) -> list[bytes]:
        """What the figures are answered whose jobs go on."""
        known, wanted = {**self.live["opened"], **state}, [*self.waits]
        return await asyncio.gather(
            *(self._answer(one, "bin", known) for one in self.figures
              if one["drawn"] and one["view"] in wanted)
        )  # fmt: skip

    async def screen(self, path: str, said: Mapping[str, str]) -> bytes:
        """A screen of a lesson."""
        async with self._opened.post(path, data=dict(said)) as answer:
            body = await answer.read()
            if answer.status != 200 or "problem" in answer.content_type:
                self.refused.append(f"{path}: {body.decode()}")
            return body

    async def remarks(self, path: str, **said: str) -> bytes:
        """What there is to say of a text."""
        return (await self._get(f"{path}?{urlencode(said)}"))[0]

    async def close(self) -> None:
        """Nothing is asked any more."""
        if self._session is not None:
            await self._session.close()

    async def _answer(
        self, figure: Mapping[str, Any], kind: str, known: Mapping[str, str]
    ) -> bytes:
        names = [*figure["reads"], *(figure["follows"] if kind == "words" else ())]
        said = {name: known[name] for name in names if name in known}
        view, asked = figure["view"], {**said, **figure["asks"]}
        who = {"_who": self._who} if figure["job"] else {}
        query = urlencode({**asked, **who, "_language": figure["speaks"]})
        body, refused, jobs = await self._get(f"{figure['path']}/{view}.{kind}?{query}")
        if refused:
            self.refused.append(f"{view}: {body.decode()}")
        elif kind == "bin":
            self.answers[view], self.asked[view] = body, asked
        if kind == "bin":
            again = [one["again"] / 1000 for one in jobs if one["again"] is not None]
            self.waits = {name: one for name, one in self.waits.items() if name != view}
            self.waits |= {view: min(again)} if again else {}
            self.works = any(one["share"] > 0 for one in jobs)
        return body

    @property
    def _opened(self) -> aiohttp.ClientSession:
        """The connections of the browser."""
        if self._session is None:
            local = (self._source, 0) if self._source else None
            self._session = aiohttp.ClientSession(
                self._address, headers={"Cookie": self._cookie, "Accept-Encoding": "identity"},
                connector=aiohttp.TCPConnector(limit=CONNECTIONS, local_addr=local),
            )  # fmt: skip
        return self._session

    async def _get(self, address: str) -> tuple[bytes, bool, list[dict[str, Any]]]:
        """A body, whether it says why there is none, and how the jobs stand that it waits for."""
        tag, had = self._tags.get(address, ("", b""))
        async with self._opened.get(
            address, headers={"If-None-Match": tag} if tag else {}
        ) as answer:
            jobs = json.loads(answer.headers.get("Jobs", "[]"))
            if answer.status == 304:
                return had, False, jobs
            body = await answer.read()
            if answer.status == 200 and "ETag" in answer.headers:
                self._tags[address] = (answer.headers["ETag"], body)
            return body, answer.status != 200 or "problem" in answer.content_type, jobs


def _kinds(
    figure: Mapping[str, Any], known: Mapping[str, str], changed: Collection[str]
) -> Iterator[str]:
    """What a figure asks for after a change: its drawing, its words, both, or nothing."""
    read = not changed or not set(changed).isdisjoint(figure["reads"])
    follows = any(name in known for name in figure["follows"])
    if figure["drawn"] and read:
        yield "bin"
    heard = read or not set(changed).isdisjoint(figure["follows"])
    if heard and (follows or not figure["drawn"]):
        yield "words"


def figures_of(headers: Collection[tuple[str, bytes]], *, all_: bool) -> list[Payload]:
    """The figures of a page from its top to its experiments.

    Args:
        headers: of every component on it, from top to bottom: which one it is, what it is given.
        all_: those further down as well.
    """
    found = []
    for name, data in headers:
        if name == "experiments" and not all_:
            break
        if name == "figure":
            found.append(unpack(data))
    return found if all_ else found[:SEEN]

"""One visitor who has the server train, cut and draw at once; in a process of its own.

    python -m tests.benchmarks.attacks http://127.0.0.1:8501 cookie    # until it is ended

Six connections ask for files of figures that train, twenty open Tokenization with 8,000 emoji and
other numbers again and again, thirty start a training each. All come from an address of their own
(127.0.0.2), with one cookie, or a fresh one each time, as a visitor may forge it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import secrets
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import urlsplit

from pages.parts.visiting import COOKIE
from tests.benchmarks.learner import Learner
from tests.benchmarks.serving import Server

FROM = "127.0.0.2"
FILES, PAGES, TRAININGS = 6, 20, 30
FONTS = 16  # emoji that a text is made of
AGAIN = 2.0  # seconds after which she asks again, whatever she was told
LASTS = 30.0  # seconds that she waits for one file
COOKIES = ("cookie", "cookies")  # one, or a fresh one for each question
TRAINED = ("/figure/tune.learning.svg?learns=scratch&tuning_seed={n}",
           "/figure/beyond.frontier.svg?preferring=1&seed={n}")  # fmt: skip
STARTED = (("fine-tune", {"learns": "scratch", "tuning_seed": "{n}"}),
           ("training", {"practising": "1", "seed": "{n}"}),
           ("beyond", {"preferring": "1", "seed": "{n}"}))  # fmt: skip


class Attacker:
    """She.

    Args:
        address: of the server.
        kind: of ``COOKIES``.
    """

    def __init__(self, address: str, kind: str) -> None:
        self._address, self._fresh = address, kind == "cookies"
        self._one = secrets.token_hex(16)
        self._numbers = itertools.count(random.randrange(10_000))

    async def attack(self) -> None:
        """All three at once, for ever."""
        ways = [self._file] * FILES + [self._page] * PAGES + [self._training] * TRAININGS
        await asyncio.gather(*map(self._again, ways))

    @staticmethod
    async def _again(way: Callable[[], Awaitable[None]]) -> None:
        while True:
            with contextlib.suppress(Exception):  # she is refused, or does not get an answer
                await way()
            await asyncio.sleep(AGAIN)

    def _cookie(self) -> str:
        return f"{COOKIE}={secrets.token_hex(16) if self._fresh else self._one}"

    def _learner(self) -> Learner:
        return Learner(self._address, cookie=self._cookie(), source=FROM, scrolls=True)

    async def _file(self) -> None:
        n = next(self._numbers)
        path = TRAINED[n % len(TRAINED)].format(n=n)
        at = urlsplit(self._address)
        reader, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(FROM, 0))
        try:
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: {at.netloc}\r\nCookie: {self._cookie()}\r\n"
                "Connection: close\r\n\r\n".encode()
            )
            async with asyncio.timeout(LASTS):
                while await reader.read(2**18):
                    pass
        finally:
            writer.close()

    async def _page(self) -> None:
        draw = random.Random(next(self._numbers))
        async with self._learner() as learner:
            for n in range(1000):
                corpus = "".join(chr(0x1F600 + draw.randrange(FONTS)) for _ in range(8000))
                cutting = ("unigram", "bpe", "wordpiece")[n % 3]
                query = {"corpus": corpus, "cutting": cutting, "merges": "200"}
                await learner.open("tokenization", query)

    async def _training(self) -> None:
        n = next(self._numbers)
        page, query = STARTED[n % len(STARTED)]
        async with self._learner() as learner:
            await learner.open(page, {name: value.format(n=n) for name, value in query.items()})
            for _tick in range(1000):
                await (learner.look() if learner.asking.waits else asyncio.sleep(AGAIN))


@contextlib.contextmanager
def attacking(server: Server, kind: str) -> Iterator[None]:
    """While she does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.attacks", server.address, kind]
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    os.nice(19)  # she has a machine of her own; here two share one
    asyncio.run(Attacker(*sys.argv[1:3]).attack())

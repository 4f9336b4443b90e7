"""Whose turn it is, and who is told to come again."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from multiprocessing.connection import wait
from urllib.parse import parse_qsl, urlencode

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Send

from core import views
from core.answers.files import params_of
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.runs.kinds.training import LookAheadRequest
from core.runs.progress import JobProgress, going_already, lost
from core.runs.request import Job
from core.runs.store import OneTimeRuns, Runs
from core.runs.turn_queue import Visitor
from core.zoo import LoadedModel
from pages.parts.runs import shared_runs
from pages.parts.visiting import COOKIE
from pages.server import apart, asking, files, lesson_files, making, trained, visitors
from pages.server.apart import TooLongError
from pages.server.turns import BusyError, Turns
from pages.server.visitors import TRY_AGAIN_LATER, Door
from tests.app.asked import HERE, ROUTES, answered, asked, learn

ANN, BOB = Visitor("10.0.0.1", "a"), Visitor("10.0.0.1", "b")
FAR = Visitor("10.0.0.2")


def test_who_goes_away_keeps_nobody_waiting():
    async def all_() -> None:
        turns = Turns()
        held = asyncio.Event()

        async def hold() -> None:
            async with turns.turn(ANN):
                await held.wait()

        async def wait(visitor: Visitor) -> None:
            async with turns.turn(visitor):
                pass

        first, gone, last = (asyncio.ensure_future(one) for one in (hold(), wait(BOB), wait(FAR)))
        await asyncio.sleep(0)
        gone.cancel()
        held.set()
        await asyncio.gather(first, last)
        assert gone.cancelled()
        assert turns.idle

    learn(all_)


def test_there_are_places_for_each_browser_and_for_a_class_behind_one_address():
    turns = Turns(visitor=2, address=5, all_=6)
    class_ = [Visitor("10.0.0.1", str(n)) for n in range(5)]
    turns.enter(ANN)
    turns.enter(ANN)
    with pytest.raises(BusyError) as busy:
        turns.enter(ANN)
    assert busy.value.seconds >= 1
    for one in class_[:3]:
        turns.enter(one)
    with pytest.raises(BusyError):  # the address has no more
        turns.enter(class_[3])
    turns.enter(FAR)
    with pytest.raises(BusyError):  # nor has anybody
        turns.enter(Visitor("10.0.0.3"))
    turns.leave(ANN)
    turns.enter(class_[3])


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Turns:
    """Turns of which the visitor with the tests' address has every place."""
    turns = Turns(visitor=1)
    monkeypatch.setattr(making._here, "turns", turns)
    turns.enter(Visitor("192.0.2.1"))
    return turns


@pytest.mark.parametrize("path", ["/figure/attention.row.svg", "/lesson/attention.html"])
def test_who_has_no_place_is_told_when_to_come_again(held, path):
    status, content, headers = asked(path, {"_language": "fr"})
    assert status == 429
    assert content == (
        f"Beaucoup de fichiers sont en préparation. Réessayez dans {headers['retry-after']}\u00a0s."
    )
    assert int(headers["retry-after"]) >= 1
    # Another browser behind the same address has its own place, and gives it back.
    cookie = f"{COOKIE}={'0f' * 16}"
    for _again in range(2):
        assert asked("/figure/attention.row.txt", cookie=cookie)[0] == 200
    assert asked("/figure/attention.row.txt", cookie=f"{COOKIE}=x")[0] == 429  # not one of ours
    held.leave(Visitor("192.0.2.1"))
    for text in ("a", ""):  # also after a mistake
        asked(path, {"model": "none", "text": text})
        assert asked(path)[0] == 200


@pytest.fixture
def runs(gpt: LoadedModel) -> Runs:
    """Of one tiny model."""
    return Runs(load=lambda name, device: gpt)


def test_what_is_asked_for_once_pushes_nothing_out(runs):
    mine = OneTimeRuns(runs, 2**20)
    known, strange = (TraceRequest("gpt", Text(text)) for text in ("the cat", "xqzw"))
    kept, before = runs.get(known), runs.nbytes
    assert mine.get(known) is kept
    assert mine.nbytes == 0
    assert mine.get(strange) is mine.get(strange)
    assert runs.nbytes == before
    assert not runs.ready(strange)


def test_a_browser_gets_one_cookie_and_metrics_are_nobodys_business(monkeypatch):
    def said(path: str, **headers: str) -> tuple[int, str, dict[str, str]]:
        routes = [Route("/{path:path}", lambda request: PlainTextResponse("here"))]
        return answered(Door(Starlette(routes=routes)), path, **headers)

    _status, content, headers = said("/attention", accept="text/html,*/*")
    given = headers["set-cookie"]
    assert content == "here"
    assert given.startswith(f"{COOKIE}=")
    assert given.endswith("; Path=/; HttpOnly; SameSite=Lax")
    again = said("/attention", accept="text/html", cookie=given.partition(";")[0])[2]
    assert "set-cookie" not in again
    assert "set-cookie" not in said("/static/a.js", accept="*/*")[2]
    for path in ("/_stcore/metrics", "/_stcore/metrics/"):
        assert said(path)[:2] == (404, "")
    monkeypatch.setenv("GLASSFORMER_METRICS", "1")
    assert said("/_stcore/metrics")[0] == 200


async def _page(
    cookie: str, address: str, door: Door, ends: asyncio.Event, *, answers: bool = True
) -> int:
    """The status of the answer to a socket; 101 for one that is open until then.

    ``answers``: the server can say something in its place; else it is closed with a code.
    """
    said: list[int] = []

    async def send(message: dict) -> None:
        kind = message["type"].removeprefix("websocket.")
        assert kind in ("accept", "http.response.start", "http.response.body", "close")
        said.append(message.get("status") or message.get("code") or 101)

    async def receive() -> dict:
        await ends.wait()
        return {"type": "websocket.disconnect"}

    scope = {"type": "websocket", "path": "/_stcore/stream", "query_string": b"",
             "headers": [(b"cookie", cookie.encode())], "client": (address, 1),
             "extensions": {"websocket.http.response": {}} if answers else {}}  # fmt: skip
    running = asyncio.ensure_future(door(scope, receive, send))
    await asyncio.sleep(0)
    running.add_done_callback(lambda one: one.result())
    return said[0]


async def _stream(_scope: object, receive: Receive, send: Send) -> None:
    await send({"type": "websocket.accept"})
    await receive()


def test_a_browser_has_room_for_a_dozen_pages_and_an_address_for_a_class(monkeypatch):
    monkeypatch.setattr(visitors, "SOCKETS", 2)
    monkeypatch.setattr(visitors, "SOCKETS_OF_CLASS", 4)
    mine, others = f"{COOKIE}={'0f' * 16}", [f"{COOKIE}={n:032x}" for n in range(9)]

    async def all_() -> None:
        door, ends = Door(_stream), asyncio.Event()
        asked_for = [mine, mine, mine, "", *others[:2]]
        said = [await _page(one, "10.0.0.1", door, ends) for one in asked_for]
        assert said == [101, 101, 429, 101, 101, 429]
        assert await _page(mine, "10.0.0.1", door, ends, answers=False) == TRY_AGAIN_LATER
        assert await _page(mine, "10.0.0.2", door, ends) == 101
        home = Door(Starlette(routes=[Route("/{path:path}", lambda _r: PlainTextResponse("me"))]))
        home._sockets = door._sockets
        client = {"accept": "text/html", "address": "10.0.0.1", "cookie": mine}
        for path, status in (("/", 429), ("/lesson/a.html", 200)):
            assert (await asyncio.to_thread(answered, home, path, **client))[0] == status
        ends.set()
        await asyncio.sleep(0.01)
        assert not door._sockets
        assert (await asyncio.to_thread(answered, home, "/", **client))[:2] == (200, "me")

    learn(all_)


def test_who_goes_away_just_when_he_is_called_passes_his_turn_on():
    async def all_() -> None:
        turns, ends = Turns(), asyncio.Event()

        async def wait(visitor: Visitor) -> None:
            async with turns.turn(visitor):
                await ends.wait()

        async with turns.turn(ANN):
            gone, last = (asyncio.ensure_future(wait(one)) for one in (FAR, BOB))
            await asyncio.sleep(0)
            gone.cancel()  # and before he hears of it the turn before his ends
        ends.set()
        await asyncio.wait_for(last, 1)
        assert turns.idle

    learn(all_)


# --- what is asked in a body ----------------------------------------------------------------


def test_a_text_too_long_for_an_address_is_asked_for_in_a_body():
    text = "Кошка сидела на коврике. " * 175
    body = urlencode({"text": text, "layer": "1"}).encode()
    assert len(body) > 21_000
    status, content, headers = asked("/figure/text.tokens.csv", method="POST", body=body)
    assert status == 200
    assert headers["content-disposition"] == 'attachment; filename="text-tokens.csv"'
    assert (status, content) == asked("/figure/text.tokens.csv", {"text": text})[:2]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": HERE}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "same-origin", "origin": "http://behind.a.proxy"}, 200),
        ({"sec_fetch_site": "cross-site", "origin": HERE}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
    ],
)
def test_another_sites_page_asks_for_nothing(headers, status):
    assert asked("/figure/attention.row.txt", method="POST", **headers)[0] == status


def test_what_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(asking, "MOST_ASKED", 1000)
    monkeypatch.setattr(making, "MOST_MADE", 5000)
    assert asked("/figure/attention.row.txt", method="POST", body=b"a=" + b"b" * 999)[0] == 413
    status, content, _headers = asked("/figure/attention.weights.csv", {"text": "a b c " * 20})
    assert (status, content[:32]) == (413, "This file would be larger than 0")
    assert making._here.turns.idle


def test_what_comes_slowly_is_not_waited_for_and_holds_a_place_alone(monkeypatch):
    monkeypatch.setattr(asking, "ASKED_WITHIN", 0.01)
    held: list[int] = []

    async def stalled() -> None:
        scope = {"type": "http", "method": "POST", "path": "/figure/attention.row.txt",
                 "query_string": b"", "headers": [], "client": ("192.0.2.1", 1)}  # fmt: skip
        said: list[dict] = []

        async def receive() -> dict:
            held.append(making._here.turns._held["all", None])
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict) -> None:
            said.append(message)

        await Starlette(routes=[*ROUTES])(scope, receive, send)
        assert said[0]["status"] == 408
        assert held == [1]  # it was read in a place
        assert not making._here.turns._held

    learn(stalled)


def test_who_takes_nothing_of_his_file_gives_his_place_back(monkeypatch):
    monkeypatch.setattr(making, "SLOWEST", 2**40)
    monkeypatch.setattr(making, "ASKED_WITHIN", 0.01)

    async def stalled() -> None:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
        file, done = making.tempfile.TemporaryFile(), asyncio.Event()
        file.write(b"numbers")

        async def never(_message: object = None) -> dict:
            await asyncio.Event().wait()
            raise AssertionError

        await making._Sent(file, "text/plain", {}, done.set)(scope, never, never)
        assert done.is_set()
        assert file.closed

    learn(stalled)


@pytest.mark.parametrize("number", making.FULL)
def test_a_full_disk_is_said_in_plain_words(monkeypatch, number):
    def full(*_size: int) -> None:
        raise OSError(number, "No space left on device")

    monkeypatch.setattr(making.tempfile, "SpooledTemporaryFile", full)
    status, content, _headers = asked("/figure/attention.row.txt")
    assert status == 507
    assert content.startswith("The disk of this server is full")
    assert making._here.turns.idle


# --- what is trained first ------------------------------------------------------------------


class Trained:
    """A store whose jobs go on for as long as they are let, and the turns meanwhile."""

    def __init__(self, told: list[JobProgress]) -> None:
        self._told, self.looked = told, []

    def watch(self, job: Job, who: object, device: str, visitor: Visitor) -> JobProgress:
        self.looked.append((visitor, making._here.turns.idle, making._elsewhere.turns.idle))
        found = self._told.pop(0)
        if found.problem is not None and not found.over:
            raise found.problem
        return found


@pytest.fixture
def training(monkeypatch):
    """Figures that train, of which each look tells what is next; then they are made."""

    def begin(*told: JobProgress) -> Trained:
        found = Trained([*told])
        monkeypatch.setattr(trained, "for_files", lambda: found)
        monkeypatch.setattr(trained, "LOOK", 0.0)
        monkeypatch.setattr(files, "make", lambda *_how: ["made"])
        return found

    return begin


@pytest.mark.parametrize(
    "path", ["/figure/tune.learning.svg?learns=scratch", "/figure/beyond.frontier.csv",
             "/figure/masks.learning.txt", "/figure/stream.gradient.html"]
)  # fmt: skip
def test_what_trains_is_a_job_and_holds_nobodys_turn(training, path):
    runs = training(
        JobProgress(state="waiting"), JobProgress(state="running"), JobProgress(state="finished")
    )
    path, _mark, query = path.partition("?")
    status, content, _headers = asked(path, dict(parse_qsl(query)))
    assert (status, content) == (200, "made")
    assert runs.looked == [(Visitor("192.0.2.1"), True, True)] * 3


def test_who_asks_for_what_is_being_trained_is_told_when_to_come_again(training, monkeypatch):
    monkeypatch.setattr(trained, "PATIENCE", -1.0)
    training(JobProgress(state="running", share=0.34))
    status, content, headers = asked("/figure/masks.learning.csv")
    assert (status, headers["retry-after"], headers["refresh"]) == (503, "5", "5")
    assert content == "This is being computed, 34 % is done. Try again in 5 s."
    training(JobProgress(problem=going_already(3, 21)))
    status, content, headers = asked("/figure/masks.learning.csv", {"_language": "fr"})
    assert (status, headers["retry-after"]) == (503, "21")
    assert content.startswith("vous avez déjà 3 calculs en cours")
    training(JobProgress(state="failed", problem=lost()))
    assert asked("/figure/masks.learning.csv")[0] == 400


def test_a_lesson_waits_for_all_that_it_trains(training, monkeypatch):
    runs = training(*[JobProgress(state="finished")] * 2)
    made = []
    monkeypatch.setattr(lesson_files, "make", lambda *how, **_more: made.append(how) or "paper")
    status, content, _headers = asked("/lesson/masks.html")
    assert (status, content) == (200, "paper")
    assert len(runs.looked) == 1
    assert [*made[0][3]] == [LookAheadRequest()]


def test_what_takes_long_has_turns_of_its_own():
    """What is ready is made while the other process is at somebody else's file."""

    async def both() -> None:
        async with making._elsewhere.turns.turn(FAR):
            status, content, _headers = await asyncio.to_thread(asked, "/figure/attention.row.txt")
            assert (status, bool(content)) == (200, True)

    shared_runs().get(*views.get("attention.row").requests(params_of("attention.row", {})[0]))
    learn(both)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals")
def test_a_file_takes_no_longer_than_others_should_wait(monkeypatch, tmp_path):
    monkeypatch.setattr(apart, "MOST_SECONDS", 0.02)
    before = signal.signal(signal.SIGPROF, apart._too_long)
    try:
        with pytest.raises(TooLongError):
            apart._written(str(tmp_path / "file"), "en", lambda: iter(lambda: "", None), ())
    finally:
        signal.signal(signal.SIGPROF, before)
    monkeypatch.setattr(files, "make", lambda *_how: (_ for _ in ()).throw(TooLongError))
    status, content, _headers = asked("/figure/text.pairs.csv", {"text": "xq zw"})
    assert (status, content) == (
        413, "This file would take longer than 20 s to make: shorten the text.",
    )  # fmt: skip


# --- apart ----------------------------------------------------------------------------------


def test_what_nobody_looks_at_is_made_in_another_process():
    """The same file, the same words for a mistake, and the process ends when it is not needed."""
    wanted = [("/figure/text.pairs.csv", {"text": "ab ab"}),
              ("/figure/attention.row.txt", {"text": " ", "_language": "fr"})]  # fmt: skip
    here = [asked(*one)[:2] for one in wanted]
    with making.beside():
        assert [asked(*one)[:2] for one in wanted] == here
        (apart,) = making._apart
        (process,) = multiprocessing.active_children()
        apart.close()
        # Its own pool waits for it, too, and only one of two can take its status.
        assert wait([process.sentinel], 30)

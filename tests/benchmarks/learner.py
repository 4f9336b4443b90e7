"""A learner without a browser, who opens pages and asks for figures, and times the answers.

It sends what the page would send when it opens (``BackMsg``) and reads what the server sends back
(``ForwardMsg``); a click is a change of the state, for which the figures ask by themselves
(``tests.benchmarks.asking``). Tried with Streamlit 1.67, whose page keeps a message until it was
not used for two runs.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from core.figures.payload import Payload, unpack
from tests.benchmarks.asking import Asking, figures_of

KEPT = 2  # runs for which an unused message stays in the browser's cache
PATIENCE = 90.0  # seconds
BEEN_HERE = "glassformer=known"  # the home page is no tour to her (pages/server/front.py)


@dataclass
class Answer:
    """What one act of the learner led to.

    Attributes:
        seconds: from sending it to the last of what the server had to say.
        frames: as they were received.
    """

    seconds: float = 0.0
    frames: list[bytes] = field(default_factory=list)

    @property
    def n_bytes(self) -> int:
        return sum(map(len, self.frames))


class Learner:
    """One learner with one page open.

    Args:
        address: of the server, ``http://host:port``.
        locale: of the browser.
        cookie: that it has; none of the app's own unless it is named.
        source: the address that it comes from; that of the machine when empty.
        scrolls: all figures of a page are seen, not only those above what is to be tried.

    Attributes:
        query: the state of the page, as its link says it.
        screen: of a lesson, as it was made last.
        problems: exceptions and error boxes that were sent.
        asking: asks for the figures.
    """

    def __init__(
        self,
        address: str,
        *,
        locale: str = "en-US",
        cookie: str = "",
        source: str = "",
        scrolls: bool = False,
    ) -> None:
        self.query: dict[str, str] = {}
        self.screen: dict[str, Any] = {}
        self.problems: list[str] = []
        self._address, self._locale, self._source = address, locale, source
        self._cookie = f"{BEEN_HERE}; {cookie}" if cookie else BEEN_HERE
        self._scrolls = scrolls
        self.asking = Asking(address, self._cookie, source)
        self._page, self._script = "", ""
        self._study = ""  # what her browser keeps of her answers
        self._shown: dict[tuple[int, ...], tuple[Element, str]] = {}  # and the run that it is from
        self._cache: dict[str, tuple[ForwardMsg, int]] = {}  # hash -> message, run of last use
        self._runs = 0

    async def __aenter__(self) -> Learner:
        self._socket: ClientConnection = await connect(
            self._address.replace("http", "ws", 1) + "/_stcore/stream",
            origin=self._address, subprotocols=["streamlit"], max_size=None, compression=None,
            open_timeout=PATIENCE, ping_interval=None, additional_headers={"Cookie": self._cookie},
            **({"local_addr": (self._source, 0)} if self._source else {}),
        )  # fmt: skip
        return self

    async def __aexit__(self, *_problem: object) -> None:
        await self._socket.close()
        await self.asking.close()

    # --- what a learner does ------------------------------------------------------------------

    async def open(self, page: str, query: Mapping[str, str] | None = None) -> Answer:
        """Open a page by its link, in a new tab."""
        self._page, self.query = page, dict(query or {})
        return await self._opened(await self._rerun(page_name=page))

    async def change(self, patch: Mapping[str, Any]) -> Answer:
        """Change the state: the figures ask again, or the page's script is run anew.

        Args:
            patch: names and values; None takes one back to its default.
        """
        changed = {name: None if value is None else str(value) for name, value in patch.items()}
        self.query = {
            name: value for name, value in {**self.query, **changed}.items() if value is not None
        }
        if self.asking.restarts(changed):
            return await self._opened(await self._rerun(is_history_navigation=True))
        asked = [self.asking.ask(self.query, changed)]
        if "text" in changed and self.has("runbar"):
            asked.append(self._remarks(self.query["text"]))
        began = time.perf_counter()
        frames = [body for bodies in await asyncio.gather(*asked) for body in bodies]
        answer = Answer(time.perf_counter() - began, frames)
        self._note_refusals()
        return answer

    async def look(self) -> Answer:
        """Wait until a figure is to ask again how its job stands, and ask.

        Raises:
            ValueError: none goes on.
        """
        await asyncio.sleep(min(self.asking.waits.values()))
        began = time.perf_counter()
        frames = await self.asking.look(self.query)
        self._note_refusals()
        return Answer(time.perf_counter() - began, frames)

    async def play(
        self, patch: Mapping[str, Any] | None = None, deed: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask for a screen of the lessons, as their component does.

        Args:
            patch: changes of the state.
            deed: what is done at a question.
        """
        said = self.payload("lesson").header
        self.query |= {name: str(value) for name, value in (patch or {}).items()}
        began = time.perf_counter()
        body = await self.asking.screen(said["path"], {
            **self.query, "_language": said["speaks"], "_study": self._study,
            "_does": json.dumps(deed) if deed else "",
        })  # fmt: skip
        answer = Answer(time.perf_counter() - began, [body])
        self._note_refusals()
        if not self.problems:
            self.screen = unpack(body).header["screen"]
            self._study = self.screen["study"] or self._study
            self.query |= {n: v for n, v in self.screen["sets"].items() if v is not None}
        return answer

    async def slide(self, key: str, value: float) -> Answer:
        """Move one of Streamlit's own sliders; the app has none, an empty one may."""
        sliders = [one.slider for one, _run in self._shown.values() if one.HasField("slider")]
        (slider,) = [one for one in sliders if one.id.endswith(key)]
        state = WidgetState(id=slider.id)
        state.double_array_value.data.append(value)
        return await self._rerun(widget=state)

    # --- what a learner sees ------------------------------------------------------------------

    def components(self) -> Iterator[Any]:
        """Every component on the page from top to bottom, as it was sent."""
        for path in sorted(self._shown):
            element, _run = self._shown[path]
            if element.WhichOneof("type") == "bidi_component":
                yield element.bidi_component

    def has(self, component: str) -> bool:
        """Whether there is a component of a kind."""
        return any(_kind(one) == component for one in self.components())

    def payload(self, component: str) -> Payload:
        """What the first component of a kind has to draw."""
        return unpack(next(one for one in self.components() if _kind(one) == component).bytes)

    def texts(self) -> Iterator[str]:
        """What Streamlit itself writes on the page."""
        for element, _run in self._shown.values():
            kind = element.WhichOneof("type")
            if kind in ("markdown", "html", "alert"):
                yield getattr(element, kind).body

    # --- figures that ask for themselves ------------------------------------------------------

    async def _opened(self, answer: Answer) -> Answer:
        """The script of a page has been run: its figures ask."""
        if not self.has("link"):
            return answer
        headers = [(_kind(one), one.bytes) for one in self.components()]
        figures = [one.header for one in figures_of(headers, all_=self._scrolls)]
        self.asking.meet(self.payload("link").header, figures)
        began = time.perf_counter()
        answer.frames += await self.asking.ask(self.query)
        answer.seconds += time.perf_counter() - began
        self._note_refusals()
        return answer

    async def _remarks(self, text: str) -> list[bytes]:
        """What stands under the box."""
        bar = self.payload("runbar").header
        said = {"text": text, "model": bar["model"], "_language": bar["speaks"]}
        return [await self.asking.remarks(bar["asks"], **said)]

    def _note_refusals(self) -> None:
        self.problems += self.asking.refused
        self.asking.refused.clear()

    # --- the protocol -------------------------------------------------------------------------

    async def _rerun(self, *, widget: WidgetState | None = None, **how: Any) -> Answer:
        """Send what the page sends, and read until its runs have ended."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = urlencode(self.query)
        rerun.widget_states.widgets.extend([] if widget is None else [widget])
        rerun.cached_message_hashes.extend(self._cache)
        if "page_name" not in how:
            rerun.page_script_hash = self._script
        for name, value in how.items():
            setattr(rerun, name, value)
        context = rerun.context_info
        context.timezone, context.locale, context.color_scheme = "UTC", self._locale, "light"
        context.url = f"{self._address}/{self._page}"
        data = message.SerializeToString()
        began = time.perf_counter()
        await self._socket.send(data)
        answer = Answer()
        messages = await asyncio.wait_for(self._messages(answer), PATIENCE)
        answer.seconds = time.perf_counter() - began
        self._take(messages)
        return answer

    async def _messages(self, answer: Answer) -> list[ForwardMsg]:
        """What arrives, up to the end of a run that does not give way to another."""
        messages: list[ForwardMsg] = []
        begun = False
        while True:
            data = await self._socket.recv()
            message = ForwardMsg.FromString(data)
            answer.frames.append(data)
            messages.append(message)
            kind = message.WhichOneof("type")
            begun |= kind == "new_session"
            if kind == "script_finished" and begun:  # else it ends an earlier run
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                return messages

    def _take(self, messages: list[ForwardMsg]) -> None:
        """Bring the page up to date."""
        run = ""
        for message in messages:
            kind = message.WhichOneof("type")
            if kind == "new_session":
                run = message.metadata.run.script_run_id
                self._script = message.new_session.page_script_hash
            elif kind == "navigation":
                self._script = message.navigation.page_script_hash
            elif kind in ("delta", "ref_hash"):
                self._take_delta(message, run)
            elif kind == "session_event" and message.session_event.HasField(
                "script_compilation_exception"
            ):
                self.problems.append(message.session_event.script_compilation_exception.message)
        # What the run has not shown again is forgotten, as the browser does.
        self._runs += 1
        self._shown = {path: one for path, one in self._shown.items() if one[1] == run}
        self._cache = {
            name: (one, last)
            for name, (one, last) in self._cache.items()
            if self._runs - last <= KEPT
        }

    def _take_delta(self, message: ForwardMsg, run: str) -> None:
        """Put an element in its place."""
        metadata = message.metadata
        if message.WhichOneof("type") == "ref_hash":
            message, _last = self._cache[message.ref_hash]
            self._cache[message.hash] = (message, self._runs)
        elif metadata.cacheable:
            self._cache[message.hash] = (message, self._runs)
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        self._shown[tuple(metadata.delta_path)] = (element, run)
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.problems.append(element.exception.message)
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self.problems.append(element.alert.body)


def _kind(component: Any) -> str:
    return str(component.component_name.rpartition(".")[2])

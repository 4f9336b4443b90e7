"""A learner without a browser: speaks Streamlit's protocol as its page does, and times the answers.

It sends what the page would send after a click (``BackMsg``) and reads what the server sends back
(``ForwardMsg``): which widgets there are, what they are given, and the link. Where the state of a
page is the browser's, it asks for the figures itself (``tests.benchmarks.asking``). Tried with
Streamlit 1.67, whose page keeps a message until it was not used for two runs, sends the values of
all widgets with every click, and says which fragment the clicked one belongs to.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from core.figures.payload import Payload, unpack
from tests.benchmarks.asking import Asking, figures_above
from tests.benchmarks.widgets import CONTROLS, Answer, Shown, state_of

LINK = "link"  # the component that reports every selection, in an app that has one
KEPT = 2  # runs for which an unused message stays in the browser's cache
PATIENCE = 90.0  # seconds
BEEN_HERE = "glassformer=known"  # the home page is no tour to her (pages/server/front.py)


class Learner:
    """One learner with one page open.

    Args:
        address: of the server, ``http://host:port``.
        locale: of the browser.
        cookie: that it has; none of the app's own unless it is named.
        source: the address that it comes from; that of the machine when empty.

    Attributes:
        query: the link's query, as the server wrote it last.
        screen: of a lesson, as it was made last.
        problems: exceptions and error boxes that were sent.
        script: by which Streamlit knows the page, as the next message will name it.
        timers: by fragment, every how many seconds the page has it run again by itself.
    """

    def __init__(
        self, address: str, *, locale: str = "en-US", cookie: str = "", source: str = ""
    ) -> None:
        self.query: dict[str, str] = {}
        self.screen: dict[str, Any] = {}
        self.problems: list[str] = []
        self._address, self._locale, self._source = address, locale, source
        self._cookie = f"{BEEN_HERE}; {cookie}" if cookie else BEEN_HERE
        self.timers: dict[str, float] = {}
        self.asking = Asking(address, self._cookie, source)
        self._page, self.script, self._main = "", "", ""
        self._study = ""  # what her browser keeps of her answers
        self._pages: dict[str, str] = {}  # address -> hash of the page's script
        self._shown: dict[tuple[int, ...], Shown] = {}
        self._states: dict[str, WidgetState] = {}
        self._cache: dict[str, tuple[ForwardMsg, int]] = {}  # hash -> message, run of last use
        self._runs = 0
        self._sent = 0

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

    async def visit(self, page: str, said: Mapping[str, Any] | None = None) -> Answer:
        """Click through to a page of the app.

        Args:
            page: its address.
            said: what is selected and has not been reported yet.
        """
        self._states = {
            shown.ident: self._states[shown.ident]
            for shown in self._shown.values()
            if shown.ident in self._states and shown.script == self._main
        }
        self._page, self.script = page, self._pages[page]
        self.query = {"visit": json.dumps(said or {})}
        return await self._opened(await self._rerun(is_history_navigation=True))

    async def select(self, chosen: Mapping[str, Any], by: str) -> Answer:
        """Select something in a figure.

        Args:
            chosen: names and values.
            by: key of the figure, which reports it where the page has no link component.
        """
        if self.asking.live:
            return await self.change(chosen)
        if not self.has(LINK):
            return await self.state(by, "selection", chosen)
        return await self.say(LINK, "selection", dict(chosen))

    async def change(self, patch: Mapping[str, Any]) -> Answer:
        """Change the state of a page that is the browser's: its figures ask again.

        Args:
            patch: names and values; None takes one back to its default.
        """
        changed = {name: None if value is None else str(value) for name, value in patch.items()}
        self.query = {
            name: value for name, value in {**self.query, **changed}.items() if value is not None
        }
        if self.asking.restarts(changed):
            return await self._opened(await self._rerun(is_history_navigation=True))
        answer, began = Answer(link=True), time.perf_counter()
        asked = [self.asking.ask(self.query, changed)]
        if "text" in changed and self.has("runbar"):
            asked.append(self._remarks(self.query["text"]))
        answer.frames = [body for bodies in await asyncio.gather(*asked) for body in bodies]
        answer.seconds = time.perf_counter() - began
        self._note_refusals()
        return answer

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
        answer, began = Answer(link=True), time.perf_counter()
        body = await self.asking.screen(said["path"], {
            **self.query, "_language": said["speaks"], "_study": self._study,
            "_does": json.dumps(deed) if deed else "",
        })  # fmt: skip
        answer.seconds, answer.frames = time.perf_counter() - began, [body]
        self._note_refusals()
        if not self.problems:
            self.screen = unpack(body).header["screen"]
            self._study = self.screen["study"] or self._study
            self.query |= {n: v for n, v in self.screen["sets"].items() if v is not None}
        return answer

    async def come_near(self, parts: Sequence[str]) -> Answer:
        """Scroll to parts of the page, by name."""
        return await self.say(LINK, "near", [*parts])

    async def tick(self) -> Answer:
        """Wait for the page's next timer, and do what it does.

        Raises:
            ValueError: it has none.
        """
        fragment, seconds = min(self.timers.items(), key=lambda one: one[1])
        await asyncio.sleep(seconds)
        return await self._rerun(fragment_id=fragment, is_auto_rerun=True)

    async def say(self, key: str, what: str, value: Any) -> Answer:
        """Do something in a component of ours, which the link tells of, as ``env.say`` does."""
        self._sent += 1
        about = self.payload(key).header.get("about") if self.has(key) else None
        message = {"n": self._sent, "key": key, "what": what, "value": value, "about": about}
        return await self.trigger(LINK, "said", [message])

    async def ask(self, chosen: Mapping[str, Any], by: str = "") -> Answer:
        """Change what the server must be asked for, by its control or else by selecting it."""
        if self.asking.live:
            return await self.change(chosen)
        (name, value), *more = chosen.items()
        control = f"control-{name}"
        if more or not self.has(control):
            return await self.select(chosen, by)
        return await self.control(control, value)

    async def type(self, text: str) -> Answer:
        """Type another text into the run bar."""
        if self.asking.live:
            return await self.change({"text": text})
        return await self.say("runbar", "bar", {"text": text})

    async def control(self, key: str, value: Any) -> Answer:
        """Set one of Streamlit's own controls; of a list, the option with this value or label."""
        shown = self.find(key)
        self._states[shown.ident] = state_of(shown, value)
        return await self._rerun(fragment_id=shown.fragment)

    async def press(self, key: str) -> Answer:
        """Press a button."""
        shown = self.find(key)
        self._states[shown.ident] = WidgetState(id=shown.ident, trigger_value=True)
        try:
            return await self._rerun(fragment_id=shown.fragment)
        finally:
            self._states.pop(shown.ident, None)

    async def state(self, key: str, name: str, value: Any) -> Answer:
        """Change a state of a component, as ``env.state`` does."""
        shown = self.find(key)
        self._sent += 1
        had = self._states.get(shown.ident)
        states = json.loads(had.json_value) if had is not None else {}
        states[name] = {"value": value, "n": self._sent}
        said = json.dumps(states, separators=(",", ":"))
        self._states[shown.ident] = WidgetState(id=shown.ident, json_value=said)
        return await self._rerun(fragment_id=shown.fragment)

    async def trigger(self, key: str, event: str, value: Any) -> Answer:
        """Send an event of a component, as ``env.trigger`` does."""
        shown = self.find(key)
        ident = f"$$STREAMLIT_INTERNAL_KEY_{shown.ident}__events"
        said = json.dumps([{"event": event, "value": value}])
        self._states[ident] = WidgetState(id=ident, json_trigger_value=said)
        try:
            return await self._rerun(fragment_id=shown.fragment)
        finally:
            self._states.pop(ident, None)  # its component may be gone

    # --- what a learner sees ------------------------------------------------------------------

    def has(self, key: str) -> bool:
        """Whether there is a widget with this key."""
        return any(shown.key == key for shown in self._shown.values())

    def find(self, key: str) -> Shown:
        """The widget with a key.

        Raises:
            KeyError: there is none.
        """
        for shown in self._shown.values():
            if shown.key == key:
                return shown
        raise KeyError(f"{key!r} is not on {self._page!r}; there are {sorted(self.keys())}")

    def key(self, begins: str) -> str:
        """The key of the only widget whose key begins so."""
        (found,) = [key for key in self.keys() if key.startswith(begins)]
        return found

    def states(self, instead: dict[str, WidgetState] | None = None) -> dict[str, WidgetState]:
        """What the next message will tell of all controls; something else instead, if given."""
        self._states = dict(self._states if instead is None else instead)
        return dict(self._states)

    def keys(self) -> set[str]:
        """The keys of the widgets on the page."""
        return {shown.key for shown in self._shown.values() if shown.key}

    def payload(self, key: str) -> Payload:
        """What a component has to draw."""
        return unpack(self.find(key).element.bidi_component.bytes)

    def components(self) -> Iterator[Any]:
        """Every component on the page, as it was sent."""
        for shown in self._shown.values():
            if shown.kind == "bidi_component":
                yield shown.element.bidi_component

    def elements(self) -> list[Element]:
        """Everything on the page, from top to bottom."""
        return [self._shown[path].element for path in sorted(self._shown)]

    def figures(self) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        """The views on the page that offer files, and the parameters of each, as the menu asks."""
        for component in self.components():
            header = unpack(component.bytes).header
            save = header.get("save")
            if save:
                scope = f"{header['scope']}." if header.get("scope") else ""
                selected = {
                    name: self.query[scope + name]
                    for name in save["fields"]
                    if scope + name in self.query
                }
                yield save["view"], tuple(sorted({**save["params"], **selected}.items()))

    def texts(self) -> Iterator[str]:
        """What Streamlit itself writes on the page."""
        for shown in self._shown.values():
            if shown.kind in ("markdown", "html", "alert"):
                yield getattr(shown.element, shown.kind).body

    def numbers(self, view: str) -> bytes:
        """What a figure was given to draw."""
        if view in self.asking.answers:
            return self.asking.answers[view]
        return bytes(self.find(view).element.bidi_component.bytes)

    # --- figures that ask for themselves ------------------------------------------------------

    async def _opened(self, answer: Answer) -> Answer:
        """The script of a page has been run: its figures ask, if they do so by themselves."""
        shown = [(self._shown[path], path) for path in sorted(self._shown)]
        components = [one.element.bidi_component for one, _path in shown
                      if one.kind == "bidi_component"]  # fmt: skip
        figures = figures_above([(one.component_name.rpartition(".")[2], one.bytes)
                                 for one in components])  # fmt: skip
        said = self.payload(LINK).header if self.has(LINK) else {}
        self.asking.meet(said.get("live") or {}, [one.header for one in figures])
        if self.asking.live:
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

    async def _rerun(self, **how: Any) -> Answer:
        """Send what the page sends after a click, and read until its runs have ended."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = urlencode(self.query)
        rerun.widget_states.widgets.extend(self._states.values())
        rerun.cached_message_hashes.extend(self._cache)
        if "page_name" not in how:
            rerun.page_script_hash = self.script
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
        self._take(messages, answer)
        return answer

    async def _messages(self, answer: Answer) -> list[ForwardMsg]:
        """What arrives, up to the end of a run that does not give way to another."""
        messages: list[ForwardMsg] = []
        while True:
            data = await self._socket.recv()
            message = ForwardMsg.FromString(data)
            answer.frames.append(data)
            messages.append(message)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                answer.n_runs += 1
            elif kind == "script_finished" and answer.n_runs:  # else it ends an earlier run
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                return messages

    def _take(self, messages: list[ForwardMsg], answer: Answer) -> None:
        """Bring the page up to date."""
        run = ""
        for message in messages:
            kind = message.WhichOneof("type")
            if kind == "new_session":
                run = message.metadata.run.script_run_id
                self.script = message.new_session.page_script_hash
                self._main = message.new_session.main_script_hash
                if not message.metadata.run.fragment_ids:
                    self.timers = {}
            elif kind == "auto_rerun":
                self.timers[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            elif kind == "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self.timers.pop(fragment, None)
            elif kind == "navigation":
                pages = message.navigation.app_pages
                self._pages = {
                    "" if page.is_default else page.url_pathname: page.page_script_hash
                    for page in pages
                }
                self.script = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = dict(parse_qsl(message.page_info_changed.query_string))
                answer.link = True
            elif kind in ("delta", "ref_hash"):
                self._take_delta(message, run, answer)
            elif kind == "session_event" and message.session_event.HasField(
                "script_compilation_exception"
            ):
                self.problems.append(message.session_event.script_compilation_exception.message)
        self._finish(run, tuple(messages[-1].metadata.run.fragment_ids))

    def _take_delta(self, message: ForwardMsg, run: str, answer: Answer) -> None:
        """Put an element in its place."""
        metadata, known = message.metadata, message.WhichOneof("type") == "ref_hash"
        if known:
            message, _last = self._cache[message.ref_hash]
            self._cache[message.hash] = (message, self._runs)
        elif metadata.cacheable:
            self._cache[message.hash] = (message, self._runs)
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        if not known:
            answer.elements.append(element)
        path = tuple(metadata.delta_path)
        shown = Shown(element, message.delta.fragment_id, metadata.active_script_hash, run)
        self._shown[path] = shown
        if shown.kind in CONTROLS:
            control = getattr(element, shown.kind)
            if control.set_value or shown.ident not in self._states:
                self._states[shown.ident] = state_of(shown)
        elif shown.kind == "exception":
            self.problems.append(element.exception.message)
        elif shown.kind == "alert" and element.alert.format == element.alert.ERROR:
            self.problems.append(element.alert.body)

    def _finish(self, run: str, fragments: tuple[str, ...]) -> None:
        """Forget what the run has not shown again, as the browser does."""
        self._runs += 1
        self._shown = {
            path: shown
            for path, shown in self._shown.items()
            if shown.run == run or (fragments and shown.fragment not in fragments)
        }
        there = {shown.ident for shown in self._shown.values()}
        self._states = {ident: one for ident, one in self._states.items() if ident in there}
        self._cache = {
            name: (message, last)
            for name, (message, last) in self._cache.items()
            if self._runs - last <= KEPT
            or (fragments and message.delta.fragment_id not in fragments)
        }

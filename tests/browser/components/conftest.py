"""A bare page that mounts components as Streamlit does, with no Streamlit near."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Locator, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from core import views
from core.figures.assets import SERVED, stub, version
from core.figures.components import Component, Stepper
from core.figures.payload import Payload
from core.figures.theme import PALETTES
from core.runs.store import Runs
from core.show import figure
from pages.server import modules
from tests.browser.conftest import Tab, free_port

HTML = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><title>bare</title><body></body></html>"
)
# What Streamlit gives a component: an element in a shadow root, bytes, and two ways to answer.
HARNESS = """\
window.mounted = {};
window.mount = async (key, code) => {
  const host = document.createElement("section");
  host.id = key;
  document.body.append(host);
  const root = host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  root.append(parent);
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const module = await import(url);
  window.mounted[key] = { parent, module, said: [], cleanup: null };
};
window.show = (key, packed) => {
  const one = window.mounted[key];
  one.cleanup?.(); // Streamlit cleans up before every call
  const data = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const hears = (what, value) => one.said.push({ what, value: JSON.parse(JSON.stringify(value)) });
  one.cleanup = one.module.default({ parentElement: one.parent, data, more: { hears } });
};
// All that the state of the page is told from now on.
window.told = [];
window.overhear = () => {
  const { live } = window.__glassformer;
  if (Object.hasOwn(live, "set")) return;
  for (const what of ["set", "undo", "reset"]) {
    live[what] = (patch, how) => {
      if (what === "set" && !Object.keys(patch).length) return;
      window.told.push([what, patch ?? null, how ?? {}]);
      return Object.getPrototypeOf(live)[what].call(live, patch, how);
    };
  }
};
"""


class Bare:
    """A page with nothing on it but components."""

    def __init__(self, page: Page) -> None:
        self.page, self.address = page, page.url
        self.paint("light")
        self._page: dict[str, Any] = {
            "address": "bare", "values": {}, "opened": {}, "translates": False, "tried": {},
            "asks": [], "selects": [], "restarts": [], "sections": [], "modes": [],
            "looks": [], "scoped": {"selects": [], "looks": []}, "called": {"text": "“Text”"},
        }  # fmt: skip
        self.hear()

    def paint(self, mode: str) -> None:
        """The theme's variables, as Streamlit sets them on the page."""
        palette = PALETTES[mode]  # type: ignore[index]
        css = f""":root {{
          --st-background-color: {palette.background}; --st-text-color: {palette.text};
          --st-secondary-background-color: {palette.surface}; --st-border-color: {palette.border};
          --st-primary-color: {palette.accent}; --st-base-radius: 0.4rem;
          --st-font: sans-serif; --st-code-font: monospace; }}
          body {{ background: {palette.background}; margin: 8px; }}"""
        self.page.evaluate(
            """(css) => {
              document.getElementById("theme")?.remove();
              const sheet = document.createElement("style");
              sheet.id = "theme";
              sheet.textContent = css;
              document.head.append(sheet);
            }""",
            css,
        )

    def show(self, component: str, payload: Payload, key: str | None = None) -> Locator:
        """Mount a component, or call it again with new data; gives its element."""
        key = key or component
        if not self.page.evaluate("(key) => key in window.mounted", key):
            self.page.evaluate("([key, code]) => window.mount(key, code)", [key, stub(component)])
        packed = base64.b64encode(payload.pack()).decode()
        self.page.evaluate("([key, packed]) => window.show(key, packed)", [key, packed])
        return self.page.locator(f"#{key} .glass")

    def hear(self, **more: Any) -> None:
        """What the server says of the page once its script has run: its values, for example."""
        self._page |= more
        self._page["selects"] = sorted({*self._page["selects"], *self._page["values"]})
        self.page.evaluate("(to) => history.replaceState({}, '', to)", f"/{self._page['address']}")
        self.show("link", Payload(self._page))
        self.page.evaluate("() => window.overhear()")

    def remove(self, key: str) -> None:
        """Take a component off the page, as a page change does."""
        self.page.evaluate("(key) => window.mounted[key].cleanup()", key)

    def said(self, key: str, name: str | None = None) -> list[Any]:
        """What a component said to what it stands in."""
        self.pass_time(1)
        said = self.page.evaluate("(key) => window.mounted[key].said", key)
        return [one["value"] for one in said if name in (None, one["what"])]

    def told(self, what: str = "set") -> list[Any]:
        """What the state of the page was told: changes, or that something be undone or reset."""
        self.pass_time(1)
        told = self.page.evaluate("() => window.told")
        return [patch for name, patch, _how in told if name == what]

    def reported(self) -> list[dict[str, Any]]:
        """The selections that the state was told."""
        return self.told()

    def settle(self) -> None:
        """A selection is reported and every motion ends, at once."""
        self.pass_time(420)
        self.page.evaluate("() => __ended()")

    def pass_time(self, ms: int) -> None:
        """Whatever has been set to happen within this time happens now, in its order."""
        self.page.evaluate("(ms) => __hurry(ms)", ms)

    def selection(self) -> dict[str, Any]:
        """What is selected on the page."""
        found: dict[str, Any] = self.page.evaluate("() => window.__glassformer.selection")
        return found


class Still(Bare):
    """One on which no time passes by itself: a slow machine sees what comes before it is over."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        page.clock.install(time=0)
        page.clock.pause_at(1000)

    def settle(self) -> None:
        self.pass_time(420)

    def pass_time(self, ms: int) -> None:
        self.page.clock.run_for(ms)


def served(path: str) -> str:
    """Where the app serves a module."""
    return f"{SERVED}/{version()}/{path}"


async def unremarkable(request: Request) -> JSONResponse:
    """What there is to say of a text that was typed."""
    return JSONResponse({"remarks": [], "looks": {}})


async def nothing(request: Request) -> HTMLResponse:
    """A page with nothing on it, whatever is asked for."""
    return HTMLResponse(HTML)


@contextmanager
def serving(*routes: Route) -> Iterator[str]:
    """An address that answers with the components' code, with more if named, else with nothing."""
    app = Starlette(routes=[*modules.ROUTES, *routes, Route("/{path:path}", nothing)])
    port = free_port()
    own = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=own.run)
    thread.start()
    while not own.started:
        assert thread.is_alive()
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    own.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def code() -> Iterator[str]:
    """Where the components' code is."""
    with serving(Route("/remarks", unremarkable, methods=["GET", "POST"])) as address:
        yield address


@pytest.fixture(scope="session")
def tabs() -> list[Tab]:
    """Pages that no test has at the moment."""
    return []


@pytest.fixture
def bare_page(browser: Browser, tabs: list[Tab], code: str) -> Iterator[Callable[..., Bare]]:
    """Makes bare pages; the test fails if anything went wrong in one of them."""
    used, apart = [], []

    def make(*, address: str = code, still: bool = False, **how: Any) -> Bare:
        tab = Tab(browser, HARNESS) if still or not tabs else tabs.pop()
        (apart if still else used).append(tab)  # a clock that was stopped stays so
        tab.renew(f"{address}/bare", **how)
        return (Still if still else Bare)(tab.page)

    yield make
    tabs.extend(used)
    for tab in apart:
        tab.page.context.close()
    problems = [problem for tab in (*used, *apart) for problem in tab.watch.problems]
    assert not problems, problems


@pytest.fixture
def bare(bare_page: Callable[..., Bare]) -> Bare:
    """One wide bare page."""
    return bare_page()


@pytest.fixture
def still(bare_page: Callable[..., Bare]) -> Bare:
    """One wide bare page on which time stands still."""
    return bare_page(still=True)


@pytest.fixture(scope="session")
def runs(gpt, bert, transformer, t5, bart, rnn, elmo, sorter, teller, digits) -> Runs:
    """Runs of tiny random models."""
    models = {
        "gpt": gpt, "bert": bert, "transformer": transformer, "t5": t5, "bart": bart, "rnn": rnn,
        "elmo": elmo, "sorter": sorter, "teller": teller, **digits,
    }  # fmt: skip
    return Runs(load=lambda name, device: models[name])


@pytest.fixture(scope="session")
def component_of(runs: Runs) -> Callable[..., Component]:
    """What a real view shows of a run."""

    def make(name: str, **values: Any) -> Component:
        view = views.get(name)
        known = {n: v for n, v in values.items() if n in view.Params.__dataclass_fields__}
        return figure(name, view.Params(**known), runs).component

    return make


@pytest.fixture(scope="session")
def payload_of(component_of: Callable[..., Component]) -> Callable[..., Payload]:
    """The payload of a real view."""
    return lambda name, **values: component_of(name, **values).payload()


def header(**values: Any) -> Payload:
    """A payload of words alone; JSON must hold them."""
    return Payload(json.loads(json.dumps(values)))


def stepper(n: int, **more: Any) -> Payload:
    """Steps 0 to ``n - 1``."""
    return Stepper(**{"title": "Steps", "alt": "steps", "n": n, **more}).payload()


def deck(titles: list[str], field: str, at: int) -> Payload:
    """The sections of a page in lecture view."""
    return stepper(len(titles), first=at, field=field, titles=titles, selection={field: at},
                   keys=False, deck=True)  # fmt: skip

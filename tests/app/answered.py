"""What the figures of a page ask for, and what they are answered, as its browser would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from core.figures.payload import Payload, unpack
from pages.server import answers, files
from tests.app import asked

APP = Starlette(routes=[*files.ROUTES, *answers.ROUTES])
OF_THE_PAGE = ("text", "model", "target", "device")  # in a scope, too, unless it has its own


@dataclass(frozen=True)
class Figure:
    """A figure of a page.

    Attributes:
        spec: what its page says of it.
        answer: what the server does; None if it refused.
        refused: with which words.
        offered: what can be changed all the same, where it was refused.
    """

    spec: dict[str, Any]
    answer: Payload | None
    refused: str = ""
    offered: tuple[dict[str, Any], ...] = ()

    @property
    def said(self) -> dict[str, Any]:
        """Its words, steps and controls."""
        return {} if self.answer is None else self.answer.header["answer"]

    @property
    def controls(self) -> list[dict[str, Any]]:
        """Those that the page shows."""
        offered = {one["name"]: one for one in self.said.get("controls", self.offered)}
        names = [one["name"] for one in (*self.spec["controls"], *self.spec["below"])]
        return [offered[name] for name in names if name in offered]


def figures(app: AppTest) -> list[Figure]:
    """Every figure of a page that asks for itself, with its answer."""
    return list(_figures(app))


def figure(app: AppTest, view: str) -> Figure:
    """The figure of a view; of one that stands there more than once, the first."""
    return next(one for one in figures(app) if one.spec["view"] == view and one.spec["drawn"])


def words(parts: list[list[str]]) -> str:
    """A sentence of an answer, without its colours."""
    return "".join(text for text, _role in parts)


def _figures(app: AppTest) -> Iterator[Figure]:
    headers = [(p.component_name.rpartition(".")[2], unpack(p.bytes).header)
               for p in (one.proto for one in app.get("bidi_component"))]  # fmt: skip
    live = next((one for name, one in headers if name == "link"), None)
    for spec in (one for name, one in headers if name == "figure"):
        assert live is not None, "a page whose figures ask has no state in the browser"
        known = live["opened"] | live["values"]
        if any(known.get(name, "") not in wanted for name, wanted in spec["when"].items()):
            continue
        names = [*spec["reads"], *([] if spec["drawn"] else spec["follows"])]
        own = f"{spec['scope']}." if "scope" in spec else ""
        query = {name: known[own + name] for name in names if own + name in known}
        query |= {one: known[one] for one in OF_THE_PAGE if one in names and one in known} | query
        kind = "bin" if spec["drawn"] else "words"
        _status, content, told = asked.received(
            APP,
            f"/figure/{spec['view']}.{kind}",
            query | spec["asks"] | {"_language": spec["speaks"]},
        )
        if told["content-type"] != "application/problem+json":
            yield Figure(spec, unpack(content))
        else:
            refused = json.loads(content)
            yield Figure(spec, None, refused["said"], tuple(refused["controls"]))

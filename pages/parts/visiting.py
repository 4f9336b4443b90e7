"""Who a page is for, and her place among all whose pages are run."""

from __future__ import annotations

import contextlib
import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import streamlit as st

from core.runs.turn_queue import FairSemaphore, Visitor, asking
from pages.parts import hooks

COOKIE = "glassformer_visitor"
EACH, ADDRESS = 1, 2  # runs of a browser at a time, and of all browsers of an address
_OURS = re.compile(r"[0-9a-f]{32}")


def visitor_from(address: str, cookies: Mapping[str, str]) -> Visitor:
    """Who comes: browsers of one address are told apart where they show our cookie."""
    cookie = cookies.get(COOKIE, "")
    ours = isinstance(cookie, str) and _OURS.fullmatch(cookie)
    return Visitor(network(address), cookie if ours else "")


@lru_cache(4096)
def network(address: str) -> str:
    """What of an address its owner cannot choose: with IPv6 everybody has 2⁶⁴ of them."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.is_loopback and ip.compressed in ("127.0.0.1", "::1"):
        return ""  # as Streamlit says it
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.compressed
    inside = ip.ipv4_mapped
    return str(inside or ipaddress.ip_network((int(ip), 64), strict=False))


def visitor_here() -> Visitor:
    """For whom the script runs; each tab of a browser without a cookie counts by itself."""
    address = st.context.ip_address
    visitor = visitor_from(address if isinstance(address, str) else "", st.context.cookies)
    return visitor if visitor.browser else replace(visitor, browser=hooks.connection())


places = FairSemaphore(EACH, ADDRESS)


@contextlib.contextmanager
def in_place() -> Iterator[None]:
    """Run a page in its visitor's place."""
    visitor = visitor_here()
    with asking(visitor), places.held(visitor, hooks.stop_if_left):
        yield

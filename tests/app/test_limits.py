"""What strangers' links and messages leave behind: no name that nothing declares, no long value."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
import zlib

import pytest

from core.views.params import MAX_TEXT
from pages.parts import address, frame, limits, session, state
from pages.parts.limits import ECHOED, MOST_CHARACTERS, MOST_NAMES, STATES_KEPT, declared_only
from pages.parts.names import selectable
from pages.parts.session import Part, Session
from pages.parts.table import TABLE
from pages.parts.whose import Said
from tests.app.test_clicks import learn, own_bytes
from tests.benchmarks.learner import LINK, Learner

DECLARED = ("text", "token", "b.token", "bs.layer", "tour3.token", "attention.3a.token", "hers",
            "attention.12-againa.head", "bar_model")  # fmt: skip
INVENTED = ("quatsch", "b.quatsch", "abc.token", "attention.3nobody.token", "nolesson.3a.token",
            "a.b.c.token", "tour.3.token", "", ".", "x" * 500,
            "attention.3a." + "x" * 500)  # fmt: skip
LONG = "ä" * 100_000


@pytest.fixture
def own(monkeypatch):
    """A session of nobody's."""
    found = Session()
    token = session._OWN.set(found)
    yield found
    session._OWN.reset(token)


def packed(values: dict[str, str]) -> str:
    data = zlib.compress(json.dumps(values).encode(), 9)
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_a_name_is_kept_where_something_declares_it():
    assert tuple(declared_only(dict.fromkeys(DECLARED + INVENTED, "1"))) == DECLARED


def test_the_first_that_were_put_into_figures_go_first(own):
    for n in range(MOST_NAMES + 20):
        own.values[f"attention.{n}a.token"] = "1"
    state.update({"text": "Hers"})
    assert len(own.values) == MOST_NAMES
    assert "attention.20a.token" not in own.values
    assert f"attention.{MOST_NAMES + 19}a.token" in own.values
    assert own.values["text"] == "Hers"


@pytest.mark.parametrize("door", [frame._select, frame._remember])
def test_a_message_leaves_no_more_than_a_state_may_hold(own, door):
    names = sorted(selectable())
    for n in range(40):
        door({f"{'abcdefgh'[n % 8]}{n}.{name}": LONG for name in names[:3]})
        door({f"attention.{n}a.{name}": LONG for name in names} | {"text": "Hers"})
    door({f"quatsch{n}": "1" for n in range(100_000)})
    assert len(own.values) <= MOST_NAMES
    assert limits.size(own.values) <= MOST_CHARACTERS
    assert max(map(len, own.values.values())) <= MAX_TEXT + 1
    assert own.values.keys() == declared_only(own.values).keys()
    assert sum(map(limits.size, own.undo)) <= max(state.UNDO_KEPT, MOST_CHARACTERS)


def test_what_is_typed_and_taken_back_is_not_kept_without_end(own, monkeypatch):
    monkeypatch.setattr(address.st, "query_params", type("Query", (), {"from_dict": list})())
    for n in range(60):
        state.update({"text": f"{n} " * 9_000, "layer": n})
        own.parts[""] = Part(placed=True, names={"layer"})
        address.finish()
        assert own.undo
    kept = [one for moment in own.seen.values() for one in (moment.values, *moment.undo)]
    assert len(own.seen) > 10
    assert sum(limits.size(moment.values) for moment in own.seen.values()) <= STATES_KEPT
    assert sum({id(text): len(text) for one in kept for text in one.values()}.values()) < 4_000_000


def test_a_link_of_700_names_costs_a_click_no_more_than_a_plain_one(server):
    """It cost 93 kB a click, 200 times as much."""
    names = [f"{scope}.token" for n in range(340) for scope in (f"x{n}", f"nolesson.{n % 40}q{n}")]
    link = packed({"text": "The cat", **dict.fromkeys([*names, *map(str, range(30))], "1")})
    assert len(link) < 4000

    async def scenario() -> None:
        sizes = []
        for query in ({"text": "The cat"}, {"z": link}):
            async with Learner(server) as learner:
                await learner.open("attention", query)
                sizes.append(own_bytes(await learner.select({"token": 1}, "attention-row")))
                header = learner.payload(LINK).header
                assert set(header["chosen"]) <= {"token"}
                assert not any(name in names for name in header.get("rest", {}))
        assert sizes[1] <= sizes[0] + 100

    learn(scenario)


def test_what_the_browser_keeps_for_a_server_is_short(own):
    own.values = {f"attention.{n}a.token": "1" * 150 for n in range(200)}
    found = address.unsaid()
    assert 10 < len(found) < 60
    assert limits.size(found) <= ECHOED
    assert "attention.199a.token" in found


def test_what_is_no_page_is_not_found(server):
    """Streamlit answers with its own document, which says so, but with a status of 200."""
    browser = {"Accept": "text/html"}
    for path, status in (
        ("/", 200), ("/attention", 200), ("/check", 200), ("/robots.txt", 404), ("/nothing", 404),
        ("/attention/x", 404), ("/figure/x/y.svg", 404), ("/lesson/masks/a/b.html", 404),
        ("/components/x", 404),
    ):  # fmt: skip
        asked = urllib.request.Request(server + path, headers=browser)
        try:
            with urllib.request.urlopen(asked) as answer:
                found, said = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                found, said = refused.code, refused.read()
        assert (path, found) == (path, status)
        assert b"<html" in said


def test_what_is_typed_is_cut_before_anything_reads_it(monkeypatch):
    heard: list[str] = []
    monkeypatch.setattr(frame, "in_bar", lambda *_which: Said("before"))
    monkeypatch.setattr(frame.state, "update", lambda *_what, **_how: None)
    monkeypatch.setattr(frame.sentence, "type_in", lambda text, *_w, **_how: heard.append(text))
    frame._take_bar("gpt", TABLE[0], {"text": "a " * MAX_TEXT})
    assert [len(one) for one in heard] == [MAX_TEXT + 1]

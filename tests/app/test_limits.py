"""What strangers' links leave behind: no name that nothing declares, no long value."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
import zlib

from core.answers import link as links
from core.answers.link import MOST_CHARACTERS, MOST_NAMES, declared_only
from core.answers.names import selectable
from core.views.params import MAX_TEXT
from pages.parts import state
from tests.app.test_pages import check, in_browser, opened

DECLARED = ("text", "token", "b.token", "bs.layer", "tour3.token", "attention.3a.token", "hers",
            "attention.12-againa.head")  # fmt: skip
INVENTED = ("quatsch", "bar_model", "b.quatsch", "abc.token", "attention.3nobody.token",
            "nolesson.3a.token", "a.b.c.token", "tour.3.token", "", ".", "x" * 500,
            "attention.3a." + "x" * 500)  # fmt: skip
LONG = "ä" * 100_000


def packed(values: dict[str, str]) -> str:
    data = zlib.compress(json.dumps(values).encode(), 9)
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_a_name_is_kept_where_something_declares_it():
    assert tuple(declared_only(dict.fromkeys(DECLARED + INVENTED, "1"))) == DECLARED


def test_the_first_that_were_put_into_figures_go_first():
    names = ("token", "key", "layer", "head")
    link = {f"attention.{n}a.{name}": "1" for n in range(MOST_NAMES // 4 + 5) for name in names}
    state.open_at("", link | {"text": "Hers"})
    kept = state.current_page().values
    assert len(kept) == MOST_NAMES
    assert [*kept] == [*link, "text"][-MOST_NAMES:]


def test_a_link_leaves_no_more_than_a_page_may_hold():
    names = sorted(selectable())
    link = {f"{'abcdefgh'[n % 8]}{'abcdefgh'[n // 8]}.{name}": LONG
            for n in range(40) for name in names}  # fmt: skip
    for query in (link | {"text": LONG}, {f"quatsch{n}": "1" for n in range(100_000)}):
        state.open_at("", query)
        kept = state.current_page().values
        assert len(kept) <= MOST_NAMES
        assert links.size(kept) <= MOST_CHARACTERS
        assert max(map(len, kept.values()), default=0) <= MAX_TEXT + 1
        assert kept == declared_only(kept)


def test_of_a_link_of_700_names_the_browser_is_told_what_the_page_shows():
    """It cost 93 kB a click, 200 times as much as a plain one."""
    names = [f"{scope}.token" for n in range(340) for scope in (f"x{n}", f"nolesson.{n % 40}q{n}")]
    link = packed({"text": "The cat", **dict.fromkeys([*names, *map(str, range(30))], "1")})
    assert len(link) < 4000
    app = opened("attention/step_by_step.py", z=link)
    check(app)
    assert in_browser(app) == in_browser(opened("attention/step_by_step.py", text="The cat"))


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
